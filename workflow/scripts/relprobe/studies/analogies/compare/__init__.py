"""Averages of agents, and tests between them."""
