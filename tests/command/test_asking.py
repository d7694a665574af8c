"""What a dry run says of agents that only chat, from the commands that Snakemake plans."""

import os
import re
import shlex
import sys
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.command import asking
from relprobe.command.events import Job, RunState
from relprobe.studies.relations.schemas import PROBES

from tests.paths import SCRIPTS

VARIABLES = {**os.environ, "PYTHONPATH": str(SCRIPTS)}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A folder, and the command of a step that asks the agent chatty."""
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
    return tmp_path, f"HF_HUB_OFFLINE=1 python -m {shlex.join([*step, '--log', 'replies.log'])}"


def plan(command):
    """A dry run that plans this step, and what comes before it."""
    rules = {"relations_replies": command, "relations_probes": "python -m relprobe relations probes", "all": ""}
    return RunState(jobs={n: Job(n, rule, 0, command=said) for n, (rule, said) in enumerate(rules.items())})


def sentences(command):
    return list(asking.expectations(plan(command), VARIABLES))


def test_each_planned_step_says_what_it_would_send(study):
    folder, command = study
    (sentence,) = sentences(command)
    assert sentence.startswith("chatty, relations: 1 questions would be sent to big-1, in up to ")
    assert sentence.endswith(" tokens; 0 replies are stored")
    assert [path.name for path in folder.iterdir()] == ["probes.parquet"]  # nothing is written


def test_questions_that_are_not_made_yet_are_said_to_be_unknown(study):
    folder, command = study
    (folder / "probes.parquet").unlink()
    assert sentences(command) == [
        "chatty, relations: it is not known yet how many questions there are (probes.parquet is made first)"
    ]


def test_a_missing_manifest_and_an_error_of_the_step_are_said_without_the_time(study):
    folder, command = study
    assert sentences(command.replace("--probes", "--table lists.json --probes"))[0].endswith(
        "(lists.json is made first)"
    )
    (folder / "probes.parquet").write_bytes(b"")
    assert re.search(
        r"there are \(probes\.parquet cannot be read as Parquet .*: delete it and run again\)$", sentences(command)[0]
    )


def test_the_steps_of_a_study_elsewhere_run_in_its_folder(study, monkeypatch, tmp_path_factory):
    folder, command = study
    (folder / "config.yaml").write_text("models: {chatty: {endpoint: x, task: people}}")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert not asking.has_chat_models([])
    assert asking.has_chat_models([], folder)
    (sentence,) = asking.expectations(plan(command), VARIABLES, folder)
    assert sentence.startswith("chatty, relations: 1 questions would be sent to big-1")
    (unknown,) = asking.expectations(plan(command), VARIABLES)
    assert unknown.endswith("(probes.parquet is made first)")


def test_only_a_study_with_an_agent_that_chats_is_asked_what_it_would_send(study):
    study, _ = study
    (study / "config.yaml").write_text("models: {gpt: {type: causal, endpoint: x}, here: {task: list}}")
    assert not asking.has_chat_models([])
    (study / "more.yaml").write_text("models: {chatty: {endpoint: x, task: people}}")
    assert asking.has_chat_models(["more.yaml"])
    (study / "more.yaml").write_text("models: {chatty: [")
    assert not asking.has_chat_models(["more.yaml"])


def test_why_a_step_cannot_count_its_questions_is_the_first_input_that_lacks_or_its_own_error(tmp_path):
    """What the step makes itself, and what is there, is no reason."""
    words = ["relprobe", "x", "replies", "--out", "o.parquet", "--probes", "a.parquet", "--table", "t.json"]
    words += ["--ledger", "l.parquet", "--log", "x.log", "--spending", "spent/chatty.jsonl"]
    assert asking._reason(words, "Error: x", tmp_path) == "a.parquet is made first"
    (tmp_path / "a.parquet").touch()
    assert asking._reason(words, "Error: x", tmp_path) == "t.json is made first"
    (tmp_path / "t.json").touch()
    for error, reason in (
        ("Traceback:\n  a place\n12:00 DataError: a is empty. Error: x.\n\n", "a is empty. Error: x"),
        ("it was killed.", "it was killed"),
        (" \n", "the step has said nothing"),
        ("", "the step has said nothing"),
    ):
        assert asking._reason(words, error, tmp_path) == reason


def test_a_step_runs_as_it_will_but_tells_alone_what_it_would_send(monkeypatch, tmp_path):
    asked, answers = (
        [],
        [SimpleNamespace(returncode=0, stdout=" 3 questions \n"), SimpleNamespace(returncode=1, stderr="")],
    )

    def run(command, **options):
        asked.append((command, options))
        return answers[len(asked) - 1]

    monkeypatch.setattr(asking, "subprocess", SimpleNamespace(run=run))
    command = (
        "HF_HUB_OFFLINE=1 python -m relprobe pairs replies --ledger l.parquet --out o.parquet --spending a/chatty.jsonl"
    )
    jobs = [
        *(Job(1, "pairs_replies", 0, command=command), Job(2, "pairs_replies_check", 0, command="x")),
        Job(3, "pairs_replies", 0, command=command),
    ]
    run_of_jobs = RunState(jobs={job.number: job for job in jobs})
    assert list(asking.expectations(run_of_jobs, {"X": "1"}, tmp_path)) == [
        "3 questions",
        "chatty, pairs: it is not known yet how many questions there are (the step has said nothing)",
    ]
    words, options = asked[0]
    assert words == [sys.executable, "-m", *shlex.split(command)[3:], "--dry-run"]
    assert (options["cwd"], options["env"], options["text"], options["capture_output"]) == (
        tmp_path,
        {"X": "1"},
        True,
        True,
    )


@pytest.mark.parametrize(
    ("text", "chats"),
    [
        ("models: {a: {endpoint: x, task: list}}", True),
        ("models: {a: {endpoint: x}, b: {task: list}, c: {endpoint: x, task: list, name: y}}", True),
        ("models: {a: {endpoint: x}, b: {task: list}}", False),
        ("models: {a: text, b: null}", False),
        ("models: [a]", False),
        ("- a", False),
        ("a: 2026-02-30", False),
        ("title: caf\xe9", False),
    ],
)
def test_an_agent_that_chats_has_an_address_and_a_task(tmp_path, text, chats):
    (tmp_path / "config.yaml").write_text(text, "latin-1")
    assert asking.has_chat_models([], tmp_path) is chats
    chatty = tmp_path / "chatty.yaml"
    chatty.write_text("models: {a: {endpoint: x, task: list}}")
    assert asking.has_chat_models([str(tmp_path / "gone.yaml"), str(chatty)], tmp_path)  # the workflow names the other
