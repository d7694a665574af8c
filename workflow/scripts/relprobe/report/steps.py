"""The steps that write the pages of a run from the tables and figures of its studies."""

STEPS = {
    "ledger": ("tables:ledger", "Write what agents that only chat were sent, and which models have answered."),
    "study": ("study:page", "Write the page of a study from its tables and figures."),
    "index": ("front:pages", "Write the front page, the page of published figures, and the table of origins."),
    "compare": ("compare:compare", "Write the page that compares two results folders, with its two tables."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
