"""The frame of a study: averages, tests, tables, figures and the first sentences of a study that has none of its own.

Such a study has no step `compare`: it says what it asks, what is right and what it measures. rules/frame.smk does the rest.
Its values have the columns metric and condition, those of the metric's unit, and value.
"""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet
from relprobe.core.metric import Metric, by_name
from relprobe.core.study import study_of
from relprobe.report.figures import Exhibits, Figures, dots, family_key, panels
from relprobe.report.looks import looks
from relprobe.report.study import PageWords
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import Claim, sentences_on
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls, kinds_of
from relprobe.stats.schemas import Averages, Tests

SHOWN = ["agent", "metric", "condition", "value", "low", "high", "units", "note"]
"""The columns of the averages that the page shows."""


class Comparison(NamedTuple):
    """Averages, and the tests between agents."""

    averages: Averages
    tests: Tests


def compare(
    metrics: dict[str, Parquet],
    *,
    study: str,
    targets: Literal["common", "own"],
    controls: list[str],
    members: list[str] | None = None,
) -> Comparison:
    """Average the values of all agents by condition, and test the differences between agents, by the metrics of the study.

    `members`: the checkpoints that are not the last of their series.
    """
    measures = study_of(study).metrics()
    means = averages(metrics, measures, targets=targets)
    return Comparison(means, paired_tests(metrics, measures, kinds=kinds_of(metrics, controls, members or [])))


def show(
    averages: Averages,
    tests: Tests,
    *,
    controls: list[str],
    names: list[str],
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
) -> Exhibits:
    """Write the tables of the page, which are `overview`, `tests` and `controls`, and draw the figures (`figures`)."""
    tables = {"overview": averages.select(SHOWN), "tests": tests, "controls": beyond_controls(tests, controls)}
    return Exhibits(tables, figures(averages, names=names, kinds=kinds, families=families))


def figures(
    averages: Averages, *, names: list[str], kinds: dict[str, str], families: dict[str, str] | None = None
) -> Figures:
    """Draw a figure for each metric of `names`, with a panel for each condition and a row for each agent.

    `kinds`: agent -> masked, causal or control; `families`: model -> family for all models of the config. DataError: a
    figure of the page has the name of no metric.
    """
    styles = looks(kinds, families or {})
    for name in names:
        rows = averages.filter(metric=name)
        if rows.is_empty():
            known = ", ".join(averages["metric"].unique(maintain_order=True))
            raise DataError(f"page.md: there is no metric {name} to draw: name the figure after one of {known}.")
        conditions = rows["condition"].unique(maintain_order=True).to_list()
        figure, axes = panels(conditions, len(styles))
        for axis, condition in zip(axes, conditions, strict=True):
            values = {row["agent"]: row for row in rows.filter(condition=condition).iter_rows(named=True)}
            drawn = [(agent, look, values[agent]) for agent, look in styles.items() if agent in values]
            agents, own, found = map(list, zip(*drawn, strict=True))
            dots(axis, agents, [row["value"] for row in found], own, [(row["low"], row["high"]) for row in found])
        family_key(figure, styles.values())
        yield name, figure


def page_words(study: str) -> PageWords:
    """Return what the page of a study says beyond its captions, if it has no module `page`.

    >>> page_words("degrees").words("rho", {"overview": pl.DataFrame(schema=dict.fromkeys(SHOWN, pl.String))})
    ''
    """
    return PageWords(partial(_headline, study), partial(_words, study))


def _headline(study: str, tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out by each metric: the best model, its control, and whether their difference holds."""
    overview, tests, controls = (tables[name] for name in ("overview", "tests", "controls"))
    claims = [_claim(measure, overview) for measure in study_of(study).metrics()]
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
