"""What the report says of the relations study: its sections, with captions that say what to see."""

from collections.abc import Sequence
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
    "first_related": (
        "First related words",
        "The first answer that is in any relatum set of the target: the relation it stands in (Figure 3). The top bar is "
        "what was prompted for; a long antonymy part is the antonymy bias of section 8.5.",
    ),
    "response_entropy": (
        "How prototypical the human answers are",
        "The entropy of the humans' answers to a probe, responses of one word (entropy 0) left out; low is prototypical, 1 "
        "is no prototype at all (Eq. 19; Figure 2). Orange: the mean; blue: the median.",
    ),
}
BEHIND = {"first_related": "first_related", "response_entropy": "response_entropies"}
"""The table behind a figure, where it is not that of the metrics."""

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
    "entropy": (
        "Response entropy of the humans",
        "Responses of entropy 0 (one word) and 1 (no prototype), words per response, and the mean entropy without the zeros "
        "(Table 3 and section 6.2).",
    ),
    "entropy_differences": (
        "Do the relations differ in entropy?",
        "Mann-Whitney's U test between the relations, zeros included (footnotes 15 and 16). Effect: rank-biserial.",
    ),
    "size_averages": (
        "Largest minus smallest model of a family",
        "Macro: averaged over relations; micro: over targets or tuples (Table 6).",
    ),
    "size_differences": (
        "Largest minus smallest model, per relation",
        "With the paired test between the two (Table D2).",
    ),
    "size_reversals": (
        "Where a smaller model beats the next larger",
        "Significantly better smaller models (p < 0.05, raw and Holm-adjusted) among neighbours in size (Table D3).",
    ),
    "best_by_type": (
        "Best masked minus best causal model",
        "Per metric and relation, with the models and the paired test between them (Table 7).",
    ),
    "wins_by_type": (
        "Masked models that beat causal ones",
        "Pairs of a masked and a causal model in which one is significantly better (Table 8).",
    ),
    "frequency": (
        "Does word frequency explain the results?",
        "Spearman's correlation of values with zipf frequencies (wordfreq): of the target, of its relata (mean, maximum), "
        "or of the tuple's two words (mean, absolute difference); Figure E5.",
    ),
    "unequal_prompts": (
        "Do the prompts of a relation differ?",
        "Agents whose values vary differently under different prompts (Levene's test centred on the median; Table F4). On "
        "values of 0 and 1, which are mostly 0, this mainly says that the prompts differ in their average.",
    ),
    "left_out": (
        "Left out",
        "What the models of this study do not allow to compare, and why.",
    ),
}


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: the overview, the figures, then the other tables, in the order given.

    A table without rows is not shown; the section "Left out" says why there is none.
    """
    overview, *others = (_table(path) for path in tables)
    return [overview, *(_drawn(path) for path in figures), *(part for part in others if not _empty(part))]


def _empty(section: Section) -> bool:
    return section.table is not None and section.table.is_empty()


def _drawn(path: Path) -> Section:
    metric, _, k = path.stem.rpartition("_") if path.stem[-1].isdigit() else (path.stem, "", "")
    title, caption = FIGURES[metric]
    data = f"tables/{BEHIND.get(metric, 'metrics')}.csv"
    return Section(path.stem, f"{title}, k = {k}" if k else title, caption, data, svg=figure(path))


def _table(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    table = pl.read_csv(path, infer_schema_length=None)
    return Section(f"table-{path.stem}", title, caption, f"tables/{path.name}", table=table)
