"""The systematicity study's requests, answered by a causal and a masked model."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import torch
from relprobe.core.errors import DataError, ModelError, ProbeError
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import Sentence, SlotProbe, SpanResponse, SpanText
from relprobe.lm.words.lexicon import lexicon
from relprobe.studies.systematicity.method import requests, solve
from relprobe.studies.systematicity.schemas import CONTEXTS, EMBEDDINGS, PROBES, SCORES
from relprobe.studies.systematicity.scoring import (
    answer,
    ask,
    context_requests,
    embeddings_table,
    layer_embeddings,
    layer_vectors_table,
    scores,
    table,
    vectors_table,
    with_contexts,
    words_by_token,
)

from tests.lm import naive
from tests.lm.architectures import model

WORDS = ["bird", "animal", "hippopotamus"]


def probe(kind, text, prompt="paper", main=True, texts=()):
    name = f"s:{kind}:robin" if main else f"s:{kind}:robin:{prompt}"
    return (name, "s", kind, prompt, main, "robin", "robin", text, WORDS, list(texts))


def table_of(*rows):
    return pl.DataFrame(rows, schema=PROBES, orient="row")


ASKED = table_of(
    probe("singular", "a robin is a [V]."),
    probe("contextual", "a [V] is hot, they say."),
    probe("control_singular", "robin [V]"),
)


def vocabulary(made):
    return words_by_token(lexicon(made.encoder.tokenizer, made.net.config.vocab_size))


def responses(name, asked=ASKED, top_k=3):
    return {(row["probe_id"], row["method"]): row for row in rows_of(name, asked, top_k)}


def rows_of(name, asked, top_k=3):
    made = model(name)
    found = list(answer(made, list(requests(asked, made.encoder.masked)), top_k))
    made_table = pl.DataFrame(pl.from_arrow(table(found, dict.fromkeys(asked["probe_id"], WORDS), vocabulary(made))))
    assert dict(made_table.schema) == dict(SCORES)
    return list(made_table.iter_rows(named=True))


@pytest.mark.parametrize("name", ["smollm2", "llama"])
def test_a_causal_model_chooses_by_the_full_sentence(name):
    """Sentence scores differ from the sentences' log-probabilities by what precedes the slot, which is the same for all."""
    found = responses(name)
    for probe_id, text in ASKED.filter(pl.col("kind") != "control_singular").select("probe_id", "text").iter_rows():
        sentences = [Sentence(word, text.replace("[V]", word)) for word in WORDS]
        whole = np.array([np.nansum(answer.logprobs) for answer in pseudo_logprob(model(name), sentences)])
        scores = np.array(found[probe_id, "sentence"]["scores"])
        assert scores - scores[0] == pytest.approx(whole - whole[0], abs=1e-4)


def test_a_causal_model_is_asked_by_the_slot_where_it_ends_the_prompt():
    assert set(responses("smollm2")) == {
        ("s:singular:robin", "open"),
        ("s:control_singular:robin", "open"),
        ("s:singular:robin", "slot"),
        ("s:singular:robin", "sentence"),
        ("s:contextual:robin", "slot"),
        ("s:contextual:robin", "sentence"),
        ("s:control_singular:robin", "slot"),
    }


def test_another_prompt_is_asked_by_the_slot_alone():
    other = table_of(probe("singular", "the robin is a [V].", "the", main=False))
    assert set(responses("smollm2", other)) == {("s:singular:robin:the", "slot")}
    reading = table_of(probe("contextual", "a [V] is hot.", "released", main=False))
    assert {method for _, method in responses("smollm2", reading)} == {"slot", "sentence"}


@pytest.mark.parametrize("name", ["smollm2", "bert"])
def test_a_text_per_candidate_is_asked_with_the_candidate_in_it(name):
    """The scores are those of transformers for a text that holds the candidate in its other place."""
    texts = [f"the [V] and a {word} is hot" for word in WORDS]
    found = rows_of(name, table_of(probe("contextual", texts[0], texts=texts)))
    made = model(name)
    tokenizer = made.encoder.tokenizer
    for method in {row["method"] for row in found}:
        method_rows = [row for row in found if row["method"] == method]
        assert [row["words"] for row in method_rows] == [[word] for word in WORDS]
        assert {row["probe_id"] for row in method_rows} == {"s:contextual:robin"}
    if name == "bert":
        for row, text in zip(found, texts, strict=True):
            (word,) = row["words"]
            ids = tokenizer(f"a {word}", add_special_tokens=False).input_ids[1:]
            whole = tokenizer(text.replace("[V]", " ".join(["[MASK]"] * len(ids))), return_tensors="pt").input_ids
            with torch.no_grad():
                logprobs = made.net(input_ids=whole).logits[0].log_softmax(-1)
            places = (whole[0] == tokenizer.mask_token_id).nonzero()[:, 0]
            assert row["scores"][0] == pytest.approx(float(logprobs[places, torch.tensor(ids)].sum()), abs=1e-4)
    else:
        sentences = [Sentence(word, text.replace("[V]", word)) for word, text in zip(WORDS, texts, strict=True)]
        whole = np.array([np.nansum(answer.logprobs) for answer in pseudo_logprob(made, sentences)])
        scores = np.array([row["scores"][0] for row in found if row["method"] == "sentence"])
        assert scores - scores[0] == pytest.approx(whole - whole[0], abs=1e-4)


def test_texts_that_differ_before_the_slot_are_scored_from_there():
    """The score by the sentence is that of the whole sentence, but for the beginning that all texts share."""
    texts = [f"a {word} is a [V]" for word in WORDS]
    found = rows_of("smollm2", table_of(probe("contextual", texts[0], texts=texts)))
    sentences = [Sentence(word, text.replace("[V]", word)) for word, text in zip(WORDS, texts, strict=True)]
    whole = np.array([np.nansum(answer.logprobs) for answer in pseudo_logprob(model("smollm2"), sentences)])
    scores = np.array([row["scores"][0] for row in found if row["method"] == "sentence"])
    assert scores - scores[0] == pytest.approx(whole - whole[0], abs=1e-4)


def test_a_contextual_sentence_that_ends_in_its_slot_is_asked_by_the_slot():
    """There the slot's log-probability is that of the full sentence."""
    found = responses("smollm2", table_of(probe("contextual", "they say it is a [V]")))
    assert set(found) == {("s:contextual:robin", "slot")}
    assert found["s:contextual:robin", "slot"]["words"] == WORDS


def test_a_masked_model_is_asked_by_the_slot_alone():
    found = responses("bert")
    opened = {("s:singular:robin", "open"), ("s:control_singular:robin", "open")}
    assert set(found) == {(probe_id, "slot") for probe_id in ASKED["probe_id"]} | opened
    made = model("bert")
    tokenizer = made.encoder.tokenizer
    for word, score, tokens in zip(
        WORDS, *(found["s:contextual:robin", "slot"][key] for key in ("scores", "tokens")), strict=True
    ):
        ids = tokenizer(f"a {word}", add_special_tokens=False).input_ids[1:]
        masks = " ".join([tokenizer.mask_token] * len(ids))
        whole = tokenizer(f"a {masks} is hot, they say.", return_tensors="pt").input_ids
        with torch.no_grad():
            logprobs = made.net(input_ids=whole).logits[0].log_softmax(-1)
        places = (whole[0] == tokenizer.mask_token_id).nonzero()[:, 0]
        assert tokens == len(ids)  # a category of several tokens has the sum over as many masks
        assert score == pytest.approx(float(logprobs[places, torch.tensor(ids)].sum()), abs=1e-4)


def test_a_sentence_that_begins_with_its_slot_needs_something_before_it():
    asked = table_of(probe("contextual", "[V] is hot."))
    with pytest.raises(
        ProbeError, match=r"has nothing before its slot, and the model adds no BOS token: set `bos: true`"
    ):
        responses("smollm2", asked)


@pytest.mark.parametrize(("name", "text"), [("bert", "a robin is a [V]."), ("smollm2", "a robin is a [V]")])
def test_open_slots_are_answered_with_words(name, text):
    made = model(name)
    row = responses(name)["s:singular:robin", "open"]
    best = naive.slot(made.net, made.encoder.tokenizer, text).topk(3)
    assert row["scores"] == pytest.approx(best.values.numpy(), abs=1e-4)
    assert row["words"] == [vocabulary(made)[int(token)] for token in best.indices]


def test_candidates_that_are_no_token_are_told():
    made = model("smollm2")
    known = set(lexicon(made.encoder.tokenizer, made.net.config.vocab_size)["word"])
    unknown = responses("smollm2")["s:singular:robin", "open"]["unknown"]
    assert unknown == [word for word in WORDS if word not in known]
    assert "bird" not in unknown
    assert "hippopotamus" in responses("smollm2")["s:singular:robin", "slot"]["words"]


def test_embeddings_are_stored_by_context():
    rows = [(0, "robin", "a robin is hot", 2, 7), (1, "hippopotamus", "the hippopotamus", 4, 16)]
    contexts = pl.DataFrame(rows, schema=CONTEXTS, orient="row")
    made = model("bert")
    vectors = vectors_table(list(embeddings(made, context_requests(contexts), -1)))
    table = pl.DataFrame(pl.from_arrow(embeddings_table(vectors, list(context_requests(contexts)))))
    assert table["context"].to_list() == [0, 1]
    assert dict(table.schema) == dict(EMBEDDINGS)
    for number, text, span in ((0, "a robin is hot", (2, 7)), (1, "the hippopotamus", (4, 16))):
        (alone,) = embeddings(made, [SpanText("x", text, (span,))], -1)
        assert table["vector"][number].to_numpy() == pytest.approx(alone.vectors[0], abs=1e-5)


def test_the_vectors_of_each_context_have_its_number_after_every_layer():
    """Two contexts and three layers: the first three vectors are those of the first context."""
    vectors = layer_vectors_table(
        [SpanResponse(number, np.ones((3, 1, 2), np.float32)) for number in ("4", "7")], [0, 1, 2]
    )
    asked = [SpanText("4", "a robin", ((2, 7),)), SpanText("7", "an oak", ((3, 6),))]
    table = pl.DataFrame(pl.from_arrow(with_contexts(vectors, asked)))
    assert table["context"].to_list() == [4, 4, 4, 7, 7, 7]
    assert table["layer"].to_list() == [0, 1, 2, 0, 1, 2]


def test_no_requests_make_empty_tables():
    assert dict(pl.DataFrame(pl.from_arrow(table([], {}, {}))).schema) == dict(SCORES)
    assert dict(pl.DataFrame(pl.from_arrow(embeddings_table(vectors_table([]), []))).schema) == dict(EMBEDDINGS)


VIOLIN = ("a violin", "an instrument", "violins", "instruments")
OAK = ("an oak", "a tree", "oaks", "trees")
EAGLE = ("an eagle", "a bird", "eagles", "birds")


def test_an_example_is_worded_as_the_probe_that_it_stands_before():
    kinds = ("singular", "contextual", "plural", "control_singular", "control_plural")
    assert [solve(kind, OAK) for kind in kinds] == [
        "An oak is a tree.",
        "An oak is a tree.",
        "oaks are trees.",
        "oak tree",
        "oaks trees",
    ]


@pytest.mark.parametrize(
    ("kind", "text", "violin", "oak"),
    [
        ("singular", "A robin is a [V].", "A violin is an instrument.", "An oak is a tree."),
        ("plural", "robins are [V].", "violins are instruments.", "oaks are trees."),
        ("control_plural", "robins [V]", "violins instruments", "oaks trees"),
    ],
)
def test_examples_without_a_word_of_the_probe_stand_before_each_request(kind, text, violin, oak):
    asked = table_of(probe(kind, text))
    for shots, examples in ((0, []), (1, [violin]), (2, [violin, oak])):
        found = list(requests(asked, both_sides=True, examples=[EAGLE, VIOLIN, OAK], shots=shots))
        texts = {getattr(request, "text", None) or request.variants[0].text for request in found}
        (whole,) = texts
        assert whole.endswith(text)
        assert [example in whole for example in (violin, oak)] == [violin in examples, oak in examples]
        assert "eagle" not in whole  # bird is a candidate
    with pytest.raises(DataError, match=r"needs 2 examples, but only 1 have none of its words"):
        list(requests(asked, both_sides=True, examples=[EAGLE, VIOLIN], shots=2))


def settings(name, **more):
    """What the steps read of a model before it is loaded."""
    return SimpleNamespace(encoder=model(name).encoder, conversation=None, **more)


CONTEXTS_OF_WORDS = pl.DataFrame(
    [(7, "robin", "A robin sings .", 2, 7), (9, "bird", "A bird .", 2, 6)], schema=CONTEXTS, orient="row"
)


def test_a_step_asks_the_probes_with_the_examples_before_them_and_stores_answers_by_question_and_candidates():
    made = settings("smollm2")
    words = lexicon(made.encoder.tokenizer, model("smollm2").net.config.vocab_size)
    shown = ("a saw", "a tool", "saws", "tools")
    scoring = scores(made, words, ASKED, top_k=2, shots=1, examples={"": [shown]})
    assert [request.id for request in scoring.requests] == [
        request.id for request in requests(ASKED, False, 1, [shown])
    ]
    texts = [request.variants[0].text for request in scoring.requests if isinstance(request, SlotProbe)]
    assert texts[0].endswith("\na robin is a [V]")
    assert "saw" in texts[0]
    assert "saw" not in next(iter(scores(made, words, ASKED, top_k=2).requests)).variants[0].text
    # The same question with other candidates is another one, as its row names those that are no words of the vocabulary.
    first = next(iter(scoring.requests))
    other = scores(
        made, words, ASKED.with_columns(candidates=pl.lit(["bird"])), top_k=2, shots=1, examples={"": [shown]}
    )
    for key in ("key", "old_key"):
        assert getattr(scoring, key)(first) != getattr(other, key)(first)
        assert "['bird', 'animal', 'hippopotamus']" in getattr(scoring, key)(first)
    assert (scoring.kind, scoring.what) == ("systematicity scores", "requests")
    answers = list(scoring.answer(model("smollm2"), scoring.requests[:1]))
    row = scoring.table(answers).to_pylist()[0]
    assert (row["probe_id"], row["method"], len(row["words"])) == ("s:singular:robin", "open", 2)


def test_a_model_embeds_the_words_of_the_pairs_where_there_are_any():
    made = settings("bert")
    words = lexicon(made.encoder.tokenizer, model("bert").net.config.vocab_size)
    alone = ask(made, words, ASKED, top_k=2)
    assert (alone.scores.kind, alone.embeddings) == ("systematicity scores", None)
    both = ask(made, words, ASKED, CONTEXTS_OF_WORDS, top_k=2)
    assert [request.id for request in both.embeddings.requests] == ["7", "9"]
    # The last layer's states unless another one is asked.
    for options, layer in (({}, -1), ({"layer": 1}, 1)):
        embedded = ask(made, words, ASKED, CONTEXTS_OF_WORDS, top_k=2, **options).embeddings
        found = embedded.table(list(embedded.answer(model("bert"), embedded.requests)))
        expected = list(embeddings(model("bert"), list(context_requests(CONTEXTS_OF_WORDS)), layer))
        assert found["vector"].to_pylist() == [one.vectors[0].tolist() for one in expected]
        joined = embedded.join(found, embedded.requests)
        assert joined["context"].to_pylist() == [7, 9]


def test_after_each_layer_the_words_of_the_pairs_are_embedded_whatever_the_numbers_of_their_contexts():
    network = model("bert")
    last = network.net.config.num_hidden_layers
    asked = layer_embeddings(settings("bert", config=network.net.config), CONTEXTS_OF_WORDS, layers=[1])
    assert (asked.kind, asked.what, asked.count) == ("systematicity layers", "contexts", 2)
    word_requests = list(asked.requests())
    assert word_requests == [*context_requests(CONTEXTS_OF_WORDS)]
    layers = sorted({0, 1, last})
    rows = asked.join(asked.table(list(asked.answer(network, word_requests))), word_requests).to_pylist()
    assert [(row["context"], row["layer"]) for row in rows] == [
        (number, layer) for number in (7, 9) for layer in layers
    ]
    (expected, _) = embeddings(network, word_requests, 1)
    assert rows[layers.index(1)]["vector"] == pytest.approx(expected.vectors[0].tolist())
    assert asked.key(word_requests[0]) == asked.key(replace(word_requests[0], id="8"))
    assert asked.old_key(word_requests[0]) == asked.key(word_requests[0])
    unwritten = CONTEXTS_OF_WORDS.with_columns(text=pl.lit("A \N{SNOWMAN} sings ."), start=2, stop=3)
    with pytest.raises(ModelError, match="asked about in the contexts of the classifiers' pairs"):
        list(layer_embeddings(settings("bert", config=network.net.config), unwritten, layers=[1]).requests())


def test_without_a_context_there_are_tables_without_rows():
    assert (vectors_table([]).num_rows, layer_vectors_table([], [0, 1]).num_rows) == (0, 0)


def test_an_example_names_neither_the_hyponym_nor_its_form_nor_a_candidate():
    """Of five examples, one alone fits: the others name robin, robins, a bird, or animals in the plural's place."""
    fits = ("a saw", "a tool", "saws", "tools")
    examples = [
        *(("a robin", "a tool", "x", "y"), ("a y", "a tool", "robins", "tools"), ("a bird", "a tool", "x", "y")),
        *(("a y", "a tool", "x", "animal"), fits),
    ]
    asked = table_of(probe("plural", "robins are [V].")).with_columns(word=pl.lit("robins"))
    (only,) = requests(asked, True, 1, examples)
    assert only.text == "saws are tools.\nrobins are [V]."


def test_candidates_in_the_sentence_differ_from_the_word_on_in_which_the_texts_do():
    """Bird and bison begin alike, and so does what stands before them; other probes follow."""
    words = ["bird", "bison"]
    before = {"texts": ["A small [V] saw a bird .", "A small [V] saw a bison ."], "text": "A small [V] saw a bird ."}
    behind = {"texts": ["A small bird saw a [V]", "A small bison saw a [V]"], "text": "A small bird saw a [V]"}
    rows = [probe("contextual", "x"), probe("singular", "a robin is a [V].")]
    asked = pl.DataFrame([dict(zip(PROBES, row, strict=True)) | {"candidates": words} for row in rows], schema=PROBES)
    for change, expected in (
        (
            before,
            [
                ("A small [V]", "bird"),
                ("A small [V]", "bird saw a bird ."),
                ("A small [V]", "bison"),
                ("A small [V]", "bison saw a bison ."),
            ],
        ),
        (
            behind,
            [
                ("A small bird saw a [V]", "bird"),
                ("A small [V]", "bird saw a bird"),
                ("A small bison saw a [V]", "bison"),
                ("A small [V]", "bison saw a bison"),
            ],
        ),
    ):
        changed = pl.DataFrame([asked.row(0, named=True) | change, asked.row(1, named=True)], schema=PROBES)
        found = list(requests(changed, False))
        assert [(one.text, one.candidates[0]) for one in found[:4]] == expected
        assert [one.id.partition(":")[0] for one in found[4:]] == ["open", "slot", "sentence"]
    # Where the text ends in its slot, there is no sentence but the slot's.
    at_the_end = {"texts": ["A [V]", "A [V]"], "text": "A [V]"}
    found = list(requests(pl.DataFrame([asked.row(0, named=True) | at_the_end], schema=PROBES), False))
    assert [one.id for one in found] == ["slot:s:contextual:robin=bird", "slot:s:contextual:robin=bison"]
