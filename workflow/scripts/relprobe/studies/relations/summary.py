"""The paragraph at the top of the study's page, and its figures in words, from its tables."""

from collections.abc import Mapping

import polars as pl

from relprobe.report.summary import Claim, paragraph

PEOPLE = ("annotator", "humans")
"""The agents that are people; models are compared with the first of them that is there."""
FIRST = 5
"""The agents that a figure's words name in each relation."""


def summary(tables: Mapping[str, pl.DataFrame]) -> str:
    """Return what came out: who answers best, where the difference holds, and whether relations are told apart.

    `tables`: those of the page by their names, among them overview, tests and chance.
    """
    overview = tables["overview"]
    if "soundness" not in overview.columns:
        return "No agent has an answer to the probes of this study."
    averages = overview.select(
        "agent", "relation", metric=pl.lit("soundness"), value=pl.col("soundness").cast(pl.Float64)
    )
    codes = tuple(dict.fromkeys(overview["relation"]))
    claim = Claim("soundness", codes, "gives a right first answer to", "probes", "relation", "sign flips over targets")
    person = next((agent for agent in PEOPLE if agent in set(overview["agent"])), "")
    text = paragraph(averages, tables["tests"], claim, [agent for agent in PEOPLE if agent != person], person)
    return " ".join(filter(None, [text, _told_apart(tables["chance"])]))


def _told_apart(chance: pl.DataFrame) -> str:
    """Say how many pairs of relations the best model tells apart, and what chance gives."""
    numbers = chance.with_columns(pl.col("value", "chance", "p").cast(pl.Float64))
    areas = numbers.filter(pl.col("relation").is_null(), ~pl.col("agent").is_in(PEOPLE)).drop_nulls("value")
    if areas.is_empty():
        return ""
    best = areas.sort("value", descending=True, maintain_order=True).row(0, named=True)
    if best["chance"] is None:
        return ""
    beyond = "more than" if (best["p"] or 0) < 0.05 else "no more than"
    return (
        f"{best['agent']} tells {best['value']:.1f} pairs of relations apart (AuDC), {beyond} chance explains, which gives "
        f"{best['chance']:.1f} (p = {best['p']:.2g})."
    )


def in_words(overview: pl.DataFrame, column: str) -> str:
    """Say the values of a column of the overview: per relation the best agents, and the number of targets.

    >>> table = pl.DataFrame({"relation": ["HYP", "HYP"], "agent": ["a", "b"], "soundness": [0.25, 0.5], "targets": [8, 8]})
    >>> in_words(table, "soundness")
    'HYP (8 targets): b 0.500, a 0.250.'
    """
    if column not in overview.columns:
        return ""
    count = "tuples" if "@" in column else "targets"
    sentences = []
    for (relation,), rows in overview.drop_nulls(column).group_by("relation", maintain_order=True):
        ordered = rows.sort(column, descending=True, maintain_order=True)
        said = [f"{row['agent']} {row[column]:.3f}" for row in ordered.head(FIRST).iter_rows(named=True)]
        rest = ordered.height - FIRST
        last = f" … and {rest} more, down to {ordered[-1, column]:.3f}" if rest > 0 else ""
        units = ordered.select(pl.col(count).max()).item() if count in ordered.columns else None
        sentences.append(f"{relation}{f' ({units:,} {count})' if units else ''}: {', '.join(said)}{last}.")
    return " ".join(sentences)
