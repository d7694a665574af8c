"""The pictures of published figures of all studies of a run, as files."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from relprobe.report.figures import save
from relprobe.report.picture import in_words, picture
from relprobe.report.shown import declared


def draw(
    tables: Mapping[str, pl.DataFrame],
    names: Mapping[str, Mapping[str, str]],
    families: Mapping[str, str],
    folder: Path,
) -> dict[str, str]:
    """Draw the picture of every study that has one, and return study -> what it shows in words.

    `tables`: study -> what `published.beside` returns. `names`: study -> code -> name of a condition. `families`: agent ->
    family. `folder`: where the files STUDY.svg and STUDY.png come to lie.
    """
    said = {}
    for study, table in tables.items():
        quantities = declared(study).pictured
        figure = picture(table, quantities, families, names.get(study, {}))
        if figure is not None:
            save(figure, folder / f"{study}.svg")
            said[study] = in_words(table, quantities, names.get(study, {}))
    return said
