"""A warning on every study's page about an agent that is below its controls."""

from collections.abc import Collection

import polars as pl

from relprobe.core.words import first_few


def warnings(tests: pl.DataFrame, models: Collection[str], control: str = "frequency") -> str:
    """Warn of each model that is above a control nowhere: no interval of their difference lies above 0. "" if there is none.

    `tests`: TESTS. Such a model may be poor, or something is wrong with it: permuted token ids, or damaged weights.

    >>> columns = ["agent_a", "agent_b", "difference", "low", "high"]
    >>> rows = [("m", "frequency", 0.1, -0.1, 0.3), ("frequency", "n", -0.2, -0.3, -0.1)]
    >>> warnings(pl.DataFrame(rows, schema=columns, orient="row"), ["m", "n"])
    "Warning: m is nowhere clearly above the control frequency, which knows nothing of the question. Look at the model's \
answers, its tokenizer and its weights before you use its numbers."
    >>> many = pl.DataFrame([(f"m{n}", "frequency", 0.1, -0.1, 0.3) for n in range(28)], schema=columns, orient="row")
    >>> warnings(many, [f"m{n}" for n in range(28)])[:72]
    'Warning: m0, m1, m2, m3, m4 and 23 more are nowhere clearly above the co'
    """
    first = tests.filter(agent_b=control).select(agent="agent_a", low="low")
    second = tests.filter(agent_a=control).select(agent="agent_b", low=-pl.col("high"))
    least = (
        pl.concat([first, second]).group_by("agent").agg(pl.col("low").max().fill_null(0.0)).filter(pl.col("low") <= 0)
    )
    below = [model for model in models if model in set(least["agent"])]
    if not below:
        return ""
    verb, what, whose = (
        ("are", "their answers, tokenizers and weights", "their")
        if len(below) > 1
        else ("is", "the model's answers, its tokenizer and its weights", "its")
    )
    return (
        f"Warning: {first_few(below)} {verb} nowhere clearly above the control {control}, which knows nothing of the "
        f"question. Look at {what} before you use {whose} numbers."
    )
