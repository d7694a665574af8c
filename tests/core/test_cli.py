"""What reaches the user of an error: one sentence, whatever library it came through."""

import errno
import os
import sys
import zipfile

import pytest
from relprobe.core.cli import parser, run
from relprobe.core.errors import DataError, SourceError
from relprobe.sources.fetch import Source, fetch

FULL = "the disk is full"


def said(monkeypatch, capsys, main):
    """Run an entry point whose work is `main`; return its status and what it says."""
    monkeypatch.setattr(sys, "argv", ["entry"])
    with pytest.raises(SystemExit) as ended:
        run(main, parser("An entry point."))
    return ended.value.code, capsys.readouterr().err


def after(cause, error):
    """A main that fails with `error`, to which `cause` led."""

    def main(_):
        try:
            raise cause
        except type(cause):
            raise error from cause

    return main


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_named_whatever_it_led_to(monkeypatch, capsys, number):
    cause = OSError(number, os.strerror(number), "results/x")
    for error in (SourceError("connect this machine"), DataError("fetch it anew"), RuntimeError("a library's own")):
        status, text = said(monkeypatch, capsys, after(cause, error))
        assert (status, text.count("\n")) == (1, 1)
        assert f"Error: {FULL} ([Errno {number}] " in text
        assert "free some space and run again." in text


def test_another_error_of_ours_is_its_sentence_and_any_other_a_defect(monkeypatch, capsys):
    status, text = said(monkeypatch, capsys, after(OSError(errno.EACCES, "no"), SourceError("connect this machine")))
    assert (status, text.count("\n")) == (1, 1)
    assert text.endswith("Error: connect this machine\n")
    status, text = said(monkeypatch, capsys, after(OSError(errno.EACCES, "no"), RuntimeError("other")))
    assert status == 2
    assert "A defect in relprobe" in text
    assert "Traceback" in text


@pytest.mark.parametrize("way", ["url", "archive"])
def test_a_disk_that_fills_up_in_a_fetch(monkeypatch, capsys, tmp_path, small_disk, way):
    (tmp_path / "words.txt").write_bytes(b"robin\n" * 20_000)  # 120 KB, and less than one in an archive
    with zipfile.ZipFile(tmp_path / "words.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "words.txt")
    if way == "url":
        source = Source("nouns", url=(tmp_path / "words.txt").as_uri())
    else:
        source = Source("nouns", path=str(tmp_path / "words.zip"))
    status, text = said(monkeypatch, capsys, lambda _: fetch(source, small_disk / "fetched" / "nouns"))
    assert status == 1
    assert text.splitlines()[-1].endswith("No space left on device): free some space and run again.")
    assert "connect" not in text
    assert "anew" not in text
    assert "Traceback" not in text
    assert list((small_disk / "fetched").iterdir()) == []
