"""The files of the pages: which key of the configuration names a file, and how the study reads it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from relprobe.sources import human_responses
from relprobe.sources.own import (
    analogies,
    definition_answers,
    definitions,
    hyponyms,
    judged_pairs,
    ratings,
    word_counts,
)
from relprobe.sources.own import pairs as own_pairs
from relprobe.studies.relations.tuples import read_candidates, read_words

CODES = ["HYP", "SOU"]


class File(NamedTuple):
    """A file of a page: the key of the configuration that names it, its reader, and how many rows that finds."""

    key: str
    read: Callable[[Path], Sequence]
    rows: int
    more: str = ""
    """Lines that a file needs beside those of the page."""


COUNTRIES = ["oslo,norway", "cairo,egypt", "lima,peru", "bern,switzerland"]
FORMS = ["hot,cold", "old,new", "up,down", "wet,dry", "high,low"]
SIX_PAIRS = "".join(
    [
        *(f"capital,countries,{pair},\n" for pair in COUNTRIES),
        *(f"opposite,adjectives,{pair},many bidirectional\n" for pair in FORMS),
    ]
)
"""The page says that a relation needs six pairs, and shows fewer."""
MORE_RATINGS = "function,seat:chair,5,ann\nfunction,hammer:tool,1,ann\n"
"""The page says that a relation needs three pairs; the file of its relations names this one."""
FILES = {
    ("README.md", "dog,bark"): File("relprobe init --pairs", lambda path: own_pairs.read(path).rows, 2),
    ("docs/how-to/peoples-answers.md", "robin,HYP"): File(
        "resources.human_responses", lambda path: human_responses.read(path, {"HYP": "HYP"}), 3
    ),
    ("docs/studies/definitions.md", "word,count"): File("resources.word_counts", word_counts.read, 2),
    ("docs/studies/definitions.md", "word,part_of_speech"): File("resources.own_definitions", definitions.read, 3),
    ("docs/studies/definitions.md", "task,group"): File("resources.definition_answers", definition_answers.read, 3),
    ("docs/studies/relations.md", "relation,candidate"): File(
        "relations.candidates.path", lambda path: read_candidates(path, CODES), 3
    ),
    ("docs/studies/relations.md", "42nd Street"): File("relations.word_list.path", read_words, 3),
    ("docs/studies/analogies.md", "relation,group"): File("resources.own_analogies", analogies.read, 12, SIX_PAIRS),
    ("docs/studies/degrees.md", "relation,pair"): File("resources.own_ratings", ratings.read, 5, MORE_RATINGS),
    ("docs/studies/pairs.md", "candidate,rating"): File("resources.judged_pairs", judged_pairs.read, 6),
    ("docs/studies/pairs.md", "candidate,label,choice"): File("resources.pair_answers", judged_pairs.read_answers, 4),
    ("docs/how-to/own-pairs.md", "relation,target"): File("resources.judged_pairs", judged_pairs.read, 6),
    ("docs/studies/systematicity.md", "hyponym,category"): File("resources.own_hyponyms", hyponyms.read, 4),
}
"""(page, a part of the block) -> how a study reads it."""
