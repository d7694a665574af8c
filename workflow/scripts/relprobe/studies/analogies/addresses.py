"""The addresses of views of the answers page: what a click on a number of the study's page leads to."""

from urllib.parse import urlencode

from relprobe.studies.analogies.metrics import ALL
from relprobe.studies.analogies.schemas import PROBE_TYPES

PAGE = "../answers.html"
"""The answers page, from the folder of the figures; the study's page lies beside it (`report.page.figure`)."""


def answers(agent: str, setting: str, probe: str, condition: str = ALL) -> str:
    """Return the address of an agent's choices in a probe, of which only the unsupervised ones are on the page.

    `condition`: a group or a relation, which the choices are searched for.

    >>> answers("gpt2", "unsupervised", "reverse")
    '../answers.html#a=gpt2&group=reverse'
    """
    state = {"a": agent}
    if setting == "unsupervised" and probe in PROBE_TYPES:
        state["group"] = probe.replace("_", " ")
    return f"{PAGE}#{urlencode(state)}"
