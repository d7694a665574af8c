"""Sampled small studies of systematicity, and what their pages say of blind agents."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from relprobe.report.page_words import words_of
from relprobe.sources.static_vectors import StaticVectors
from relprobe.sources.systematicity import ITEMS
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.systematicity.analyses.consistency import consistency
from relprobe.studies.systematicity.baselines import majority, nearest_scores, static_scores
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import responses
from relprobe.studies.systematicity.method import values as values_of
from relprobe.studies.systematicity.schemas import PAIRS, PROBES, SCORES

from benchmarks.blind.door import Agent, Answer, Question, World, praises_in, weights_of

PAGE = words_of("systematicity")
"""What the page says, with what analyses say at its head."""

CATEGORIES, HYPONYMS = 10, 11
NOISE = 1.3
"""So that the control nearest has six of ten right, and static four: in a default study they have 0.67 and 0.55."""
SET = "extended"
SHOWN = [metric for metric in MEASURES if metric.name in ("singular", "plural", "singular_plural")]
CONTROLS = ("majority", "static", "nearest")
TOP = 5


def praises(world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and its card in the study of a seed; each is judged as if it were alone."""
    items = study_of(world, np.random.default_rng(seed))
    probes, placed = probes_of(items), with_plurals(world)
    controls = {
        "majority": majority(items, pl.DataFrame(schema=PAIRS)),
        "static": values_of(responses(static_scores(placed.vectors, probes, TOP), probes, items)),
        "nearest": values_of(responses(nearest_scores(placed.vectors, probes, items), probes, items)),
    }
    seen = placed.without(items["hyponym"])
    values = dict(controls)
    for name, agent in agents.items():
        answer = agent(seen)
        answered = responses(scores_of(answer, probes), probes, items)
        values[name] = values_of(answered)
        values[f"{name}+control"] = values_of(answered, control=True)
    blank = [f"{name}+control" for name in agents]
    every = [*CONTROLS, *blank]
    values = {name: table.filter(~pl.col("metric").str.starts_with("open")) for name, table in values.items()}
    tests = AgentComparison(every, list(agents)).tests(values, SHOWN)
    beyond = beyond_controls(tests, every)
    result = {}
    for name in agents:
        compared = [name, *CONTROLS, f"{name}+control"]
        compared_values = {agent: values[agent] for agent in compared}
        tables = {
            "overview": _overview(compared_values),
            "tests": tests.filter(pl.col("agent_a").is_in(compared), pl.col("agent_b").is_in(compared)),
            "controls": beyond.filter(agent=name),
            "consistency": consistency(compared_values),
        }
        result[name] = praises_in(name, PAGE.finding(tables, [name]), PAGE.headline(tables, [name]))
    return result


def study_of(world: World, chance: np.random.Generator) -> pl.DataFrame:
    """Return the items (ITEMS) of some categories, which are hypernyms of one family each, of different sizes."""
    kinds = sorted((head, sorted(set(of))) for head, of in world.members["HPO"].items() if 6 <= len(of) <= 12)
    rows: list[tuple[str | None, ...]] = []
    taken: set[str] = set()
    for place in chance.permutation(len(kinds)):
        category, of = kinds[place]
        left = [word for word in chance.permutation(of) if word not in taken and word != category]
        if len({row[2] for row in rows}) == CATEGORIES:
            break
        for word in left[: int(chance.integers(5, HYPONYMS + 1))]:
            taken.add(word)
            rows.append(
                (SET, word, category, f"{word}s", f"{category}s", f"A {word} is a [V].", f"{word}s are [V].", None)
            )
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def probes_of(items: pl.DataFrame) -> pl.DataFrame:
    """Return the probes (PROBES) in both numbers, and their controls, which name no relation."""
    rows: list[tuple[object, ...]] = []
    for number, word, category in (
        ("singular", "hyponym", "category"),
        ("plural", "hyponym_plural", "category_plural"),
    ):
        candidates = items[category].unique().sort().to_list()
        for kind in (number, f"control_{number}"):
            for row in items.iter_rows(named=True):
                probe_columns = (
                    f"{SET}:{kind}:{row['hyponym']}",
                    SET,
                    kind,
                    "paper",
                    True,
                    row["hyponym"],
                    row[word],
                    row[number],
                )
                rows.append((*probe_columns, candidates, []))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def with_plurals(world: World) -> World:
    """Return the world with vectors of words and of their plurals, of which the nearest is often of another family."""
    chance = np.random.default_rng(1)
    names = list(world.vectors.rows)
    exact = world.vectors.matrix[[world.vectors.rows[name] for name in names]]
    noisy = exact + chance.normal(scale=NOISE, size=exact.shape)
    plurals = noisy + chance.normal(scale=0.3, size=exact.shape)
    rows = {name: place for place, name in enumerate([*names, *(f"{name}s" for name in names)])}
    vectors = StaticVectors(rows, np.concatenate([noisy, plurals]).astype(np.float32))
    return replace(world, vectors=vectors, known={})


def scores_of(answer: Answer, probes: pl.DataFrame) -> pl.DataFrame:
    """Return what an agent answers to each probe (SCORES); one that names no relation asks for nothing."""
    rows: list[tuple[object, ...]] = []
    for probe, kind, hyponym, candidates in probes.select("probe_id", "kind", "hyponym", "candidates").iter_rows():
        asked = "" if kind.startswith("control") else kind
        given = weights_of(answer, Question("systematicity", asked, (hyponym,), candidates))
        if given is not None:
            rows.append((probe, "slot", candidates, np.nan_to_num(given, nan=-99.0).tolist(), [], []))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def _overview(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the means of each agent, as the page has them."""
    rows = pl.concat([table.with_columns(agent=pl.lit(name)) for name, table in values.items()])
    wide = rows.pivot("metric", index=["condition", "agent"], values="value", aggregate_function="mean")
    return wide.rename({"condition": "set"}).with_columns(own_hyponyms=pl.lit(value=False))
