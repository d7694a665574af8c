"""What an agent reaches that knows related words, but not their relation: D(r, s) and AuDC by chance (Eq. 26 and 28).

## AuDC compared with chance

```yaml
table: chance
part: Tests
empty: No target has relata of two relations.
columns:
  relation: "the prompted relation; empty: the row is about AuDC"
  pairs: the number of pairs of relations that AuDC is over
  targets: the number of targets or, of AuDC, of targets of the pair that has the fewest
  value: the distance, or AuDC
  chance: the mean if the relations of a target's relata are dealt out to them at random
  chance_high: "what one such deal of twenty exceeds: the one-sided 95 % bound of chance"
  p: the probability that this gives as much (one-sided); missing where a pair of relations has too few targets
  family: the kind of the agent
```

The distances between relations and AuDC beside what chance gives: the mean if the relations of a target's relata are
dealt out to them at random. A small p does not say that the agent uses the relation: near words have one relation
more often than in another.

The rows are over all targets that the agent has answered; without relations they are of AuDC. chance is what an agent
reaches with the same words if they are related to the target, whatever their relation; p: how often this gives as
much (one-sided, 500 deals); chance_high: the bound to this p, which one deal of twenty exceeds. pairs: how many pairs
of relations AuDC is over, those with enough targets (relations.choices.minimum_targets); targets: their number, or
that of the pair that has the fewest. Other pairs have no p. p_holm: p adjusted over all distances of the agent.
"""

# An agent that names words which are related to the target in any way, whatever relation it is asked for, has
# distances too: the prompted relation has more relata than others, or is measured at another depth. So chance is not
# 0. Under the null hypothesis the responses do not depend on which relation a related word stands in. Then the
# relations of a target's relata might as well be dealt out to them anew, so many to each relation as before. An agent
# may well be above this without heeding the relation that it is asked for: near words stand more often in one
# relation than in another (relation_use).

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.relation import Relations
from relprobe.stats import Values, null_p, with_holm
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import FAMILIES
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.measures import AUDC, DISTINGUISHABILITY
from relprobe.studies.relations.method import Choices, JudgedAnswers
from relprobe.studies.relations.ranks import relative_rank
from relprobe.studies.relations.results import AgentResults, Results
from relprobe.studies.relations.schemas import CHANCE, CHANCE_TABLE, UNIT

PLACE = 14
DRAWS = 500
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Deal:
    """What the distances of an agent are made of. Relations are numbers, their places among the study's.

    `present`: which distances there are, and `targets` their numbers of targets. Of each relatum of the targets: `owner`,
    the number of its target, and `relation`. Of each probe whose response names a relatum early enough: `prompted`, the
    relation; `asked`, 1 for it and 0 for the others, of shape (probes, relations); `depth`, the length k of the response
    that counts; `weight`, the share of the probe in D(prompted, s), 0 where there is no such distance; and `sizes`, the
    numbers of relata. Of each of these relata, by probe and position: `probe`, `relatum`, `position`, `first` and `last`
    as in ranks.py.
    """

    present: NDArray[np.bool_]
    targets: Codes
    owner: Codes
    relation: Codes
    prompted: Codes
    asked: Values
    depth: Codes
    weight: Values
    sizes: Values
    probe: Codes
    relatum: Codes
    position: Codes
    first: Codes
    last: Codes


def chance(
    answers: JudgedAnswers, choices: Choices, pairs: pl.DataFrame | None = None, draws: int = DRAWS
) -> pl.DataFrame:
    """Return D(r, s) and AuDC of an agent, and those of chance, with a one-sided p (CHANCE).

    All targets that the agent has answered count. `pairs`: the pairs of relations that AuDC counts (PAIRS), all without it;
    the others have no p. `value`: D(r, s), or AuDC in the row without relations. `chance`: its
    mean over `draws` random deals of the relations, and `chance_high` what one deal of twenty exceeds: the bound to the
    one-sided p, the share of the deals with as much (`stats.null_p`). Ties count as the choices say; by the expected value
    over all orders in the observed values and in each deal alike.

    >>> from relprobe.studies.relations.values import example  # robin: bird and animal, and as a meronym wing
    >>> table = chance(example(hyp_robin="bird animal x"), Choices())
    >>> value, mean, p = table.filter(metric="audc").select("value", "chance", "p").row(0)
    >>> value, abs(mean - 1 / 3) < 0.1, abs(p - 1 / 3) < 0.1
    (1.0, True, True)

    The meronym is wing: 1 - 0. If it were bird, D would be 0 - 1/2, and if it were animal, 1/2 - 0; the mean is 1/3.
    """
    if not answers.people:
        choices = replace(choices, ties="expected")  # as in all metrics of models and controls
    deal = _deal(answers, choices)
    observed = _distances(deal, deal.relation, choices)
    if not deal.present.any():
        return pl.DataFrame(schema=CHANCE)
    generator = np.random.default_rng(SEED)
    null = np.stack([_distances(deal, _dealt(deal, generator), choices) for _ in range(draws)])
    counted = deal.present & _counted_pairs(pairs, answers.relations)
    rows = [
        {
            "metric": DISTINGUISHABILITY.name,
            "relation": answers.relations.codes[r],
            "versus": answers.relations.codes[s],
            "targets": int(deal.targets[r, s]),
            **_chance_columns(observed[r, s], null[:, r, s], tested=bool(counted[r, s])),
        }
        for r, s in zip(*np.nonzero(deal.present), strict=True)
    ]
    if counted.any():
        area = {"metric": AUDC.name, "pairs": int(counted.sum()), "targets": int(deal.targets[counted].min())}
        rows.append({**area, **_chance_columns(observed[counted].sum(), null[:, counted].sum(axis=1), tested=True)})
    return pl.DataFrame(rows, schema=CHANCE)


def _chance_columns(value: float, null: Values, *, tested: bool) -> dict[str, float | None]:
    p = null_p(float(value), null) if tested else None
    bound = float(np.quantile(null, 0.95, method="higher"))
    return {"value": float(value), "chance": float(null.mean()), "chance_high": bound, "p": p}


def _counted_pairs(pairs: pl.DataFrame | None, relations: Relations) -> NDArray[np.bool_]:
    """Return which ordered pairs of relations count, (relations, relations)."""
    if pairs is None:
        return np.ones((len(relations.codes), len(relations.codes)), dtype=bool)
    counted = set(pairs.filter("counted").select("relation", "versus").iter_rows())
    return np.array([[(r, s) in counted for s in relations.codes] for r in relations.codes])


def chance_table(tables: Mapping[str, pl.DataFrame], kinds: Mapping[str, AgentKind]) -> pl.DataFrame:
    """Return CHANCE of all agents as one table, with p adjusted by Holm's method (CHANCE_TABLE).

    `tables`: agent -> CHANCE. `kinds`: agent -> model, person or control. p is adjusted over all distances of an agent, and
    apart from these its AuDC stands alone.

    >>> row = {"metric": "audc", "p": 0.02}
    >>> tables = {agent: pl.DataFrame([row], schema=CHANCE) for agent in ("a", "b")}
    >>> chance_table(tables, {"a": "model", "b": "model"})["p_holm"].to_list()
    [0.02, 0.02]
    """
    parts = [
        table.select(pl.lit(agent).alias("agent"), pl.all(), pl.lit(FAMILIES[kinds[agent]]).alias("family"))
        for agent, table in tables.items()
    ]
    table = with_holm(pl.concat(parts), ["agent", "metric"])
    return table.select(list(CHANCE_TABLE)).cast(CHANCE_TABLE)


def _dealt(deal: Deal, generator: np.random.Generator) -> Codes:
    """Deal the relations of each target out to its relata. The relata of a target follow each other."""
    order = np.argsort(deal.owner + generator.random(len(deal.owner)))
    dealt: Codes = deal.relation[order]
    return dealt


def _distances(deal: Deal, relation: Codes, choices: Choices) -> Values:
    """Return D(r, s) of all r and s, 0 where there is none, if the relata stand in these relations."""
    hit_relations = relation[deal.relatum]
    if choices.ties == "expected" and (deal.first != deal.last).any():
        return _spread(deal, _expected_gains(deal, hit_relations, choices))
    rank = _ranks(deal, hit_relations == deal.prompted[deal.probe], choices.ties)
    near = rank <= deal.depth[deal.probe]
    probe, hit_relation = deal.probe[near], hit_relations[near]
    gain = 1 - (rank[near] - 1) / deal.depth[probe]  # how far before the last place, which absent relata have
    cells = probe * deal.weight.shape[1] + hit_relation
    gains: Values = np.zeros(deal.weight.size)
    if choices.rank == "best":
        np.maximum.at(gains, cells, gain)
    else:
        np.add.at(gains, cells, gain / deal.sizes[probe, hit_relation])
    return _spread(deal, gains)


def _expected_gains(deal: Deal, hit_relations: Codes, choices: Choices) -> Values:
    """Return how far before the last place the relata of each relation are expected in each probe, over all orders of ties.

    `hit_relations`: the relation of each hit. The order is (probes * relations,).
    """
    cells, depth = deal.probe * deal.weight.shape[1] + hit_relations, deal.depth[deal.probe]
    gains: Values = np.zeros(deal.weight.size)
    if choices.rank == "mean":
        single = [
            1 - relative_rank(*ranks) for ranks in zip(deal.first, deal.last, np.ones_like(depth), depth, strict=True)
        ]
        np.add.at(gains, cells, np.array(single) / deal.sizes[deal.probe, hit_relations])
        return gains
    best = np.full(deal.weight.size, np.iinfo(np.int64).max)
    np.minimum.at(best, cells, deal.first)
    among = deal.first == best[cells]  # the hits of the first group of ties that has any
    tied = np.bincount(cells[among], minlength=len(gains))
    groups = np.column_stack([deal.first[among], deal.last[among], tied[cells[among]], depth[among]])
    different, number = np.unique(groups, axis=0, return_inverse=True)
    gains[cells[among]] = np.array([1 - relative_rank(*map(int, group)) for group in different])[number.ravel()]
    return gains


def _spread(deal: Deal, gains: Values) -> Values:
    """Return D(r, s) of all r and s from the gains, (probes * relations,)."""
    gains = gains.reshape(deal.weight.shape)
    prompted_gains = gains[np.arange(len(gains)), deal.prompted]
    distances: Values = deal.asked.T @ (deal.weight * (prompted_gains[:, None] - gains))
    return distances


def _ranks(deal: Deal, right: NDArray[np.bool_], ties: str) -> Codes:
    """Return the ranks of the hits; `right` are those of the prompted relation (`ranks.rank_bounds`).

    If ties have no order of their own ("favourable", "unfavourable"), they keep that of the response.
    """
    if ties not in ("favourable", "unfavourable") or (deal.first == deal.last).all():
        return deal.position
    starts = np.flatnonzero(np.diff(deal.probe, prepend=-1) | np.diff(deal.first, prepend=-1))
    lengths = np.diff(np.append(starts, len(right)))
    so_far = np.cumsum(right)
    before_group: Codes = np.repeat(so_far[starts] - right[starts], lengths)
    inside = np.repeat(np.add.reduceat(right.astype(np.int64), starts), lengths)
    hits_before = so_far - right - before_group
    hits_after = inside - hits_before - right
    if ties == "favourable":
        return np.where(right, deal.first + hits_before, deal.position + hits_after)
    return np.where(right, deal.last - hits_after, deal.position - hits_before)


def _deal(answers: JudgedAnswers, choices: Choices) -> Deal:
    """Return an agent's answers as arrays of numbers."""
    number, codes = answers.relations.order, answers.relations.codes
    depth = pl.lit(choices.k) if choices.k else pl.col("relata")
    units = answers.units.sort(UNIT).with_columns(depth=depth.cast(pl.Int64))
    relata = answers.relata.select("target", "relation", word="relatum").unique().join(units, on="target", how="semi")
    sizes = relata.group_by("target").agg((pl.col("relation") == name).sum().alias(name) for name in codes)
    probe_sizes = units.join(sizes, on="target", maintain_order="left").select(codes).to_numpy().astype(float)
    prompted = _codes(units["relation"].cast(number).to_physical())
    asked = np.eye(len(codes))[prompted]
    weight = _weights(units, probe_sizes, prompted)
    hits = answers.hits.filter(kind="main").drop_nulls("versus").join(units.select("depth", *UNIT), on=UNIT)
    hits = hits.filter(pl.col("first") <= pl.col("depth"))
    early = units.with_row_index("row").join(hits, on=UNIT, how="semi", maintain_order="left").with_row_index("probe")
    relata = relata.join(early, on="target", how="semi").sort("target", "relation", "word").with_row_index("relatum")
    near = hits.join(early.select("probe", *UNIT), on=UNIT).join(
        relata.select("target", "word", "relatum", versus="relation"), on=["target", "word", "versus"]
    )
    near = near.sort("probe", "position")
    rows = early["row"].to_numpy()
    return Deal(
        present=(asked.T @ weight) > 0,
        targets=_targets(units, probe_sizes, prompted),
        owner=_codes(relata["target"].rank("dense")),
        relation=_codes(relata["relation"].cast(number).to_physical()),
        prompted=prompted[rows],
        asked=asked[rows],
        depth=_codes(early["depth"]),
        weight=weight[rows],
        sizes=probe_sizes[rows],
        **{name: _codes(near[name]) for name in ("probe", "relatum", "position", "first", "last")},
    )


def _codes(series: pl.Series) -> Codes:
    codes: Codes = series.cast(pl.Int64).to_numpy()
    return codes


def _targets(units: pl.DataFrame, sizes: Values, prompted: Codes) -> Codes:
    """Return the number of targets of each ordered pair of relations, (relations, relations)."""
    first = units.select(pl.struct("relation", "target").is_first_distinct()).to_series().to_numpy()
    related = (sizes > 0) & first[:, None]
    counts: Codes = np.stack([related[prompted == relation].sum(axis=0) for relation in range(sizes.shape[1])])
    return counts


def _weights(units: pl.DataFrame, sizes: Values, prompted: Codes) -> Values:
    """Return the share of each probe in D(prompted, s): 1 / its target's prompts / the targets with relata of s."""
    prompt_share = 1 / units.select(pl.len().over("relation", "target")).to_series().to_numpy()
    share = (sizes > 0) * prompt_share[:, None]
    share[np.arange(len(share)), prompted] = 0
    weight: Values = np.zeros_like(share)
    for relation in range(sizes.shape[1]):
        rows = prompted == relation
        targets = share[rows].sum(axis=0)
        weight[rows] = np.divide(share[rows], targets, out=np.zeros_like(share[rows]), where=targets > 0)
    return weight


def agent_table(agent: AgentResults) -> pl.DataFrame:
    """Return the distances of an agent and those of chance (CHANCE); none of annotators, whose lists are no response."""
    if agent.answers is None:
        return pl.DataFrame(schema=CHANCE)
    return chance(agent.answers, agent.choices, agent.pairs)


def _table(results: Results) -> pl.DataFrame:
    return chance_table(results.agent_tables("chance"), results.settings.kinds or {})


TABLES = {"chance": _table}
