"""The page of the degrees study: its sections, and captions that say what to see."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from relprobe.report.page import Section, figure

TITLE = "How prototypical is a pair of words for its relation?"
LEAD = (
    "SemEval-2012 Task 2 (Jurgens et al., Measuring Degrees of Relational Similarity): for 79 relations, people chose "
    "the most and the least illustrative of four word pairs; each agent rates the same pairs. An agent is a baseline "
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
        "bootstrap intervals over these (Table 3). A panel per rater; the baselines, in grey, are the same in each.",
    ),
    "maxdiff": (
        "MaxDiff accuracy",
        "The percentage of questions in which the agent picks as most and as least illustrative what the majority "
        "picks (Table 3). Guessing gets some 31 %, since several picks count where the majority ties.",
    ),
    "classes": (
        "Agreement per relation class",
        "Spearman's correlation averaged over the test subcategories of a class (Table 4).",
    ),
}
TABLE_OF = {"rho": "overview", "maxdiff": "overview", "classes": "classes"}
"""Figure -> the table of its values."""
TABLES = {
    "overview": (
        "Agreement with people",
        "The 69 test subcategories (Table 3): average Spearman's rho, the number of subcategories where it is "
        "significant (two-sided, at 0.05 and 0.01; of the former, those where it is negative), and MaxDiff accuracy "
        "in percent. The paper's systems and baselines stand below; rated is the share of pairs that the agent can "
        "rate.",
    ),
    "choice": (
        "Choosing a rater on the training data",
        "The agent with the best average on the training subcategories, per model and over all. Cross-validated: the "
        "average where each training subcategory is rated by the agent that is best on the others; gain: by how much "
        "this exceeds the mean of all agents. The test subcategories decide nothing.",
    ),
    "classes": ("Spearman's rho per relation class", "Averages over the test subcategories of each class (Table 4)."),
    "reversals": (
        "Reversed pairs",
        "Average rho without and with the pairs whose words the authors exchanged (Table 5), and the root mean "
        "squared error in the difference of ranks between a pair and its reversal (Table 6), ranks being within the "
        "subcategory. The paper's errors are beyond what such ranks can reach, so their scale is another.",
    ),
    "tests": (
        "Significance tests",
        "Wilcoxon's signed-rank test over the test subcategories (two-sided; effect: rank-biserial, positive for "
        "agent a). The condition is the model whose raters, and the baselines, are compared, or the rater whose "
        "models are. Holm's adjustment is over the pairs of one metric and condition.",
    ),
    "data": (
        "Data",
        "The size of the task (section 3), and in how many test subcategories at least one agent but random correlates "
        "significantly with people (section 5).",
    ),
}


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: the overview, the figures, then the other tables, in the order of the arguments.

    The page leaves out a table without rows.
    """
    overview, *others = (_table_section(path) for path in tables)
    with_rows = [part for part in others if part.table is not None and not part.table.is_empty()]
    return [overview, *(_figure_section(path) for path in figures), *with_rows]


def _figure_section(path: Path) -> Section:
    title, caption = FIGURES[path.stem]
    return Section(path.stem, title, caption, f"tables/{TABLE_OF[path.stem]}.csv", svg=figure(path))


def _table_section(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    table = pl.read_csv(path, infer_schema_length=None)
    if path.stem == "overview" and "static" not in table["agent"]:
        caption += " The baseline of static vectors is left out, as the configuration has no resources.static_vectors."
    return Section(f"table-{path.stem}", title, caption, f"tables/{path.name}", table=table)
