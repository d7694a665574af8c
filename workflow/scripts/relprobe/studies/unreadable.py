"""Answers that cannot be read: an agent that gives too many of them has no value, and a sentence says why."""

MOST_UNREADABLE = 0.2
"""The largest share of answers that cannot be read with which an agent has values. Such answers are wrong ones: if they are
many, the values say whether the agent can write in the form of the task, and not what it knows. A model that has no chat
template and writes sentences has 1."""


def absence_of(share: float, what: str, remedy: str) -> str | None:
    """Return why an agent of which this share of the answers cannot be read has no value; None if it has some.

    `what`: what such answers do; `remedy`: what to do about it.

    >>> absence_of(0.5, "name no option", "let it think")
    'no value, as 50 % of its answers name no option (more than 20 %): let it think'
    >>> absence_of(0.2, "name no option", "let it think") is None
    True
    """
    if share <= MOST_UNREADABLE:
        return None
    return f"no value, as {100 * share:.0f} % of its answers {what} (more than {100 * MOST_UNREADABLE:.0f} %): {remedy}"
