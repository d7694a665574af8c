"""Model against model: sizes within a family, and masked against causal models."""
