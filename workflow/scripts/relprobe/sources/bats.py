"""BATS 3.0, the Bigger Analogy Test Set (Gladkova et al. 2016): 40 relations of 50 word pairs; a relation is a file."""

import re
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text

PAIRS = pl.Schema(
    {
        "relation": pl.String(),  # the code of BATS, such as E01
        "name": pl.String(),  # from the file's name, such as "country - capital"
        "head": pl.String(),
        "answers": pl.List(pl.String()),  # the words that stand in the relation to the head, BATS' first choice first
    }
)
FILE = re.compile(r"(?P<code>[DEIL]\d\d) \[(?P<name>.+)\]\.txt")
LIKE_A_FILE = re.compile(r".*\[.*\].*|[A-Za-z]\d\d\b.*", re.DOTALL)
"""A name that was meant as a relation's, such as "X01 [things].txt", but has another form."""


def read(folder: Path) -> pl.DataFrame:
    r"""Read all files such as "E01 [country - capital].txt" in a folder and the folders in it (PAIRS), sorted by code.

    A line holds a head, a tab and answers with "/" between them; "_" stands for a blank inside a word. DataError: there
    is no such file, a file is named almost like one (such as "X01 [things].txt"), a file holds no pairs, two files have
    the same code, a line has another form, or a head comes twice.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "L01 [hypernyms].txt").write_text("sea_cow\tmammal/animal\n")
    ...     read(Path(folder)).select("relation", "head", "answers").rows()
    [('L01', 'sea cow', ['mammal', 'animal'])]
    """
    texts = sorted((path.name, path) for path in folder.rglob("*.txt"))
    files = [(name, path) for name, path in texts if FILE.fullmatch(name)]
    if misnamed := [path for name, path in texts if LIKE_A_FILE.fullmatch(name) and not FILE.fullmatch(name)]:
        raise DataError(
            f'{misnamed[0]} has no name like "E01 [country - capital].txt", with D, E, I or L for the group: rename it, '
            "or give relations of other groups as a CSV file under resources.own_analogies."
        )
    if not files:
        raise DataError(f'{folder} holds no file like "E01 [country - capital].txt": give the folder of BATS 3.0.')
    codes = [name[:3] for name, _ in files]
    if twice := [code for code in codes if codes.count(code) > 1]:
        raise DataError(f"{folder} holds several files of the relation {twice[0]}: keep one.")
    return pl.concat([_relation(path) for _, path in files])


def _relation(path: Path) -> pl.DataFrame:
    match = FILE.fullmatch(path.name)
    assert match is not None
    rows: dict[str, list[str]] = {}
    for number, line in enumerate(read_own_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        head, _, listed = line.partition("\t")
        head, words = _word(head), map(_word, listed.split("/"))
        answers = list(dict.fromkeys(word for word in words if word))
        if not head or not answers:
            raise DataError(
                f'{path}, line {number}: {line!r} is no head, tab and answers with "/" between them: correct it.'
            )
        if head in rows:
            raise DataError(f"{path}, line {number}: the head {head!r} comes a second time: unite its answers.")
        rows[head] = answers
    if not rows:
        raise DataError(f"{path} holds no pairs: get it anew, or remove it to leave the relation out.")
    columns = {"head": list(rows), "answers": list(rows.values())}
    table = pl.DataFrame(columns, schema={"head": pl.String, "answers": pl.List(pl.String)})
    return table.select(relation=pl.lit(match["code"]), name=pl.lit(match["name"]), head="head", answers="answers")


def _word(written: str) -> str:
    return written.replace("_", " ").strip()
