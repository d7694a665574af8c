"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from pathlib import Path
from typing import Any

from relprobe.core.files import Parquet
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.report.figures import Exhibits
from relprobe.report.published import Published
from relprobe.sources.language import LanguageFile
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.ask import Prompts
from relprobe.studies.relations.compare.comparisons import Correlations
from relprobe.studies.relations.compare.published import published_figures
from relprobe.studies.relations.data import GoldStandard
from relprobe.studies.relations.relata import Losses
from relprobe.studies.relations.schemas import Averages, Contrasts, Metrics, Sensitivity, Tests, TopWords, Tuples
from relprobe.studies.relations.show import tables
from relprobe.studies.relations.show.answers import answers as write_answers
from relprobe.studies.relations.show.figures import figures


def show(
    averages: Averages,
    tests: Tests,
    contrasts: Contrasts,
    first_related: Parquet,
    frequency: Correlations,
    top_words: dict[str, TopWords],
    gold: GoldStandard,
    language: LanguageFile,
    prompts: Prompts,
    given: Tuples,
    losses: Losses,
    published: Published,
    compared: dict[str, Parquet],
    template: Path,
    answers: Path,
    response_entropies: Parquet | None = None,
    series: Parquet | None = None,
    sensitivity: dict[str, Sensitivity] | None = None,
    lexicons: dict[str, Lexicon] | None = None,
    scores: list[ScoreFile] | None = None,
    counted: list[ScoreFile] | None = None,
    writing: list[ScoreFile] | None = None,
    replies: list[ScoreFile] | None = None,
    unmatched: tables.Unmatched | None = None,
    lists: tables.Lists | None = None,
    metrics: dict[str, Metrics] | None = None,
    *,
    names: list[str],
    agents: list[str],
    models: dict[str, Any],
    k: int,
    inference: Inference = "linked",
    families: dict[str, Any] | None = None,
    controls: list[str] | None = None,
    layered: dict[str, str] | None = None,
    ways: dict[str, Any] | None = None,
    shown: list[str] | None = None,
    causal: list[str] | None = None,
    people: list[str] | None = None,
    panel: list[str] | None = None,
    sources: list[str] | None = None,
    run: str = "",
    closed: bool = False,
) -> Exhibits:
    """Write the tables of the page and the page of answers, count what was lost, and draw the figures.

    `answers`: the file of the page of answers. `counted`: the answers that count, where `scores` are likely tokens.
    `published`: what the paper prints, beside which stand the `metrics` of agents that are no controls, and tables of other
    steps (`compared`). `sources`: the resources that the tuples come from. What the other files and settings are, the
    functions `tables`, `attrition`, `answers`, `published_figures` and `figures` say.
    """
    relations, words = gold.relations, top_words
    asked = gold.probes, gold.relata, language, relations, template, answers
    write_answers(words, *asked, people=people, models=list(models), run=run, closed=closed)
    sets = gold.tuples, gold.relata, gold.shared_lexicon, gold.probes
    every = {
        **tables.tables(
            *(gold, averages, tests, contrasts, words, language, sensitivity, lexicons, scores, writing, replies),
            controls=controls,
            shown=shown,
            ways=ways,
        ),
        **tables.attrition(losses, given, *sets, prompts, relations, unmatched, lists, counted, causal=causal),
    }
    printed = published_figures(
        *(published, averages, {**compared, **every}, metrics),
        top_words={agent: words[agent] for agent in metrics or {}},
        models=list(models),
        panel=panel,
        tuples=sources or [],
    )
    drawn = figures(
        *(averages, tests, first_related, frequency, relations, response_entropies, series),
        names=names,
        agents=agents,
        models=models,
        k=k,
        inference=inference,
        families=families,
        controls=controls,
        layered=layered,
        ways=ways,
    )
    return Exhibits({**every, "published": printed}, drawn)
