"""The pairs study: how much, whether, and which: a pair of words is judged for its relation."""
