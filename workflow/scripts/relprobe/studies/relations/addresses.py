"""The addresses of views of the answers page: what a click on a number of the study's page or of a figure leads to."""

from relprobe.report.addresses import view

ON_THE_PAGE = {"annotator": "humans"}
"""An agent that the page does not show -> the agent whose answers stand for its own: the page has all people together."""


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
    >>> answers("annotator", "HYP")
    '../answers.html#group=HYP&a=humans'
    """
    a, b = (ON_THE_PAGE.get(name, name) if name else None for name in (agent, against))
    return view(group=group, a=a, b=b, k=k, other=other)
