"""The groups of BATS' relations, and the relations in which a negative tuple may well be right (Table 2)."""

GROUPS = {"E": "ES", "L": "LS", "D": "DM", "I": "IM"}
"""First letter of a relation's code -> its group."""
GROUP_NAMES = {
    "ES": "encyclopedic semantics",
    "LS": "lexicographic semantics",
    "DM": "derivational morphology",
    "IM": "inflectional morphology",
}
MANY_TO_MANY = ("E06", "E07", "E08", "E09", *(f"L{number:02}" for number in range(1, 11)))
"""One-to-many and many-to-many relations. Table 2 marks them ∗ in the random probe: another head or tail may be right."""
BIDIRECTIONAL = ("L08", "L10")
"""Relations that hold in both directions. Table 2 marks them † in the reverse probe: the reversed tuple may be right."""


def mark(relation: str) -> str:
    """Return the marks of a relation in Table 2: "∗", "†", both or none.

    >>> [mark(relation) for relation in ("E01", "E06", "L08")]
    ['', '∗', '∗†']
    """
    return ("∗" if relation in MANY_TO_MANY else "") + ("†" if relation in BIDIRECTIONAL else "")
