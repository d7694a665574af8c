"""The command line of the steps: options from signatures, the lists of names, and errors as one sentence."""

import contextlib
import errno
import json
import logging
import os
import re
import zipfile
from pathlib import Path

import pytest
from relprobe.core.cli import arguments_of, main, run
from relprobe.core.errors import DataError, SourceError
from relprobe.core.progress import read_state
from relprobe.sources.fetch import Source, fetch
from relprobe.studies.relations.scoring import scores

GROUPS = {"toys": "tests.core.toy_steps"}
FULL = "the disk is full"


def outcome(capsys, step):
    """Run a step without options; return its exit status and the text that it prints to stderr."""
    status = run(step, arguments_of(step).parse_args([]))
    return status, capsys.readouterr().err


def after(cause, error):
    """Return a step that fails with `error`, whose cause is `cause`."""

    def step() -> None:
        try:
            raise cause
        except type(cause):
            raise error from cause

    return step


def printed_values(capsys, *words):
    """Return the exit status of a command line and the JSON that it prints."""
    status = main(GROUPS, ["toys", "everything", *words])
    return status, json.loads(capsys.readouterr().out)


def test_options_have_the_names_and_types_of_the_signature(capsys):
    words = "--paths a.csv b.csv --out c.csv --count 3 --share 0.5 --kind schema --deep true --names x y"
    status, values = printed_values(capsys, *words.split(), "--settings", '{"a": [1]}', "--model", "m.json")
    assert status == 0
    assert values == {
        **{"paths": ["a.csv", "b.csv"], "out": "c.csv", "count": 3, "share": 0.5, "kind": "schema", "deep": True},
        **{"names": ["x", "y"], "settings": {"a": [1]}, "optional": None, "model": "m.json", "threads": 2},
    }


def test_a_list_may_be_empty_and_an_option_left_out(capsys):
    words = "--paths --out c --count 3 --share 1 --kind pmi --names --settings {} --model m --threads 5 --optional d"
    status, values = printed_values(capsys, *words.split())
    assert status == 0
    assert (values["paths"], values["names"], values["threads"], values["optional"]) == ([], [], 5, "d")
    assert values["deep"] is False


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (["--count", "three"], "argument --count: invalid int value: 'three'"),
        (["--kind", "sound"], "argument --kind: invalid choice: 'sound'"),
        (["--deep", "yes"], "argument --deep: 'yes' is neither true nor false"),
        (["--settings", "{"], "argument --settings: '{' is not valid JSON"),
        (["--coun", "3"], "unrecognized arguments: --coun 3"),
    ],
)
def test_a_wrong_option_is_named(capsys, change, sentence):
    words = "--paths a --out c --count 3 --share 1 --kind pmi --names x --settings {} --model m"
    with pytest.raises(SystemExit) as ended:
        main(GROUPS, ["toys", "everything", *words.split(), *change])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_help_is_the_docstring_with_the_options(capsys):
    with pytest.raises(SystemExit) as ended:
        main(GROUPS, ["toys", "everything", "--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0
    assert "Print the arguments." in text
    assert "--threads THREADS" in text
    assert "default: 2" in text
    assert re.findall(r"default: (\S+)", text) == ["2", "False"]  # what must be given has none, and None is not said


def test_groups_and_steps_are_listed_and_an_unknown_one_is_named(capsys):
    assert main(GROUPS, []) == 0
    assert "toys" in capsys.readouterr().out
    assert main(GROUPS, ["toys", "--help"]) == 0
    assert "everything  Print the arguments." in capsys.readouterr().out
    assert main(GROUPS, ["toys"]) == 0
    assert "everything  Print the arguments." in capsys.readouterr().out
    assert main(GROUPS, ["toys", "helper"]) == 2
    assert "There is no 'helper' among the steps of toys: use a name of the list." in capsys.readouterr().err


def test_a_command_stands_alone_beside_the_groups(capsys):
    commands = {"everything": "tests.core.toy_steps.everything", "fail": "tests.core.toy_steps.failing"}
    assert main(GROUPS, ["fail"], commands) == 1
    assert "resources.x is gone" in capsys.readouterr().err
    words = "everything --model m.json --paths a.csv --out b --count 3 --share 1 --kind pmi --names --settings {}"
    assert main(GROUPS, words.split(), commands) == 0
    assert json.loads(capsys.readouterr().out)["paths"] == ["a.csv"]
    with pytest.raises(SystemExit):
        main(GROUPS, ["everything", "--count", "x"], commands)
    assert "usage: relprobe everything [-h]" in capsys.readouterr().err
    assert main(GROUPS, [], commands) == 0
    assert "  everything  everything --help says what it does\n" in capsys.readouterr().out
    assert main(GROUPS, ["toys", "fail"], commands) == 2


def test_the_usage_of_a_step_has_its_group_and_its_name_alone(capsys):
    with pytest.raises(SystemExit):
        main(GROUPS, ["toys", "everything", "--count", "x"])
    assert "usage: relprobe toys everything [-h]" in capsys.readouterr().err


def test_a_list_is_no_mistake_whatever_follows_the_word_for_help(capsys):
    assert main(GROUPS, ["toys", "-h", "helper"]) == 0
    assert capsys.readouterr().err == ""


def test_a_step_that_would_overwrite_what_it_reads_does_not_begin(capsys, tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("word\n")

    def rewrite(words: Path, out: Path) -> None:
        "Write words."
        out.write_text("other")

    assert run(rewrite, arguments_of(rewrite).parse_args(["--words", str(file), "--out", str(file)])) == 1
    assert "--out" in capsys.readouterr().err
    assert file.read_text() == "word\n"


def test_a_log_file_gets_the_errors_too(capsys, tmp_path):
    log = tmp_path / "logs/toys/step.log"  # whose folders are made where there are none
    for _ in range(2):  # and a later attempt begins it anew
        assert main(GROUPS, ["toys", "failing", "--log", str(log)]) == 1
    assert log.read_text().count("Error: ") == 1
    assert log.read_text().endswith("Error: resources.x is gone: fetch it again.\n")


def test_a_log_has_the_progress_of_the_step_and_of_libraries_the_warnings_alone(capsys, tmp_path):
    def step() -> None:
        for name in ("relprobe", "httpx"):
            logging.getLogger(name).info("progress of %s", name)
            logging.getLogger(name).warning("warning of %s", name)

    log = tmp_path / "step.log"
    options = arguments_of(step).parse_args(["--log", str(log)])
    assert run(step, options) == 0
    said = [line.partition(" ")[2] for line in log.read_text().splitlines()]
    assert said == ["progress of relprobe", "warning of relprobe", "warning of httpx"]


def test_a_step_has_a_state_beside_its_log_while_it_runs(tmp_path):
    log, states = tmp_path / "logs/step.log", []

    def step() -> None:
        states.append(read_state(log))

    assert run(step, arguments_of(step).parse_args(["--log", str(log)])) == 0
    assert states[0].begun > 0
    assert [path.name for path in log.parent.iterdir()] == ["step.log"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_named_whichever_error_it_leads_to(capsys, number):
    cause = OSError(number, os.strerror(number), "results/x")
    for error in (SourceError("connect this machine"), DataError("fetch it again"), RuntimeError("a library's own")):
        status, text = outcome(capsys, after(cause, error))
        assert (status, text.count("\n")) == (1, 1)
        assert f"Error: {FULL} ([Errno {number}] " in text
        assert "free some space and run again." in text


def test_a_full_disk_is_named_where_a_library_fails_while_it_cleans_up(capsys):
    """Its error is then no cause of the other one, but what went before it; of several full disks the first one is named."""

    def step() -> None:
        try:
            try:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "results/x")
            finally:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "cache/y")
        finally:
            raise RuntimeError("a library's own")

    status, text = outcome(capsys, step)
    assert (status, text.count("\n")) == (1, 1)
    assert f"Error: {FULL} ([Errno {errno.ENOSPC}] No space left on device: 'results/x'): free some space" in text


def test_a_relprobe_error_is_one_sentence_and_any_other_error_a_defect(capsys):
    status, text = outcome(capsys, after(OSError(errno.EACCES, "no"), SourceError("connect this machine")))
    assert (status, text.count("\n")) == (1, 1)
    assert text.endswith("Error: connect this machine\n")
    status, text = outcome(capsys, after(OSError(errno.EACCES, "no"), RuntimeError("other")))
    assert status == 2
    assert "This is a defect in relprobe" in text
    assert "Traceback" in text


@pytest.mark.parametrize("way", ["url", "archive"])
def test_a_disk_that_fills_up_during_a_fetch(capsys, tmp_path, small_disk, way):
    (tmp_path / "words.txt").write_bytes(b"robin\n" * 20_000)  # 120 KB, and less than one in an archive
    with zipfile.ZipFile(tmp_path / "words.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "words.txt")
    if way == "url":
        source = Source("nouns", url=(tmp_path / "words.txt").as_uri())
    else:
        source = Source("nouns", path=str(tmp_path / "words.zip"))
    status, text = outcome(capsys, lambda: fetch(source, small_disk / "fetched" / "nouns"))
    assert status == 1
    last = text.splitlines()[-1]
    if way == "url":
        assert last.endswith("No space left on device): free some space and run again.")
    else:  # an archive says how large its files are before they are unpacked
        fetched = re.escape(str(small_disk / "fetched"))
        sentence = rf"nouns, unpacked, takes 120\.0 kB on the disk of {fetched}, and [\d.]+ kB are free: "
        assert re.search(sentence + r"free some space, or use another disk\.$", last)
    assert "connect" not in text
    assert "again" not in text.replace("run again", "")
    assert "Traceback" not in text
    assert list((small_disk / "fetched").iterdir()) == []


@pytest.mark.parametrize("value", ["true", "false"])
def test_a_scoring_step_reads_the_truth_values_of_a_models_entry(value):
    """A rule writes `bos: true` and `chat: true` of the config as `--bos true` and `--chat true`."""
    words = ["--model", "m.json", "--type", "causal", "--probes", "p", "--lexicon", "l", "--out", "o", "--top-k", "9"]
    words += ["--premises", "r", "--without-target", "w"]
    options = arguments_of(scores).parse_args([*words, "--special-tokens", "keep", "--bos", value, "--chat", "true"])
    assert (options.bos, options.chat) == (value, "true")


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOTDIR, errno.EISDIR])
def test_a_place_that_cannot_be_written_is_named(capsys, number):
    def step() -> None:
        raise OSError(number, os.strerror(number), "/elsewhere/scores.csv")

    status, text = outcome(capsys, step)
    assert status == 1
    assert f"Error: /elsewhere/scores.csv cannot be written or read ({os.strerror(number)})" in text
    assert "Traceback" not in text


def test_a_log_that_cannot_be_written_is_named(capsys, tmp_path):
    def step() -> None:
        raise AssertionError("it must not begin")

    (tmp_path / "file").touch()
    assert run(step, arguments_of(step).parse_args(["--log", str(tmp_path / "file/step.log")])) == 1
    assert f"Error: {tmp_path}/file" in capsys.readouterr().err


@pytest.mark.parametrize("fault", [None, DataError("words.csv is gone: add it.")])
def test_a_log_that_has_no_room_ends_in_one_sentence_on_the_terminal(capsys, fault):
    """The device /dev/full is a disk that is full."""

    def step() -> None:
        if fault is None:
            logging.getLogger("relprobe").info("progress")
        else:
            raise fault

    status = run(step, arguments_of(step).parse_args(["--log", "/dev/full"]))
    text = capsys.readouterr().err
    assert (status, text.count("\n")) == (1, 1)
    assert ("words.csv is gone" if fault else f"Error: {FULL} ([Errno 28] No space left on device)") in text
    for handler in logging.getLogger().handlers[1:]:
        logging.getLogger().removeHandler(handler)
        with contextlib.suppress(OSError):
            handler.close()


@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE])
def test_a_disk_that_fails_is_named_whichever_error_it_leads_to(capsys, number):
    cause = OSError(number, os.strerror(number), "results/x")
    for error in (SourceError("connect this machine"), DataError("delete it and run again"), RuntimeError("other")):
        status, text = outcome(capsys, after(cause, error))
        assert (status, text.count("\n")) == (1, 1)
        assert f"Error: a disk, or the connection to it, fails ([Errno {number}] " in text
        assert text.endswith("check it and run again.\n")


def test_a_list_of_settings_may_be_empty_and_one_of_files_may_not(capsys):
    """Rules leave out the option of an empty list, such as the controls of a run that has none."""

    def compare(metrics: list[Path], out: Path, *, controls: list[str]) -> None:
        "Compare agents."

    parser = arguments_of(compare)
    assert parser.parse_args(["--metrics", "a", "--out", "b"]).controls == []
    with pytest.raises(SystemExit):
        parser.parse_args(["--out", "b", "--controls", "random"])
    assert "required: --metrics" in capsys.readouterr().err
