"""What was downloaded once, for all studies of a user."""

import hashlib
import logging

import pytest
from relprobe.core.errors import SourceError
from relprobe.sources import cache
from relprobe.sources.fetch import Source, fetch

CONTENT = b"robin\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def downloads(tmp_path, monkeypatch):
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache/downloads"


@pytest.fixture
def source(tmp_path):
    """A file to download, and its entry."""
    (tmp_path / "words.txt").write_bytes(CONTENT)
    return Source("resources.words", url=(tmp_path / "words.txt").as_uri(), sha256=DIGEST)


def test_a_second_study_fetches_nothing_and_the_log_says_where_it_takes_the_file_from(
    tmp_path, source, downloads, caplog
):
    caplog.set_level(logging.INFO, logger="relprobe")
    fetch(source, tmp_path / "first")
    (tmp_path / "words.txt").unlink()  # nothing can be fetched any more
    fetch(source, tmp_path / "second")
    assert (tmp_path / "second/words.txt").read_bytes() == CONTENT
    assert [file.name for file in downloads.iterdir()] == [DIGEST]
    assert caplog.messages[-1] == f"taking words.txt from {downloads}"


def test_a_damaged_file_is_fetched_anew(tmp_path, source, downloads, caplog):
    downloads.mkdir(parents=True)
    (downloads / DIGEST).write_bytes(CONTENT[:3])  # half of a file
    fetch(source, tmp_path / "study")
    assert (tmp_path / "study/words.txt").read_bytes() == CONTENT
    assert (downloads / DIGEST).read_bytes() == CONTENT
    assert f"{downloads / DIGEST} is damaged: it is fetched anew" in caplog.messages


def test_what_has_another_sha256_is_not_kept(tmp_path, source, downloads):
    (tmp_path / "words.txt").write_bytes(b"other")
    with pytest.raises(SourceError, match="has the sha256"):
        fetch(source, tmp_path / "study")
    assert not downloads.exists()


def test_a_download_that_breaks_off_while_it_is_kept_leaves_no_half(tmp_path, downloads, monkeypatch, caplog):
    def full(file, target):
        target.write_bytes(CONTENT[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "link_or_copy", full)
    (tmp_path / "words.txt").write_bytes(CONTENT)
    cache.keep(tmp_path / "words.txt", DIGEST)
    assert list(downloads.iterdir()) == []
    assert "No space left on device" in caplog.text
    assert not cache.take(DIGEST, tmp_path / "target")


def test_a_cache_that_cannot_be_written_does_not_stop_a_study(tmp_path, source, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path / "file"))
    caplog.set_level(logging.WARNING)
    fetch(source, tmp_path / "study")
    assert (tmp_path / "study/words.txt").read_bytes() == CONTENT
    assert "words.txt is not kept for other studies (Not a directory" in caplog.text.replace("[Errno 20] ", "")


def test_the_folder_is_in_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.delenv("RELPROBE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_folder() == tmp_path / "relprobe"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for unset in (lambda: monkeypatch.setenv("XDG_CACHE_HOME", ""), lambda: monkeypatch.delenv("XDG_CACHE_HOME")):
        unset()
        assert cache.cache_folder() == tmp_path / "home/.cache/relprobe"
