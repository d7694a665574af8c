"""Every table that compares agents, by the name of its file."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.relation import Relations
from relprobe.core.series import series_of, standing
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.sources.word_frequency import Scale
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.compare.frequency import correlations, medians
from relprobe.studies.relations.compare.models.pairs import Models
from relprobe.studies.relations.compare.models.sizes import size_averages, size_differences, size_reversals
from relprobe.studies.relations.compare.models.types import best_by_type, wins_by_type
from relprobe.studies.relations.compare.prompt_variance import heteroscedastic_agents, prompt_variance
from relprobe.studies.relations.compare.relatedness import distribution
from relprobe.studies.relations.schemas import Averages, Metrics, Relata, Tests

NO_HUMANS = (
    "The config has no resources.human_responses: there is no human ceiling, no prototypicality and no analysis of the "
    "humans' entropy."
)
LEFT_OUT = pl.Schema({"table": pl.String(), "reason": pl.String()})


def comparisons(
    averages: Averages,
    tests: Tests,
    relata: Relata,
    relations: RelationsFile,
    language: LanguageFile,
    metrics: dict[str, Metrics] | None = None,
    *,
    models: dict[str, Any],
    k: int,
    inference: Inference = "linked",
    frequency: Scale = "raw",
) -> ShownTables:
    """Compare sizes and types of models, prompts, first related words, and correlations with word frequency (section 8).

    `metrics`: agent -> METRICS; none where all agents are asked layer by layer. `models`: model -> type, family and size, as
    in the config. `k` is the cut-off of symmetry and asymmetry. `inference`: whose tests decide what is significant.
    `frequency`: the scale of word frequencies.
    """
    values = metrics or {}
    entries = {agent: models[agent] for agent in values if agent in models}
    known, code = averages.drop_nulls("value"), language.wordfreq
    return comparison_tables(
        values, known, tests, relata, entries, k, inference, frequency, relations=relations, language=code
    )


def comparison_tables(
    values: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    relata: pl.DataFrame,
    models: Models,
    k: int,
    inference: Inference = "linked",
    scale: Scale = "raw",
    *,
    relations: Relations,
    language: str,
) -> dict[str, pl.DataFrame]:
    """Return Tables 6 to 8, D2, D3 and F4, and the data of Figures 3 and E5, by the names of their files.

    The table `left_out` says which comparisons are missing, and why. `values`: agent -> METRICS; `averages` and `tests`:
    AVERAGES and TESTS; `k`: the cut-off of symmetry and asymmetry; `inference`: whose tests decide; `scale`: that of word
    frequencies; `language`: its code in wordfreq. The correlations leave out the humans, as in the paper.
    """
    last = {agent: models[agent] for agent in standing(models)}
    compared = {
        "size_differences": size_differences(averages, tests, last, k, inference, relations=relations),
        "size_averages": size_averages(values, averages, tests, last, k, relations=relations),
        "size_reversals": size_reversals(averages, tests, last, k, inference, relations=relations),
        "best_by_type": best_by_type(averages, tests, last, k, inference, relations=relations),
        "wins_by_type": wins_by_type(averages, tests, last, k, inference, relations=relations),
    }
    reasons = [(name, reason) for name, comparison in compared.items() for reason in comparison.left_out]
    reasons += [("tests", _of_series(name, list(places))) for name, places in series_of(models).items()]
    if "humans" not in values:
        reasons.append(("entropy", NO_HUMANS))
    known = {agent: values[agent] for agent in models}
    by_frequency = correlations(known, relata, k, scale, relations=relations, language=language)
    variances = prompt_variance(values, k, inference, relations=relations)
    return {
        **{name: comparison.table for name, comparison in compared.items()},
        "left_out": pl.DataFrame(reasons, schema=LEFT_OUT, orient="row"),
        "frequency": by_frequency,
        "frequency_medians": medians(by_frequency),
        "prompt_variance": variances,
        "unequal_prompts": heteroscedastic_agents(variances),
        "first_related": distribution(values, relations=relations),
    }


def _of_series(name: str, members: list[str]) -> str:
    *earlier, last = members
    return (
        f"{', '.join(earlier)}: the last of the series {name}, {last}, stands for it among the models; the tables trends "
        "and against_last have the tests of the others."
    )
