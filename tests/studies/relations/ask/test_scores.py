"""What the steps ask of a model of bigrams, and its answers: tokens, words of a list, and tokens after each layer."""

import math
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.maps.file import MAPPED, SHUFFLED, UNTRAINED
from relprobe.lm.requests import LayersResponse, SlotProbe, Variant
from relprobe.lm.words.lexicon import lexicon
from relprobe.studies.examples import DRAWS
from relprobe.studies.relations.probes import EXAMPLES, PREMISES
from relprobe.studies.relations.schemas import PROBES
from relprobe.studies.relations.scoring import (
    _views,
    candidate_scores,
    draws,
    layer_scores,
    layer_table,
    scores,
    words,
)
from relprobe.studies.relations.tuples import CANDIDATES
from transformers import GPT2Config

BIGRAMS = {"a": {"bird": 0.5, "robin": 0.25, "house": 0.25}, "robin": {"is": 1}, "wall": {"is": 1}, "is": {"a": 1}}
MODEL = bigram_model(BIGRAMS)
ASKED = SimpleNamespace(type="causal", encoder=MODEL.encoder, conversation=None)
LEXICON = lexicon(MODEL.encoder.tokenizer, 0)
ENGLISH = SimpleNamespace(wordfreq="en")


def probe(target, text, kind="main", prompt="hyp", relation="HYP"):
    return (f"{prompt}:{target}", relation, target, prompt, kind, text, [{"text": text, "weight": 1.0}])


TABLE = pl.DataFrame(
    [
        probe("night", "night is a [V]"),  # which is no word of the vocabulary
        probe("robin", "robin is a [V]"),
        probe("wall", "wall is a [V]", "trick"),
        probe("robin", "robin [V] a", prompt="mid"),
    ],
    schema=PROBES,
    orient="row",
)
PREMISE = pl.DataFrame([("hyp", [{"text": "is a [V]", "weight": 1.0}]), ("mid", [])], schema=PREMISES, orient="row")


def asked_of(scoring):
    requests = scoring.requests() if callable(scoring.requests) else scoring.requests
    return [(request.id, [variant.text for variant in request.variants]) for request in requests]


@pytest.mark.parametrize("examples", [None, {"hyp:robin": "wall is a house ", "hyp:wall": "robin is a bird "}])
def test_probes_whose_target_is_one_token_and_whose_slot_is_last_are_asked(examples):
    asked = scores(ASKED, TABLE, LEXICON, PREMISE, examples, top_k=2, special_tokens="keep")
    before = examples or {}
    ids = ["hyp:robin", "hyp:wall"]
    expected = {name: f"{before.get(name, '')}{name.removeprefix('hyp:')} is a [V]" for name in ids}
    assert dict(asked_of(asked.out)) == {name: [text] for name, text in expected.items()}
    assert asked.out.count == 2
    assert asked.out.metadata["sent"].keys() <= set(ids)
    assert [kind.kind for kind in asked] == ["relations scores", "relations without target"]
    alone = [texts for _, texts in asked_of(asked.without_target)]
    assert sorted(alone) == sorted([f"{prefix}is a [V]"] for prefix in ({""} if examples is None else before.values()))


def test_the_best_tokens_stand_with_their_probabilities():
    asked = scores(ASKED, TABLE, LEXICON, PREMISE, top_k=2, special_tokens="keep").out
    answers = list(asked.answer(MODEL, [SlotProbe("p", (Variant("robin is a [V]"),))]))
    (row,) = asked.table(answers).to_pylist()
    names = MODEL.encoder.tokenizer.convert_ids_to_tokens(row["token_ids"])
    assert names[0] == "bird"
    assert set(names[1:]) < {"robin", "house"}
    assert row["logprobs"] == pytest.approx([math.log(0.5), math.log(0.25)], abs=1e-5)


@pytest.mark.parametrize(("special_tokens", "best"), [("keep", "bird"), ("drop", "robin")])
def test_special_tokens_are_answers_only_if_the_study_keeps_them(special_tokens, best):
    model = bigram_model({**BIGRAMS, "a": {"bird": 0.5, "robin": 0.3, "house": 0.2}})
    model.encoder.tokenizer.add_special_tokens({"eos_token": "bird"})
    settings = SimpleNamespace(**{**vars(ASKED), "encoder": model.encoder}, config=model.net.config)
    choices = {"top_k": 1, "special_tokens": special_tokens}
    last = model.net.config.num_hidden_layers
    for asked in (
        scores(settings, TABLE, LEXICON, PREMISE, **choices).out,
        scores(settings, TABLE, LEXICON, PREMISE, **choices).without_target,
        layer_scores(settings, TABLE, LEXICON, layers=[last], **choices),
    ):
        answers = asked.answer(model, [SlotProbe("p", (Variant("robin is a [V]"),))])
        row = asked.table(list(answers)).to_pylist()[-1]  # of layers, that of the last one
        assert model.encoder.tokenizer.convert_ids_to_tokens(row["token_ids"]) == [best]


def test_a_row_of_layers_has_the_tokens_of_its_view_alone():
    ids = [np.array([[1, 2], [3, 4]], np.int32), np.array([[5, 6], [7, 8]], np.int32)]
    responses = [
        LayersResponse(name, probe_ids, -probe_ids.astype(np.float32))
        for name, probe_ids in zip("pq", ids, strict=True)
    ]
    rows = layer_table(responses, [("raw", 0), ("mapped", 3)]).to_pylist()
    assert [(row["probe_id"], row["variant"], row["layer"], row["token_ids"]) for row in rows] == [
        ("p", "raw", 0, [1, 2]),
        ("p", "mapped", 3, [3, 4]),
        ("q", "raw", 0, [5, 6]),
        ("q", "mapped", 3, [7, 8]),
    ]
    assert [row["logprobs"] for row in rows] == [[-1, -2], [-3, -4], [-5, -6], [-7, -8]]


def test_layers_are_read_as_they_are_and_through_the_maps_that_they_have():
    """The last layer has no map of its own; a control has one of it, too, and that of an untrained network says so."""
    pair = ("weight", "bias")
    maps = SimpleNamespace(tensors={(MAPPED, 0): pair, (MAPPED, 2): pair, (SHUFFLED, 2): pair, (UNTRAINED, 0): pair})
    views = _views([0, 2], maps)
    assert list(views) == [("raw", 0), ("raw", 2), *(key for key in views if key[0] != "raw")]
    assert set(views) == {("raw", 0), ("raw", 2), (MAPPED, 0), (SHUFFLED, 2), (UNTRAINED, 0)}
    assert [view.untrained for view in views.values()] == [key[0] == UNTRAINED for key in views]
    assert list(_views([0, 2], None)) == [("raw", 0), ("raw", 2)]


@pytest.mark.parametrize(("sample", "ids"), [(None, ["hyp:robin", "hyp:wall"]), (1, ["hyp:robin"])])
def test_words_of_a_list_are_asked_of_all_probes_or_of_a_sample(sample, ids):
    """A sample is of targets that are one token; the trick probe of a target goes with it."""
    listed = pl.DataFrame({"word": ["bird", "house"]})
    asked = words(ASKED, TABLE, listed, ENGLISH, None, LEXICON, top_words=2, sample=sample)
    assert (sorted(name for name, _ in asked_of(asked)), asked.count) == (ids, len(ids))
    (row,) = asked.table(list(asked.answer(MODEL, [SlotProbe("p", (Variant("robin is a [V]"),))]))).to_pylist()
    assert (row["probe_id"], row["word_ids"]) == ("p", [0, 1])
    assert row["logprobs"] == pytest.approx([math.log(0.5), math.log(0.25)], abs=1e-5)
    other = words(ASKED, TABLE, listed.head(1), ENGLISH, None, LEXICON, top_words=2)
    assert asked.depends_on.keys() == other.depends_on.keys() == {"words"}
    assert asked.depends_on != other.depends_on


@pytest.mark.parametrize(("sample", "ids"), [(None, ["hyp:robin", "hyp:wall"]), (1, ["hyp:robin"])])
def test_layers_are_asked_of_main_probes_alone(sample, ids):
    table = pl.concat(
        [TABLE, pl.DataFrame([probe("wall", "wall is a [V]", prompt="hyp")], schema=PROBES, orient="row")]
    )
    main = table.unique("probe_id", keep="last", maintain_order=True)
    settings = SimpleNamespace(**vars(ASKED), config=GPT2Config(n_layer=2))
    asked = layer_scores(settings, main, LEXICON, layers="all", top_k=2, special_tokens="keep", sample=sample)
    assert (sorted(name for name, _ in asked_of(asked)), asked.count) == (ids, len(ids))
    trick = layer_scores(settings, TABLE, LEXICON, layers="all", top_k=2, special_tokens="drop")
    assert [name for name, _ in asked_of(trick)] == ["hyp:robin"]
    texts = dict.fromkeys(main["probe_id"], "wall is a house ")
    given = layer_scores(settings, TABLE, LEXICON, texts, layers="all", top_k=2, special_tokens="keep")
    assert asked_of(given) == [("hyp:robin", ["wall is a house robin is a [V]"])]


def test_closed_lists_are_asked_after_the_probe_and_after_its_premise(caplog):
    candidates = pl.DataFrame(
        [("HYP", None, "bird"), ("HYP", None, "house"), ("HYP", None, "zebra")], schema=CANDIDATES, orient="row"
    )
    listed = pl.DataFrame({"word": ["house", "robin", "zebra", "bird"]})  # whose rows the file names
    asked = candidate_scores(ASKED, TABLE.filter(prompt_id="hyp"), candidates, listed, PREMISE, ENGLISH)
    assert "cannot spell 1 candidates, which are no answers: zebra" in caplog.text
    requests = list(asked.requests())
    assert [(one.probe.id, one.premise.variants[0].text) for one in requests] == [
        ("hyp:robin", "is a [V]"),
        ("hyp:wall", "is a [V]"),
    ]
    assert asked.count == 2  # the tokenizer cannot write "night"
    answers = asked.answer(MODEL, requests[:1])
    (row,) = asked.table(list(answers)).to_pylist()
    best = dict(zip(row["word_ids"], row["logprobs"], strict=True))
    assert [best[n] for n in (3, 0)] == pytest.approx([math.log(0.5), math.log(0.25)], abs=1e-5)
    other = candidate_scores(ASKED, TABLE, candidates.head(2), listed, PREMISE, ENGLISH)
    assert asked.depends_on != other.depends_on


def test_the_answers_after_each_layer_are_rows_of_the_views_that_were_asked():
    """Of a causal model of two layers: the embeddings, the first and the last one; the best token of each."""
    settings = SimpleNamespace(**vars(ASKED), config=MODEL.net.config)
    last = MODEL.net.config.num_hidden_layers
    asked = layer_scores(settings, TABLE, LEXICON, layers=[0, last], top_k=1, special_tokens="drop")
    answers = list(asked.answer(MODEL, list(asked.requests())))
    rows = asked.table(answers).to_pylist()
    assert [(row["probe_id"], row["variant"], row["layer"]) for row in rows] == [
        *(("hyp:robin", "raw", 0), ("hyp:robin", "raw", last))
    ]
    assert MODEL.encoder.tokenizer.convert_ids_to_tokens(rows[-1]["token_ids"]) == ["bird"]
    assert rows[-1]["logprobs"] == pytest.approx([math.log(0.5)], abs=1e-5)


def test_a_sample_of_probes_is_asked_after_every_draw_of_examples_but_the_first(tmp_path):
    """The scores hold the answers after the first; of two examples of a draw, one shot takes the first."""
    encoder = bigram_model({**BIGRAMS, ".": {"a": 1}}).encoder
    settings = SimpleNamespace(type="causal", encoder=encoder)
    texts = {draw: "wall is a house" if draw % 2 else "robin is a bird" for draw in range(1, DRAWS + 1)}
    rows = [("hyp:robin", draw, [text, "a bird"]) for draw, text in texts.items()]
    pl.DataFrame(rows, schema=EXAMPLES, orient="row").write_parquet(tmp_path / "examples.parquet")
    sample = {"top_k": 1, "special_tokens": "keep", "shots": 1, "sample": 1}
    asked = draws(
        settings,
        TABLE.filter(probe_id="hyp:robin"),
        lexicon(encoder.tokenizer, 0),
        tmp_path / "examples.parquet",
        **sample,
    )
    assert asked.kind == "relations draws"
    assert asked_of(asked) == [(f"{n} hyp:robin", [f"{texts[n]}.\nrobin is a [V]"]) for n in range(2, DRAWS + 1)]
    assert asked.count == DRAWS - 1
