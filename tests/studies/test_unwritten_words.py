"""A word that a tokenizer cannot write is no answer of a model, in any study that lets it choose among words."""

import polars as pl
import pytest
from relprobe.lm.requests import Continuation
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.definitions import method as definitions
from relprobe.studies.definitions import scoring as definition_scores
from relprobe.studies.definitions.schemas import GROUPS
from relprobe.studies.systematicity import method as systematicity
from relprobe.studies.systematicity import scoring as systematicity_scores
from relprobe.studies.systematicity.prompts import Prompt

from tests.lm.words.test_unknown import models_of, scorer

SNOWMAN = "☃"
"""A character that the small vocabularies lack."""


@models_of
def test_a_definition_or_a_word_that_cannot_be_written_comes_last(family, masked):
    definitions_of_words = {"a kind of engine": ["bird", SNOWMAN], f"a {SNOWMAN} car": ["bird", "car"]}
    requests = [
        Continuation(f"noun:{number} is", f"{definition} is a [V]", tuple(words))
        for number, (definition, words) in enumerate(definitions_of_words.items())
    ]
    words = [word for request in requests for word in definition_scores.single_words(request)]
    values = list(definition_scores.answer(scorer(family, masked), words))
    scores = pl.DataFrame(pl.from_arrow(definition_scores.table(definition_scores.word_table(values), requests)))
    scores_by_task = definitions.pair_scores(scores, masked=masked)
    for scored in scores_by_task.values():
        assert (scored > -float("inf")).tolist() == [True, False, False, False]
    probes = pl.DataFrame({"definition": [*definitions_of_words], "words": [*definitions_of_words.values()]})
    groups = pl.DataFrame(
        [("g", "noun", "bird", "a kind of engine", 4, "f", [0, 2], [0, 1])], schema=GROUPS, orient="row"
    )
    responses = definitions.rank_candidates(scores_by_task, groups, probes)
    assert responses.select("task", "better", "tied", "answer").rows() == [
        ("w2d", 0, 0, "a kind of engine"),
        ("d2w", 0, 0, "bird"),
    ]


@models_of
@pytest.mark.parametrize(("categories", "value"), [(("bird", SNOWMAN), 1.0), ((SNOWMAN, "bird"), 0.0)])
def test_a_category_that_cannot_be_written_comes_last(family, masked, categories, value):
    """The first category is the right one."""
    right, other = categories
    prompts = {"singular": [Prompt("paper", "a [W] is a [V]")], "plural": [Prompt("paper", "[W] are [V]")]}
    item = ("own", "robin", right, "robins", f"{right}s", None, None, None)
    items = pl.DataFrame([item], schema=ITEMS, orient="row")
    probes = systematicity.probes(items, {"things": [right, other]}, systematicity.Asking(prompts))
    probes = probes.filter(kind="singular")
    requests = [one for one in systematicity.requests(probes, both_sides=masked) if isinstance(one, Continuation)]
    responses = systematicity_scores.answer(scorer(family, masked), requests, 2)
    candidates = dict(probes.select("probe_id", "candidates").iter_rows())
    table = pl.DataFrame(pl.from_arrow(systematicity_scores.table([*responses], candidates, {})))
    values = systematicity.values(systematicity.responses(table, probes, items))
    assert values.filter(metric="singular")["value"].to_list() == [value]
