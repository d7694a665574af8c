"""What the study of analogies may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

CLAIMS = tuple(
    Claim(
        f"{setting} reverse",
        verb=verb,
        unit="choices",
        each="relations",
        test="sign flips over relations",
        sample="relations",
        chance=0.5,
        primary=setting == "unsupervised",
    )
    for setting, verb in (
        ("supervised", "finds, by a classifier, the pair in the right order in"),
        ("unsupervised", "chooses, without training, the pair in the right order in"),
    )
)
"""What the page says of agents: what each setting does with a pair and a reversed one. It may do so without the query."""
