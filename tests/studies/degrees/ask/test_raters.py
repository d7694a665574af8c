"""Probes, requests, and the ratings of every rater, with scores written by hand."""

import math
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.requests import Continuation, Sentence, SpanResponse, SpanText
from relprobe.lm.words.examples import join_examples
from relprobe.sources.semeval2012 import read as read_package
from relprobe.studies.degrees import scoring
from relprobe.studies.degrees.probes import probe_table as probes
from relprobe.studies.degrees.raters import ratings as ratings_of
from relprobe.studies.degrees.relations import read_descriptions
from relprobe.studies.degrees.requests import analogies, analogy, fill, schemas, slots, spans, words
from relprobe.studies.degrees.schemas import PROBES, SCORES
from relprobe.studies.degrees.scoring import ask, hidden_states, layer_scores, pmi_scores, questions_of, schema_scores
from relprobe.studies.degrees.study import raters as raters_by_model
from transformers import GPT2Config

from tests.sources.made import tiny_semeval

QUESTION = ["a:b", "c:d", "c:b", "b:a"]
SPEC = tiny_semeval.Spec(
    "2a", "PART-WHOLE", "a Y is a part of an X", ["k:l", "c:d"], QUESTION, [(QUESTION, "b:a", "a:b")]
)
ANALOGY = "k is to l as c is to d as [V]"


def test_an_agent_with_examples_has_the_raters_that_these_change_and_without_any_it_is_none():
    models = {"m": {"type": "causal"}, "few": {"model": "m", "shots": 2}}
    config = {"models": models, "degrees": {"raters": ["pmi", "hidden"]}}
    assert raters_by_model(config, list(models)) == {"m": ["pmi", "hidden"], "few": ["pmi"]}
    assert raters_by_model(config | {"degrees": {"raters": ["hidden"]}}, list(models)) == {"m": ["hidden"]}


@pytest.fixture
def probe_table(tmp_path):
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text('2a: "[Y] is a part of [X] here"')
    return probes(read_package(tiny_semeval.write(tmp_path, [SPEC])), prompts)


def scores(values):
    return pl.DataFrame(list(values.items()), schema=SCORES, orient="row")


def ratings(rater, probe_table, values):
    table = ratings_of([scores(values)], probe_table, model="model", raters=[rater])
    assert set(table["agent"]) == {f"model {rater}"}
    return dict(table.select("pair", "rating").iter_rows())


def test_a_filled_template_gives_the_spans_of_the_pairs_words():
    sentence = fill("[Y] functions as [X]", "tool", "hammer")
    assert sentence.text == "hammer functions as tool"
    assert (sentence.x, sentence.y) == ((20, 24), (0, 6))
    sentence = fill("the [X] of [Y]!", "run-on", "sentence")
    assert (sentence.text[slice(*sentence.x)], sentence.text[slice(*sentence.y)]) == ("run-on", "sentence")


def test_the_analogy_ends_in_a_slot():
    assert analogy(["k:l", "c:d"]) == ANALOGY


def test_probes_are_pairs_and_paradigms(probe_table):
    assert probe_table.schema == PROBES
    assert probe_table.select("pair", "paradigm", "text", "analogy").rows() == [
        ("k:l", True, "l is a part of k here", None),
        ("c:d", True, "d is a part of c here", "k is to l as [V]"),  # without c:d, which a model would copy
        ("a:b", False, "b is a part of a here", ANALOGY),
        ("c:b", False, "b is a part of c here", ANALOGY),
        ("b:a", False, "a is a part of b here", ANALOGY),
    ]


def test_requests_are_about_pairs_and_for_spans_paradigms_too(probe_table):
    assert list(schemas(probe_table))[1] == Sentence("2a a:b", "b is a part of a here")
    assert list(analogies(probe_table))[1] == Continuation("2a a:b", ANALOGY, ("a is to b",))
    assert len(list(schemas(probe_table))) == len(list(analogies(probe_table))) == 4
    assert next(spans(probe_table)) == SpanText("2a k:l", "l is a part of k here", ((15, 16), (0, 1)))
    assert len(list(spans(probe_table))) == 5


def test_every_second_word_is_a_candidate_after_every_first_word(probe_table):
    candidates = ("c", "a", "b")
    assert list(slots(probe_table, both_sides=True)) == [
        Continuation(f"2a {first}", f"{first} is a part of [V] here", candidates) for first in ("d", "b", "a")
    ]
    assert [request.text for request in slots(probe_table, both_sides=False)] == [
        f"{first} is a part of [V]" for first in ("d", "b", "a")
    ]
    assert words(probe_table.row(0, named=True)) == ("l", "k")


def test_what_follows_the_second_word_begins_behind_it_whichever_word_that_is(tmp_path):
    """The sentence ends in the second word of the pair, which has three letters."""
    spec = tiny_semeval.Spec(
        "2a",
        "PART-WHOLE",
        "an X has a Y",
        ["k:l"],
        pairs := ["cat:paw", "dog:ear", "cat:ear", "dog:paw"],
        [(pairs, "cat:paw", "dog:ear")],
    )
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text('2a: "[X] has [Y] now"')
    table = probes(read_package(tiny_semeval.write(tmp_path, [spec])), prompts)
    assert [request.text for request in slots(table, both_sides=True)] == ["cat has [V] now", "dog has [V] now"]


L_OF_K, D_OF_C = "l is a part of k here", "d is a part of c here"


@pytest.mark.parametrize(("shots", "before"), [(0, []), (1, [L_OF_K]), (2, [L_OF_K, D_OF_C]), (3, [L_OF_K, D_OF_C])])
def test_the_first_sentences_about_paradigms_stand_before_a_pair(shots, before, probe_table):
    texts_by_pair = {one.id: one.before for one in schemas(probe_table, shots)}
    assert texts_by_pair["2a a:b"] == (join_examples(before) if before else "")
    assert texts_by_pair["2a c:b"] == (join_examples(before[:1]) if before else "")  # c:d has a word of the pair


def test_no_example_before_a_slot_has_a_word_of_any_pair_that_begins_so(probe_table):
    """Both a:b and c:b begin with b, so that c:d would show c; before the slot of a, it shows no word of b:a."""
    texts = {one.id: one.text for one in slots(probe_table, both_sides=False, shots=2)}
    assert texts["2a b"] == f"{join_examples([L_OF_K])}b is a part of [V]"
    assert texts["2a a"] == f"{join_examples([L_OF_K, D_OF_C])}a is a part of [V]"
    assert texts["2a d"] == f"{join_examples([L_OF_K])}d is a part of [V]"


@pytest.mark.parametrize("rater", ["schema", "analogy"])
def test_the_sum_and_the_mean_leave_out_a_token_without_probability(rater, probe_table):
    values = {"2a c:d": [None, -1.0, -2.0], "2a a:b": [-1.0, -1.0], "2a c:b": [-4.0], "2a b:a": [-0.5, -0.5]}
    assert ratings(rater, probe_table, values) == {"c:d": -3.0, "a:b": -2.0, "c:b": -4.0, "b:a": -1.0}
    assert ratings(f"{rater}-mean", probe_table, values) == {"c:d": -1.5, "a:b": -1.0, "c:b": -4.0, "b:a": -0.5}


def test_mutual_information_compares_with_the_mean_over_first_words(probe_table):
    # Rows: first words d, b, a; columns: candidates c, a, b.
    table = np.array([[1 / 2, 1 / 4, 1 / 4], [1 / 8, 1 / 2, 1 / 4], [1 / 8, 1 / 4, 1 / 4]])
    values = {f"2a {first}": np.log(row).tolist() for first, row in zip("dba", table, strict=True)}
    # P(c) = 3/4 / 3 = 1/4, P(a) = 1 / 3, P(b) = 1/4.
    assert ratings("pmi", probe_table, values) == {
        "c:d": pytest.approx(math.log(2), abs=1e-6),  # P(c | d) / P(c) = (1/2) / (1/4)
        "a:b": pytest.approx(math.log(3 / 2), abs=1e-6),  # P(a | b) / P(a) = (1/2) / (1/3)
        "c:b": pytest.approx(math.log(1 / 2), abs=1e-6),  # P(c | b) / P(c) = (1/8) / (1/4)
        "b:a": pytest.approx(0, abs=1e-6),  # P(b | a) / P(b) = 1
    }


def test_hidden_states_are_compared_by_the_offsets_of_the_paradigms(probe_table):
    # Offsets h(y) - h(x): k:l (1, 0), c:d (0, 2), a:b (1, 1), c:b (-3, 0), b:a none.
    values = {
        "2a k:l": [0.0, 0.0, 1.0, 0.0],
        "2a c:d": [1.0, 1.0, 1.0, 3.0],
        "2a a:b": [0.0, 0.0, 1.0, 1.0],
        "2a c:b": [3.0, 0.0, 0.0, 0.0],
        "2a b:a": [1.0, 2.0, 1.0, 2.0],
    }
    texts_by_pair = ratings("hidden", probe_table, values)
    assert texts_by_pair == {
        "c:d": pytest.approx(0),  # with k:l; itself is left out
        "a:b": pytest.approx(math.sqrt(1 / 2)),  # with both
        "c:b": pytest.approx(-1 / 2),
        "b:a": None,
    }


@pytest.mark.parametrize("rater", ["schema", "schema-mean", "analogy", "analogy-mean", "pmi", "hidden"])
def test_a_pair_with_a_word_that_the_model_cannot_read_has_no_rating(rater, probe_table):
    """And the ratings of the others are those that they have without its first word among the words of the slot."""
    known = {"2a k:l": [0.0, 0.0, 1.0, 0.0], "2a c:d": [1.0, 1.0, 1.0, 3.0], "2a a:b": [0.5, -1.0, 1.0, -2.0]}
    values = {**known, "2a c:b": [None] * 4, "2a b:a": [0.0, -1.0, 3.0, -2.0]}
    if rater == "pmi":
        values = {"2a d": [-1.0, -2.0, -3.0], "2a b": [None] * 3, "2a a": [-2.0, -1.0, None]}
        marginal = math.log((math.exp(-1) + math.exp(-2)) / 2)
        assert ratings(rater, probe_table, values) == {
            "c:d": pytest.approx(-1 - marginal, abs=1e-6),
            "a:b": None,  # a after b
            "c:b": None,
            "b:a": None,  # b after a
        }
        return
    rated = ratings(rater, probe_table, values)
    assert {pair for pair, rating in rated.items() if rating is None} == {"c:b"}
    assert not any(rating is not None and math.isnan(rating) for rating in rated.values())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- a list", "expected a sentence per subcategory"),
        ("2a: '[X] only'", "2a must be a sentence with one"),
        ("1b: '[X] and [Y]'", "2a must be a sentence with one"),
        ("2a: [unclosed", "is no valid YAML"),
    ],
)
def test_the_error_about_wrong_prompts_says_what_they_must_be(tmp_path, content, message):
    file = tmp_path / "prompts.yaml"
    file.write_text(content)
    with pytest.raises(DataError, match=message):
        read_descriptions(file, ["2a"])


FOLLOWERS = {"is": {"a": 0.5, "to": 0.5}, "of": {"c": 0.5, "a": 0.25, "b": 0.25}, "part": {"of": 1.0}}
OTHER_WORDS = {word: {} for word in ("d", "here", "k", "l", "as")}
EVEN = 1 / 12  # of the twelve words, after one without followers


@pytest.fixture(scope="module")
def bigrams():
    return bigram_model({**FOLLOWERS, **OTHER_WORDS})


@pytest.mark.parametrize(
    ("kind", "request_type", "probe", "expected"),
    [
        ("schema", Sentence, "2a c:b", [math.nan, EVEN, 0.5, EVEN, 1.0, 0.5, EVEN]),  # b is a part of c here
        ("analogy", Continuation, "2a a:b", [EVEN, EVEN, 0.5, EVEN]),  # … as a is to b
        ("pmi", Continuation, "2a d", [0.5, 0.25, 0.25]),  # d is a part of c, a and b
    ],
)
def test_each_kind_of_rater_asks_the_network_its_own_questions(
    probe_table, bigrams, kind, request_type, probe, expected
):
    asked = questions_of(kind, bigrams.encoder, probe_table, layer=0)
    assert {type(request) for request in asked.requests} == {request_type}
    table = pl.from_arrow(asked.table(list(asked.answer(bigrams, asked.requests))))
    stored = table.filter(probe_id=probe)["values"].item()
    assert stored.null_count() == sum(math.isnan(one) for one in expected)  # a token without probability is missing
    values = stored.exp().to_numpy()
    assert values == pytest.approx(expected, rel=1e-5, nan_ok=True)


def test_the_states_of_a_pairs_words_are_those_of_the_asked_layer(probe_table, bigrams):
    """The embeddings are one-hot vectors, and the state of the last layer is one times the root of the width."""
    ids = bigrams.encoder.tokenizer.convert_tokens_to_ids
    for layer, size in ((0, 1.0), (-1, 12**0.5)):
        asked = questions_of("hidden", bigrams.encoder, probe_table, layer)
        states = np.array(asked.table(list(asked.answer(bigrams, asked.requests[:1])))["values"][0].as_py())
        assert np.flatnonzero(states).tolist() == [ids("k"), 12 + ids("l")]
        assert states[states != 0] == pytest.approx([size, size])


def test_after_each_layer_the_states_of_both_words_of_each_pair_are_asked(probe_table):
    """Of a choice of the first of three layers, the embeddings and the last are asked as well."""
    model = SimpleNamespace(encoder=SimpleNamespace(masked=False), config=GPT2Config(n_layer=3))
    asked = layer_scores(model, probe_table, layers=[1])
    assert [*asked.requests()] == [*spans(probe_table)]
    assert (asked.kind, asked.what, asked.count) == ("degrees layers", "requests", 5)
    response = SpanResponse("2a k:l", np.arange(6, dtype=np.float32).reshape(3, 2, 1))
    assert [(row["layer"], row["values"]) for row in asked.table([response]).to_pylist()] == [
        *((0, [0, 1]), (1, [2, 3]), (3, [4, 5])),
    ]


def test_without_further_words_no_example_stands_before_a_text_and_the_states_are_those_of_layer_0(
    probe_table, bigrams
):
    model = SimpleNamespace(encoder=bigrams.encoder)
    plain, explicit = ask(model, probe_table), ask(model, probe_table, layer=0, shots=0)
    assert [one.requests for one in plain] == [one.requests for one in explicit]
    assert [one.kind for one in plain] == ["degrees schema", "degrees analogy", "degrees pmi", "degrees hidden"]
    assert schema_scores(model, probe_table).requests == [*schemas(probe_table)] == plain.schema.requests
    assert pmi_scores(model, probe_table).requests == [*slots(probe_table, both_sides=False)] == plain.pmi.requests
    shown = ask(model, probe_table, shots=1)
    assert shown.schema.requests == [*schemas(probe_table, 1)]
    assert shown.pmi.requests == [*slots(probe_table, both_sides=False, shots=1)]
    for layer, one in (
        (0, plain.hidden),
        (0, hidden_states(model, probe_table)),
        (-1, ask(model, probe_table, layer=-1).hidden),
    ):
        asked = questions_of("hidden", bigrams.encoder, probe_table, layer)
        found = one.table([*one.answer(bigrams, one.requests[:1])])
        assert found.equals(asked.table([*asked.answer(bigrams, asked.requests[:1])]))


@pytest.mark.parametrize(("masked", "method"), [(True, "within_word_l2r"), (False, None)])
def test_a_masked_model_reads_the_last_clause_from_left_to_right(probe_table, monkeypatch, masked, method):
    monkeypatch.setattr(scoring, "continuation_logprob", lambda model, asked, method: [(model, len(asked), method)])
    encoder = SimpleNamespace(masked=masked, both_sides=masked)
    monkeypatch.setattr(scoring, "pseudo_logprob", lambda model, asked, masking: (model, len(asked), masking))
    sentence_questions = questions_of("schema", encoder, probe_table, 0)
    assert sentence_questions.answer("m", sentence_questions.requests) == ("m", 4, "within_word_l2r")
    for kind in ("analogy", "pmi"):
        asked = questions_of(kind, encoder, probe_table, 0)
        assert asked.answer("m", asked.requests) == [("m", len(asked.requests), method)]
    assert questions_of("analogy", encoder, probe_table, 0).values(SimpleNamespace(logprobs=[[1.0], [2.0]])) == [1.0]
    assert [one.text.endswith(" here") for one in questions_of("pmi", encoder, probe_table, 0).requests] == [masked] * 3


def test_subcategories_with_the_same_words_have_scores_states_and_paradigms_of_their_own(tmp_path):
    """The second one is asked about the same pairs, with other answers and other paradigms, between those of the first."""
    other = tiny_semeval.Spec(
        "2b", "PART-WHOLE", "a Y is a part of an X", ["m:n"], QUESTION, [(QUESTION, "b:a", "a:b")]
    )
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text('2a: "[Y] is a part of [X] here"\n2b: "[X] has [Y]"')
    both = probes(read_package(tiny_semeval.write(tmp_path, [SPEC, other])), prompts)

    def rated(rater, values):
        table = ratings_of([scores(values)], both, model="model", raters=[rater])
        return {(name, pair): rating for name, pair, rating in table.select("subcategory", "pair", "rating").rows()}

    # In 2a the first words are d, b and a, and the second ones c, a and b; in 2b a, c and b, and b and a and d.
    firsts = {request.id: request.candidates for request in slots(both, both_sides=True)}
    assert firsts["2b a"] == ("b", "d", "a")
    logs = {name: np.log([1 / 2, 1 / 4, 1 / 4]).tolist() for name in firsts if name.startswith("2a")}
    logs |= {"2b a": np.log([1 / 2, 1 / 4, 1 / 4]).tolist()}
    logs |= {
        name: np.log([1 / 8, 1 / 8, 3 / 4]).tolist() for name in firsts if name.startswith("2b") and name != "2b a"
    }
    found = rated("pmi", dict(sorted(logs.items(), key=lambda one: one[0][::-1])))
    assert {pair: rating for (name, pair), rating in found.items() if name == "2a"} == pytest.approx(
        dict.fromkeys(QUESTION, 0.0), abs=1e-6
    )  # each first word says the same
    assert found["2b", "a:b"] == pytest.approx(math.log((1 / 2) / (3 / 4 / 3)), abs=1e-6)
    states = {f"2a {pair}": [0.0, 0.0, 1.0, 0.0] for pair in ("k:l", *QUESTION)}
    states |= {"2b m:n": [0.0, 0.0, 0.0, 1.0], **{f"2b {pair}": [0.0, 0.0, 1.0, 1.0] for pair in QUESTION}}
    likeness = rated("hidden", states)
    expected = {"2a": 1.0, "2b": 0.5**0.5}
    assert likeness == pytest.approx({key: expected[key[0]] for key in likeness})
