"""From prompt and target to probe: the function ν of section 4.2, and the determiners of section 7.2."""

from functools import cache
from typing import Any, cast

import inflect
import wordfreq

from relprobe.studies.relations.prompts import DETERMINER, SLOT, TARGET, Prompt


def article_weights() -> dict[str, float]:
    """Return the weights of "a" and "an" before the slot: their relative frequencies in English (`wordfreq`)."""
    frequency = {article: wordfreq.word_frequency(article, "en") for article in ("a", "an")}
    total = sum(frequency.values())
    return {article: value / total for article, value in frequency.items()}


def verbalise(prompt: Prompt, target: str, weights: dict[str, float]) -> tuple[str, list[dict[str, Any]]]:
    """Fill the target into the prompt: the probe's text, and its variants as {text, weight} (section 7.2).

    The article before the target follows its pronunciation; one before the slot stays open in the text, and each
    article makes a variant.
    """
    before, _, after = prompt.text.partition(TARGET)
    if before.endswith(f"{DETERMINER} "):
        before = before.removesuffix(f"{DETERMINER} ") + f"{article(target)} "
    text = f"{before}{target}{after}"
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


def article(word: str) -> str:
    """Return the indefinite article that a word asks for: "a" or "an"."""
    return cast(str, _engine().a(word)).split()[0]
