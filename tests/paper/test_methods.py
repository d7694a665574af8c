"""The methods of a manuscript: sentences from the configuration and the results, and only those of this run."""

import json
from typing import get_args

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.files import write_json
from relprobe.paper.methods import network
from relprobe.paper.trials import as_trials
from relprobe.stats.schemas import AVERAGES, TESTS
from relprobe.studies.definitions.schemas import SIZES
from relprobe.studies.relations.calibration import Calibration
from relprobe.studies.relations.methods import CALIBRATED

from tests.steps import run_step

SIZE = {"groups_of": "the benchmark", "condition": "noun", "groups": 4, "families": 2}
SECTION = {"sample": {"noun": 3, "seed": 7}, "choices": {"ties": "drawn"}}


def table(schema, *entries):
    return pl.DataFrame([{name: entry.get(name) for name in schema} for entry in entries], schema=schema)


@pytest.fixture
def files(tmp_path):
    """A definitions study of one model, with a control and three answers."""
    (tmp_path / "tables").mkdir()
    table(SIZES, SIZE).write_parquet(tmp_path / "tables/data.parquet")
    about = {"metric": "W2D P@1", "condition": "noun", "value": 0.5}
    table(AVERAGES, {"agent": "m", **about}, {"agent": "random", **about}).write_parquet(tmp_path / "averages.parquet")
    family = {"metric": "W2D P@1", "condition": "noun", "agent_a": "random", "agent_b": "m", "family": "controls"}
    table(TESTS, family | {"p": 0.5}, family).write_parquet(tmp_path / "tests.parquet")
    rows = pl.DataFrame({"agent": ["m", "m", "random"], "target": ["a", "b", "a"], "item": ["w2d:a", "w2d:b", "w2d:a"]})
    as_trials(rows, study="definitions", counted=1).write_parquet(tmp_path / "trials.parquet")
    write_json({"finding": "m is right in 50 of 100 cases.", "statistics": "p = 0.5."}, tmp_path / "card.json")
    return tmp_path


def part(files, *, own=False, **changes):
    """The paragraph of the study; `own`: its dictionary is the user's."""
    page = ("paper", "wordnet", "people", "targets", "static", "task_agents", "large", "chat_models")
    options = {
        **{name: files / f"{name}.parquet" for name in ("trials", "averages", "tests")},
        **{
            "tables": [files / "tables/data.parquet"],
            "study": "definitions",
            "section": SECTION,
            "inference": "linked",
        },
        **{
            "has": dict.fromkeys(page, False) | {"paper": not own, "wordnet": not own},
            "resources": {},
            "controls": ["random", "length"],
        },
        **{"models": {"m": {"type": "causal"}}, "card": files / "card.json", "out": files / "methods.json"},
    }
    run_step("manuscript", "study_methods", **options | changes)
    return json.loads((files / "methods.json").read_text())["text"]


def test_the_numbers_are_those_of_the_run(files):
    text = part(files)
    for sentence in (
        "The groups of candidates are from WordNet [@miller1995].",
        "The benchmark keeps those with enough different words and definitions: 4 noun groups in 2 families.",
        "The sample was drawn at random (seed 7).",
        "Candidates of equal score stand in an order that was drawn.",
        "The metrics are precision at 1 (P@1) (section 2.4 of [@senel2021]).",
        "The agent is `m`.",
        "The control, which does not know what the study asks about, is `random`.",
        "The averages count 2 answers of these agents to 2 questions about 2 targets.",
        "by family, controls (1 test).",
        "Significant is what our test finds with an adjusted p below 0.05.",
    ):
        assert sentence in text


def test_a_study_of_own_data_has_no_word_of_the_papers_data(files):
    text = part(files, own=True)
    assert "our own dictionary" in text
    assert "WordNet" not in text
    assert "miller1995" not in text


def test_a_run_without_tests_says_so_and_cites_none(files):
    table(TESTS).write_parquet(files / "tests.parquet")
    text = part(files)
    assert "No two agents could be compared by a test." in text
    assert "holm1979" not in text
    assert "Significant" not in text


def test_an_agent_that_is_asked_in_another_way_and_layer_by_layer(files):
    models = {"m": {"shots": 3, "chat": True}, "deep": {"layers": "all"}}
    text = part(files, models=models)
    assert "The agent is `m` (3 examples, chat). Asked after each of its layers is `deep`." in text


ORIGINS = {
    "path": {"path": "/home/me/m.gguf"},
    "url": {"url": "https://me:sesame@example.org/m.zip?token=sesame", "sha256": "0" * 64},
    "endpoint": {"endpoint": "https://me:sesame@10.0.0.7/v1", "name": "llama", "key_env": "KEY"},
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_manuscript_has_no_path_address_or_password_of_its_author(files, origin):
    entry, vectors = {"type": "causal", **ORIGINS[origin]}, {"path": "/home/me/vectors"}
    adapter = {"model": "m", "peft": ORIGINS["path" if origin == "endpoint" else origin]}
    part(files, models={"m": entry, "m-lora": adapter}, resources={"static_vectors": vectors}, controls=["static"])
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    run_step("manuscript", "methods", parts=[files / "methods.json"], models={"m": entry, "m-lora": adapter}, **out)
    said = "".join(file.read_text() for file in out.values())
    assert "`m-lora` has an adapter: " in said
    assert not [one for one in ("/home", "sesame", "10.0.0.7", "token") if one in said]


def test_each_model_has_the_versions_that_it_was_asked_with(files):
    part(files)
    written = json.loads((files / "methods.json").read_text())
    written["computed"] = {
        name: {"libraries": {"torch": version}} for name, version in (("m", "2.13.0"), ("n", "2.14.0"))
    }
    (files / "methods.json").write_text(json.dumps(written | {"agents": ["m", "n"]}))
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    models = {name: {"type": "causal", "huggingface": f"me/{name}", "revision": "ab"} for name in ("m", "n")}
    run_step("manuscript", "methods", parts=[files / "methods.json"], manifests=[], models=models, **out)
    text = (files / "m.md").read_text()
    assert "`me/m`, revision ab, asked with torch 2.13.0" in text
    assert "`me/n`, revision ab, asked with torch 2.14.0" in text
    assert "(torch" not in text


def test_models_are_named_with_revision_digest_and_number_format(files):
    part(files)
    written = json.loads((files / "methods.json").read_text())
    written["computed"] = {"m": {"dtype": "bfloat16", "libraries": {"torch": "2.13.0"}}}
    (files / "methods.json").write_text(json.dumps(written))
    (files / "m.json").write_text(json.dumps({"files": {"config.json": "0" * 64, "model.safetensors": "abcdef" * 11}}))
    entry = {"type": "causal", "size": 1.5e9, "huggingface": "me/m_1", "revision": "607a30d7"}
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    models = {"m": entry, "unused": {"type": "masked", "path": "x"}}
    run_step(
        "manuscript", "methods", parts=[files / "methods.json"], manifests=[files / "m.json"], models=models, **out
    )
    text = (files / "m.md").read_text()
    assert (
        "`m` [@model-m] is a causal model: 1,500 million parameters, `me/m_1`, revision 607a30d7, SHA-256 of "
        "model.safetensors abcdefabcdef…, computed in bfloat16." in text
    )
    assert "(torch 2.13.0)" in text
    assert "unused" not in text
    latex = (files / "m.tex").read_text()
    assert r"\texttt{m} \cite{model-m} is a causal model: " in latex
    assert r"\texttt{me/m\_1}" in latex
    assert "url = {https://huggingface.co/me/m_1}" in (files / "m.bib").read_text()


def test_people_and_agents_that_are_no_language_models_are_named_with_their_answers(files):
    assert "people" not in part(files)
    rows = pl.DataFrame(
        {"agent": ["m", "humans", "humans", "encoder", "random"], "target": "a", "item": [f"w2d:{i}" for i in range(5)]}
    )
    as_trials(rows, study="definitions", counted=1).write_parquet(files / "trials.parquet")
    text = part(files)
    assert (
        "The averages count 1 answer of these agents to 1 question about 1 target. Of people, they count 2 answers."
        in text
    )
    assert "Beside these agents stands `encoder` (1 answer)." in text


def test_of_a_served_model_the_paragraph_says_that_its_weights_are_not_known(files):
    part(files)
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    models = {"m": {"type": "causal", "endpoint": "http://10.0.0.7/v1", "name": "llama"}}
    run_step("manuscript", "methods", parts=[files / "methods.json"], models=models, **out)
    text = (files / "m.md").read_text()
    assert "`m` [@model-m] is a causal model: `llama` behind a server." in text
    assert "The weights of `m` and its number format are known to its server alone." in text
    assert "SHA-256" not in text and "10.0.0.7" not in text


def test_a_ratio_that_ranks_the_answers_is_told():
    assert set(CALIBRATED) == set(get_args(Calibration)) - {"none"}


def test_an_agent_that_the_configuration_has_lost_is_an_error():
    assert network("m-shots", {"m-shots": {"model": "m"}}) == "m"
    with pytest.raises(DataError, match="m is no model of this run: run the study again"):
        network("m", {})


def test_what_came_out_is_said_as_on_the_page_and_who_is_missing(files):
    part(files, missing={"gone": "gone is not here: it could not be fetched (no_such name). The next run takes it up."})
    about = json.loads((files / "methods.json").read_text())
    assert about["found"] == "m is right in 50 of 100 cases. p = 0.5."
    assert "gone is not here: it could not be fetched (no\\_such name)." in about["text"]
    names = {name: files / f"methods.{name}" for name in ("markdown", "latex", "bib")}
    run_step("manuscript", "methods", parts=[files / "methods.json"], models={"m": {"type": "causal"}}, **names)
    assert "\n\nm is right in 50 of 100 cases. p = 0.5.\n" in names["markdown"].read_text()
