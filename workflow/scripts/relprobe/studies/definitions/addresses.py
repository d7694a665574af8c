"""The addresses of views of the answers page: what a click on a number of the study's page or of a figure leads to."""

from relprobe.report.addresses import view

TEXTS = {"w2d": "{}: which definition?", "d2w": "“{}”: which word?"}
"""Task -> what the answers page calls a task, of its word or definition."""


def group(task: str, pos: str) -> str:
    """Return what the answers page calls the tasks of a part of speech.

    >>> group("w2d", "noun")
    'W2D nouns'
    """
    return f"{task.upper()} {pos}s"


def text(task: str, word: str, definition: str) -> str:
    """Return what the answers page calls a task.

    >>> text("d2w", "nod", "lower the head")
    '“lower the head”: which word?'
    """
    return TEXTS[task.lower()].format({"w2d": word, "d2w": definition}[task.lower()])


def answers(
    agent: str, task: str, pos: str, k: int | None = None, against: str | None = None, probe: str | None = None
) -> str:
    """Return the address of an agent's answers to the tasks of a part of speech.

    `k`: the right candidate is to be among the first k. `against`: only the tasks that the agent answers rightly and this
    one wrongly. `probe`: the task to show first (`text`).

    >>> answers("gpt2", "w2d", "noun", k=1)
    '../answers.html#group=W2D+nouns&a=gpt2&k=1'
    """
    return view(group=group(task, pos), a=agent, b=against, k=k, probe=probe)
