"""From prompt and target to probe: the function ν of section 4.2, and the determiners of section 7.2."""

import re
from typing import Any

from relprobe.sources.language import Articles
from relprobe.studies.relations.ask.prompts import DETERMINER, SLOT, TARGET, Prompt

DETERMINED = re.compile(r"\[DET\] (?!\[V\])([\w'-]+)")
"""An article and the word that decides about it: the target, or a word of the prompt."""


def verbalise(prompt: Prompt, target: str, articles: Articles) -> tuple[str, list[dict[str, Any]]]:
    """Fill the target into the prompt: the probe's text, and its variants as {text, weight} (section 7.2).

    The article before the target or a word of the prompt is that of the word; one before the slot stays open in the text,
    and each article makes a variant. ValueError: the prompt has an article, and the language has none.

    >>> articles = Articles({"a": 0.75, "an": 0.25}, lambda word: "an" if word[0] in "aeiou" else "a")
    >>> verbalise(Prompt("p", "HYP", "[DET] old [W] is [DET] [V]", ""), "robin", articles)[0]
    'an old robin is [DET] [V]'
    """
    filled_in = prompt.text.replace(TARGET, target)
    if DETERMINER not in filled_in:
        return filled_in, [{"text": filled_in, "weight": 1.0}]
    choose = articles.before
    if choose is None:
        raise ValueError(f"The prompt {prompt.id} has {DETERMINER}, but the language has no articles.")
    text = DETERMINED.sub(lambda match: f"{choose(match[1])} {match[1]}", filled_in)
    if f"{DETERMINER} {SLOT}" not in text:
        return text, [{"text": text, "weight": 1.0}]
    filled = [
        {"text": text.replace(f"{DETERMINER} {SLOT}", f"{article} {SLOT}"), "weight": weight}
        for article, weight in articles.weights.items()
    ]
    return text, filled
