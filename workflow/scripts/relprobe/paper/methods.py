"""The methods of a manuscript, from the configuration and the results: a paragraph for each study, and one of the models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet, Text, read_json, write_json
from relprobe.core.manifest import read_manifest
from relprobe.core.metric import Metric
from relprobe.core.prompting import BARE, prompting_of
from relprobe.core.study import study_of
from relprobe.core.unmade import made_tables
from relprobe.core.words import amount, enumeration
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.paper.latex import paragraph, with_engine
from relprobe.paper.references import bibliography, model_key
from relprobe.paper.run import Run, plain, source_of
from relprobe.paper.trials import Trials
from relprobe.report.shown import page_of
from relprobe.stats.averages import SEED
from relprobe.stats.intervals import DRAWS
from relprobe.stats.permutation import EXACT_CLUSTERS, FLIPS
from relprobe.version import __version__

WEIGHTS = (".safetensors", ".bin", ".gguf", ".pt")
DIGITS = 12
"""The digits of a digest that a sentence has."""
PEOPLE = ("annotator", "humans")
"""The agents that are people."""
SAYS_PEOPLE = ("relations",)
"""The studies that say themselves what people have answered."""
INFERENCE = {
    "linked": "Significant is what our test finds",
    "clusters": "Significant is what sign flips over clusters find",
    "paper": "Significant is what the test of the paper finds",
}
"""The key `inference` of the configuration -> the beginning of a sentence."""


class Manuscript(NamedTuple):
    """The methods in two forms, and what they cite."""

    markdown: Text
    latex: Text
    bib: Text


@dataclass(frozen=True)
class Files:
    """What the paragraph of a study is made of.

    `tables`: those of the page. `card`: what its page says first. `scores`: what the models have answered with.
    """

    tables: dict[str, Parquet]
    trials: Trials
    averages: Parquet
    tests: Parquet
    card: Path
    scores: list[ScoreFile] | None = None


@dataclass(frozen=True)
class Settings:
    """What the configuration and the plan of the run say of a study.

    `has`: name of the page's `may_lack` -> whether the run has that. `section`, `models`, `resources`, `inference`: of the
    configuration; `models` are the study's agents. `controls`: the agents that do not know what is asked. `missing`: agent
    that failed -> a sentence on it.
    """

    study: str
    has: dict[str, bool]
    section: dict[str, Any]
    models: dict[str, Any]
    resources: dict[str, Any]
    inference: str
    controls: list[str] | None = None
    missing: dict[str, str] | None = None


def study_methods(files: Files, settings: Settings, out: Path) -> None:
    """Write the paragraph of a study as JSON: its title, its text in Markdown, and what its models were computed with."""
    run, models = run_of(files, settings), settings.models
    text = " ".join(
        [
            *study_of(run.study).methods(run),
            *_agent_sentences(run, models),
            *map(plain, (settings.missing or {}).values()),
            *_trial_sentences(run, models),
            *_other_sentences(run, models),
            *_test_sentences(run, settings.inference),
        ]
    )
    computed = {
        file.agent: {key: file.metadata.get(key) for key in ("dtype", "libraries")} for file in files.scores or []
    }
    content = {"title": page_of(run.study).title, "text": text, "found": result_in_words(read_json(files.card))}
    write_json({**content, "computed": computed, "agents": sorted(models)}, out)


def run_of(files: Files, settings: Settings) -> Run:
    """Return the finished study as its module methods reads it: of its trials, those that the averages count."""
    return Run(
        study=settings.study,
        section=settings.section,
        has=settings.has,
        tables=made_tables(files.tables),
        trials=files.trials.filter(counted=1),
        averages=files.averages,
        tests=files.tests,
        resources=settings.resources,
        controls=tuple(settings.controls or []),
    )


def result_in_words(card: Mapping[str, Any]) -> str:
    """Return what a study found as its page and its card say it, with the numbers of its test."""
    return plain(" ".join(filter(None, (card["finding"], card["statistics"]))))


def _agent_sentences(run: Run, models: Mapping[str, Any]) -> Iterator[str]:
    """Yield which agents took part, and which controls."""
    layered = {name: entry for name, entry in models.items() if "layers" in entry}
    for singular, plural, entries in (
        ("The agent is", "The agents are", {name: entry for name, entry in models.items() if name not in layered}),
        ("Asked after each of its layers is", "Asked after each of their layers are", layered),
    ):
        agents = [f"`{name}`{_way(entry)}" for name, entry in entries.items()]
        if agents:
            yield f"{singular if len(agents) == 1 else plural} {enumeration(agents)}."
    for name, entry in models.items():
        if "peft" in entry:
            yield f"`{name}` has an adapter: {source_of(entry['peft'])}."
    present = [name for name in run.controls if name in set(run.averages["agent"])]
    if present:
        names = enumeration(f"`{name}`" for name in present)
        begin = "The control, which does" if len(present) == 1 else "The controls, which do"
        yield f"{begin} not know what the study asks about, {'is' if len(present) == 1 else 'are'} {names}."
    if "frequency" in present:
        yield "The frequencies of words are those of wordfreq [@speer2022]."
    vectors = run.resources.get("static_vectors")
    if vectors and {"neighbours", "typical", "static"} & set(present):
        source = source_of(vectors)
        yield f"Static vectors are {'GloVe [@pennington2014], ' if 'glove' in source.lower() else ''}{source}."


def _way(entry: Mapping[str, Any]) -> str:
    conditions = [way for way in prompting_of(entry) if way not in (BARE, "layers")]
    return f" ({', '.join(conditions)})" if conditions else ""


def _trial_sentences(run: Run, models: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many trials the averages count, of the models and in all."""
    model_trials = run.trials.filter(_asked(pl.col("agent"), models))
    if model_trials.is_empty():
        return
    prompts = model_trials["prompt"].drop_nulls().n_unique()
    parts = [
        amount(model_trials["item"].n_unique(), "question"),
        f"about {amount(model_trials['target'].n_unique(), 'target')}",
    ]
    parts += [f"under {amount(prompts, 'prompt')}"] if prompts else []
    yield f"The averages count {amount(model_trials.height, 'answer')} of these agents to {' '.join(parts)}."


def _other_sentences(run: Run, models: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many answers of people the averages count, and of agents that are no language models, such as encoders."""
    further = run.trials.filter(~_asked(pl.col("agent"), models), ~pl.col("agent").is_in(list(run.controls)))
    counts = dict(further.group_by("agent").len().sort("agent").iter_rows())
    people = sum(counts.pop(name, 0) for name in PEOPLE)
    if people and run.study not in SAYS_PEOPLE:
        yield f"Of people, they count {amount(people, 'answer')}."
    if counts:
        parts = enumeration(f"`{name}` ({amount(number, 'answer')})" for name, number in counts.items())
        yield f"Beside these agents {'stands' if len(counts) == 1 else 'stand'} {parts}."


def _asked(agent: pl.Expr, models: Mapping[str, Any]) -> pl.Expr:
    """Return whether a row is of a model; in degrees a model has several raters, whose names stand behind its own."""
    return agent.is_in(list(models)) | agent.str.split(" ").list.first().is_in(list(models))


def _test_sentences(run: Run, inference: str) -> Iterator[str]:
    """Yield what depends on what, how intervals and tests know it, and which families of tests there are."""
    measures = [metric for metric in study_of(run.study).metrics() if metric.name in run.metrics]
    linked = [metric for metric in measures if metric.links]
    clustered = [metric for metric in measures if not metric.links]
    items = enumeration(sorted({metric.items for metric in measures}))
    yield f"The values of an item are averaged first; items are {items}. Intervals are of 95 %."
    if any(metric.is_share for metric in measures):
        yield (
            "The interval of a mean of shares is Wilson's, with as many trials as independent values would vary as much "
            "[@korn1998]."
        )
    if linked:
        shared = enumeration(sorted({metric.linked_by for metric in linked}))
        yield (
            f"Items that share {shared} are linked: intervals and tests take the variance over all linked pairs "
            "[@aronow2015], with a t distribution by the effective number of items [@kish1965]."
        )
    if clustered:
        yield _cluster_sentence(clustered, "In other metrics clusters" if linked else "Clusters")
    tested = run.tests.drop_nulls("p")
    if tested.is_empty():
        yield "No two agents could be compared by a test."
        return
    families = [
        f"{plain(name)} ({amount(n, 'test')})" for name, n in tested.group_by("family").len().sort("family").iter_rows()
    ]
    yield (
        "In each metric and condition, p is adjusted by Holm's method [@holm1979] over the pairs of a family; with a p "
        f"there are, by family, {enumeration(families)}. {INFERENCE[inference]} with an adjusted p below 0.05."
    )


def _cluster_sentence(clustered: list[Metric], begin: str) -> str:
    nouns = enumeration(sorted({metric.cluster_noun for metric in clustered}))
    return (
        f"{begin} are {nouns}: tests flip the signs of clusters (all patterns of up to {EXACT_CLUSTERS} that differ, else "
        f"{FLIPS:,} random ones), and the interval of a difference comes from {DRAWS:,} resamples of them "
        f"[@hesterberg2015]. The seed is {SEED}."
    )


def methods(
    parts: list[Path],
    manifests: list[Path] | None = None,
    *,
    models: dict[str, Any],
) -> Manuscript:
    """Put the paragraphs of the studies together, and write one about the models before them.

    `parts`: what `study_methods` has written. `manifests`: NAME.json of each model that has files here. `models`: name ->
    entry of the configuration. Only the models that took part are named. DataError: a text cites what has no entry.
    """
    studies = [read_json(path) for path in parts]
    agents = {agent for study in studies for agent in study["agents"]}
    used = {name: entry for name, entry in models.items() if name in {network(agent, models) for agent in agents}}
    files = {path.stem: read_manifest(path)["files"] for path in manifests or []}
    computed: dict[str, Any] = {}
    for study in studies:
        computed |= {network(agent, models): origin for agent, origin in study["computed"].items()}
    opening = " ".join(_model_sentences(used, files, computed))
    sections = {"Models": opening, **{str(study["title"]): str(study["text"]) for study in studies}}
    sections |= {f"What came out: {study['title']}": str(study["found"]) for study in studies}
    markdown = "# Methods\n\n" + "\n\n".join(f"## {title}\n\n{text}" for title, text in sections.items()) + "\n"
    latex = (
        "\n\n".join(f"\\paragraph{{{paragraph(title)}}} {paragraph(text)}" for title, text in sections.items()) + "\n"
    )
    return Manuscript(markdown, with_engine(latex), bibliography(sections.values(), used))


def network(agent: str, models: Mapping[str, Any]) -> str:
    """Return the entry that says where the files of an agent's model are. DataError: there is no such agent."""
    if agent not in models:
        raise DataError(f"{agent} is no model of this run: run the study again.")
    return str(models[agent].get("model", agent))


def _versions(libraries: Mapping[str, str]) -> str:
    """Return libraries with their versions in words."""
    return ", ".join(f"{name} {version}" for name, version in libraries.items())


def _model_sentences(models: Mapping[str, Any], files: Mapping[str, Any], computed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the program with its libraries, and each model with its source, its revision, its digest and its numbers."""
    libraries = {name: _versions(origin.get("libraries") or {}) for name, origin in computed.items()}
    used = sorted({text for text in libraries.values() if text})
    versions = f" ({used[0]})" if len(used) == 1 else ""
    yield f"All was computed with relprobe {__version__} [@relprobe]{versions}."
    for name, entry in models.items():
        parts = [f"of the family {plain(entry['family'])}"] if "family" in entry else []
        parts += [f"{entry['size'] / 1e6:,.4g} million parameters"] if "size" in entry else []
        parts.append(source_of(entry))
        parts += list(_digests(files.get(name, {})))
        dtype = computed.get(name, {}).get("dtype") or entry.get("dtype")
        parts += [f"computed in {dtype}"] if dtype else []
        parts += [f"asked with {libraries[name]}"] if len(used) > 1 and libraries.get(name) else []
        kind = str(entry.get("type", ""))
        article = "an" if kind[:1] in ("a", "e", "i", "o", "u") else "a"
        yield f"`{name}` [@{model_key(name)}] is {' '.join(filter(None, (article, kind, 'model')))}: {', '.join(parts)}."
        if "endpoint" in entry:
            yield f"The weights of `{name}` and its number format are known to its server alone."


def _digests(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the SHA-256 of the weights, or of the first of several files of them."""
    weights = sorted(name for name in files if name.endswith(WEIGHTS))
    if weights:
        more = f", of {amount(len(weights), 'file')}" if len(weights) > 1 else ""
        yield f"SHA-256 of {weights[0]} {files[weights[0]][:DIGITS]}…{more}"
