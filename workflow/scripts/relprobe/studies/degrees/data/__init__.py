"""The data of the study: its words, and what counts as right."""
