"""The degrees study (SemEval-2012 Task 2), step by step: its table of contents."""

STEPS = {
    "gold": ("data:people", "Count the answers of people: gold ratings and MaxDiff questions (section 3.1)."),
    "probes": ("ask:probes", "Put the pairs and paradigms into sentences and analogies."),
    "scores": ("scoring:ask", "Score the probes with a model, for all kinds of raters."),
    "replies": ("ask:replies", "Ask a model that only chats the MaxDiff questions that people answered."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "layer_scores": ("scoring:layer_scores", "Take the hidden states of the pairs after each layer of a model."),
    "layer_metrics": ("measure:layer_metrics", "Compare the ratings after each layer with people's."),
    "metrics": (
        "sensitivity:model_metrics",
        "Turn the scores of a model into ratings, and compare these with people's, here and under other choices.",
    ),
    "control_metrics": (
        "sensitivity:control_metrics",
        "Rate the pairs without a language model, and compare the ratings.",
    ),
    "taker_metrics": ("sensitivity:taker_metrics", "Read the choices of a model that chooses, and compare them."),
    "compare": ("compare:compare", "Average and test the metrics of all agents, and measure how well people agree."),
    "show": ("show:show", "Write Tables 3 to 6 and the paper's figures beside ours, and draw the figures."),
    "figures": ("figures:figures", "Draw agreement per rater and per relation class alone, as for print."),
    "template": (
        "data:template",
        "Write a template of own ratings, and of the relations that they are about.",
    ),
    "evaluate": ("evaluate:evaluate", "Score files of ratings or of MaxDiff answers without a model."),
    "trials": ("trials:trials", "List the trials: which pair every agent chose in each question."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
