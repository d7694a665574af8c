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
    "tables": ("tables:tables", "Write the tables of the agents and of the data (Tables 1, 2, 4, 5 and 6)."),
    "answer_tables": (
        "tables:answer_tables",
        "Write the tables of the models' answers (Table 3, Figure 2).",
    ),
    "figures": ("figures:figures", "Draw the accuracies, the categories' log-probabilities and the classifiers."),
    "published": ("published:published_figures", "Put the figures that the paper prints beside ours."),
    "template": ("data:template", "Write a template of own hyponyms, a CSV file with four categories."),
    "answers": ("tables:answers", "Write the page of all agents' answers to each sentence."),
    "trials": ("trials:trials", "List the trials: how every agent completes each sentence."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
