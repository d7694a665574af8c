"""Lexical resources such as WordNet, in one form."""
