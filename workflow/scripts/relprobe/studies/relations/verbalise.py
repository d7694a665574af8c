"""From prompt and target to probe: the function ν of section 4.2, and the determiners of section 7.2."""

import re
from functools import cache
from typing import Any, cast

import inflect
import wordfreq

from relprobe.studies.relations.prompts import DETERMINER, SLOT, TARGET, Prompt

DETERMINED = re.compile(r"\[DET\] (?!\[V\])(\S+)")
"""An article and the word that decides about it: the target, or a word of the prompt."""


def article_weights() -> dict[str, float]:
    """Return the weights of "a" and "an" before the slot: their relative frequencies in English (`wordfreq`)."""
    frequency = {article: wordfreq.word_frequency(article, "en") for article in ("a", "an")}
    total = sum(frequency.values())
    return {article: value / total for article, value in frequency.items()}


def verbalise(prompt: Prompt, target: str, weights: dict[str, float]) -> tuple[str, list[dict[str, Any]]]:
    """Fill the target into the prompt: the probe's text, and its variants as {text, weight} (section 7.2).

    The article before the target or a word of the prompt follows its pronunciation; one before the slot stays open in the
    text, and each article makes a variant.

    >>> verbalise(Prompt("p", "HYP", "[DET] old [W] is [DET] [V]", ""), "robin", {"a": 0.75, "an": 0.25})[0]
    'an old robin is [DET] [V]'
    """
    filled_in = prompt.text.replace(TARGET, target)
    text = DETERMINED.sub(lambda match: f"{_article(match[1])} {match[1]}", filled_in)
    if f"{DETERMINER} {SLOT}" not in text:
        return text, [{"text": text, "weight": 1.0}]
    filled = [
        {"text": text.replace(f"{DETERMINER} {SLOT}", f"{article} {SLOT}"), "weight": weight}
        for article, weight in weights.items()
    ]
    return text, filled


@cache
def _engine() -> inflect.engine:
    return inflect.engine()


def _article(word: str) -> str:
    return cast(str, _engine().a(word)).split()[0]
