"""Maps of layers: ridge regression from sums, on the states at the tokens of sentences."""

import contextlib
import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import torch
from relprobe.core.errors import DataError
from relprobe.core.step import Call, options_of
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.maps import fit
from relprobe.lm.maps.file import MAPPED, SHUFFLED, UNTRAINED, LayerMaps
from relprobe.lm.maps.fit import PENALTIES, _masked, fit_maps
from relprobe.lm.maps.layer_map import layer_map
from relprobe.lm.maps.ridge import Sums, ridge, solve
from relprobe.lm.network import model as network_model
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.settings import ModelSettings
from safetensors import safe_open
from safetensors.torch import save_file

from tests.lm.architectures import model

RANDOM = torch.Generator().manual_seed(1)
TEXT = "a robin is a small bird that sings in the old tree of my quiet garden near the car"
WORDS = TEXT.split()
SENTENCES = [" ".join(WORDS[(7 * i + j * j) % len(WORDS)] for j in range(9)) for i in range(60)]


def pairs(count, noise=0.5):
    x = torch.randn(count, 4, generator=RANDOM, dtype=torch.float64) * torch.tensor([1, 2, 3, 0.1]) + 5
    truth = torch.tensor([[1.0, 0], [0, 2], [1, 1], [0, 0]], dtype=torch.float64)
    return x, x @ truth - 3 + noise * torch.randn(count, 2, generator=RANDOM, dtype=torch.float64)


def test_the_weights_are_those_that_minimise_the_penalised_squares():
    """The same as least squares of the centred pairs with rows √(λ n) below them, as textbooks write it."""
    x, y = pairs(30)
    weights, offset = solve(Sums.of(x, y), 0.3)
    a, b = x - x.mean(0), y - y.mean(0)
    strength = 0.3 * float(a.square().mean()) * len(x)
    rows = torch.cat([a, strength**0.5 * torch.eye(4, dtype=torch.float64)])
    expected = np.linalg.lstsq(rows.numpy(), torch.cat([b, torch.zeros(4, 2)]).numpy(), rcond=None)[0]
    np.testing.assert_allclose(weights.numpy(), expected, atol=1e-9)
    np.testing.assert_allclose((x @ weights + offset).mean(0).numpy(), y.mean(0).numpy(), atol=1e-9)


def test_the_penalty_is_the_best_for_the_pairs_held_out():
    """Each share that `ridge` compares is that of the residuals, computed pair by pair."""
    (x, y), (u, v) = pairs(12, noise=4), pairs(200, noise=4)
    shares = {}
    for penalty in PENALTIES:
        weights, offset = solve(Sums.of(x, y), penalty)
        shares[penalty] = 1 - float((v - u @ weights - offset).square().sum() / (v - y.mean(0)).square().sum())
    own = ridge(Sums.of(x, y), Sums.of(u, v), PENALTIES)
    assert own.explained_share == pytest.approx(max(shares.values()), abs=1e-9)
    assert own.penalty == max(shares, key=shares.get) > min(PENALTIES)
    weights, _ = solve(Sums.of(torch.cat([x, u]), torch.cat([y, v])), own.penalty)
    torch.testing.assert_close(own.weights, weights)


def test_sums_add_up():
    (x, y), (u, v) = pairs(9), pairs(5)
    whole, parts = Sums.of(torch.cat([x, u]), torch.cat([y, v])), Sums.of(x, y) + Sums.of(u, v)
    for name in ("n", "x", "y", "xx", "xy", "yy"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name))


@pytest.mark.parametrize("name", ["llama", "bert"])
def test_a_map_is_that_of_the_states_at_the_tokens(name, monkeypatch):
    """By hand: the hidden states at the read tokens of each sentence alone, and one regression of all of them at once."""
    monkeypatch.setattr(fit, "PENALTIES", (0.1,))
    scorer = model(name)
    own, _ = both = fit_maps(scorer, SENTENCES, [1, 2])[1]
    x, y = [], []
    for number, text in enumerate(SENTENCES):
        query = next(fit._queries(scorer.encoder, [(number, text)]))
        assert (0 not in query.positions) and query.positions
        if scorer.encoder.masked:
            assert {query.ids[place] for place in query.positions} == {scorer.encoder.tokenizer.mask_token_id}
        first, last = scorer.lens([query], [1, 2])
        x.append(first)
        y.append(last)
    weights, offset = solve(Sums.of(torch.cat(x), torch.cat(y)), 0.1)
    torch.testing.assert_close(own.weights, weights, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(own.offset, offset, atol=1e-3, rtol=1e-3)
    x, y = torch.cat(x).double(), torch.cat(y).double()
    about_mean = (y - y.mean(0)).square().sum()
    left, shuffled_residue = ((y - x @ one.weights - one.offset).square().sum() / about_mean for one in both)
    assert left + 0.2 < shuffled_residue
    assert shuffled_residue > 0.8  # pairs that do not belong together


def test_the_last_layer_maps_to_itself_and_held_out_sentences_say_how_good_a_map_is():
    fits = fit_maps(model("llama"), SENTENCES, [0, 1, 2])
    assert fits[2][0].explained_share == pytest.approx(1, abs=1e-4)
    assert 0 < fits[1][0].explained_share < 1
    assert fits[0][0].explained_share < fits[1][0].explained_share


def test_layers_that_do_not_fit_into_memory_together_are_read_one_after_another(monkeypatch):
    expected = fit_maps(model("llama"), SENTENCES, [0, 1, 2])
    monkeypatch.setattr(fit, "SUMS_BYTES", 5 * 8 * 32**2)
    apart = fit_maps(model("llama"), SENTENCES, [0, 1, 2])
    assert list(apart) == [0, 1, 2]
    torch.testing.assert_close(apart[1][0].weights, expected[1][0].weights)


def test_no_sentences_are_an_error():
    with pytest.raises(DataError, match="no sentence has two tokens"):
        fit_maps(model("llama"), [], [0, 2])


def test_maps_are_read_as_they_were_written_and_answer(tmp_path):
    scorer = model("llama")
    maps = LayerMaps.of(fit_maps(scorer, SENTENCES, [1, 2]))
    maps.write(tmp_path / "maps.safetensors")
    read = LayerMaps.read(tmp_path / "maps.safetensors")
    assert read.layer_facts == maps.layer_facts
    assert set(read.tensors) == {(MAPPED, 1), (MAPPED, 2), (SHUFFLED, 1), (SHUFFLED, 2)}
    weights, offset = read.tensors[MAPPED, 1]
    torch.testing.assert_close(weights, maps.tensors[MAPPED, 1][0])
    probe = SlotProbe("x", (Variant("a robin is a [V]"),))
    response = next(slot_top_k_of_layers(scorer, [probe], 3, [View(1, weights, offset)]))
    query = next(iter(scorer.encoder.slots([("x", "a robin is a [V]")])))
    expected = scorer.log_probs(scorer.lens([query], [1])[0] @ weights + offset)[0]
    assert response.token_ids[0].tolist() == expected.topk(3).indices.tolist()


def test_another_file_is_no_file_of_maps(tmp_path):
    (tmp_path / "maps.safetensors").write_text("x")
    with pytest.raises(DataError, match="is no file of the maps of layers"):
        LayerMaps.read(tmp_path / "maps.safetensors")


@pytest.mark.parametrize("sign", ["\x00", "\x7f", '"', "}", "0"])
def test_a_damaged_file_of_maps_ends_in_no_other_error(tmp_path, sign):
    path = tmp_path / "maps.safetensors"
    maps = LayerMaps({(name, 1): (torch.ones(1, 1), torch.ones(1)) for name in (MAPPED, SHUFFLED)}, {1: {"share": 0.5}})
    maps.write(path)
    whole = path.read_bytes()
    for place in range(whole.rindex(b"}") + 1):
        path.write_bytes(whole[:place] + sign.encode() + whole[place + 1 :])
        with contextlib.suppress(DataError):
            LayerMaps.read(path)


def test_the_penalties_are_the_powers_of_ten_from_a_millionth_to_a_hundred():
    powers = [float(np.log10(penalty)) for penalty in PENALTIES]
    assert powers == pytest.approx([-6, -5, -4, -3, -2, -1, 0, 1, 2])


@pytest.fixture(scope="module")
def tiny():
    """A network of three words, whose states are one-hot vectors times √3 after both of its layers."""
    return bigram_model({"a": {"b": 0.5, "c": 0.5}})


def counts(sums):
    """How often each word is among the states of pairs, of a tiny network."""
    return (sums.x / 3**0.5).round().tolist()


def test_every_fifth_sentence_is_held_out_and_the_first_token_of_a_sentence_is_not_read(tiny):
    """By hand: sentences 0 and 5 are held out; of each, all words but the first are counted, which is always "a"."""
    sentences = ["a b", "a c c", "a", "a b c", "a b", "a c"]
    for layers in ([0, 1], [1], [1, 0, 1]):
        sums = fit._sums(tiny, sentences, layers, None)
        assert list(sums) == list(dict.fromkeys(layers))
        for fitted, held_out, shuffled in sums.values():
            assert (fitted.n, held_out.n, shuffled.n) == (5, 2, 7)
            assert (counts(fitted), counts(held_out), counts(shuffled)) == ([0, 2, 3], [0, 1, 1], [0, 3, 4])
    *_, untrained_sums, its_held_out = fit._sums(tiny, sentences, [0, 1], tiny)[0]
    assert (counts(untrained_sums), counts(its_held_out)) == ([0, 2, 3], [0, 1, 1])
    assert (untrained_sums.y / 3**0.5).round().tolist() == [0, 2, 3]


def test_a_beginning_of_sequence_is_the_first_token_of_a_sentence():
    encoder = model("llama").encoder
    assert encoder.before
    (query,) = fit._queries(encoder, [(0, "a robin")])
    assert query.positions == tuple(range(1, len(query.ids) - len(encoder.after)))
    (long,) = fit._queries(encoder, [(0, " ".join(["robin"] * 200))])
    assert (len(long.ids), long.positions) == (encoder.max_length, ())


def test_a_chunk_of_sentences_in_which_nothing_can_be_read_is_passed_over(tiny, monkeypatch):
    monkeypatch.setattr(network_model, "CHUNK", 1)
    fitted, held_out, _ = fit._sums(tiny, ["a", "a b", "a", "a", "a", "a c c"], [0, 1], None)[1]
    assert (counts(fitted), counts(held_out)) == ([0, 1, 0], [0, 0, 2])
    with pytest.raises(DataError, match="no sentence has two tokens"):
        fit._sums(tiny, ["a", "b"], [0, 1], None)


@pytest.mark.parametrize(
    ("sentences", "fitted", "held_out"),
    [(["a b c", "a b c"], 2, 2), (["a b", "a b c"], 2, 1), (["a b c", "a b"], 1, 2), (["a", "a b c"], 2, 0)],
)
def test_a_map_needs_two_states_on_each_side(tiny, sentences, fitted, held_out):
    sums = fit._sums(tiny, sentences, [0, 1], None)
    assert (sums[0][0].n, sums[0][1].n) == (fitted, held_out)
    if min(fitted, held_out) > 1:
        assert list(fit_maps(tiny, sentences, [0, 1])) == [0, 1]
    else:
        with pytest.raises(DataError, match="there are too few sentences"):
            fit_maps(tiny, sentences, [0, 1])


@pytest.mark.parametrize(
    ("numbers", "untrained", "groups"),
    [
        (5 * 9 * 3, False, [[0, 1, 2]]),  # five matrices of three rows and columns for each of three layers
        (5 * 9 * 3 - 1, False, [[0, 1], [2]]),
        (8 * 9 * 2, True, [[0, 1], [2]]),
        (8 * 9 * 2 - 1, True, [[0], [1], [2]]),
        (0, False, [[0], [1], [2]]),
    ],
)
def test_the_layers_of_a_group_are_those_whose_sums_fit_into_memory(tiny, monkeypatch, numbers, untrained, groups):
    asked = []

    def sums(_model, _sentences, layers, control):
        asked.append(layers)
        x, y = torch.eye(3), 2 * torch.eye(3)
        return {layer: (Sums.of(x, y),) * (5 if control else 3) for layer in layers}

    monkeypatch.setattr(fit, "_sums", sums)
    monkeypatch.setattr(fit, "SUMS_BYTES", 8 * numbers)
    fits = fit_maps(tiny, SENTENCES, [0, 1, 2], tiny if untrained else None)
    assert asked == [[*group, 2] for group in groups]
    assert {layer: len(found) for layer, found in fits.items()} == dict.fromkeys(range(3), 3 if untrained else 2)


def test_a_map_of_shuffled_pairs_explains_nothing_and_a_file_says_what_the_first_map_explains(tiny, tmp_path):
    fits = fit_maps(tiny, ["a b c b", "a c b c", "a b c", "a c b"], [0, 1], tiny)
    assert [layer_fits[1].explained_share for layer_fits in fits.values()] == [0.0, 0.0]
    assert {layer_fits[1].penalty for layer_fits in fits.values()} == {fits[0][0].penalty}
    first = dataclasses.replace(fits[0][0], penalty=0.25, explained_share=0.75)
    maps = LayerMaps.of({**fits, 0: (first, *fits[0][1:])})
    assert maps.layer_facts[0] == {"penalty": 0.25, "explained": 0.75}
    maps.write(tmp_path / "maps.safetensors", Call("layer_map", [], {"sentences": 4}))
    with safe_open(tmp_path / "maps.safetensors", "pt") as file:
        assert json.loads(file.metadata()["settings"]) == {"sentences": 4}


def test_the_step_fits_all_asked_layers_without_what_stands_before_sentences(tiny, monkeypatch):
    loaded, text = [], pl.DataFrame({"sentence": ["a b c b", "a c b c", "a b c", "a c b"]})

    def load(settings):
        loaded.append((settings.context, settings.chat))
        return tiny

    monkeypatch.setattr(ModelSettings, "load_network", load)
    settings = ModelSettings(Path("m.json"), "causal", context="before", chat="true")
    for control, variants in ((True, {MAPPED, SHUFFLED, UNTRAINED}), (False, {MAPPED, SHUFFLED})):
        found = layer_map(settings, text, layers=["all", [1]], control_network=control)
        assert set(found.tensors) == {(variant, layer) for variant in variants for layer in (0, 1)}
    assert loaded == [("", "none")] * 2
    assert {option.name: option.default for option in options_of(layer_map)}["control_network"] is True


def test_a_file_without_metadata_has_no_maps(tmp_path):
    save_file({"x": torch.zeros(1)}, tmp_path / "other.safetensors")
    assert LayerMaps.read(tmp_path / "other.safetensors").tensors == {}


def test_one_of_seven_tokens_of_a_sentence_is_masked_and_read_from_a_place_of_its_own_on():
    encoder, tokens = SimpleNamespace(tokenizer=SimpleNamespace(mask_token_id=99)), SimpleNamespace(ids=range(30))
    firsts = set()
    for number in range(40):
        query = _masked(encoder, tokens, 1, 29, number)
        first = query.positions[0]
        assert query.positions == tuple(range(first, 29, 7))
        assert [place for place, token in enumerate(query.ids) if token == 99] == [*query.positions]
        firsts.add(first)
    assert firsts == set(range(1, 8))  # all tokens but those that stand around the sentence


def test_a_map_is_fitted_on_the_device_of_its_sums():
    """Tensors that are made without a device are elsewhere here, as they are where a network computes on a GPU."""
    sums = Sums.of(torch.eye(3), torch.arange(6.0).view(3, 2))
    expected = solve(sums, 0.1)
    with torch.device("meta"):
        assert all(map(torch.equal, solve(sums, 0.1), expected))
