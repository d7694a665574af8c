"""How often does a page praise an agent that does not know what is asked? Blind agents in sampled small studies.

    python -m benchmarks.blind --studies 100
    python -m benchmarks.blind relations --results results/relations --vectors resources/fetched/static_vectors.json

Each study is sampled a hundred times, from a world of simulated words, or from the words of a finished study of relations.
Its agents answer without a network; their answers are measured, tested and put into sentences by the product's own code,
beside the product's own controls. A praise is any sentence of the page's head, its folded findings or its card, and any
verdict, that says an agent is ahead, uses what it is asked, or has a value, unless it says that a control may have as much.

A blind agent is a function of the world (`World`) that returns a function of a question (`Question`): the weight of each of
its options, or None. To add one, write it in agents.py, or in any module that is imported before the suite runs:

    @blind("relations", "definitions")  # blind() is for all studies
    def shortest(world: World) -> Answer:
        \"\"\"Answer with the shortest option.\"\"\"
        return lambda question: [-len(option) for option in question.options]

What is mended where an agent is praised is the claim or its control, and not the agent.
"""

import importlib
from collections.abc import Iterable, Mapping

import polars as pl

from benchmarks.blind import agents as _agents  # noqa: F401  # its decorators fill AGENTS
from benchmarks.blind.door import AGENTS, STUDIES, Agent, Answer, Question, World, blind

__all__ = ["AGENTS", "STUDIES", "Agent", "Answer", "Question", "World", "blind", "praises", "rates"]


def praises(study: str, world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and the card in the sampled study of a seed; each is the only model of it."""
    praise_lists: dict[str, list[str]] = importlib.import_module(f"benchmarks.blind.{study}").praises(
        world, agents, seed
    )
    return praise_lists


def rates(study: str, world: World, seeds: Iterable[int], agents: Mapping[str, Agent] | None = None) -> pl.DataFrame:
    """Return agent, studies, praised and praise: the share of sampled studies that praise it, and the commonest praise."""
    asked = AGENTS[study] if agents is None else agents
    said: dict[str, list[list[str]]] = {name: [] for name in asked}
    for seed in seeds:
        for name, found in praises(study, world, asked, seed).items():
            said[name].append(found)
    rows = []
    for name, samples in said.items():
        every = [praise for sample in samples for praise in sample]
        commonest = max(dict.fromkeys(every), key=every.count, default="")
        rows.append((name, len(samples), sum(map(bool, samples)) / len(samples), commonest))
    return pl.DataFrame(rows, schema=["agent", "studies", "praised", "praise"], orient="row")
