"""Closed lists as answers (data/candidates.py): a model is asked every word after a probe and its premise."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.lm.requests import ClosedProbe, ClosedResponse, SlotProbe, Variant
from relprobe.lm.words.word_list import WordList
from relprobe.studies.relations.ask.weighted_words import weigh
from relprobe.studies.relations.data.candidates import KEY


@dataclass(frozen=True)
class Lists:
    """The closed lists of a study.

    `words`: each list with the frequencies of its words. `rows`: the rows of these words in the table of all words.
    `numbers`: relation and target -> the number of the list; the target is None for the list of a whole relation.
    """

    words: list[WordList]
    rows: list[NDArray[np.int32]]
    numbers: dict[tuple[str, str | None], int]


def lists_of(candidates: pl.DataFrame, words: pl.DataFrame, language: str) -> Lists:
    """Return the lists of CANDIDATES; `words`: all words (column word). `language`: its code in wordfreq.

    >>> rows = [("HYP", None, "bird"), ("HYP", None, "animal"), ("HYP", "robin", "bird")]
    >>> candidates = pl.DataFrame(rows, schema=["relation", "target", "word"], orient="row")
    >>> lists = lists_of(candidates, pl.DataFrame({"word": ["animal", "bird", "robin"]}), "en")
    >>> [words.words for words in lists.words], [rows.tolist() for rows in lists.rows], lists.numbers
    ([('animal', 'bird'), ('bird',)], [[0, 1], [1]], {('HYP', None): 0, ('HYP', 'robin'): 1})
    """
    lists = Lists([], [], {})
    places = candidates.join(words.with_row_index("row"), on="word").sort(*KEY, "row")
    for (relation, target), own in places.group_by(KEY, maintain_order=True):
        lists.numbers[(str(relation), None if target is None else str(target))] = len(lists.words)
        lists.words.append(weigh(own.select("word"), language))
        lists.rows.append(own["row"].cast(pl.Int32).to_numpy())
    return lists


def in_list_order(probes: pl.DataFrame, numbers: Mapping[tuple[str, str | None], int]) -> pl.DataFrame:
    """Return the probes that have a list, with its number (column list), those of one list and prompt together."""
    keys = probes.select(KEY).iter_rows()
    of_probes = [numbers.get((relation, target), numbers.get((relation, None))) for relation, target in keys]
    table = probes.with_columns(pl.Series("list", of_probes, pl.UInt32)).drop_nulls("list")
    return table.sort("list", "prompt_id", maintain_order=True)


def closed_probes(
    requests: Iterable[SlotProbe],
    probes: pl.DataFrame,
    premises: Mapping[str, Sequence[Variant]],
    befores: Mapping[str, str] | None = None,
) -> Iterator[ClosedProbe]:
    """Yield the requests with their premises and the numbers of their lists; `probes` are their rows of `in_list_order`.

    `premises`: prompt -> the wordings of its premise, none if it has none. `befores`: probe -> the text before it, which
    stands before the premise, too.
    """
    rows = probes.select("probe_id", "prompt_id", "list").iter_rows()
    for request, (probe_id, prompt_id, number) in zip(requests, rows, strict=True):
        variants, before = premises[prompt_id], befores[probe_id] if befores else ""
        wordings = tuple(replace(variant, text=before + variant.text) for variant in variants)
        yield ClosedProbe(request, SlotProbe(f"premise of {prompt_id}", wordings) if wordings else None, number)


def in_all_words(
    responses: Iterable[ClosedResponse], probes: Iterable[ClosedProbe], lists: Lists
) -> Iterator[ClosedResponse]:
    """Yield the responses to the probes with the rows of the table of all words in place of those of their lists."""
    for response, probe in zip(responses, probes, strict=True):
        ids = lists.rows[probe.words][response.words.word_ids]
        yield replace(response, words=replace(response.words, word_ids=ids))
