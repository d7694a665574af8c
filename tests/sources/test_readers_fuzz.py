"""Whatever a file holds, its reader returns a table or ends in one sentence, never in another exception."""

import io
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import RelprobeError
from relprobe.core.files import parquet_schema, read_json, read_parquet, read_table
from relprobe.core.manifest import fetched_folder
from relprobe.core.relation import TUPLES
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report import published
from relprobe.sources import (
    bats,
    category_norms,
    human_responses,
    hyperlex,
    relations,
    semeval2012,
    semeval2012_ratings,
    static_vectors,
    systematicity,
)
from relprobe.sources.own import definition_answers, judged_pairs, word_counts
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own import tuples as own_tuples
from relprobe.studies.definitions import patterns as definitions_prompts
from relprobe.studies.degrees import relations as degrees_relations
from relprobe.studies.pairs import prompts as pairs_prompts
from relprobe.studies.relations import prompts as relations_prompts

from tests.paths import ROOT
from tests.sources.made import systematicity_data, tiny_semeval, vector_files
from tests.studies.relations.six import SIX

EXAMPLES = int(os.environ.get("RELPROBE_EXAMPLES", "40"))
"""Files per reader. More of them find rarer defects, and take longer: RELPROBE_EXAMPLES=1000 pytest tests/sources."""
PROMPTS = ROOT / "resources/prompts"
GOOD = {
    "own_tuples": "target,relation,relatum\nrobin,HYP,bird\nbird,HPO,robin\n",
    "hyperlex": "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES\nrobin bird N hyp-1 5.0 8.0 1.0 6 6\n",
    "category_norms": "word,catname\nrobin,type of bird\nwing,part of a bird\n",
    "human_responses": json.dumps({"robin": {"hyp": {"[W] is a [V]": [["bird"], ["animal", "bird"]]}}}),
    "own_definitions": "word,part_of_speech,definition,group,count\nnod,verb,lower the head,move,7\nbow,verb,bend,move,\n",
    "judged_pairs": "relation,target,candidate,label,rating,rater\nHYP,robin,bird,yes,6,ann\nHYP,robin,wing,no,1.5,ann\n",
    "word_counts": "word,count\nnod,310\nwarm up,12\n",
    "definition_answers": "task,group,participant,candidate,rank\nw2d,nod.v.01,anna,bend,1\nw2d,nod.v.01,anna,clap,2\n",
    "static_vectors": "robin 1 0\nbird 3 4\n",
    "published": ",".join(published.PUBLISHED) + "\nTable 1,3,P@1,noun,bert,0.5,,,\n",
    "manifest": json.dumps({"files": {}}),
    "relations": (ROOT / "resources/relations/english-nouns.yaml").read_text(),
    "relations_prompts": "HYP:\n- id: hyp\n  text: a [W] is a [V]\n  human_text: '[W], a [V]'\n",
    "definitions_prompts": (PROMPTS / "definitions.yaml").read_text(),
    "pairs_prompts": (PROMPTS / "pairs.yaml").read_text(),
    "degrees_prompts": "1b: '[Y] functions as [X]'\n1a: a [X] is a [Y]\n",
}
BUFFER = io.BytesIO()
pl.DataFrame([("robin", "HYP", "bird", ["own"])], schema=TUPLES, orient="row").write_parquet(BUFFER)
PARQUET = dict.fromkeys(["table", "any_table", "table_schema", "columns", "parts", "rows"], BUFFER.getvalue())
READERS = {
    "own_tuples": partial(own_tuples.read, codes=SIX.codes),
    "hyperlex": partial(hyperlex.read, relations=SIX.entries),
    "category_norms": partial(category_norms.read, codes={"exemplar": "HPO", "part": "MER"}),
    "human_responses": partial(human_responses.read, codes=SIX.answer_keys),
    "own_definitions": own_definitions.read,
    "judged_pairs": judged_pairs.read,
    "word_counts": word_counts.read,
    "definition_answers": definition_answers.read,
    "static_vectors": lambda path: static_vectors.read(path.parent),
    "published": published.read,
    "json": read_json,
    "manifest": fetched_folder,
    "table": lambda path: read_table(path, TUPLES),
    "any_table": read_parquet,
    "table_schema": parquet_schema,
    "columns": lambda path: ScoreFile.read(path).columns("target"),
    "parts": lambda path: list(ScoreFile.read(path).parts("target")),
    "rows": lambda path: ScoreFile.read(path).where(["target"], relation="HYP"),
    "relations_prompts": relations_prompts.read,
    "relations": relations.read,
    "definitions_prompts": definitions_prompts.read,
    "pairs_prompts": pairs_prompts.read,
    "degrees_prompts": lambda path: degrees_relations.read_descriptions(path, ["1a", "1b"]),
}
BITES = st.sampled_from(
    [
        *(b"\x00", b"\xff", b"\r\n", b"\n", b",", b'"', b" ", b"\xef\xbb\xbf", b"[", b"{", b"null", b"-1", b"nan"),
        *(b"\t", b":", b"/", b"_", b"\xe2\x80\xa8", b"- ", b"2001-99-99", b"0x_", b"!!int ", b"&a", b"*a", b"#", b"|"),
    ]
)


@st.composite
def damaged(draw, good: bytes):
    """A good file with bytes cut out and others put in."""
    text = bytearray(good)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 6))] = draw(BITES)
    return bytes(text)


def never_another_exception(home: Path, path: Path, read: Callable[[], object], good: bytes) -> None:
    """Read the file with whatever content: there is no exception but ours, and that names the file or its `home`."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(content=st.one_of(damaged(good), st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
    @example(content=b"")
    @example(content=good)
    @example(content=b"\x1f\x8b\x00\x00")  # the beginning of a packed file
    @example(content=b"\x28\xb5\x2f\xfd\x00")
    @example(content=b"PK\x03\x04")
    def attempt(content: bytes) -> None:
        path.write_bytes(content)
        try:
            read()
        except RelprobeError as error:
            assert str(home) in str(error)
            assert "\n" not in str(error)

    attempt()


@pytest.mark.parametrize("name", READERS)
def test_a_reader_never_ends_in_another_exception(tmp_path_factory, name):
    path = tmp_path_factory.mktemp(name) / "resource" / "file.txt"
    path.parent.mkdir()
    never_another_exception(
        path.parent, path, lambda: READERS[name](path), PARQUET.get(name) or GOOD.get(name, "{}").encode()
    )


@dataclass(frozen=True)
class Package:
    """Data of several files: what writes them into a folder, what reads them from it, and which of them to damage."""

    write: Callable[[Path], object]
    read: Callable[[Path], object]
    files: tuple[str, ...]


def write_bats(folder: Path) -> None:
    (folder / "E01 [country - capital].txt").write_text("paris\tfrance\nnew_york\tusa/united_states\n")
    (folder / "L01 [hypernyms].txt").write_bytes(b"cat\tfeline/animal\r\n")


def write_semeval(folder: Path) -> None:
    tiny_semeval.write(folder, [tiny_semeval.FUNCTIONAL])
    tiny_semeval.rate(folder / "MyRatings-1b.txt", dict.fromkeys(tiny_semeval.FUNCTIONAL.pairs, 1.5))


def read_semeval(folder: Path) -> object:
    known = {subcategory.id: subcategory for subcategory in semeval2012.read(folder)}
    files = semeval2012_ratings.find(folder / "MyRatings-1b.txt", known)
    return known, [semeval2012_ratings.read(file.path, known[file.subcategory], complete=False) for file in files]


def read_systematicity(folder: Path) -> object:
    return systematicity.items(folder), systematicity.grounded_pairs(folder)


def write_matrix(folder: Path) -> None:
    np.save(folder / "vectors.npy", np.array([[1, 0], [3, 4]], np.float32))
    pl.DataFrame({"word": ["robin", "bird"]}).write_parquet(folder / "words.parquet")


def write_fasttext(folder: Path) -> None:
    rows = [(8.0, 0.0), (0.0, 1.0), (0.0, 2.0)]
    vector_files.fasttext(folder / "model.bin", ["ant"], rows, smallest=3, largest=3, buckets=2, pruned={1: 0})


def write_word2vec(folder: Path) -> None:
    vector_files.word2vec(folder / "vectors.bin", {"robin": (1, 0), "bird": (3, 4)})


PACKAGES = {
    "bats": Package(write_bats, bats.read, ("E01 [[]country - capital].txt",)),
    "semeval2012": Package(
        write_semeval,
        read_semeval,
        (
            "*definitions.txt",
            "reversals.txt",
            "MyRatings-1b.txt",
            *(f"Phase{phase}{part}-1b.txt" for phase in (1, 2) for part in ("Questions", "Answers")),
        ),
    ),
    "systematicity": Package(
        systematicity_data.write,
        read_systematicity,
        ("LM-Diagnostic/singular.tsv", "LM-Diagnostic/plural.tsv", "LM-Diagnostic/contextual.tsv", "test_*_split1.tsv"),
    ),
    "fasttext": Package(write_fasttext, static_vectors.read, ("model.bin",)),
    "word2vec": Package(write_word2vec, static_vectors.read, ("vectors.bin",)),
    "matrix": Package(write_matrix, static_vectors.read, ("vectors.npy", "words.parquet")),
}


@pytest.mark.parametrize(
    ("name", "file"), [(name, file) for name, package in PACKAGES.items() for file in package.files]
)
def test_a_reader_of_several_files_never_ends_in_another_exception(tmp_path_factory, name, file):
    folder = tmp_path_factory.mktemp(name)
    PACKAGES[name].write(folder)
    PACKAGES[name].read(folder)
    (path,) = folder.rglob(file)
    never_another_exception(folder, path, lambda: PACKAGES[name].read(folder), path.read_bytes())


def written(folder: Path, name: str) -> Path:
    path = folder / "resource" / "file.txt"
    path.parent.mkdir()
    path.write_text(GOOD[name], encoding="utf-8")
    return path


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_is_no_error(tmp_path, name):
    READERS[name](written(tmp_path, name))
