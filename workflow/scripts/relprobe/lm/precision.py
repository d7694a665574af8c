"""The number format in which a network computes if its config entry names none."""

LARGE = 3e9
"""The parameters from which on a network computes in bfloat16 unless told otherwise: in float32 they take 12 GB."""
