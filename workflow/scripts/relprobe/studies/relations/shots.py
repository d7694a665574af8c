"""Solved instances of a probe's own prompt, which stand before it, and how much depends on which ones were drawn."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import Relations
from relprobe.sources.language import Articles, LanguageFile
from relprobe.sources.lexical.resource import linked_words
from relprobe.sources.relations import RelationsFile
from relprobe.studies.examples import DRAWS, Example, fitting, in_order
from relprobe.studies.examples import read as read_examples
from relprobe.studies.relations.probes import EXAMPLES, Examples
from relprobe.studies.relations.prompts import BEFORE_SLOT, DETERMINER, SLOT, Prompt, Prompts, verbalise
from relprobe.studies.relations.schemas import Probes, Tuples
from relprobe.studies.relations.tuples import LexicalResource


def examples(
    probes: Probes,
    prompts: Prompts,
    tuples: Tuples,
    relations: RelationsFile,
    language: LanguageFile,
    file: Path,
    wordnet: LexicalResource | None = None,
) -> Examples:
    """List the solved instances of its prompt that may stand before every probe; `file` has the words of the examples.

    No example holds the target of the probe or a word that is related to it: in the tuples, or in the lexical resource.
    """
    related = [tuples]
    if wordnet is not None:
        targets = {relation.part_of_speech: probes["target"].unique().to_list() for relation in relations.entries}
        related.append(linked_words(wordnet, targets, relations.entries))
    pairs = read_examples(file, "relations", width=2)
    return examples_of(probes, prompts, pairs, related, relations, language.articles)


def solve(prompt: Prompt, example: Example, articles: Articles) -> str:
    """Return a prompt with an example in it, and the article that its relatum asks for.

    >>> articles = Articles({"a": 0.75, "an": 0.25}, lambda word: "an" if word[0] in "aeiou" else "a")
    >>> solve(Prompt("hyp", "HYP", "[DET] [W] is [DET] [V]", ""), ("oak", "orchid"), articles)
    'an oak is an orchid'
    """
    target, relatum = example
    text, _ = verbalise(prompt, target, articles)
    if articles.before is not None and (open_one := BEFORE_SLOT.search(prompt.text)):
        article = articles.form(articles.before(relatum), open_one[1] or "")
        text = text.replace(f"{DETERMINER} {SLOT}", f"{article} {relatum}")
    return text.replace(SLOT, relatum)


def relation_examples(
    examples: Mapping[str, Sequence[Example]], relation: str, inverse: Mapping[str, str]
) -> list[Example]:
    """Return the examples of a relation: its own, or those of its inverse, turned round. DataError: there are none.

    `inverse`: code of a relation -> code of its inverse.

    >>> relation_examples({"HYP": [("rose", "flower")]}, "HPO", {"HPO": "HYP", "HYP": "HPO"})
    [('flower', 'rose')]
    """
    if relation in examples:
        return list(examples[relation])
    if inverse[relation] not in examples:
        raise DataError(
            f"prompting.examples has no examples of {relation} or of its inverse: add pairs of target and relatum."
        )
    return [example[::-1] for example in examples[inverse[relation]]]


def examples_of(
    probes: pl.DataFrame,
    prompts: Iterable[Prompt],
    examples: Mapping[str, Sequence[Example]],
    related: Iterable[pl.DataFrame],
    relations: Relations,
    articles: Articles,
) -> pl.DataFrame:
    """Return the solved texts that may stand before each probe, in their order, for every draw (EXAMPLES).

    `related`: tables of target and relatum. A probe gets no example that holds its target or any word that is related to it,
    in whatever relation. DataError: a relation of the prompts has no examples.
    """
    taboo = {target: {target} for target in probes["target"].unique()}
    for table in related:
        for target, relatum in table.select("target", "relatum").iter_rows():
            taboo.setdefault(target, {target}).add(relatum)
    rows = []
    for prompt in prompts:
        pairs = relation_examples(examples, prompt.relation, relations.inverse)
        texts = {pair: solve(prompt, pair, articles) for pair in pairs}
        prompt_probes = probes.filter(prompt_id=prompt.id).select("probe_id", "target").rows()
        for draw in range(1, DRAWS + 1):
            order = in_order(pairs, prompt.id, draw)
            rows += [
                (probe_id, draw, [texts[pair] for pair in fitting(order, taboo[target])])
                for probe_id, target in prompt_probes
            ]
    return pl.DataFrame(rows, schema=EXAMPLES, orient="row")
