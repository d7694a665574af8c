"""The probes of the study: every pair and paradigm in the sentence of its subcategory, and every pair in an analogy."""

from pathlib import Path

import polars as pl

from relprobe.studies.degrees.ask.prompts import analogy, fill
from relprobe.studies.degrees.ask.requests import PROBES, Probes
from relprobe.studies.degrees.data.descriptions import read
from relprobe.studies.degrees.data.subcategories import Relations


def probes(relations: Relations, prompts: Path) -> Probes:
    """Put every pair and paradigm into the sentence of its subcategory, and every pair into an analogy.

    `prompts`: the file of the sentences. The analogy of a pair that is a paradigm itself has the other paradigms, as a model
    would only copy it.
    """
    templates = read(prompts, [one.id for one in relations])
    rows = []
    for one in relations:
        for pair in dict.fromkeys([*one.paradigms, *one.pairs]):
            sentence = fill(templates[one.id], *pair.split(":"))
            analogous = analogy(one.others(pair)) if pair in one.pairs else None
            rows.append((one.id, pair, pair in one.paradigms, sentence.text, *sentence.x, *sentence.y, analogous))
    return pl.DataFrame(rows, schema=PROBES, orient="row")
