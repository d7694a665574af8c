"""The items of the study as files: pairs and questions with what people say of them, and what models are asked."""

from pathlib import Path
from typing import NamedTuple

from relprobe.studies.degrees.method import gold, questions
from relprobe.studies.degrees.relations import Relations, read_descriptions
from relprobe.studies.degrees.requests import probes
from relprobe.studies.degrees.schemas import Gold, Probes, Questions


class Items(NamedTuple):
    """What people say about the pairs; own ratings have no questions."""

    gold: Gold
    questions: Questions


def items(relations: Relations) -> Items:
    """Count the answers of people: ratings of pairs, and MaxDiff questions with the majority's choices (section 3.1)."""
    return Items(gold(relations), questions(relations))


def probe_table(relations: Relations, prompts: Path) -> Probes:
    """Put the pairs and paradigms into sentences and analogies (`method.probes`). `prompts`: the file of the sentences."""
    return probes(relations, read_descriptions(prompts, [subcategory.id for subcategory in relations]))
