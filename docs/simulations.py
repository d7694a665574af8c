"""Write the tables of benchmarks/simulated.md: `python docs/simulations.py [TEXT …]`, all or those whose command has a text.

A table stands between `<!-- simulated -->` and `<!-- end -->`, below the command that makes it, which is run anew. All of
them take hours. docs/simulations.md then gets the worst rates of each, between `<!-- worst -->` and `<!-- end -->`; with
`--worst` nothing is simulated. With `--check STUDIES` nothing is written: each command runs with so few studies, and the
exit status says whether a rate differs by more than chance from that of the file. Commands that read `results/` are left
out where there are no results of the default study.
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
FILE = ROOT / "benchmarks/simulated.md"
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


WORST = re.compile(r"<!-- worst -->\n(.*?)\n<!-- end -->", re.DOTALL)


@dataclass(frozen=True)
class Summary:
    """What the page says of the tables whose command has a text: their worst rates."""

    command: str
    title: str
    different: tuple[str, ...]
    """The columns that say how often equal agents are called different."""
    holds: tuple[str, ...]
    """The columns that say how often an interval holds the truth."""
    independent: tuple[str, ...] = ()
    """The columns that say how often they are called different if the units are taken as independent."""
    row: str = ""
    """A cell of the rows that count; "": all do."""


EQUAL, MEAN, DIFFERENT = "interval, equal", "interval, a mean", "interval, different"
SUMMARIES = (
    Summary(
        "links --studies 200 --results results/relations-human",
        "linked targets and pairs of the study with people",
        ("linked, equal",),
        (EQUAL, MEAN, DIFFERENT),
        ("flips, equal",),
    ),
    Summary(
        "links --studies 200 --results results/relations ",
        "linked targets and pairs of the default study",
        ("linked, equal",),
        (EQUAL, MEAN, DIFFERENT),
        ("flips, equal",),
    ),
    Summary(
        "inference --only table",
        "prompts, families and other clusters",
        ("ours, equal",),
        (EQUAL, MEAN, DIFFERENT),
        ("paper's test, equal",),
    ),
    Summary("chance --only designs", "guesses", ("called different",), ("the interval holds 0",)),
    Summary("chance results", "guesses in the default study", ("called different",), ("the interval holds 0",)),
    Summary(
        "audc results",
        "AuDC over pairs of relations with ten targets",
        ("p < 0.05",),
        ("its interval holds", "that of the difference holds 0"),
        ("sign flips < 0.05",),
        row="10 targets",
    ),
    Summary(
        "series --only plain",
        "series: trends, and members against the last",
        ("equal", "rises and falls", "any false, equal: max-T", "any false, half worse: max-T"),
        ("its interval", "its interval 5"),
    ),
    Summary(
        "series --only linked",
        "series of linked targets: members against the last",
        ("any false, equal: Holm", "any false, half worse: Holm"),
        (),
        ("any false, equal: signs", "any false, half worse: signs"),
    ),
    Summary("series --only half", "series: where half of the last value is reached", (), ("holds",)),
    Summary("categories", "hyponyms in categories", ("rejects",), ("interval holds",), row="categories"),
)


@dataclass(frozen=True)
class Table:
    """A table of the file: the words of its command after `python -m`, and its lines."""

    command: str
    text: str

    @property
    def studies(self) -> int:
        """The number of simulated studies."""
        match = STUDIES.search(self.command)
        if match is None:
            raise ValueError(f"{self.command}: the command names no number of studies: add --studies NUMBER")
        return int(match[1])

    @property
    def rows(self) -> list[dict[str, str]]:
        """The cells of each row by the heads of their columns; a head that occurs again has its place behind it."""
        head, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.text.splitlines()]
        names = [name if head.index(name) == number else f"{name} {number}" for number, name in enumerate(head)]
        return [dict(zip(names, cells, strict=True)) for cells in lines]

    @property
    def below_command(self) -> str:
        """The table as the file has it, below its command."""
        return f"`python -m {self.command}`\n\n{self.text}"

    def smaller(self, studies: int) -> "Table":
        """Return the table as its command makes it now, with so many studies."""
        return output_of(STUDIES.sub(f"--studies {studies}", self.command))


def tables(page: str) -> list[Table]:
    """Return the tables of a file."""
    return [Table(*passage.groups()) for passage in PASSAGE.finditer(page)]


def praise_rates(text: str) -> str:
    """Return the rows of the table of blind agents that have a rate above 0, and one of all others."""
    head = text.index("| blind agent |")
    top, line, samples, *rows = text[head : text.index("\n\n", head)].splitlines()
    above = [row for row in rows if re.search(r"0\.(?!00)\d\d|1\.00", row)]
    zeros = f"| {len(rows) - len(above)} others |{' 0.00 |' * (top.count('|') - 2)}"
    return "\n".join([top, line, samples, *above, zeros])


def worst(page_tables: list[Table]) -> str:
    """Return a table of the worst rates of each table that SUMMARIES names."""
    lines = [
        "| simulated | cases | called different: mean | most | interval holds: mean | least | as if independent: most |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for summary in SUMMARIES:
        number = sum(len(rows_of(table, summary)) for table in page_tables if summary.command in f"{table.command} ")
        different, holds, independent = (
            rates(page_tables, summary, names) for names in (summary.different, summary.holds, summary.independent)
        )
        cells = [summary.title, str(number)]
        cells += [f"{sum(different) / len(different):.3f}", f"{max(different):.3f}"] if different else ["", ""]
        cells += [f"{sum(holds) / len(holds):.3f}", f"{min(holds):.3f}"] if holds else ["", ""]
        lines.append(f"| {' | '.join([*cells, f'{max(independent):.3f}' if independent else ''])} |")
    return "\n".join(lines)


def rates(page_tables: list[Table], summary: Summary, names: tuple[str, ...]) -> list[float]:
    """Return the rates of some columns in the rows that a summary takes."""
    rows = [row for table in page_tables if summary.command in f"{table.command} " for row in rows_of(table, summary)]
    return [float(row[name]) for row in rows for name in names if row.get(name)]


def rows_of(table: Table, summary: Summary) -> list[dict[str, str]]:
    """Return the rows of a table that a summary takes."""
    return [row for row in table.rows if summary.row in row.values() or not summary.row]


def output_of(command: str) -> Table:
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
    ['linked --studies 400: 30: rate is 0.050 in the file and 0.300 of 100 studies']
    """
    shown, computed = (by_key(table) for table in (page, new))
    for key in dict.fromkeys([*shown, *computed]):
        if key not in computed or key not in shown:
            where = "in the file" if key in shown else "in what the command makes now"
            yield f"{page.command}: the row {key} is only {where}"
            continue
        for name in [
            name for name in shown[key] if name in computed[key]
        ]:  # of too few studies a command makes no number
            was, now = shown[key][name], computed[key][name]
            if not near(float(was), float(now), page.studies, new.studies, mean=name in MEANS):
                yield f"{page.command}: {key}: {name} is {was} in the file and {now} of {new.studies} studies"


def by_key(table: Table) -> dict[str, dict[str, str]]:
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
    parser.add_argument("--worst", action="store_true", help="simulate nothing; write the worst rates into the page")
    options = parser.parse_args()
    if options.worst:
        write_worst()
        return 0
    wanted = [
        table
        for table in tables(FILE.read_text("utf-8"))
        if not options.texts or any(text in table.command for text in options.texts)
    ]
    for table in wanted:
        if not can_run(table):
            print(f"left out, as its results are not here: {table.command}")
    runnable = [table for table in wanted if can_run(table)]
    if options.check:
        differing = [text for table in runnable for text in differences(table, table.smaller(options.check))]
        print("\n".join(differing) or f"{len(runnable)} tables are what their commands make")
        return int(bool(differing))
    for table in runnable:
        new = output_of(table.command)
        text = FILE.read_text("utf-8")
        if table.below_command not in text:
            raise RuntimeError(f"{table.command}: its table was edited while it was made: run it again")
        FILE.write_text(text.replace(table.below_command, new.below_command), "utf-8")
        print(table.command, flush=True)
    if runnable:
        write_worst()
    return 0


def write_worst() -> None:
    """Write the tables of the page anew from those of the file."""
    text = FILE.read_text("utf-8")
    new = iter([worst(tables(text)), praise_rates(text)])
    page = WORST.sub(lambda _: f"<!-- worst -->\n{next(new)}\n<!-- end -->", PAGE.read_text("utf-8"))
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
