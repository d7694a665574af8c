"""What the study of pairs may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

CLAIMS = (
    Claim(
        "ap",
        verb="ranks related words above foils with a mean average precision of",
        each="relations",
        agents="judges",
        test="targets with a common right word are linked, and prompts are a sample",
        sample="targets",
        primary=True,
    ),
    Claim(
        "rho",
        verb="agrees with people's ratings with a Spearman's ρ of",
        each="sets of ratings",
        agents="judges",
        test="pairs with a common word are linked, and prompts are a sample",
        sample="pairs",
    ),
)
"""What the page says of agents: whose ranking puts related words first, and who rates as people do."""
