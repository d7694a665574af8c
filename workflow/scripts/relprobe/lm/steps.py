"""The steps that every study shares: a model becomes a folder that loads offline, with a lexicon and maps of layers."""

STEPS = {
    "snapshot": ("loading.snapshot:model", "Fetch a model into a folder that loads offline, beside its manifest."),
    "adapter": ("loading.snapshot:adapter_of", "Fetch an adapter into a folder beside its manifest."),
    "lexicon": ("words.model_lexicon:list_tokens", "List the words that are one token of a model."),
    "layer_text": ("maps.layer_text:layer_text", "Draw the sentences that the maps of layers are fitted on."),
    "layer_map": ("maps.layer_map:layer_map", "Fit the maps of a model's layers to its last one."),
    "shared_lexicon": (
        "words.lexicon:shared_lexicon",
        "List the words that are one token of every model of the panel.",
    ),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
