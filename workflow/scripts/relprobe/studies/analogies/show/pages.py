"""The page of the analogies study: its sections, and captions that say what to see."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import read_csv
from relprobe.report import controls
from relprobe.report.page import Address, Section, figure
from relprobe.report.summary import Claim, paragraph
from relprobe.report.words import in_words
from relprobe.studies.analogies.measure.metrics import ALL, COLUMNS
from relprobe.studies.analogies.schemas import SETTINGS
from relprobe.studies.analogies.show import addresses

TITLE = "Do language models tell analogies from look-alikes?"
LEAD = (
    "Each agent tells pairs of words of 40 relations (BATS), or of your own, from pairs that miss the relation: one word "
    "comes from another pair (random), another pair is turned round (reverse), or both words are heads or both are "
    "tails (type). In "
    "the supervised setting a classifier judges the words' embeddings in “What paris is to france, rome is to "
    "italy.”; in the unsupervised setting the sentence with the lower perplexity wins. All values are accuracies from "
    "0 to 1; guessing, or a tie, gives 1/2. Method: Rezaee and Camacho-Collados, Probing Relational Knowledge in "
    "Language Models via Word Analogies."
)
FIGURES = {
    "groups": (
        "Accuracy by group, {}",
        "The mean over the tuples of a group's relations, with its 95 % interval by resampling relations (Table 1). "
        "random is the mean of random-head and random-tail. °: an agent lacks so many tuples that its values are over "
        "its own.",
    ),
    "relations": (
        "Accuracy by relation, {}",
        "Every relation of BATS. In the random probe of a relation marked ∗, and in the reverse probe of one marked "
        "†, a negative may be right although BATS does not list it (Table 2); none is one that BATS lists.",
    ),
}
TABLES = {
    "overview": (
        "Accuracy by group",
        "Table 1, and below it the means without the one/many-to-many and the bidirectional relations (section 4). "
        "Baselines: static is the difference of two words' static vectors, and encoders such as RelBERT embed a pair; "
        "both choose by cosine and feed the same classifier. Without static vectors in the config there is no agent "
        "static. tuples and relations: what the accuracies are over; own_tuples: an agent lacks so many that its "
        "tuples are not those of the others. swapped query: the accuracy with a query of another relation, on a sample; "
        "the next table compares it on the same instances. An agent with examples (shots) has no supervised accuracy, as "
        "the embeddings are those of the bare sentences, and so those of the agent without examples.",
    ),
    "relations": (
        "Accuracy by relation",
        "Table 2 for every agent and both settings, with its marks: ∗ one/many-to-many relations, † bidirectional "
        "ones. tails_seen: the share of the test tuples whose tail is a word of a training tuple, so that a "
        "classifier may know the tail rather than the relation; split.lexical in the config keeps such tuples "
        "together.",
    ),
    "swapped": (
        "Is the query read?",
        "A control: in a sample of the test instances a tuple of another relation stands in place of the query, so that "
        "what an agent still gets right comes from the two tuples that it judges. right_query and swapped_query: the "
        "accuracies on the same instances; difference: what the right query adds, with its 95 % interval, and p by a "
        "sign-flip test over relations (in a relation: over families of tuples). A classifier has learnt one relation, so "
        "it may judge well without its query. p_holm is adjusted over the models, or the baselines, in one probe and "
        "condition.",
    ),
    "samples": (
        "Sample pairs",
        "What the probes ask, for one query, as in Figure 1: two positives of each probe with their negatives.",
    ),
    "sensitivity": (
        "What the choices about negatives change",
        "The accuracy of static vectors with this study's negatives (value), and with another choice (other_value): the "
        "tuple of which a word is replaced (random), whether another tuple or the positive is reversed (reverse), "
        "whether two other tuples give the words (type, as the paper prints it), and whether negatives that the data list "
        "as right are left out (filter). Unsupervised, one draw, all tuples. Other agents would have to embed or score "
        "other sentences: set analogies.negatives in the config for them. The means are over tuples, as in Table 1.",
    ),
    "controls": controls.TABLE,
    "tests": (
        "Tests between agents",
        "The difference of every pair of agents, but those of two controls, on the tuples that both judged, with its 95 % "
        "interval. p is that of a sign-flip test in which tuples that share a word are one observation and, for groups, the "
        "tuples of a relation. Holm's adjustment, and that of Benjamini and Hochberg (p_bh), are within a family: pairs of "
        "models, or pairs with a control. The paper tests no such difference; in the columns paper_… stands Wilcoxon's "
        "signed-rank test, which takes tuples as independent.",
    ),
    "contrasts": (
        "Which probe is harder?",
        "The difference between two probes within an agent, on the same tuples: the paper's claim that random is "
        "harder than reverse and type. The columns are those of the tests between agents; a family is all models, or "
        "all baselines, in one contrast and condition.",
    ),
    "frequency_summary": (
        "Does frequency decide?",
        "In how many relations the tuples that an agent judges rightly differ in frequency from the others (p ≤ "
        "0.05), in the random probe of the supervised setting (section 4). The column test says which test decides; "
        "the config's key inference chooses it.",
    ),
    "frequency": (
        "Frequency of tuples judged rightly and wrongly",
        "The frequency of a tuple is the harmonic mean of its words' frequencies (wordfreq, per million words). "
        "distance: the largest distance between the distributions of frequency of what is judged rightly and wrongly, "
        "where tuples that share a word count once; p: its chance if these families exchange their shares of right "
        "decisions at random. The columns paper_… hold the paper's Kolmogorov-Smirnov test. It takes each decision as "
        "independent, but a tuple has up to a hundred of them: where frequency plays no role, it finds one in nine of "
        "ten relations. Tuples with a word that wordfreq does not know are left out; unknown counts their decisions.",
    ),
    "unjudged": (
        "What could not be judged",
        "Decisions that an agent could not make because a word has no static vector; they take no part in any accuracy.",
    ),
    "data": (
        "The probe sets",
        "Tuples per relation and, for each probe, positives; there are as many negatives. Every draw divides the "
        "tuples anew and draws other negatives; the numbers are means over the draws. families: sets of tuples that "
        "are linked by shared words. heads_seen, tails_seen: the shares of the test tuples whose head or tail is a "
        "word of a training tuple. Within a draw no pair of words is judged both in training and in test; the same "
        "two words in the other order may be, most often in the type probe (such as french : chinese).",
    ),
}


TESTS, CHOICES, DATA, LEFT_OUT = "Tests", "Choices", "Data", "Left out, and why"
PARTS = {
    **dict.fromkeys(("contrasts", "tests", "frequency_summary", "frequency"), TESTS),
    "sensitivity": CHOICES,
    **dict.fromkeys(("samples", "data"), DATA),
    "unjudged": LEFT_OUT,
}
"""Table -> the part of the page that it is folded away in."""

VERBS = {
    "supervised": "tells an analogy from a reversed pair by a classifier in",
    "unsupervised": "tells an analogy from a reversed pair by perplexity in",
}


def summary(tables: Sequence[Path], models: Collection[str]) -> str:
    """Return what came out in both settings: the best model, the next one, and where their difference holds.

    `models`: the agents that are models; the others are controls and encoders.
    """
    read = {path.stem: read_csv(path) for path in tables if path.stem in ("overview", "tests", "controls")}
    sentences = []
    for setting in SETTINGS:
        metric = f"{setting} reverse"
        if metric in read["overview"].columns:
            columns = {"condition": "group", "value": metric, "own": "own_tuples"}
            values = read["overview"].select("agent", metric=pl.lit(metric), **columns)
            claim = Claim(metric, (ALL,), VERBS[setting], "choices", test="sign flips over relations", chance=0.5)
            sentences.append(paragraph(values, read["tests"], claim, models, controls=read["controls"]))
    return " ".join(dict.fromkeys(sentences))


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: figures and table by group, figures and table by relation, then the other tables.

    A table without rows has no section.
    """
    read = {path.stem: read_csv(path) for path in tables}
    drawn = [_figure_section(path, read) for path in figures]
    by_group, by_relation = ([part for part in drawn if part.id.startswith(start)] for start in ("groups", "relations"))
    shown = [_table_section(path, read[path.stem]) for path in tables if not read[path.stem].is_empty()]
    first = ("table-overview", "table-controls", "table-swapped")
    overview, others = ([part for part in shown if (part.id in first) == wanted] for wanted in (True, False))
    return [*by_group, *overview, *by_relation, *others]


def _figure_section(path: Path, tables: Mapping[str, pl.DataFrame]) -> Section:
    what, _, setting = path.stem.partition("_")
    title, caption = FIGURES[what]
    words = _words(what, setting, tables)
    return Section(path.stem, title.format(setting), caption, "tables/averages.csv", svg=figure(path), words=words)


def _words(what: str, setting: str, tables: Mapping[str, pl.DataFrame]) -> str:
    behind, by = ("overview", "group") if what == "groups" else ("relations", "relation")
    if behind not in tables:
        return ""
    said = {probe: in_words(tables[behind], f"{setting} {probe}", by, "tuples", "tuples") for probe in COLUMNS}
    return " ".join(f"{probe}: {words}" for probe, words in said.items() if words)


def _table_section(path: Path, table: pl.DataFrame) -> Section:
    name = path.stem
    title, caption = TABLES[name]
    part, address = PARTS.get(name, ""), ADDRESSES.get(name)
    return Section(f"table-{name}", title, caption, f"tables/{path.name}", table=table, part=part, address=address)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the choices behind an accuracy; those of a group are those of all relations."""
    setting, _, probe = column.partition(" ")
    if setting not in SETTINGS or probe not in COLUMNS or row[column] is None:
        return None
    return _beside(addresses.answers(row["agent"], setting, probe, row.get("relation")))


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the choices that one agent makes rightly and the other wrongly, at a difference."""
    if column != "difference" or row[column] is None:
        return None
    setting, _, probe = row["metric"].partition(" ")
    right, wrong = ("agent_a", "agent_b") if row["difference"] >= 0 else ("agent_b", "agent_a")
    return _beside(addresses.answers(row[right], setting, probe, against=row[wrong]))


def _beside(address: str | None) -> str | None:
    return None if address is None else address.removeprefix("../")


ADDRESSES: dict[str, Address] = {"overview": _of_agent, "relations": _of_agent, "tests": _of_pair}
"""Table -> what its cells lead to."""
