"""The answers of the relations study that are words of any length, or candidates."""

import pytest
from relprobe.core.errors import ConfigError
from relprobe.studies.config import validate
from relprobe.studies.relations.study import _check_word_list

from tests.paths import ROOT
from tests.studies.config.configs import config, fault, put


def test_words_of_any_length_need_no_panel():
    configuration = put("words", "relations", "answers")
    del configuration["lexicon"]
    validate(configuration, ROOT)
    assert configuration["relations"]["word_list"] == {"frequent": 50000, "lemmas": True, "expressions": False}
    assert "relations needs lexicon.panel" in fault({key: value for key, value in config().items() if key != "lexicon"})


def test_cut_offs_need_as_many_stored_words():
    configuration = put("words", "relations", "answers")
    configuration["relations"]["choices"] = {"symmetry_k": [200]}
    assert fault(configuration).endswith("beyond relations.top_words: raise top_words or lower it.")


def with_answers(answers, **settings):
    configuration = put(answers, "relations", "answers")
    configuration["relations"] |= settings
    return configuration


@pytest.mark.parametrize("key", ["word_list", "candidates"])
def test_own_words_must_be_there(key):
    sentence = fault(with_answers("words" if key == "word_list" else key, **{key: {"path": "no.csv"}}))
    assert sentence == f"config: relations.{key}.path names no.csv, which is no file: correct it."


def test_a_fault_in_own_words_is_named(tmp_path):
    (tmp_path / "own.txt").write_text("robin\n42\n")
    sentence = fault(with_answers("words", word_list={"path": str(tmp_path / "own.txt")}))
    assert sentence.endswith("own.txt, line 2: '42' has no letter and is no word: remove it.")


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"frequent": 0, "lemmas": False},
            " has no words: name a file with `path`, or take `frequent` words or lemmas.",
        ),
        (
            {"lemmas": False, "expressions": True},
            ".expressions takes lemmas of several words, but `lemmas` is false: make it true, or write your expressions "
            "into a file that `path` names.",
        ),
    ],
)
def test_a_word_list_must_have_words(entry, sentence):
    assert fault(with_answers("words", word_list=entry)) == f"config: relations.word_list{sentence}"


def test_lemmas_are_words_where_there_is_a_lexical_resource():
    entry = {"frequent": 0, "lemmas": True, "expressions": False}
    _check_word_list(entry, lemmas=True)
    with pytest.raises(ConfigError, match="word_list has no words"):
        _check_word_list(entry, lemmas=False)


@pytest.mark.parametrize(
    ("answers", "sample", "entry", "sentence"),
    [
        (
            "words",
            {"targets": 2},
            {},
            " stands beside answers: tokens or lexicon, but answers is words: take word_sample out.",
        ),
        (
            "tokens",
            {"targets": 2, "models": ["smoll"]},
            {},
            ".models names 'smoll', which is no model that answers the probes of this study: correct it.",
        ),
        (
            "tokens",
            {"targets": 2},
            {"chat": "answer"},
            " is there, which needs the network and the slot in its sentence, but models.smol has `chat: answer`: name "
            "other models in word_sample.models.",
        ),
    ],
)
def test_a_sample_of_words_needs_models_that_can_rank_words(answers, sample, entry, sentence):
    configuration = with_answers(answers, word_sample=sample)
    configuration["models"]["smol"] |= entry
    assert fault(configuration) == f"config: relations.word_sample{sentence}"


def test_every_relation_with_prompts_needs_candidates(tmp_path):
    (tmp_path / "own.csv").write_text("relation,candidate\nHYP,bird\n")
    sentence = fault(with_answers("candidates", candidates={"path": str(tmp_path / "own.csv")}))
    assert sentence.endswith(
        "own.csv has no candidates for HPO, which has prompts: add lines, or take its prompts out."
    )
    (tmp_path / "own.csv").write_text("relation,candidate,target\nIS,bird,\n")
    sentence = fault(with_answers("candidates", candidates={"path": str(tmp_path / "own.csv")}))
    assert "line 2: unknown relation 'IS'" in sentence


def test_premises_are_asked_for_candidates_alone(tmp_path):
    sentence = fault(with_answers("words", calibrate="premise"))
    assert sentence == (
        "config: relations.calibrate is premise, but models are asked the prompts without their targets for "
        "`answers: candidates` alone: choose that, or calibrate: prior."
    )
    validate(with_answers("candidates", calibrate="premise"), ROOT)
    (tmp_path / "prompts.yaml").write_text("HYP:\n- {id: bare, text: '[W]: [V]'}\n")
    bare = with_answers("candidates", calibrate="premise", prompts=str(tmp_path / "prompts.yaml"))
    assert "the prompt 'bare' has no words beside its target" in fault(bare)


def test_candidates_need_no_panel_but_the_network():
    configuration = with_answers("candidates")
    del configuration["lexicon"]
    configuration["models"]["smol"] |= {"chat": "answer"}
    assert "relations.answers is candidates, which needs the network" in fault(configuration)
    del configuration["models"]["smol"]["chat"]
    validate(configuration, ROOT)
