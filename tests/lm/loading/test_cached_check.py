"""The cached self-check: it is taken where nothing has changed, and nowhere else."""

import importlib.metadata
import json
import sys
from dataclasses import replace

import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.core.manifest import write_manifest
from relprobe.lm.loading import cached_check
from relprobe.lm.loading import load as loading
from relprobe.lm.loading.cached_check import MOST, CachedCheck, key_of, read, write
from relprobe.lm.loading.load import load
from relprobe.lm.network.self_check import SAMPLES, Proof, SelfCheck
from safetensors.torch import load_file, save_file

from tests.lm import naive
from tests.lm.architectures import build, encoder, model
from tests.lm.loading.test_load import PROBES, save
from tests.lm.primitives.test_encoder_decoder import network as pairs
from tests.lm.primitives.test_encoder_decoder import tokenizer_of as tokenizer_of_pairs

NETWORKS = ("llama", "distilbert", "gemma3", "albert")
"""A causal and a masked network, one with a window, and one without a last layer of its own."""


@pytest.fixture
def checks(monkeypatch):
    """The whole checks that were made: the plain forward of all samples stands for each."""
    made = []
    of = SelfCheck.of
    monkeypatch.setattr(loading.SelfCheck, "of", staticmethod(lambda plain: made.append(1) or of(plain)))
    return made


def saved(name, tmp_path):
    """Return the manifest of a network and the settings that it is loaded with."""
    used = encoder(name)
    return save(build(name), used.tokenizer, tmp_path / "m"), {"masked": used.masked}


def kept(manifest):
    return sorted((manifest.parent / cached_check.FOLDER).glob("*.json"))


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_that_has_passed_is_not_checked_again(name, tmp_path, checks):
    """It is computed in the same way as before, and its scores are those of its plain forward."""
    manifest, settings = saved(name, tmp_path)
    first = load(manifest, **settings)
    second = load(manifest, **settings)
    assert len(checks) == 1
    assert (second.path, second.last_layer is None) == (first.path, first.last_layer is None)
    queries = [first.encoder.slot(text.id, text.variants[0].text) for text in PROBES]
    assert torch.equal(first.log_probs(first.states(queries)), second.log_probs(second.states(queries)))
    naive.assert_slots_equal(second, second.net, PROBES)


def test_an_encoder_decoder_network_is_not_checked_again(tmp_path, checks):
    manifest = save(pairs("t5"), tokenizer_of_pairs("t5"), tmp_path / "m")
    first, second = (load(manifest, masked=False, encoder_decoder=True) for _ in range(2))
    assert (len(checks), first.path, second.path) == (1, "grouped", "grouped")


def other_weights(manifest, _):
    """Another checkpoint of the same shape, as it is fetched: its manifest has other digests."""
    file = manifest.with_suffix("") / "model.safetensors"
    save_file({key: value * 1.5 for key, value in load_file(file).items()}, file, {"format": "pt"})
    write_manifest(manifest.with_suffix(""))


def other_code(_, monkeypatch):
    monkeypatch.setattr(cached_check, "_own_code", lambda: "edited")


def other_class(_, monkeypatch):
    monkeypatch.setattr(cached_check, "_digest_of_file", lambda file: f"edited {file}")


def other_package(_, monkeypatch):
    monkeypatch.setattr(cached_check, "_packages", lambda _: ["transformers-99.dist-info"])


def other_torch(_, monkeypatch):
    monkeypatch.setattr(torch, "__version__", "99.0.0")


def other_machine(_, monkeypatch):
    monkeypatch.setattr(cached_check, "_facts", lambda: ["flags: avx512"])


def other_variable(_, monkeypatch):
    monkeypatch.setenv("MKL_CBWR", "COMPATIBLE")


CHANGES = (other_weights, other_code, other_class, other_package, other_torch, other_machine, other_variable)


@pytest.mark.parametrize("change", CHANGES)
def test_what_could_change_a_check_leads_to_a_new_check(change, tmp_path, checks, monkeypatch):
    manifest, settings = saved("llama", tmp_path)
    load(manifest, **settings)
    change(manifest, monkeypatch)
    load(manifest, **settings)
    assert len(checks) == 2


@pytest.mark.parametrize(
    "change", [{"dtype": torch.bfloat16}, {"bos": False}, {"budget": 4096}, {"context": "Birds sing."}]
)
def test_other_settings_lead_to_a_new_check_of_their_own(change, tmp_path, checks):
    manifest, settings = saved("llama", tmp_path)
    for _ in range(2):
        load(manifest, **settings)
        load(manifest, **settings | change)
    assert len(checks) == 2
    assert len(kept(manifest)) == 2


def test_the_threads_of_torch_are_part_of_the_key(tmp_path):
    manifest, _ = saved("llama", tmp_path)
    net, used, threads = build("llama"), encoder("llama"), torch.get_num_threads()
    before = key_of(manifest, net, used, 1)
    torch.set_num_threads(threads + 1)
    try:
        assert key_of(manifest, net, used, 1) != before
    finally:
        torch.set_num_threads(threads)
    assert key_of(manifest, net, used, 1) == before


def test_a_key_is_of_four_things_and_names_each_package_and_each_file_that_computes(tmp_path):
    manifest, _ = saved("llama", tmp_path)
    key = key_of(manifest, build("llama"), encoder("llama"), 1)
    assert key.keys() == {"model", "code", "computing", "machine"}
    for name in ("torch", "transformers", "tokenizers", "safetensors", "numpy"):
        version = importlib.metadata.version(name)
        assert any(entry.lower() == f"{name}-{version}.dist-info" for entry in key["code"]), name
    assert sys.version in key["code"]
    classes = [entry for entry in key["code"] if entry.startswith(("transformers.", "torch."))]
    assert any(entry.startswith("transformers.models.llama.modeling_llama.LlamaAttention ") for entry in classes)
    assert all(len(entry.split()[1]) == 64 for entry in classes)
    assert "model.safetensors" in key["model"]
    assert json.loads(json.dumps(key)) == json.loads(json.dumps(key_of(manifest, build("llama"), encoder("llama"), 1)))


@pytest.mark.parametrize("name", NETWORKS)
def test_other_answers_than_the_kept_ones_lead_to_a_new_check(name, tmp_path, checks, monkeypatch):
    """As where memory or a processor fails, or a library was edited in its place: nothing of the key tells."""
    manifest, settings = saved(name, tmp_path)
    path = load(manifest, **settings).path
    network = loading.network

    def damaged(*arguments):
        net = network(*arguments)
        with torch.no_grad():
            next(net.parameters())[:, 0] += 1
        return net

    monkeypatch.setattr(loading, "network", damaged)
    assert load(manifest, **settings).path == path
    assert len(checks) == 2


def test_a_wrong_mask_is_found_although_a_check_is_cached(tmp_path, monkeypatch, caplog):
    """A fault that the key does not tell of: the kept answers do, and the whole check finds another path."""
    manifest, settings = saved("llama", tmp_path)
    load(manifest, **settings)
    monkeypatch.setattr(
        "relprobe.lm.network.batching.attention_mask",
        lambda keys, ends, depths, dtype, window=None: torch.zeros(len(keys), len(ends), dtype=dtype),
    )
    assert load(manifest, **settings).path == "grouped"
    assert "falling back" in caplog.text


def test_a_network_that_fails_a_check_is_not_cached(tmp_path, checks, monkeypatch, caplog):
    """Each load says again that a slower path is taken."""
    manifest, settings = saved("llama", tmp_path)
    monkeypatch.setattr(Proof, "passes", lambda self, path, budget: path != "packed")
    for _ in range(2):
        caplog.clear()
        assert load(manifest, **settings).path == "grouped"
    assert len(checks) == 2
    assert kept(manifest) == []


def test_a_network_whose_last_layer_is_not_narrowed_is_not_cached(tmp_path, checks, monkeypatch, caplog):
    def fails(*_):
        raise RuntimeError("no products here")

    manifest, settings = saved("llama", tmp_path)
    monkeypatch.setattr(loading, "narrow_last_layer", fails)
    for _ in range(2):
        caplog.clear()
        assert load(manifest, **settings).last_layer is None
        assert "the last layer at read positions only fails" in caplog.text
    assert len(checks) == 2
    assert kept(manifest) == []


def test_a_network_without_a_proof_is_not_cached(tmp_path, checks, monkeypatch):
    manifest, settings = saved("llama", tmp_path)
    monkeypatch.setattr(Proof, "of", classmethod(lambda *_: None))
    for _ in range(2):
        load(manifest, **settings)
    assert len(checks) == 2
    assert kept(manifest) == []


def test_a_network_that_is_refused_is_not_cached(tmp_path):
    """BERT reads later tokens: it is no causal network, also the second time."""
    manifest = save(build("bert"), encoder("bert").tokenizer, tmp_path / "m")
    for _ in range(2):
        with pytest.raises(ModelError, match="no causal network"):
            load(manifest, masked=False)
    assert kept(manifest) == []


def test_a_folder_without_a_manifest_is_not_cached(tmp_path, checks):
    """Nothing says what its files are."""
    manifest, settings = saved("llama", tmp_path)
    for _ in range(2):
        load(manifest.with_suffix(""), **settings)
    assert len(checks) == 2
    assert kept(manifest) == []


def halved(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def emptied(file):
    file.write_bytes(b"")


def turned(file):
    """One digit of one number is another one."""
    about = json.loads(file.read_text())
    about["check"]["expected"][0][0] -= 1e-6
    file.write_text(json.dumps(about))


def listed(file):
    file.write_text("[]")


def pathless(file):
    about = json.loads(file.read_text())
    del about["check"]["path"]
    file.write_text(json.dumps(about))


def replaced(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [halved, emptied, turned, listed, pathless, replaced])
def test_a_damaged_file_is_no_cached_check(damage, tmp_path, checks):
    manifest, settings = saved("llama", tmp_path)
    load(manifest, **settings)
    (file,) = kept(manifest)
    damage(file)
    assert read(file) is None
    assert load(manifest, **settings).path == "packed"
    assert len(checks) == 2


def test_a_check_under_the_name_of_another_is_none(tmp_path):
    """As if somebody had copied it, to spare a check."""
    manifest, settings = saved("llama", tmp_path)
    load(manifest, **settings)
    (file,) = kept(manifest)
    other = file.rename(file.with_name(f"m.{'0' * 64}.json"))
    assert read(other) is None


def test_where_nothing_can_be_written_each_load_checks(tmp_path, checks, caplog):
    caplog.set_level("DEBUG")
    manifest, settings = saved("llama", tmp_path)
    (tmp_path / cached_check.FOLDER).write_text("no folder")
    for _ in range(2):
        load(manifest, **settings)
    assert len(checks) == 2
    assert sum(line.startswith("the self-check is not cached (") for line in caplog.messages) == 2


def test_old_checks_of_a_model_are_deleted_and_those_of_others_stay(tmp_path):
    (tmp_path / cached_check.FOLDER).mkdir()
    other = tmp_path / cached_check.FOLDER / f"gpt2.large.{'0' * 64}.json"
    other.write_text("{}")
    one = CachedCheck("packed", "torch", narrow=True, likely=[[1]], expected=[[-0.5]])
    for number in range(MOST + 3):
        write(one, tmp_path / cached_check.FOLDER / f"gpt2.{number:064}.json")
    assert read(tmp_path / cached_check.FOLDER / f"gpt2.{MOST + 2:064}.json") == one
    assert len([*(tmp_path / cached_check.FOLDER).glob("gpt2.0*")]) == MOST
    assert other.is_file()


def test_a_cached_check_holds_the_answers_to_the_short_samples():
    scorer = model("llama")
    check = SelfCheck.of(replace(scorer, path="plain", last_layer=None))
    one = CachedCheck.of(scorer, check)
    assert len(one.likely) == len(one.expected) == len(SAMPLES) < len(check.queries)
    again = one.check(scorer.net, scorer.encoder)
    assert again.queries == check.queries[: len(SAMPLES)]
    assert torch.equal(again.expected, check.expected[: len(SAMPLES)])


def test_a_check_depends_on_the_modules_that_load_and_check_and_on_no_others(tmp_path, monkeypatch):
    files = {name: tmp_path / name for name in ("lm/loading/load.py", "lm/network/batching.py", "report/page.py")}
    for file in files.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("LIMIT = 1")
    monkeypatch.setattr(cached_check, "__file__", str(tmp_path / "lm/loading/cached_check.py"))
    digest = cached_check._own_code.__wrapped__
    before = digest()
    files["report/page.py"].write_text("LIMIT = 2")
    assert digest() == before
    for name in ("lm/loading/load.py", "lm/network/batching.py"):
        files[name].write_text("LIMIT = 2")
        assert digest() != before
        files[name].write_text("LIMIT = 1")
        assert digest() == before
