"""A model's own control: one request stands for all probes of a prompt that have the same text before them."""

from types import SimpleNamespace

import polars as pl
from relprobe.lm.requests import Variant
from relprobe.studies.relations.probes import PREMISES, premise_requests
from relprobe.studies.relations.responses import read_without_target, responses_without_target
from relprobe.studies.relations.schemas import PROBES, RESPONSES

ROWS = [("hyp", "oak"), ("hyp", "owl"), ("none", "oak")]
TABLE = pl.DataFrame(
    [(f"{prompt}:{target}", "HYP", target, prompt, "main", "", []) for prompt, target in ROWS],
    schema=PROBES,
    orient="row",
)
VARIANTS = [{"text": "is a [V]", "weight": 0.75}, {"text": "is an [V]", "weight": 0.25}]
PREMISE_TABLE = pl.DataFrame([("hyp", VARIANTS), ("none", [])], schema=PREMISES, orient="row")


def answered(ids):
    rows = [(name, ["tree", "oak", "bird"], [0.5, 0.25, 0.125]) for name in ids]
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def test_a_prompt_is_asked_once_and_one_without_a_word_is_not():
    (request,) = premise_requests(TABLE, PREMISE_TABLE)
    assert (request.id, request.variants) == ("hyp", (Variant("is a [V]", 0.75), Variant("is an [V]", 0.25)))


def test_a_prompt_is_asked_once_with_each_text_before_it():
    prefixes = {"hyp:oak": "a fly is a pet.\n", "hyp:owl": "an ox is a cow.\n", "none:oak": "a fly is a pet.\n"}
    texts = [request.variants[0].text for request in premise_requests(TABLE, PREMISE_TABLE, prefixes)]
    assert texts == ["a fly is a pet.\nis a [V]", "an ox is a cow.\nis a [V]"]
    alike = dict.fromkeys(prefixes, "a fly is a pet.\n")
    assert len(list(premise_requests(TABLE, PREMISE_TABLE, alike))) == 1


def test_every_probe_has_the_answers_of_its_request_without_its_target():
    table = responses_without_target(answered(["hyp"]), TABLE).with_columns(pl.col("words").cast(pl.List(pl.String)))
    assert table.rows() == [
        ("hyp:oak", ["tree", "bird"], [0.5, 0.125]),
        ("hyp:owl", ["tree", "oak", "bird"], [0.5, 0.25, 0.125]),
    ]


def test_the_answers_after_different_texts_are_those_of_their_own_probes():
    prefixes = {"hyp:oak": "one.\n", "hyp:owl": "two.\n", "none:oak": "one.\n"}
    ids = [request.id for request in premise_requests(TABLE, PREMISE_TABLE, prefixes)]
    assert responses_without_target(answered(ids[1:]), TABLE, prefixes)["probe_id"].to_list() == ["hyp:owl"]


def test_a_study_whose_prompts_have_no_other_word_has_no_answers():
    assert responses_without_target(answered([]), TABLE).is_empty()


def test_a_model_that_was_asked_no_prompt_without_a_target_has_no_answers():
    asked_nothing = SimpleNamespace(rows=0)
    table = read_without_target(asked_nothing, pl.DataFrame(), None, TABLE, "tokens")
    assert table.is_empty()
    assert table.schema == RESPONSES
