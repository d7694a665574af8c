"""What the columns of tables mean: the glossary that all studies share, and that of a page."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from relprobe.core.words import enumeration
from relprobe.report.exhibits import Table

COLUMNS = {
    "agent": "who answers: a model as it is asked, a person, or a control",
    "agent_a": "the first agent of a pair",
    "agent_b": "the second agent of a pair",
    "metric": "what is measured",
    "condition": "the part of the units that the row is about",
    "value": "the mean over the units",
    "low": "lower bound of the 95 % interval",
    "high": "upper bound of the 95 % interval",
    "units": "the number of units (targets, tuples, groups and others) that a value is over",
    "clusters": "the number of groups of linked units that the units lie in",
    "effective_n": "the number of independent units that the units count as, if all linked ones are alike: the worst case",
    "measured_n": "the number of independent units that the units are worth, as the differences of linked ones vary; "
    "missing where they do not vary, or p is of another test",
    "answered": "the number of units that the agent has a value of",
    "coverage": "the share of the study's units that the agent has a value of",
    "own_units": "yes: the agent lacks units of the study, and is averaged over the others",
    "discordant": "the number of units in which the two differ",
    "discordant_clusters": "the number of clusters in which the two differ; p cannot be small if they are few",
    "value_a": "the mean of a, over the units that both have",
    "value_b": "the mean of b, over the units that both have",
    "difference": "a minus b, or the agent minus what it is compared with",
    "p": "the probability of a difference (or an effect) at least as large if there were none",
    "error": "the standard error of the difference",
    "family": "the tests that are adjusted together, for one metric and one condition: those of a pair of models or of "
    "the declared comparisons, of an agent and people, or of an agent and its controls",
    "family_of": "whose tests are the family: those of an agent, of a pair of models, or of the declared comparisons",
    "family_size": "the number of tests of this family that have a p",
    "freedom": "the degrees of freedom of the t distribution of the difference; missing where p is of another test",
    "gain": "by how much a difference adds to the variance, for detectable; missing where the values are no shares",
    "room": "the largest difference that can be, as the better of the two is right everywhere; missing where the metric "
    "has no greatest value",
    "least_p": "p cannot be below this, as so few clusters differ; missing where p may be below 0.05",
    "claim": "what p is of: that the agent is ahead of every control, or behind some control",
    "controls": "the number of controls that the agent stands beside",
    "margin": "the difference that counts as none (margin in the configuration)",
    "p_equal": "p of two one-sided tests: below 0.05 the difference is known to be below the margin, either way",
    "detectable": "the smallest difference that is found in 80 of 100 such studies, with this error and adjusted as p_holm: "
    "smaller ones are left open; missing without such a difference",
    "detectable_all": "the smallest difference that is found in 80 of 100 such studies, adjusted as p_holm_all; missing "
    "without such a difference",
    "p_holm": "p, adjusted for the tests of a family by Holm's method; nothing is adjusted over several families; "
    "missing where p is",
    "p_holm_all": "p, adjusted for the tests of the family under all conditions of the metric; the first sentences go by it",
    "p_bh": "p, adjusted for the tests of a family by the method of Benjamini and Hochberg",
    "cluster_p": "p of sign flips over clusters, as if clusters were independent",
    "cluster_p_holm": "cluster_p, adjusted by Holm's method",
    "paper_test": "the test of the published method, which takes the units as independent",
    "paper_effect": "the effect size of the published method's test; positive where the values of a are larger",
    "paper_p": "p of the published method's test",
    "paper_p_holm": "p of the published method's test, adjusted by Holm's method",
    "paper_note": "the reason why p of the published method's test is missing",
    "note": "the reason why a number is missing, or what has to be known about it",
    "contrast": "what the two sides of a comparison within an agent differ in",
    "a": "the first side of a comparison",
    "b": "the second side of a comparison",
    "control": "the control that the agent exceeds least",
    "control_value": "the mean of this control, over the same units",
    "choice": "a choice that is left open",
    "here": "what this study does",
    "other": "the other way",
    "other_value": "the value with the other choice; missing without such units",
    "effect": "the other value minus the value; missing where one of the two is",
    "quantity": "what is counted or measured",
}
"""Column -> what it means in every table of every study that does not say something else."""


def glossary(tables: Iterable[tuple[Table, Iterable[str]]], study_columns: Mapping[str, str]) -> dict[str, str]:
    """Return the glossary of a page: names of columns, with commas between those that mean the same -> what they mean.

    `tables`: the tables of the page with the names of their columns. `study_columns`: the glossary of the study. A column
    that means something else in one table than in others has that table's title before this meaning. A column without a
    meaning has the text "", which a test finds.

    >>> first = Table("first", "First", "")
    >>> second = Table("second", "Second", "", columns={"value": "the median", "rank@*": "the share within k"})
    >>> pages = [(first, ["agent", "value"]), (second, ["value", "rank@1", "rank@5"])]
    >>> glossary(pages, {"value": "the mean"})
    {'agent': 'who answers: a model as it is asked, a person, or a control', 'rank@1, rank@5': 'the share within k', \
'value': 'the mean; in “Second”: the median'}
    """
    shared: dict[str, str] = {}
    special: dict[str, dict[str, list[str]]] = {}
    for table, columns in tables:
        for column in columns:
            text = meaning(column, table, study_columns)
            if text == meaning(column, None, study_columns):
                shared[column] = text
            else:
                special.setdefault(column, {}).setdefault(text, []).append(f"“{table.title}”")
    names: dict[str, list[str]] = {}
    for column in sorted({*shared, *special}, key=str.casefold):
        names.setdefault(_text(shared.get(column), special.get(column, {})), []).append(column)
    return {", ".join(columns): text for text, columns in names.items()}


def meaning(column: str, table: Table | None, study_columns: Mapping[str, str]) -> str:
    """Return what a column of a table means, or "" if nothing says it.

    A name says more than a pattern, the table more than its study (`study_columns`), and that more than COLUMNS.
    """
    sources = [{} if table is None else table.columns, study_columns, COLUMNS]
    exact = (source[column] for source in sources if column in source)
    fitting = (text for source in sources for name, text in source.items() if fnmatchcase(column, name))
    return next(exact, "") or next(fitting, "")


def _text(shared: str | None, special: Mapping[str, list[str]]) -> str:
    """Return the meaning of a column in most tables, and each other meaning behind the titles of the tables that have it."""
    if shared is None and len(special) == 1:
        return next(iter(special))
    meanings = [f"in {enumeration(titles)}: {text}" for text, titles in special.items()]
    return "; ".join(meanings if shared is None else [shared, *meanings])
