"""What the study of relations may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

RIGHT = Claim(
    "soundness",
    verb="gives a right first answer to",
    unit="probes",
    column="relation",
    each="relations",
    test="targets with a common relatum are linked, and prompts are a sample",
    sample="targets",
    primary=True,
)
DEPENDS = Claim(
    "contrast",
    verb="answers by the relation and the target together",
    column="relation",
    each="pairs of relations",
    hypothesis="depends on the relation and the target",
)
"""It is beside agents that have seen no relatum, whose contrast is 0. Near words of the right kind may do as well."""
USES = Claim(
    "contrast",
    verb="uses the relation that it is asked for",
    column="relation",
    each="pairs of relations",
    hypothesis="uses the relation",
    needs=("nearest",),  # what similar words tell is no knowledge of the pair
)
CLAIMS = (RIGHT, DEPENDS, USES)
"""What the page says of agents: who is right, who answers by the relation and the target, and who uses the relation."""
