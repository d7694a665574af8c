"""The page of the definitions study: its sections, with captions that explain each figure and table."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.report import controls
from relprobe.report.page import Address, Section, figure
from relprobe.report.words import in_words
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.measure.metrics import IN_BOTH_TASKS, metric_name
from relprobe.studies.definitions.schemas import TASKS
from relprobe.studies.definitions.show import addresses
from relprobe.studies.definitions.show.summary import summary as of_tables

TITLE = "Do language models match words with their definitions?"
LEAD = (
    "A word and its taxonomic sisters, such as beckon, nod, wink and shrug, and their definitions: which definition is the "
    "word's (W2D), and which word is the definition's (D2W)? The words are those of WordNet or of an own dictionary. P@1 is "
    "the share of tasks in which the right candidate comes first; the rank score RS is 1 if it comes first, 0 if it comes "
    "last, and 0.5 on average for a guess. Method: Senel and Schütze, Does He Wink or Does He Nod? (WDLMPro)."
)
FIGURES = {
    **{measure.figure: (measure.title, measure.caption) for measure in IN_BOTH_TASKS},
    "frequency": (
        "Are rare words known less well?",
        "Targets by frequency: rare below 10 uses, medium below 100 (Tables 7 and 10; choices.bands sets other limits). "
        "The paper counts in a Wikipedia corpus of a billion words. The uses are those of the file word_counts; without it, "
        "they are wordfreq's in a billion words, which has no phrases. Targets of more than three tokens are rare, as in "
        "the paper. Words of unknown frequency are in the table alone.",
    ),
    "depth": (
        "Are deep synsets harder?",
        "Nouns by the depth of the target: the synsets on the shortest path to entity.n.01, both ends included (Table 6). "
        "Deep groups are smaller, so that a guess is right more often.",
    ),
}
TABLES = {
    "overview": (
        "Both tasks per part of speech and agent",
        "Averages over groups (Tables 4 and 5), which lie in so many families: the groups of one hypernym have nearly the "
        "same candidates. Intervals are in averages.csv beside this table. own groups: the agent is averaged over other "
        "groups than the other agents. random is what a guess can expect, and no draw of it. length takes the shortest "
        "candidate. frequency takes the most frequent word (D2W), or the definition with the most frequent words (W2D). "
        "W2D ranks definitions by the probability of the word, D2W words by the mean log-probability of their tokens "
        "(masked models, all tokens masked) or the probability of the first token (causal and encoder-decoder models), "
        "unless definitions.choices in the config says otherwise. Equal scores are ranked in an order drawn once for all "
        "agents. Words that a model's vocabulary cannot write, and texts without any static vector, come last.",
    ),
    "leaks": (
        "Without definitions that tell their word",
        "noun, leak-free has the nouns whose definition neither names the word nor holds another form of it nor, for a "
        "phrase, one of its content words. “express or signify by nodding” tells nod. Such tasks ask for no knowledge of "
        "the meaning. The candidates are the same as in the whole.",
    ),
    "sensitivity": (
        "What the choices change",
        "The paper leaves some choices open, and others can be read in another way. value is the average as everywhere on "
        "this page, other_value the average under the other choice, both over the drawn groups that the agent has "
        "answered. D2W reads of a word: the paper takes the first token of a causal model and the mean of a masked model's "
        "tokens; an encoder-decoder model is read as a causal one; all are read off the stored scores. The word's end is "
        "there if word_boundary is set. The frequency of phrases moves groups from band to band, so the numbers of groups "
        "differ. definitions.choices sets the choices.",
    ),
    "controls": controls.TABLE,
    "tests": (
        "Significance tests between agents",
        "All pairs of agents but those of two controls. p is that of a sign-flip test whose observations are families, and "
        "the 95 % interval of the difference comes from resampled families. p is adjusted by the methods of Holm and of "
        "Benjamini and Hochberg over the pairs of one family of tests, metric and part of speech: pairs of models, pairs "
        "with people, or pairs with a control. discordant counts groups in which the agents differ. The columns paper … "
        "have McNemar's test on P@1 (exact below 25 discordant groups; effect: Cohen's g) and Wilcoxon's signed-rank test "
        "on RS (zeros dropped; effect: rank-biserial correlation), which take all groups as independent of each other. "
        "McNemar's test takes answers that are right or wrong; random and people have shares, so it has no p for them. All "
        "tests are two-sided.",
    ),
    "tasks": (
        "Is a definition easier to find than a word?",
        "W2D minus D2W within each agent, on the same groups (section 3). The test and the interval are those of the table "
        "above; p is adjusted over the agents of one kind. A guess has nearly the same P@1 in both tasks (see the table of "
        "groups and candidates).",
    ),
    "frequency": (
        "Results by frequency",
        "Tables 7 and 10, for all parts of speech. unknown: no source says how frequent the word is, most often a phrase.",
    ),
    "depth": ("Results by depth", "Table 6, for both tasks and all agents; nouns."),
    "people": (
        "People and models on the same groups",
        "All agents on the groups that people answered (Table 8, whose groups have up to ten candidates). Of several people "
        "a group counts the mean. Candidates that somebody did not rank share the places after the others, and each of them "
        "counts as the mean of these places: who ranks at random has a rank score of 0.5.",
    ),
    "small": (
        "Groups of up to ten candidates",
        "The groups that Table 8 draws from, in which a guess is right more often; all parts of speech together.",
    ),
    "targets": (
        "Named targets",
        "What each agent answers in the groups that definitions.targets names, and the rank of the right candidate. A dash "
        "says that a person did not rank it.",
    ),
    "confusions": (
        "What is taken for right",
        "The most frequent targets that an agent misses, with its first choice and the rank of the right candidate. A dash "
        "says that a person did not rank it.",
    ),
    "told": (
        "How many definitions tell their word",
        "The groups of the benchmark whose definition names the word, inflects it (has another form of it) or, for a "
        "phrase, shares a content word; each is counted once, in this order.",
    ),
    "data": (
        "Groups, candidates, and how often a guess is right",
        "The paper's Table 2 gives the number of groups with at least five different words and definitions (the "
        "benchmark), but the average size of those with at least five synsets. The candidates of W2D are the different "
        "definitions of the sisters whose string is not the target's own, those of D2W the different strings of the "
        "sisters whose definition is another; w2d random and d2w random are the P@1 to be expected of a guess. A family "
        "has the groups of one hypernym (of several the first by name). Large families weigh more, so all families count "
        "as much as the effective number of families of one size.",
    ),
}
NO_VECTORS = " There is no static baseline, as the configuration has no resources.static_vectors."
TESTS, CHOICES, DATA = "Tests", "Choices", "Data, and what was left out"
PARTS = {
    **dict.fromkeys(("tests", "tasks"), TESTS),
    "sensitivity": CHOICES,
    **dict.fromkeys(("told", "data"), DATA),
}
"""Table -> the part of the page that it is folded away in."""
ORDER = (
    *(
        "precision",
        "table-overview",
        "table-controls",
        "rank_score",
        "table-leaks",
        "depth",
        "table-depth",
        "frequency",
    ),
    *("table-frequency", "table-people", "table-small", "table-targets", "table-confusions"),
    *("table-tests", "table-tasks", "table-sensitivity", "table-data", "table-told"),
)
"""The ids of the sections, in the order of the paper; those of one part of the page follow each other."""


def summary(tables: Sequence[Path], models: Collection[str]) -> str:
    """Return the paragraph that says what came out. `models`: the agents that are models."""
    return of_tables(
        {path.stem: _read(path) for path in tables if path.stem in ("overview", "tests", "controls")}, models
    )


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page in their order: what is to be seen at once, then the parts that are folded away.

    The page leaves out a table without rows.
    """
    read = {path.stem: _read(path) for path in tables}
    shown = [_table_section(path, read[path.stem]) for path in tables if not read[path.stem].is_empty()]
    return sorted([*(_figure_section(path, read) for path in figures), *shown], key=lambda part: ORDER.index(part.id))


def _read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema_length=None)


def _figure_section(path: Path, tables: Mapping[str, pl.DataFrame]) -> Section:
    title, caption = FIGURES[path.stem]
    words = _words(path.stem, tables)
    return Section(path.stem, title, caption, "tables/averages.csv", svg=figure(path), words=words)


def _words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    behind, by = ("overview", "part_of_speech") if name not in tables else (name, "condition")
    if behind not in tables:
        return ""
    of_figure = [measure.name for measure in IN_BOTH_TASKS if name in (measure.figure, behind)]
    columns = [metric_name(task, measure) for task in TASKS for measure in of_figure]
    said = {column: in_words(tables[behind], column, by, "groups", "groups") for column in columns}
    return " ".join(f"{column}: {words}" for column, words in said.items() if words)


def _table_section(path: Path, table: pl.DataFrame) -> Section:
    name = path.stem
    title, caption = TABLES[name]
    if name == "overview" and "static" not in table["agent"]:
        caption += NO_VECTORS
    part, address = PARTS.get(name, ""), ADDRESSES.get(name)
    return Section(f"table-{name}", title, caption, f"tables/{path.name}", table=table, part=part, address=address)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind an average, or None if the column holds none.

    A group of two parts of speech, such as that of small groups, has no view of its own.
    """
    task, _, measure = column.partition(" ")
    pos = str(row.get("part_of_speech", row.get("condition"))).partition(",")[0]
    if task.lower() not in TASKS or row[column] is None or pos not in POS:
        return None
    return _beside(addresses.answers(row["agent"], task, pos, k=1 if measure == "P@1" else None))


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the tasks that one agent answers rightly and the other wrongly, at a difference in P@1."""
    task, _, measure = str(row["metric"]).partition(" ")
    if column != "difference" or row[column] is None or measure != "P@1" or row["condition"] not in POS:
        return None
    right, wrong = ("agent_a", "agent_b") if row["difference"] >= 0 else ("agent_b", "agent_a")
    return _beside(addresses.answers(row[right], task, row["condition"], k=1, against=row[wrong]))


def _of_task(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of all agents' answers to a task, at its word."""
    if column != "word":
        return None
    probe = addresses.text(row["task"], row["word"], row["definition"])
    return _beside(addresses.answers(row["agent"], row["task"], row["part_of_speech"], probe=probe))


def _beside(address: str) -> str:
    return address.removeprefix("../")


ADDRESSES: dict[str, Address] = {
    **dict.fromkeys(("overview", "leaks", "frequency", "depth", "people"), _of_agent),
    **dict.fromkeys(("confusions", "targets"), _of_task),
    "tests": _of_pair,
}
"""Table -> what its cells lead to."""
