"""The pages of a run, and the drawing functions that the figures of all studies share."""
