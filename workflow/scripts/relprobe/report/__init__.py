"""The pages and figures of a run."""
