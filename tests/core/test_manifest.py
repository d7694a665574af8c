import hashlib
import json
import os
import shutil
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.core import manifest as manifests
from relprobe.core.errors import DataError, SourceError
from relprobe.core.files import sha256
from relprobe.core.manifest import (
    DAY_S,
    JUST_S,
    KEY,
    SAMPLE_BYTES,
    SMALL,
    FolderWithoutWeights,
    adapter_folder,
    fetched_anew,
    fetched_file,
    fetched_folder,
    files_in,
    identity,
    is_fetched,
    is_fetched_for,
    link_or_copy,
    manifest_format,
    model_files,
    model_folder,
    only_file,
    origin_key,
    read_manifest,
    same_weights,
    write_manifest,
)


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


@pytest.mark.parametrize("size", [0, 5, SMALL, SMALL + 1, 3 * SMALL])
@pytest.mark.parametrize("older", [0, 1, 10**9])
def test_a_file_that_was_replaced_by_an_older_one_of_its_size_is_another_file(tmp_path, size, older):
    """As mv, cp -p, rsync -a and unzip do it; two checkpoints of a model have one size, and files of an archive one time."""
    file = tmp_path / "weights"
    file.write_bytes(b"a" * size)
    before = known_as(file)
    times = file.stat()
    file.write_bytes(b"b" * size or b"b")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns - older))
    assert known_as(file) != before
    file.write_bytes(b"a" * size)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert known_as(file) == before


def test_a_copy_of_a_small_file_is_the_same_file_and_a_changed_byte_of_a_large_one_is_noticed(tmp_path):
    (tmp_path / "words").write_text("robin")
    before = known_as(tmp_path / "words")
    os.utime(tmp_path / "words", (0, 0))
    assert known_as(tmp_path / "words") == before
    large = tmp_path / "weights"
    large.write_bytes(bytes(4 * SMALL))
    before, times = known_as(large), large.stat()
    with large.open("r+b") as content:
        content.seek(SAMPLE_BYTES + 100)  # between the pieces that are read: the time tells it
        content.write(b"x")
    os.utime(large, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    assert known_as(large) != before


@given(st.floats(0, 1 - 1 / 30))
@settings(max_examples=25, deadline=None)
def test_another_layer_in_weights_of_one_size_and_time_is_noticed(tmp_path_factory, place):
    """As of a checkpoint of which one layer of thirty was trained on, and which has the time of the other one (touch -r)."""
    large = tmp_path_factory.mktemp("weights") / "model.safetensors"
    size = 10 * SMALL
    large.write_bytes(bytes(size))
    before, times = known_as(large), large.stat()
    with large.open("r+b") as content:
        content.seek(int(place * size))
        content.write(b"x" * (size // 30))
    os.utime(large, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert large.stat().st_size == size
    assert known_as(large) != before


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "new").touch(),
        lambda folder: (folder / "LICENSE").unlink(),
        lambda folder: (folder / "LICENSE").rename(folder / "COPYING"),
        lambda folder: (folder / "dict/data.noun").write_bytes(b"verb"),
        lambda folder: (folder.parent / "linked/more/data.verb").write_bytes(b"noun"),
    ],
    ids=["added", "deleted", "renamed", "replaced", "behind a link"],
)
def test_a_folder_counts_by_its_files(folder, change):
    (folder.parent / "linked/more").mkdir(parents=True)
    (folder.parent / "linked/more/data.verb").write_bytes(b"verb")
    (folder / "link").symlink_to(folder.parent / "linked")
    (folder.parent / "linked/back").symlink_to(folder)  # a loop
    before = known_as(folder)
    assert known_as(folder) == before
    change(folder)
    assert known_as(folder) != before


def test_the_files_behind_links_are_those_of_a_folder_and_a_loop_of_links_is_cut(folder):
    """A folder that two links lead to, and that is no loop, counts twice; the files of a model are those that are loaded."""
    (folder.parent / "linked").mkdir()
    (folder.parent / "linked/config.json").write_text("{}")
    (folder.parent / "linked/back").symlink_to(folder)
    for name in ("link", "other"):
        (folder / name).symlink_to(folder.parent / "linked")
    (folder / "nowhere").symlink_to(folder / "gone")
    found = [file.relative_to(folder).as_posix() for file in files_in(folder)]
    assert sorted(found) == ["LICENSE", "dict/data.noun", "link/config.json", "other/config.json"]
    assert files_in(folder / "link", model=True) == [folder / "link/config.json"]
    assert files_in(folder, model=True) == []


def known_as(path):
    identity.cache_clear()
    return identity(str(path))


@given(st.integers(0, 10**6), st.integers(0, 7))
@settings(max_examples=25, deadline=None)
def test_a_flipped_bit_in_a_fetched_file_ends_in_a_sentence(tmp_path_factory, place, bit):
    folder = tmp_path_factory.mktemp("fetched") / "model"
    folder.mkdir()
    (folder / "config.json").write_bytes(b"{}")
    (folder / "model.safetensors").write_bytes(bytes(500))
    manifest = write_manifest(folder)
    assert fetched_folder(manifest) == folder
    content = bytearray(500)
    content[place % 500] ^= 1 << bit
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(
        SourceError, match=r"model\.safetensors is not the file that was fetched.* Delete .*model\.json"
    ):
        fetched_folder(manifest)
    assert fetched_folder(manifest, weights=False) == folder  # of a step that reads no weights
    assert model_folder(manifest, weights=False) == folder
    with pytest.raises(SourceError):
        model_folder(manifest)


@given(st.binary(max_size=60))
@settings(max_examples=50, deadline=None)
def test_a_damaged_manifest_names_the_file_to_delete(tmp_path_factory, content):
    manifest = tmp_path_factory.mktemp("fetched") / "model.json"
    manifest.write_bytes(content)
    with pytest.raises(SourceError, match=rf"^{manifest} is .*: delete it and run again"):
        fetched_folder(manifest)


def test_an_adapter_is_not_added_to_a_model_that_has_become_another(tmp_path):
    for name in ("model", "adapter"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(name.encode())
    base = write_manifest(tmp_path / "model")
    about = {"manifest": "model.json", "files": json.loads(base.read_text())["files"]}
    manifest = write_manifest(tmp_path / "adapter", base=about)
    assert model_folder(manifest) == tmp_path / "model"
    assert model_files(manifest).keys() == {"model.safetensors", "base/model.safetensors"}
    before = model_files(manifest)
    (tmp_path / "model/model.safetensors").write_bytes(b"other")
    write_manifest(tmp_path / "model")
    with pytest.raises(SourceError, match=r"has become another model .*: delete .*adapter\.json and run again"):
        model_folder(manifest)
    write_manifest(tmp_path / "adapter", base={**about, "files": json.loads(base.read_text())["files"]})
    assert model_files(manifest) != before


def test_a_file_is_copied_where_it_cannot_be_linked(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_bytes(b"noun")
    monkeypatch.setattr("pathlib.Path.hardlink_to", lambda *_: (_ for _ in ()).throw(OSError(18, "cross-device")))
    link_or_copy(tmp_path / "words.txt", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"noun"
    assert not (tmp_path / "copy").samefile(tmp_path / "words.txt")


@pytest.mark.parametrize(("owner", "mode", "linked"), [(0, 0o644, True), (1, 0o644, False), (1, 0o444, True)])
def test_what_another_user_may_still_write_is_no_link(tmp_path, monkeypatch, owner, mode, linked):
    file, target = tmp_path / "weights", tmp_path / "fetched"
    file.write_bytes(b"noun")
    file.chmod(mode)
    me = os.getuid()
    monkeypatch.setattr("os.getuid", lambda: me + owner)
    link_or_copy(file, target)
    assert target.read_bytes() == b"noun"
    assert target.samefile(file) == linked
    if not linked:
        file.write_bytes(b"other")
        assert target.read_bytes() == b"noun"


def test_a_file_that_another_user_may_write_shares_its_blocks_or_is_copied_and_is_no_link(tmp_path, monkeypatch):
    file, cloned = tmp_path / "words.txt", []
    file.write_text("robin")
    monkeypatch.setattr(manifests, "_others_write", lambda file: True)
    monkeypatch.setattr(manifests, "_clone", lambda *files: cloned.append(files))
    link_or_copy(file, tmp_path / "clone")
    assert cloned == [(file, tmp_path / "clone")]

    def refuses(*files):
        raise OSError("this file system shares no blocks")

    monkeypatch.setattr(manifests, "_clone", refuses)
    link_or_copy(file, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "robin"
    assert file.stat().st_nlink == 1


@pytest.mark.parametrize("link", [link_or_copy, lambda file, target: target.symlink_to(file)], ids=["hard", "symbolic"])
def test_what_is_written_into_a_linked_file_later_is_noticed(tmp_path, link):
    """A file of its owner is a link, whoever else may write it: its SHA-256 tells the change, not its size or its time."""
    own, folder = tmp_path / "own.safetensors", tmp_path / "model"
    own.write_bytes(b"weights")
    own.chmod(0o664)
    folder.mkdir()
    link(own, folder / "model.safetensors")
    manifest = write_manifest(folder)
    assert fetched_folder(manifest) == folder
    times = own.stat()
    own.write_bytes(b"weighty")
    os.utime(own, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(SourceError, match=r"model\.safetensors is not the file that was fetched"):
        fetched_folder(manifest)


class Clock:
    """A clock that is ahead of the true one."""

    def __init__(self):
        self.ahead = 0.0

    def time(self):
        return time.time() + self.ahead


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(manifests, "time", clock)
    return clock


@pytest.fixture
def hashed(monkeypatch):
    """The names of the files that were read to compare them."""
    names = []
    monkeypatch.setattr(manifests, "sha256", lambda file: names.append(file.name) or sha256(file))
    return names


@pytest.fixture
def weights(tmp_path, clock, hashed):
    """The manifest of a model whose weights are large, were written long ago, and were compared once."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_bytes(b"{}")
    (folder / "model.safetensors").write_bytes(bytes(SMALL + 1))
    manifest = write_manifest(folder)
    clock.ahead = JUST_S + 1
    hashed.clear()
    fetched_folder(manifest)
    assert sorted(hashed) == ["config.json", "model.safetensors"]
    hashed.clear()
    return manifest


def test_large_files_are_read_once_for_all_jobs_of_a_run(weights, hashed):
    for _ in range(10):
        fetched_folder(weights)
    assert hashed == ["config.json"] * 10  # small files are read each time
    assert model_files(weights)["model.safetensors"] == sha256(weights.parent / "model/model.safetensors")


def overwrite(file):
    file.write_bytes(bytes(SMALL) + b"x")


def flip_a_byte(file):
    with file.open("r+b") as content:
        content.seek(SMALL // 2)
        content.write(b"x")


def replace(file):
    other = file.with_name("other")
    overwrite(other)
    other.replace(file)


def write_through_a_link(file):
    link = file.with_name("link")
    link.hardlink_to(file)
    flip_a_byte(link)
    link.unlink()


@pytest.mark.parametrize("damage", [overwrite, flip_a_byte, replace, write_through_a_link])
def test_a_large_file_that_is_written_or_replaced_is_noticed_whatever_its_size_and_time(weights, damage):
    file = weights.parent / "model/model.safetensors"
    times = file.stat()
    damage(file)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    for _ in range(2):
        with pytest.raises(SourceError, match=r"model\.safetensors is not the file that was fetched"):
            fetched_folder(weights)


def test_a_comparison_counts_for_a_day_on_this_machine_since_it_was_started(
    weights, clock, hashed, monkeypatch, tmp_path
):
    clock.ahead += DAY_S - 60
    fetched_folder(weights)
    assert "model.safetensors" not in hashed
    clock.ahead += 120
    fetched_folder(weights)
    assert hashed.count("model.safetensors") == 1
    boot = tmp_path / "boot_id"
    boot.write_text("another")
    monkeypatch.setattr(manifests, "BOOT", boot)
    fetched_folder(weights)
    assert hashed.count("model.safetensors") == 2
    clock.ahead -= DAY_S  # a clock that is set back leaves a comparison of a time to come
    fetched_folder(weights)
    assert hashed.count("model.safetensors") == 3


def test_a_file_that_was_just_written_is_compared_again(weights, clock, hashed):
    (weights.parent / "model/model.safetensors").write_bytes(bytes(SMALL + 1))
    clock.ahead = 0.0
    for _ in range(2):
        fetched_folder(weights)
    assert hashed.count("model.safetensors") == 2


@pytest.mark.parametrize("content", [b"", b"[]", b'{"machine": 1}', b'{"files": {"model.safetensors": [1]}}'])
def test_a_damaged_list_of_comparisons_counts_as_none(weights, hashed, content):
    (weights.parent / ".model.compared").write_bytes(content)
    fetched_folder(weights)
    fetched_folder(weights)
    assert hashed.count("model.safetensors") == 1


def test_another_manifest_compares_the_file_with_its_digest(weights):
    about = json.loads(weights.read_text())
    about["files"]["model.safetensors"] = hashlib.sha256(b"other").hexdigest()
    weights.write_text(json.dumps(about))
    with pytest.raises(SourceError, match="is not the file that was fetched"):
        fetched_folder(weights)


def test_where_nothing_can_be_kept_every_job_reads_the_file(weights, hashed, monkeypatch):
    (weights.parent / ".model.compared").unlink()

    def refuse(*_):
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(manifests, "write_json", refuse)
    for _ in range(2):
        fetched_folder(weights)
    assert hashed.count("model.safetensors") == 2


def large(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"w" * (SMALL + 1))
    return path


@pytest.mark.parametrize("kind", ["folder", "model", "file"])
def test_a_copy_of_a_users_own_file_is_what_was_fetched_whatever_its_time_is(tmp_path, kind):
    """A copied study has other times; its weights are the same."""
    own, folder = tmp_path / "own", tmp_path / "fetched/own"
    weights, model = large(own / "model.safetensors"), kind == "model"
    large(folder / "model.safetensors")
    entry = {"path": str(weights if kind == "file" else own)}
    manifest = write_manifest(folder, key=origin_key(entry, model=model))

    def key_after(change):
        change()
        identity.cache_clear()
        return origin_key(entry, model=model)

    copied = key_after(lambda: os.utime(weights, (1, 1)))
    before = manifest.stat().st_mtime_ns
    assert not is_fetched_for(manifest, copied)
    assert is_fetched_for(manifest, copied, entry, model=model)
    assert is_fetched_for(manifest, copied)  # it is not read again
    assert manifest.stat().st_mtime_ns == before
    other = key_after(lambda: weights.write_bytes(b"w" * SMALL + b"v"))
    assert not is_fetched_for(manifest, other, entry, model=model)
    if kind == "folder":
        weights.write_bytes(b"w" * (SMALL + 1))
        other = key_after(lambda: (own / "more.txt").write_text("more"))
        assert not is_fetched_for(manifest, other, entry)


def test_links_into_a_study_that_was_moved_lead_to_its_own_files(tmp_path):
    own, folder = tmp_path / "study/model", tmp_path / "study/fetched/m"
    file = large(own / "model.safetensors")
    folder.mkdir(parents=True)
    (folder / file.name).symlink_to(file)
    entry = {"path": str(own)}
    write_manifest(folder, key=origin_key(entry, model=True))
    moved = (tmp_path / "study").rename(tmp_path / "moved")
    entry = {"path": str(moved / "model")}
    manifest = moved / "fetched/m.json"
    assert is_fetched_for(manifest, origin_key(entry, model=True), entry, model=True)
    assert fetched_folder(manifest) == moved / "fetched/m"
    (tmp_path / "moved").rename(tmp_path / "again")  # the link is one that moves with the study
    assert (tmp_path / "again/fetched/m/model.safetensors").is_file()


def test_links_in_a_copy_of_a_study_lead_to_the_files_of_the_copy_and_right_ones_stay(tmp_path):
    own, folder = tmp_path / "study/model", tmp_path / "study/fetched/m"
    file = large(own / "model.safetensors")
    folder.mkdir(parents=True)
    (folder / file.name).symlink_to(file)
    write_manifest(folder, key=origin_key({"path": str(own)}, model=True))
    copy = shutil.copytree(tmp_path / "study", tmp_path / "copy", symlinks=True)
    link, entry = copy / "fetched/m/model.safetensors", {"path": str(copy / "model")}
    assert link.samefile(file)
    inodes = []
    for _ in range(2):
        assert is_fetched_for(copy / "fetched/m.json", origin_key(entry, model=True), entry, model=True)
        assert link.resolve() == copy / "model/model.safetensors"
        inodes.append(link.lstat().st_ino)
    assert inodes[0] == inodes[1]


@pytest.mark.parametrize("files", ["[]", '["a"]', '{"a": 1}', "null"])
def test_a_file_that_lists_no_digests_is_no_manifest(tmp_path, files):
    (tmp_path / "m.json").write_text(f'{{"files": {files}}}')
    with pytest.raises(SourceError, match="is no manifest of a folder: delete it and run again"):
        manifests.read_manifest(tmp_path / "m.json")


def test_times_to_come_are_moved_back_to_now_in_their_order(tmp_path):
    """A link keeps its own time, and a file of the last minute is no file of the future."""
    now = time.time()
    hours = {"old": -5.0, "soon": 0.01, "later": 2.0, "latest": 3.0}
    for name, hour in hours.items():
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (now, now + hour * 3600))
    (tmp_path / "link").symlink_to("latest")
    assert manifests.move_to_now([tmp_path]) == 2
    times = {name: (tmp_path / name).stat().st_mtime - now for name in hours}
    assert times["old"] == pytest.approx(-5 * 3600, abs=1)
    assert times["soon"] == pytest.approx(36, abs=1)
    assert 0 <= times["latest"] < 30
    assert times["latest"] - times["later"] == pytest.approx(3600, abs=1)
    assert manifests.move_to_now([tmp_path]) == manifests.move_to_now([]) == 0


def test_the_key_of_what_is_fetched_is_that_of_its_digest_or_of_its_place():
    keys = [
        origin_key(entry)
        for entry in (
            {"url": "https://a.org/nouns", "sha256": "ab"},
            {"url": "https://a.org/nouns", "sha256": "cd"},
            {"url": "https://a.org/nouns"},
            {"url": "https://b.org/nouns"},
            {"url": "https://a.org/nouns", "member": "nouns.txt"},
        )
    ]
    assert len({*keys}) == len(keys)
    assert [len(key) for key in keys] == [12] * len(keys)
    assert origin_key({"url": "https://a.org/nouns", "cite": "a"}) == keys[2]
    assert origin_key({}) != origin_key({}, kind="model")


def test_a_folder_that_studies_share_is_fetched_once_and_again_where_it_is_not_whole(tmp_path):
    """One under a key is another study's, too; any other one is this study's, and is fetched whenever it is asked for."""
    fetched = []

    def fill(folder):
        fetched.append(folder)
        folder.mkdir(exist_ok=True)
        (folder / "words.txt").write_text("robin")
        return write_manifest(folder)

    shared, own = tmp_path / "0123456789ab/nouns.json", tmp_path / "nouns.json"
    assert KEY.fullmatch(shared.parent.name)
    for manifest, times in ((shared, 1), (own, 2)):
        fetched.clear()
        for _ in range(2):
            fetched_anew(fill, manifest)
        assert fetched == [manifest.with_suffix("")] * times
        assert fetched_folder(manifest) == manifest.with_suffix("")
    fetched.clear()
    (shared.with_suffix("") / "words.txt").write_text("wren")
    fetched_anew(fill, shared)
    shared.unlink()
    fetched_anew(fill, shared)
    assert len(fetched) == 2
    assert [is_fetched(tmp_path, name) for name in ("nouns", "noun*", "verbs")] == [True, False, False]
    own.unlink()
    assert is_fetched(tmp_path, "nouns")


def test_a_manifest_that_is_damaged_or_of_another_entry_says_nothing_of_what_was_fetched(folder):
    manifest = write_manifest(folder, key="0" * 12)
    assert is_fetched_for(manifest, "0" * 12)
    assert not is_fetched_for(manifest, "1" * 12)
    assert not is_fetched_for(manifest, "1" * 12, {"url": "https://example.org/words"})
    assert not is_fetched_for(manifest, "1" * 12, {"path": str(folder), "member": "LICENSE"})
    assert not is_fetched_for(manifest, "1" * 12, {"path": f"{folder}.gone"})
    assert read_manifest(manifest)["key"] == "0" * 12
    (folder / "LICENSE").write_bytes(b"paid")
    assert not is_fetched_for(manifest, "1" * 12, {"path": str(folder)})  # one of two files is another one
    (folder / "LICENSE").write_bytes(b"free")
    assert is_fetched_for(manifest, "1" * 12, {"path": str(folder)})
    assert read_manifest(manifest)["key"] == "1" * 12
    assert is_fetched_for(write_manifest(folder), "1" * 12)  # an earlier relprobe wrote no key
    manifest.write_text("{")
    assert not is_fetched_for(manifest, "1" * 12)
    manifest.unlink()
    assert not is_fetched_for(manifest, "1" * 12)
    with pytest.raises(DataError, match="is missing"):
        read_manifest(manifest)


def test_what_a_step_reads_of_a_manifest_is_its_folder_or_its_only_file(folder):
    (folder / "model.safetensors").write_bytes(b"weights")
    manifest = write_manifest(folder)
    assert manifest_format(lambda read: read.name).read(manifest) == "wn-3.0"
    (folder / "model.safetensors").write_bytes(b"damaged")
    (without_weights,) = FolderWithoutWeights.__metadata__
    assert without_weights.read(manifest) == folder
    with pytest.raises(SourceError, match="is not the file that was fetched"):
        manifest_format(lambda read: read.name).read(manifest)
    for name in ("LICENSE", "model.safetensors"):
        (folder / name).unlink()
    assert fetched_file(lambda file: file.read_bytes()).read(write_manifest(folder)) == b"noun"


def test_the_folder_of_an_adapter_is_none_of_a_whole_model(folder):
    (folder.parent / "adapter").mkdir()
    (folder.parent / "adapter/adapter_config.json").write_text("{}")
    base = write_manifest(folder)
    manifest = write_manifest(
        folder.parent / "adapter", base={"manifest": base.name, "files": read_manifest(base)["files"]}
    )
    assert adapter_folder(manifest) == folder.parent / "adapter"
    assert (adapter_folder(base), adapter_folder(folder)) == (None, None)
    assert model_folder(folder) == model_folder(base) == model_folder(manifest) == folder


def test_models_are_alike_by_their_weights_alone(tmp_path):
    """Not by files beside them, and not where there are none."""
    files = {
        "a": {"model.safetensors": "1", "config.json": "x"},
        "b": {"pytorch_model.bin": "1", "config.json": "y"},
        "c": {"model.safetensors": "2", "config.json": "x"},
        "d": {"config.json": "x"},
        "e": {"config.json": "x"},
    }
    for name, digests in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"files": digests}))
    assert same_weights({name: tmp_path / f"{name}.json" for name in files}) == [["a", "b"]]
