"""Loading: errors for files that do not fit, and the fallback of a path that disagrees with the plain forward."""

import importlib.util
import json
from dataclasses import replace
from types import SimpleNamespace

import accelerate
import numpy as np
import pytest
import torch
import transformers as hf
from relprobe.core.errors import ModelError
from relprobe.core.manifest import write_manifest
from relprobe.lm.loading import load as loading
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.loading.load import fastest_model, load, max_length
from relprobe.lm.network.blocks import attention_mask
from relprobe.lm.network.self_check import Proof
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Query, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.encode import Encoder
from safetensors.torch import load_file, save_file

from tests.lm import naive
from tests.lm.architectures import GQA, LENGTH, OFFSET, ROPE, build, encoder, model, network
from tests.lm.tokenizers_for_tests import ROOT, byte_level, sentence_piece, word_piece

PROBES = [SlotProbe(text, (Variant(text),)) for text in ("a robin is a [V]", "a robin is an [V]", "car [V]")]


def save(net, tokenizer, folder):
    net.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return write_manifest(folder)


@pytest.mark.parametrize(("name", "masked"), [("distilbert", True), ("gemma3", False)])
def test_a_model_from_disk_loads_and_scores(name, masked, tmp_path):
    manifest = save(network(name), encoder(name).tokenizer, tmp_path / "m")
    scorer = load(manifest, masked=masked)
    assert (scorer.path, scorer.net.dtype) == (model(name).path, torch.float32)
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


def test_bfloat16_passes_the_check_and_gives_float32(tmp_path):
    net = hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=len(byte_level()), **GQA))
    scorer = load(save(net, byte_level(), tmp_path / "m"), masked=False, dtype=torch.bfloat16)
    assert (scorer.path, scorer.net.dtype) == ("packed", torch.bfloat16)
    total = np.exp(next(slot_top_k(scorer, PROBES, len(byte_level()))).logprobs.astype(np.float64)).sum()
    assert abs(total - 1) < 1e-5  # a log-softmax in bfloat16 is off by about 1e-2


@pytest.mark.parametrize("name", ["llama", "bert", "deberta_v3", "gemma2"])
@pytest.mark.parametrize("path", ["plain", None])
def test_logits_of_a_bfloat16_network_are_float32_numbers(name, path):
    """Products in bfloat16 round to 8 bits: of some 400 logits, many would be equal."""
    scorer = fastest_model(build(name).bfloat16(), encoder(name), 1024)
    scorer = replace(scorer, path=path or scorer.path, last_layer=None)
    query = scorer.encoder.slot("x", "a robin is a [V]")
    logits = scorer.logits(scorer.states([query]))
    assert logits.dtype == torch.float32
    assert len(logits.unique()) > 0.99 * logits.shape[1]
    assert all(weights.dtype == torch.bfloat16 for weights in scorer.net.parameters())


def test_a_wrong_tree_mask_falls_back(monkeypatch, caplog):
    def not_a_tree(keys, ends, depths, dtype, window=None):
        return attention_mask(keys, torch.full_like(ends, len(ends)), depths, dtype, window)

    monkeypatch.setattr("relprobe.lm.network.batching.attention_mask", not_a_tree)
    scorer = fastest_model(network("llama"), encoder("llama"), 1024)
    assert scorer.path == "grouped"
    assert "the packed path of a small network is" in caplog.text
    assert "falling back" in caplog.text
    assert "which takes about 2.5 times as long" in caplog.text
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


def test_a_wrong_tree_mask_is_found_without_a_small_network(monkeypatch, caplog):
    def not_a_tree(keys, ends, depths, dtype, window=None):
        return attention_mask(keys, torch.full_like(ends, len(ends)), depths, dtype, window)

    monkeypatch.setattr("relprobe.lm.network.batching.attention_mask", not_a_tree)
    monkeypatch.setattr(Proof, "passes", lambda *_: True)
    for net in (network("llama"), build("llama").bfloat16()):
        caplog.clear()
        assert fastest_model(net, encoder("llama"), 1024).path == "grouped"
        assert "the packed path is" in caplog.text


def test_a_mask_without_the_sliding_window_falls_back(monkeypatch):
    def unbounded(keys, ends, depths, dtype, window=None):
        return attention_mask(keys, ends, depths, dtype)

    monkeypatch.setattr("relprobe.lm.network.batching.attention_mask", unbounded)
    assert fastest_model(network("gemma3"), encoder("gemma3"), 1024).path == "grouped"


@pytest.mark.parametrize(
    "error", [RuntimeError, NotImplementedError, IndexError, AssertionError, ImportError, KeyError]
)
def test_a_wrong_head_falls_back_to_the_plain_forward_and_the_log_is_loud(error, monkeypatch, caplog):
    def broken(*_):
        raise error("no head")

    monkeypatch.setattr("relprobe.lm.network.heads.Head.__call__", broken)
    assert fastest_model(network("bert"), encoder("bert"), 1024).path == "plain"
    assert "BertForMaskedLM: the grouped path of a small network fails (" in caplog.text
    assert "BertForMaskedLM: each input is computed alone and whole, which takes many times as long" in caplog.text


def test_a_failed_path_leaves_the_network_as_it_was(monkeypatch):
    net = build("llama")
    config, hooks = net.config.to_dict(), [len(module._forward_hooks) for module in net.modules()]
    monkeypatch.setattr("relprobe.lm.network.heads.Head.__call__", lambda *_: 1 / 0)
    monkeypatch.setattr("relprobe.lm.network.self_check.FAILURES", (ZeroDivisionError,))
    scorer = fastest_model(net, encoder("llama"), 1024)
    assert scorer.path == "plain"
    assert net.config._attn_implementation == "sdpa"
    assert (net.config.to_dict(), [len(module._forward_hooks) for module in net.modules()]) == (config, hooks)


@pytest.mark.parametrize("name", ["llama", "bert"])
def test_the_last_layer_is_computed_at_read_positions_only(name):
    model = fastest_model(build(name), encoder(name), 1024)
    assert model.last_layer is not None
    model.last_layer.release()


def test_a_narrow_last_layer_that_disagrees_leaves_no_hooks(monkeypatch):
    net = build("llama")
    monkeypatch.setattr(
        "relprobe.lm.network.last_layer._keeps_to_its_position", lambda *_: True
    )  # keys and values, too
    assert fastest_model(net, encoder("llama"), 1024).last_layer is None
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in net.modules())


def test_scores_that_depend_on_the_batch_are_said(caplog):
    """As a scale for a whole tensor does: the largest state of a batch decides how much all of its states are rounded."""
    net = build("llama")

    def scale(_module, arguments):
        step = arguments[0].abs().max() / 2
        return (arguments[0] / step).round() * step

    net.model.layers[1].mlp.down_proj.register_forward_pre_hook(scale)
    scorer = fastest_model(net, encoder("llama"), 1024)
    assert scorer.path == "plain"
    assert "LlamaForCausalLM: its scores depend on which inputs share a batch" in caplog.text


def test_the_plain_path_gives_the_same():
    for name in ("bert", "llama"):
        naive.assert_slots_equal(replace(model(name), path="plain"), network(name), PROBES)


def test_nan_and_infinite_values_are_an_error_that_names_the_network():
    net = hf.BertForMaskedLM(hf.BertConfig(vocab_size=len(word_piece()), **ROPE)).eval()
    net.bert.encoder.layer[1].output.dense.weight.data.fill_(torch.nan)
    encoder = Encoder.of(word_piece(), masked=True, max_length=LENGTH)
    with pytest.raises(ModelError, match=r"BertForMaskedLM .*computes NaN or infinite values.*torch.float32"):
        fastest_model(net, encoder, 1024)
    scorer = loading.LanguageModel(net, encoder, "grouped", 1024)
    with pytest.raises(ModelError, match=r"in its BertModel in torch.float32: its weights are broken"):
        list(slot_top_k(scorer, PROBES, 5))
    with pytest.raises(ModelError, match="in its BertModel"):
        list(embeddings(scorer, [SpanText("x", "a bird", ((0, 1),))], -1))
    net = hf.BertForMaskedLM(hf.BertConfig(vocab_size=len(word_piece()), **ROPE)).eval()
    net.cls.predictions.bias.data[7] = torch.inf
    with pytest.raises(ModelError, match=r"in its head in torch.float32: its weights are broken"):
        list(slot_top_k(loading.LanguageModel(net, encoder, "grouped", 1024), PROBES, 5))


def test_a_tokenizer_without_a_mask_is_no_masked_model():
    with pytest.raises(ModelError, match=r"has no mask token.*is this a causal model"):
        Encoder.of(byte_level(), masked=True, max_length=LENGTH)


def test_weights_that_do_not_fit_their_config(tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    (tmp_path / "m" / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    write_manifest(tmp_path / "m")
    with pytest.raises(ModelError, match="weights do not fit its config as a causal model"):
        load(manifest, masked=False)


@pytest.mark.parametrize("keep", [0, 4, 100, 2000, -1])
def test_a_truncated_weights_file_is_damaged(keep, tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    weights = tmp_path / "m" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:keep])
    write_manifest(tmp_path / "m")
    with pytest.raises(ModelError, match=r"m: its \*\.safetensors are damaged \(.*\): get them anew\."):
        load(manifest, masked=False)


def test_a_truncated_tokenizer_is_damaged(tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    file = tmp_path / "m" / "tokenizer.json"
    file.write_bytes(file.read_bytes()[:-10])
    write_manifest(tmp_path / "m")
    with pytest.raises(ModelError, match=r"m: its tokenizer cannot be loaded"):
        load(manifest, masked=False)


def test_a_causal_model_is_not_loaded_as_a_masked_one(tmp_path):
    with pytest.raises(ModelError, match=r"cannot be loaded as a masked model.*check `type`"):
        load(save(network("llama"), sentence_piece(), tmp_path / "m"), masked=True)


def test_a_model_spread_by_accelerate(tmp_path):
    net = hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=len(sentence_piece()), **GQA)).eval()
    net.load_state_dict(network("llama").state_dict())
    places = {"model.embed_tokens": "disk", "model.rotary_emb": "cpu", "model.layers.0": "disk"}
    places |= {"model.layers.1": "cpu", "model.norm": "cpu", "lm_head": "disk"}
    spread = accelerate.dispatch_model(net, places, offload_dir=tmp_path)
    scorer = fastest_model(spread, encoder("llama"), 1024)
    assert scorer.path == "packed"
    sentence = Sentence("x", "a robin is a kind of bird")
    logprobs, expected = (next(pseudo_logprob(each, [sentence])).logprobs for each in (scorer, model("llama")))
    np.testing.assert_allclose(logprobs, expected, rtol=0, atol=1e-4)


def test_a_model_loads_with_a_device_map(tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    scorer = load(manifest, masked=False, device_map="auto", device="cuda:7")
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


@pytest.mark.parametrize(
    ("method", "remedy"),
    [
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "bitsandbytes"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}, "bitsandbytes"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, "gptq"),
        ({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}, "gptq"),
        ({"quant_method": "compressed-tensors", "format": "int-quantized"}, "compressed-tensors"),
    ],
    ids=lambda value: value.get("quant_method") if isinstance(value, dict) else value,
)
def test_quantised_weights_without_their_package_end_in_a_sentence(method, remedy, tmp_path):
    if importlib.util.find_spec(remedy.replace("-", "_")):
        pytest.skip(f"{remedy} is installed")
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    (tmp_path / "m" / "config.json").write_text(json.dumps({**config, "quantization_config": method}))
    write_manifest(tmp_path / "m")
    with pytest.raises(ModelError, match=rf"m.*(?i:{remedy}).*: install it beside transformers, or choose weights"):
        load(manifest, masked=False)


def test_weights_quantised_in_an_unknown_way_are_refused(tmp_path):
    """transformers warns, and takes the quantised numbers for the weights."""
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    (tmp_path / "m" / "config.json").write_text(json.dumps({**config, "quantization_config": {"quant_method": "new"}}))
    write_manifest(tmp_path / "m")
    with pytest.raises(ModelError, match=r"m: transformers does not know how its weights are quantised: new: choose"):
        load(manifest, masked=False)


def test_weights_of_eight_bit_floats_are_multiplied_by_their_scales(tmp_path):
    """FP8: each block of a matrix has a scale. On a CPU transformers multiplies them, and the network is a plain one."""
    config = hf.LlamaConfig(
        vocab_size=len(sentence_piece()), hidden_size=64, intermediate_size=128, num_hidden_layers=2
    )
    net = hf.LlamaForCausalLM(config).eval()
    scales = {}
    for name, module in net.named_modules():
        if name.endswith("_proj"):
            rows, columns = (size // 32 for size in module.weight.shape)
            scale = torch.rand(rows, columns) + 0.5
            scales[f"{name}.weight_scale_inv"] = scale
            eight = (module.weight.detach() * 100).to(torch.float8_e4m3fn)
            scales[f"{name}.weight"] = eight
            module.weight.data = eight.float() * scale.repeat_interleave(32, 0).repeat_interleave(32, 1)
    manifest = save(net, sentence_piece(), tmp_path / "m")
    file = tmp_path / "m/model.safetensors"
    save_file({**load_file(file), **scales}, file, {"format": "pt"})
    written = json.loads((tmp_path / "m/config.json").read_text())
    written["quantization_config"] = {"quant_method": "fp8", "weight_block_size": [32, 32]}
    (tmp_path / "m/config.json").write_text(json.dumps(written))
    write_manifest(tmp_path / "m")
    scorer = load(manifest, masked=False, device="cpu")
    assert scorer.path == "packed"
    naive.assert_slots_equal(scorer, net, PROBES)


@pytest.mark.parametrize(
    "bits", [{"load_in_8bit": True}, {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}], ids=str
)
def test_weights_of_bitsandbytes_are_loaded_as_they_are(bits, tmp_path, caplog):
    pytest.importorskip("bitsandbytes", reason="pip install bitsandbytes==0.50.2 to test its weights")
    config = hf.LlamaConfig(
        vocab_size=len(sentence_piece()), hidden_size=64, intermediate_size=128, num_hidden_layers=2
    )
    save(hf.LlamaForCausalLM(config).eval(), sentence_piece(), tmp_path / "plain")
    settings = hf.BitsAndBytesConfig(**bits)
    net = hf.AutoModelForCausalLM.from_pretrained(tmp_path / "plain", quantization_config=settings)
    scorer = load(save(net, sentence_piece(), tmp_path / "m"), masked=False, device="cpu")
    assert {"Linear8bitLt", "Linear4bit"} & {type(module).__name__ for module in scorer.net.modules()}
    assert scorer.path == "packed"
    naive.assert_slots_equal(scorer, scorer.net, PROBES)
    assert "MatMul8bitLt" not in caplog.text


@pytest.mark.parametrize(("large", "expected"), [(3e9, torch.float32), (1000, torch.bfloat16)])
def test_a_large_network_computes_in_bfloat16(large, expected, tmp_path, monkeypatch):
    monkeypatch.setattr("relprobe.lm.loading.weights.LARGE", large)
    scorer = load(save(network("llama"), sentence_piece(), tmp_path / "m"), masked=False)
    assert scorer.net.dtype == expected


def test_a_part_of_a_model_outside_the_gpus_is_said(caplog):
    net = SimpleNamespace(hf_device_map={"model.layers.0": 0, "model.layers.1": "cpu", "lm_head": "disk"})
    loading._warn_of_offloading(net)
    assert "2 of its 3 parts, such as model.layers.1, lie in the main memory or on the disk" in caplog.text


def test_special_tokens_that_depend_on_the_text_are_an_error():
    class Strange(type(byte_level())):
        def __call__(self, text, **settings):
            encoding = super().__call__(text, **settings)
            if "robin" in text and settings.get("add_special_tokens", True):
                encoding["input_ids"] = [1, *encoding["input_ids"]]
            return encoding

    strange = Strange(tokenizer_object=byte_level().backend_tokenizer)
    encoder = Encoder.of(strange, masked=False, max_length=LENGTH)
    with pytest.raises(ModelError, match=r"makes \[1, .* of 'a robin is a', but the model would get"):
        loading._check_special_tokens(encoder, None)


@pytest.mark.parametrize("bos", [None, True, False])
def test_the_special_tokens_are_checked_as_the_config_wants_them(bos, tmp_path, monkeypatch):
    checked = []
    monkeypatch.setattr(
        loading, "_check_special_tokens", lambda encoder, start: checked.append((encoder.before, start))
    )
    encoder = load(save(network("llama"), sentence_piece(), tmp_path / "m"), masked=False, bos=bos).encoder
    assert checked == [(encoder.before, bos)]


@pytest.mark.parametrize("name", ["roberta", "xlm_roberta", "camembert", "mpnet", "esm", "longformer", "ibert"])
def test_positions_that_begin_after_the_padding_token(name):
    nets = {
        "longformer": lambda: hf.LongformerForMaskedLM(
            hf.LongformerConfig(vocab_size=99, attention_window=8, **OFFSET)
        ),
        "ibert": lambda: hf.IBertForMaskedLM(hf.IBertConfig(vocab_size=99, **OFFSET)),
        "esm": lambda: build("esm", position_embedding_type="absolute"),
    }
    net = nets.get(name, lambda: network(name))().eval()
    longest = max_length(net, SimpleNamespace(model_max_length=10**9))
    assert longest == LENGTH
    net(torch.full((1, longest), 5))
    with pytest.raises((IndexError, RuntimeError)):
        net(torch.full((1, longest + 1), 5))


def test_padding_of_the_vocabulary_is_no_answer():
    net = build("gpt2", vocab_size=len(byte_level()) + 4)
    net.lm_head.weight.data[-4:] = 9 * net.lm_head.weight.data[:4]  # far likelier than all tokens, or far less
    scorer = fastest_model(net, Encoder.of(byte_level(), masked=False, max_length=LENGTH), 1024)
    for answer, probe in zip(slot_top_k(scorer, PROBES, 50), PROBES, strict=True):
        expected = naive.slot(net, byte_level(), probe.id)
        assert max(answer.token_ids) < len(byte_level())
        np.testing.assert_allclose(answer.logprobs, expected[: len(byte_level())].topk(50).values, rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["smollm2-135m", "splade-tiny"])
def test_the_models_of_the_default_study(name):
    manifest = ROOT / "resources" / "fetched" / "models" / f"{name}.json"
    if not manifest.is_file():
        pytest.skip("the default study has not been run here")
    masked = name == "splade-tiny"
    scorer = load(manifest, masked=masked)
    assert scorer.path == ("grouped" if masked else "packed")
    naive.assert_slots_equal(scorer, scorer.net, PROBES)
    ids = tuple(scorer.encoder.tokenizer("a robin is a kind of bird").input_ids)
    states = scorer.states([Query(ids, tuple(range(len(ids))))])
    expected = naive.logprobs(scorer.net, ids)
    torch.testing.assert_close(scorer.log_probs(states), expected, rtol=0, atol=1e-3)


def config_of(**values):
    config = SimpleNamespace(**values)
    config.get_text_config = lambda: config
    return config


@pytest.mark.parametrize(
    ("config", "limit", "padding", "longest"),
    [
        ({"max_position_embeddings": 64}, 100, None, 64),
        ({"max_position_embeddings": 64}, 50, None, 50),
        ({"max_position_embeddings": -1}, 50, None, 50),
        ({"max_position_embeddings": 0, "max_seq_len": 40}, 50, None, 40),
        ({"max_position_embeddings": 64, "max_seq_len": 40}, 50, None, 40),
        ({}, 50, None, 50),
        ({"max_position_embeddings": 64}, 100, 1, 62),
        ({"max_position_embeddings": 64}, 63, 0, 63),
    ],
)
def test_the_longest_input_by_hand(config, limit, padding, longest):
    embeddings = SimpleNamespace(position_embeddings=SimpleNamespace(padding_idx=padding))
    net = SimpleNamespace(config=config_of(**config), base_model=SimpleNamespace(embeddings=embeddings))
    assert max_length(net, SimpleNamespace(model_max_length=limit)) == longest
    net.base_model = SimpleNamespace()
    expected = longest + (0 if padding is None else padding + 1)
    assert max_length(net, SimpleNamespace(model_max_length=limit)) == min(expected, limit)


def test_a_decoder_begins_with_the_token_of_the_first_config_that_has_one():
    none, zero, one = (SimpleNamespace(decoder_start_token_id=start) for start in (None, 0, 1))
    assert loading.decoder_start(none, zero, one) == 0
    assert loading.decoder_start(one, zero) == 1
    assert loading.decoder_start(SimpleNamespace(), none) is None


def test_a_part_beside_others_that_is_on_no_gpu_is_said(caplog):
    for placement, said in (
        ({"": "cpu"}, False),
        ({"a": 0, "b": 1}, False),
        ({"a": 0, "b": "disk", "c": "cpu"}, True),
        (None, False),
    ):
        caplog.clear()
        loading._warn_of_offloading(SimpleNamespace(hf_device_map=placement))
        assert ("2 of its 3 parts, such as b, lie in the main memory" in caplog.text) is said


def encoder_with(ids, *, added=(), before=(), after=(), mask=0, masked=False):
    tokenizer = SimpleNamespace(added_tokens_decoder=dict.fromkeys(added), mask_token_id=mask, name_or_path="x")
    return SimpleNamespace(tokenizer=tokenizer, token_ids=frozenset(ids), before=before, after=after, masked=masked)


@pytest.mark.parametrize(
    ("encoder", "right"),
    [
        (encoder_with(range(5)), True),
        (encoder_with(range(6)), False),
        (encoder_with(range(6), added=[5]), True),
        (encoder_with(range(6), added=[5], before=(5,)), False),
        (encoder_with(range(6), added=[5], after=(5,)), False),
        (encoder_with(range(6), added=[5], mask=5, masked=True), False),
        (encoder_with(range(6), added=[5], mask=5), True),
    ],
)
def test_a_tokenizer_has_no_more_tokens_than_its_network_but_for_added_ones(encoder, right):
    net = SimpleNamespace(config=config_of(vocab_size=5))
    if right:
        loading._require_ids(net, encoder)
    else:
        with pytest.raises(ModelError, match="has 6 tokens, but SimpleNamespace has 5"):
            loading._require_ids(net, encoder)


def test_the_ways_to_try_are_those_that_a_network_may_take(monkeypatch):
    reason = None
    monkeypatch.setattr(loading, "reason_against_tries", lambda net, encoder: reason)
    assert loading._paths(None, None, "proof") == ["packed", "grouped"]
    assert loading._paths(None, None, None) == ["grouped"]
    reason = "it keeps a state"
    assert loading._paths(None, None, "proof") == ["grouped"]
    for fastest, tried in (("torch", ["torch"]), ("oneDNN", ["oneDNN", "torch"])):
        monkeypatch.setattr(loading, "fastest_library", lambda net, fastest=fastest: fastest)
        assert loading._libraries(None) == tried


@pytest.fixture
def passed(monkeypatch, tmp_path):
    """What `load` passes on, with nothing in the place of all that is large."""
    seen = {}

    def keep(name, result):
        def call(*given, **named):
            seen[name] = (given, named)
            return result

        return call

    net = SimpleNamespace(eval=lambda: net)
    for name, result in {
        **{"keep_freed_memory": None, "model_folder": tmp_path / "m", "check_files": None, "tokenizer_of": "tokenizer"},
        **{"frame": "frame", "claim_all": ("all",), "set_up_gpus": None, "network": net, "_warn_of_offloading": None},
        **{"adapter_folder": None, "apply_adapter": net, "max_length": 17, "blank_of": "blank"},
        **{"_check_special_tokens": None, "default_dtype": "default", "_warn_of_another_reading": None},
        **{"reading_of": "reading", "fastest_model": "model"},
    }.items():
        monkeypatch.setattr(loading, name, keep(name, result))
    monkeypatch.setattr(loading, "claim", lambda device: seen.update(claim=device) or (device, ("lock",)))
    monkeypatch.setattr(loading.Encoder, "of", keep("encoder", "encoder"))
    monkeypatch.setattr(loading, "replace", lambda model, **changes: (model, changes))
    return seen


@pytest.mark.parametrize(
    ("settings", "where", "budget", "gpu", "locks"),
    [
        ({"device": "cpu"}, None, 2048, False, ("lock",)),
        ({"device": "cuda:1"}, {"": "cuda:1"}, 16_384, True, ("lock",)),
        ({"device": "cpu", "budget": 7}, None, 7, False, ("lock",)),
        ({"device": "cpu", "device_map": "auto"}, "auto", 2048, False, ("all",)),
    ],
)
def test_a_model_goes_to_its_device_with_its_budget(passed, tmp_path, settings, where, budget, gpu, locks):
    model_, changes = load(tmp_path, masked=False, **settings)
    assert (model_, changes) == ("model", {"locks": locks})
    assert passed["network"][0] == (tmp_path / "m", "causal", "default", where)
    assert passed["fastest_model"][0][1:] == ("encoder", budget, None)
    assert ("set_up_gpus" in passed) is gpu
    assert passed["check_files"] == ((tmp_path / "m",), {"allow_pickle": False})
    assert "apply_adapter" not in passed
    assert "_warn_of_another_reading" not in passed


def test_a_manifest_says_what_may_be_read_and_where_a_check_is_cached(passed, tmp_path):
    manifest = tmp_path / "m.json"
    manifest.touch()
    load(manifest, masked=True, device="cpu", dtype=torch.float16)
    assert passed["network"][0][1:] == ("masked", torch.float16, None)
    assert passed["check_files"][1] == {"allow_pickle": True}  # they were allowed when they were fetched
    assert passed["fastest_model"][0][3] == manifest
    assert passed["_warn_of_another_reading"][0] == (manifest, "reading")
    load(manifest, masked=False, encoder_decoder=True, device="cpu", adapter=tmp_path / "lora")
    assert passed["network"][0][1] == "encoder-decoder"
    assert passed["apply_adapter"][0][1] == tmp_path / "lora"
    assert passed["fastest_model"][0][3] is None
    assert passed["encoder"][1]["blank"] == "blank"
    load(tmp_path, masked=False, device="cpu", allow_pickle=True)
    assert passed["check_files"][1] == {"allow_pickle": True}


@pytest.mark.parametrize(("chat", "around", "checked"), [("none", None, True), ("answer", "frame", False)])
def test_a_chat_stands_around_an_input_and_needs_no_special_tokens(passed, tmp_path, chat, around, checked):
    load(tmp_path, masked=False, device="cpu", bos=True, context="before", chat=chat, conversation={"system": "x"})
    assert passed["encoder"] == (
        ("tokenizer",),
        {"masked": False, "max_length": 17, "bos": True, "context": "before", "frame": around, "blank": None},
    )
    assert passed["_check_special_tokens"][0] == ("encoder", checked)
    if around:
        assert passed["frame"][0] == ("tokenizer", {"system": "x"}, "answer")


def test_a_tokenizer_that_reads_otherwise_than_at_the_fetch_is_said(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(loading, "read_manifest", lambda manifest: {"tokens": {"a": [1], "b": [2]}})
    loading._warn_of_another_reading(tmp_path, {"a": [1], "c": [3]})
    assert caplog.text == ""
    loading._warn_of_another_reading(tmp_path, {"a": [1], "b": [3]})
    assert "the tokenizer makes [3] of 'b', and made [2] when the model was fetched" in caplog.text


@pytest.mark.parametrize(("kind", "chat", "frame"), [("causal", "none", None), ("encoder-decoder", "answer", "frame")])
def test_an_encoder_without_a_network_is_that_of_its_files(passed, tmp_path, monkeypatch, kind, chat, frame):
    tokenizer = SimpleNamespace(model_max_length=99.0)
    monkeypatch.setattr(loading, "tokenizer_of", lambda folder: tokenizer)
    monkeypatch.setattr(loading, "config_of", lambda folder: SimpleNamespace(decoder_start_token_id=None))
    monkeypatch.setattr(loading, "generation_config_of", lambda folder: SimpleNamespace(decoder_start_token_id=5))
    monkeypatch.setattr(loading.Blank, "of", lambda tokenizer, start: start)
    loading.encoder_of_files(tmp_path, kind, bos=True, context="before", chat=chat, conversation={"system": "x"})
    blank = 5 if kind == "encoder-decoder" else None
    settings = {"masked": False, "max_length": 99, "bos": True, "context": "before", "frame": frame, "blank": blank}
    assert passed["encoder"] == ((tokenizer,), settings)
    assert passed["model_folder"] == ((tmp_path,), {"weights": False})


@pytest.mark.parametrize(
    ("narrow", "right", "model_is", "trouble", "warned"),
    [
        (("narrow", None), None, "narrow", None, False),
        ((None, None), True, "model", None, False),
        ((None, "is off"), True, "model", "is off", True),
        ((None, "is off"), False, None, "is off", False),
    ],
)
def test_a_model_is_taken_with_its_last_layer_or_without(monkeypatch, caplog, narrow, right, model_is, trouble, warned):
    monkeypatch.setattr(loading, "_with_narrow_last_layer", lambda model, check: narrow)
    whole = SimpleNamespace(net=None)
    found, said = loading._checked(whole, SimpleNamespace(passes=lambda model: right))
    assert (found if model_is != "model" else found is whole) == (model_is if model_is != "model" else True)
    assert said == trouble
    assert ("the last layer at read positions only is off" in caplog.text) is warned


def test_what_a_cached_check_says_is_tried_and_no_more(monkeypatch):
    tiny = bigram_model({"a": {"b": 1}})
    assert loading._from_cache(tiny.net, tiny.encoder, 64, None) is None
    check = SimpleNamespace(said=None, trouble=lambda model: check.said)
    for narrow, check.said, found in ((False, None, "grouped"), (False, "is off", None), (True, "is off", "narrow")):
        monkeypatch.setattr(loading, "_with_narrow_last_layer", lambda model, check: ("narrow", None))
        cached = SimpleNamespace(path="grouped", products="torch", narrow=narrow, check=lambda net, encoder: check)
        model_ = loading._from_cache(tiny.net, tiny.encoder, 64, cached)
        assert (model_ if found in (None, "narrow") else (model_.path, model_.budget)) == (
            found if found in (None, "narrow") else (found, 64)
        )
