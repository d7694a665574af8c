"""The systematicity study (Ravichander et al. 2020), step by step: its table of contents."""

STEPS = {
    "probes": (
        "ask:probe_tables",
        "Make the items and their probes, of own, released or WordNet's hyponyms (section 2.1).",
    ),
    "pairs": ("pairs:splits", "Make the classifier's pairs and the contexts of their words (section 2.2)."),
    "occurrences": ("published:occurrences", "Count the patterns that a corpus holds (section 3.4)."),
    "scores": ("scoring:ask", "Ask a model the probes, and embed the words of the classifier's pairs with it."),
    "replies": ("replies:replies", "Ask a model that only chats to choose among categories, as people would."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "static": ("measure:static", "Score the probes and embed the words with static vectors (section 3.2)."),
    "detections": ("training:detections", "Train probing classifiers on an agent's embeddings."),
    "layer_embeddings": ("scoring:layer_embeddings", "Embed these words after each layer of a model."),
    "layer_metrics": ("training:layer_metrics", "Train and measure classifiers on each layer's embeddings."),
    "metrics": ("measure:metrics", "Measure an agent: its answers and its classifier."),
    "control_metrics": ("measure:control_metrics", "Measure a control: prompts without a relation, or the majority."),
    "taker_metrics": ("measure:taker_metrics", "Read the choices of a model that chooses, and measure them."),
    "compare": (
        "sensitivity:compare",
        "Average and test the metrics of all agents, and say what other prompts and choices would change.",
    ),
    "show": (
        "show:show",
        "Write Tables 1 to 6, the paper's figures beside ours, and the page of all agents' answers, and draw the figures.",
    ),
    "figures": ("figures:figures", "Draw accuracies, log-probabilities and classifiers alone, as for print."),
    "template": ("data:template", "Write a template of own hyponyms, a CSV file with four categories."),
    "trials": ("trials:trials", "List the trials: how every agent completes each sentence."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
