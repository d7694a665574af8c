"""What a user is told of a mistake: one sentence, before any job or as soon as a job meets it."""

import json

import pytest
from relprobe.command.process import TARGETS
from relprobe.command.running import CUT_OFF
from relprobe.studies import STUDIES

from tests.workflow.toy import CONFIG, SECTIONS, Study


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"modles": {}}, "unknown key 'modles' in the configuration: did you mean 'models'?"),
        ({"models": {"a": {"type": "causal"}}}, "models.a has no source"),
        ({"models": {"a; rm -rf": {"type": "causal", "path": "data/causal"}}}, "'a; rm -rf'"),
        ({"models": {"a": {"type": "causal", "path": "data/nowhere"}}}, "models.a.path names data/nowhere"),
        ({"lexicon": {"panel": ["gpt5"]}}, "lexicon.panel names 'gpt5'"),
        ({"definitions": {"sample": {"noun": 1, "verb": 1}}}, "definitions.sample has no 'seed'"),
        ({"definitions": {"capitals": ["gpt5"]}}, "definitions.capitals names 'gpt5'"),
        ({"definitions": {"prompts": "nowhere.yaml"}}, "definitions.prompts names nowhere.yaml"),
        ({"systematicity": {"top_k": 3}}, "systematicity.top_k is below 5"),
        (
            {"systematicity": {"categories": {"a": ["bird", "fish"], "b": ["fish", "tree"]}}},
            "systematicity.categories names 'fish' twice",
        ),
        ({"systematicity": {"categories": {"a": ["bird"], "b": ["fish", "tree"]}}}, "systematicity.categories.a"),
        (
            {"systematicity": {"carriers": ["We saw it."]}},
            "systematicity.carriers holds 'We saw it.', which must have one [W]",
        ),
        ({"systematicity": {"trainning": {}}}, "did you mean 'training'?"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_config_ends_in_one_sentence_before_any_job(begun, change, sentence):
    for key, value in change.items():
        begun.configure(**{key: {**begun.config[key], **value} if key in SECTIONS else value})
    error = begun.error()
    assert sentence in error
    assert "Job stats" not in error


def test_an_agent_that_is_named_twice_ends_in_one_sentence_before_any_job(begun):
    file = begun.folder / "config.yaml"
    lines = file.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line == "models:")
    entry = lines[at + 1]  # the first model's name
    file.write_text("\n".join([*lines[: at + 1], f"{entry} {{type: causal, path: data/causal}}", *lines[at + 1 :]]))
    name = entry.strip().removesuffix(":")
    for arguments in ((), ("--configfile", "config.yaml")):
        error = begun.error(*arguments)
        assert f"config.yaml: the key 'models.{name}' occurs twice, in line {at + 2} and in line {at + 3}" in error
        assert "Job stats" not in error


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title: &all {x: *all}\n", "the value that begins in line 1 holds itself by an alias"),
        (f"title: {'[' * 200_000}", "line 1 has more than 100 levels"),
        ("title: caf\xe9\n", "is not UTF-8"),
    ],
)
def test_a_configuration_that_would_crash_snakemake_ends_in_one_sentence(text, reason, begun):
    (begun.folder / "config.yaml").write_text(text, "latin-1")
    error = begun.error()
    assert f"config: config.yaml{':' if 'line' in reason else ''} {reason}" in error
    assert "Traceback" not in error


def test_a_wrong_hash_ends_in_one_sentence_and_leaves_nothing(study):
    resources = study.config["resources"]
    resources["own_tuples"]["sha256"] = "0" * 64
    study.configure(resources=resources)
    error = study.error()
    assert "Error: resources.own_tuples: data/tuples.csv has the sha256" in error
    assert not (study.folder / "resources/fetched/own_tuples.json").exists()
    page = (study.results / "running.html").read_text()
    assert CUT_OFF in page
    assert "own_tuples failed: " in page
    assert page.count("This study is still computed") == 1  # the other studies have no use for the file


def test_a_machine_without_network_says_what_to_do(begun):
    models = begun.config["models"]
    begun.configure(models={**models, "far": {"type": "causal", "huggingface": "org/model", "revision": "main"}})
    error = begun.error("results/models/lexicon/far.parquet")
    assert "models.far: org/model cannot be fetched from Hugging Face" in error


def test_a_study_without_its_data_is_left_out_and_the_others_go_on(study):
    study.configure(resources={**CONFIG["resources"], "bats": {"path": "data/nowhere"}})
    done = study.snakemake()
    assert done.returncode == 0, done.stderr
    sentence = (
        "The study analogies is left out, as resources.bats.path names data/nowhere, which does not exist: get BATS 3.0"
    )
    assert sentence in done.stderr
    assert sentence in (study.results / "report.html").read_text()
    assert 'href="analogies/report.html"' not in (study.results / "report.html").read_text()
    assert "analogies" not in study.table("sources.csv")["name"].to_list()


@pytest.mark.parametrize(
    ("name", "resources", "sentence"),
    [
        ("analogies", {}, "The study analogies is left out, as the config has no resources.bats"),
        (
            "degrees",
            {"semeval2012": {"path": "data/nowhere"}},
            "The study degrees is left out, as resources.semeval2012.path names data/nowhere",
        ),
    ],
)
def test_without_data_for_any_study_nothing_runs(begun, name, resources, sentence):
    begun.only(name)
    begun.configure(resources=resources)
    error = begun.error()
    assert "there is no study to run" in error
    assert sentence in error


@pytest.mark.slow("it runs two more studies to their pages")
def test_what_is_optional_is_left_out_with_a_word_on_the_page(study):
    """Static vectors are optional, and a sample of the definitions is one value away."""
    study.only("definitions", "degrees")
    study.set("definitions", sample={"noun": 1, "verb": 3, "seed": 1})
    resources = {name: CONFIG["resources"][name] for name in ("wordnet", "semeval2012")}
    study.configure(resources=resources, encoders=None, vectors=None)
    study.finish()
    assert study.table("definitions/tables/overview.csv")["groups"].to_list() == [1] * 5 + [3] * 5
    assert "There is no static baseline" in (study.results / "definitions/report.html").read_text()
    page = (study.results / "degrees/report.html").read_text()
    assert "The baselines static and typical are left out" in page


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("relatons", "did you mean 'relations'?"),
        ("exprt", "did you mean 'export'?"),
        ("results/relations/report.htm", "did you mean 'results/relations/report.html'?"),
        ("zzz", f"known are {', '.join(STUDIES[:-1])}, export, all."),
    ],
)
def test_a_word_that_is_neither_a_study_nor_a_file_is_told_what_people_mean(begun, word, hint):
    *present, absent = STUDIES
    begun.only(*present)
    error = targeting(begun, word)
    assert f"The run has neither a study nor a file {word!r}: {hint}" in error
    assert f"The study {absent} is not in this configuration" in targeting(begun, absent)


def test_a_study_that_is_left_out_says_why(begun):
    begun.configure(resources={**CONFIG["resources"], "bats": {"path": "data/nowhere"}})
    assert "The study analogies is left out, as resources.bats.path" in targeting(begun, "analogies")


def targeting(study, word):
    """What `relprobe run WORD` says: its process tells the workflow the word."""
    return Study(study.folder, {**study.environment, TARGETS: json.dumps([word])}).error(word)
