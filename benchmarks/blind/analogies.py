"""Sampled small studies of analogies, and what their pages say of blind agents.

The tuples of a relation lead from words of one family to words of another one, each by the same difference and some noise.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from relprobe.report.page_words import words_of
from relprobe.sources.static_vectors import StaticVectors
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.compare import query_tests
from relprobe.studies.analogies.features import PairFeatures
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import Split, by_features, decisions_of, instances, tuples
from relprobe.studies.analogies.method import values as metrics
from relprobe.studies.analogies.pair_vectors import differences, vector_table
from relprobe.studies.analogies.pair_vectors import pairs as pairs_of
from relprobe.studies.analogies.schemas import ANALOGIES
from relprobe.studies.analogies.swapped import swapped_queries
from relprobe.studies.analogies.tables import swapped_queries as swapped_table

from benchmarks.blind.door import Agent, Answer, Question, World, praises_in, weights_of

PAGE = words_of("analogies")
"""What the page says, with what analyses say at its head."""

RELATIONS, TUPLES, INSTANCES, SWAPPED = 14, 12, 40, 40
STEP = 0.3
"""So that static vectors have eight of ten reversed pairs right; in the demonstration of the study they have 0.93."""
STATIC = "static"
SHOWN = [metric for metric in MEASURES if metric.name.startswith("unsupervised reverse")]


def praises(world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and its card in the study of a seed; each is judged as if it were alone."""
    chance = np.random.default_rng(seed)
    pairs, placed = study_of(world, chance)
    split = Split(train_share=0.4, seed=seed)
    table = tuples(pairs, None, split)
    built = instances(table, pairs, INSTANCES, seed, Choices())
    asked = pl.concat([built, swapped_queries(built, table, SWAPPED, seed)])
    asked = asked.filter(partition="test", probe="reverse")
    values = {STATIC: metrics(_static(asked, placed.vectors), table)}
    values |= {name: metrics(decisions(agent(placed), asked), table) for name, agent in agents.items()}
    values = {name: table.filter(condition="All") for name, table in values.items()}
    result = {}
    for name in agents:
        agent_values = {agent: values[agent] for agent in (name, STATIC)}
        comparing = AgentComparison([STATIC])
        tests = comparing.tests(agent_values, SHOWN)
        tables = {
            "overview": _overview(agent_values),
            "tests": tests,
            "controls": beyond_controls(tests, [STATIC]),
            "swapped": swapped_table(query_tests(agent_values, comparing.kinds(agent_values)), table),
        }
        result[name] = praises_in(name, PAGE.finding(tables, [name]), PAGE.headline(tables, [name]))
    return result


def study_of(world: World, chance: np.random.Generator) -> tuple[pl.DataFrame, World]:
    """Return the tuples (ANALOGIES), and the world with the vectors of their words."""
    words = chance.permutation(world.words.to_list())[: 2 * RELATIONS * TUPLES].tolist()
    rows, vectors, heads = [], [], []
    for number in range(RELATIONS):
        kind, step = chance.normal(size=(2, 24))
        for _ in range(TUPLES):
            head, tail = words.pop(), words.pop()
            vector = kind + chance.normal(scale=0.9, size=24)
            vectors += [vector, vector + STEP * step + chance.normal(scale=0.9, size=24)]
            heads += [head, tail]
            rows.append((f"R{number:02}", f"relation {number}", head, [tail], f"G{number % 2}", ""))
    placed = StaticVectors({word: place for place, word in enumerate(heads)}, np.array(vectors, np.float32))
    return pl.DataFrame(rows, schema=ANALOGIES, orient="row"), World(
        world.words, placed, world.sets, world.relations, world.uses
    )


def decisions(answer: Answer, asked: pl.DataFrame) -> pl.DataFrame:
    """Return which of two pairs an agent takes for each instance (DECISIONS); a tie counts one half."""
    values: list[float | None] = []
    columns = ("probe", "query_head", "query_tail", "head", "tail", "negative_head", "negative_tail")
    for probe, *words in asked.select(columns).iter_rows():
        query, options = (words[0], words[1]), [":".join(words[2:4]), ":".join(words[4:])]
        turned = sorted(options)  # no agent sees which pair is the right one
        given = weights_of(answer, Question("analogies", probe, query, turned))
        right = None if given is None else given[turned.index(options[0])] - given[turned.index(options[1])]
        values.append(None if right is None or np.isnan(right) else (np.sign(right) + 1) / 2)
    return decisions_of(asked, pl.Series(values, dtype=pl.Float64))


def _static(asked: pl.DataFrame, vectors: StaticVectors) -> pl.DataFrame:
    """Return the decisions of differences of static vectors."""
    vectors_of_pairs = pl.DataFrame(vector_table(list(differences(pairs_of(asked), vectors)))).drop_nulls("vector")
    parts = asked.partition_by("relation", maintain_order=True)
    return pl.concat(
        [by_features(rows, PairFeatures(vectors_of_pairs.filter(relation=rows["relation"][0]))) for rows in parts]
    )


def _overview(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the accuracies of each agent over all relations, as the page has them."""
    rows = pl.concat([table.with_columns(agent=pl.lit(name)) for name, table in values.items()])
    wide = rows.pivot("metric", index=["condition", "agent"], values="value", aggregate_function="mean")
    return wide.rename({"condition": "group"}).with_columns(own_tuples=pl.lit(value=False))
