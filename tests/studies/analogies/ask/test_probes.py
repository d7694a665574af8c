"""The template, the probes, and the requests and tables of a model that answers them."""

import logging
from types import SimpleNamespace

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from relprobe.core.errors import ConfigError
from relprobe.lm.primitives.embeddings import embeddings as embed
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import SentenceResponse, SpanResponse
from relprobe.studies.analogies import scoring
from relprobe.studies.analogies.method import sentence_requests, span_requests
from relprobe.studies.analogies.probes import probes
from relprobe.studies.analogies.schemas import INSTANCES, PROBES
from relprobe.studies.analogies.scoring import (
    ask,
    embedding_table,
    embeddings,
    layer_table,
    score_table,
    scores,
)
from relprobe.studies.analogies.template import Template, check_pair_template

from tests.lm.architectures import model

PAPER = "What {h1} is to {t1}, {h2} is to {t2}."
ROWS = [
    ("E01", 1, "test", probe, "paris", "france", "rome", "italy", *negative, None)
    for probe, negative in [
        ("random_head", ("oslo", "italy")),
        ("random_tail", ("rome", "norway")),
        ("reverse", ("italy", "rome")),
        ("type", ("italy", "norway")),
    ]
]
CAPITALS = pl.DataFrame(ROWS, schema=INSTANCES, orient="row")


def test_the_words_stand_in_their_places():
    text, spans = Template.of(PAPER).fill(["paris", "france", "new york", "{x}"])
    assert text == "What paris is to france, new york is to {x}."
    assert {place: text[slice(*span)] for place, span in spans.items()} == {
        "h1": "paris",
        "t1": "france",
        "h2": "new york",
        "t2": "{x}",
    }


def test_places_may_stand_in_any_order():
    template = Template.of("{h1} and {h2}: {t1} and {t2}")
    words = {"h1": "a", "t1": "b", "h2": "c", "t2": "d"}
    text, spans = template.fill([words[slot] for slot in template.slots])
    assert text == "a and c: b and d"
    assert spans["t1"] == (9, 10)
    table = pl.DataFrame([{"w" + place: word for place, word in words.items()}])
    assert table.select(template.expression({place: "w" + place for place in words})).item() == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("What {h1} is to {t1}", "must hold each of {h1}, {t1}, {h2} and {t2} once"),
        ("{h1} {t1} {h2} {t2} {t2}", "must hold each of"),
        ("{h1} {t1} {h2} {x}", "must hold each of"),
        ("{h1} {t1} {h2} {t2", "write every place as a name in single braces."),
        ("{{What {h1} is to {t1}, {h2} is to {t2}", "(doubled braces): write every place as a name"),
        ("{h1} {t1} {h2} {t2}}}", "(doubled braces)"),
        ("{h1:>3} {t1} {h2} {t2}", "a place is a name alone"),
        ("{h2} is to {t2} what {h1} is to {t1}", "must not begin with {h2}: put a word first."),
    ],
)
def test_a_template_of_another_form_is_refused(text, message):
    with pytest.raises(ConfigError) as error:
        Template.of(text)
    assert str(error.value).startswith(f"config: analogies.template is {text!r}")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "pooling"), [("{h}", "average"), ("{h} {t} {x}", "average"), ("{h} and {t}", "mask"), ("{h {t}", "mask")]
)
def test_a_pair_template_of_another_form_is_refused(text, pooling):
    with pytest.raises(ConfigError, match=r"^config: encoders\.relbert\.template is "):
        check_pair_template(text, pooling, "config: encoders.relbert.template")


def test_a_pair_template_may_repeat_its_words():
    check_pair_template("{h} and {t}: {h} is the {mask} of {t}", "mask", "config: encoders.relbert.template")


def test_a_repeated_sentence_is_one_probe_and_the_saving_is_logged(caplog):
    caplog.set_level(logging.INFO, "relprobe")
    table = probes(CAPITALS, template=PAPER)
    # One positive for four probes, and four negatives: 5 of 8 sentences differ, 3/8 are saved.
    assert "4 instances ask for 8 sentences, of which 5 are different: 38 % need not be scored again" in caplog.text
    assert dict(table.schema) == dict(PROBES)
    assert sorted(table["text"]) == sorted(
        f"What paris is to france, {h} is to {t}."
        for h, t in [("rome", "italy"), ("oslo", "italy"), ("rome", "norway"), ("italy", "rome"), ("italy", "norway")]
    )
    assert [request.text for request in sentence_requests(table)] == table["text"].to_list()


def test_solved_examples_without_a_word_of_the_sentence_stand_before_it():
    table, template = probes(CAPITALS, template=PAPER), Template.of(PAPER)
    examples = [("rome", "latium", "turin", "piedmont"), ("cat", "kitten", "dog", "puppy"), ("up", "down", "in", "out")]
    solved = {"What cat is to kitten, dog is to puppy.", "What up is to down, in is to out."}
    for shots in (0, 1, 2):
        requests = list(sentence_requests(table, template, shots, examples))
        assert [request.text for request in requests] == table["text"].to_list()
        rome_examples = next(request.before.splitlines() for request in requests if "rome" in request.text)
        assert len(rome_examples) == len(set(rome_examples)) == shots
        assert set(rome_examples) <= solved
    assert {request.before for request in sentence_requests(table, None, 2, examples)} == {""}


def test_a_sentence_of_two_relations_is_scored_once():
    both = pl.concat([CAPITALS, CAPITALS.with_columns(relation=pl.lit("E02"))])
    table = probes(both, template=PAPER)
    assert table.height == 10
    assert len(list(sentence_requests(table))) == 5


def test_the_spans_to_embed_are_head_tail_head_tail_whatever_the_template():
    for text in (PAPER, "{t1} of {h1}, {t2} of {h2}"):
        for request in span_requests(probes(CAPITALS.head(1), template=text), Template.of(text)):
            words = [request.text[slice(*span)] for span in request.spans]
            assert words[:2] == ["paris", "france"]
            assert tuple(words[2:]) in {("rome", "italy"), ("oslo", "italy")}


def test_a_sentence_that_two_draws_put_into_both_partitions_is_embedded_once():
    both = pl.concat([CAPITALS, CAPITALS.with_columns(draw=pl.lit(2, pl.Int64), partition=pl.lit("train"))])
    table = probes(both, template=PAPER)
    assert table.height == 10
    assert len(list(span_requests(table, Template.of(PAPER)))) == 5


def test_the_log_probability_of_a_sentence_is_the_sum_over_the_tokens_that_have_one():
    ids = np.array([1, 2, 3], np.int32)
    causal = SentenceResponse("a", ids, np.array([np.nan, -1.5, -0.25], np.float32))
    masked = SentenceResponse("b", ids, np.array([-1, -1.5, -0.25], np.float32))
    assert score_table([causal, masked]).to_pylist() == [
        {"text": "a", "logprob": -1.75, "tokens": 2},
        {"text": "b", "logprob": -2.75, "tokens": 3},
    ]


def test_embeddings_are_stored_by_relation_text_and_place():
    vectors = np.arange(8, dtype=np.float32).reshape(4, 2)
    (row,) = embedding_table([SpanResponse("E01\ta text", vectors)]).to_pylist()
    assert row == {"relation": "E01", "text": "a text", "h1": [0, 1], "t1": [2, 3], "h2": [4, 5], "t2": [6, 7]}


def test_no_response_makes_an_empty_table():
    assert score_table([]).num_rows == embedding_table([]).num_rows == 0


def network():
    """What the steps read of a model before it is loaded."""
    return SimpleNamespace(encoder=model("bert").encoder)


def test_a_step_scores_the_sentences_of_its_partitions_with_the_examples_before_them():
    both = pl.concat([CAPITALS, CAPITALS.head(1).with_columns(partition=pl.lit("train"), query_head=pl.lit("lima"))])
    table = probes(both, template=PAPER)
    examples = {"": [("cat", "kitten", "dog", "puppy")]}
    scoring = scores(network(), table, partitions=["test"], template=PAPER, shots=1, examples=examples)
    asked = list(scoring.requests())
    assert [one.text for one in asked] == table.filter(partition="test")["text"].to_list()
    assert {one.before for one in asked} == {"What cat is to kitten, dog is to puppy.\n"}
    assert (scoring.kind, scoring.count, scoring.what, scoring.part) == ("analogies scores", 5, "sentences", 512)
    assert scoring.answer is pseudo_logprob
    assert scoring.table is score_table
    bare = scores(network(), table, partitions=["train", "test"])
    assert bare.count == 7
    assert {one.before for one in bare.requests()} == {""}


def test_a_step_embeds_every_sentence_of_a_relation_in_a_layer_and_a_precision():
    both = pl.concat([CAPITALS.head(1), CAPITALS.head(1).with_columns(relation=pl.lit("E02"))])
    table = probes(both, template=PAPER)
    for options, layer, number in (({}, 1, pa.float16()), ({"precision": "single"}, -1, pa.float32())):
        scoring = embeddings(network(), table, template=PAPER, layer=layer, **options)
        asked = list(scoring.requests())
        assert scoring.count == len(asked) == 4
        found = scoring.table(list(scoring.answer(model("bert"), asked)))
        assert found["relation"].to_pylist() == ["E01", "E01", "E02", "E02"]
        assert found.schema.field("h1").type.value_type == number
        expected = next(embed(model("bert"), asked[:1], layer)).vectors[0]
        assert found["h1"][0].as_py() == pytest.approx(expected.tolist(), abs=1e-2)
    assert scoring.kind == "analogies embeddings"


def test_a_model_is_asked_for_embeddings_where_a_layer_is_named():
    table = probes(CAPITALS, template=PAPER)
    alone = ask(network(), table, partitions=["test"], template=PAPER)
    assert (alone.scores.kind, alone.scores.count, alone.embeddings) == ("analogies scores", 5, None)
    both = ask(network(), table, partitions=["test"], template=PAPER, layer=0, precision="single")
    assert (both.embeddings.kind, both.embeddings.count) == ("analogies embeddings", 5)
    assert both.embeddings.table is embedding_table


def test_layers_stand_sentence_by_sentence_in_the_order_that_was_asked():
    vectors = np.zeros((2, 4, 1), np.float32) + np.array([5, 7], np.float32)[:, None, None]
    found = layer_table([SpanResponse("E01\ta", vectors), SpanResponse("L08\tb", vectors + 1)], [0, 30])
    assert found.select(["relation", "text", "t2", "layer"]).to_pylist() == [
        {"relation": "E01", "text": "a", "t2": [5], "layer": 0},
        {"relation": "E01", "text": "a", "t2": [7], "layer": 30},
        {"relation": "L08", "text": "b", "t2": [6], "layer": 0},
        {"relation": "L08", "text": "b", "t2": [8], "layer": 30},
    ]


def test_a_sentence_of_no_token_with_a_probability_has_no_sum():
    ids = np.array([1], np.int32)
    found = score_table([SentenceResponse("a", ids, np.array([np.nan], np.float32))])
    assert found.to_pylist() == [{"text": "a", "logprob": None, "tokens": 0}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{t2} of {h2}, {t1} of {h1}", "must not begin with {t2}: put a word first."),
        ("{h1!r} {t1} {h2} {t2}", "a place is a name alone"),
        ("{h1!r:>3} {t1} {h2} {t2}", "a place is a name alone"),
    ],
)
def test_a_template_begins_with_no_judged_word_and_has_plain_places(text, message):
    with pytest.raises(ConfigError) as error:
        Template.of(text)
    assert message in str(error.value)
    assert Template.of("of {t2} {h2}, {t1} {h1}").slots == ("t2", "h2", "t1", "h1")


def test_probes_stand_by_relation_partition_and_words_each_once():
    other = CAPITALS.with_columns(relation=pl.lit("D01"), query_head=pl.lit("lima"))
    table = probes(pl.concat([CAPITALS, other, CAPITALS.with_columns(partition=pl.lit("train"))]), template=PAPER)
    keys = table.select("relation", "partition", "h1", "t1", "h2", "t2").rows()
    assert keys == sorted(set(keys))
    assert len(keys) == 15


@pytest.mark.parametrize(("options", "number"), [({}, pa.float16()), ({"precision": "single"}, pa.float32())])
def test_a_step_of_layers_asks_the_sentences_once_and_stores_their_vectors_in_a_precision(monkeypatch, options, number):
    monkeypatch.setattr(scoring, "states_of_layers", lambda *given, **named: (given, named))
    both = pl.concat([CAPITALS.head(1), CAPITALS.head(1).with_columns(relation=pl.lit("E02"))])
    table = probes(both, template=PAPER)
    model = network()
    (kind, model_given, texts, layers, rows, what, part, where), named = scoring.layer_embeddings(
        model, table, template=PAPER, layers=[0, 2], **options
    )
    assert (kind, model_given, layers, what, where) == (
        "analogies layers",
        model,
        [0, 2],
        "sentences",
        "the analogies",
    )
    assert (part, named) == (512, {"count": 4})
    assert [one.id for one in texts()] == [one.id for one in span_requests(table, Template.of(PAPER))]
    vectors = np.zeros((2, 4, 1), np.float32) + np.array([5, 7], np.float32)[:, None, None]
    stored = rows([0, 2])([SpanResponse("E01\ta", vectors)])
    assert stored["layer"].to_pylist() == [0, 2]
    assert stored["h1"].to_pylist() == [[5], [7]]
    assert stored.schema.field("h1").type.value_type == number
