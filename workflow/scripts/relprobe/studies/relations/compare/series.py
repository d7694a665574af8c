"""Averages along a series: layers, lengths of the response, answer spaces, and draws."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl

from relprobe.core.files import ShownTable, ShownTables, parquet
from relprobe.core.manifest import same_weights
from relprobe.core.relation import Relations
from relprobe.core.series import Places, SeriesOf
from relprobe.core.sums import ordered_mean
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.sources.relations import RelationsFile
from relprobe.stats.averages import averages
from relprobe.stats.schemas import OF_LAYER, with_groups
from relprobe.stats.series import references
from relprobe.stats.series import tables as of_series
from relprobe.stats.series.half import Controls, half_depths
from relprobe.stats.series.layered import (
    TESTED,
    join_layers,
    last_layer_tests,
    plain_names,
    series_of_layers,
    split_layers,
)
from relprobe.studies.relations.compare.analyses import GROUPS, Design, averages_of, design_of, linked_by, plain
from relprobe.studies.relations.data import GoldStandard
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY
from relprobe.studies.relations.measure.metrics import MEASURES, Choices, with_figures
from relprobe.studies.relations.measure.responses import Ranking, model_responses, rankings
from relprobe.studies.relations.measure.values import all_metrics, answers
from relprobe.studies.relations.schemas import AVERAGES, TESTS, Averages, LayerMetrics, Metrics, Pairs, Relata, Tests

# Averages after each layer of an agent, for which each layer is an agent of its own (stats/series/layered.py).


LAYER_AVERAGES = pl.Schema({"agent": AVERAGES["agent"], **OF_LAYER, **AVERAGES})
LayerAverages = Annotated[pl.DataFrame, parquet(LAYER_AVERAGES)]


def averages_of_layers(
    layered: Mapping[str, pl.DataFrame],
    targets: Literal["common", "own"],
    *,
    relations: Relations,
    design: Design,
    pairs: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the averages after each layer (LAYER_AVERAGES), made as those of all agents are (analyses.averages).

    `layered`: agent -> LAYER_METRICS.
    """
    table = averages_of(split_layers(layered), targets, relations=relations, design=design, pairs=pairs)
    return join_layers(table).cast(LAYER_AVERAGES).select(list(LAYER_AVERAGES))  # type: ignore[arg-type]


# The values along all series in one table, such as checkpoints and sizes, with people and controls beside them.


SERIES = with_groups(references.SERIES, AVERAGES, ["relation", "versus", "k"])
"""Of distances, versus is the relation that is told apart."""
DRAWN = (*(measure.name for measure in with_figures()), AUDC.name, DISTINGUISHABILITY.name)
"""The metrics that are drawn along series."""
AXES_OF = {"size": ("size",), "training": ("step", "tokens"), "layers": ("layer",)}
"""First word of the name of a figure along series -> its axes."""
SERIES_GROUPS = ("relation", "versus", "k")


def series(
    averages: Averages,
    relations: RelationsFile,
    layers: LayerAverages | None = None,
    *,
    along: dict[str, Any],
    people: list[str] | None = None,
    controls: list[str] | None = None,
    checkpoints: dict[str, Any] | None = None,
) -> ShownTables:
    """Write the values of the members of all series, of people and of the best controls; see `series_table`."""
    return {"series": series_table(averages, along, relations, people or (), controls or (), layers, checkpoints or {})}


def series_table(
    averages: pl.DataFrame,
    along: Mapping[str, SeriesOf],
    relations: Relations,
    people: Collection[str] = (),
    controls: Collection[str] = (),
    layers: pl.DataFrame | None = None,
    checkpoints: Mapping[str, SeriesOf] | None = None,
) -> pl.DataFrame:
    """Return the values along each series (SERIES), from the averages of all agents (AVERAGES).

    `along`: axis -> name -> members and places. Each series also has the rows of the first of `people` who have a value,
    and, of each metric and relation, of the control with the highest value among those that its last member meets. `layers`:
    LAYER_AVERAGES; the layers of an agent are a series of its name. `checkpoints`: the series of agents with layers, whose
    values are those of their last layers.
    """
    known = averages.drop_nulls("value").filter(pl.col("metric").is_in(DRAWN))
    drawn = None if layers is None else layers.filter(pl.col("metric").is_in(DRAWN))
    known = pl.concat(
        [known, *(_last_layer(rows) for rows in references.agent_averages(drawn).values())], how="diagonal"
    )
    parts = [pl.DataFrame(schema=SERIES)]
    for axis, of_axis in [*along.items(), *(checkpoints or {}).items()]:
        for name, places in of_axis.items():
            best = references.best_control_values(known, list(controls), list(places)[-1], SERIES_GROUPS)
            rows = pl.concat([references.member_values(known, places), references.people_values(known, people), best])
            parts.append(references.as_series(rows, axis, name, SERIES))
    if drawn is not None:
        parts.append(references.layer_series(drawn, known, list(controls), people, SERIES_GROUPS, SERIES))
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    metric = pl.col("metric").cast(pl.Enum(DRAWN))
    return pl.concat(parts).sort("axis", metric, *order, "k", "series", maintain_order=True)


def _last_layer(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the values of an agent after its last layer, as averages of the agent."""
    last = rows.filter(pl.col("layer") == pl.col("layer").max(), variant="raw").drop("layer", "variant")
    return last.drop_nulls("value")


# The tests of series, such as the checkpoints of a training or the sizes of a family of models.


Along = Mapping[str, SeriesOf]
"""Axis (core.series.AXES) -> its series."""


def trends(
    relata: Relata,
    tests: Tests,
    relations: RelationsFile,
    metrics: dict[str, Metrics] | None = None,
    manifests: list[Path] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    blind: dict[str, Metrics] | None = None,
    *,
    along: dict[str, Any],
    networks: dict[str, str],
    controls: list[str],
    map_text: str = "none",
) -> ShownTables:
    """Test the trend of each series, and each member against the last, and say where half of the last value is reached.

    `metrics`: of the members that are agents; `manifests`: of the models behind them. `networks`: agent -> its model. The
    notes of the table trends say which members have the same weights. `layered`: agent -> LAYER_METRICS; its layers are
    series, too, whose last one is compared with the controls `blind`. `map_text`: what the maps of the layers are fitted on
    (relations.layers.map). The other arguments are those of `trend_tables`.
    """
    of_models = {path.stem: path for path in manifests or []}
    doubled = same_weights({agent: of_models[model] for agent, model in networks.items()})
    layers = series_of_layers(layered or {})
    values, series = (
        {**(metrics or {}), **split_layers(layered or {})},
        {**along, **({"layer": layers} if layers else {})},
    )
    every = pl.concat([tests, last_layers_with_controls(values, layers, blind or {}, relata).cast(tests.schema)])  # type: ignore[arg-type]
    beside = averages(plain(blind), MEASURES, GROUPS, links=linked_by(relata).links) if blind else None
    readers = readers_of(layered or {}, map_text)
    tables = trend_tables(values, series, doubled, relata, relations, every, controls, beside, readers)
    return {name: plain_names(table) for name, table in tables.items()}


def readers_of(layered: Mapping[str, pl.DataFrame], map_text: str) -> dict[str, str]:
    """Return what reads the layers of each series (`series_of_layers`): the head alone, or a map and the head.

    >>> readers_of({"gpt": pl.DataFrame({"variant": ["mapped", "raw"], "layer": [0, 0]})}, "wordnet")
    {'gpt, mapped': 'a linear map fitted on wordnet, and the head', 'gpt, raw': 'the head alone'}
    """
    said = {"mapped": f"a linear map fitted on {map_text}, and the head", "raw": "the head alone"}
    readers: dict[str, str] = {}
    for agent, table in layered.items():
        variants = [variant for variant in TESTED if variant in set(table["variant"])]
        readers |= {agent if len(variants) == 1 else f"{agent}, {variant}": said[variant] for variant in variants}
    return readers


def last_layers_with_controls(
    values: Mapping[str, pl.DataFrame], layers: SeriesOf, blind: Mapping[str, pl.DataFrame], relata: pl.DataFrame
) -> pl.DataFrame:
    """Compare the last layers with the controls `blind` (TESTS). `values`: agents of one layer, and others -> METRICS."""
    if not layers or not blind:
        return pl.DataFrame(schema=TESTS)
    links = linked_by(relata).links
    return last_layer_tests(plain(values), layers, plain(blind), MEASURES, GROUPS, links=links).select(list(TESTS))


def trend_tables(
    metrics: Mapping[str, Metrics],
    along: Along,
    doubled: Sequence[Sequence[str]],
    relata: Relata,
    relations: Relations,
    tests: Tests,
    controls: Sequence[str] = (),
    beside: pl.DataFrame | None = None,
    readers: Mapping[str, str] | None = None,
) -> dict[str, pl.DataFrame]:
    """Return the tables trends, against_last and halves of the metrics with a test (stats/series).

    `metrics`: agent -> METRICS. `along`: axis -> name of a series -> the agents in their order, each with its place, such
    as its training step. `doubled`: the groups of members that have the same weights. Targets that share a relatum
    (`relata`) are linked. `tests` (TESTS) say what the last members have beyond the `controls`; `beside`: averages of these
    over all targets, where the members were asked fewer. `readers`: series -> what reads its layers.
    """
    links = linked_by(relata).links
    known = plain(metrics)
    met = Controls(tests, pl.DataFrame(schema=AVERAGES) if beside is None else beside, controls)
    tables: dict[str, list[pl.DataFrame]] = {"trends": [], "against_last": [], "halves": []}
    for axis, series in along.items():
        rise = of_series.trends(known, series, MEASURES, GROUPS, over="relation", links=links)
        found = {
            "trends": _with_weights(rise, series, doubled),
            "against_last": of_series.against_last(known, series, MEASURES, GROUPS, links=links),
            "halves": half_depths(
                known, series, MEASURES, GROUPS, axis=axis, readers=readers, controls=met, links=links
            ),
        }
        for name, table in found.items():
            tables[name].append(table.select(pl.lit(axis).alias("axis"), pl.all()))
    relation = pl.col("relation").cast(relations.order)
    whole = {name: pl.concat(parts) for name, parts in tables.items()}
    return {
        name: table.sort("axis", "series", "metric", relation, "k", maintain_order=True)
        for name, table in whole.items()
    }


def _with_weights(table: pl.DataFrame, series: SeriesOf, doubled: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Add to the notes of the trends which members have the same weights."""
    notes = {name: _weights_note(places, doubled) for name, places in series.items()}
    weights = pl.col("series").replace_strict(notes, return_dtype=pl.String)
    note = pl.concat_str("note", weights, separator="; ", ignore_nulls=True)
    return table.with_columns(note=pl.when(note != "").then(note))


def _weights_note(places: Places, doubled: Sequence[Sequence[str]]) -> str | None:
    """Return the note on members of a series that have the same weights, if there are any."""
    groups = [[agent for agent in places if agent in group] for group in doubled]
    return "; ".join(f"{' and '.join(group)} have the same weights" for group in groups if len(group) > 1) or None


# The same probes answered in several answer spaces: all tokens, the words of the lexicon, and words of any length.


METRIC = "soundness"
"""The metric of the first answer; others need more words than the sample stores, or probes that it lacks."""
SPACES = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "answers": pl.String(),  # tokens, lexicon, words (`Space`)
        "targets": pl.UInt32(),
        "soundness": pl.Float64(),
        "no_word": pl.Float64(),  # the share of the probes whose first answer is no word
        "outside": pl.Float64(),  # the mean probability of all that is no word of the lexicon, or of the list
    }
)


def spaces(
    scores: list[ScoreFile],
    words: list[ScoreFile],
    lexicons: list[Lexicon],
    word_list: Words,
    gold: GoldStandard,
    choices: Choices,
) -> ShownTable:
    """Compare what counts as an answer (tokens, the lexicon, words of any length) on the sample of probes.

    `scores`, `words` and `lexicons`: a file of each agent that has answered with words of the `word_list` too.
    """
    rows = [
        spaces_of(own, tokens, these, word_list, gold, choices)
        for own, these, tokens in zip(scores, words, lexicons, strict=True)
    ]
    return pl.concat([pl.DataFrame(schema=SPACES), *rows])


def spaces_of(
    scores: ScoreFile,
    lexicon: pl.DataFrame,
    words: ScoreFile,
    word_list: pl.DataFrame,
    gold: GoldStandard,
    choices: Choices,
) -> pl.DataFrame:
    """Return an agent's averages in every answer space (SPACES), on the probes that all of them have answered.

    `scores`: its likeliest tokens, which are the words of `lexicon` (LEXICON). `words`: its likeliest words of `word_list`
    (WORDS).
    """
    of_spaces = rankings(scores, lexicon, gold.shared_lexicon, words, word_list=word_list)
    sampled = of_spaces["words"].responses.select("probe_id")
    tables = []
    for name, ranking in of_spaces.items():
        of_sample = Ranking(
            ranking.responses.join(sampled, on="probe_id", how="semi"),
            ranking.left_out.join(sampled, on="probe_id", how="semi"),
        )
        tables.append(_space_averages(of_sample, gold, choices).with_columns(answers=pl.lit(name)))
    table = pl.concat(tables).with_columns(
        agent=pl.lit(scores.agent), no_word=pl.when(answers="tokens").then("no_word").otherwise(0.0)
    )
    return table.select(list(SPACES)).cast(SPACES).sort("relation", maintain_order=True)


def _space_averages(ranking: Ranking, gold: GoldStandard, choices: Choices) -> pl.DataFrame:
    """Return the averages per relation of one answer space: over the prompts of a target first, then over targets."""
    wanted = [measure for measure in MEASURES if measure.name == METRIC]
    values = all_metrics(answers(ranking.responses, gold), choices, wanted).filter(metric=METRIC)
    about = gold.probes.select("probe_id", "target", "prompt_id").join(ranking.left_out, on="probe_id")
    joined = values.join(about, on=["target", "prompt_id"])
    targets = joined.group_by("relation", "target", maintain_order=True).agg(
        ordered_mean(pl.col("value", "no_word", "outside"))
    )
    return targets.group_by("relation").agg(
        targets=pl.len(),
        soundness=ordered_mean("value"),
        no_word=ordered_mean("no_word"),
        outside=ordered_mean("outside"),
    )


# What depends on which examples were drawn: the averages of an agent under each draw, on the sample of probes.


SHOTS_DRAWS = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "draw": pl.UInt8(),  # 1 is that of the other tables
        "targets": pl.UInt32(),
        "soundness": pl.Float64(),
        "completeness": pl.Float64(),
    }
)
COMPARED = ("soundness", "completeness")
"""The metrics of one probe at a time; the others need the probes that the sample lacks."""


def shots(
    scores: list[ScoreFile],
    draws: list[ScoreFile],
    lexicons: list[Lexicon],
    gold: GoldStandard,
    choices: Choices,
    *,
    spoken: list[str] | None = None,
) -> ShownTable:
    """Compare the draws of examples of every agent that has some, on a sample of the probes.

    `scores`, `draws` and `lexicons`: a file of each such agent. `spoken`: those that were asked in words.
    """
    rows = [
        draws_of(own, others, lexicon, gold, choices, spoken=own.agent in (spoken or []))
        for own, others, lexicon in zip(scores, draws, lexicons, strict=True)
    ]
    return pl.concat([pl.DataFrame(schema=SHOTS_DRAWS), *rows])


def draws_of(
    scores: ScoreFile,
    draws: ScoreFile,
    lexicon: Lexicon,
    gold: GoldStandard,
    choices: Choices,
    *,
    spoken: bool,
) -> pl.DataFrame:
    """Return the averages of an agent under each draw of examples (SHOTS_DRAWS), on the probes of the sample.

    `scores` and `draws`: its score files. `lexicon`: that of its model. `spoken`: it answers in words.
    """
    others = model_responses(draws, lexicon, spoken=spoken).with_columns(
        draw=pl.col("probe_id").str.extract(r"^(\d+) ").cast(pl.UInt8),
        probe_id=pl.col("probe_id").str.replace(r"^\d+ ", ""),
    )
    first = model_responses(scores, lexicon, spoken=spoken).join(others, on="probe_id", how="semi")
    parts = [(1, first), *((int(draw), rows.drop("draw")) for (draw,), rows in others.group_by("draw"))]
    tables = [_draw_averages(responses, gold, choices).with_columns(draw=pl.lit(draw)) for draw, responses in parts]
    table = pl.concat(tables).with_columns(agent=pl.lit(scores.agent))
    return table.select(list(SHOTS_DRAWS)).cast(SHOTS_DRAWS).sort("relation", "draw")


def _draw_averages(responses: pl.DataFrame, gold: GoldStandard, choices: Choices) -> pl.DataFrame:
    wanted = [measure for measure in MEASURES if measure.name in COMPARED]
    values = all_metrics(answers(responses, gold), choices, wanted).filter(pl.col("metric").is_in(COMPARED))
    targets = values.group_by("metric", "relation", "target", maintain_order=True).agg(ordered_mean("value"))
    sizes = targets.group_by("relation").agg(targets=pl.col("target").n_unique())
    wide = targets.group_by("relation", "metric").agg(ordered_mean("value")).pivot("metric", index="relation")
    missing = [pl.lit(None, pl.Float64).alias(name) for name in COMPARED if name not in wide.columns]
    return wide.with_columns(missing).select("relation", *COMPARED).join(sizes, on="relation")


# All of these at once, as the step `series` writes them.


def of_members(
    gold: GoldStandard,
    pairs: Pairs,
    tests: Tests,
    averages: Averages,
    metrics: dict[str, Metrics] | None = None,
    manifests: list[Path] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    blind: dict[str, Metrics] | None = None,
    people_metrics: dict[str, Metrics] | None = None,
    *,
    along: dict[str, Any],
    networks: dict[str, str],
    checkpoints: dict[str, Any] | None = None,
    people: list[str] | None = None,
    controls: list[str],
    targets: Literal["common", "own"] = "common",
    map_text: str = "none",
) -> ShownTables:
    """Average agents after each layer, test agents along series (`trends`), and list their values (`series`).

    `people_metrics`: those of the agents whose targets all agents are averaged over (`averages_of_layers`). The other
    arguments are those of the functions that are named here.
    """
    of_layers = None
    if layered:
        design = design_of(gold, (people_metrics or {}).values())
        of_layers = averages_of_layers(layered, targets, relations=gold.relations, design=design, pairs=pairs)
    members: dict[str, Any] = {"along": along, "networks": networks, "controls": controls, "map_text": map_text}
    tested = trends(gold.relata, tests, gold.relations, metrics, manifests, layered, blind, **members)
    about: dict[str, Any] = {"along": along, "people": people, "controls": controls, "checkpoints": checkpoints}
    values = series(averages, gold.relations, of_layers, **about)
    return {**({} if of_layers is None else {"layers": of_layers}), **tested, **values}
