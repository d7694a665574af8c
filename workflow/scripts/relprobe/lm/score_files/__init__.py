"""Score files: written in parts, so that a job that was killed goes on where it stopped."""
