"""The steps that write what a manuscript takes from a run. No step of a study reads it."""

STEPS = {
    "trials": ("trials:trials", "Put the trials of the studies into one table."),
    "tables": ("tables:tables", "Write the first tables of a study in LaTeX and in HTML."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
