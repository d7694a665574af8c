"""Sampled small studies of definitions, and what their pages say of blind agents.

A definition is made of a hypernym of its word, the part that it has, and words of its family: "the HYPERNYM with PART and
WORD WORD". The candidates of a group are words with a common hypernym, and their definitions.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from relprobe.report.page_words import words_of
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.definitions.analyses.leaks import COLUMNS
from relprobe.studies.definitions.baselines import baseline
from relprobe.studies.definitions.compare import compare_agents, primary
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.method import PairScores, rank_candidates
from relprobe.studies.definitions.schemas import GROUPS, POS, PROBES, PROPERTIES, TASKS

from benchmarks.blind.door import Agent, Answer, Question, World, praises_in, weights_of

PAGE = words_of("definitions")
"""What the page says, with what analyses say at its head."""

KNOWN = {**PROPERTIES, **COLUMNS}
"""The columns of the properties of groups, with that of the analysis of leaks."""
GROUPS_OF_POS = 20
CANDIDATES = 7
CONTROLS = ("random", "length", "frequency", "static")


def praises(world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and its card in the study of a seed; each is judged as if it were alone."""
    groups, probes, properties = study_of(world, np.random.default_rng(seed))
    words = pl.DataFrame({"word": list(world.uses), "uses": [1e9 * use for use in world.uses.values()]})
    given = {"length": {}, "random": {}, "static": {"vectors": world.vectors}, "frequency": {"words": words}}
    controls = {name: baseline(groups, probes, agent=name, **given[name]) for name in CONTROLS}  # type: ignore[arg-type]
    seen = world.without(probes["words"].explode())
    said = {
        name: rank_candidates(scores_of(agent(seen), groups, probes), groups, probes) for name, agent in agents.items()
    }
    values = {name: metrics(table, properties) for name, table in {**said, **controls}.items()}
    comparing = AgentComparison(list(CONTROLS), list(agents))
    tests = compare_agents(values, comparing)
    beyond = beyond_controls(tests, CONTROLS)
    pooled = primary(values, comparing)
    result = {}
    for name in agents:
        tables = {
            "overview": _overview({agent: values[agent] for agent in (name, *CONTROLS)}),
            "tests": tests.filter(
                pl.col("agent_a").is_in([name, *CONTROLS]), pl.col("agent_b").is_in([name, *CONTROLS])
            ),
            "controls": beyond.filter(agent=name),
            "primary": pooled.filter(agent=name),
        }
        result[name] = praises_in(name, PAGE.finding(tables, [name]), PAGE.headline(tables, [name]))
    return result


def study_of(world: World, chance: np.random.Generator) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the groups (GROUPS), the probes (PROBES) and the properties of the groups (PROPERTIES)."""
    heads = sorted((head, sorted(set(of))) for head, of in world.members["HPO"].items() if len(of) >= CANDIDATES)
    pos_of = {head: POS[place % 2] for place, (head, _) in enumerate(heads)}
    drawn: dict[str, list[tuple[str, str, list[str]]]] = {pos: [] for pos in POS}
    for place in chance.permutation(len(heads) * 4):
        head, of = heads[place % len(heads)]
        if len(drawn[pos_of[head]]) < GROUPS_OF_POS:
            target, *distractors = chance.permutation(of)[:CANDIDATES].tolist()
            drawn[pos_of[head]].append((head, target, distractors))
    probes: list[tuple[object, ...]] = []
    groups: list[tuple[object, ...]] = []
    numbers = 0
    for pos, rows in drawn.items():
        scored_words: dict[str, list[str]] = {}  # the defined word -> the words that its definition is scored with
        for _, target, distractors in rows:
            for word in (target, *distractors):
                scored_words.setdefault(word, [word])
                scored_words[word] += [target] if word != target and target not in scored_words[word] else []
            scored_words[target] += [word for word in distractors if word not in scored_words[target]]
        texts = {word: _definition(world, word, chance) for word in scored_words}
        place_of = {}
        for word, scored in scored_words.items():
            probes.append((f"{pos}:{len(probes)}", pos, texts[word], scored, 1))
            place_of.update({(word, other): numbers + at for at, other in enumerate(scored)})
            numbers += len(scored)
        for number, (head, target, distractors) in enumerate(rows):
            w2d = [place_of[word, target] for word in (target, *distractors)]
            d2w = [place_of[target, word] for word in (target, *distractors)]
            groups.append((f"{target}.{pos}.{number}", pos, target, texts[target], 5, head, w2d, d2w))
    table = pl.DataFrame(groups, schema=GROUPS, orient="row")
    columns = {"synsets": CANDIDATES, "kept": True, "drawn": True, "tokens": 1, "leak": None, "joined": None}
    properties = table.with_columns(
        *(pl.lit(value).alias(name) for name, value in columns.items()),
        w2d=pl.col("w2d").list.len(),
        d2w=pl.col("d2w").list.len(),
        uses=pl.Series(1e9 * world.use(table["word"].to_list())),
    )
    return table, pl.DataFrame(probes, schema=PROBES, orient="row"), properties.select(list(KNOWN)).cast(KNOWN)  # type: ignore[arg-type]


def _definition(world: World, word: str, chance: np.random.Generator) -> str:
    """Return a definition of a word, with two words that are no more near to it than to the others of its family."""
    head = chance.choice(sorted(world.members["HYP"].get(word, [word])))
    part = chance.choice(sorted(world.members["MER"].get(word, [word])))
    family = sorted(set(world.members["HPO"].get(str(head), [])) - {word}) or [word]
    return f"the {head} with {part} and {' '.join(chance.choice(family, size=2))}"


def scores_of(answer: Answer, groups: pl.DataFrame, probes: pl.DataFrame) -> PairScores:
    """Return an agent's score of every pair; a pair without an answer has −inf."""
    words = probes["words"].explode().to_list()
    texts = probes.select(pl.col("definition").repeat_by(pl.col("words").list.len()).explode())["definition"].to_list()
    scores = {task: np.full(len(words), -np.inf) for task in TASKS}
    for task in TASKS:
        asked, options = (words, texts) if task == "w2d" else (texts, words)
        for right_first in groups[task].to_list():
            places = sorted(right_first, key=lambda place: options[place])  # no agent sees which one is right
            question = Question("definitions", task, (asked[right_first[0]],), [options[place] for place in places])
            given = weights_of(answer, question)
            if given is not None:
                scores[task][places] = np.nan_to_num(given, nan=-np.inf)
    return scores


def _overview(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the means of each agent and part of speech, as the page has them."""
    rows = pl.concat([table.with_columns(agent=pl.lit(name)) for name, table in values.items()])
    rows = rows.filter(pl.col("condition").is_in(list(POS)))
    wide = rows.pivot("metric", index=["condition", "agent"], values="value", aggregate_function="mean")
    return wide.rename({"condition": "part_of_speech"}).with_columns(own_groups=pl.lit(value=False))
