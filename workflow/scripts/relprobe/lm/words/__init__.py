"""Tokens and words: texts as model inputs, and the words that are one token of a model."""
