"""The analogies study (Rezaee and Camacho-Collados), step by step: its table of contents."""

STEPS = {
    "instances": (
        "probes:build",
        "Split the tuples into training and test, and pair every positive with a negative per probe (sections 2.2, 2.3).",
    ),
    "probes": ("probes:probes", "Put the instances into the sentence of the study."),
    "scores": ("scoring:ask", "Score the sentences with a model, and embed their four words (section 2.4)."),
    "layer_embeddings": ("scoring:layer_embeddings", "Embed these words after each layer of a model."),
    "encoder": ("encoder:encoder", "Embed every pair of words with an encoder, as RelBERT does."),
    "static": ("pair_vectors:static", "Embed every pair of words by the difference of its static vectors."),
    "replies": ("chat:replies", "Ask a model that only chats which of two pairs continues an analogy."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "supervised": (
        "training:by_classifier",
        "Train an agent's classifiers on the training tuples, and let them judge the test tuples.",
    ),
    "metrics": (
        "agents:model_metrics",
        "Let a model choose by perplexity (Eq. 1), and compute its accuracies, per tuple.",
    ),
    "control_metrics": (
        "agents:control_metrics",
        "Let a baseline choose by cosine (section 3.1), and compute the same.",
    ),
    "task_metrics": ("agents:task_metrics", "Read the choices of a model that chooses, and compute the same."),
    "layer_metrics": ("training:layer_metrics", "Train and measure classifiers on each layer's embeddings."),
    "compare": ("compare:compare", "Average and test the accuracies of all agents."),
    "vectors": (
        "compare:with_vectors",
        "Let analyses judge all tuples by static vectors, such as with other choices about negatives.",
    ),
    "show": (
        "show:show",
        "Write the tables of the page and of the analyses, and the page of all agents' choices, and draw the figures.",
    ),
    "figures": ("show:figures", "Draw the figures alone, as for print."),
    "template": ("relations:template", "Write a template of own analogies, a CSV file with two relations."),
    "trials": ("trials:trials", "List the trials: every choice between two pairs."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
