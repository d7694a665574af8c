import pytest
import yaml
from relprobe.core.errors import ConfigError, DataError
from relprobe.studies.definitions.patterns import read
from relprobe.studies.definitions.study import capital, check

from tests.paths import ROOT

SHIPPED = ROOT / "resources/prompts/definitions.yaml"


def changed(tmp_path, change):
    patterns = yaml.safe_load(SHIPPED.read_text())
    change(patterns)
    path = tmp_path / "patterns.yaml"
    path.write_text(yaml.safe_dump(patterns))
    return path


def test_the_papers_patterns():
    """Table 3."""
    patterns = read(SHIPPED)
    assert list(patterns["masked"]["noun"].values()) == ["[V] is [DEF]", "[V] means [DEF]", "[V] is defined as [DEF]"]
    assert list(patterns["masked"]["verb"].values()) == [
        "definition of [V] is to [DEF]",
        "to [DEF] is the definition of [V]",
    ]
    assert list(patterns["causal"]["noun"].values()) == ["[DEF] is the definition of [V]"]
    assert list(patterns["causal"]["verb"].values()) == ["to [DEF] is the definition of [V]"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda p: p.pop("causal"), "the file must have the keys masked and causal"),
        (lambda p: p["masked"].update(adverb={}), "masked must have keys among noun, verb, adjective"),
        (lambda p: p["masked"].update(noun=[]), "masked.noun must have one pattern or several"),
        (lambda p: p["masked"]["noun"].update(x="[V] is"), "masked.noun.x must have one [DEF] and one [V]"),
        (lambda p: p["masked"]["noun"].update({"x y": "[V] is [DEF]"}), "'x y' in masked.noun must be one word"),
        (lambda p: p["causal"]["noun"].update(x="[V] is [DEF]"), "causal.noun.x must end with [V]"),
        (lambda p: p.update(other={}), "the file must have the keys masked and causal"),
        (lambda p: p.update(masked=["noun"]), "masked must have keys among noun, verb, adjective"),
        (lambda p: p.update(masked={}), "masked must have keys among noun, verb, adjective"),
        (lambda p: p["masked"].update(noun={}), "masked.noun must have one pattern or several"),
        (lambda p: p["masked"].update(noun=["[V] is [DEF]"]), "masked.noun must have one pattern or several"),
        (lambda p: p["masked"]["noun"].update({1: "[V] is [DEF]"}), "the pattern id 1 in masked.noun must be one word"),
        (lambda p: p["masked"]["noun"].update(x=1), "masked.noun.x must have one [DEF] and one [V]"),
        (lambda p: p["masked"]["noun"].update(x="[V] [V] is [DEF]"), "masked.noun.x must have one [DEF] and one [V]"),
    ],
)
def test_wrong_patterns_end_in_one_sentence(tmp_path, change, sentence):
    path = changed(tmp_path, change)
    with pytest.raises(DataError) as error:
        read(path)
    assert sentence in str(error.value)
    assert str(path) in str(error.value)


def test_a_file_without_keys_is_no_file_of_patterns(tmp_path):
    (tmp_path / "p.yaml").write_text("- masked\n- causal\n")
    with pytest.raises(DataError, match="the file must have the keys masked and causal"):
        read(tmp_path / "p.yaml")


def changed_study(**settings):
    return {"definitions": {"prompts": str(SHIPPED), "capitals": [], **settings}}


def test_patterns_of_a_part_of_speech_that_is_asked_for_must_be_there(tmp_path):
    path = changed(tmp_path, lambda patterns: patterns["causal"].pop("adjective"))
    config = {"models": {}, "resources": {"wordnet": {}}, **changed_study(parts_of_speech=["noun", "adjective"])}
    check(config)
    config["definitions"]["prompts"] = str(path)
    with pytest.raises(ConfigError, match="causal has no patterns for adjectives, which the study asks for: add"):
        check(config)


def test_no_yaml(tmp_path):
    (tmp_path / "p.yaml").write_text("a: [")
    with pytest.raises(DataError, match="no valid YAML"):
        read(tmp_path / "p.yaml")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"resources": {}}, "needs resources.wordnet"),
        ({"definitions": {"prompts": str(SHIPPED), "capitals": ["gpt5"]}}, "capitals names 'gpt5'"),
        (
            changed_study(parts_of_speech=["verb"], sample={"noun": 1, "seed": 1}),
            "definitions.sample says nothing of verbs",
        ),
        (changed_study(choices={"causal_d2w": "whole"}), "causal_d2w is whole, but the ends of words are not scored"),
        (changed_study(choices={"bands": [100, 10]}), "definitions.choices.bands must rise"),
        (changed_study(choices={"bands": [10, 10]}), "definitions.choices.bands must rise"),
        (changed_study(candidates={"maximum": 4}), "candidates.maximum is below the minimum"),
        (changed_study(candidates={"minimum": 5, "maximum": 4}), "candidates.maximum is below the minimum"),
        (
            {
                **changed_study(choices={"phrases": "joined"}),
                "resources": {"wordnet": {}, "word_counts": {"path": "nowhere.csv"}},
            },
            "phrases is joined, which wordfreq alone does",
        ),
        ({"definitions": {"prompts": "nowhere.yaml", "capitals": []}}, "nowhere.yaml, which does not exist"),
        ({"definitions": {"prompts": __file__, "capitals": []}}, "definitions.prompts: "),
    ],
)
def test_what_the_configuration_must_have(change, sentence):
    config = {
        "models": {"m": {}},
        "resources": {"wordnet": {}},
        "definitions": {"prompts": str(SHIPPED), "capitals": ["m"]},
    }
    check(config)
    with pytest.raises(ConfigError) as error:
        check({**config, **change})
    assert sentence in str(error.value)


def test_what_the_configuration_may_have():
    given = {"models": {"m": {}, "n": {}}, "resources": {"wordnet": {}}}
    check({**given, **changed_study(choices={"causal_d2w": "whole"}, word_boundary=True)})
    check({**given, **changed_study(choices={"phrases": "joined", "bands": [0, 1]})})
    check({**given, **changed_study(candidates={"minimum": 4, "maximum": 4})})
    check({**given, **changed_study(candidates={"maximum": None}, sample={"noun": 1, "verb": 2, "seed": 1})})
    check({**given, **changed_study(candidates={"maximum": 5})})
    check({**given, "resources": {"wordnet": {}, "word_counts": {"path": "nowhere.csv"}}, **changed_study()})
    assert [capital({"definitions": {"capitals": ["m"]}}, agent) for agent in ("m", "n")] == [True, False]
    assert not capital({}, "m")


def test_the_columns_of_answers_are_those_of_the_form(tmp_path):
    """The file itself may not be there yet."""
    columns = {"task": "t", "group": "g", "participant": "p", "candidate": "c", "rank": "r"}
    entry = {"path": str(tmp_path / "nowhere.csv"), "columns": columns}
    config = {"models": {}, "resources": {"wordnet": {}, "definition_answers": entry}, **changed_study()}
    check(config)
    columns["odd"] = "o"
    with pytest.raises(ConfigError, match="names 'odd'; there are task, group"):
        check(config)
