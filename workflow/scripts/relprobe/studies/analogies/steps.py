"""The analogies study (Rezaee and Camacho-Collados), step by step: its table of contents."""

STEPS = {
    "instances": (
        "data:build",
        "Split the tuples into training and test, and pair every positive with a negative per probe (sections 2.2, 2.3).",
    ),
    "sensitivity": (
        "compare:sensitivity",
        "Judge all tuples by static vectors, with the negatives of the study and with each other choice about them.",
    ),
    "probes": ("ask:probes", "Put the instances into the sentence of the study."),
    "scores": ("scoring:ask", "Score the sentences with a model, and embed their four words (section 2.4)."),
    "layer_embeddings": ("scoring:layer_embeddings", "Embed these words after each layer of a model."),
    "encoder": ("encoder:encoder", "Embed every pair of words with an encoder, as RelBERT does."),
    "static": ("ask:static", "Embed every pair of words by the difference of its static vectors."),
    "supervised": (
        "training:by_classifier",
        "Train an agent's classifiers on the training tuples, and let them judge the test tuples.",
    ),
    "layer_metrics": ("training:layer_metrics", "Train and measure classifiers on each layer's embeddings."),
    "replies": ("ask:replies", "Ask a model that only chats which of two pairs continues an analogy."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "metrics": (
        "measure:model_metrics",
        "Let a model choose by perplexity (Eq. 1), and compute its accuracies, per tuple.",
    ),
    "control_metrics": (
        "measure:control_metrics",
        "Let a baseline choose by cosine (section 3.1), and compute the same.",
    ),
    "taker_metrics": ("measure:taker_metrics", "Read the choices of a model that chooses, and compute the same."),
    "compare": (
        "compare:compare",
        "Average and test the accuracies of all agents, and test whether they err on rare words (section 4).",
    ),
    "show": ("show:show", "Write Tables 1 and 2, sizes, and the page of all agents' choices, and draw the figures."),
    "figures": ("figures:figures", "Draw the accuracies per group and per relation alone, as for print."),
    "template": ("data:template", "Write a template of own analogies, a CSV file with two relations."),
    "trials": ("trials:trials", "List the trials: every choice between two pairs."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
