"""The page of the degrees study: its sections, and captions that say what to see."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.report import controls
from relprobe.report.page import Section, figure
from relprobe.report.summary import CONTROL, Claim, beyond, compared
from relprobe.report.words import in_words
from relprobe.studies.degrees.compare.analyses import model_of
from relprobe.studies.degrees.show.tables import CEILING_ROWS, HERE

TITLE = "How prototypical is a pair of words for its relation?"
LEAD = (
    "SemEval-2012 Task 2 (Jurgens et al., Measuring Degrees of Relational Similarity): for 79 relations, people chose "
    "the most and the least illustrative of four word pairs; each agent rates the same pairs. A study of own ratings "
    "has the relations and pairs of its file in their place. An agent is a baseline "
    "or a model with a rater, a way to make ratings of its scores. schema: the log-probability of the relation's "
    "description with the pair in it (schema-mean: its mean per token); analogy: the log-probability of the pair as "
    "the end of an analogy with the paradigms (analogy-mean likewise); pmi: pointwise mutual information of the two "
    "words under the description; hidden: the similarity of the offset between their hidden states to those of the "
    "paradigms. Baselines: random, pmi (co-occurrence in a corpus, ratings of the task's authors) and, where the run "
    "has vectors, static (offsets of static vectors)."
)
FIGURES = {
    "rho": (
        "Agreement with the gold ratings",
        "Spearman's correlation of an agent's ratings with people's, averaged over the test subcategories, with 95 % "
        "intervals by resampling these (Table 3). A panel per rater; the baselines, in grey, are the same in each. "
        "The diamond is the average without the pairs whose words the authors exchanged: an agent that only knows "
        "which pairs are the wrong way round falls there. The dashed line is the noise ceiling: the correlation that "
        "ratings without any noise can expect with ratings by five people. °: an agent lacks so many subcategories "
        "that its value is over its own.",
    ),
    "maxdiff": (
        "MaxDiff accuracy",
        "The percentage of questions in which the agent picks as most and as least illustrative what the majority "
        "picks (Table 3), with 95 % intervals by resampling subcategories. Guessing gets some 31 %, since several "
        "picks count where the majority ties. The diamond is without questions about reversed pairs. The dashed line "
        "is one person, who is compared with the majority of the others.",
    ),
    "classes": (
        "Agreement per relation class",
        "Spearman's correlation averaged over the test subcategories of a class (Table 4); in brackets the number of "
        "subcategories. Fewer than ten of them say little: table classes has the noise ceiling and the averages "
        "without reversed pairs.",
    ),
}
TABLE_OF = {"rho": "overview", "maxdiff": "overview", "classes": "classes"}
"""Figure -> the table of its values."""
TABLES = {
    "overview": (
        "Agreement with people",
        "The test subcategories (Table 3): average Spearman's rho, the number of subcategories where it is "
        "significant (two-sided, at 0.05 and 0.01; of the former, those where it is negative), and MaxDiff accuracy "
        "in percent; all of them also without the reversed pairs. Intervals are by resampling subcategories. The "
        "counts are the paper's: no p in them is adjusted, and a pair and its reversal count as independent, which "
        "only those without reversals are. A subcategory in which an agent rates all pairs alike has a rho of 0. rated is "
        "the share of pairs that the agent can rate; own_subcategories: an agent lacks so many that its subcategories are "
        "not those of the others. Below stand people: the noise ceiling, the agreement of two halves of the people, and one "
        "person; then the paper's systems and baselines.",
    ),
    "choice": (
        "Choosing a rater on the training data",
        "The agent with the best average on the training subcategories, per model and over all. Cross-validated: the "
        "average where each training subcategory is rated by the agent that is best on the others; gain: by how much "
        "this exceeds the mean of all agents, with its 95 % interval by resampling training subcategories. The test "
        "subcategories decide nothing.",
    ),
    "sensitivity": (
        "What the open choices change",
        "Every agent's average over the test subcategories as this study computes it (value), and with another choice "
        "(other_value): where all ratings are equal, where pairs are reversed, where people's choices or an agent's "
        "ratings tie, if ratings are rounded before they are ranked, and if a paradigm of 2b keeps the package's typing "
        "error. The last choice is the config's key degrees.paradigms; a model scores its sentences again for it, so "
        "that only static vectors stand here. The numbers of subcategories differ where a choice leaves some out.",
    ),
    "difficulty": (
        "Which subcategories are hard, and what a reversal costs",
        "drop: by how many ranks a reversed pair lies below the pair that it reverses, by people's ratings; a mean over "
        "the reversed pairs (section 6). The paper names the largest drops (Sequence, Functional) and the smallest "
        "(Attribute Similarity, Contrary) without figures; in its package Sequence has the largest and the latter two are "
        "among the smallest, but Functional is in the middle. range and deviation: the spread of the gold ratings. "
        "mean_rho: the mean over all agents but random.",
    ),
    "spread": (
        "Does the spread of the gold ratings decide?",
        "Spearman's correlation of an agent's rho with the range and with the standard deviation of the gold ratings, "
        "over the test subcategories. The paper says that difficulty is correlated with neither (section 6).",
    ),
    "classes": (
        "Spearman's rho per relation class",
        "Averages over the test subcategories of each class (Table 4), with and without the reversed pairs, and the "
        "noise ceiling.",
    ),
    "reversals": (
        "Reversed pairs",
        "Average rho without and with the pairs whose words the authors exchanged (Table 5). The difference has its "
        "95 % interval and the p of a sign-flip test over subcategories (clusters), adjusted by Holm's method over "
        "the models' agents, or over the baselines. The root mean squared error in the difference of ranks between a "
        "pair and its reversal (Table 6), ranks being within the subcategory. The scale of the paper's Table 6 could not "
        "be reproduced: its errors, of 210 to 257, are beyond what ranks among at most 45 pairs can reach, and the paper "
        "does not say what they count.",
    ),
    "controls": controls.TABLE,
    "tests": (
        "Significance tests",
        "The difference of every pair of agents, but those of two controls, over the test subcategories that both have, "
        "with its 95 % interval, and the two-sided p of a sign-flip test over subcategories. The condition is the model "
        "whose raters, and the baselines, are compared, or the rater whose models are. Holm's adjustment, and that of "
        "Benjamini and Hochberg (p_bh), are within a family: pairs of models' agents, or pairs with a control. The paper "
        "tests no such difference; in the columns paper_… stands Wilcoxon's signed-rank test, which takes the differences "
        "as symmetric (paper_effect: rank-biserial, positive for agent a).",
    ),
    "ceiling": (
        "How well people agree",
        "Each question has about five answers. split_half: Spearman's rho between the ratings of two random halves of "
        "them; reliability: that of all answers together, by Spearman and Brown; ceiling: its square root, the rho "
        "with the gold ratings that ratings without noise can expect. annotator_maxdiff: how often one person picks "
        "what the majority of the others picks, in per cent; as for the agents, each pick of a tied majority counts. "
        "reversals: whether the reversed pairs take part.",
    ),
    "data": (
        "Data",
        "The size of the task (section 3), and in how many test subcategories at least one agent but random "
        "correlates significantly with people (section 5). The paper takes the least p of all agents, which falls "
        "with their number; beside it stands the count with Holm's adjustment over the agents. Both are also without the "
        "reversed pairs.",
    ),
}


TESTS, CHOICES, DATA = "Tests", "Choices and raters", "Data"
PARTS = {
    **dict.fromkeys(("tests", "reversals", "difficulty", "spread"), TESTS),
    **dict.fromkeys(("choice", "sensitivity"), CHOICES),
    **dict.fromkeys(("ceiling", "data"), DATA),
}
"""Table -> the part of the page that it is folded away in."""
BEHIND = ("overview", "tests", "controls")
"""The tables that the paragraph at the top is made from."""


def summary(tables: Sequence[Path], models: Collection[str]) -> str:
    """Return what came out: the agent that agrees best with people, its best control and their test, and how people agree.

    An agent is a model of `models` with a rater, or a control.
    """
    read = {path.stem: pl.read_csv(path, infer_schema_length=None) for path in tables if path.stem in BEHIND}
    overview = read["overview"]
    here = overview.filter(pl.col("from") == HERE).with_columns(pl.col("rho").cast(pl.Float64))
    here = here.drop_nulls("rho").sort("rho", descending=True, maintain_order=True)
    rated = pl.col("agent").map_elements(lambda agent: model_of(agent) in models, return_dtype=pl.Boolean)
    with_model = here.filter(rated)
    if with_model.is_empty():
        return "No model has rated the pairs of this study."
    best = with_model.row(0, named=True)
    sentences = [
        f"The ratings of {best['agent']} agree best with people's: Spearman's ρ is "
        f"{best['rho']:.2f}{_interval(best)} on average over {best['subcategories']} subcategories."
    ]
    # The condition under which the raters of a model are compared with the controls is the model.
    claim = Claim("rho", (str(model_of(best["agent"])),), "", test="sign flips over subcategories")
    over = beyond(read["controls"], claim, best["agent"])
    for row in over:
        sentences.append(f"Its best control, {row['control']}, reaches {row['control_value']:.2f}.")
    sentences.append(compared(over, claim, best["agent"], CONTROL))
    ceiling = overview.filter(agent=CEILING_ROWS["ceiling"])["rho"].drop_nulls()
    if len(ceiling):
        sentences.append(f"Ratings without noise would reach {ceiling[0]:.2f}, as people do not agree fully.")
    return " ".join(filter(None, sentences))


def _interval(row: dict[str, Any]) -> str:
    return "" if row["rho_low"] is None else f" (95 % interval {row['rho_low']:.2f} to {row['rho_high']:.2f})"


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: the figures, the overview, then the other tables, in the order of the arguments.

    The page leaves out a table without rows.
    """
    read = {path.stem: path for path in tables}
    shown = [part for part in map(_table_section, tables) if part.table is not None and not part.table.is_empty()]
    return [*(_figure_section(path, read) for path in figures), *shown]


def _figure_section(path: Path, tables: Mapping[str, Path]) -> Section:
    name = path.stem
    title, caption = FIGURES[name]
    words = _words(name, tables[TABLE_OF[name]]) if TABLE_OF[name] in tables else ""
    return Section(name, title, caption, f"tables/{TABLE_OF[name]}.csv", svg=figure(path), words=words)


def _words(name: str, path: Path) -> str:
    """Say the values of a figure, from the file of the table behind it."""
    table = pl.read_csv(path, infer_schema_length=None).filter(pl.col("from") == HERE)
    if name != "classes":
        return in_words(table.with_columns(condition=pl.lit(name)), name, "condition", "subcategories", "subcategories")
    classes = [column for column in table.columns if column not in ("agent", "from", "pairs")]
    all_pairs = table.filter(pairs="all").unpivot(classes, index="agent", variable_name="class", value_name="rho")
    return in_words(all_pairs, "rho", "class")


def _table_section(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    table = pl.read_csv(path, infer_schema_length=None)
    if path.stem == "overview" and "static" not in table["agent"]:
        caption += " The baseline of static vectors is left out, as the configuration has no resources.static_vectors."
    part = PARTS.get(path.stem, "")
    return Section(f"table-{path.stem}", title, caption, f"tables/{path.name}", table=table, part=part)
