"""People's answers to the tasks of the definitions study, from a CSV file: candidates in the order of a participant."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from relprobe.core.csv_schema import CsvSchema, Spellings, whole_number
from relprobe.core.errors import DataError
from relprobe.core.words import enumeration
from relprobe.sources import exported
from relprobe.sources.exported import AnswerTable, Layout

SCHEMA = CsvSchema(("task", "group", "participant", "candidate", "rank"), other_columns=True, long=("candidate",))
ANSWER_TABLE = AnswerTable("definition_answers", SCHEMA.columns, "rank")
MOST = 10**6
"""The largest rank."""
TASKS = ("w2d", "d2w")


@dataclass(frozen=True)
class Rank:
    """The rank that a participant gave a candidate in a task of a group, 1 for the best. `line`: that of the file.

    `further`: what further columns of the table say.
    """

    task: str
    group: str
    participant: str
    candidate: str
    rank: int
    line: int
    further: Mapping[str, str] = field(default_factory=dict, compare=False)


def read(path: Path, layout: Layout | None = None) -> list[Rank]:
    r"""Return the ranks of a CSV file with the columns of SCHEMA, in any order and among others.

    `layout`: where a table of another program has them (`relprobe.sources.exported`). Rows with an empty rank do not count,
    so that the filled form of the study is such a file, and nobody must rank all candidates; nor does a chosen candidate
    that is empty. DataError, which names the line: a column is missing, a field is empty, a task is unknown, a rank is no
    whole number from 1 on, or a participant gives a rank twice, ranks a candidate twice, or leaves a rank out.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.csv")
    ...     rows = "w2d,nod.v.01,anna,lower the head,1\nw2d,nod.v.01,anna,bend the body,\n"
    ...     _ = path.write_text("task,group,participant,candidate,rank\n" + rows)
    ...     [(rank.candidate, rank.rank) for rank in read(path)]
    [('lower the head', 1)]
    """
    participants = Spellings("the participant")
    ranks: dict[tuple[str, str, str], dict[int, Rank]] = {}
    for row in SCHEMA.read(path).rows if layout is None else exported.read(path, ANSWER_TABLE, layout):
        where, line, fields = row.where, row.line, row.cells
        if not fields["rank"] or (layout is not None and not fields["candidate"]):
            continue
        entry = replace(_rank(where, line, fields), further=row.further)
        participants.add(entry.participant, row)
        rankings = ranks.setdefault((entry.task, entry.group, entry.participant), {})
        twice = [
            earlier
            for earlier in rankings.values()
            if earlier.rank == entry.rank or earlier.candidate == entry.candidate
        ]
        if twice:
            raise DataError(
                f"{where}: {entry.participant!r} has the rank or the candidate in line {twice[0].line}, too: correct one."
            )
        rankings[entry.rank] = entry
    if not ranks:
        raise DataError(f"{path} holds no ranks: fill in the column rank.")
    for ranking in ranks.values():
        if set(ranking) != set(range(1, len(ranking) + 1)):
            last = ranking[max(ranking)]
            raise DataError(
                f"{path}, line {last.line}: {last.participant!r} gives rank {last.rank} in {last.task} of {last.group!r}, "
                "but not all ranks before it: add them."
            )
    return [entry for ranking in ranks.values() for entry in ranking.values()]


def _rank(where: str, line: int, fields: dict[str, str]) -> Rank:
    if empty := [name for name in SCHEMA.columns if not fields[name]]:
        raise DataError(f"{where}: {empty[0]} is empty: fill it in, or leave the rank empty.")
    if fields["task"] not in TASKS:
        raise DataError(f"{where}: unknown task {fields['task']!r}; known are {enumeration(TASKS)}.")
    rank = whole_number(fields["rank"], MOST)
    if not rank:
        raise DataError(f"{where}: the rank {fields['rank']!r} is no whole number from 1 on: correct it.")
    task, group, participant, candidate = (fields[name] for name in SCHEMA.columns[:4])
    return Rank(task, group, participant, candidate, rank, line)
