"""The page of the analogies study: its sections, and captions that say what to see."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from relprobe.report.page import Section, figure

TITLE = "Do language models tell analogies from look-alikes?"
LEAD = (
    "Each agent tells pairs of words of 40 relations (BATS) from pairs that miss the relation: one word comes from another "
    "pair (random), the words change places (reverse), or both words are heads or both are tails (type). In the supervised "
    "setting a classifier judges the words' embeddings in “What paris is to france, rome is to italy.”; in the unsupervised "
    "setting the sentence with the lower perplexity wins. "
    "All values are accuracies from 0 to 1; guessing, or a tie, gives 1/2. Method: Rezaee and Camacho-Collados, Probing "
    "Relational Knowledge in Language Models via Word Analogies."
)
FIGURES = {
    "groups": (
        "Accuracy by group, {}",
        "The mean over the relations of a group, with its 95 % interval over the relations (Table 1). random is the mean of "
        "random-head and random-tail.",
    ),
    "relations": (
        "Accuracy by relation, {}",
        "Every relation of BATS. In the random probe of a relation marked ∗, and in the reverse probe of one marked †, a "
        "negative may be right although BATS does not list it (Table 2); none is one that BATS lists.",
    ),
}
TABLES = {
    "overview": (
        "Accuracy by group",
        "Table 1, and below it the means without the one/many-to-many and the bidirectional relations (section 4). "
        "Baselines: static is the difference of two words' static vectors, and encoders such as RelBERT embed a pair; both "
        "choose by cosine and feed the same classifier. Without static vectors in the config there is no agent static.",
    ),
    "relations": (
        "Accuracy by relation",
        "Table 2 for every agent and both settings, with its marks: ∗ one/many-to-many relations, † bidirectional ones.",
    ),
    "tests": (
        "Tests between agents",
        "Wilcoxon's signed-rank test for every pair of agents, on queries within a relation and on relations within a "
        "group, with Holm's adjustment over the pairs. A positive effect favours the first agent.",
    ),
    "frequency_summary": (
        "Does frequency decide?",
        "In how many relations the tuples that an agent judges rightly differ in frequency from the others (p ≤ 0.05), in "
        "the random probe of the supervised setting (section 4).",
    ),
    "frequency": (
        "Frequency of tuples judged rightly and wrongly",
        "The Kolmogorov-Smirnov test on the harmonic mean of the words' frequencies (wordfreq, per million words). Tuples "
        "with a word that wordfreq does not know are left out and counted; decisions that share words are not independent.",
    ),
    "unjudged": (
        "What could not be judged",
        "Decisions that an agent could not make because a word has no static vector; they take no part in any accuracy.",
    ),
    "data": (
        "The probe sets",
        "Tuples per relation and, for each probe, positives; there are as many negatives. No pair of words is judged both "
        "in training and in test; the same two words in the other order may be (on the whole of BATS 97 of them, most in "
        "the type probe, such as french : chinese).",
    ),
}


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: the overview, the figures, then the other tables, in the order of the arguments."""
    overview, *others = (_table_section(path) for path in tables)
    return [overview, *(_figure_section(path) for path in figures), *others]


def _figure_section(path: Path) -> Section:
    what, _, setting = path.stem.partition("_")
    title, caption = FIGURES[what]
    return Section(path.stem, title.format(setting), caption, "tables/averages.csv", svg=figure(path))


def _table_section(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    table = pl.read_csv(path, infer_schema_length=None)
    return Section(f"table-{path.stem}", title, caption, f"tables/{path.name}", table=table)
