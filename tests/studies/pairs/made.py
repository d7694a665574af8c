"""Small items, prompts and vectors of the study, written by hand."""

import numpy as np
import polars as pl
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.pairs.compare import Files
from relprobe.studies.pairs.compare import compare as compare_files
from relprobe.studies.pairs.prompts import Prompt, Prompts
from relprobe.studies.pairs.schemas import ITEMS

PROMPTS = Prompts(
    {
        "HYP": (
            Prompt("kind", "[DET] [W] is a kind of [V]", "Is [DET] [W] a kind of [V]?"),
            Prompt("is", "[DET] [W] is [DET] [V]", "Is [DET] [W] [DET] [V]?"),
        )
    },
    "Answer [OPTIONS]. [QUESTION] It is [V]",
    "yes",
    "no",
    "or",
    "something",
)
VECTORS = StaticVectors(
    {"robin": 0, "wren": 1, "cod": 2, "bird": 3, "fish": 4},
    np.array([[1, 0, 0], [3, 4, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]], np.float32),
)


def article(word):
    return "an" if word[0] in "aeiou" else "a"


def items(*rows, condition="HYP", relation="HYP", set_name="wordnet"):
    """Items of (target, first, second, kind), with a label, and a rating if there is a fifth."""
    table = [
        (set_name, condition, relation, *row[:4], row[3] == "right", *(row[4:] or (None,)), None, None) for row in rows
    ]
    return pl.DataFrame(table, schema=ITEMS, orient="row")


ROBIN = items(
    ("robin", "robin", "bird", "right"),
    ("robin", "bird", "robin", "reversed"),
    ("robin", "robin", "fish", "other target"),
    ("robin", "robin", "wug", "random"),
)


def compare(metrics, item_table, raters, comparing, *, layered=None, shared=None, **settings):
    """What is made of a run with these files."""
    files = {"metrics": metrics, "item_table": item_table, "raters": raters, "layered": layered, "shared": shared}
    return compare_files(Files(**files), comparing, **settings)
