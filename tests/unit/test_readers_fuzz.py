"""Whatever a file holds, its reader gives a table or one sentence, never another exception."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from relprobe import published
from relprobe.errors import RelprobeError
from relprobe.files import read_columns, read_json, read_table
from relprobe.manifest import fetched_folder
from relprobe.relation import TUPLES
from relprobe.sources import category_norms, human_responses, hyperlex, own_tuples, static_vectors

GOOD = {
    "own_tuples": "target,relation,relatum\nrobin,HYP,bird\nbird,HPO,robin\n",
    "hyperlex": "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES\nrobin bird N hyp-1 5.0 8.0 1.0 6 6\n",
    "category_norms": "word,catname\nrobin,type of bird\nwing,part of a bird\n",
    "human_responses": json.dumps({"robin": {"hyp": {"[W] is a [V]": [["bird"], ["animal", "bird"]]}}}),
    "static_vectors": "robin 1 0\nbird 3 4\n",
    "published": ",".join(published.PUBLISHED) + "\nTable 1,3,P@1,noun,bert,0.5,,,\n",
    "manifest": json.dumps({"files": {}}),
    "table": "PAR1",
}
READERS = {
    "own_tuples": own_tuples.read,
    "hyperlex": hyperlex.read,
    "category_norms": category_norms.read,
    "human_responses": human_responses.read,
    "static_vectors": lambda path: static_vectors.read(path.parent),
    "published": published.read,
    "json": read_json,
    "manifest": fetched_folder,
    "table": lambda path: read_table(path, TUPLES),
    "columns": lambda path: read_columns(path, ["target"]),
}
BITES = st.sampled_from(
    [b"\x00", b"\xff", b"\r\n", b"\n", b",", b'"', b" ", b"\xef\xbb\xbf", b"[", b"{", b"null", b"-1", b"nan"]
)


@st.composite
def damaged(draw, good: bytes):
    """A good file with bytes cut out and others put in."""
    text = bytearray(good)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 6))] = draw(BITES)
    return bytes(text)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_never_ends_in_another_exception(tmp_path_factory, name):
    path = tmp_path_factory.mktemp(name) / "resource" / "file.txt"
    path.parent.mkdir()
    good = GOOD.get(name, "{}").encode()

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(content=st.one_of(damaged(good), st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
    @example(content=b"")
    @example(content=good)
    def read(content: bytes) -> None:
        path.write_bytes(content)
        try:
            READERS[name](path)
        except RelprobeError as error:
            sentence = str(error)
            assert sentence.startswith((str(path), str(path.parent), path.name)) or str(path.parent) in sentence

    read()


def written(folder: Path, name: str) -> Path:
    path = folder / "resource" / "file.txt"
    path.parent.mkdir()
    path.write_text(GOOD[name], encoding="utf-8")
    return path


@pytest.mark.parametrize("name", [name for name in GOOD if name != "table"])
def test_a_good_file_is_no_error(tmp_path, name):
    READERS[name](written(tmp_path, name))
