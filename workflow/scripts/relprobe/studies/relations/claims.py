"""What the study of relations may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

CLAIMS = (
    Claim(
        "soundness",
        verb="gives a right first answer to",
        unit="probes",
        column="relation",
        each="relations",
        test="targets with a common relatum are linked, and prompts are a sample",
        primary=True,
    ),
    Claim(
        "contrast",
        column="relation",
        each="pairs of relations",
        hypothesis="uses the relation",
        needs=("nearest",),  # what similar words tell is no knowledge of the pair
    ),
)
"""What the page says of agents: whose answers are right, and who uses the relation that it is asked for."""
