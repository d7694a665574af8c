"""Tokens and words: texts become model inputs, and a lexicon lists the words that are one token of a model."""
