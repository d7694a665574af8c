"""The pictures of published figures of all studies of a run, as files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from relprobe.report.figures import save
from relprobe.report.picture import in_words, picture
from relprobe.report.published import read_beside
from relprobe.report.shown import declared


def draw(
    tables: Sequence[Path], names: Mapping[str, Mapping[str, str]], families: Mapping[str, str], folder: Path
) -> dict[str, str]:
    """Draw the picture of every study that has one, and return study -> what it shows in words.

    `tables`: the files STUDY/tables/published.csv. `names`: study -> code -> name of a condition. `families`: agent ->
    family. `folder`: where the files STUDY.svg and STUDY.png come to lie.
    """
    said = {}
    for path in tables:
        study, table = path.parent.parent.name, read_beside(path)
        quantities = declared(study).pictured
        figure = picture(table, quantities, families, names.get(study, {}))
        if figure is not None:
            save(figure, folder / f"{study}.svg")
            said[study] = in_words(table, quantities, names.get(study, {}))
    return said
