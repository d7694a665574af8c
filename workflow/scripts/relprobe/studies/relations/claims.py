"""Which of the paper's significant differences remain significant over clusters, figure by figure and table by table.

The paper's tests take the probes of a target as independent, and symmetry counts each pair twice. Each row of the result
compares, on the agents of this run, the tests as the paper computes them (but for pairs that count once) with ours.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors

from relprobe.studies.relations.measures import AUDC

ALPHA = 0.05
CLAIMS = pl.Schema(
    {
        "where": pl.String(),  # in the paper
        "claim": pl.String(),
        "tests": pl.UInt32(),  # that can be computed by both
        "paper": pl.UInt32(),  # of these: p < 0.05 by the paper's test, not adjusted
        "survives": pl.UInt32(),  # of these: p < 0.05 over clusters, with a difference of the same sign
        "survives_holm": pl.UInt32(),  # of these: also after Holm's adjustment
        "new": pl.UInt32(),  # significant over clusters alone
        "verdict": pl.String(),
        "lost": pl.String(),  # the differences that do not survive
    }
)
FIGURES = {
    "soundness": "Figure 4",
    "completeness": "Figure 5",
    "symmetry@5": "Figure 6a",
    "asymmetry@5": "Figure 6b",
    "symmetry@1": "Figure B1",
    "asymmetry@1": "Figure B1",
    "symmetry@10": "Figure B2",
    "asymmetry@10": "Figure B2",
    "prototypicality": "Figure 7",
    AUDC.name: "Figure 8",
}
"""The metric, with its cut-off, behind a figure."""
FAMILIES = {"models": "models differ", "people": "people and models differ"}


def read(path: Path) -> pl.DataFrame:
    """Read a table of tests. The columns of numbers are numbers even where all are missing."""
    numbers = selectors.by_name("p", "p_holm", "paper_p", "paper_effect", "difference", require_all=False)
    return pl.read_csv(path, infer_schema_length=None).with_columns(numbers.cast(pl.Float64))


def claims(tests: pl.DataFrame, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the paper's claims of significance and what remains of them (CLAIMS).

    `tests`: TESTS. `tables`: by name, those of best_by_type, prompt_variance and entropy_differences
    that the run has. Where the paper has no test, the counts of ours are in `new`.
    """
    rows = [*_of_agents(tests), *_of_tables(tables)]
    return pl.DataFrame(rows, schema=CLAIMS)


def _of_agents(tests: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a row per figure of the metrics and family of pairs."""
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    what = pl.format("{} {}–{}", pl.col("relation").fill_null(""), "agent_a", "agent_b").str.strip_chars()
    rows = tests.with_columns(name=name, what=what, same=_same_sign())
    for metric, where in FIGURES.items():
        for family, claim in FAMILIES.items():
            of_claim = rows.filter(name=metric, family=family)
            if of_claim.height:
                yield _row(where, f"{metric}: {claim}", of_claim)


def _same_sign() -> pl.Expr:
    """Say whether the paper's effect has the sign of the difference; where one is 0 or missing, it does."""
    product = pl.col("difference") * pl.col("paper_effect").fill_null(0.0)
    return (product >= 0).fill_null(value=True)


def _of_tables(tables: Mapping[str, pl.DataFrame]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the claims that are no dotted lines."""
    true = pl.lit(True).alias("same")
    if "entropy_differences" in tables:
        pairs = tables["entropy_differences"].with_columns(true, what=pl.format("{}–{}", "relation", "versus"))
        yield _row("Figure 2", "the relations differ in the entropy of the answers", pairs)
    if "best_by_type" in tables and tables["best_by_type"].height:
        best = tables["best_by_type"].filter(pl.col("metric") != AUDC.name)
        named = best.with_columns(_same_sign().alias("same"), what=pl.format("{} {}", "metric", "relation"))
        yield _row("Table 7", "the best masked and the best causal model differ", named)
    if "prompt_variance" in tables:
        variances = tables["prompt_variance"]
        name = pl.format("{} {} {}", "metric", "relation", "agent")
        yield _row("Table F4", "the variance differs between prompts", variances.with_columns(true, what=name))


def _row(where: str, claim: str, rows: pl.DataFrame) -> dict[str, Any]:
    """Count the tests of a claim. `rows` have what, same, p, p_holm and paper_p."""
    significant = (pl.col("p") < ALPHA).fill_null(value=False)
    paper = (pl.col("paper_p") < ALPHA).fill_null(value=False)
    survives = paper & significant & pl.col("same")
    holds = survives & (pl.col("p_holm") < ALPHA)
    lost = rows.filter(paper & ~survives)["what"].to_list()
    counts = rows.select(
        tests=(pl.col("p").is_not_null() & pl.col("paper_p").is_not_null()).sum(),
        paper=paper.sum(),
        survives=survives.sum(),
        survives_holm=holds.sum(),
        new=(significant & ~paper).sum(),
    ).row(0, named=True)
    return {
        "where": where,
        "claim": claim,
        **counts,
        "verdict": _verdict(counts),
        "lost": ", ".join(lost),
    }


def _verdict(counts: Mapping[str, int]) -> str:
    """Say in words what remains of a claim.

    >>> _verdict({"tests": 9, "paper": 5, "survives": 3})
    '3 of 5 survive'
    """
    if counts["tests"] == 0:
        return "the paper has no test" if counts["new"] else "no test can be computed"
    if counts["paper"] == 0:
        return "nothing is significant in the paper's way"
    if counts["survives"] == counts["paper"]:
        return "survives"
    return f"{counts['survives']} of {counts['paper']} survive" if counts["survives"] else "does not survive"
