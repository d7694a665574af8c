"""Models that only chat: they take the tasks that people took, and give text and no log-probabilities."""
