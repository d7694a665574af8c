"""The addresses of views of the answers page: what a click on a number of the study's page or of a figure leads to."""

from relprobe.report.addresses import view
from relprobe.studies.analogies.schemas import PROBE_TYPES


def answers(
    agent: str, setting: str, probe: str, relation: str | None = None, against: str | None = None
) -> str | None:
    """Return the address of an agent's choices in a probe, or None in the supervised setting.

    In that setting the decisions are averages over classifiers, and the page does not have them. `relation`: the name of
    one relation; without it, the choices of all relations. `against`: only those that the agent makes rightly and this one
    wrongly.

    >>> answers("gpt2", "unsupervised", "reverse")
    '../answers.html#group=reverse&a=gpt2&k=1'
    >>> answers("gpt2", "supervised", "reverse")
    """
    if setting != "unsupervised":
        return None
    group = probe.replace("_", " ") if probe in PROBE_TYPES else None  # random is the mean of two probes
    prompt = f"{relation} ({group})" if relation and group else None
    return view(group=group, prompt=prompt, a=agent, b=against, k=1)
