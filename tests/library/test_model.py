"""The public interface gives the numbers of the plain forward of transformers, in tables."""

import json
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import torch
from relprobe.core.errors import DataError, ModelError, ProbeError
from relprobe.library.layers import asked_layers
from relprobe.library.model import Model
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import Sentence
from relprobe.lm.words.encode import Encoder
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast

from tests.lm import naive
from tests.lm.architectures import build
from tests.lm.architectures import model as engine_of
from tests.lm.tokenizers_for_tests import byte_level

NEAR = {"abs": 1e-4}


def table_of(model, text):
    """The log-probabilities of the whole vocabulary at the slot, computed the plain way."""
    return naive.slot(model.engine.net, model.engine.encoder.tokenizer, text.replace("[SLOT]", "[V]"))


@pytest.mark.parametrize(("name", "text"), [("causal", "a robin is a [SLOT]"), ("masked", "a robin is a [SLOT] .")])
def test_top_words_are_the_likeliest_tokens_that_are_words(request, name, text):
    model = request.getfixturevalue(name)
    tokenizer = model.engine.encoder.tokenizer
    values = {tokenizer.convert_ids_to_tokens(i): float(value) for i, value in enumerate(table_of(model, text))}
    initial, special = {"causal": "Ġ", "masked": ""}[name], {*tokenizer.all_special_tokens}
    words = {
        token.removeprefix(initial): value
        for token, value in values.items()
        if token.startswith(initial) and not token.startswith("##") and token not in special and token != initial
    }
    best = sorted(words, key=words.get, reverse=True)[:5]
    table = model.top_words([text, text], k=5)
    assert table.columns == ["id", "text", "rank", "word", "logprob"]
    assert table["id"].to_list() == [0] * 5 + [1] * 5
    assert table["rank"].to_list() == [1, 2, 3, 4, 5] * 2
    assert table["word"].to_list() == best * 2
    assert table["logprob"].to_list() == pytest.approx([words[word] for word in best] * 2, **NEAR)


def test_a_script_without_spaces_gets_its_tokens_and_a_warning(caplog):
    """The tokens after a space are of other scripts, or do not exist: 鳥 never follows a space in Japanese."""
    tokenizer = tokenizer_with("鳥", "とり", "Ġ鳥")
    net = build("qwen2", vocab_size=len(tokenizer))
    model = Model(fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=64), 1024), progress=False)
    texts = ["コマドリは[SLOT]", "a robin is a [SLOT]"]
    table = model.top_words(texts, k=500)
    expected = {word: table_of(model, texts[0])[tokenizer.vocab[tokens]].item() for word, tokens in JAPANESE.items()}
    first = table.filter(id=0)
    assert first["word"].to_list() == sorted(JAPANESE, key=expected.get, reverse=True)
    assert first["logprob"].to_list() == pytest.approx(sorted(expected.values(), reverse=True), **NEAR)
    assert "1 of the texts are in a script without spaces" in caplog.text
    english = table.filter(id=1)
    assert {"bird", "鳥"} < set(english["word"])
    assert not {"とり"} & set(english["word"])
    assert english.drop("id").equals(model.top_words(texts[1], k=500).drop("id"))


JAPANESE = {"鳥": "é³¥", "とり": "ãģ¨ãĤĬ"}


def tokenizer_with(*words):
    """Return the byte-level tokenizer with these words as tokens."""
    state = json.loads(byte_level().backend_tokenizer.to_str())
    vocabulary = state["model"]["vocab"]
    for word in words:
        symbols = JAPANESE.get(word.removeprefix("Ġ"))
        vocabulary[f"Ġ{symbols}" if word.startswith("Ġ") else symbols] = len(vocabulary)
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(state)))


def test_top_words_of_a_list_count_the_ends_of_words(causal):
    net, tokenizer = causal.engine.net, causal.engine.encoder.tokenizer
    listed = ["bird", "robin bird", "hammers", "animal"]
    expected = {word: naive.word(net, tokenizer, "a robin is a [V]", word) for word in listed}
    table = causal.top_words("a robin is a [SLOT]", k=4, words=listed)
    assert table["word"].to_list() == sorted(listed, key=expected.get, reverse=True)
    assert table["logprob"].to_list() == pytest.approx([expected[word] for word in table["word"]], **NEAR)
    assert causal.top_words("a robin is a [SLOT]", k=4, words=dict.fromkeys(listed, 2.0)).equals(table)


def test_a_candidate_stands_in_the_slot_or_after_the_text(causal, masked):
    net, tokenizer = causal.engine.net, causal.engine.encoder.tokenizer
    expected = [sum(naive.chain(net, tokenizer, "a robin is a [V]", word)) for word in ("bird", "robin bird")]
    for text in ("a robin is a", "a robin is a [SLOT]"):
        table = causal.score(text, ["bird", "robin bird"])
        assert table["logprob"].to_list() == pytest.approx(expected, **NEAR)
        assert table["tokens"].to_list() == [1, 2]
    table = masked.score(["a [SLOT] is a bird .", "a robin"], [["robin"], ["bird", "animal"]])
    assert table.select("id", "candidate").rows() == [(0, "robin"), (1, "bird"), (1, "animal")]
    assert table["logprob"][0] == pytest.approx(
        float(table_of(masked, "a [SLOT] is a bird .")[masked.engine.encoder.tokenizer.vocab["robin"]]), **NEAR
    )


def plain_sum(net, tokenizer, text, whole):
    """The log-probabilities of the tokens that a text grows by, in one plain forward of the whole."""
    start, ids = len(tokenizer(text.rstrip(" ")).input_ids), tokenizer(whole).input_ids
    assert ids[:start] == tokenizer(text.rstrip(" ")).input_ids
    table = naive.logprobs(net, ids)
    return sum(table[i - 1, ids[i]].item() for i in range(start, len(ids)))


@pytest.mark.parametrize(
    ("text", "candidate", "join", "whole"),
    [
        ("a robin is a", "bird", "auto", "a robin is a bird"),
        ("a robin is a ", "bird", "auto", "a robin is a bird"),
        ("is a robin a\n", "bird", "auto", "is a robin a\nbird"),
        ('the word "', "bird", "auto", 'the word "bird'),
        ("a robin (", "a bird", "auto", "a robin (a bird"),
        ("a robin is a bird", ".", "auto", "a robin is a bird."),
        ("知更鸟是一种", "鸟", "auto", "知更鸟是一种鸟"),
        ("コマドリは", "鳥", "auto", "コマドリは鳥"),
        ('the word "', "bird", "space", 'the word " bird'),
        ("a robin is a ", "bird", "space", "a robin is a bird"),
        ("a robin is a", "1", "none", "a robin is a1"),
        ("a robin is a", " bird", "none", "a robin is a bird"),
        ("a robin is a", " bird", "auto", "a robin is a bird"),
    ],
)
@pytest.mark.parametrize("name", ["qwen2", "llama"])
def test_a_candidate_has_the_sum_over_its_tokens_in_the_joined_text(name, text, candidate, join, whole):
    engine = engine_of(name)
    expected = plain_sum(engine.net, engine.encoder.tokenizer, text, whole)
    row = Model(engine, progress=False).score(text, [candidate], join=join).row(0, named=True)
    assert row["logprob"] == pytest.approx(expected, **NEAR)
    assert row["candidate"] == candidate


def test_candidates_that_are_joined_in_two_ways_keep_their_order(causal):
    words = ["bird", ".", "animal", ","]
    together = causal.score(["a robin is a", "a car is a"], words)
    assert together["candidate"].to_list() == words * 2
    alone = [causal.score(text, [word])["logprob"][0] for text in ("a robin is a", "a car is a") for word in words]
    assert together["logprob"].to_list() == pytest.approx(alone, **NEAR)


def test_a_slot_of_the_text_decides_where_a_candidate_stands(causal):
    tables = [causal.score("a robin is a [SLOT]", ["bird"], join=join) for join in ("auto", "space", "none")]
    assert all(table.equals(tables[0]) for table in tables)


def test_sentences_have_the_log_probability_of_every_token(causal, masked):
    net, tokenizer = causal.engine.net, causal.engine.encoder.tokenizer
    ids = tokenizer("a robin is a bird").input_ids
    plain = naive.logprobs(net, ids)
    row = causal.sentences("a robin is a bird").row(0, named=True)
    expected = [plain[i - 1, ids[i]].item() for i in range(1, len(ids))]
    assert row["logprobs"][-len(expected) :] == pytest.approx(expected, **NEAR)
    assert row["logprobs"][: -len(expected)] in ([], [None])
    assert row["logprob"] == pytest.approx(sum(expected), **NEAR)
    assert masked.sentences(["a robin is a bird"])["tokens"].to_list() == [["a", "robin", "is", "a", "bird"]]


def test_the_ends_of_words_count_where_they_are_asked_for(causal):
    net, tokenizer = causal.engine.net, causal.engine.encoder.tokenizer
    words = ["bird", "robin bird"]
    expected = [naive.word(net, tokenizer, "a robin is a [V]", word) for word in words]
    ended = causal.score("a robin is a", words, word_ends=True)
    assert ended["logprob"].to_list() == pytest.approx(expected, **NEAR)
    assert ended["logprob"].to_list() != pytest.approx(causal.score("a robin is a", words)["logprob"].to_list(), **NEAR)
    (whole,) = pseudo_logprob(causal.engine, [Sentence("0", "a robin is a bird")], word_boundary=True)
    (plain,) = pseudo_logprob(causal.engine, [Sentence("0", "a robin is a bird")])
    assert causal.sentences("a robin is a bird", word_ends=True)["logprob"][0] == pytest.approx(
        np.nansum(whole.logprobs)
    )
    assert np.nansum(whole.logprobs) != pytest.approx(np.nansum(plain.logprobs), **NEAR)


def test_a_text_is_masked_in_the_way_that_is_asked_for(masked):
    """The first token of the last word has the second one beside it, or a mask in its place."""
    net, tokenizer = masked.engine.net, masked.engine.encoder.tokenizer
    text, slot, word = "a robin is a [SLOT]", "a robin is a [V]", "birds"
    ids, start, stop = naive.ids_with_candidate(tokenizer, slot, word)
    seen = naive.one_mask_at_a_time(net, tokenizer, ids, None, range(start, stop))
    hidden, at_once = naive.within_word(net, tokenizer, slot, word), naive.all_masks(net, tokenizer, slot, word)
    assert masked.score(text, [word])["logprob"][0] == pytest.approx(sum(at_once), abs=1e-5)
    assert masked.score(text, [word], method="within_word_l2r")["logprob"][0] == pytest.approx(sum(hidden), abs=1e-5)
    sentence = "a robin is a birds"
    for masking, expected in {"one_mask": seen, "within_word_l2r": hidden}.items():
        assert masked.sentences(sentence, masking=masking)["logprobs"].to_list()[0][-2:] == pytest.approx(
            expected, abs=1e-5
        )
        assert masked.words(sentence, masking=masking)["nats"][-1] == pytest.approx(-sum(expected), abs=1e-5)
    assert masked.sentences(sentence)["logprobs"].to_list()[0][-2:] == pytest.approx(seen, abs=1e-5)
    assert masked.words(sentence)["nats"][-1] == pytest.approx(-sum(hidden), abs=1e-5)


def test_vectors_are_means_of_hidden_states(causal):
    net, tokenizer = causal.engine.net, causal.engine.encoder.tokenizer
    ids = tokenizer("a robin is a bird").input_ids
    states = naive.hidden_states(net, ids, -1).numpy()
    tokens = tokenizer.convert_ids_to_tokens(ids)
    table = causal.embed(["a robin is a bird"] * 2, ["robin", "bird"])
    expected = [states[tokens.index("Ġrobin")], states[tokens.index("Ġbird")]]
    np.testing.assert_allclose(table["vector"].to_numpy(), expected, atol=1e-5)
    assert table["vector"].dtype == pl.Array(pl.Float32, 32)
    assert causal.embed([]).is_empty()


@pytest.mark.parametrize(("progress", "hidden"), [(None, None), (True, False), (False, True)])
def test_a_bar_shows_where_somebody_looks_or_as_one_says(causal, monkeypatch, progress, hidden):
    """tqdm takes None for: on a terminal and in a notebook."""
    seen = []

    def bar(items, **settings):
        seen.append((settings["disable"], settings["total"]))
        return items

    monkeypatch.setattr("tqdm.auto.tqdm", bar)
    Model(causal.engine, progress).score(["a robin is a", "a bird is a"], ["bird"])
    assert seen == [(hidden, 2)]


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda model: model.top_words("a robin"), "text 0 has 0 slots [SLOT]"),
        (lambda model: model.top_words(["a [SLOT]", "[SLOT] [SLOT]"]), "text 1 has 2 slots [SLOT]"),
        (lambda model: model.score("a", "bird"), "the candidates are one text, 'bird'"),
        (lambda model: model.score("a", [["bird"], ["robin"]]), "2 lists of candidates for 1 texts"),
        (lambda model: model.top_words("a [SLOT]", k=-1), "k=-1 is no number of words"),
        (lambda model: model.top_words("a [SLOT]", k=1.5), "k=1.5 is no number of words"),
        (lambda model: model.top_words("a [SLOT]", words=["bird", None]), "word 1 is None, which is no text"),
        (lambda model: model.top_words([None]), "text 0 is None, which is no text: write it as one, or leave it out"),
        (lambda model: model.top_words(None), "None is no text: give a text, or a list of texts"),
        (lambda model: model.sentences(["a", 3]), "text 1 is 3, which is no text"),
        (lambda model: model.embed(["a"], [None]), "word 0 is None, which is no text"),
        (lambda model: model.score("a", ["bird", None]), "candidate 1 is None, which is no text"),
        (lambda model: model.score(["a"], [[None]]), "candidate 0 is None, which is no text"),
        (lambda model: model.score(["a", "b"], [["bird"], []]), "text 1 has no candidates"),
        (lambda model: model.score("a", ["\nbird"]), "candidate '\\nbird' of text 0 begins with a line break or a tab"),
        (lambda model: model.score("a", ["bird"], join="glue"), "join='glue' is no way to join texts and candidates"),
        (lambda model: model.score("a bir", ["d"], join="none"), "shares a token with the text before it, 'bir'"),
        (lambda model: model.embed(["a robin"], ["rob"]), "text 0 does not hold the word 'rob'"),
        (lambda model: model.embed(["a robin"], ["a", "robin"]), "2 words for 1 texts"),
        (lambda model: model.top_words("a [SLOT] sings"), "text after its slot"),
    ],
)
def test_a_mistake_gets_one_sentence(causal, ask, words):
    with pytest.raises((ProbeError, ModelError)) as error:
        ask(causal)
    assert words in str(error.value)


@pytest.mark.parametrize(("name", "text"), [("causal", "a robin is a [SLOT]"), ("masked", "a robin is a [SLOT] .")])
def test_layers_answer_each_for_themselves(request, name, text):
    model = request.getfixturevalue(name)
    count = model.engine.net.config.num_hidden_layers
    table = model.top_words([text, text.replace("robin", "bird")], k=3, layers="all")
    assert table["layer"].to_list() == [layer for _ in range(2) for layer in range(count + 1) for _ in range(3)]
    last = table.filter(layer=count).drop("layer")
    expected = model.top_words([text, text.replace("robin", "bird")], k=3)
    assert last["word"].to_list() == expected["word"].to_list()
    assert last["logprob"].to_list() == pytest.approx(expected["logprob"].to_list(), abs=1e-5)
    first = table.filter(layer=0, id=0)
    hidden = naive_embeddings(model, text)
    words = {word: token for token, word in model._tokens.words_of(unspaced=False).items()}
    assert first["logprob"].to_list() == pytest.approx([hidden[words[word]] for word in first["word"]], **NEAR)


def naive_embeddings(model, text):
    """What the head says of the embeddings at the slot, by transformers' hidden states."""
    net = model.engine.net
    query = next(iter(model.engine.encoder.slots([("x", text.replace("[SLOT]", "[V]"))])))
    with torch.no_grad():
        states = net(input_ids=torch.tensor([query.ids]), output_hidden_states=True).hidden_states[0]
        rows = states[0, list(query.positions)]
        logits = net.cls(rows) if hasattr(net, "cls") else net.lm_head(net.model.norm(rows))
    return logits[0].log_softmax(-1).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layers": [99]}, r"layers=\[99\]: the network has the layers 0 to \d+, but not 99\."),
        ({"layers": "all", "words": ["bird"]}, "leave one of the two out"),
    ],
)
def test_layers_that_cannot_be_asked(causal, options, message):
    with pytest.raises(ProbeError, match=message):
        causal.top_words("a robin is a [SLOT]", **options)


DECOMPOSED = "cafe\u0301"


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda model: model.top_words(f"a {DECOMPOSED} is a [SLOT]"), "text 0"),
        (lambda model: model.top_words("a robin is a [SLOT]", words=["bird", DECOMPOSED]), "word 1"),
        (lambda model: model.top_words("a robin is a [SLOT]", words={DECOMPOSED: 1.0}), "word 0"),
        (lambda model: model.score("a robin is a", ["bird", DECOMPOSED]), "candidate 1"),
        (lambda model: model.sentences(["a robin", f"a {DECOMPOSED}"]), "text 1"),
        (lambda model: model.words(f"a {DECOMPOSED}"), "text 0"),
        (lambda model: model.embed(f"a {DECOMPOSED}", DECOMPOSED), "text 0"),
    ],
)
def test_decomposed_letters_are_named_as_the_reason(causal, ask, what):
    with pytest.raises(
        ProbeError, match=rf"{what} is not in Unicode's form NFC .*: bring it there with unicodedata\.norm"
    ):
        ask(causal)


@pytest.mark.parametrize("slot", ["[MASK]", "<mask>", "[slot]", "[V]", "<extra_id_0>", "<|mask|>", "[ MASK ]"])
@pytest.mark.parametrize("method", ["top_words", "sentences", "words", "embed"])
def test_the_slot_of_another_library_is_no_text(causal, slot, method):
    with pytest.raises(ProbeError, match=r"is no slot here: write .SLOT. in its place"):
        getattr(causal, method)([f"a robin is a {slot}."])
    with pytest.raises(ProbeError, match="is no slot here"):
        causal.score(f"a {slot} is a", ["bird"])


@pytest.mark.parametrize("frequency", [float("nan"), float("inf"), 0, -1, "7", None, True])
def test_a_frequency_that_is_no_number_above_0_is_named(causal, frequency):
    with pytest.raises((ProbeError, DataError), match=r"'bird'.* the frequency"):
        causal.top_words("a robin is a [SLOT]", words={"robin": 2.0, "bird": frequency})


def test_a_table_and_half_of_a_character_are_no_texts(causal):
    table = pl.DataFrame({"text": ["a robin is a [SLOT]"], "note": ["x"]})
    for texts in (table, {"a robin is a [SLOT]": 1}):
        with pytest.raises(ProbeError, match="a table is given where a list of texts is expected"):
            causal.top_words(texts, k=1)
    with pytest.raises(ProbeError, match=r"text 1 is 'a \\ud83d \[SLOT\]', which holds half of a character"):
        causal.top_words(["a robin is a [SLOT]", "a \ud83d [SLOT]"], k=1)


BIGRAMS = {"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}}


def test_a_text_with_a_word_that_the_tokenizer_cannot_write_has_no_vector():
    model = Model(bigram_model(BIGRAMS), progress=False)
    table = model.embed(["a robin", "a wug", "robin"], layer=0)
    assert table["vector"].to_list() == [[0.5, 0.5, 0.0, 0.0], None, [0.0, 1.0, 0.0, 0.0]]
    assert table.select("id", "text").rows() == [(0, "a robin"), (1, "a wug"), (2, "robin")]
    assert model.embed("robin")["vector"].to_list() == [pytest.approx([0.0, 2.0, 0.0, 0.0])]  # after the last layer


def test_each_text_has_its_list_of_spans():
    model = Model(bigram_model(BIGRAMS), progress=False)
    table = model.words(["a robin sings", "a bird"], [[(2, 7)], []])
    assert table.select("id", "place", "word", "start", "stop").rows() == [(0, 0, "robin", 2, 7)]
    for spans in ([[(2, 7)]], [[(2, 7)], [], []]):
        with pytest.raises(ProbeError, match=f"there are {len(spans)} lists of spans for 2 texts: give one for each"):
            model.words(["a robin sings", "a bird"], spans)


def test_a_served_model_has_no_layers():
    with pytest.raises(ProbeError, match="the model is served, and a server gives no answers of single layers"):
        asked_layers(SimpleNamespace(), [0], None)


def test_a_sentence_without_any_probability_has_none_and_others_have_the_sum_of_theirs():
    model = Model(bigram_model(BIGRAMS), progress=False)
    table = model.sentences(["a robin sings", "robin", "a"])
    assert table["logprob"].to_list()[1:] == [None, None]
    assert table["logprob"].to_list()[0] == pytest.approx(np.log(0.25))
    assert table["logprobs"].to_list() == [[None, pytest.approx(np.log(0.25)), pytest.approx(0)], [None], [None]]


def test_the_layers_of_an_answer_are_those_that_the_network_has(causal):
    last = causal.engine.net.config.num_hidden_layers
    texts = ["a robin is a [SLOT]", "a hammer is a [SLOT]"]
    table = causal.top_words(texts, k=2, layers=[last, 0])
    assert table["layer"].unique(maintain_order=True).to_list() == [0, last]
    assert table.filter(layer=last).drop("layer").equals(causal.top_words(texts, k=2))


def test_a_served_model_is_shown_by_its_name_and_address():
    assert repr(Model("toy at http://h/v1")) == "Model(toy at http://h/v1, causal)"
