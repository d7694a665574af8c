"""Agents in an order, such as layers or checkpoints: their trends, and where half of the last value is reached."""
