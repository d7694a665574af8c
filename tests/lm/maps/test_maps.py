"""Maps of layers: ridge regression from sums, on the states at the tokens of sentences."""

import numpy as np
import pytest
import torch
from relprobe.core.errors import DataError
from relprobe.lm.maps import fit
from relprobe.lm.maps.file import MAPPED, SHUFFLED, LayerMaps
from relprobe.lm.maps.fit import PENALTIES, fit_maps
from relprobe.lm.maps.ridge import Sums, ridge, solve
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.requests import SlotProbe, Variant

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
    left, of_shuffled = ((y - x @ one.weights - one.offset).square().sum() / about_mean for one in both)
    assert left + 0.2 < of_shuffled
    assert of_shuffled > 0.8  # pairs that do not belong together


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


def test_the_penalties_are_the_powers_of_ten_from_a_millionth_to_a_hundred():
    powers = [float(np.log10(penalty)) for penalty in PENALTIES]
    assert powers == pytest.approx([-6, -5, -4, -3, -2, -1, 0, 1, 2])
