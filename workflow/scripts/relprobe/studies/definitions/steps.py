"""The definitions study (WDLMPro), step by step: its table of contents."""

STEPS = {
    "probes": (
        "probes:probe_tables",
        "Build the groups of sister synsets, and the probes of their tasks (section 2.1).",
    ),
    "properties": (
        "properties:property_tables",
        "Look up how frequent words are, and which definitions tell theirs.",
    ),
    "scores": ("scoring:scores", "Score the words of every probe with a model (section 2.2.1)."),
    "replies": ("chat:replies", "Ask a model that only chats to choose, as people were asked."),
    "writing": ("scoring:writing", "Let a model on this machine write its choices."),
    "metrics": (
        "agents:model_metrics",
        "Rank the candidates by the scores of a model, and compute precision at 1 and the rank score (sections 2.3, 2.4).",
    ),
    "control_metrics": ("agents:control_metrics", "Rank them without a language model, and compute the same."),
    "people_metrics": ("agents:people_metrics", "Read people's answers, and compute the same."),
    "task_metrics": ("agents:task_metrics", "Read the choices of a model that chooses, and compute the same."),
    "compare": (
        "compare:compare",
        "Average and test the values of all agents, and count the groups.",
    ),
    "show": (
        "show:show",
        "Write the tables of the page and of the analyses, and the page of all agents' answers, and draw the figures.",
    ),
    "figures": ("show:figures", "Draw the averages alone, as for print."),
    "template": ("dictionary:template", "Write an example of an own dictionary, and of a file of counts."),
    "questionnaire": ("people:questionnaire", "Write the empty form of people's answers."),
    "trials": ("trials:trials", "List the trials: which candidate every agent ranked first."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
