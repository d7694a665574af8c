"""The steps that write what a manuscript takes from a run. No step of a study reads it."""

STEPS = {
    "trials": ("trials:trials", "Put the trials of the studies into one table."),
    "tables": ("tables:tables", "Write the first tables of a study in LaTeX and in HTML."),
    "study_methods": ("methods:study_methods", "Write the paragraph of a study about its methods."),
    "methods": ("methods:methods", "Put the methods of the studies together, with what they cite."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
