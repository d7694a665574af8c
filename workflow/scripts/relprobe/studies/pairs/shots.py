"""Solved examples before a probe: statements about other pairs, and questions, of which every second answer is no."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from relprobe.lm.requests import SLOT
from relprobe.studies.examples import Example, examples_text, fitting, in_order
from relprobe.studies.pairs.method import Articles, whole_question
from relprobe.studies.pairs.prompts import Prompt, Prompts, fill
from relprobe.studies.pairs.schemas import Probes


def statement_prefixes(
    probes: Probes, prompts: Prompts, article: Articles, examples: Mapping[str, Sequence[Example]], shots: int
) -> dict[str, str]:
    """Return probe -> the solved statements before it. DataError: too few examples hold none of its words."""

    def solve(prompt: str, chosen: Sequence[Example]) -> list[str]:
        statement = _prompt(prompts, prompt).statement
        return [fill(statement, first, second, prompts.nothing, article).text for first, second in chosen]

    return _prefixes(probes, examples, shots, solve)


def question_prefixes(
    probes: Probes, prompts: Prompts, article: Articles, examples: Mapping[str, Sequence[Example]], shots: int
) -> dict[str, str]:
    """Return probe -> the solved questions before it: yes to an example, and no to the next one with another second word."""

    def solve(prompt: str, chosen: Sequence[Example]) -> list[str]:
        question = _prompt(prompts, prompt).question
        texts = []
        for index, (first, second) in enumerate(chosen):
            is_no = index % 2 == 1
            candidate = chosen[index - 1][1] if is_no else second
            filled = fill(question, first, candidate, prompts.nothing, article).text
            asked = whole_question(prompts, filled, index // 2 % 2)
            texts.append(asked.replace(SLOT, prompts.no if is_no else prompts.yes))
        return texts

    return _prefixes(probes, examples, shots, solve)


def _prefixes(
    probes: Probes,
    examples: Mapping[str, Sequence[Example]],
    shots: int,
    solve: Callable[[str, Sequence[Example]], list[str]],
) -> dict[str, str]:
    """Return probe -> the first examples of its relation without one of its words, as `solve` writes them."""
    if not shots:
        return {}
    prefixes, texts = {}, dict[tuple[Any, ...], str]()
    for probe, relation, prompt, *words in probes.select(
        "probe_id", "relation", "prompt", "first", "second"
    ).iter_rows():
        ordered = in_order(examples.get(relation, ()), prompt)
        chosen = tuple(map(tuple, fitting(ordered, set(filter(None, words)))[:shots]))  # a step has lists from JSON
        if (prompt, chosen) not in texts:
            texts[prompt, chosen] = examples_text(solve(prompt, chosen), shots, probe)
        prefixes[probe] = texts[prompt, chosen]
    return prefixes


def _prompt(prompts: Prompts, name: str) -> Prompt:
    """Return the prompt of an id."""
    return next(prompt for entries in prompts.relation_prompts.values() for prompt in entries if prompt.id == name)
