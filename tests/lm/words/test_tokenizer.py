"""The tokens of a model are those of its file tokenizer.json, whatever class of transformers reads it."""

import json
import time
from types import SimpleNamespace

import pytest
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.loading.load import load
from relprobe.lm.loading.snapshot import snapshot
from relprobe.lm.words import tokenizer as module
from relprobe.lm.words.tokenizer import tokenizer_of, vocabulary_size
from relprobe.lm.words.tokens import (
    COMPARED,
    bos_token,
    encode_texts,
    ids_in,
    reading_of,
    special_tokens,
    tokens_in,
)
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from tests.lm.architectures import network
from tests.lm.loading.test_load import save
from tests.lm.tokenizers_for_tests import CORPUS, byte_level, sentence_piece, word_piece
from tests.logs import said

TEXTS = ["in the year 2023", "A Robin sang", "schön and café", "it isn't x_y", "  two  blanks", "大きい鳥"]
LEVEL = pre_tokenizers.ByteLevel(add_prefix_space=False)
DIGITS = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), LEVEL])
PUNCTUATION = pre_tokenizers.Sequence([pre_tokenizers.Punctuation("isolated"), LEVEL])
PARTS = {
    "digits": {"pre_tokenizer": DIGITS},
    "marks": {"pre_tokenizer": PUNCTUATION},
    "small letters": {"normalizer": normalizers.Lowercase()},
    "without accents": {"normalizer": normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])},
    "one form": {"normalizer": normalizers.NFKC()},
}


@pytest.fixture(autouse=True)
def tokenizers_read_once():
    """Here a child process reads each file."""


def folder_of(tmp_path, config, **parts):
    """Save a byte-level tokenizer.json with such parts, beside the config that names a class of transformers."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer, backend.decoder = LEVEL, decoders.ByteLevel()
    special, alphabet = ["<unk>", "<s>", "</s>", "<pad>"], pre_tokenizers.ByteLevel.alphabet()
    texts = [*CORPUS, *["2023 Robin schön 1999 café"] * 30]
    backend.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=420, special_tokens=special, initial_alphabet=alphabet)
    )
    for name, part in parts.items():
        setattr(backend, name, part)
    backend.save(str(tmp_path / "tokenizer.json"))
    names = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "model_max_length": 64}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({**names, **config}))
    return tmp_path


@pytest.mark.parametrize("kind", ["GPT2Tokenizer", "LlamaTokenizerFast", "Qwen2Tokenizer", "RobertaTokenizer"])
@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_the_tokens_are_those_of_the_file(tmp_path, kind, parts):
    folder = folder_of(tmp_path, {"tokenizer_class": kind}, **parts)
    tokenizer, file = tokenizer_of(folder), Tokenizer.from_file(str(folder / "tokenizer.json"))
    for text in [*TEXTS, *COMPARED]:
        assert tokenizer(text, add_special_tokens=False).input_ids == file.encode(text, add_special_tokens=False).ids
    assert (tokenizer.bos_token, tokenizer.eos_token, tokenizer.model_max_length) == ("<s>", "</s>", 64)


@pytest.mark.parametrize(
    ("name", "settings"), [("enable_truncation", {"max_length": 2}), ("enable_padding", {"length": 640})]
)
def test_a_file_that_cuts_or_pads_its_texts_is_read_without_that(tmp_path, caplog, name, settings):
    folder = folder_of(tmp_path, {"tokenizer_class": "PreTrainedTokenizerFast"})
    backend = Tokenizer.from_file(str(folder / "tokenizer.json"))
    whole = {text: ids_in(backend, text) for text in COMPARED}
    getattr(backend, name)(**settings)
    backend.save(str(folder / "tokenizer.json"))
    tokenizer = tokenizer_of(folder)
    assert {text: ids_in(tokenizer.backend_tokenizer, text) for text in COMPARED} == whole
    assert caplog.messages == []


def test_a_warning_shows_a_text_both_ways(tmp_path, caplog):
    tokenizer_of(folder_of(tmp_path, {"tokenizer_class": "GPT2Tokenizer"}, pre_tokenizer=DIGITS))
    (warning,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "class GPT2Tokenizer makes" in warning
    assert "'2', '0', '2', '3'" in warning and "tokens of the file" in warning


def test_a_class_that_agrees_with_its_file_is_kept_without_a_word(tmp_path, caplog):
    assert type(tokenizer_of(folder_of(tmp_path, {"tokenizer_class": "GPT2Tokenizer"}))).__name__ == "GPT2Tokenizer"
    assert not said(caplog)


VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "."),
    *("a", "is", "bird", "city", "Turkey", "Paris", "##s", "March"),
]


def test_a_vocabulary_with_capitals_that_become_small_is_refused_with_the_key(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    with pytest.raises(ModelError, match=r"3 of its words have some.*'March'.*\"do_lower_case\": false"):
        tokenizer_of(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
    assert tokenizer_of(tmp_path).tokenize("Paris is a city") == ["Paris", "is", "a", "city"]


def test_a_vocabulary_of_small_letters_is_no_fault(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(word if word[0] == "[" else word.lower() for word in VOCABULARY))
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    assert tokenizer_of(tmp_path).tokenize("Paris is a city") == ["paris", "is", "a", "city"]


FAULTS = {
    "an empty piece": {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    "a table of letters": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
    "no such token": {
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<nil>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [],
            "special_tokens": {},
        }
    },
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_file_that_ends_the_library_ends_in_one_sentence(tmp_path, fault):
    folder = folder_of(tmp_path, {"tokenizer_class": "PreTrainedTokenizerFast"})
    file = folder / "tokenizer.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **fault}))
    with pytest.raises(ModelError, match=r"its tokenizer cannot be loaded \(PanicException: .*get its files anew"):
        tokenizer_of(folder)


def test_a_file_that_never_ends_ends_in_one_sentence(tmp_path, monkeypatch):
    folder = folder_of(tmp_path, {"tokenizer_class": "PreTrainedTokenizerFast"})
    monkeypatch.setattr(module, "SECONDS", 0.01)
    monkeypatch.setattr(module, "_read", lambda path: time.sleep(60))  # in a child process, which is killed
    with pytest.raises(ModelError, match=r"cannot be loaded \(it does not end\)"):
        tokenizer_of(folder)


def test_code_of_its_own_and_missing_packages_have_their_own_remedies(tmp_path):
    folder = folder_of(tmp_path, {"auto_map": {"AutoTokenizer": [None, "tokenization.Own"]}})
    (folder / "tokenization.py").write_text("raise SystemExit")
    with pytest.raises(ModelError, match="it has code of its own, which is not run"):
        tokenizer_of(folder)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    config = {"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=r"needs a package that is not installed \(.*fugashi.*install it, or choose"):
        tokenizer_of(folder)


def test_half_of_a_character_is_named():
    with pytest.raises(ProbeError, match=r"'a \\ud83d' holds half of a character"):
        encode_texts(byte_level(), ["a bird", "a \ud83d"])


def test_a_text_on_which_a_tokenizer_fails_is_named():
    backend = Tokenizer(models.Unigram([("a", 0.0), (" ", 0.0)], None))
    tokenizer = type("Wrapped", (), {"backend_tokenizer": backend, "name_or_path": "own"})()
    assert [one.ids for one in encode_texts(tokenizer, ["a", "a a"])] == [[0], [0, 1, 0]]
    with pytest.raises(ModelError, match="the tokenizer of own fails on 'b'"):
        encode_texts(tokenizer, ["a", "b"])


def test_a_library_that_reads_texts_otherwise_than_at_the_fetch_is_noticed(tmp_path, caplog):
    source = save(network("llama"), sentence_piece(), tmp_path / "source").with_suffix("")
    manifest = snapshot("models.own", {"path": str(source)}, tmp_path / "m")
    load(manifest, masked=False)
    assert "when the model was fetched" not in caplog.text
    about = json.loads(manifest.read_text())
    about["tokens"]["a robin is a bird"] = ["other"]
    manifest.write_text(json.dumps(about))
    load(manifest, masked=False)
    assert "and made ['other'] when the model was fetched" in caplog.text


def test_the_size_of_the_output_layer_is_that_of_the_config_and_0_without_one(tmp_path):
    assert vocabulary_size(tmp_path) == 0
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"model_type": "gpt2", "vocab_size": 7}))
    assert vocabulary_size(tmp_path) == 7
    config.write_text(json.dumps({"model_type": "qwen2_vl", "text_config": {"vocab_size": 9}}))
    assert vocabulary_size(tmp_path) == 9  # of a model of texts and images that of its texts
    for damaged in ("{", "[]", '{"model_type": "no_such_model"}'):
        config.write_text(damaged)
        with pytest.raises(ModelError, match=r"its config\.json cannot be loaded \("):
            vocabulary_size(tmp_path)


def test_a_file_that_transformers_reads_in_no_way_as_it_is_ends_in_one_sentence(tmp_path):
    folder = folder_of(tmp_path, {"tokenizer_class": "GPT2Tokenizer"})
    tokenizer = tokenizer_of(folder)
    other = module._File({text: ["robin"] for text in COMPARED}, {text: [7, 7] for text in COMPARED})
    with pytest.raises(ModelError) as raised:
        module._as_in_file(folder, other, tokenizer)
    said = str(raised.value)
    assert f"{COMPARED[0]!r}, but the file tokenizer.json makes ['robin'], and transformers does not take" in said
    assert "GPT2Tokenizer makes [" in said


def test_a_tokenizer_of_special_tokens_alone_is_refused(tmp_path):
    """As transformers makes one where the files of a vocabulary are gone."""
    backend = Tokenizer(models.WordLevel({"<unk>": 0, "<s>": 1}, "<unk>"))
    backend.add_special_tokens(["<unk>", "<s>"])
    backend.save(str(tmp_path / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "<unk>", "bos_token": "<s>"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=r"its tokenizer has no vocabulary: save the tokenizer there anew"):
        tokenizer_of(tmp_path)


@pytest.mark.parametrize("longest", ["512", True, 0, -1])
def test_the_most_tokens_of_a_text_are_a_number_above_0(longest, tmp_path):
    folder = folder_of(tmp_path, {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": longest})
    with pytest.raises(ModelError, match=rf"has {longest!r} as `model_max_length`: write the most tokens of a text"):
        tokenizer_of(folder)


def test_a_tokenizer_is_loaded_from_its_folder_alone_and_runs_no_code_of_its_own(tmp_path):
    asked = []

    def from_pretrained(folder, **options):
        asked.append((folder, options))
        return SimpleNamespace(is_fast=False)

    module._loaded(tmp_path, SimpleNamespace(from_pretrained=from_pretrained), bos_token="<s>")
    assert asked == [(tmp_path, {"local_files_only": True, "trust_remote_code": False, "bos_token": "<s>"})]


def test_a_tokenizer_in_python_is_read_by_its_own_function():
    reading = reading_of(SimpleNamespace(is_fast=False, tokenize=str.split))
    assert reading == {text: text.split() for text in COMPARED}


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_ends_a_process_is_no_fault_of_a_tokenizer(error, tmp_path):
    def refuse(*_, **__):
        raise error

    if error is not MemoryError:
        backend = SimpleNamespace(encode_batch=refuse, encode_batch_fast=refuse)
        tokenizer = SimpleNamespace(backend_tokenizer=backend, name_or_path="own")
        for texts in (["a"], ["a", "b"]):
            with pytest.raises(error):
                encode_texts(tokenizer, texts)
    with pytest.raises(error):
        module._loaded(tmp_path, SimpleNamespace(from_pretrained=refuse))


def test_a_text_on_which_a_backend_fails_has_no_tokens():
    backend = Tokenizer(models.Unigram([("a", 0.0), (" ", 0.0)], None))
    assert (tokens_in(backend, "a a"), ids_in(backend, "a a")) == (["a", " ", "a"], [0, 1, 0])
    assert (tokens_in(backend, "b"), ids_in(backend, "b")) == ([], [])
    assert tokens_in(word_piece().backend_tokenizer, "a bird") == ["a", "bird"]  # without special tokens


def ids_of(**texts):
    """A tokenizer of the text "a" alone, with special tokens and without."""
    return lambda text, add_special_tokens=True: SimpleNamespace(
        input_ids=texts["whole"] if add_special_tokens else texts["plain"]
    )


@pytest.mark.parametrize(
    ("whole", "plain", "around"),
    [([1, 5, 2], [5], ((1,), (2,))), ([5, 6], [5, 6], ((), ())), ([1, 3, 5, 5], [5], ((1, 3), (5,)))],
)
def test_special_tokens_are_what_stands_before_and_after_a_text(whole, plain, around):
    assert special_tokens(ids_of(whole=whole, plain=plain)) == around


def test_a_tokenizer_that_changes_a_text_by_special_tokens_or_has_no_first_one_is_named():
    class Changing:
        name_or_path, bos_token_id = "own", None

        def __call__(self, text, add_special_tokens=True):
            return SimpleNamespace(input_ids=[1, 6, 2] if add_special_tokens else [5])

    with pytest.raises(ModelError, match="the tokenizer of own changes a text when it adds special tokens"):
        special_tokens(Changing())
    with pytest.raises(ModelError, match="the tokenizer of own has no BOS token"):
        bos_token(Changing())
    assert bos_token(SimpleNamespace(bos_token_id=0)) == (0,)


def test_a_tokenizer_without_its_files_ends_in_one_sentence(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "NoSuchTokenizer"}))
    with pytest.raises(ModelError, match=r"its tokenizer cannot be loaded \(.*\): get its files anew\.$"):
        tokenizer_of(tmp_path)
