"""The declaration of a claim: what a study may say of its agents. It is known from the configuration before the run.

A study declares its claims (core/study.py). The sentences of pages, cards and the terminal come from them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Hypothesis = Literal[
    "ahead of every control",
    "behind some control",
    "two models",
    "depends on the relation and the target",
    "uses the relation",
]
"""What a claim says. The last two are of a contrast between relations, for the target. It is above 0 if the answers depend
on the relation and the target together, as those of an agent may that knows similar words and not the pair. An agent that
uses the relation is ahead of every control by it, too."""
RULES: dict[Hypothesis, str] = {
    "ahead of every control": "p is the largest of those beside each control, without adjustment for their number",
    "behind some control": "p is adjusted for the number of controls",
    "two models": "p is that of the two",
    "depends on the relation and the target": "p is that of the contrast, which is 0 for agents that have seen no relatum",
    "uses the relation": "p is the largest of that of the contrast and those beside each control",
}
"""Hypothesis -> the rule that its p follows. The first is an intersection-union test (Berger 1982)."""


@dataclass(frozen=True)
class Claim:
    """What a study may say of an agent: one metric, beside some controls, under each condition or pooled over them.

    Its family is what p is adjusted over. A claim that is `primary` is the one test of its study, pooled over conditions
    where there are several, and is adjusted over nothing. Any other claim of an agent is adjusted over the conditions of the
    claim, and never over other agents. A claim on two models is adjusted over the conditions of these two, or over those of
    all pairs that the configuration declares (`comparisons`).

    `verb` and `unit` make a sentence of a value: "is right in 31 of 100 probes" has the verb "is right in" and the unit
    "probes". A claim without a unit has plain numbers. `conditions`: those of the run (`under`), the values of `column`;
    `each`: what they are, such as relations. `agents`: what is ranked, where a model has several agents, such as judges.
    `needs`: the controls without which it is not made, as an agent that knows less may have as much; it stands beside all
    that the run has. `chance`: what guessing gives, if that is known. `test`: what p rests on, in words, and `sample`: what
    more of would tell more.

    >>> Claim("soundness", verb="is right in", unit="probes", each="relations", primary=True).family
    'the primary test of the study, adjusted over nothing'
    """

    metric: str
    conditions: tuple[str, ...] = ()
    verb: str = ""
    unit: str = ""
    column: str = "condition"
    each: str = "comparisons"
    agents: str = "models"
    test: str = "sign flips over clusters"
    sample: str = "items"
    chance: float | None = None
    hypothesis: Hypothesis = "ahead of every control"
    needs: tuple[str, ...] = ()
    primary: bool = False

    @property
    def rule(self) -> str:
        """The rule that p follows."""
        return RULES[self.hypothesis]

    @property
    def family(self) -> str:
        """What p is adjusted over, in words."""
        if self.primary:
            return "the primary test of the study, adjusted over nothing"
        if self.hypothesis == "two models":
            return f"the tests of the two under all {self.each}, or those of all declared comparisons"
        return f"the agent's own tests under all {self.each}"

    def missing(self, agents: Collection[str]) -> list[str]:
        """Return the controls that the claim needs and a run does not have. `agents`: the names of all its agents.

        >>> Claim("contrast", needs=("nearest",)).missing(["gpt2", "frequency"])
        ['nearest']
        """
        return [name for name in self.needs if name not in agents]

    def under(self, conditions: Iterable[str], chance: float | None = None) -> "Claim":
        """Return the claim with the conditions of a run and, if it is known, what guessing gives in it.

        >>> Claim("right").under(["noun", "verb"]).conditions
        ('noun', 'verb')
        """
        return replace(self, conditions=tuple(conditions), chance=self.chance if chance is None else chance)


def primary_of(claims: Sequence[Claim]) -> Claim | None:
    """Return the primary claim of a study, None if it declares no claim. ValueError: it has not exactly one.

    >>> primary_of([Claim("right", primary=True), Claim("fast")]).metric
    'right'
    """
    if not claims:
        return None
    primary = [claim for claim in claims if claim.primary]
    if len(primary) != 1:
        raise ValueError(
            f"a study has one primary claim, but {len(primary)} of {len(claims)} are: mark one with primary=True"
        )
    return primary[0]
