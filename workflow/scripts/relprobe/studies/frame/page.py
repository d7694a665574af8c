"""What the page of a study says first, and its figures in words."""

from collections.abc import Collection, Mapping
from functools import partial

import polars as pl

from relprobe.core.claim import Claim
from relprobe.core.metric import Metric, by_name
from relprobe.core.study import study_of
from relprobe.report.study import PageWords
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import sentences_on

UNTESTED = "No metric of this study is tested between agents; its averages stand below."


def page_words(study: str) -> PageWords:
    """Return what the page of a study says beyond its captions, if it has no module `page`.

    >>> row = {"metric": "rho", "condition": "test", "agent": "gpt", "value": 0.5, "units": 69}
    >>> page_words("degrees").words("rho", {"overview": pl.DataFrame([row])})
    'test (69 subcategories): gpt 0.500.'
    """
    return PageWords(partial(_headline, study), partial(_words, study))


def _headline(study: str, tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out by each metric with a test: the best model, its control, and whether their difference holds."""
    overview, tests, controls = (tables[name] for name in ("overview", "tests", "controls"))
    claims = [_claim(measure, overview) for measure in study_of(study).metrics() if measure.test]
    if not claims:
        return Headline((UNTESTED,))
    sentences, differences = [], []
    for claim in claims:
        values, *others = sentences_on(overview, tests, claim, models, controls=controls)
        sentences.append(values)
        differences += others
    return first_of(sentences, differences, verdicts_of([(claim, overview) for claim in claims], controls, models))


def _claim(measure: Metric, overview: pl.DataFrame) -> Claim:
    """Return what a paragraph says of a metric, under all its conditions."""
    conditions = tuple(overview.filter(metric=measure.name)["condition"].unique(maintain_order=True))
    if measure.is_share:
        return Claim(measure.name, conditions, measure.verb or "is right in", measure.items)
    return Claim(measure.name, conditions, measure.verb or f"has a mean {measure.title or measure.name} of")


def _words(study: str, name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure."""
    noun = by_name(study_of(study).metrics())[name].items
    return in_words(tables["overview"].filter(metric=name), "value", "condition", "units", noun)
