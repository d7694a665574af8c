"""What the study of degrees may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

CLAIMS = (
    Claim(
        "rho_without_reversals",
        verb="agrees with people's ratings, reversed pairs left out, with a Spearman's ρ of",
        each="models",
        test="sign flips over subcategories",
        sample="subcategories",
        agents="raters",
        primary=True,
    ),
)
"""What the page says of agents. A reversed pair shows the direction of a relation alone, so the claim is without these."""
