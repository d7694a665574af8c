"""A study of a few relations, made by hand for the examples in docstrings."""

import polars as pl

from relprobe.core.relation import TUPLES, Relation, Relations
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import answers
from relprobe.studies.relations.measure.hits import Answers
from relprobe.studies.relations.schemas import PROBES, RESPONSES

TUPLE_ROWS = pl.DataFrame(
    [
        ("robin", "HYP", "bird", ["hand"]),
        ("robin", "HYP", "animal", ["hand"]),
        ("robin", "MER", "wing", ["hand"]),
        ("wing", "HOL", "robin", ["hand"]),
        ("night", "ANT", "day", ["hand"]),
        ("day", "ANT", "night", ["hand"]),
    ],
    schema=TUPLES,
    orient="row",
)

RELATIONS = Relations(
    (
        Relation("HYP", "hypernymy", "HPO", prototypical=True),
        Relation("HPO", "hyponymy", "HYP"),
        Relation("HOL", "holonymy", "MER", prototypical=True),
        Relation("MER", "meronymy", "HOL"),
        Relation("ANT", "antonymy", "ANT", prototypical=True),
    )
)


def example(**responses: str) -> Answers:
    """Return the answers of an agent: `hyp_robin="bird x"` is its response to the prompt hyp about robin, best word first.

    The tuples are the relatum sets. Weights are 1, 1/2, 1/4, …, so that no words tie.
    """
    rows = [
        (name.replace("_", ":"), text.split(), [2.0**-rank for rank in range(len(text.split()))])
        for name, text in responses.items()
    ]
    gold = example_gold(*(name.replace("_", ":") for name in responses))
    return answers(pl.DataFrame(rows, schema=RESPONSES, orient="row"), gold)


def example_gold(*probe_ids: str) -> GoldStandard:
    """Return the gold standard of some main probes: "hyp:robin" is the prompt hyp about robin."""
    keys = [name.split(":") for name in probe_ids]
    probes: list[tuple[object, ...]] = [
        (f"{prompt}:{target}", prompt.upper(), target, prompt, "main", f"{target} [V]", []) for prompt, target in keys
    ]
    words = TUPLE_ROWS.select(word=pl.concat_list("target", "relatum")).explode("word").unique()
    return GoldStandard(pl.DataFrame(probes, schema=PROBES, orient="row"), TUPLE_ROWS, TUPLE_ROWS, words, RELATIONS)
