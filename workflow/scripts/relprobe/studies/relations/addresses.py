"""The addresses of views of the answers page: what a click on a number of the study's page leads to."""

from urllib.parse import urlencode

PAGE = "../answers.html"
"""The answers page, from the folder of the figures; the study's page lies beside it (`report.page.figure`)."""


def answers(
    agent: str | None = None,
    group: str | None = None,
    k: int | None = None,
    other: str | None = None,
    against: str | None = None,
) -> str:
    """Return the address of the probes of a relation (`group`), seen from an agent.

    `k`: one of the first k answers is to be right. `other`: only the probes with an answer in the set of that relation.
    `against`: only those that the agent answers rightly and this one wrongly.

    >>> answers("gpt2", "HYP", k=5)
    '../answers.html#group=HYP&a=gpt2&k=5'
    """
    show = None if against is None else "a-not-b"
    state = {"group": group, "a": agent, "b": against, "k": k, "other": other, "show": show}
    return f"{PAGE}#{urlencode({name: value for name, value in state.items() if value is not None})}"
