"""The addresses of views of the answers page: what a click on a number of the study's page or of a figure leads to."""

from relprobe.report.addresses import view
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import OPEN, PAIRED

VIEWS = {metric.name: PAIRED.get(metric.name, (metric.name,))[0] for metric in MEASURES if metric.title}
"""Metric that is decided at the slot -> the kind of probe whose answers are behind it, the first one of several."""


def answers(agent: str, metric: str, name: str, against: str | None = None) -> str | None:
    """Return the address of an agent's answers to the probes of a metric, or None if the page does not have them.

    `name`: the set of hyponyms, of whose prompts the first of each kind counts. `against`: only the probes that the agent
    answers rightly and this one wrongly.

    >>> answers("gpt2", "open@5", "extended")
    '../answers.html#group=open&prompt=extended+%28open%29&a=gpt2&k=5'
    >>> answers("gpt2", "singular_sentence", "extended")
    """
    if metric not in VIEWS:
        return None
    kind, k = ("open", OPEN[metric]) if metric in OPEN else (VIEWS[metric], 1)
    return view(group=kind, prompt=f"{name} ({kind})", a=agent, b=against, k=k)
