"""Score files: they are written in parts, so that a job that was killed continues where it stopped."""
