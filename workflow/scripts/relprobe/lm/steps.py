"""The steps that every study shares: a model becomes a folder that loads offline, and gets a lexicon."""

STEPS = {
    "snapshot": ("loading.snapshot:model", "Fetch a model into a folder that loads offline, beside its manifest."),
    "adapter": ("loading.snapshot:adapter_of", "Fetch an adapter into a folder beside its manifest."),
    "lexicon": ("words.model_lexicon:of_model", "List the words that are one token of a model."),
    "shared_lexicon": ("words.lexicon:shared", "List the words that are one token of every model of the panel."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
