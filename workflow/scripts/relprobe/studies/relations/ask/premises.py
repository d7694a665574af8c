"""The premise of a prompt: the prompt without its target, which says how likely words are after any target."""

import re
from collections.abc import Iterable

import polars as pl

from relprobe.sources.language import Articles
from relprobe.studies.relations.ask.premise_requests import PREMISES
from relprobe.studies.relations.ask.prompts import DETERMINER, MARK, TARGET, Prompt
from relprobe.studies.relations.ask.verbalise import verbalise


def premise(prompt: Prompt) -> str | None:
    """Return a prompt without its target, or None if no word is left beside the slot.

    >>> premise(Prompt("p", "HYP", "[DET] [W] is a kind of [DET] [V]", ""))
    'is a kind of [DET] [V]'
    >>> premise(Prompt("p", "HYP", "[W]: [V]", "")) is None
    True
    """
    text = prompt.text.replace(f"{DETERMINER} {TARGET}", "").replace(TARGET, "")
    text = " ".join(text.split()).lstrip(" ,.;:")
    return text if re.search(r"\w", MARK.sub("", text)) else None


def premises(prompts: Iterable[Prompt], articles: Articles) -> pl.DataFrame:
    """Return the premises of all prompts (PREMISES), with each article before the slot, as the probes have them.

    >>> table = premises([Prompt("p", "HYP", "[DET] [W] is [DET] [V]", "")], Articles({"a": 0.75, "an": 0.25}, str))
    >>> [variant["text"] for variant in table["variants"][0]]
    ['is a [V]', 'is an [V]']
    """
    texts = [(prompt, premise(prompt)) for prompt in prompts]
    rows = [
        (one.id, [] if text is None else verbalise(Prompt(one.id, one.relation, text, text), "", articles)[1])
        for one, text in texts
    ]
    return pl.DataFrame(rows, schema=PREMISES, orient="row")
