"""What a run has found, in the words of its pages, as the last lines of `relprobe run`."""

import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

from relprobe.command.events import RunState
from relprobe.core.files import read_json
from relprobe.core.unmade import is_unshown, unmade_files
from relprobe.report.widths import LEFT_OUT

WIDTH = 100


def lines(run: RunState, results: Path) -> Iterator[str]:
    """Yield the finding of each study whose page a run has made, and where the pages are.

    `results`: the folder of results.
    """
    for study in dict.fromkeys(run.pages()):
        card = results / study / "card.json"
        if card.is_file():
            yield ""
            yield from textwrap.wrap(f"{study}: {read_json(card)['finding']}", WIDTH, break_on_hyphens=False)
    if (results / "report.html").is_file():
        yield ""
        yield f"The pages of this run: {results / 'report.html'} (relprobe open)"


def undrawn(results: Path) -> Iterator[str]:
    """Yield a sentence on each study of whose tables or figures some could not be made, for its page or for print."""
    for name, files in _undrawn(results):
        listed = ", ".join(dict.fromkeys(_name(file, results) for file in files))
        yield f"{name}: {listed} could not be made, as its log says; all else is here, and the next run makes it again."


def forget_undrawn(results: Path) -> None:
    """Delete what stands in place of tables and figures that could not be made, so that the next run makes them."""
    for _, files in _undrawn(results):
        for file in files:
            if (file.parent / LEFT_OUT).is_file():  # of print: the folder is what a job makes
                shutil.rmtree(file.parent, ignore_errors=True)
            file.unlink(missing_ok=True)


def _name(file: Path, results: Path) -> str:
    """Return what a table or figure is called; that of an agent has the name of its folder, too.

    >>> [_name(Path(file), Path("r")) for file in ("r/degrees/ceiling.parquet", "r/degrees/tables/halves.csv")]
    ['ceiling', 'halves']
    >>> _name(Path("r/degrees/choice/gpt2.parquet"), Path("r"))
    'choice of gpt2'
    """
    is_agent_file = file.parent.parent.parent == results and file.parent.name not in ("tables", "figures")
    return f"{file.parent.name} of {file.stem}" if is_agent_file else file.stem


def _undrawn(results: Path) -> Iterator[tuple[str, list[Path]]]:
    """Yield where tables and figures belong, and the files in their place.

    The files of tables say so themselves, as a page does not name the table of an earlier step; of one that is newer than
    the page of its study nothing is said before that is made. Cards and folders of figures for print list figures.
    """
    for card in sorted(results.glob("*/card.json")):
        folder = card.parent
        files = [folder / f"figures/{name}.svg" for name in read_json(card).get("undrawn", ())]
        unmade = [file for file in unmade_files(folder) if file.stat().st_mtime <= card.stat().st_mtime]
        files += [*unmade, *(file.with_suffix(".csv") for file in unmade if file.parent.name == "tables")]
        files += [folder / "answers.html"] * is_unshown(folder / "answers.html")
        if files:
            yield folder.name, files
    for listed in sorted(results.glob(f"paper/figures/*/*/{LEFT_OUT}")):
        figure_folder = f"{listed.parent.parent.name} at {listed.parent.name}"
        yield figure_folder, [listed.with_name(f"{name}.pdf") for name in listed.read_text("utf-8").split()]
