"""What a study says on its page beyond the captions: its own words, or what each of its metrics gives."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.claim import Claim
from relprobe.core.metric import Metric, by_name
from relprobe.core.study import study_of
from relprobe.report.page import Address
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import sentences_on

UNTESTED = "No metric of this study is tested between agents; its averages stand below."
Tables = Mapping[str, pl.DataFrame]
"""The tables of a page by their names."""


@dataclass(frozen=True)
class PageWords:
    """What a study says on its page beyond the captions (`Study.words`)."""

    headline: Callable[[Tables, Collection[str]], Headline]
    """Return what the page says first, from the tables and the names of the language models."""
    words: Callable[[str, Tables], str]
    """Return a figure in words, from its name and the tables."""
    finding: Callable[[Tables, Collection[str]], Finding] | None = None
    """Return what the page, its card and the terminal say first; None: the sentences of the headline."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Code in the tables -> what it is called on the page."""
    code_names: Callable[[Tables], Mapping[str, str]] | None = None
    """Return further codes with their names, which depend on the tables."""
    addresses: Mapping[str, Address] = field(default_factory=dict)
    """The name of a table -> what its cells lead to."""
    metrics: Sequence[Metric] = ()
    """The metrics of the study, which say where intervals end."""


def words_of(study: str) -> PageWords:
    """Return what a study says on its page; a study that says nothing has a sentence on each of its metrics.

    >>> words_of("degrees").names["rho"]
    "Spearman's ρ"
    """
    page_words: PageWords = study_of(study).words() or words_on_metrics(study)
    return with_analyses(replace(page_words, metrics=study_of(study).metrics()), study)


def with_analyses(page_words: PageWords, study: str) -> PageWords:
    """Return what a study says on its page, with what its analyses say (core/analyses.py).

    Their functions `words` say figures of theirs in words, `headline` returns a sentence for the head of the page and one
    that is folded away there, and CODE_NAMES and ADDRESSES are more of `names` and `addresses`.
    """
    in_words, heads = [*take(study, "words").values()], [*take(study, "headline").values()]

    def words(name: str, tables: Tables) -> str:
        return next(filter(None, (say(name, tables) for say in in_words)), "") or page_words.words(name, tables)

    def headline(tables: Tables, models: Collection[str]) -> Headline:
        head = page_words.headline(tables, models)
        texts = [analysis_headline(tables, models) for analysis_headline in heads]
        sentences = [*head.sentences, *(text for text, _ in texts)]
        joined = first_of(sentences, [*head.more, *(text for _, text in texts)])
        return replace(head, sentences=joined.sentences, more=joined.more)

    return replace(
        page_words,
        words=words if in_words else page_words.words,
        headline=headline if heads else page_words.headline,
        names={**page_words.names, **_joined(study, "CODE_NAMES")},
        addresses={**page_words.addresses, **_joined(study, "ADDRESSES")},
    )


def _joined(study: str, name: str) -> dict[str, Any]:
    """Return what the analyses of a study have in a mapping of this name."""
    return {key: value for mapping in take(study, name).values() for key, value in mapping.items()}


def words_on_metrics(study: str) -> PageWords:
    """Return what the metrics of a study say on its page.

    >>> row = {"metric": "rho", "condition": "test", "agent": "gpt", "value": 0.5, "units": 69}
    >>> words_on_metrics("degrees").words("rho", {"overview": pl.DataFrame([row])})
    'test (69 subcategories): gpt 0.500.'
    """
    return PageWords(partial(_headline, study), partial(_words, study), partial(_finding, study))


def _finding(study: str, tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return what came out by the first metric with a test."""
    overview = tables["overview"]
    claims = [_claim(measure, overview) for measure in study_of(study).metrics() if measure.test]
    if not claims:
        return Finding((UNTESTED,))
    return found_by(overview, claims[0], models, tables["controls"], tests=tables["tests"])


def _headline(study: str, tables: Tables, models: Collection[str]) -> Headline:
    """Return what came out by each metric with a test: the best model, its control, and whether their difference holds."""
    overview, tests, controls = (tables[name] for name in ("overview", "tests", "controls"))
    claims = [_claim(measure, overview) for measure in study_of(study).metrics() if measure.test]
    if not claims:
        return Headline((UNTESTED,))
    sentences, differences = [], []
    for claim in claims:
        values, *comparisons = sentences_on(overview, tests, claim, models, controls=controls)
        sentences.append(values)
        differences += comparisons
    return first_of(sentences, differences, verdicts_of([(claim, overview) for claim in claims], controls, models))


def _claim(measure: Metric, overview: pl.DataFrame) -> Claim:
    """Return what a paragraph says of a metric, under all its conditions."""
    conditions = tuple(overview.filter(metric=measure.name)["condition"].unique(maintain_order=True))
    if measure.is_share:
        return Claim(
            measure.name, conditions, measure.verb or "is right in", measure.items, sample=measure.cluster_noun
        )
    verb = measure.verb or f"has a mean {measure.title or measure.name} of"
    return Claim(measure.name, conditions, verb, sample=measure.cluster_noun)


def _words(study: str, name: str, tables: Tables) -> str:
    """Return a figure in words."""
    noun = by_name(study_of(study).metrics())[name].items
    return in_words(tables["overview"].filter(metric=name), "value", "condition", "units", noun)
