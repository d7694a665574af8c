"""The questions a model answers: the likeliest tokens at a slot, candidates there, tokens of sentences, and embeddings."""
