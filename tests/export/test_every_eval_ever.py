"""Records of Every Eval Ever: what they say, and that they fit the schemas of the package every-eval-ever."""

import hashlib
import json
import subprocess
import sys
import zipfile

import jsonschema
import polars as pl
import pytest
from relprobe.core.study import study_of
from relprobe.export.every_eval_ever import (
    SPACES,
    Files,
    Run,
    Settings,
    every_eval_ever,
    records,
    soundness_instances,
    write,
)
from relprobe.studies import STUDIES
from relprobe.studies.relations.schemas import AVERAGES

from tests.export.tables import rows

RELEASE = "every-eval-ever==0.3.0"
RUN = Run("relations", 1_700_000_000, "A university", "third_party", "1.2.3")
MODELS = {
    "gpt2": {"type": "causal", "huggingface": "openai-community/gpt2"},
    "own": {"type": "masked", "path": "/home/me/x"},
}


@pytest.fixture
def averages():
    first = {"agent": "gpt2", "metric": "soundness", "relation": "HYP", "value": 0.25, "low": 0.125, "high": 0.5}
    return rows(
        AVERAGES,
        {**first, "units": 40, "clusters": 30},
        {"agent": "gpt2", "metric": "first_related", "relation": "HYP", "value": 3.5, "units": 40},
        {"agent": "gpt2", "metric": "symmetry", "relation": "ANT", "k": 5, "value": None, "note": "no pair"},
        {"agent": "own", "metric": "symmetry", "relation": "ANT", "k": 5, "value": 0.0, "units": 1},
        {"agent": "humans", "metric": "soundness", "relation": "HYP", "value": 1.0, "units": 40},
    )


@pytest.fixture(scope="module")
def schemas(tmp_path_factory):
    """The schemas of the package. It needs Python 3.12, so its wheel is unpacked and not installed."""
    folder = tmp_path_factory.mktemp("eee")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--python-version", "3.12"]
    command += ["--only-binary", ":all:", "--dest", folder, RELEASE]
    if subprocess.run(command, check=False, capture_output=True, timeout=60).returncode:
        pytest.skip(f"{RELEASE} cannot be downloaded here")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = ("eval", "instance_level_eval")
        return {name: json.loads(archive.read(f"every_eval_ever/schemas/{name}.schema.json")) for name in names}


def test_a_record_has_the_values_with_their_intervals(averages):
    found = records(averages, MODELS, RUN)
    assert list(found) == ["gpt2", "own"]  # people are no model
    assert found["gpt2"]["evaluation_id"] == "relprobe-relations/openai-community/gpt2/gpt2/1700000000"
    assert found["own"]["model_info"]["id"] == "local/own"
    assert found["own"]["model_info"]["additional_details"]["type"] == "masked"
    assert "/home/me" not in str(found)  # a path of this machine
    soundness, rank = found["gpt2"]["evaluation_results"]  # what could not be computed is left out
    assert soundness["evaluation_result_id"] == "relations/soundness/relation=HYP"
    assert soundness["score_details"]["score"] == 0.25
    uncertainty = soundness["score_details"]["uncertainty"]
    interval = uncertainty["confidence_interval"]
    assert (interval["lower"], interval["upper"], interval["confidence_level"]) == (0.125, 0.5, 0.95)
    assert (uncertainty["num_samples"], soundness["score_details"]["details"]["clusters"]) == (40, "30")
    assert "confidence_interval" not in rank["score_details"]["uncertainty"]
    (symmetry,) = found["own"]["evaluation_results"]
    assert symmetry["metric_config"]["metric_parameters"] == {"relation": "ANT", "k": 5}


def test_an_instance_joins_a_probe_with_its_relata_and_answers(averages, metrics, probes, relata, top_words):
    record = records(averages, MODELS, RUN)["gpt2"]
    hot, robin = soundness_instances(record, metrics, probes, relata, top_words, SPACES["lexicon"])
    assert robin["sample_id"] == "hyp-kind:robin"
    assert robin["input"] == {"raw": "a robin is a kind of [DET] [V]", "reference": ["animal", "bird"]}
    assert robin["output"] == {"raw": ["bird", "car"]}
    assert robin["evaluation"] == {"score": 1.0, "is_correct": True}
    assert hot["evaluation"] == {"score": 0.5, "is_correct": False}  # half of the tied first words are right
    ids = [result["evaluation_result_id"] for result in record["evaluation_results"]]
    assert robin["evaluation_result_id"] in ids


def test_ways_of_asking_are_one_model_with_several_configurations(averages):
    shared = {"type": "causal", "model": "m"}
    ways = {"m": {"type": "causal", "huggingface": "org/m"}, "m-shots": {**shared, "shots": 3}}
    ways |= {"m-chat": {**shared, "chat": True}, "m-lora": {**shared, "peft": {"huggingface": "a/lora"}}}
    ways |= {
        "s": {"endpoint": "http://h", "name": "big"},
        "s-list": {"endpoint": "http://h", "name": "big", "task": "list"},
    }
    own = averages.filter(agent="own")
    found = records(pl.concat([own.with_columns(agent=pl.lit(name)) for name in ways]), ways, RUN)
    models = {agent: record["model_info"]["id"] for agent, record in found.items()}
    assert models == {
        **dict.fromkeys(["m", "m-shots", "m-chat"], "org/m"),
        "m-lora": "local/m-lora",
        **dict.fromkeys(["s", "s-list"], "local/big"),
    }
    assert found["m-shots"]["model_info"]["name"] == "m"
    assert found["m-shots"]["model_info"]["additional_details"]["huggingface"] == "org/m"
    asked = {
        agent: one["evaluation_results"][0]["generation_config"]["additional_details"] for agent, one in found.items()
    }
    assert {agent: one["way_of_asking"] for agent, one in asked.items()} == {
        **{"m": "bare", "m-shots": "3 examples", "m-chat": "chat", "m-lora": "adapter", "s": "bare"},
        "s-list": "people's task",
    }
    assert [one["agent"] for one in asked.values()] == list(ways)
    assert len({one["evaluation_id"] for one in found.values()}) == len(ways)


@pytest.mark.parametrize(
    ("answers", "more", "said"),
    [
        ("tokens", {}, "whole vocabulary at the slot, which may be no word"),
        ("lexicon", {}, "words that are one token"),
        ("words", {}, "word list"),
        ("candidates", {}, "closed list"),
        ("tokens", {"task": "list"}, "lists that the model wrote"),
    ],
)
def test_an_instance_says_what_its_answer_is_the_likeliest_of(
    averages, metrics, probes, relata, top_words, tmp_path, answers, more, said
):
    for name, table in {"averages": averages, "metrics/gpt2": metrics, "top_words/gpt2": top_words}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        table.write_parquet(tmp_path / f"{name}.parquet")
    paths = {name: [tmp_path / f"{name}/gpt2.parquet"] for name in ("metrics", "top_words")}
    models = {"gpt2": {**MODELS["gpt2"], **more}}
    files = Files(tmp_path / "averages.parquet", **paths, probes=probes, relata=relata)
    every_eval_ever(files, Settings("relations", models, answers=answers), tmp_path / "out")
    (file,) = (tmp_path / "out").rglob("*_samples.jsonl")
    methods = [
        one["extraction_method"]
        for line in file.read_text().splitlines()
        for one in json.loads(line)["answer_attribution"]
    ]
    assert methods
    assert all(said in method for method in methods)


def test_the_files_lie_where_the_database_expects_them(averages, metrics, probes, relata, top_words, tmp_path):
    record = records(averages, MODELS, RUN)["gpt2"]
    lines = list(soundness_instances(record, metrics, probes, relata, top_words, SPACES["lexicon"]))
    path = write(record, lines, tmp_path)
    assert path.parent == tmp_path / "data/relprobe-relations/openai-community/gpt2"
    samples = path.with_name(f"{path.stem}_samples.jsonl")
    assert [json.loads(line) for line in samples.read_text().splitlines()] == lines
    about = json.loads(path.read_text())["detailed_evaluation_results"]
    assert (about["file_path"], about["total_rows"]) == (str(samples.relative_to(tmp_path)), 2)
    assert write(record, [], tmp_path / "again").stem == path.stem  # the same run has the same name
    assert list((tmp_path / "again").rglob("*.jsonl")) == []


def test_records_and_instances_fit_the_schemas(averages, metrics, probes, relata, top_words, schemas, tmp_path):
    for agent, record in records(averages, MODELS, RUN).items():
        lines = list(soundness_instances(record, metrics, probes, relata, top_words, SPACES["lexicon"]))
        path = write(record, lines, tmp_path)
        jsonschema.validate(json.loads(path.read_text()), schemas["eval"])
        assert lines, agent
        for line in lines:
            jsonschema.validate(line, schemas["instance_level_eval"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**record, "evaluator": "x"}, schemas["eval"])


def test_the_metrics_of_which_less_is_better():
    less = {study: {one.name for one in study_of(study).metrics() if one.less_is_better} for study in STUDIES}
    assert {study: names for study, names in less.items() if names} == {
        "relations": {"unrelated", "first_related", "misses", "no_word", "outside"},
        "degrees": {"p", "p_without_reversals", "constant", "reversal_error"},
        "pairs": {"ece"},
    }


def test_the_step_asks_the_study_of_which_metrics_less_is_better(averages, tmp_path):
    averages.write_parquet(tmp_path / "averages.parquet")
    every_eval_ever(Files(tmp_path / "averages.parquet"), Settings("relations", MODELS), tmp_path / "out")
    (path,) = (tmp_path / "out/data/relprobe-relations/openai-community/gpt2").glob("*.json")
    results = json.loads(path.read_text())["evaluation_results"]
    assert {one["metric_config"]["metric_name"]: one["metric_config"]["lower_is_better"] for one in results} == {
        "soundness": False,
        "first_related": True,
    }


def test_a_whole_record_word_by_word(averages):
    """Of an agent with an adapter, whose value has a note, an interval and no condition that is missing."""
    row = {
        "agent": "gpt2-lora",
        "metric": "odd one",
        "relation": "HYP",
        "k": 5,
        "value": 0.5,
        "low": 0.25,
        "high": 0.75,
    }
    table = rows(AVERAGES, {**row, "units": 4, "coverage": 0.5, "effective_n": 2.5, "note": "few"})
    models = MODELS | {"gpt2-lora": {"model": "gpt2", "peft": {"huggingface": "me/lora", "path": "/home/me/lora"}}}
    run = Run("relations", 17, "A university", "third_party", "1.2.3", ["odd one"])
    method = "over linked items or clusters, docs/statistics.md of relprobe"
    interval = {"lower": 0.25, "upper": 0.75, "confidence_level": 0.95, "method": method}
    assert records(table, models, run)["gpt2-lora"] == {
        "schema_version": "0.3.0",
        "evaluation_id": "relprobe-relations/local/gpt2-lora/gpt2-lora/17",
        "evaluation_timestamp": "17",
        "retrieved_timestamp": "17",
        "source_metadata": {
            "source_name": "relprobe",
            "source_type": "evaluation_run",
            "source_organization_name": "A university",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "relprobe", "version": "1.2.3"},
        "model_info": {
            "name": "gpt2-lora",
            "id": "local/gpt2-lora",
            "inference_engine": {"name": "relprobe", "version": "1.2.3"},
            "additional_details": {
                "model": "gpt2",
                "peft.huggingface": "me/lora",
                "deployment_type": "self_deployed",
                "model_availability": "open_weights",
            },
        },
        "evaluation_results": [
            {
                "evaluation_result_id": "relations/odd one/relation=HYP/k=5",
                "evaluation_name": "relprobe relations: odd one (relation HYP, k 5)",
                "source_data": {"dataset_name": "relprobe relations", "source_type": "other"},
                "metric_config": {
                    "metric_id": "relprobe.relations.odd_one",
                    "metric_name": "odd one",
                    "metric_parameters": {"relation": "HYP", "k": 5},
                    "lower_is_better": True,
                },
                "score_details": {
                    "score": 0.5,
                    "details": {"effective_n": "2.5", "coverage": "0.5", "note": "few"},
                    "uncertainty": {"num_samples": 4, "confidence_interval": interval},
                },
                "generation_config": {"additional_details": {"agent": "gpt2-lora", "way_of_asking": "adapter"}},
            }
        ],
    }


def test_of_a_model_behind_a_server_nobody_knows_where_it_runs_and_a_value_without_conditions_has_no_brackets():
    table = rows(AVERAGES, {"agent": "m", "metric": "soundness", "value": 0.5})
    record = records(table, {"m": {"endpoint": "http://h", "name": "big"}}, RUN)["m"]
    assert record["model_info"]["additional_details"] == dict.fromkeys(
        ("deployment_type", "model_availability"), "unknown"
    )
    assert record["evaluation_results"][0]["evaluation_name"] == "relprobe relations: soundness"


def test_a_whole_instance_word_by_word(averages, metrics, probes, relata, top_words):
    record = records(averages, MODELS, RUN)["gpt2"]
    ranked = [("hyp-kind:robin", rank, f"word{rank}", 0.5, None) for rank in (6, 2, 7, 1, 5, 4, 3)]
    words = pl.DataFrame(ranked, schema=top_words.schema, orient="row")
    hot, robin = soundness_instances(record, metrics, probes, relata, words, "the first word")
    text = "a robin is a kind of [DET] [V]"
    assert robin == {
        "schema_version": "0.3.0",
        "evaluation_id": record["evaluation_id"],
        "model_id": "openai-community/gpt2",
        "evaluation_name": "relprobe relations: soundness (relation HYP)",
        "evaluation_result_id": "relations/soundness/relation=HYP",
        "sample_id": "hyp-kind:robin",
        "sample_hash": hashlib.sha256(f'["{text}", ["animal", "bird"]]'.encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": text, "reference": ["animal", "bird"]},
        "output": {"raw": ["word1", "word2", "word3", "word4", "word5"]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extraction_method": "the first word",
                "is_terminal": True,
                "extracted_value": "word1",
            }
        ],
        "evaluation": {"score": 1.0, "is_correct": True},
        "metadata": {"relation": "HYP", "target": "robin", "prompt_id": "hyp-kind"},
    }
    assert (hot["output"], hot["answer_attribution"]) == ({"raw": []}, [])  # it has no words


@pytest.mark.parametrize("lacking", ["probes", "relata", "metrics", "top_words"])
def test_instances_need_probes_relata_values_and_words(averages, metrics, probes, relata, top_words, tmp_path, lacking):
    tables = {"averages": averages, "metrics/gpt2": metrics, "top_words/gpt2": top_words}
    for name, table in tables.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        table.write_parquet(tmp_path / f"{name}.parquet")
    paths = {name: [tmp_path / f"{name}/gpt2.parquet"] for name in ("metrics", "top_words")}
    given = {"probes": probes, "relata": relata, **paths}
    del given[lacking]
    every_eval_ever(Files(tmp_path / "averages.parquet", **given), Settings("relations", MODELS), tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*_samples.jsonl"))
    assert len(list((tmp_path / "out").rglob("*.json"))) == 2


def test_letters_stand_in_the_files_as_they_are(averages, tmp_path):
    path = write(records(averages, MODELS, RUN)["gpt2"], [{"text": "größer"}], tmp_path)
    assert path.with_name(f"{path.stem}_samples.jsonl").read_text("utf-8") == '{"text": "größer"}\n'
