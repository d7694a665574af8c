"""The page of the systematicity study: its sections, with captions that say what the reader sees."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.report import controls
from relprobe.report.page import Address, Section, figure
from relprobe.report.words import in_words
from relprobe.studies.systematicity.measure.metrics import MEASURES, PAIRED
from relprobe.studies.systematicity.schemas import INPUTS, MAJORITY
from relprobe.studies.systematicity.show import addresses
from relprobe.studies.systematicity.show.summary import summary as of_tables

TITLE = "Is knowledge of hypernymy consistent?"
LEAD = (
    "A model that completes “A robin is a …” with “bird” should complete “robins are …” with “birds”, and a classifier that "
    "has learnt hypernymy from its embeddings should recognise it in words that it has not seen. Method: Ravichander et al. "
    "2020, On the Systematicity of Probing Contextualized Word Representations: The Case of Hypernymy in BERT. The sets: "
    "diagnostic and extended are the authors', wordnet is built from WordNet as the extended one was, and own is yours. The "
    "main results are those of the first prompt of each number, which is the paper's; the others say how far they depend on "
    "it."
)
SETS = {
    "diagnostic": "LM Diagnostic",
    "extended": "LM Diagnostic Extended",
    "wordnet": "WordNet's hyponyms",
    "own": "own hyponyms",
}
FIGURES = {
    "accuracy": (
        "Accuracy",
        "The share of hyponyms with the right answer: where the vocabulary is open, among the categories in each "
        "diagnostic, and in several at once (Table 2). The lines are 95 % intervals over categories, whose hyponyms share "
        "an answer (resampled categories, or Wilson's interval below 30 of them). The outline of a marker is the model's "
        "control (MODEL+control in the tables), whose prompt is the hyponym alone (“robin …”). All agents choose by the "
        "score at the slot.",
        "averages",
    ),
    "category_logprobs": (
        "Categories in the singular and the plural",
        "How probable the right category is at the slot, averaged over its hyponyms (Figure 2): the lighter, the more "
        "probable. An empty cell has no probe.",
        "category_logprobs",
    ),
}
DETECTION = (
    "Does hypernymy carry over to new words?",
    "A classifier on the embeddings of both words, or of the hypernym alone (the partial baseline, which should be at "
    "chance): accuracy on test pairs whose hyponyms are new, and whose hypernyms are new as well (Table 4). Every fold has "
    "several classifiers, which differ in the seed of their training. The label below the panels says what the lines are.",
    "detection",
)
TABLES = {
    "overview": (
        "Accuracy per agent",
        "Table 2: open@k is the precision where the whole vocabulary is the list of candidates, the others choose among "
        "the categories. All agents of a column choose by one score. It is that of the category at the slot: a masked or "
        "encoder-decoder model reads the text on both sides of it, and a causal model the text before it. In the columns "
        "“sentence” it is that of the full sentence, which causal models alone have. Between equal scores, a draw decides. "
        "A dash means that the agent was not asked or cannot answer. hyponyms: those in the average of the singular; "
        "answered: those that the agent has answered; own hyponyms: some average of the agent is over other hyponyms than "
        "those of the other agents.",
    ),
    "prompt_spread": (
        "What a prompt changes",
        "The accuracy at the slot under the first prompt of each number, which makes the main results, and its mean, "
        "standard deviation and range over all prompts that were asked.",
    ),
    "prompts": (
        "Accuracy under each prompt",
        "The share of hyponyms whose category is right at the slot, with the 95 % interval over categories.",
    ),
    "prompt_pairs": (
        "Do answers under two prompts agree?",
        "b if a: the share of the hyponyms that are right under prompt a that are right under prompt b, too, with the 95 % "
        "interval over categories; both: the share of all hyponyms; phi: the correlation. Two prompts of one number say "
        "how consistent the model is where the number stays the same.",
    ),
    "sensitivity": (
        "What other choices would change",
        "The paper leaves some choices open. A row has the accuracy with the choice of this study, that with another one, "
        "and their difference. An agent has a row where the choice can change an answer: for example, only sentences that "
        "hold their hyponym twice, or have another article than the category needs, have two readings.",
    ),
    "patterns": (
        "Recognised because the corpus says so?",
        "The share of hyponyms that are right in the singular among those that the corpus holds with their category in one "
        "of the patterns of systematicity.patterns (in), and among the others (out), with Wilson's interval (section 3.4).",
    ),
    "averages": (
        "Averages with their intervals",
        "The mean of each metric over its units (hyponyms, or the classifier's pairs), the 95 % interval over the clusters "
        "(the categories of both), and both numbers.",
    ),
    "controls": controls.TABLE,
    "tests": (
        "Significance tests between agents",
        "All pairs of agents but those of two controls, on the units that both have. p is that of a sign-flip test over "
        "clusters; the 95 % interval of the difference comes from resampled clusters. The clusters are the categories: "
        "their hyponyms share the right answer, and a classifier judges them alike. With nine categories p cannot be below "
        "0.004, and only a difference that nearly all large categories have can be told from chance; one between single "
        "hyponyms cannot be tested. p is adjusted by the methods of Holm and of Benjamini and Hochberg over the pairs of "
        "one family, metric and set: pairs of models, or pairs with a control. discordant counts units in which the agents "
        "differ. The columns paper … have McNemar's test (exact below 25 discordant hyponyms; effect: Cohen's g) and, for "
        "the classifier, Wilcoxon's on the share of the seeds that are right on a pair (effect: rank-biserial correlation). "
        "They take all units as independent. The paper itself compares without a test.",
    ),
    "contrasts": (
        "Singular and plural, seen and unseen, both words and one",
        "Differences within each agent: the singular minus the plural on the same hyponyms; hypernyms seen in training "
        "minus unseen ones, on the means of the categories; both words minus the hypernym alone on the same pairs. "
        "The test and the intervals are those of the table above; p is adjusted over the agents of one family.",
    ),
    "examples": (
        "Examples of answers",
        "The first three answers to each diagnostic (Table 3). All of them are in answers.csv beside this table.",
    ),
    "errors": (
        "Kinds of errors where the vocabulary is open",
        "What stands first where the category does not (section 3.3, decided by WordNet's hypernyms and a list of empty "
        "words): the hyponym itself, another hypernym, a generic one (at most four steps below WordNet's root, or “noun”, "
        "“type”), a fragment of the hyponym, or none of these; with the two most frequent such answers and their shares.",
    ),
    "consistency": (
        "Right in which number?",
        "The share of hyponyms whose category is recognised in both numbers, in one alone, or in neither (section 3.5). phi "
        "is the correlation of right in the singular with right in the plural (its interval: categories are resampled): 0 "
        "where one number says nothing about the other. plural if singular is the share of right answers in the plural "
        "among the hyponyms that are right in the singular, with the 95 % interval over categories.",
    ),
    "frequency": (
        "Are recognised hyponyms more frequent?",
        "Mean frequency of the hyponyms answered rightly and wrongly, by wordfreq: per million words or, with "
        "systematicity.frequency: zipf, as zipf values. Hyponyms that wordfreq does not know have the frequency 0 (zero). "
        "p-values of the Shapiro-Wilk test of normality in both groups, and the paper's Kruskal-Wallis test between them "
        "with its effect, epsilon squared (section 3.4). A hyponym is one observation. p is adjusted by Holm's method over "
        "the agents of one family, set and metric.",
    ),
    "detection": (
        "Hypernymy detection",
        "Mean accuracy over folds and seeds. sd: standard deviation over the folds (the paper's ±); sd seeds: over the "
        "seeds of the classifier. low and high: 95 % interval in the table of averages, over the categories of "
        "the hyponyms. errors: their number per seed; false positives: the share of them in which a pair is falsely taken "
        "for hypernymy (Table 4 and section 4).",
    ),
    "category_logprobs": (
        "Categories in the singular and the plural, as numbers",
        "The mean log-probability (natural) of the right category at the slot, and its hyponyms.",
    ),
    "diagnostics": ("Diagnostics", "Items of each set, in all and per category (Table 1)."),
    "parts": (
        "Pairs of the classifier",
        "Training, development and test pairs per fold, the share of true ones in the test, and the hyponyms that have "
        "pairs (Tables 5 and 6). Built pairs leave out hyponyms, drawn at random, of a category with more of them than the "
        "others of its superordinate one have together: its hypernym could not be as often untrue as true.",
    ),
    "overlap": (
        "WordNet's hyponyms beside the released",
        "Hyponyms that the builder finds, those of LM Diagnostic Extended, and those of both, in all and per category.",
    ),
    "tokens": (
        "Categories of several tokens",
        "They are scored by the sum over their tokens (of a masked model, over as many masks) and cannot be answered where "
        "the vocabulary is open.",
    ),
    "left_out": ("Left out", "What this run does not have, and why."),
}


TESTS, CHOICES, DATA, LEFT_OUT = "Tests", "Choices and prompts", "Data", "Left out, and why"
PARTS = {
    **dict.fromkeys(("tests", "contrasts", "frequency", "patterns"), TESTS),
    **dict.fromkeys(("prompt_spread", "prompts", "prompt_pairs", "sensitivity"), CHOICES),
    **dict.fromkeys(("averages", "category_logprobs", "diagnostics", "parts", "overlap"), DATA),
    **dict.fromkeys(("tokens", "left_out"), LEFT_OUT),
}
"""Table -> the part of the page that it is folded away in."""
ORDER = (
    *(
        "accuracy",
        "table-overview",
        "table-controls",
        "table-examples",
        "table-errors",
        "table-consistency",
        "category_logprobs",
    ),
    *("detection", "table-detection"),
    *(f"table-{name}" for name in PARTS),
)
"""The sections in the order of the paper: their ids, or the beginnings of those of figures of a set."""


def summary(tables: Sequence[Path], models: Collection[str]) -> str:
    """Return the paragraph that says what came out. `models`: the agents that are models."""
    behind = ("overview", "tests", "controls", "consistency")
    return of_tables({path.stem: _read(path) for path in tables if path.stem in behind}, models)


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page in their order: what is to be seen at once, then the parts that are folded away.

    A table without rows has no section.
    """
    read = {path.stem: _read(path) for path in tables}
    shown = [_table(path, read[path.stem]) for path in tables if not read[path.stem].is_empty()]
    return sorted([*(_drawn(path, read) for path in figures), *shown], key=lambda section: _place(section.id))


def _read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema_length=None)


def _place(section: str) -> int:
    """Return where a section stands.

    >>> _place("accuracy_own") < _place("table-overview") < _place("category_logprobs_own") < _place("table-tests")
    True
    """
    name = section if section in ORDER else section.rpartition("_")[0]
    return ORDER.index(name)


def _drawn(path: Path, tables: Mapping[str, pl.DataFrame]) -> Section:
    kind, _, name = path.stem.rpartition("_")
    title, caption, data = FIGURES.get(kind, DETECTION)
    title = f"{title}: {SETS[name]}" if kind in FIGURES else title
    words = _words(kind, name, tables)
    return Section(path.stem, title, caption, f"tables/{data}.csv", svg=figure(path), words=words)


def _words(kind: str, name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure. `kind`: accuracy, category_logprobs or, for that of the classifier, neither."""
    if kind == "accuracy" and "overview" in tables:
        of_set = tables["overview"].filter(set=name)
        metrics = [metric for metric in MEASURES if metric.title and metric.name in of_set.columns]
        said = {one.title: in_words(of_set, one.name, "set", "hyponyms", "hyponyms") for one in metrics}
        return " ".join(f"{title}: {words}" for title, words in said.items() if words)
    if kind == "category_logprobs" and kind in tables:
        of_set = tables[kind].filter(set=name).with_columns(condition=pl.format("{}, {}", "category", "kind"))
        return in_words(of_set, "logprob", "condition", "hyponyms", "hyponyms")
    if kind == "" and "detection" in tables:
        of_input = pl.col("input").replace_strict(INPUTS, default="")
        named = tables["detection"].with_columns(agent=pl.format("{}{}", "agent", of_input))
        return in_words(named, "accuracy", "setting", "pairs", "pairs")
    return ""


def _table(path: Path, table: pl.DataFrame) -> Section:
    name = path.stem
    title, caption = TABLES[name]
    part, address = PARTS.get(name, ""), ADDRESSES.get(name)
    return Section(f"table-{name}", title, caption, f"tables/{path.name}", table=table, part=part, address=address)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind an average; baselines and controls have none."""
    if column not in addresses.VIEWS or row[column] is None or not _answering(row["agent"]):
        return None
    return _beside(addresses.answers(row["agent"], column, row["set"]))


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the probes that one agent answers rightly and the other wrongly, at a difference."""
    agents = row["agent_a"], row["agent_b"]
    if column != "difference" or row[column] is None or not all(map(_answering, agents)):
        return None
    right, wrong = agents if row["difference"] >= 0 else agents[::-1]
    single = row["metric"] if not PAIRED.get(row["metric"]) else ""  # a pair of probes has no view of its own
    return _beside(addresses.answers(right, single, row["condition"], against=wrong))


def _answering(agent: str) -> bool:
    """Say whether an agent is on the answers page: a model, or static vectors."""
    return agent != MAJORITY and not agent.endswith("+control")


def _beside(address: str | None) -> str | None:
    return None if address is None else address.removeprefix("../")


ADDRESSES: dict[str, Address] = {"overview": _of_agent, "tests": _of_pair}
"""Table -> what its cells lead to."""
