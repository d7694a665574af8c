"""Conversions that are kept: taken where nothing has changed, made anew where anything has, and whole or not there."""

import threading
from pathlib import Path

import pytest
from relprobe.core.files import sha256
from relprobe.lm.loading import conversions, snapshot
from relprobe.lm.loading.conversions import DIGESTS, take_conversion

from tests.lm.loading.test_snapshot import llama, write_gguf
from tests.lm.tokenizers_for_tests import byte_level
from tests.logs import said


@pytest.fixture
def made(tmp_path, monkeypatch):
    """The files that were converted; the cache is empty."""
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path / "cache"))
    return []


def converter(made):
    def convert(source, folder):
        made.append(source.name)
        (folder / "weights").write_bytes(source.read_bytes() * 2)
        (folder / "config").write_text("{}")

    return convert


def filled(folder, source, convert):
    folder.mkdir()
    take_conversion(source, folder, convert)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def kept(tmp_path):
    return list((tmp_path / "cache/conversions").iterdir())


def test_a_file_is_converted_once_whatever_its_name(tmp_path, made):
    (tmp_path / "a.gguf").write_bytes(b"words")
    (tmp_path / "b.gguf").write_bytes(b"words")
    convert = converter(made)
    first, second = (filled(tmp_path / name, tmp_path / f"{name}.gguf", convert) for name in "ab")
    assert made == ["a.gguf"]
    assert first == second == {"weights": b"wordswords", "config": b"{}"}


def test_files_that_were_there_before_and_folders_are_no_part_of_a_conversion(tmp_path, made):
    source, folder = tmp_path / "a.gguf", tmp_path / "a"
    source.write_bytes(b"words")
    folder.mkdir()
    (folder / "tokenizer").touch()

    def convert(source, folder):
        converter(made)(source, folder)
        (folder / "temporary").mkdir()

    take_conversion(source, folder, convert)
    assert [{file.name for file in cached.iterdir()} for cached in kept(tmp_path)] == [{"weights", "config", DIGESTS}]
    assert filled(tmp_path / "b", source, convert) == {"weights": b"wordswords", "config": b"{}"}
    assert made == ["a.gguf"]


def other_content(source, monkeypatch):
    source.write_bytes(b"other words")


def other_version(_, monkeypatch):
    monkeypatch.setattr(conversions.importlib.metadata, "version", lambda name: "99")


def other_code(_, monkeypatch):
    monkeypatch.setattr(conversions.inspect, "getsource", lambda function: "edited")


@pytest.mark.parametrize("change", [other_content, other_version, other_code])
def test_what_could_change_a_conversion_leads_to_another_one(change, tmp_path, made, monkeypatch):
    source, convert = tmp_path / "a.gguf", converter(made)
    source.write_bytes(b"words")
    filled(tmp_path / "a", source, convert)
    change(source, monkeypatch)
    assert filled(tmp_path / "b", source, convert)["weights"] == source.read_bytes() * 2
    assert len(made) == len(kept(tmp_path)) == 2


def changed(place):
    file = place / "weights"
    content = file.read_bytes()
    file.unlink()  # the file of the study is the same one
    file.write_bytes(content.replace(b"w", b"v"))


def shortened(place):
    (place / "config").unlink()


def unlisted(place):
    (place / conversions.DIGESTS).write_text("[]")


@pytest.mark.parametrize("damage", [changed, shortened, unlisted])
def test_a_damaged_conversion_is_made_anew(damage, tmp_path, made, caplog):
    source, convert = tmp_path / "a.gguf", converter(made)
    source.write_bytes(b"words")
    first = filled(tmp_path / "a", source, convert)
    damage(*kept(tmp_path))
    assert filled(tmp_path / "b", source, convert) == first
    assert "is damaged" in caplog.text
    assert filled(tmp_path / "c", source, convert) == first
    assert len(made) == 2


def test_a_conversion_that_fails_leaves_nothing(tmp_path, made):
    (tmp_path / "a.gguf").write_bytes(b"words")

    def fail(source, folder):
        (folder / "weights").write_bytes(b"half")
        raise ValueError("no words")

    with pytest.raises(ValueError, match="no words"):
        filled(tmp_path / "a", tmp_path / "a.gguf", fail)
    assert not (tmp_path / "cache").exists()


def test_two_processes_may_convert_one_file_at_once(tmp_path, made, caplog):
    source, convert, both = tmp_path / "a.gguf", converter(made), threading.Barrier(2)
    source.write_bytes(b"words")

    def convert_together(source, folder):
        both.wait()  # both have found nothing
        convert(source, folder)

    threads = [threading.Thread(target=filled, args=(tmp_path / name, source, convert_together)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 2
    assert len(kept(tmp_path)) == 1
    assert {sha256(tmp_path / name / "weights") for name in "ab"} == {sha256(kept(tmp_path)[0] / "weights")}
    assert not said(caplog)


def test_a_conversion_that_another_process_keeps_at_the_last_moment_is_left(tmp_path, made, caplog, monkeypatch):
    (tmp_path / "a.gguf").write_bytes(b"words")
    replace = Path.replace

    def replace_later(self, target):
        if target.parent.name == "conversions":
            target.mkdir()
            (target / "weights").touch()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_later)
    assert len(filled(tmp_path / "a", tmp_path / "a.gguf", converter(made))) == 2
    assert [path.name for path in kept(tmp_path)[0].iterdir()] == ["weights"]
    assert not said(caplog)


def test_a_folder_that_cannot_be_written_is_said_and_the_study_goes_on(tmp_path, made, caplog, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path / "file"))
    (tmp_path / "a.gguf").write_bytes(b"words")
    assert len(filled(tmp_path / "a", tmp_path / "a.gguf", converter(made))) == 2
    assert "set RELPROBE_CACHE to another folder" in caplog.text


def test_a_second_study_takes_a_model_of_a_gguf_file_from_the_first(tmp_path, made, monkeypatch):
    write_gguf(llama(seed=0), byte_level(), tmp_path / "words.gguf")
    entry = {"path": str(tmp_path / "words.gguf")}
    snapshot.snapshot("models.m", entry, tmp_path / "first")
    monkeypatch.setattr(
        snapshot.AutoModelForCausalLM, "from_pretrained", lambda *_, **__: pytest.fail("it is converted")
    )
    snapshot.snapshot("models.m", entry, tmp_path / "second")
    files = [{path.name: sha256(path) for path in (tmp_path / name).iterdir()} for name in ("first", "second")]
    assert files[0] == files[1]
    assert "model.safetensors" in files[0]
