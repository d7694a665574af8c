"""HyperLex (Vulić et al. 2017): pairs of words, each with the relation that it is an example of."""

import re
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text
from relprobe.core.relation import TUPLES, Relation

COLUMNS = ["WORD1", "WORD2", "POS", "TYPE"]
LETTERS = {"noun": "N", "verb": "V"}
STEPS = re.compile(r"-\d+$")


def read(path: Path, relations: Iterable[Relation]) -> pl.DataFrame:
    r"""Return the tuples of `hyperlex-nouns.txt`, `hyperlex-verbs.txt` or `hyperlex-all.txt`, as TUPLES.

    A relation takes the pairs of its part of speech whose type is its name in HyperLex, whatever number of steps follows: of
    `hyp` the types hyp-1 to hyp-4 (X is a Y), of `r-hyp` their reverse, `mero` pairs are (part, whole). Pairs of other types
    are left out. DataError: the header or a line has another form.

    >>> from tempfile import TemporaryDirectory
    >>> hyp = Relation("HYP", "hypernymy", "HPO", sources={"hyperlex": "hyp"})
    >>> hol = Relation("HOL", "holonymy", "MER", sources={"hyperlex": "mero"})
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "hyperlex-nouns.txt")
    ...     _ = path.write_text("WORD1 WORD2 POS TYPE AVG_SCORE\nrobin bird N hyp-1 5.0\nwall house N mero 4.2\n")
    ...     read(path, [hyp, hol]).select("target", "relation", "relatum").rows()
    [('robin', 'HYP', 'bird'), ('wall', 'HOL', 'house')]
    """
    named = [one for one in relations if "hyperlex" in one.sources]
    codes = {(LETTERS.get(one.part_of_speech), one.sources["hyperlex"]): one.code for one in named}
    lines = read_own_text(path).splitlines()
    if not lines or lines[0].split()[:4] != COLUMNS:
        raise DataError(f"{path}: the first line does not start with {' '.join(COLUMNS)}: is this a HyperLex file?")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split()
        if len(fields) < len(COLUMNS):
            raise DataError(f"{path}, line {number}: {len(fields)} fields where at least 4 are expected.")
        word1, word2, pos, kind = fields[:4]
        code = codes.get((pos, STEPS.sub("", kind)))
        if code is not None:
            rows.append((word1, code, word2, ["hyperlex"]))
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)
