"""The pairs study, step by step: its table of contents."""

STEPS = {
    "items": ("probes:items", "Take pairs with foils from WordNet, pairs of HyperLex, and own pairs."),
    "probes": ("probes:probe_table", "Put the pairs, and each of their words alone, into the prompts."),
    "scores": ("scoring:ask", "Score the probes with a model, for all kinds of judges."),
    "layer_scores": ("scoring:layer_scores", "Take the hidden states of both words after each layer of a model."),
    "replies": ("chat:replies", "Ask a model that only chats about the pairs."),
    "writing": ("scoring:writing", "Let a model on this machine write its judgments."),
    "metrics": (
        "agents:model_metrics",
        "Turn the scores of a model into judgments, and measure these against labels and ratings.",
    ),
    "control_metrics": ("agents:control_metrics", "Judge the pairs without a language model, and measure that."),
    "people_metrics": ("agents:people_metrics", "Measure people's judgments of the pairs."),
    "task_metrics": ("agents:task_metrics", "Read the replies of a model, and measure its judgments."),
    "layer_metrics": ("agents:layer_metrics", "Measure the judgments after each layer."),
    "compare": ("compare:compare", "Average and test the metrics of all agents, and measure how well people agree."),
    "show": ("show:show", "Write the tables of the page and of the analyses, and draw the figures."),
    "figures": ("show:figures", "Draw the figures alone, as for print."),
    "trials": ("trials:trials", "List the trials: which word every agent picks for each target."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
