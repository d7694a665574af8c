import hashlib
import json

import pytest
from relprobe.core.errors import SourceError
from relprobe.core.manifest import fetched_folder, only_file, write_manifest


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "wn-3.0/dict").mkdir(parents=True)
    (tmp_path / "wn-3.0/dict/data.noun").write_bytes(b"noun")
    (tmp_path / "wn-3.0/LICENSE").write_bytes(b"free")
    return tmp_path / "wn-3.0"


def test_the_manifest_lies_beside_the_folder_and_lists_its_files(folder):
    manifest = write_manifest(folder, source="here")
    assert manifest == folder.parent / "wn-3.0.json"
    assert json.loads(manifest.read_text()) == {
        "source": "here",
        "files": {
            "LICENSE": hashlib.sha256(b"free").hexdigest(),
            "dict/data.noun": hashlib.sha256(b"noun").hexdigest(),
        },
    }


def test_the_same_content_gives_the_same_manifest(folder):
    first = write_manifest(folder).read_bytes()
    (folder / "LICENSE").write_bytes(b"free")
    assert write_manifest(folder).read_bytes() == first


def test_a_manifest_leads_to_its_folder(folder):
    assert fetched_folder(write_manifest(folder)) == folder


def test_a_file_that_is_gone_is_named(folder):
    manifest = write_manifest(folder)
    (folder / "dict/data.noun").unlink()
    with pytest.raises(
        SourceError, match=r"data\.noun is gone: delete .*wn-3\.0\.json and run again to fetch it again\.$"
    ):
        fetched_folder(manifest)


def test_the_only_file_is_found_at_any_depth(folder):
    (folder / "LICENSE").unlink()
    assert only_file(write_manifest(folder)) == folder / "dict/data.noun"


def test_several_files_are_one_too_many(folder):
    with pytest.raises(
        SourceError, match=r"holds 2 files where one is expected: name one with `member` in the config\.$"
    ):
        only_file(write_manifest(folder))


def test_no_file_is_one_too_few(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="holds 0 files where one is expected"):
        only_file(write_manifest(tmp_path / "empty"))
