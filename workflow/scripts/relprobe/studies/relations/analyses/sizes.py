"""Models of one family by their size, and masked beside causal models (sections 8.6 and 8.7).

## Largest minus smallest model of a family

```yaml
table: size_averages
part: Size and type of models
empty: No family has models of two sizes.
columns:
  family: the family of models
  larger: the largest model of the family
  smaller: the smallest model of the family
  average: "macro: the mean over relations; micro: the mean over targets or tuples"
  relations: the number of relations
  difference: the largest minus the smallest model
```

The largest minus the smallest model of a family. Macro is averaged over relations, micro over targets or
tuples *(Table 6 of the paper)*.

## Best masked minus best causal model

```yaml
table: best_by_type
part: Size and type of models
empty: No masked and causal model are asked in one way.
columns:
  masked: the best masked model
  causal: the best causal model
  value_masked: the mean of the masked model
  value_causal: the mean of the causal model
  difference: the masked minus the causal model
```

The best masked and the best causal model per metric and relation, with the paired test between them *(Table 7
of the paper)*. The two are the best of several, which no p accounts for.

way: both are asked in this way (bare: with the probe alone); a model without one of the other type to compare with is
in the table of what is left out. significant: as in the table of sizes per relation.

## Largest minus smallest model, per relation

```yaml
table: size_differences
part: Tests
empty: No family has models of two sizes.
columns:
  family: the family of models
  larger: the largest model of the family
  smaller: the smallest model of the family
  value_larger: the mean of the larger
  value_smaller: the mean of the smaller
  difference: the largest minus the smallest model
```

With the paired test between the two *(Table D2 of the paper)*. significant: p < 0.05, not adjusted, by the test
that the config's key inference names.

## Where a smaller model beats the next larger

```yaml
table: size_reversals
part: Tests
empty: No family has models of two sizes.
columns:
  family: the family of models
  models: the number of models of the family with a size
  pairs: the number of pairs of a model and the next larger one
  smaller_wins: the number of pairs that the smaller model wins (p < 0.05 by the test that inference names)
```

Significantly better smaller models among neighbours in size *(Table D3 of the paper)*. p < 0.05 is raw and
adjusted by the methods of Holm and of Benjamini and Hochberg, by the test that the config's key inference names; the
columns wins paper are by the published method's test, raw.

## Masked models that beat causal ones

```yaml
table: wins_by_type
part: Tests
empty: No masked and causal model are asked in one way.
columns:
  pairs: the number of pairs of a masked and a causal model
  masked_wins: the number of pairs that the masked model wins (p < 0.05 by the test that inference names)
  causal_wins: the number of pairs that the causal model wins (p < 0.05 by the test that inference names)
```

Pairs of a masked and a causal model, asked in one way, in which one is significantly better *(Table 8 of the
paper)*. p < 0.05 is raw and adjusted by the methods of Holm and of Benjamini and Hochberg, by the test that the
config's key inference names; the columns wins paper are by the published method's test, raw.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import polars as pl

from relprobe.core.prompting import BARE
from relprobe.core.relation import Relations
from relprobe.core.series import compared_agents
from relprobe.core.sums import ordered_mean
from relprobe.core.words import first_few
from relprobe.report.shown import page_of
from relprobe.stats.controls import both_ways
from relprobe.stats.schemas import P_COLUMNS, Inference
from relprobe.studies.relations.areas import NO_PAPER_TEST
from relprobe.studies.relations.measures import AUDC, MEASURES, with_figures
from relprobe.studies.relations.published import ALL, PaperColumn, column_tables, whole_families
from relprobe.studies.relations.results import Models, Results

PLACE = 11

# What the tables of model against model have in common: the metrics, the pairs with their tests, and what is left out.
# The model entries of the config say the family, size and type of a model, and the way in which it is asked: only models
# that are asked in one way are compared, and one model that is asked in three ways is not three models. Where these allow
# no comparison, the table leaves it out, and a sentence says so. The humans, who have no entry, take no part. All tables
# except Table 6 are made of the averages (AVERAGES) and the tests of all pairs (TESTS), so that a p-value is the same
# wherever the report shows it.
# Differences are of averages between 0 and 1 over the targets or tuples that both models have answered; AuDC is at most
# the number of pairs of relations. One model is "significantly better" if its average is higher and p < 0.05 (the paper's
# level, without adjustment; columns in _holm and _bh use the adjusted p of TESTS). `inference` says whose p this is: that
# of the test over clusters, or that of the paper. In the paper's test the effect must have the same sign as well:
# Wilcoxon's ranks can lean to one side and the average to the other.


ALPHA = 0.05
NAMES = {measure.name: measure.compared_as or measure.name for measure in MEASURES if measure.title and measure.test}
"""The name under which a metric is compared: symmetry and asymmetry have the same one."""
CUT_OFF = {NAMES[measure.name] for measure in with_figures() if measure.cutoffs}
"""The names of the metrics at a cut-off k."""
COMPARED = (*dict.fromkeys(NAMES.values()), AUDC.name)

PAIR = {
    "metric": pl.String(),
    "relation": pl.String(),  # none for AuDC
    "k": pl.UInt16(),  # of metrics with cut-offs
}
TEST = {
    "difference": pl.Float64(),
    "low": pl.Float64(),  # 95 % interval of the difference, over clusters
    "high": pl.Float64(),
    "units": pl.UInt32(),  # of the paper's test: probes, tuples x prompts, or targets
    "clusters": pl.UInt32(),
    "discordant": pl.UInt32(),  # units in which the two differ
    "p": pl.Float64(),  # of the sign-flip test over clusters
    "p_holm": pl.Float64(),
    "p_bh": pl.Float64(),
    "paper_test": pl.String(),
    "paper_effect": pl.Float64(),
    "paper_p": pl.Float64(),
    "paper_p_holm": pl.Float64(),
    "significant": pl.Boolean(),  # p < 0.05 by the test that `inference` names, not adjusted; missing where p is
    "note": pl.String(),  # why p or the interval is missing
    "paper_note": pl.String(),  # why paper_p is missing
}


@dataclass(frozen=True)
class Comparison:
    """A table, and a sentence on each thing that is left out of it."""

    table: pl.DataFrame
    left_out: list[str]


def at_cutoff(table: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return the rows of the metrics in COMPARED, those with cut-offs at k; symmetry and asymmetry have one name."""
    merged = table.with_columns(pl.col("metric").replace(NAMES))
    return merged.filter(pl.col("metric").is_in(COMPARED) & (pl.col("k").is_null() | (pl.col("k") == k)))


def tests_of(pairs: pl.DataFrame, tests: pl.DataFrame, k: int, inference: Inference = "linked") -> pl.DataFrame:
    """Return the tests of `pairs` (agent_a, agent_b and what else it holds), a minus b, whichever TESTS names first."""
    directed = at_cutoff(both_ways(tests), k)
    on = [name for name in ("metric", "relation", "agent_a", "agent_b") if name in pairs.columns]
    rows = pairs.join(directed, on=on, nulls_equal=True, maintain_order="left")
    return rows.with_columns(significant=pl.col(P_COLUMNS[inference][0]) < ALPHA)


def wins(name: str, sign: int, inference: Inference) -> dict[str, pl.Expr]:
    """Return the counts of the pairs in which a (sign 1) or b (sign -1) is significantly better, by their columns."""
    p, p_holm = P_COLUMNS[inference]
    by_rank = pl.lit(None, pl.UInt32) if inference != "linked" else _better("p_bh", sign, inference).sum()
    return {
        f"{name}_wins": _better(p, sign, inference).sum(),
        f"{name}_wins_holm": _better(p_holm, sign, inference).sum(),
        f"{name}_wins_bh": by_rank,
        f"{name}_wins_paper": _better("paper_p", sign, "paper").sum(),
    }


def _better(p: str, sign: int, inference: Inference) -> pl.Expr:
    """Return whether a (sign 1) or b (sign -1) is significantly better; a pair without a p-value has no winner.

    In the paper, a higher AuDC is better without a test.
    """
    ahead = pl.col("difference") * sign > 0
    better = (pl.col(p) < ALPHA) & ahead
    if inference == "paper":
        higher = ahead if p == "paper_p" else pl.lit(None, pl.Boolean)
        better = pl.when(metric=AUDC.name).then(higher).otherwise(better & (pl.col("paper_effect") * sign > 0))
    return better.fill_null(value=False)


def absent(rows: pl.DataFrame, names: Iterable[str] | None, k: int, metrics: Sequence[str] = COMPARED) -> list[str]:
    """Return the sentences on metrics without a row, for each of the families `names` (None: the table has none)."""
    groups = [None] if names is None else list(dict.fromkeys(names))
    family = pl.lit(None, pl.String) if names is None else pl.col("family")
    present = set(rows.select("metric", family.alias("family")).iter_rows())
    sentences = []
    for metric in metrics:
        lacking = [group for group in groups if (metric, group) not in present]
        what = f"{metric} (k = {k})" if metric in CUT_OFF else metric
        whom = "" if names is None else f" for {first_few(map(str, lacking))}"
        if lacking:
            sentences.append(f"{what} is left out{whom}: no two models to compare have it.")
    return sentences


def names(a: str, b: str) -> dict[str, str]:
    """Return the new names of the columns about two agents: what a table calls them in place of a and b."""
    return {"agent_a": a, "agent_b": b, "value_a": f"value_{a}", "value_b": f"value_{b}"}


def in_form(rows: pl.DataFrame, schema: pl.Schema, relations: Relations) -> pl.DataFrame:
    """Bring rows into the columns of `schema` and the paper's order of metrics and relations; families stay in theirs."""
    missing = [pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in rows.columns]
    orders = {"metric": pl.Enum(COMPARED), "relation": relations.order}
    by = [pl.col(name).cast(order) for name, order in orders.items() if name in schema]
    return rows.with_columns(*missing).select(list(schema)).cast(schema).sort(*by, maintain_order=True)


# The sizes of models within a family (Tables 6, D2 and D3).


SIZE_DIFFERENCES = pl.Schema(
    {
        "family": pl.String(),
        **PAIR,
        "larger": pl.String(),
        "smaller": pl.String(),
        "value_larger": pl.Float64(),
        "value_smaller": pl.Float64(),
        **TEST,
    }
)
SIZE_AVERAGES = pl.Schema(
    {
        "family": pl.String(),
        "metric": pl.String(),
        "average": pl.String(),  # macro: over relations; micro: over targets or tuples; none for AuDC
        "larger": pl.String(),
        "smaller": pl.String(),
        "relations": pl.UInt32(),
        "units": pl.UInt32(),  # targets, or tuples for [as/s]ymmetry
        "difference": pl.Float64(),
    }
)
SIZE_REVERSALS = pl.Schema(
    {
        "family": pl.String(),
        "models": pl.UInt32(),  # of the family, with a size
        **PAIR,
        "pairs": pl.UInt32(),  # of a model and the next-larger one
        "untestable": pl.UInt32(),  # of these: without a p-value
        "smaller_wins": pl.UInt32(),  # by the test that `inference` names
        "smaller_wins_holm": pl.UInt32(),
        "smaller_wins_bh": pl.UInt32(),  # of our test of linked items; missing if `inference` names another
        "smaller_wins_paper": pl.UInt32(),  # by the paper's test, not adjusted
    }
)


def families(models: Models, agents: Collection[str]) -> Comparison:
    """Return the models whose sizes can be compared: family, agent, size, from each family's smallest to its largest.

    `agents` are those with results. Models of one size stay in the config's order.
    """
    rows = []
    left_out = []
    for agent, entry in models.items():
        missing = [key for key in ("family", "size") if key not in entry]
        if agent not in agents:
            left_out.append(f"{agent} has no results.")
        elif missing:
            left_out.append(f"{agent} has no {' and no '.join(missing)} in the config: its size is not compared.")
        else:
            rows.append((entry["family"], agent, float(entry["size"])))
    table = pl.DataFrame(rows, schema={"family": pl.String, "agent": pl.String, "size": pl.Float64}, orient="row")
    sizes = pl.col("size").n_unique().over("family")
    for (family,) in table.filter(sizes < 2).select("family").unique(maintain_order=True).iter_rows():
        left_out.append(f"The family {family} is left out: it has no two models of different size.")
    order = pl.Enum(list(dict.fromkeys(table["family"])))
    compared = table.filter(sizes > 1).sort(pl.col("family").cast(order), "size", maintain_order=True)
    return Comparison(compared, left_out)


def size_differences(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    inference: Inference = "linked",
    *,
    relations: Relations,
) -> Comparison:
    """Return Table D2 (SIZE_DIFFERENCES): the largest minus the smallest model per family, metric and relation.

    With the paired test of the two. `k` is the cut-off of [as/s]ymmetry.
    """
    sizes = families(models, set(averages["agent"]))
    pairs = _extremes(sizes.table)
    rows = tests_of(pairs, tests, k, inference)
    named = rows.rename(names("larger", "smaller"))
    return Comparison(in_form(named, SIZE_DIFFERENCES, relations), sizes.left_out + absent(rows, pairs["family"], k))


def size_averages(
    values: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    *,
    relations: Relations,
) -> Comparison:
    """Return Table 6 (SIZE_AVERAGES): the largest minus the smallest model per family and metric, over the relations.

    `values`: agent -> METRICS. Macro averages weigh the relations alike, micro averages every target (tuple for
    [as/s]ymmetry). AuDC is over the relations already.
    """
    sizes = families(models, set(averages["agent"]) & set(values))
    pairs = _extremes(sizes.table)
    differences = [
        _averages(values[larger], values[smaller], k).with_columns(
            family=pl.lit(family), agent_a=pl.lit(larger), agent_b=pl.lit(smaller)
        )
        for family, larger, smaller in pairs.iter_rows()
    ]
    areas = tests_of(pairs, tests, k).filter(metric=AUDC.name).drop("units")
    rows = pl.concat([*differences, areas], how="diagonal_relaxed")
    named = rows.rename({"agent_a": "larger", "agent_b": "smaller"})
    return Comparison(in_form(named, SIZE_AVERAGES, relations), sizes.left_out + absent(rows, pairs["family"], k))


def size_reversals(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    inference: Inference = "linked",
    *,
    relations: Relations,
) -> Comparison:
    """Return Table D3 (SIZE_REVERSALS): how many models are significantly better than the next-larger of their family."""
    sizes = families(models, set(averages["agent"]))
    pairs, same = _neighbours(sizes.table)
    rows = tests_of(pairs, tests, k, inference)
    p, _ = P_COLUMNS[inference]
    counts = rows.group_by("family", *PAIR, maintain_order=True).agg(
        pl.len().alias("pairs"), pl.col(p).is_null().sum().alias("untestable"), **wins("smaller", 1, inference)
    )
    members = sizes.table.group_by("family").agg(models=pl.len())
    table = in_form(counts.join(members, on="family", maintain_order="left"), SIZE_REVERSALS, relations)
    return Comparison(table, sizes.left_out + same + absent(rows, pairs["family"], k))


def _extremes(sizes: pl.DataFrame) -> pl.DataFrame:
    """Return the largest (agent_a) and the smallest model (agent_b) of each family; of one size, the config's first."""
    by_size = sizes.group_by("family", maintain_order=True)
    first_largest = pl.col("agent").filter(pl.col("size") == pl.col("size").max()).first()
    return by_size.agg(first_largest.alias("agent_a"), pl.col("agent").first().alias("agent_b"))


def _neighbours(sizes: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Return each model (agent_a) with the next-larger one of its family (agent_b), and sentences on equal sizes."""
    following = [pl.col(name).shift(-1).over("family").alias(f"next_{name}") for name in ("agent", "size")]
    rows = sizes.with_columns(following).drop_nulls("next_agent")
    larger = rows.filter(pl.col("next_size") > pl.col("size"))
    same = rows.filter(pl.col("next_size") == pl.col("size"))
    pairs = larger.select("family", agent_a="agent", agent_b="next_agent")
    sentences = [
        f"{first} and {second} are of one size: they are not compared as smaller and larger."
        for first, second in same.select("agent", "next_agent").iter_rows()
    ]
    return pairs, sentences


def _averages(a: pl.DataFrame, b: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return the macro and micro averages of a minus b per metric, on the units that both answered."""
    unit = ["metric", "relation", "target", "relatum"]
    joined = at_cutoff(a, k).join(at_cutoff(b, k), on=[*unit, "prompt_id"], nulls_equal=True)
    units = joined.group_by(unit).agg(difference=ordered_mean(pl.col("value") - pl.col("value_right"))).sort(unit)
    mean = ordered_mean("difference")
    relations = units.group_by("metric", "relation", maintain_order=True).agg(mean, units=pl.len())
    macro = relations.group_by("metric", maintain_order=True).agg(mean, pl.col("units").sum(), relations=pl.len())
    micro = units.group_by("metric", maintain_order=True).agg(
        mean, units=pl.len(), relations=pl.col("relation").n_unique()
    )
    parts = [table.with_columns(average=pl.lit(name)) for name, table in (("macro", macro), ("micro", micro))]
    return pl.concat(parts, how="diagonal_relaxed")


# Masked against causal models (Tables 7 and 8).


OTHER_TYPE = {"masked": "causal", "causal": "masked"}
BEST_BY_TYPE = pl.Schema(
    {
        **PAIR,
        "way": pl.String(),  # in which both are asked
        "masked": pl.String(),
        "causal": pl.String(),
        "value_masked": pl.Float64(),
        "value_causal": pl.Float64(),
        **TEST,
    }
)
WINS_BY_TYPE = pl.Schema(
    {
        **PAIR,
        "way": pl.String(),
        "pairs": pl.UInt32(),
        "untestable": pl.UInt32(),
        "masked_wins": pl.UInt32(),  # by the test that `inference` names
        "masked_wins_holm": pl.UInt32(),
        "masked_wins_bh": pl.UInt32(),  # of our test of linked items; missing if `inference` names another
        "masked_wins_paper": pl.UInt32(),  # by the paper's test, not adjusted
        "causal_wins": pl.UInt32(),
        "causal_wins_holm": pl.UInt32(),
        "causal_wins_bh": pl.UInt32(),
        "causal_wins_paper": pl.UInt32(),
        "note": pl.String(),  # AuDC in the paper: wins are of the number alone
    }
)


def best_by_type(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    inference: Inference = "linked",
    *,
    relations: Relations,
) -> Comparison:
    """Return Table 7 (BEST_BY_TYPE): the best masked minus the best causal model per metric, relation and way of asking.

    The best model has the highest average; of equally good models, the first in the config.
    """
    types, left_out = _types(models, set(averages["agent"]))
    ranked = at_cutoff(averages, k).join(types, on="agent", maintain_order="right")
    ranked = ranked.sort("value", descending=True, nulls_last=True, maintain_order=True)
    key = ["metric", "relation", "way"]
    best = ranked.unique([*key, "type"], keep="first", maintain_order=True).sort("place", maintain_order=True)
    masked = best.filter(type="masked").select(*key, agent_a="agent")
    causal = best.filter(type="causal").select(*key, agent_b="agent")
    rows = tests_of(masked.join(causal, on=key, nulls_equal=True, maintain_order="left"), tests, k, inference)
    table = in_form(rows.rename(names("masked", "causal")), BEST_BY_TYPE, relations)
    return Comparison(table, left_out + (absent(rows, None, k) if types.height else []))


def wins_by_type(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    inference: Inference = "linked",
    *,
    relations: Relations,
) -> Comparison:
    """Return Table 8 (WINS_BY_TYPE): in how many pairs of a masked and a causal model either is significantly better.

    The models of a pair are asked in one way. The paper has no test of AuDC: a win is there the higher number.
    """
    types, left_out = _types(models, set(averages["agent"]))
    masked = types.filter(type="masked").select("way", agent_a="agent")
    causal = types.filter(type="causal").select("way", agent_b="agent")
    rows = tests_of(masked.join(causal, on="way", maintain_order="left"), tests, k, inference)
    p, _ = P_COLUMNS[inference]
    won = wins("masked", 1, inference) | wins("causal", -1, inference)
    counts = rows.group_by(*PAIR, "way", maintain_order=True).agg(
        pl.len().alias("pairs"), untestable=pl.col(p).is_null().sum(), **won
    )
    area = pl.col("metric") == AUDC.name
    note = pl.lit(f"{NO_PAPER_TEST}: in the columns of the paper, a win is the higher number")
    table = in_form(counts.with_columns(note=pl.when(area).then(note)), WINS_BY_TYPE, relations)
    return Comparison(table, left_out + (absent(table, None, k) if types.height else []))


def _types(models: Models, agents: Collection[str]) -> tuple[pl.DataFrame, list[str]]:
    """Return the models with results that can be compared by type, and a sentence on each that cannot.

    The table has agent, type, way and place, the models' order in the config. Both types are asked in each of its ways.
    """
    entries = {agent: entry for agent, entry in models.items() if agent in agents}
    rows = [
        (agent, entry["type"], entry.get("way", BARE))
        for agent, entry in entries.items()
        if entry["type"] in OTHER_TYPE
    ]
    neither = [agent for agent, entry in entries.items() if entry["type"] not in OTHER_TYPE]
    left_out = [f"{first_few(neither)}: neither masked nor causal, so not compared by type."] if neither else []
    types = pl.DataFrame(rows, schema={"agent": pl.String, "type": pl.String, "way": pl.String}, orient="row")
    types = types.with_row_index("place")
    lacking = [kind for kind in ("masked", "causal") if kind not in set(types["type"])]
    if lacking:
        absent = " and no ".join(lacking)
        sentence = f"Masked and causal models are not compared: there is no {absent} model with results."
        return types.clear(), [*left_out, sentence]
    in_both = pl.col("type").n_unique().over("way") == 2
    alone = types.filter(~in_both).group_by("way", "type", maintain_order=True).agg("agent")
    sentences = [
        f"{first_few(names)} ({way}): not compared with {OTHER_TYPE[kind]} models, of which none is asked in this way."
        for way, kind, names in alone.select("way", "type", "agent").iter_rows()
    ]
    return types.filter(in_both), [*left_out, *sentences]


@cache
def comparisons(results: Results) -> dict[str, Comparison]:
    """Return the tables by their names, each with what is left out of it. Of a series the last member counts."""
    settings, metrics, relations = results.settings, results.metrics or {}, results.gold.relations
    entries = results.models()
    last = {agent: entries[agent] for agent in compared_agents(entries)}
    averages, k, inference = results.averages.drop_nulls("value"), settings.k, settings.inference
    return {
        "size_differences": size_differences(averages, results.tests, last, k, inference, relations=relations),
        "size_averages": size_averages(metrics, averages, results.tests, last, k, relations=relations),
        "size_reversals": size_reversals(averages, results.tests, last, k, inference, relations=relations),
        "best_by_type": best_by_type(averages, results.tests, last, k, inference, relations=relations),
        "wins_by_type": wins_by_type(averages, results.tests, last, k, inference, relations=relations),
    }


def left_out(results: Results) -> Iterator[tuple[str, str]]:
    """Yield what the models of the run do not allow to compare: the table that lacks it, and why."""
    for name, comparison in comparisons(results).items():
        yield from ((name, reason) for reason in comparison.left_out)


def _table(name: str, results: Results) -> pl.DataFrame:
    return comparisons(results)[name].table


TABLES = {
    name: partial(_table, name)
    for name in ("size_averages", "best_by_type", "size_differences", "size_reversals", "wins_by_type")
}
CODE_NAMES = {shown.name: shown.title for shown in page_of("relations").exhibits if shown.name in TABLES}
"""The table of what was left out names these."""
COLUMNS = (
    PaperColumn(
        *("size_averages", "difference", "largest minus smallest, {average}: {metric}", "family"),
        *("units", "targets or tuples"),
    ),
    PaperColumn(
        *("size_differences", "difference", "largest minus smallest: {metric}", "family", "clusters", "clusters"),
        interval=True,
    ),
    PaperColumn(
        *("size_reversals", "smaller_wins", "smaller beats next larger: {metric}", "family"),
        *("pairs", "pairs of models"),
    ),
)
BETWEEN_ALL = (
    PaperColumn(
        *("best_by_type", "difference", "best masked minus best causal: {metric}", None, "clusters", "clusters"),
        interval=True,
    ),
    PaperColumn("wins_by_type", "masked_wins", "masked beats causal: {metric}", None, "pairs", "pairs of models"),
)


def published(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> list[pl.DataFrame]:
    """Return what the paper prints of the comparisons of models (OURS): by type, those between all of its models alone."""
    rows = column_tables(tables, [*COLUMNS, *(BETWEEN_ALL if set(models) >= ALL else ())])
    return [whole_families(part, models) for part in rows]
