"""A model that is loaded with `chat=` or `shots=` is asked as an agent of a study is."""

import numpy as np
import polars as pl
import pytest
from relprobe import load
from relprobe.core.errors import ConfigError, ModelError
from relprobe.core.files import write_table
from relprobe.core.manifest import write_manifest
from relprobe.library.asking import LINES
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.settings import ModelSettings
from relprobe.studies import conversations
from relprobe.studies.analogies.method import sentence_requests
from relprobe.studies.analogies.schemas import PROBES as ANALOGIES
from relprobe.studies.analogies.template import Template
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import EXAMPLES, prefixes
from relprobe.studies.relations.schemas import PROBES

from tests.lm.served.stub import Stub
from tests.paths import ROOT
from tests.workflow.toy_models import encoder_decoder_model

SHOTS = ["a night is a kind of a day", "a house is a kind of a home."]
PAIRS = [("a night is a kind of a [SLOT]", "day"), ("a house is a kind of a", "home")]
TEXT = "a robin is a kind of a"
PROBE = {
    "probe_id": "hyp:robin",
    "relation": "HYP",
    "target": "robin",
    "prompt_id": "hyp",
    "kind": "main",
    "text": f"{TEXT} [V]",
    "variants": [{"text": f"{TEXT} [V]", "weight": 1.0}],
}


@pytest.fixture(scope="session")
def all_folders(folders, tmp_path_factory):
    """Kind -> the folder of a model, an encoder-decoder model as well."""
    folder = tmp_path_factory.mktemp("t5") / "t5"
    encoder_decoder_model(folder, seed=1)
    return {**folders, "encoder-decoder": folder}


def agent(folder, kind, **settings):
    """Return the model of an agent of a study."""
    return ModelSettings(write_manifest(folder), kind, **settings).load()


def relations_scores(tmp_path, shots):
    """Return the request of the relations study about the robin."""
    texts = {"probe_id": "hyp:robin", "draw": 1, "texts": SHOTS}
    write_table(pl.DataFrame([texts], schema=EXAMPLES), EXAMPLES, tmp_path / "examples.parquet")
    before = prefixes(tmp_path / "examples.parquet", shots) if shots else None
    return next(requests(pl.DataFrame([PROBE], schema=PROBES), before))


def assert_asked_alike(model, own, request):
    """The model of the library reads the text of the agent `own`, and gives its likeliest tokens."""
    encoder = model.engine.encoder
    assert encoder.whole_text(f"{TEXT} [V]") == own.encoder.whole_text(request.variants[0].text)
    response = next(slot_top_k(own, [request], 30))
    tokens = dict(zip(response.token_ids.tolist(), response.logprobs.tolist(), strict=True))
    words = {token: word for token, word in model._tokens.words_of(unspaced=False).items() if token in tokens}
    table = model.top_words(f"{TEXT} [SLOT]", k=len(words))
    assert table["word"].to_list() == [words[token] for token in tokens if token in words]
    assert table["logprob"].to_list() == pytest.approx([tokens[token] for token in tokens if token in words], abs=1e-5)


@pytest.mark.parametrize("shots", [0, 2])
def test_a_chat_is_that_of_the_relations_study(folders, tmp_path, shots):
    lines = conversations.read(ROOT / "resources/prompts/chat.yaml", "relations")
    own = agent(folders["causal"], "causal", chat="true", conversation=lines)
    model = load(folders["causal"], chat=True, shots=SHOTS[:shots], progress=False)
    assert_asked_alike(model, own, relations_scores(tmp_path, shots))
    assert lines["instruction"] in model.engine.encoder.whole_text(f"{TEXT} [V]")


def test_the_lines_of_another_study_can_be_given(folders):
    lines = conversations.read(ROOT / "resources/prompts/chat.yaml", "degrees")
    lines = {name: lines[name] for name in LINES}
    own = agent(folders["causal"], "causal", chat="true", conversation=lines)
    model = load(folders["causal"], chat=lines, progress=False)
    assert model.engine.encoder.context == own.encoder.context
    one = load(folders["causal"], chat={"instruction": "Name it."}, progress=False).engine.encoder.context
    assert LINES["system"] in one
    assert "Name it." in one


@pytest.mark.parametrize("kind", ["masked", "causal", "encoder-decoder"])
@pytest.mark.parametrize("shots", [SHOTS, PAIRS], ids=["texts", "pairs"])
def test_examples_stand_before_a_text_as_before_a_probe(all_folders, tmp_path, kind, shots):
    own = agent(all_folders[kind], kind, context="Words:")
    model = load(all_folders[kind], context="Words:", shots=shots, progress=False)
    assert_asked_alike(model, own, relations_scores(tmp_path, 2))


@pytest.mark.parametrize("chat", [False, True])
def test_sentences_after_examples_are_those_of_the_analogies(folders, chat):
    lines = conversations.read(ROOT / "resources/prompts/chat.yaml", "relations")
    own = agent(folders["causal"], "causal", chat="true" if chat else "none", conversation=lines)
    template = Template.of("{h1} is to {t1} as {h2} is to {t2}")
    row = {"h1": "robin", "t1": "bird", "h2": "wing", "t2": "wall"}
    text = template.solve(tuple(row.values()))
    values = {name: row.get(name, text if name == "text" else None) for name in ANALOGIES}
    probes = pl.DataFrame([values], schema=ANALOGIES)
    examples = [("night", "day", "house", "home"), ("home", "house", "day", "night")]
    request = next(sentence_requests(probes, template, 2, examples))
    model = load(folders["causal"], chat=chat, shots=request.before.splitlines(), progress=False)
    expected = next(pseudo_logprob(own, [request]))
    table = model.sentences(text)
    assert table["logprob"].item() == pytest.approx(float(np.nansum(expected.logprobs)), abs=1e-4)
    alone = load(folders["causal"], chat=chat, progress=False).sentences(text)
    assert table["logprob"].item() != pytest.approx(alone["logprob"].item(), abs=1e-3)
    words = model.words(text)
    assert words["start"].to_list()[0] == 0
    nats = words["nats"] - words["correction"]
    assert nats.sum() == pytest.approx(-table["logprob"].item(), abs=1e-4)


def test_candidates_are_scored_after_the_chat_and_the_examples(folders):
    model = load(folders["causal"], chat=True, shots=PAIRS, progress=False)
    plain = load(folders["causal"], bos=False, progress=False)
    whole = model.engine.encoder.context + TEXT
    here = model.score(TEXT, ["bird", "animal"])["logprob"].to_list()
    assert here == pytest.approx(plain.score(whole, ["bird", "animal"])["logprob"].to_list(), abs=1e-4)


def test_networks_in_memory_and_on_a_server_are_asked_alike(folders, causal):
    settings = {"chat": True, "shots": PAIRS, "progress": False}
    expected = load(folders["causal"], **settings).score(TEXT, ["bird", "animal"])
    net, tokenizer = causal.engine.net, causal.engine.encoder.tokenizer
    assert load(net, tokenizer=tokenizer, **settings).score(TEXT, ["bird", "animal"]).equals(expected)
    with Stub(net, tokenizer, max_logprobs=10_000) as stub:
        model = load(stub.endpoint, name="toy", tokenizer=folders["causal"], **settings)
        there = model.score(TEXT, ["bird", "animal"])
    assert there["logprob"].to_list() == pytest.approx(expected["logprob"].to_list(), abs=1e-4)


def test_a_model_that_cannot_chat_is_named(all_folders):
    with pytest.raises(ModelError, match=r"masked is a masked model, which cannot chat: leave `chat` out"):
        load(all_folders["masked"], chat=True)
    with pytest.raises(ModelError, match=r"t5 has no chat template: leave `chat` out"):
        load(all_folders["encoder-decoder"], chat=True)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"chat": "true"}, "chat='true' is no way to ask: use True, False, or your own `system` and `instruction`"),
        ({"chat": {"question": "?"}}, "`chat` has 'question', which is no line of a conversation"),
        ({"chat": {"system": 3}}, "`chat` has system=3: write it as a text"),
        ({"chat": {"system": "a [SLOT]"}}, r"write it as a text without \[SLOT\]"),
        ({"shots": 3}, "shots=3 is no list of solved examples: give texts, or pairs"),
        ({"shots": "a robin is a bird"}, "shots='a robin is a bird' is no list of solved examples"),
        ({"shots": [TEXT, 3]}, "example 1 of `shots` is 3: give a text, or a pair of a text and its answer"),
        ({"shots": [("a", "b", "c")]}, "example 0 of `shots` is"),
        ({"shots": [" "]}, "example 0 of `shots` is ' '"),
        ({"shots": [("a robin is a", "")]}, "example 0 of `shots` is"),
        ({"shots": ["a robin is a [SLOT]"]}, r"example 0 of `shots` still holds a slot: 'a robin is a \[SLOT\]'"),
        ({"shots": [("a [SLOT] is a [SLOT]", "robin")]}, "example 0 of `shots` still holds a slot"),
    ],
)
def test_a_mistake_gets_one_sentence(folders, settings, words):
    with pytest.raises(ConfigError, match=words):
        load(folders["causal"], **settings)
