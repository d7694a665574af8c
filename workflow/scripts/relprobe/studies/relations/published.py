"""Under which names the paper prints what tables of this study have: its models, its names of metrics, and columns."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from relprobe.core.prompting import BARE
from relprobe.report.published import figures
from relprobe.studies.relations.measures import AUDC, MEASURES

MODEL_FAMILIES = {
    "BERT": {"bert-base", "bert-large"},
    "RoBERTa": {"roberta-base", "roberta-large"},
    "ALBERT": {"albert-base", "albert-large", "albert-xlarge", "albert-xxlarge"},
    "OPT": {f"opt-{size}" for size in ("125m", "350m", "1.3b", "2.7b", "6.7b", "13b", "30b", "66b")},
}
"""The paper's models (Table 4): a comparison between models stands beside its figures only if it is between these."""
LLAMA = {"Llama-2": {f"llama-2-{size}" for size in ("7b", "13b", "70b")}}
"""A family whose vocabulary the paper compares, and which it does not test (section 7.1)."""
ALL = set[str]().union(*MODEL_FAMILIES.values())
OVERALL = {measure.name: measure.printed for measure in MEASURES if measure.printed}
"""Metrics whose average over all probes alike the paper prints -> its name of that."""
NAMES = {
    AUDC.name: AUDC.title,
    **{measure.name: measure.compared_as for measure in MEASURES if measure.compared_as},
    **OVERALL,
}
"""The paper's names of metrics where they are not ours; symmetry and asymmetry have that of the comparisons."""


@dataclass(frozen=True)
class PaperColumn:
    """A column of a table of ours and the paper's name for it: {metric} and {average} stand for the row's.

    `agent` is the agent that all rows are about, or "family", the column that names it. `n`: the column with the number of
    the `units` that the value is over. `interval`: the columns low and high are its bounds.
    """

    table: str
    column: str
    quantity: str
    agent: str | None = None
    n: str = ""
    units: str = ""
    interval: bool = False


def column_tables(tables: Mapping[str, pl.DataFrame], columns: Iterable[PaperColumn]) -> list[pl.DataFrame]:
    """Return the values of columns (OURS), of the tables that are there."""
    rows = [column_table(tables[printed.table], printed) for printed in columns if printed.table in tables]
    return [part.drop_nulls(["quantity", "ours"]) for part in rows]


def whole_families(table: pl.DataFrame, models: Collection[str]) -> pl.DataFrame:
    """Return the rows (OURS) with a value, but for those of a family of the paper of which a run lacks a model."""
    lacking = [family for family, members in MODEL_FAMILIES.items() if not set(models) >= members]
    rows = table.drop_nulls(["quantity", "ours"])
    return rows.filter(~pl.col("agent").is_in(lacking).fill_null(value=False))


def column_table(table: pl.DataFrame, printed: PaperColumn) -> pl.DataFrame:
    """Return one column of a table; a row that lacks what the quantity's name needs has none.

    The paper asks its models with the probe alone: other ways of asking do not stand beside its figures.
    """
    if "way" in table.columns:
        table = table.filter(way=BARE)
    names = re.findall(r"{(\w+)}", printed.quantity)
    words = [pl.col(name).replace(NAMES) for name in names]
    quantity = pl.format(re.sub(r"{\w+}", "{}", printed.quantity), *words) if names else pl.lit(printed.quantity)
    condition = pl.col("relation") if "relation" in table.columns else pl.lit(None, pl.String)
    agent = pl.col("family") if printed.agent == "family" else pl.lit(printed.agent, pl.String)
    over = {"n": pl.col(printed.n), "units": pl.lit(printed.units)} if printed.n else {}
    ends = {"ours_low": pl.col("low"), "ours_high": pl.col("high")} if printed.interval else {}
    rows = table.select(quantity=quantity, condition=condition, agent=agent, ours=printed.column, **over, **ends)
    return figures(rows)
