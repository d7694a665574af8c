"""The addresses of views of the answers page: what a click on a number of a study's page leads to."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

PAGE = "../answers.html"
"""The answers page, from the folder of the figures; the study's page is next to it, and takes its own way there."""


def view(**state: str | int | None) -> str:
    """Return the address of a view of the answers page, from what its form holds; None is what the view leaves open.

    Of the form, `group` is that of the probes, `a` an agent, and `k` says that one of the first k answers is to be right.
    With another agent `b`, the view has only the probes that `a` answers rightly and `b` wrongly.

    >>> view(group="HYP", a="gpt2", k=5)
    '../answers.html#group=HYP&a=gpt2&k=5'
    >>> view(a="gpt2", b="bert", k=None)
    '../answers.html#a=gpt2&b=bert&show=a-not-b'
    """
    state |= {} if state.get("b") is None else {"show": "a-not-b"}
    return f"{PAGE}#{urlencode({name: value for name, value in state.items() if value is not None})}"


def agents_of_difference(row: Mapping[str, Any], column: str) -> tuple[str, str] | None:
    """Return the better agent and the worse one at the difference of a row of tests; None at every other cell.

    >>> agents_of_difference({"agent_a": "bert", "agent_b": "gpt2", "difference": -0.25}, "difference")
    ('gpt2', 'bert')
    """
    if column != "difference" or row[column] is None:
        return None
    agents = str(row["agent_a"]), str(row["agent_b"])
    return agents if row[column] >= 0 else agents[::-1]
