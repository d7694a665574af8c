"""The systematicity study (Ravichander et al. 2020), step by step: its table of contents."""

STEPS = {
    "probes": (
        "probes:probe_tables",
        "Make the items and their probes, of own, released or WordNet's hyponyms (section 2.1).",
    ),
    "pairs": ("contexts:splits", "Make the classifier's pairs and the contexts of their words (section 2.2)."),
    "occurrences": ("corpus:occurrences", "Count the patterns that a corpus holds (section 3.4)."),
    "scores": ("scoring:ask", "Ask a model the probes, and embed the words of the classifier's pairs with it."),
    "layer_embeddings": ("scoring:layer_embeddings", "Embed these words after each layer of a model."),
    "static": ("baselines:static", "Score the probes and embed the words with static vectors (section 3.2)."),
    "replies": ("chat:replies", "Ask a model that only chats to choose among categories, as people would."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "detections": ("training:detections", "Train probing classifiers on an agent's embeddings."),
    "layer_metrics": ("training:layer_metrics", "Train and measure classifiers on each layer's embeddings."),
    "metrics": ("agents:metrics", "Measure an agent: its answers and its classifier (section 3.1)."),
    "control_metrics": ("agents:control_metrics", "Measure a control: prompts without a relation, or the majority."),
    "task_metrics": ("agents:task_metrics", "Read the choices of a model that chooses, and measure them."),
    "compare": ("compare:compare", "Average and test the values of all agents."),
    "show": (
        "show:show",
        "Write the tables of the page and of the analyses, and the page of all agents' answers, and draw the figures.",
    ),
    "figures": ("show:figures", "Draw the figures alone, as for print."),
    "template": ("hyponyms:template", "Write a template of own hyponyms, a CSV file with four categories."),
    "trials": ("trials:trials", "List the trials: how every agent completes each sentence."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
