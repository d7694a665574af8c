"""Does an agent use the relation that it is asked for? A contrast that is 0 for one that does not, and its test.

An agent may name words that are near to the target, or frequent, whatever it is asked for. If such words stand more often in
one relation than in another, its distances D(r, s) are above 0, and AuDC is, too. The contrast exchanges the relations that
a target was asked for, so all of this cancels out.
"""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.sources.relations import RelationsFile
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.compare.distinguishability.chance import chance_table
from relprobe.studies.relations.compare.distinguishability.other_targets import PAIR, of_other_targets
from relprobe.studies.relations.compare.distinguishability.use_table import use_table
from relprobe.studies.relations.measure.distances import gaps
from relprobe.studies.relations.measure.hits import Answers
from relprobe.studies.relations.measure.metrics import Choices, relative_ranks
from relprobe.studies.relations.schemas import UNIT, USE, Chance, Relata, Use

DEPTH = 10
"""How many words of a response count, for all relations alike, unless the choice `k` says it."""


def use(each: Sequence[Answers], choices: Choices) -> pl.DataFrame:
    """Return how much later relata of s come than those of r in the answers to r, if the target was asked for s too (USE).

    `value` is about the answers to the target's own probes, `others` about those to the probes of other targets
    (`of_other_targets`). A prompt that only other targets were asked has no value.

    `each`: the answers of an agent, or those of several annotators, whose values are averaged per probe. The value is
    d(s) - d(r), where d is the relative rank of a relation's best relatum in the answer (Eq. 24; 1 if there is none). It
    differs from that of D(r, s) in three points, so that the two relations have equal chances. The same number of words
    counts for both: `ranking.k`, or 10. Trick probes count as well, for they ask for a relation of their target. Ties of
    people's words count by their expected value, also where the choice is "favourable" or "unfavourable", as these look at
    the relation that is asked for. `ranking.rank` is as for D(r, s).

    Asked for hypernyms, the agent names bird first; asked for meronyms, it names wing first and bird second:

    >>> from relprobe.studies.relations.measure.example import example  # robin: bird and animal, and as a meronym wing
    >>> use([example(hyp_robin="bird x", mer_robin="wing bird")], Choices()).select("relation", "versus", "value").rows()
    [('HYP', 'MER', 1.0), ('MER', 'HYP', 0.1)]
    """
    ranks = pl.concat([_ranks(one, choices) for one in each])
    values = ranks.group_by(*UNIT, "versus", maintain_order=True).agg(pl.col("value").mean())
    later = gaps(values.with_columns(metric=pl.lit("distinguishability")))
    exchanged = later.select("target", relation="versus", versus="relation").unique()
    both = later.join(exchanged, on=PAIR, how="semi").select(*PAIR, "prompt_id", "value")
    others = of_other_targets(each, both.select(PAIR).unique(), choices.k or DEPTH, _neutral(each[0], choices))
    rows = both.join(others, on=[*PAIR, "prompt_id"], how="full", coalesce=True)
    order = each[0].relations.order
    return rows.select(USE.names()).sort(
        "target", *(pl.col(name).cast(order) for name in ("relation", "versus")), "prompt_id"
    )


def _ranks(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return the relative rank of each relation in the responses whose probe has relata: UNIT, versus and value."""
    answered = answers.probes.join(answers.responses.select("probe_id"), on="probe_id", how="semi")
    asked = answered.join(answers.relata, on=["target", "relation"], how="semi")
    probes = asked.select(*UNIT, k=pl.lit(choices.k or DEPTH))
    return relative_ranks(answers.hits, probes, answers.relata, _neutral(answers, choices))


def _neutral(answers: Answers, choices: Choices) -> Choices:
    """Return the choices with ties that favour no relation."""
    return replace(choices, ties="listed" if answers.people and choices.ties == "listed" else "expected")


def relation_use(
    use: dict[str, Use],
    chance: dict[str, Chance],
    relations: RelationsFile,
    relata: Relata,
    *,
    kinds: dict[str, AgentKind],
) -> ShownTables:
    """Test whether each agent uses the relation that it is asked for, and put its distances beside those of chance.

    `use` and `chance`: agent -> USE and CHANCE, of the step `metrics`. `kinds`: agent -> model, person or control.
    """
    return {"relation_use": use_table(use, kinds, relations, relata), "chance": chance_table(chance, kinds)}
