"""What a model can be asked: the likeliest tokens at a slot, words there, sentences, and embeddings."""
