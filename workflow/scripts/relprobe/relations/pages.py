"""What the report says of the relations study: its sections, with captions that say what to see."""

from pathlib import Path

import polars as pl

from relprobe.report import Section, figure

TITLE = "What do language models know about semantic relations?"
LEAD = (
    "Each agent answers cloze probes such as “a robin is a kind of a …”; its ranked answers are compared with relatum sets "
    "from WordNet and the configured sources. Method and equations: Cao et al., A Comprehensive Evaluation of Semantic "
    "Relation Knowledge of Pretrained Language Models and Humans. All values lie between 0 and 1 (AuDC: 0 and 30); higher "
    "is better."
)

FIGURES = {
    "soundness": (
        "Soundness",
        "The share of probes whose top answer stands in the prompted relation to the target (Eq. 11 and 12; Figure 4).",
    ),
    "completeness": (
        "Completeness",
        "The share of the relatum set found among the first |Y| answers (Eq. 13 and 14; Figure 5).",
    ),
    "symmetry": (
        "Symmetry",
        "How often the agent answers v to w and w to v, for tuples of the symmetric relations (Eq. 15 and 16; Figures 6a, "
        "B1, B2).",
    ),
    "asymmetry": (
        "Asymmetry",
        "How often it answers v to w but not w to v, for tuples of the other relations, whose reverse probe is a trick "
        "(Eq. 17 and 18; Figures 6b, B1, B2). An agent that never finds v has none.",
    ),
    "prototypicality": (
        "Prototypicality",
        "How near the ranking comes to the humans': half for the same top word, half for the edit similarity (Eq. 20 "
        "to 23; Figure 7).",
    ),
    "distinguishability_curves": (
        "Distinguishability",
        "Left: of the 30 ordered pairs of relations, how many are told apart by more than p. Right: the area under it "
        "(Eq. 27 and 28; Figure 8).",
    ),
    "distinguishability_matrices": (
        "Which relations are confused",
        "D(r, s): how much earlier relata of the prompted relation (row) come than those of another (column). Light "
        "cells are confusions (Eq. 26; Figures 9, C3, C4).",
    ),
}

TABLES = {
    "overview": (
        "Metrics per agent and relation",
        "Averages over targets (over tuples for symmetry and asymmetry; @k is the cut-off of the answers). A dash means "
        "that the metric is not defined there.",
    ),
    "tests": (
        "Significance tests between agents",
        "McNemar's test for the binary metrics (exact below 25 discordant pairs; effect: Cohen's g), Wilcoxon's signed-rank "
        "test for the others (zeros dropped; effect: rank-biserial correlation); two-sided. Holm's adjustment is over the "
        "agent pairs of one metric, relation and k.",
    ),
    "data": (
        "Prompts, targets, probes and relatum sets",
        "The study's size (the paper's Table 1) and its relatum sets before and after the expansion with WordNet (Table 2).",
    ),
}


def sections(tables: Path, figures: list[Path]) -> list[Section]:
    """Return the sections of the page: the overview, a figure per metric, the tests and the data."""
    drawn = [_drawn(path) for path in figures]
    overview, tests, data = (_table(tables / f"{name}.csv") for name in ("overview", "tests", "data"))
    return [overview, *drawn, tests, data]


def _drawn(path: Path) -> Section:
    metric, _, k = path.stem.rpartition("_") if path.stem[-1].isdigit() else (path.stem, "", "")
    title, caption = FIGURES[metric]
    return Section(
        path.stem,
        f"{title}, k = {k}" if k else title,
        caption,
        "relations/tables/metrics.csv",
        svg=figure(path),
    )


def _table(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    return Section(
        path.stem,
        title,
        caption,
        f"relations/tables/{path.name}",
        table=pl.read_csv(path, infer_schema_length=None),
    )
