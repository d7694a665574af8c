"""Write the tables of docs/simulations.md: `python docs/simulations.py [TEXT …]`, all or those whose command has a text.

A table stands between `<!-- simulated -->` and `<!-- end -->`, below the command that makes it, which is run anew. All of
them take hours. With `--check STUDIES` nothing is written: each command runs with so few studies, and the exit status says
whether a rate differs by more than chance from that of the page. Commands that read `results/` are left out where there are
no results of the default study.
"""

import argparse
import math
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/simulations.md"
PASSAGE = re.compile(r"<!-- simulated -->\n`python -m ([^`]+)`\n\n(.*?)\n<!-- end -->", re.DOTALL)
STUDIES = re.compile(r"--studies (\d+)")
SIMULATED = re.compile(r"-?\d+\.\d{3}")
"""A number that a simulation makes has three decimals; all others say what is simulated."""
MEANS = {
    *("mean difference", "its deviation", "the error that a study says", "detectable", "width"),
    *("for this target: contrast", "plain: contrast", "two agents: contrast"),
}
"""The columns that are no rates."""
ERRORS = 4.5
"""So many standard errors may two rates differ: of 1,000 cells, chance alone takes one in a hundred checks so far apart."""


@dataclass(frozen=True)
class Table:
    """A table of the page: the words of its command after `python -m`, and its lines."""

    command: str
    text: str

    @property
    def studies(self) -> int:
        """The number of simulated studies."""
        found = STUDIES.search(self.command)
        if found is None:
            raise ValueError(f"{self.command}: the command names no number of studies: add --studies NUMBER")
        return int(found[1])

    @property
    def rows(self) -> list[dict[str, str]]:
        """The cells of each row by the heads of their columns; a head that occurs again has its place behind it."""
        head, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.text.splitlines()]
        names = [name if head.index(name) == place else f"{name} {place}" for place, name in enumerate(head)]
        return [dict(zip(names, cells, strict=True)) for cells in lines]

    @property
    def below_command(self) -> str:
        """The table as the page shows it, below its command."""
        return f"`python -m {self.command}`\n\n{self.text}"

    def smaller(self, studies: int) -> "Table":
        """Return the table as its command makes it now, with so many studies."""
        return made(STUDIES.sub(f"--studies {studies}", self.command))


def tables(page: str) -> list[Table]:
    """Return the tables of a page."""
    return [Table(*found.groups()) for found in PASSAGE.finditer(page)]


def made(command: str) -> Table:
    """Run a command, and return the table that it prints. RuntimeError: it fails, or prints no table."""
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
    if done.returncode or not lines:
        raise RuntimeError(f"python -m {command}: {done.stderr.strip() or 'it prints no table'}")
    return Table(command, "\n".join(lines))


def differences(page: Table, new: Table) -> Iterator[str]:
    r"""Yield a sentence on each row that only one of two tables has, and on each number that differs by more than chance.

    A rate may differ by 4.5 standard errors of the difference of two samples, and a mean by half of its value and 0.05.

    >>> page = Table("linked --studies 400", "| clusters | rate |\n|---|---:|\n| 30 | 0.050 |")
    >>> list(differences(page, Table("linked --studies 100", "| clusters | rate |\n|---|---:|\n| 30 | 0.080 |")))
    []
    >>> list(differences(page, Table("linked --studies 100", "| clusters | rate |\n|---|---:|\n| 30 | 0.300 |")))
    ['linked --studies 400: 30: rate is 0.050 on the page and 0.300 of 100 studies']
    """
    shown, found = (keyed(table) for table in (page, new))
    for key in dict.fromkeys([*shown, *found]):
        if key not in found or key not in shown:
            where = "on the page" if key in shown else "in what the command makes now"
            yield f"{page.command}: the row {key} is only {where}"
            continue
        for name in [name for name in shown[key] if name in found[key]]:  # of too few studies a command makes no number
            was, now = shown[key][name], found[key][name]
            if not near(float(was), float(now), page.studies, new.studies, mean=name in MEANS):
                yield f"{page.command}: {key}: {name} is {was} on the page and {now} of {new.studies} studies"


def keyed(table: Table) -> dict[str, dict[str, str]]:
    """Return the simulated numbers of each row, by all else that stands in the row; an empty cell is neither."""
    rows = {}
    for row in table.rows:
        simulated = {name: cell for name, cell in row.items() if SIMULATED.fullmatch(cell)}
        rows[", ".join(cell for name, cell in row.items() if cell and name not in simulated)] = simulated
    return rows


def near(was: float, now: float, was_of: int, now_of: int, *, mean: bool) -> bool:
    """Return whether two numbers of so many studies differ by no more than chance."""
    if mean:
        return abs(was - now) <= 0.05 + abs(was) / 2
    rate = (was * was_of + now * now_of + 1) / (was_of + now_of + 2)  # never 0 or 1, where the error would be 0
    return abs(was - now) <= ERRORS * math.sqrt(rate * (1 - rate) * (1 / was_of + 1 / now_of))


def can_run(table: Table) -> bool:
    """Return whether the results that the command reads, if it reads any, are here."""
    folders = [word for word in shlex.split(table.command) if word.startswith("results")]
    return all((ROOT / folder).exists() for folder in folders)


def main() -> int:
    """Write the tables, or compare them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="only tables whose command has one of these texts")
    parser.add_argument("--check", type=int, metavar="STUDIES", help="write nothing; compare with so many studies")
    options = parser.parse_args()
    wanted = [
        table
        for table in tables(PAGE.read_text("utf-8"))
        if not options.texts or any(text in table.command for text in options.texts)
    ]
    for table in wanted:
        if not can_run(table):
            print(f"left out, as its results are not here: {table.command}")
    here = [table for table in wanted if can_run(table)]
    if options.check:
        differing = [text for table in here for text in differences(table, table.smaller(options.check))]
        print("\n".join(differing) or f"{len(here)} tables are what their commands make")
        return int(bool(differing))
    for table in here:
        new = made(table.command)
        text = PAGE.read_text("utf-8")
        if table.below_command not in text:
            raise RuntimeError(f"{table.command}: its table on the page was edited while it was made: run it again")
        PAGE.write_text(text.replace(table.below_command, new.below_command), "utf-8")
        print(table.command, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
