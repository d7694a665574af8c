"""What a dry run says of agents that only chat, from the commands that Snakemake prints."""

import os
import re
import shlex
import sys

import polars as pl
import pytest
from relprobe.command import asking
from relprobe.studies.relations.schemas import PROBES

from tests.paths import SCRIPTS

VARIABLES = {**os.environ, "PYTHONPATH": str(SCRIPTS)}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A folder with a dry run of Snakemake that plans one step, which asks the agent chatty."""
    monkeypatch.chdir(tmp_path)
    text = "a robin is a kind of a [V]"
    row = ("hyp:robin", "HYP", "robin", "hyp", "main", text, [{"text": text, "weight": 1.0}])
    pl.DataFrame([row], schema=PROBES, orient="row").write_parquet("probes.parquet")
    step = ["relprobe", "relations", "replies", "--probes", "probes.parquet", "--served-name", "big-1"]
    step += [
        "--conversation",
        '{"system": "Hi.", "list": "Type words. [PROBE] ___"}',
        "--spending",
        "spent/chatty.jsonl",
    ]
    step += [
        "--server",
        '{"endpoint": "http://127.0.0.1:9/v1"}',
        "--out",
        "replies.parquet",
        "--ledger",
        "ledger.parquet",
    ]
    printed = f"Shell command: HF_HUB_OFFLINE=1 python -m {shlex.join([*step, '--log', 'replies.log'])}\n"
    (tmp_path / "plan.py").write_text(f"print({printed!r})")
    return tmp_path


def sentences():
    return list(asking.expectations([sys.executable, "plan.py"], VARIABLES))


def test_each_planned_step_says_what_it_would_send(study):
    (sentence,) = sentences()
    assert sentence.startswith("chatty, relations: 1 questions would be sent to big-1, in up to ")
    assert sentence.endswith(" tokens; 0 replies are stored")
    assert sorted(path.name for path in study.iterdir()) == ["plan.py", "probes.parquet"]  # nothing is written


def test_questions_that_are_not_made_yet_are_said_to_be_unknown(study):
    (study / "probes.parquet").unlink()
    assert sentences() == [
        "chatty, relations: it is not known yet how many questions there are (probes.parquet is made first)"
    ]


def test_a_missing_manifest_and_an_error_of_the_step_are_said_without_the_time(study):
    printed = (study / "plan.py").read_text()
    (study / "plan.py").write_text(printed.replace("--probes", "--table lists.json --probes"))
    assert sentences()[0].endswith("(lists.json is made first)")
    (study / "plan.py").write_text(printed)
    (study / "probes.parquet").write_bytes(b"")
    assert re.search(
        r"there are \(probes\.parquet cannot be read as Parquet .*: delete it and run again\)$", sentences()[0]
    )


def test_the_steps_of_a_study_elsewhere_run_in_its_folder(study, monkeypatch, tmp_path_factory):
    (study / "config.yaml").write_text("models: {chatty: {endpoint: x, task: people}}")
    plan = [sys.executable, str(study / "plan.py")]
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert not asking.has_participants([])
    assert asking.has_participants([], study)
    (sentence,) = asking.expectations(plan, VARIABLES, study)
    assert sentence.startswith("chatty, relations: 1 questions would be sent to big-1")
    (unknown,) = asking.expectations(plan, VARIABLES)
    assert unknown.endswith("(probes.parquet is made first)")


def test_only_a_study_with_an_agent_that_chats_is_planned_twice(study):
    (study / "config.yaml").write_text("models: {gpt: {type: causal, endpoint: x}, here: {task: list}}")
    assert not asking.has_participants([])
    (study / "more.yaml").write_text("models: {chatty: {endpoint: x, task: people}}")
    assert asking.has_participants(["more.yaml"])
    (study / "more.yaml").write_text("models: {chatty: [")
    assert not asking.has_participants(["more.yaml"])
