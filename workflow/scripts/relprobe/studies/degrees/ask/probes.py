"""The probes of the study: every pair and paradigm in the sentence of its subcategory, and every pair in an analogy."""

from collections.abc import Sequence

import polars as pl

from relprobe.sources.semeval2012 import Subcategory
from relprobe.studies.degrees.ask.prompts import analogy, fill
from relprobe.studies.degrees.schemas import PROBES


def probes(subcategories: Sequence[Subcategory], templates: dict[str, str]) -> pl.DataFrame:
    """Put every pair and paradigm into the sentence of its subcategory, and every pair into an analogy (PROBES).

    The analogy of a pair that is a paradigm itself has the other paradigms, as a model would only copy it.
    """
    rows = []
    for one in subcategories:
        for pair in dict.fromkeys([*one.paradigms, *one.pairs]):
            sentence = fill(templates[one.id], *pair.split(":"))
            analogous = analogy(one.others(pair)) if pair in one.pairs else None
            rows.append((one.id, pair, pair in one.paradigms, sentence.text, *sentence.x, *sentence.y, analogous))
    return pl.DataFrame(rows, schema=PROBES, orient="row")
