"""How many probes a study of own tuples has, and how many answers they need, before anything runs."""

from collections.abc import Iterable, Mapping

import polars as pl

from relprobe.core.relation import Relations, augment


def probes_and_answers(
    tuples: pl.DataFrame, relations: Relations, prompts: Iterable[str], candidates: Mapping[str, int] | None
) -> tuple[int, int]:
    """Return the probes of tuples (TUPLES), main and trick, and the answers that a model gives to all of them.

    `prompts`: the relation of each prompt. `candidates`: relation -> words of its closed list; None where answers are tokens
    or words of a list, which a model ranks in one answer. As `ask.probes.probes` counts, but without their texts.

    >>> from relprobe.core.relation import Relation
    >>> codes = Relations((Relation("HYP", "kind", "HPO"), Relation("HPO", "example", "HYP")))
    >>> rows = pl.DataFrame({"target": ["robin", "duck"], "relation": "HYP", "relatum": "bird", "sources": [["own"]] * 2})
    >>> probes_and_answers(rows, codes, ["HYP", "HYP", "HPO"], {"HYP": 1, "HPO": 2})  # robin, duck and bird, three times
    (9, 12)
    """
    every = augment(tuples, relations.inverse)
    targets = {code: set(every.filter(relation=code)["target"]) for code in relations.codes}
    probes = answers = 0
    for relation in prompts:
        asked = len(targets[relation] | targets[relations.inverse[relation]])
        probes += asked
        answers += asked * (1 if candidates is None else candidates.get(relation, 1))
    return probes, answers
