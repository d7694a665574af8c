"""The form of people's answers: the candidates of groups, which every participant ranks (Table 8)."""

import random
from collections.abc import Mapping

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Csv
from relprobe.studies.definitions.schemas import FEW, TASKS, Groups, Probes

FORM = pl.Schema(
    {
        "participant": pl.String(),
        "task": pl.String(),
        "question": pl.String(),  # the word (W2D) or the definition (D2W)
        "candidate": pl.String(),
        "rank": pl.UInt16(),  # empty
        "group": pl.String(),
    }
)
Candidates = Mapping[tuple[str, str], list[str]]
"""Task and group -> the texts of the candidates, the right one first."""


def questionnaire(
    groups: Groups, probes: Probes, *, participants: int = 2, each: int | None = None, seed: int = 1
) -> Csv:
    """Write the empty form of people's answers: groups of up to ten candidates, which every participant ranks.

    `participants`: their number. `each`: how many groups are drawn, the same for all; by default all are asked.
    """
    return form(candidates(groups, probes), groups, participants, each, seed)


def candidates(groups: Groups, probes: Probes) -> Candidates:
    """Return the candidates of every task of the groups as texts.

    >>> probes = pl.DataFrame({"definition": ["lower the head", "bend the body"], "words": [["nod", "bow"], ["nod"]]})
    >>> candidates(pl.DataFrame([{"group": "nod.v.01", "w2d": [0, 2], "d2w": [0, 1]}]), probes)
    {('w2d', 'nod.v.01'): ['lower the head', 'bend the body'], ('d2w', 'nod.v.01'): ['nod', 'bow']}
    """
    pairs = probes.select("definition", word="words").explode("word")
    texts = dict(zip(TASKS, (pairs["definition"], pairs["word"]), strict=True))
    return {
        (task, group): texts[task].gather(numbers).to_list()
        for group, *of_tasks in groups.select("group", *TASKS).iter_rows()
        for task, numbers in zip(TASKS, of_tasks, strict=True)
        if numbers
    }


def form(of_groups: Candidates, groups: Groups, participants: int, each: int | None, seed: int) -> pl.DataFrame:
    """Return the empty form (FORM): every participant ranks the candidates of groups of up to FEW candidates.

    Both tasks are asked of a group. Tasks and candidates are in a random order of their own for each participant. `each`:
    how many groups, drawn once for all participants; None takes all. DataError: there are no such groups, or fewer.
    """
    small = [group for group in groups["group"] if all(2 <= len(of_groups.get((t, group), ())) <= FEW for t in TASKS)]
    if len(small) < (each or 1):
        raise DataError(
            f"the study has {len(small)} groups of up to {FEW} candidates, but {each or 1} are asked for: take a larger "
            "sample, or fewer groups."
        )
    chosen = set(random.Random(seed).sample(small, each or len(small)))  # noqa: S311
    about = {
        group: dict(zip(TASKS, texts, strict=True))
        for group, *texts in groups.select("group", "word", "definition").rows()
    }
    rows = []
    for person in range(1, participants + 1):
        order = random.Random(f"{seed} {person}")  # noqa: S311
        tasks = [(task, group) for task in TASKS for group in small if group in chosen]
        for task, group in order.sample(tasks, len(tasks)):
            texts = of_groups[task, group]
            question = about[group][task]
            rows += [(str(person), task, question, text, None, group) for text in order.sample(texts, len(texts))]
    return pl.DataFrame(rows, schema=FORM, orient="row")
