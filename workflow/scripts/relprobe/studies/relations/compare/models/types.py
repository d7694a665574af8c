"""Masked against causal models (Tables 7 and 8)."""

from collections.abc import Collection

import polars as pl

from relprobe.core.relation import Relations
from relprobe.core.ways import BARE
from relprobe.stats.schemas import P_COLUMNS, Inference
from relprobe.studies.relations.compare.distinguishability.areas import NO_PAPER_TEST
from relprobe.studies.relations.compare.models.pairs import (
    PAIR,
    TEST,
    Comparison,
    Models,
    absent,
    at_cutoff,
    in_form,
    names,
    tests_of,
    wins,
)
from relprobe.studies.relations.measure.measures import AUDC

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
    own = {agent: entry for agent, entry in models.items() if agent in agents}
    rows = [
        (agent, entry["type"], entry.get("way", BARE)) for agent, entry in own.items() if entry["type"] in OTHER_TYPE
    ]
    neither = [agent for agent, entry in own.items() if entry["type"] not in OTHER_TYPE]
    said = [f"{', '.join(neither)}: neither masked nor causal, so not compared by type."] if neither else []
    types = pl.DataFrame(rows, schema={"agent": pl.String, "type": pl.String, "way": pl.String}, orient="row")
    types = types.with_row_index("place")
    lacking = [kind for kind in ("masked", "causal") if kind not in set(types["type"])]
    if lacking:
        absent = " and no ".join(lacking)
        sentence = f"Masked and causal models are not compared: there is no {absent} model with results."
        return types.clear(), [*said, sentence]
    both = pl.col("type").n_unique().over("way") == 2
    alone = types.filter(~both).group_by("way", "type", maintain_order=True).agg("agent")
    sentences = [
        f"{', '.join(names)} ({way}): not compared with {OTHER_TYPE[kind]} models, of which none is asked in this way."
        for way, kind, names in alone.select("way", "type", "agent").iter_rows()
    ]
    return types.filter(both), [*said, *sentences]
