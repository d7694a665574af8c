"""The frame of a study, step by step: its table of contents."""

STEPS = {
    "compare": ("compare:compare", "Average and test the metrics of all agents of a study."),
    "show": ("show:show", "Write the averages and tests of a study as tables, and draw the averages."),
    "trials": ("trials:trials", "List the trials of a study: what each agent answered to each of its questions."),
    "figures": ("show:figures", "Draw the averages of a study alone, as for print."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
