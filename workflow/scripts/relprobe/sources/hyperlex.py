"""HyperLex (Vulić et al. 2017): pairs of words, each with the relation that it is an example of."""

from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_text
from relprobe.core.relation import TUPLES

COLUMNS = ["WORD1", "WORD2", "POS", "TYPE"]


def read(path: Path) -> pl.DataFrame:
    r"""Return the noun tuples of `hyperlex-nouns.txt` (or `hyperlex-all.txt`), as TUPLES.

    The types `hyp-*` (X is a Y) are HYP tuples, `r-hyp-*` are HPO, `ant` ANT and `syn` SYN; `mero` pairs are (part, whole),
    so they are HOL. Co-hyponyms and unrelated pairs are left out. DataError: the header or a line has another form.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "hyperlex-nouns.txt")
    ...     _ = path.write_text("WORD1 WORD2 POS TYPE AVG_SCORE\nrobin bird N hyp-1 5.0\nwall house N mero 4.2\n")
    ...     read(path).select("target", "relation", "relatum").rows()
    [('robin', 'HYP', 'bird'), ('wall', 'HOL', 'house')]
    """
    lines = read_text(path).splitlines()
    if not lines or lines[0].split()[:4] != COLUMNS:
        raise DataError(f"{path}: the first line does not start with {' '.join(COLUMNS)}: is this a HyperLex file?")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split()
        if len(fields) < len(COLUMNS):
            raise DataError(f"{path}, line {number}: {len(fields)} fields where at least 4 are expected.")
        word1, word2, pos, kind = fields[:4]
        relation = _relation(kind)
        if pos == "N" and relation is not None:
            rows.append((word1, relation, word2, ["hyperlex"]))
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _relation(kind: str) -> str | None:
    if kind.startswith("hyp-"):
        return "HYP"
    if kind.startswith("r-hyp-"):
        return "HPO"
    return {"mero": "HOL", "ant": "ANT", "syn": "SYN"}.get(kind)
