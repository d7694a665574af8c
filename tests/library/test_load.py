"""Where a model may come from, and what the errors say."""

import copy
import os
import shutil
import subprocess
import sys

import peft
import polars as pl
import pytest
import relprobe
import torch
import transformers as hf
from relprobe import load
from relprobe.core.errors import ConfigError, ModelError, ProbeError, RelprobeError, SourceError
from relprobe.core.files import write_json
from relprobe.library import load as loading
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.loading.load import BUDGET

from tests.lm import naive
from tests.lm.architectures import build
from tests.lm.served.stub import Stub
from tests.lm.tokenizers_for_tests import byte_level, sentence_piece, word_piece
from tests.paths import SCRIPTS


def test_the_public_names_are_imported_at_their_first_use():
    """`--help` and the rules import the package: torch would take seconds."""
    code = "import sys, relprobe; relprobe.__version__; print({'torch', 'numpy', 'polars'} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "set()"
    assert all(getattr(relprobe, name) for name in relprobe.__all__)
    with pytest.raises(AttributeError, match="no attribute 'words'"):
        _ = relprobe.words


def test_the_kind_is_that_of_the_network(causal, masked):
    assert (causal.kind, masked.kind) == ("causal", "masked")
    assert repr(causal) == "Model(LlamaForCausalLM, causal, float32, packed)"


def test_a_network_in_memory_gives_the_same_answers(causal):
    model = load(causal.engine.net, tokenizer=causal.engine.encoder.tokenizer, progress=False)
    text = "a robin is a [SLOT]"
    assert model.top_words(text).equals(causal.top_words(text))


def test_a_model_of_a_hub_stays_in_the_cache_of_the_hub(folders, monkeypatch, causal):
    asked = []

    def download(name, dry_run=False, **settings):
        if dry_run:
            return []
        asked.append((name, settings["revision"], settings.get("local_dir")))
        return str(folders["causal"])

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    text = "a robin is a [SLOT]"
    assert load("org/toy", revision="abc", progress=False).top_words(text).equals(causal.top_words(text))
    assert asked == [("org/toy", "abc", None)]


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
def test_an_adapter_of_a_hub_is_added_to_its_model(folders, monkeypatch, causal, tmp_path):
    adapted = peft.get_peft_model(
        copy.deepcopy(causal.engine.net), peft.LoraConfig(target_modules="all-linear", init_lora_weights=False)
    )
    adapted.save_pretrained(tmp_path)
    asked = []

    def download(name, dry_run=False, **settings):
        if dry_run:
            return []
        asked.append((name, settings["allow_patterns"]))
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    text, words = "a robin is a", ["bird", "animal"]
    model = load(folders["causal"], adapter="org/lora", progress=False)
    merged = load(adapted.merge_and_unload(), tokenizer=causal.engine.encoder.tokenizer, progress=False)
    scores = [one.score(text, words)["logprob"].to_list() for one in (model, merged, causal)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-5)
    assert scores[0] != pytest.approx(scores[2], abs=1e-3)
    assert asked == [("org/lora", ["adapter_config.json", "adapter_model.safetensors"])]
    with pytest.raises(ModelError, match=r"its source holds no adapter_config\.json"):
        load(folders["causal"], adapter=folders["causal"])
    with pytest.raises(ConfigError, match="`adapter` is for a model that is loaded from files"):
        load(causal.engine.net, adapter=tmp_path)


def test_a_model_behind_a_server_scores_as_its_network(folders, causal):
    with Stub(causal.engine.net, causal.engine.encoder.tokenizer, max_logprobs=10_000) as stub:
        model = load(stub.endpoint, name="toy", tokenizer=folders["causal"], progress=False)
        text = "a robin is a"
        here, there = causal.score(text, ["bird", "animal"]), model.score(text, ["bird", "animal"])
        assert there["logprob"].to_list() == pytest.approx(here["logprob"].to_list(), abs=1e-4)
        here, there = (one.top_words("a [SLOT]", k=1, words=["bird", "robin"]) for one in (causal, model))
        assert there["word"].to_list() == here["word"].to_list()
        assert abs(there["logprob"][0] - here["logprob"][0]) <= there["error"][0] + 1e-4
        with pytest.raises(ProbeError, match="a server gives no answers of single layers"):
            model.top_words("a [SLOT]", layers="all")


def test_a_server_with_short_lists_gives_the_words_among_its_tokens(folders, causal, caplog):
    """The words are a part of the vocabulary, so that k of them could need a list of nearly all tokens."""
    with Stub(causal.engine.net, causal.engine.encoder.tokenizer, max_logprobs=20) as stub:
        model = load(stub.endpoint, name="toy", tokenizer=folders["causal"], progress=False)
        text = "a robin is a [SLOT]"
        table, here = model.top_words(text, k=10), causal.top_words(text, k=10)
        ids = causal.engine.encoder.tokenizer("a robin is a").input_ids
        listed = naive.logprobs(causal.engine.net, ids)[-1].topk(20).values[-1].item()
        expected = here.filter(pl.col("logprob") >= listed - 1e-6)
        assert 0 < len(expected) < 10
        assert table["word"].to_list() == expected["word"].to_list()
        assert table["logprob"].to_list() == pytest.approx(expected["logprob"].to_list(), abs=1e-4)
        assert "lists 20 tokens, so 1 of 1 texts have fewer than 10 words, the fewest" in caplog.text
        assert len(model.top_words(text, k=1)) == 1
        stub.max_logprobs = 400
        assert model.top_words([text, text], k=10)["word"].to_list() == here["word"].to_list() * 2


def test_the_time_of_an_answer_is_that_of_the_caller(folders, causal):
    with Stub(causal.engine.net, causal.engine.encoder.tokenizer) as stub:
        model = load(stub.endpoint, name="toy", tokenizer=folders["causal"], timeout=7.5, progress=False)
        assert model.engine.client.timeout_s == 7.5


def test_threads_are_those_of_the_caller(folders):
    before = torch.get_num_threads()
    try:
        load(folders["causal"], threads=2, progress=False)
        assert torch.get_num_threads() == 2
        load(folders["causal"], progress=False)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("module", ["relprobe.lm.loading.load", "relprobe.studies.relations.scoring"])
@pytest.mark.parametrize(("own", "expected"), [({}, "1000"), ({"GOMP_SPINCOUNT": "7"}, "7")], ids=str)
def test_threads_do_not_spin_long_where_cores_are_busy(own, expected, module):
    """OpenMP reads the variable when torch is imported, which must come later."""
    code = (
        "import os, sys; from relprobe import load; print('torch' in sys.modules)\n"
        "class Watch:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'torch': sys.exit(print(os.environ.get('GOMP_SPINCOUNT')))\n"
        "sys.meta_path.insert(0, Watch())\n"
        f"import {module}"
    )
    environment = {key: value for key, value in os.environ.items() if key != "GOMP_SPINCOUNT"} | own
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=SCRIPTS, env=environment, capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == ["False", expected]


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_an_encoder_decoder_in_memory_is_no_model_of_another_kind(kind):
    net = hf.T5ForConditionalGeneration(
        hf.T5Config(vocab_size=440, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4)
    )
    tokenizer = word_piece() if kind == "masked" else sentence_piece()
    with pytest.raises(
        ModelError, match=rf"T5ForConditionalGeneration cannot be computed as a {kind} network \(You must"
    ):
        load(net, kind, tokenizer=tokenizer)


def test_a_tokenizer_of_another_model_is_named():
    net = build("llama", vocab_size=100)
    with pytest.raises(ModelError, match=r"tokens, but LlamaForCausalLM has 100: it is that of another model"):
        load(net, tokenizer=sentence_piece())


def test_a_token_that_was_added_to_a_tokenizer_need_not_be_in_the_network():
    tokenizer = copy.deepcopy(byte_level())
    tokenizer.add_special_tokens({"pad_token": "<|pad|>"})
    model = load(build("qwen2", vocab_size=len(byte_level())), tokenizer=tokenizer, progress=False)
    assert len(model.top_words("a robin is a [SLOT]", k=3)) == 3


def test_a_folder_without_a_tokenizer_is_said(tmp_path):
    """Of the config of a BERT, transformers makes a tokenizer of five special tokens."""
    build("bert").save_pretrained(tmp_path / "bert")
    with pytest.raises(ModelError, match=r"bert has no tokenizer: save the tokenizer of the model there"):
        load(tmp_path / "bert")
    (tmp_path / "bert" / "tokenizer_config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"bert: its tokenizer has no vocabulary"):
        load(tmp_path / "bert")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_device_that_is_not_there_is_said(folders):
    with pytest.raises(ConfigError, match="the device 'cuda:1' is asked for, but torch sees 0 GPUs here"):
        load(folders["causal"], device="cuda:1")
    with pytest.raises(ConfigError, match="'gpu' is no device: use auto, cpu, cuda"):
        load(folders["causal"], device="gpu")


@pytest.mark.parametrize(
    ("arguments", "settings", "kind", "words"),
    [
        (["http://localhost:9/v1"], {}, ConfigError, "needs `name`"),
        (["http://me:s3cret@localhost/v1"], {}, ConfigError, "the address of the server holds a name, a password"),
        (["https://localhost/v1?key=s3cret"], {}, ConfigError, "the address of the server holds a name, a password"),
        (["http://localhost/v1#s3cret"], {}, ConfigError, "the address of the server holds a name, a password"),
        (["http://localhost/\ts3cret"], {}, ConfigError, "the address of the server holds a name, a password"),
        (["a/b"], {"name": "x"}, ConfigError, "those of a server"),
        (["a/b"], {"timeout": 3}, ConfigError, "those of a server"),
        (["http://localhost:9/v1"], {"name": "x", "tokenizer": "y", "timeout": 0}, ConfigError, "timeout=0 is no time"),
        (["a/b"], {"threads": -1}, ConfigError, "threads=-1 is no number of threads"),
        (["no/such/folder"], {}, ModelError, "neither a file nor a folder"),
        (["model.gguf"], {}, ModelError, "neither a file nor a folder"),
        (["a/b"], {"tokenizer": object()}, ConfigError, "leave `tokenizer` out"),
        ([object()], {}, ConfigError, "needs the `tokenizer`"),
    ],
)
def test_a_mistake_gets_one_sentence(arguments, settings, kind, words):
    with pytest.raises(kind, match=words) as error:
        load(*arguments, **settings)
    assert isinstance(error.value, RelprobeError)
    assert "s3cret" not in str(error.value)


def test_a_wrong_number_format_is_named(folders):
    with pytest.raises(ConfigError, match="dtype='int3' is no number format"):
        load(folders["causal"], dtype="int3")


def test_an_unclear_network_asks_for_its_kind(folders, tmp_path):
    (tmp_path / "config.json").write_text('{"architectures": ["T5EncoderModel"], "model_type": "t5"}')
    shutil.copy(folders["causal"] / "model.safetensors", tmp_path)
    with pytest.raises(ModelError, match='give kind="masked" or kind="causal"'):
        load(tmp_path)


def test_a_model_that_the_hub_lacks_is_a_source_error(monkeypatch):
    def offline(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr("huggingface_hub.snapshot_download", offline)
    with pytest.raises(SourceError, match="org/toy cannot be fetched from Hugging Face"):
        load("org/toy")


def test_a_gguf_file_is_converted_once(tmp_path, monkeypatch):
    made = []

    def convert(name, entry, folder):
        made.append(name)
        folder.mkdir(parents=True)
        folder.with_name(f"{folder.name}.json").write_text("{}")

    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("relprobe.lm.loading.snapshot.snapshot", convert)
    file = tmp_path / "toy.gguf"
    file.write_bytes(b"weights")
    first, second = loading.model_folder(str(file)), loading.model_folder(str(file))
    assert (first, made) == (second, ["toy.gguf"])
    assert first.parent == tmp_path / "cache"
    file.write_bytes(b"other weights")
    assert loading.model_folder(str(file)) != first


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"architectures": ["BertForMaskedLM", "GPT2LMHeadModel"]}, "masked"),
        ({"architectures": ["GPT2LMHeadModel", "BertForMaskedLM"]}, "causal"),
        ({"architectures": ["LlavaForConditionalGeneration"]}, "causal"),
        ({"architectures": ["T5ForConditionalGeneration"], "is_encoder_decoder": True}, "encoder-decoder"),
        ({"architectures": ["GPT2LMHeadModel"], "is_encoder_decoder": "no"}, "causal"),
    ],
)
def test_the_first_class_of_a_config_says_the_kind(tmp_path, config, kind):
    write_json(config, tmp_path / "config.json")
    assert loading._kind_in(tmp_path) == kind


@pytest.mark.parametrize("names", [None, [], "BertForMaskedLM", [7, "BertForMaskedLM"], ["BertModel"]], ids=str)
def test_a_config_that_names_no_class_is_no_kind(tmp_path, names):
    (tmp_path / "model").mkdir()
    write_json({"architectures": names}, tmp_path / "model/config.json")
    first = "BertModel" if names == ["BertModel"] else str(tmp_path / "model")
    with pytest.raises(ModelError, match=f"{first} does not say whether it is a masked or a causal model"):
        loading._kind_in(tmp_path / "model")
    with pytest.raises(ModelError, match="does not say whether"):
        loading._kind_in(tmp_path)  # it has no config


@pytest.mark.parametrize("kind", ["masked", "causal", "encoder-decoder"])
def test_a_network_in_memory_gets_the_settings_that_are_given(monkeypatch, kind):
    """What is passed on, with the network of examples in the place of all others."""
    tiny, seen = bigram_model({"a": {"bird": 1}}), {}
    monkeypatch.setattr("relprobe.lm.loading.load.fastest_model", lambda net, encoder, budget: (encoder, budget))
    monkeypatch.setattr("relprobe.lm.loading.load.blank_of", lambda net, tokenizer: "the blank")
    monkeypatch.setattr("relprobe.lm.loading.load.max_length", lambda net, tokenizer: 17)
    monkeypatch.setattr("relprobe.lm.words.encode.Encoder.of", lambda tokenizer, **given: seen.update(given))
    encoding = {"bos": True, "context": "before", "chat": "none", "conversation": None}
    for batch_tokens, budget in ((7, 7), (0, BUDGET["cpu"])):
        assert loading._in_memory(tiny.net, tiny.encoder.tokenizer, kind, batch_tokens, encoding) == (None, budget)
        assert seen == {
            "masked": kind == "masked",
            "max_length": 17,
            "blank": "the blank" if kind == "encoder-decoder" else None,
            "bos": True,
            "context": "before",
            "frame": None,
        }


def test_a_model_in_files_and_one_behind_a_server_get_the_settings_that_are_given(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr("relprobe.lm.loading.files.check_files", lambda *given, **named: asked.append((given, named)))
    monkeypatch.setattr("relprobe.lm.loading.load.load", lambda *given, **named: asked.append((given, named)))
    monkeypatch.setattr("relprobe.lm.connect.connect", lambda *given, **named: asked.append((given, named)))
    monkeypatch.setattr(loading, "adapter_folder", lambda adapter: f"folder of {adapter}")
    encoding = {"bos": False, "context": "before"}
    loading._from_files(tmp_path, "masked", "lora", "bfloat16", "cuda:1", 0, True, encoding)
    loading._from_files(tmp_path, "encoder-decoder", None, "auto", "cpu", 9, False, encoding)
    first = {"masked": True, "encoder_decoder": False, "adapter": "folder of lora", "dtype": torch.bfloat16}
    other = {"masked": False, "encoder_decoder": True, "adapter": None, "dtype": None}
    assert asked == [
        ((tmp_path,), {"allow_pickle": True}),
        ((tmp_path,), {**first, "device": "cuda:1", "budget": None, "allow_pickle": True, **encoding}),
        ((tmp_path,), {"allow_pickle": False}),
        ((tmp_path,), {**other, "device": "cpu", "budget": 9, "allow_pickle": False, **encoding}),
    ]
    asked.clear()
    for key_env, timeout, more in (("KEY", 7.5, {"key_env": "KEY", "timeout": 7.5}), ("", None, {}), (None, None, {})):
        loading._served("http://h/v1", "toy", tmp_path, key_env, timeout, "main", encoding)
        assert asked.pop() == ((tmp_path, "toy", {"endpoint": "http://h/v1", **more}), encoding)
    for timeout in (0, -1):
        with pytest.raises(ConfigError, match=f"timeout={timeout} is no time"):
            loading._served("http://h/v1", "toy", tmp_path, None, timeout, "main", encoding)


def test_what_a_hub_is_asked_for(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr("relprobe.lm.loading.snapshot.from_hub", lambda *given: asked.append(given) or tmp_path)
    monkeypatch.setattr("relprobe.lm.loading.snapshot.check", lambda *given: asked.append(given))
    monkeypatch.setattr("relprobe.lm.loading.snapshot.patterns_of", lambda entry, weights: weights)
    entry = {"huggingface": "org/toy", "revision": "abc", "allow_pickle": True}
    assert loading.model_folder("org/toy", "abc", allow_pickle=True) == tmp_path
    assert asked == [("org/toy", entry, True), ("org/toy", entry, tmp_path)]
    asked.clear()
    loading.model_folder("org/toy", weights=False)
    assert asked == [("org/toy", {**entry, "revision": "main", "allow_pickle": False}, False)]
    for path in ("a/b/c", "./a", "~/none", "x.gguf", "/a"):
        with pytest.raises(ModelError, match="is neither a file nor a folder: correct the path"):
            loading.model_folder(path)


@pytest.mark.parametrize("given", [{"name": "m"}, {"tokenizer": "gpt2"}, {}, {"name": "m", "tokenizer": 7}])
def test_a_server_needs_the_name_of_its_model_and_a_tokenizer(given):
    with pytest.raises(ConfigError, match="needs `name`, the server's name of it, and `tokenizer`"):
        load("http://127.0.0.1:9/v1", **given)


def test_a_number_of_threads_is_that_of_torch_and_none_below_zero(monkeypatch):
    taken = []
    monkeypatch.setattr(torch, "set_num_threads", taken.append)
    for threads in (1, 0, 3):
        loading._use_threads(threads)
    assert taken == [1, 0, 3]
    with pytest.raises(ConfigError, match="threads=-1 is no number of threads"):
        loading._use_threads(-1)
