"""The groups of BATS' relations, and those relations that a probe cannot be expected to tell apart (Table 2)."""

GROUPS = {"E": "ES", "L": "LS", "D": "DM", "I": "IM"}
"""First letter of a relation's code -> its group."""
GROUP_NAMES = {
    "ES": "encyclopedic semantics",
    "LS": "lexicographic semantics",
    "DM": "derivational morphology",
    "IM": "inflectional morphology",
}
MANY = ("E06", "E07", "E08", "E09", *(f"L{number:02}" for number in range(1, 11)))
"""One- or many-to-many relations, marked ∗ in the random probe: another head or tail may well be right."""
BIDIRECTIONAL = ("L08", "L10")
"""Relations that hold in both directions, marked † in the reverse probe."""


def mark(relation: str) -> str:
    """Return the marks of a relation in Table 2: "∗", "†", both or none."""
    return ("∗" if relation in MANY else "") + ("†" if relation in BIDIRECTIONAL else "")
