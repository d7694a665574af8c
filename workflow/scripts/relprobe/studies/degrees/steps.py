"""The degrees study (SemEval-2012 Task 2), step by step: its table of contents."""

STEPS = {
    "gold": ("probes:items", "Count the answers of people: gold ratings and MaxDiff questions (section 3.1)."),
    "probes": ("probes:probe_table", "Put the pairs and paradigms into sentences and analogies."),
    "scores": ("scoring:ask", "Score the probes with a model, for all kinds of raters."),
    "layer_scores": ("scoring:layer_scores", "Take the hidden states of the pairs after each layer of a model."),
    "replies": ("chat:replies", "Ask a model that only chats the MaxDiff questions that people answered."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "metrics": (
        "agents:model_metrics",
        "Turn the scores of a model into ratings, and compare these with people's (section 4.1).",
    ),
    "control_metrics": (
        "agents:control_metrics",
        "Rate the pairs without a language model, and compare the ratings.",
    ),
    "task_metrics": ("agents:task_metrics", "Read the choices of a model that chooses, and compare them."),
    "layer_metrics": ("agents:layer_metrics", "Compare the ratings after each layer with people's."),
    "compare": ("compare:compare", "Average and test the metrics of all agents, and measure how well people agree."),
    "show": ("show:show", "Write the tables of the page and of the analyses, and draw the figures."),
    "figures": ("show:figures", "Draw the figures alone, as for print."),
    "template": (
        "relations:template",
        "Write a template of own ratings, and of the relations that they are about.",
    ),
    "evaluate": ("evaluate:evaluate", "Score files of ratings or of MaxDiff answers without a model."),
    "trials": ("trials:trials", "List the trials: which pair every agent chose in each question."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
