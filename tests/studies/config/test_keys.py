"""Keys of the configuration that are unknown, missing or there twice are named in one sentence."""

import pytest
import yaml
from relprobe.core.errors import ConfigError
from relprobe.studies import STUDIES
from relprobe.studies.config import check_keys, validate

from tests.paths import ROOT
from tests.studies.config.configs import config, fault, put


def test_a_key_that_occurs_twice_in_a_file_of_the_configuration_is_named(tmp_path):
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("models:\n  bert: {path: a}\n")
    bad.write_text("models:\n  bert: {path: a}\n  bert: {path: b}\n")
    check_keys([good, good])  # of a key in two files the later one counts
    with pytest.raises(ConfigError, match=r"^config: .*bad.yaml: the key 'models.bert' occurs twice, in line 2 and in"):
        check_keys([good, bad])


@pytest.mark.parametrize("keys", [("prompting", "examples"), ("prompting", "chat"), ("relations", "language")])
def test_a_key_that_occurs_twice_in_a_file_that_the_configuration_names_is_named(keys, tmp_path):
    file = tmp_path / "own.yaml"
    validate(full := config(), ROOT)
    shipped = ROOT / full[keys[0]][keys[1]]
    lines = shipped.read_text().splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line and line[0].isalpha())
    name = lines[first - 1].partition(":")[0]
    file.write_text("\n".join([*lines, f"{name}: {{}}"]))
    assert fault(put(str(file), *keys)).endswith(
        f"own.yaml: the key {name!r} occurs twice, in line {first} and in line {len(lines) + 1}, and the second one would "
        "take the place of the first in silence: rename or delete one of them."
    )


SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
RESOURCES = SCHEMA["properties"]["resources"]["properties"]


def test_a_config_without_a_study_says_so():
    configuration = {key: value for key, value in config().items() if key != "relations"}
    assert fault(configuration) == f"config: there is no study: add a section {' or '.join(STUDIES)}."


@pytest.mark.parametrize(
    ("configuration", "sentence"),
    [
        (put({}, "scorings"), "unknown key 'scorings' in the configuration: did you mean 'scoring'?"),
        (put("cpu", "scoring", "devices"), "unknown key 'devices' in scoring: did you mean 'device'?"),
        (put("a", "models", "smol", "members"), "unknown key 'members' in models.smol: did you mean 'member'?"),
        (put(1, "relations", "choices", "tie"), "unknown key 'tie' in relations.choices: did you mean 'ties'?"),
        (
            put({"path": "."}, "resources", "xyz"),
            f"unknown key 'xyz' in resources: known are {', '.join(RESOURCES)}.",
        ),
        (
            put({"huggingface": "a/b", "revision": "c"}, "resources", "hyperlex"),
            "unknown key 'huggingface' in resources.hyperlex: known are pypi, file, url, path, sha256, member, get_from.",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(configuration, sentence):
    assert fault(configuration) == f"config: {sentence}"


@pytest.mark.parametrize("key", [1, None, True, 2.5])
def test_an_unknown_key_that_is_no_string_is_named(key):
    assert fault(put(1, key)).startswith(f"config: the key {key!r} in the configuration is not a word: ")


def test_a_key_of_two_lines_is_named_in_one_sentence():
    assert fault({**config(), "a\nb": {0: 1}}).startswith("config: the key 0 in a b is not a word: ")


def test_of_several_unknown_keys_of_several_types_one_is_named():
    assert fault({**config(), 1: 2, "scorings": {}}).startswith("config: the key 1 in the configuration is not a word")


@pytest.mark.parametrize(
    ("configuration", "sentence"),
    [
        ({"lexicon": {"panel": ["a"]}}, "the configuration has no 'models': add it."),
        (put({}, "lexicon"), "lexicon has no 'panel': add it."),
        (put({"huggingface": "a/b", "revision": "c"}, "models", "m"), "models.m has no 'type': add it."),
        (put({"tuples": ["wordnet"]}, "relations"), "relations has no 'prompts': add it."),
    ],
)
def test_a_missing_key_is_named(configuration, sentence):
    assert fault(configuration) == f"config: {sentence}"


@pytest.mark.parametrize("configuration", [None, [], "models", 7])
def test_a_config_that_is_no_mapping_is_refused(configuration):
    assert fault(configuration).startswith("config: the configuration: ")
