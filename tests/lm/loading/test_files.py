"""The files of a model that may not or cannot be loaded: each ends in a sentence, before anything of them is run."""

import json
import os
import pickle
import shutil

import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ModelError, ProbeError, RelprobeError, SourceError
from relprobe.library.load import load as load_in_python
from relprobe.lm.loading.files import (
    _check_parts,
    _model_below,
    _remedy,
    check_files,
    check_place,
    count_parameters,
    weight_files,
)
from relprobe.lm.loading.load import load
from relprobe.lm.loading.snapshot import snapshot
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer

from tests.lm.architectures import model, network

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "m"
    network("llama").save_pretrained(folder)
    model("llama").encoder.tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "m")


def in_shards(folder, name="model-0000{}-of-00002.safetensors", place=None):
    """Divide the weights into two shards with an index, beside the file of all weights; `place`: where the index says."""
    weights = load_file(folder / WEIGHTS)
    shards = {key: name.format(1 + number % 2) for number, key in enumerate(sorted(weights))}
    for shard in set(shards.values()):
        save_file({key: weights[key] for key in shards if shards[key] == shard}, folder / shard, {"format": "pt"})
    index = {"metadata": {}, "weight_map": {key: (place or "{}").format(shard) for key, shard in shards.items()}}
    (folder / INDEX).write_text(json.dumps(index))


def everywhere(folder, tmp_path, match):
    """Assert that the sentence comes in Python, from a folder, and when a study fetches the model."""
    with pytest.raises(ModelError, match=match):
        load_in_python(folder)
    with pytest.raises(ModelError, match=match):
        load(folder, masked=False)
    with pytest.raises(ModelError, match=rf"^models\.m: (?s:.*){match}"):
        snapshot("models.m", {"path": str(folder)}, tmp_path / "fetched" / "m")
    assert not (tmp_path / "fetched" / "m").exists()


def test_two_sets_of_weights_are_an_error_that_names_both(folder, tmp_path):
    in_shards(folder)
    everywhere(
        folder, tmp_path, r"two sets of weights, model\.safetensors and the shards of model\.safetensors\.index\.json"
    )
    (folder / WEIGHTS).unlink()
    assert [path.name for path in weight_files(folder)] == [f"model-0000{i}-of-00002.safetensors" for i in (1, 2)]
    assert load_in_python(folder).engine.net.num_parameters() == network("llama").num_parameters()


def test_an_index_of_the_one_file_is_no_second_set(folder):
    in_shards(folder, WEIGHTS)
    check_files(folder, allow_pickle=False)


def test_weights_beside_those_that_are_loaded_do_not_count(folder):
    shutil.copy(folder / WEIGHTS, folder / "consolidated.safetensors")
    assert weight_files(folder) == [folder / WEIGHTS]


@pytest.mark.parametrize("named", [1, 2])
def test_weights_of_one_name_in_two_shards(named, folder, tmp_path):
    """Those of the last file would be taken in silence, whichever of them the index names."""
    in_shards(folder)
    (folder / WEIGHTS).unlink()
    first, second = (load_file(folder / f"model-0000{i}-of-00002.safetensors") for i in (1, 2))
    key = sorted(first)[0]
    save_file({**second, key: first[key] + 1}, folder / "model-00002-of-00002.safetensors", {"format": "pt"})
    index = json.loads((folder / INDEX).read_text())
    index["weight_map"][key] = f"model-0000{named}-of-00002.safetensors"
    (folder / INDEX).write_text(json.dumps(index))
    everywhere(folder, tmp_path, rf"both hold the weights '{key}': get the model anew")


@pytest.mark.parametrize("layers", [0, 1])
def test_weights_of_more_layers_than_the_config_says(layers, folder):
    config = json.loads((folder / "config.json").read_text())
    assert config["num_hidden_layers"] == 2
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": layers, "layer_types": None}))
    sentence = rf"more layers than its config.json says, such as model\.layers\.{layers}\..*: get config\.json anew"
    with pytest.raises(ModelError, match=sentence):
        load_in_python(folder)
    (folder / "config.json").write_text(
        json.dumps({**config, "num_hidden_layers": 1, "layer_types": None, "num_nextn_predict_layers": 1})
    )
    load_in_python(folder)


@pytest.mark.parametrize("longest", ["64", -1, 0, True, [3], {}])
def test_a_tokenizer_that_takes_no_text(longest, folder):
    about = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**about, "model_max_length": longest}))
    with pytest.raises(ModelError, match=r"tokenizer_config\.json has .* as `model_max_length`: write the most tokens"):
        load_in_python(folder)


@pytest.mark.parametrize("place", ["../{}", "/tmp/{}", "sub/../../{}", "{}.txt"])
def test_an_index_names_files_of_its_folder_only(place, folder, tmp_path):
    in_shards(folder, place=place)
    (folder / WEIGHTS).unlink()
    everywhere(folder, tmp_path, "which is no file of weights in its folder")


def test_an_index_names_files_that_are_there(folder, tmp_path):
    in_shards(folder, place="other-{}")
    (folder / WEIGHTS).unlink()
    everywhere(folder, tmp_path, r"names other-model-00001-of-00002\.safetensors, which is not there")


@pytest.mark.parametrize("content", [[], {}, {"weight_map": []}, {"weight_map": {"a": 3}}, {"weight_map": {}}])
def test_an_index_of_another_form(content, folder, tmp_path):
    in_shards(folder)
    (folder / WEIGHTS).unlink()
    (folder / INDEX).write_text(json.dumps(content))
    everywhere(folder, tmp_path, "holds no JSON object|does not say which file has which weights")


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json", "config.json"])
def test_what_git_keeps_in_the_place_of_a_large_file(name, folder, tmp_path):
    (folder / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
    everywhere(folder, tmp_path, rf"{name} is a pointer of Git LFS in the place of the file: get it by `git lfs pull`")


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "config.json"])
def test_json_behind_a_byte_order_mark(name, folder, tmp_path):
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(b"\xef\xbb\xbf" + content)
    everywhere(folder, tmp_path, rf"{name} begins with a byte-order mark, which transformers does not read: save it")


def as_pickle(folder, content=None):
    torch.save(content or load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).unlink()


def test_pickled_weights_are_read_only_where_they_are_allowed(folder, tmp_path):
    as_pickle(folder)
    everywhere(folder, tmp_path, r"holds no \*\.safetensors: .*allow_pickle: true.*allow_pickle=True")
    assert load_in_python(folder, allow_pickle=True).kind == "causal"
    entry = {"path": str(folder), "allow_pickle": True}
    assert load(snapshot("models.m", entry, tmp_path / "allowed" / "m"), masked=False).path == "packed"


class Hostile:
    """What a pickle of it does when it is read: make a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_hostile_pickle_runs_nothing_and_ends_in_a_sentence_without_bad_advice(folder, tmp_path):
    as_pickle(folder, {"weight": Hostile(tmp_path / "harm")})
    for allow in (False, True):
        with pytest.raises(ModelError) as caught:
            load_in_python(folder, allow_pickle=allow)
        assert "weights_only" not in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not (tmp_path / "harm").exists()
    assert "hold something else than weights" in str(caught.value)
    with (folder / "pytorch_model.bin").open("wb") as file:
        pickle.dump(Hostile(tmp_path / "harm"), file)  # in the form of before PyTorch 1.6
    with pytest.raises(ModelError):
        load_in_python(folder, allow_pickle=True)
    assert not (tmp_path / "harm").exists()


def change(folder, file="config.json", **keys):
    path = folder / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **keys}))


@pytest.mark.parametrize("key", ["attn_implementation", "_attn_implementation", "experts_implementation"])
@pytest.mark.parametrize("value", ["kernels-community/flash-attn2", "eager", "new", 3])
def test_a_config_does_not_choose_the_code_of_attention(key, value, folder):
    change(folder, **{key: value})
    assert load_in_python(folder).engine.net.config._attn_implementation == "sdpa"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"quant_method": "modelopt", "quant_algo": "FP8"}, "modelopt; vLLM or TensorRT-LLM reads them"),
        ({"quant_method": "exl3", "bits": 4}, "exl3; ExLlamaV3 reads them"),
        ({"quant_method": "new"}, "does not know how its weights are quantised: new: choose"),
        ({"bits": 4}, "`quantization_config` without a `quant_method`"),
        ([], "`quantization_config` without a `quant_method`"),
        ("x", "`quantization_config` without a `quant_method`"),
    ],
)
def test_weights_that_are_quantised_for_other_programs(how, message, folder, tmp_path):
    change(folder, quantization_config=how)
    everywhere(folder, tmp_path, message)


@pytest.mark.parametrize("file", ["hf_quant_config.json", "quantize_config.json", "quant_config.json"])
def test_weights_whose_quantisation_stands_in_another_file(file, folder, tmp_path):
    (folder / file).write_text("{}")
    everywhere(folder, tmp_path, r"has quantised the weights, but config\.json does not")


@pytest.mark.parametrize("whole_model", [True, False])
def test_an_adapter_in_the_place_of_a_model(whole_model, folder, tmp_path):
    (folder / "adapter_config.json").write_text('{"peft_type": "LORA", "base_model_name_or_path": "some/base"}')
    save_file({"a": torch.zeros(1)}, folder / "adapter_model.safetensors", {"format": "pt"})
    if not whole_model:
        (folder / "config.json").unlink()
        (folder / WEIGHTS).unlink()
    everywhere(folder, tmp_path, "holds an adapter of some/base, and no whole model: name the model")


@pytest.mark.parametrize(
    "key", ["num_hidden_layers", "n_layer", "encoder_layers", "num_experts", "num_local_experts", "depth"]
)
@pytest.mark.parametrize("value", [10**8, 10**30, -1])
def test_a_config_of_endless_parts_ends_at_once(key, value, folder, tmp_path):
    if value < 0 and not key.startswith("n"):
        pytest.skip("a layer is counted from the last one, as vision_feature_layer is")
    change(folder, text_config={key: value})
    everywhere(folder, tmp_path, f"says {key}: {value:,}, which no network of these weights has")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = (
    "architectures", "model_type", "vocab_size", "num_hidden_layers", "is_encoder_decoder", "text_config", "dtype",
    "quantization_config", "rope_parameters", "hidden_size", "auto_map", "tie_word_embeddings", "hidden_act", "eos_token_id",
)  # fmt: skip
FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json", "special_tokens_map.json")


@pytest.mark.parametrize("file", FILES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON)
@example(value=[])
@example(value={"config": {"model_type": "llama"}})
def test_any_json_in_a_file_loads_or_ends_in_a_sentence(file, value, whole, tmp_path_factory):
    folder = shutil.copytree(whole, tmp_path_factory.mktemp("any") / "m")
    (folder / file).write_text(json.dumps(value))
    loads_or_ends_in_a_sentence(folder)


@settings(max_examples=40, deadline=None)
@given(key=st.sampled_from(KEYS), value=JSON)
@example(key="architectures", value=[["a"]])
@example(key="text_config", value=3)
@example(key="auto_map", value=3)
def test_any_value_in_a_config_loads_or_ends_in_a_sentence(key, value, whole, tmp_path_factory):
    folder = shutil.copytree(whole, tmp_path_factory.mktemp("any") / "m")
    change(folder, **{key: value})
    loads_or_ends_in_a_sentence(folder)


def loads_or_ends_in_a_sentence(folder):
    try:
        assert load_in_python(folder).kind == "causal"
    except RelprobeError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1000


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_json_that_is_nested_without_end(file, folder):
    (folder / file).write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(RelprobeError, match=r"nested too deeply|holds no JSON object"):
        load_in_python(folder)


@pytest.mark.parametrize("target", [".", "..", "{}"])
def test_a_folder_that_links_to_itself(target, folder, tmp_path):
    (folder / "inner").mkdir()
    (folder / "inner" / "again").symlink_to(target.format(folder))
    with pytest.raises(SourceError, match=r"^models\.m: .*again is a link to a folder that holds it: delete the link"):
        snapshot("models.m", {"path": str(folder)}, tmp_path / "fetched" / "m")
    assert load_in_python(folder).kind == "causal"


@pytest.mark.parametrize(
    "name", ["./nofolder", "../nofolder", "/nofolder", "~/nofolder", ".", "no folder", "a/b/c", "x" * 99]
)
def test_a_folder_that_is_not_there(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        RelprobeError, match=r"neither a file nor a folder|no folder, no file, and no name|no config\.json"
    ):
        load_in_python(name)


@pytest.fixture
def enlarged(folder):
    """A model whose tokenizer has one token more than the network."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["zorble"])
    tokenizer.save_pretrained(folder)
    return load_in_python(folder)


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.score("a robin is a", ["zorble"]),
        lambda model: model.score("a zorble is a", ["bird"]),
        lambda model: model.sentences("a robin is a zorble"),
        lambda model: model.words("a zorble sings"),
        lambda model: model.embed("a zorble"),
        lambda model: model.top_words("a zorble is a [SLOT]"),
        lambda model: model.top_words("a robin is a [SLOT]", words=["bird", "zorble"]),
    ],
)
def test_a_token_that_was_added_beyond_the_head_is_named(ask, enlarged):
    with pytest.raises(
        ProbeError, match=r"holds 'zorble', added to the tokenizer of .*, but the network has no vector for it"
    ):
        ask(enlarged)
    assert enlarged.sentences("a robin is a bird")["logprob"].is_finite().all()
    assert enlarged.top_words("a robin is a [SLOT]", 3).height <= 3


@pytest.mark.parametrize("below", ["snapshots/0123456789abcdef", "checkpoint-500"], ids=["a cache", "an output folder"])
def test_a_folder_above_the_model_names_the_model(below, folder, tmp_path):
    above = tmp_path / "models--own--tiny"
    shutil.copytree(folder, above / below)
    everywhere(above, tmp_path, rf"holds no config\.json: models lie in the folders below it, so name .*{below}\.")


def changed(folder, change):
    config = json.loads((folder / "config.json").read_text())
    change(config)
    (folder / "config.json").write_text(json.dumps(config))


def test_an_architecture_that_is_newer_than_transformers_is_no_damaged_file(folder, tmp_path):
    changed(folder, lambda config: config.update(model_type="qwen9_next"))
    everywhere(folder, tmp_path, r"cannot be read by transformers \(.*qwen9_next.*\.\): .*upgrade transformers")


def test_an_architecture_with_code_of_its_own_is_named_as_one_whose_code_is_not_run(folder, tmp_path):
    own = {"AutoConfig": "configuration_own.OwnConfig", "AutoModelForCausalLM": "modeling_own.Own"}
    changed(folder, lambda config: config.update(model_type="own_next", auto_map=own))
    everywhere(folder, tmp_path, "has code of its own, which is not run")


def test_a_vocabulary_of_another_size_names_the_key(folder):
    changed(folder, lambda config: config.update(vocab_size=config["vocab_size"] - 3))
    with pytest.raises(ModelError, match=r"another number of tokens than the `vocab_size` of its config\.json"):
        load(folder, masked=False)


def test_a_shard_behind_a_link_to_another_folder_is_refused(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    in_shards(folder, place="inside/{}")
    for shard in folder.glob("model-0*.safetensors"):
        shutil.move(shard, tmp_path / "elsewhere" / shard.name)
    (folder / "inside").symlink_to(tmp_path / "elsewhere")
    (folder / WEIGHTS).rename(folder / "consolidated.safetensors")
    with pytest.raises(ModelError, match="leads through a link to another folder"):
        weight_files(folder)


def tensors(path, **sizes):
    """A file of float32 tensors with so many numbers."""
    save_file({name: torch.zeros(size) for name, size in sizes.items()}, path, {"format": "pt"})


def test_the_files_of_weights_and_their_parameters_by_hand(tmp_path):
    (tmp_path / "pytorch_model.bin").write_bytes(b"x" * 40)
    (tmp_path / "other.bin").write_bytes(b"x" * 40)
    assert [path.name for path in weight_files(tmp_path)] == ["pytorch_model.bin"]
    for config, count in (
        *(({}, 10), ({"dtype": "float32"}, 10), ({"dtype": "bfloat16"}, 20), ({"torch_dtype": "float16"}, 20)),
        ({"dtype": "float32", "torch_dtype": "float16"}, 10),
    ):
        assert count_parameters(tmp_path, config) == count
    tensors(tmp_path / "b.safetensors", one=3)
    tensors(tmp_path / "a.safetensors", two=4, three=5)
    assert [path.name for path in weight_files(tmp_path)] == ["a.safetensors", "b.safetensors"]
    assert count_parameters(tmp_path, {"dtype": "float16"}) == 12
    tensors(tmp_path / WEIGHTS, four=1)
    assert [path.name for path in weight_files(tmp_path)] == [WEIGHTS]
    (tmp_path / WEIGHTS).unlink()
    index = {"weight_map": {"one": "b.safetensors", "two": "a.safetensors", "three": "a.safetensors"}}
    (tmp_path / INDEX).write_text(json.dumps(index))
    assert [path.name for path in weight_files(tmp_path)] == ["a.safetensors", "b.safetensors"]


@pytest.mark.parametrize(
    ("config", "right"),
    [
        *(({"num_layers": 3}, True), ({"num_layers": 4}, False), ({"n_layer": 4}, False), ({"layers_size": 4}, True)),
        *(({"text": {"num_experts": 4}}, False), ({"num_layers": -1}, False), ({"n_layers": -1}, False)),
        *(({"encoder_layers": -1}, True), ({"vocab_size": 9}, True), ({"num_layers": True}, True)),
    ],
)
def test_a_network_has_as_many_parts_as_its_files_have_tensors(tmp_path, monkeypatch, config, right):
    monkeypatch.setattr("relprobe.lm.loading.files.MOST_PARTS", 2)
    tensors(tmp_path / WEIGHTS, one=1, two=1, three=1)
    if right:
        _check_parts(tmp_path, config)
    else:
        with pytest.raises(ModelError, match="which no network of these weights has"):
            _check_parts(tmp_path, config)
    monkeypatch.setattr("relprobe.lm.loading.files.MOST_PARTS", 4)
    if config not in ({"num_layers": -1}, {"n_layers": -1}):
        _check_parts(tmp_path, config)


def test_the_last_of_several_models_below_a_folder_is_named(tmp_path):
    assert _model_below(tmp_path) == "is this a model in Hugging Face's form?"
    check_place(tmp_path)
    for number, name in enumerate(("b", "snapshots/c", "a")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "config.json").write_text("{}")
        os.utime(tmp_path / name, (number, number))
        several = f", which is the last of {number + 1}" if number else ""
        assert _model_below(tmp_path) == (f"models lie in the folders below it, so name {tmp_path / name}{several}.")
    with pytest.raises(ModelError, match=r"holds no config\.json: models lie in the folders below it"):
        check_place(tmp_path)
    (tmp_path / "x.gguf").touch()
    check_place(tmp_path)


@pytest.mark.parametrize(
    ("config", "reason", "begin"),
    [
        ({"auto_map": {}}, "x", "the model has code of its own"),
        ({"model_type": "x"}, "set trust_remote_code", "the model has code of its own"),
        ({}, "does not recognize", "write its `model_type`"),
        ({"architectures": []}, "x", "write its `model_type`"),
        ({"architectures": ["X"]}, "does not recognize", "this transformers"),
        ({"model_type": "x"}, "Unrecognized", "this transformers"),
        ({"model_type": "x"}, "x", "get it anew"),
    ],
)
def test_what_to_do_about_a_config_that_is_not_read(config, reason, begin):
    assert _remedy(config, reason).startswith(begin)
