"""Does an agent use the relation that it is asked for? A contrast that is 0 for one that does not, and its test.

An agent may name words that are near to the target, or frequent, whatever it is asked for. If such words stand more often in
one relation than in another, its distances D(r, s) are above 0, and AuDC is, too. The contrast exchanges the relations that
a target was asked for, so all of this cancels out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.relation import Relations
from relprobe.sources.relations import RelationsFile
from relprobe.stats import FEWEST, Values, crossed_mean, sign_flip_above, with_holm
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import FAMILIES
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.compare.distinguishability.chance import chance_table
from relprobe.studies.relations.measure.distances import gaps
from relprobe.studies.relations.measure.hits import Answers
from relprobe.studies.relations.measure.metrics import Choices, relative_ranks
from relprobe.studies.relations.schemas import RELATION_USE, UNIT, USE, Chance, Use

DEPTH = 10
"""How many words of a response count, for all relations alike, unless the choice `k` says it."""
NO_TARGET = "no target with answers was asked for two relations that it has relata of"
TOO_FEW = f"no p: fewer than {FEWEST} targets"
ALL_ALIKE = "the answers about a target are the same, whatever it is asked for"
CONSTANT = "no interval: the contrast is the same for all targets and prompts"
ONE_PROMPT = "a relation has one prompt: how much another prompt would change is not known"


def use(each: Sequence[Answers], choices: Choices) -> pl.DataFrame:
    """Return how much later relata of s come than those of r in the answers to r, if the target was asked for s too (USE).

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
    both = later.join(exchanged, on=["target", "relation", "versus"], how="semi")
    order = each[0].relations.order
    return both.select(USE.names()).sort(
        "target", *(pl.col(name).cast(order) for name in ("relation", "versus")), "prompt_id"
    )


def _ranks(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return the relative rank of each relation in the responses whose probe has relata: UNIT, versus and value."""
    neutral: Literal["listed", "expected"] = "listed" if answers.people and choices.ties == "listed" else "expected"
    answered = answers.probes.join(answers.responses.select("probe_id"), on="probe_id", how="semi")
    asked = answered.join(answers.relata, on=["target", "relation"], how="semi")
    probes = asked.select(*UNIT, k=pl.lit(choices.k or DEPTH))
    return relative_ranks(answers.hits, probes, answers.relata, replace(choices, ties=neutral))


def relation_use(
    use: dict[str, Use], chance: dict[str, Chance], relations: RelationsFile, *, kinds: dict[str, AgentKind]
) -> ShownTables:
    """Test whether each agent uses the relation that it is asked for, and put its distances beside those of chance.

    `use` and `chance`: agent -> USE and CHANCE, of the step `metrics`. `kinds`: agent -> model, person or control.
    """
    return {"relation_use": use_table(use, kinds, relations), "chance": chance_table(chance, kinds)}


def use_table(uses: Mapping[str, pl.DataFrame], kinds: Mapping[str, AgentKind], relations: Relations) -> pl.DataFrame:
    """Return the mean contrast of every agent, with its interval and test (RELATION_USE).

    `uses`: agent -> USE. For a target that was asked for r and s, with d_r(s) the mean of d(s) over the prompts of r:

        contrast = d_r(s) - d_r(r) + d_s(r) - d_s(s)

    It lies between -2 and 2. It is above 0 if relata of a relation come earlier when this relation is asked for. If the
    answers do not depend on what is asked for, it is 0 on average, and exactly 0 for an agent with one list per target.
    A row without relations is over all pairs of relations: a target counts once, with the mean of its contrasts. The others
    are over one pair, in either order.

    p is one-sided, as the claim is that an agent uses the relation. In p and the interval, targets and prompts are samples
    (`stats.crossed_mean`): the prompts of a relation may by chance favour its relata. p_targets is for these prompts alone:
    the share of the patterns of signs of the targets that give as much (`stats.sign_flip_above`). p_holm is p adjusted over
    the agents of a kind (`kinds`), for all pairs together and for each pair. With fewer than six targets there is no p.

    >>> rows = [("robin", "HYP", "MER", "a", 1.0), ("robin", "MER", "HYP", "b", 0.5)]
    >>> table = pl.DataFrame(rows, schema=USE, orient="row")
    >>> from relprobe.studies.relations.measure.example import RELATIONS
    >>> table = use_table({"m": table}, {"m": "model"}, RELATIONS)
    >>> table.select("agent", "relation", "versus", "targets", "contrast", "p", "note").rows()[1]
    ('m', 'HYP', 'MER', 1, 1.5, None, 'no p: fewer than 6 targets')
    """
    rows: list[dict[str, Any]] = []
    for agent, table in uses.items():
        family = FAMILIES[kinds[agent]]
        rows.append({"agent": agent, "family": family, **_row(table)})
        for names, of_pair in _pairs(table, relations):
            rows.append({"agent": agent, "family": family, **names, **_row(of_pair)})
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    agents = pl.col("agent").cast(pl.Enum(list(uses)))
    table = with_holm(pl.DataFrame(rows, schema=RELATION_USE), ["relation", "versus", "family"])
    return table.sort(*order, agents, nulls_last=False)


def _pairs(table: pl.DataFrame, relations: Relations) -> list[tuple[dict[str, str], pl.DataFrame]]:
    """Return the names and rows of each pair of relations of USE, in either order."""
    codes = relations.codes
    pairs = [(one, other) for place, one in enumerate(codes) for other in codes[place + 1 :]]
    parts = [
        (
            {"relation": pair[0], "versus": pair[1]},
            table.filter(pl.col("relation").is_in(pair), pl.col("versus").is_in(pair)),
        )
        for pair in pairs
    ]
    return [(names, rows) for names, rows in parts if rows.height]


def _row(table: pl.DataFrame) -> dict[str, Any]:
    """Return the columns of RELATION_USE about the rows of some pairs of relations (USE)."""
    if table.is_empty():
        return {"targets": 0, "differ": 0, "p": None, "note": NO_TARGET}
    prompts = table.select("relation", "prompt_id").unique().sort("relation", "prompt_id")
    shares = _shares(table, prompts)
    strata = prompts["relation"].rank("dense").cast(pl.Int64).to_numpy()
    of_targets = np.nansum(shares, axis=1)
    mean = crossed_mean(shares, strata)
    low, high = mean.interval() or (None, None)
    differ = int((np.abs(of_targets) > 1e-9).sum())
    row = {"targets": len(shares), "differ": differ, "contrast": mean.value, "low": low, "high": high, "p": None}
    if len(shares) < FEWEST:
        return {**row, "note": TOO_FEW}
    p_targets = sign_flip_above(of_targets, SEED)
    p = mean.p_above()
    single = 1 in prompts.group_by("relation").len()["len"]
    note = ALL_ALIKE if not differ else CONSTANT if p is None else ONE_PROMPT if single else None
    return {**row, "p": p_targets if p is None else p, "p_targets": p_targets, "note": note}


def _shares(table: pl.DataFrame, prompts: pl.DataFrame) -> Values:
    """Return the share of each prompt in the mean contrast of each target, (targets, prompts); NaN where there is none."""
    pairs = pl.struct("relation", "versus").n_unique().over("target") / 2
    of_prompts = pl.len().over("target", "relation", "versus")
    rows = table.with_columns(share=pl.col("value") / of_prompts / pairs)
    rows = rows.group_by("target", "relation", "prompt_id", maintain_order=True).agg(pl.col("share").sum())
    places = prompts.with_row_index("column")
    rows = rows.join(places, on=["relation", "prompt_id"]).with_columns(row=pl.col("target").rank("dense") - 1)
    shares = np.full((rows["target"].n_unique(), prompts.height), np.nan)
    shares[rows["row"].to_numpy(), rows["column"].to_numpy()] = rows["share"].to_numpy()
    return shares
