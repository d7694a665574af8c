"""External files: pinned downloads, and WordNet in the form that nltk reads."""

STEPS = {
    "fetch": ("fetch:resource", "Fetch one pinned resource into a folder beside its manifest."),
    "vectors": ("fetch:vectors", "Fetch a set of static vectors."),
    "wn_lmf": ("lexical.wn_lmf:database", "Read lexical resources in the format WN-LMF into a database."),
    "wordnet": ("lexical.wordnet:readable", "Copy WordNet's database files into the folders that nltk reads."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
