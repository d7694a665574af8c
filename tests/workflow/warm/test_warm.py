"""The server of the tests does what an interpreter of its own does: it reads each rule file, and dies with its client."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake import cli, parser, workflow
from snakemake.sourcecache import LocalSourceFile

from tests.paths import ROOT
from tests.workflow import toy
from tests.workflow.warm import planning

RULES = sorted((ROOT / "workflow/rules").rglob("*.smk"))


def opened(path):
    return Path(path.get_path_or_uri(secret_free=True)).open()


def parsed(parse, file, rules):
    lines = {}
    caller = SimpleNamespace(sourcecache=SimpleNamespace(open=opened))
    return parse(LocalSourceFile(str(file)), caller, rulecount=rules, linemap=lines), lines


def test_a_rule_file_that_was_read_before_is_as_one_that_is_read_now(monkeypatch, tmp_path):
    monkeypatch.setattr(workflow, "parse", parser.parse)
    planning.read_rules(RULES)
    assert workflow.parse is not parser.parse
    assert len(RULES) > 10
    for number, file in enumerate(RULES):
        copy = tmp_path / file.name
        copy.write_text(file.read_text())
        assert parsed(workflow.parse, copy, number) == parsed(parser.parse, copy, number)
        copy.write_text(file.read_text() + '\n\nrule extra:\n    output:\n        "extra.txt",\n')
        (code, rules), _ = parsed(workflow.parse, copy, number)
        assert "extra.txt" in code
        assert rules == parsed(workflow.parse, file, number)[0][1] + 1


def test_a_command_line_with_a_profile_has_a_parser_of_its_own(monkeypatch):
    monkeypatch.setattr(cli, "get_argument_parser", cli.get_argument_parser)
    planning.build_parser()
    assert cli.get_argument_parser() is cli.get_argument_parser()
    profile_parser = cli.get_argument_parser(profiles=[ROOT / "workflow/profiles/slurm"])
    assert profile_parser.parse_args([]).executor == "slurm"
    assert cli.get_argument_parser().parse_args([]).executor != "slurm"


@pytest.fixture
def sleeper(server, tmp_path):
    """A study whose only job sleeps."""
    (tmp_path / "study").mkdir()
    job = 'rule sleep:\n    output:\n        "never",\n    shell:\n        "touch started; sleep 600"\n'
    (tmp_path / "study/Snakefile").write_text(job)
    return toy.Study(tmp_path / "study", server.environment)


def test_what_runs_for_a_client_dies_with_it(sleeper):
    run = sleeper.start(sleeper.folder.with_name("said"))
    end = time.monotonic() + 120
    while not (sleeper.folder / "started").exists():
        assert time.monotonic() < end
        assert run.poll() is None
        time.sleep(0.02)
    assert len(sleeper.at_work()) > 1  # Snakemake, and what it has started
    sleeper.kill(run)
    assert sleeper.at_work() == []
    assert run.returncode != 0
