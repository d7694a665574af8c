"""What the study of systematicity may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

CLAIMS = tuple(
    Claim(
        metric,
        verb=f"chooses the right category in the {numbers} for",
        unit="hyponyms",
        each="sets",
        test="sign flips over categories",
        sample="categories",
        primary=metric == "singular_plural",
    )
    for metric, numbers in (("singular", "singular"), ("singular_plural", "singular and in the plural"))
)
"""What the page says of agents: whose answers are right in the singular, and in both numbers at once."""
