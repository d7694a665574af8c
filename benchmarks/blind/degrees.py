"""Sampled small studies of degrees, and what their pages say of blind agents.

People's rating of a pair grows with how like its words are to those of the paradigms, with what connects them, and by
chance.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from relprobe.report.page_words import words_of
from relprobe.sources.semeval2012 import Subcategory, reverse
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.degrees.baselines import Control, baseline
from relprobe.studies.degrees.compare import agent_tests
from relprobe.studies.degrees.conditions import by_agent
from relprobe.studies.degrees.method import gold, rating_table, values
from relprobe.studies.degrees.schemas import QUESTIONS, RATINGS

from benchmarks.blind.door import Agent, Answer, Question, World, praises_in, weights_of

PAGE = words_of("degrees")
"""What the page says, with what analyses say at its head."""

SUBCATEGORIES, PAIRS, PARADIGMS = 24, 12, 3
CONTROLS: tuple[Control, ...] = ("random", "static", "typical")
RATER = "schema"
SHOWN = ("rho", "rho_without_reversals")


def praises(world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and its card in the study of a seed; each is judged as if it were alone."""
    study = study_of(world, np.random.default_rng(seed))
    people, questions = gold(study), pl.DataFrame(schema=QUESTIONS)
    controls = [
        baseline(study, vectors=None if name == "random" else world.vectors, agent=name, seed=seed) for name in CONTROLS
    ]
    seen = world.without({word for subcategory in study for pair in subcategory.pairs for word in pair.split(":")})
    said = [ratings_of(f"{name} {RATER}", agent(seen), study) for name, agent in agents.items()]
    measured = values(pl.concat([pl.DataFrame(schema=RATINGS), *said, *controls]), people, questions)
    measured = measured.filter(pl.col("metric").is_in([*SHOWN, "rated"]))
    parts = measured.partition_by("agent", as_dict=True, maintain_order=True)
    result = {}
    for name in agents:
        own_tables = [parts[(agent,)] for agent in (f"{name} {RATER}", *CONTROLS)]
        tests = agent_tests(by_agent(own_tables), AgentComparison([*CONTROLS]))
        tables = {"overview": _overview(own_tables), "tests": tests, "controls": beyond_controls(tests, CONTROLS)}
        result[name] = praises_in(name, PAGE.finding(tables, [name]), PAGE.headline(tables, [name]))
    return result


def study_of(world: World, chance: np.random.Generator) -> list[Subcategory]:
    """Return subcategories of pairs of a relation within a few families, with people's ratings and some reversed pairs."""
    pools = [
        sorted((word, relatum) for word, of in world.members[code].items() for relatum in of) for code in ("HYP", "MER")
    ]
    return [_subcategory(world, f"{number}a", pools[number % 2], chance) for number in range(1, SUBCATEGORIES + 1)]


def _subcategory(world: World, name: str, pool: list[tuple[str, str]], chance: np.random.Generator) -> Subcategory:
    drawn = [pool[place] for place in chance.choice(len(pool), size=PAIRS + PARADIGMS, replace=False)]
    spelled = list(dict.fromkeys(f"{x}:{y}" for x, y in drawn))
    paradigms, pairs = spelled[:PARADIGMS], spelled[PARADIGMS:]
    heads, tails = (world.unit([pair.split(":")[side] for pair in spelled]) for side in (0, 1))
    kind = (heads @ heads[:PARADIGMS].mean(axis=0) + tails @ tails[:PARADIGMS].mean(axis=0))[PARADIGMS:]
    attraction = (heads * tails).sum(axis=1)[PARADIGMS:]
    noise = chance.normal(size=len(pairs))
    ratings = dict(zip(pairs, (30 * kind + 30 * attraction + 15 * noise).tolist(), strict=True))
    turned = {reverse(pair): pair for pair in pairs[:2]}
    ratings |= {pair: ratings[was] - 60 for pair, was in turned.items()}
    return Subcategory(
        id=name,
        relation_class=f"class {name}",
        name=name,
        schema="[Y] goes with [X]",
        training=False,
        paradigms=tuple(paradigms),
        options=(),
        answer="",
        pairs={pair: place for place, pair in enumerate(chance.permutation(list(ratings)).tolist(), 1)},
        reversals=turned,
        questions=(),
        answers=(),
        ratings={pair: (value,) for pair, value in ratings.items()},
    )


def ratings_of(name: str, answer: Answer, study: list[Subcategory]) -> pl.DataFrame:
    """Return an agent's ratings (RATINGS)."""
    ratings: dict[tuple[str, str], float | None] = {}
    for subcategory in study:
        pairs = list(subcategory.pairs)
        given = weights_of(answer, Question("degrees", subcategory.id, subcategory.paradigms, pairs))
        weights = np.full(len(pairs), np.nan) if given is None else given
        for pair, weight in zip(pairs, weights, strict=True):
            ratings[subcategory.id, pair] = None if np.isnan(weight) else float(weight)
    return rating_table(name, ratings)


def _overview(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the mean ρ of each agent, as the page has it."""
    rows = pl.concat([table.with_columns(agent=pl.lit(name)) for name, table in by_agent(parts).items()])
    wide = rows.filter(condition="test").pivot("metric", index="agent", values="value", aggregate_function="mean")
    unknown = dict.fromkeys(("rho_without_reversals_low", "rho_without_reversals_high"), pl.lit(None, pl.Float64))
    return wide.with_columns(**unknown, subcategories=pl.lit(SUBCATEGORIES), **{"from": pl.lit("this run")})
