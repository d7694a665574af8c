"""The empty form of a CSV file of people's answers, made from the probes of the study."""

import random

import polars as pl

from relprobe.core.files import Csv
from relprobe.sources.catch_items import CATCH, ITEMS
from relprobe.studies.relations.ask.prompts import DETERMINER, SLOT, Prompts
from relprobe.studies.relations.schemas import Probes

FORM = pl.Schema(
    {
        "participant": pl.String(),
        "question": pl.String(),  # what the participant reads
        "rank": pl.UInt16(),
        "answer": pl.String(),  # empty
        "target": pl.String(),
        "relation": pl.String(),
        "prompt": pl.String(),  # its id
    }
)
GAP = "___"


def form(
    probes: Probes,
    prompts: Prompts,
    *,
    participants: int = 4,
    words: int = 5,
    each: int | None = None,
    catch: int = len(ITEMS),
    seed: int = 1,
) -> Csv:
    """Write the empty form of a file of people's answers (FORM; docs/how-to/peoples-answers.md): probes in random order.

    Each of the `participants` has a row for each of the `words` that he or she may answer to a probe. With `each`, a
    participant gets so many probes, and else all. They are dealt out in turn from a shuffled pack, so that the numbers of
    people per probe differ by one at most; no one gets a probe twice. The gap stands for the article as well. Among the
    probes of each participant are `catch` English catch items, with one answer each; who fails one is left out when they are
    read (`relprobe.sources.catch_items`). 0 leaves them out, for forms in other languages.

    >>> from relprobe.studies.relations.ask.prompts import Prompt
    >>> probe = {"relation": "HYP", "target": "robin", "prompt_id": "is", "kind": "main", "text": "a robin is [DET] [V]"}
    >>> form(pl.DataFrame([probe]), [Prompt("is", "HYP", "", "")], participants=1, words=2, catch=0).rows()[1]
    ('1', 'a robin is ___', 2, '', 'robin', 'HYP', 'is')
    """
    main = probes.filter(kind="main").sort("target", "prompt_id")
    ids = {prompt.id for prompt in prompts}
    rows = main.filter(pl.col("prompt_id").is_in(ids)).select("text", "target", "relation", "prompt_id").rows()
    shuffled = random.Random(seed).sample(rows, len(rows))  # noqa: S311
    number = len(rows) if each is None else min(each, len(rows))
    sheets = []
    for person in range(participants):
        own = [shuffled[(person * number + place) % len(rows)] for place in range(number)] if rows else []
        own += [(item.question, item.accepted, CATCH, item.question) for item in ITEMS[:catch]] if rows else []
        sheets += [
            (str(person + 1), _question(text), rank, "", target, relation, prompt)
            for text, target, relation, prompt in random.Random(f"{seed} {person}").sample(own, len(own))  # noqa: S311
            for rank in range(1, 1 + (1 if relation == CATCH else words))
        ]
    return pl.DataFrame(sheets, schema=FORM, orient="row")


def _question(text: str) -> str:
    return text.replace(f"{DETERMINER} {SLOT}", SLOT).replace(SLOT, GAP)
