"""People's answers to probes: the CSV file of a laboratory, or the JSON file of Cao et al."""

import codecs
import difflib
import json
import logging
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Once, Row, Spellings, whole_number
from relprobe.core.errors import DataError
from relprobe.core.files import BEGINNING, check_seen, nfc, read_json
from relprobe.core.relation import Relations
from relprobe.sources import exported
from relprobe.sources.catch_items import CATCH, failures
from relprobe.sources.exported import AnswerTable, Layout
from relprobe.sources.written import GAPS, answered_word, checked_word, fault_in

logger = logging.getLogger("relprobe")
SCHEMA = CsvSchema(("target", "relation", "prompt", "participant", "rank", "answer"), other_columns=True)
ANSWER_TABLE = AnswerTable("human_responses", SCHEMA.columns, "answer", counted=True)
MOST = 60_000
"""Participants and ranks of one file are numbered up to this."""

Answer = tuple[str, str, str, str, int, str]
"""Target, relation, prompt, participant, rank and word."""
HUMAN_ANSWERS = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),  # its code, or what the file calls it if no relation has that name
        "prompt": pl.String(),  # as the file writes it
        "annotator": pl.UInt16(),
        "participant": pl.String(),  # the name behind the annotator's number
        "rank": pl.UInt16(),
        "word": pl.String(),
    }
)


def is_table(path: Path) -> bool:
    """Return whether a file of answers is a table, and not the JSON file of the authors."""
    if path.suffix.lower() in (".csv", ".json"):
        return path.suffix.lower() == ".csv"
    return not path.read_bytes()[:BEGINNING].removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")


def _rows(path: Path, layout: Layout | None) -> Iterator[Row]:
    """Yield the rows of a table: those that a layout finds, or those of a table with the columns of SCHEMA."""
    return SCHEMA.read(path).rows if layout is None else exported.read(path, ANSWER_TABLE, layout)


def read(
    path: Path, codes: Mapping[str, str], articles: Collection[str] = (), layout: Layout | None = None
) -> pl.DataFrame:
    """Return a row per answer (ANSWERS) from a CSV file, or from the authors' JSON file.

    `codes`: the names that relations have in the file -> their codes. A CSV file has the columns of SCHEMA in any order,
    maybe among others; tabs may separate them in a file that ends in .tsv. `layout`: where a table of another program has
    them (`relprobe.sources.exported`). A row is one answer, its rank is 1, 2, …, and a row without an answer says nothing.
    Every participant has one number in the whole file, the place of the name in the alphabet. An answer that a participant
    gives to a prompt again, at a later rank, counts once. A JSON file has target -> relation key -> prompt -> a list of
    words per annotator, in the order of typing, where a blank is no answer; its annotators count from 1 for each prompt.

    Answers of a CSV file are read as `answered_word` does: without what stands around the word, and without an article
    (`articles`, those of the language); those of the JSON file are in Unicode's form NFC, with one blank between words.
    Catch items are no answers; who fails one is left out with all answers (`failed_answers`), and a warning says so.
    DataError: the file has another form, an answer is no word (`fault_in`), or a participant gives a rank twice to a prompt.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.json")
    ...     _ = path.write_text('{"robin": {"hyp": {"a robin is a [V]": [["bird"], []]}}}')
    ...     read(path, {"hyp": "HYP"}).rows()
    [('robin', 'HYP', 'a robin is a [V]', 1, '1', 1, 'bird')]
    """
    if not is_table(path):
        if not (answers := list(_json_rows(path, codes))):
            raise DataError(f"{path} holds no answers: give each prompt its lists of words.")
        return pl.DataFrame(answers, schema=HUMAN_ANSWERS, orient="row")
    failed = failures(_rows(path, layout), articles)
    for participant, how in failed.items():
        logger.warning("%s: %r %s, a catch item: all answers of this participant are left out.", path, participant, how)
    answer_rows = list(_csv_rows(path, codes, articles, layout))
    if not answer_rows:
        raise DataError(f"{path} holds no answers: fill in the column answer.")
    rows = [row for row in answer_rows if row[3] not in failed]
    numbers = {name: number for number, name in enumerate(sorted({row[3] for row in rows}), start=1)}
    numbered = [(*row[:3], numbers[row[3]], *row[3:]) for row in rows]
    table = pl.DataFrame(numbered, schema=HUMAN_ANSWERS, orient="row")
    table = table.sort("target", "relation", "prompt", "annotator", "rank", maintain_order=True)
    once = table.unique(["target", "relation", "prompt", "annotator", "word"], keep="first", maintain_order=True)
    if again := table.height - once.height:
        logger.warning("%s: %d answers are given by one participant to one prompt again, and count once.", path, again)
    return once


def failed_answers(
    path: Path, codes: Mapping[str, str], articles: Collection[str] = (), layout: Layout | None = None
) -> list[tuple[Answer, str]]:
    """Return the answers of those who failed a catch item, which `read` leaves out, each with the reason."""
    if not is_table(path):
        return []
    failed = failures(_rows(path, layout), articles)
    rows = _csv_rows(path, codes, articles, layout) if failed else iter(())
    return [(row, f"the participant {failed[row[3]]}, a catch item") for row in rows if row[3] in failed]


FURTHER = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),
        "prompt": pl.String(),
        "annotator": pl.UInt16(),
        "further": pl.String(),  # a JSON object: the name of a column -> its cell
    }
)


def further_columns(
    path: Path, codes: Mapping[str, str], articles: Collection[str] = (), layout: Layout | None = None
) -> pl.DataFrame:
    """Return what the further columns of a table say of the first answer of each participant to each prompt (FURTHER).

    The arguments and the errors are those of `read`, whose numbers participants have; there are no rows without a layout
    that names such columns. Cells are as they stand in the table.
    """
    first: dict[tuple[str, str, str, str], tuple[int, str]] = {}
    if layout is None or not layout.further or not is_table(path):
        return pl.DataFrame(schema=FURTHER)
    people = dict(read(path, codes, articles, layout).select("participant", "annotator").iter_rows())
    for row in _rows(path, layout):
        target, relation, prompt, who, _, answer = (row.cells[name] for name in SCHEMA.columns)
        if not answer or relation == CATCH or who not in people:
            continue
        key = (checked_word(target, row.where), codes.get(relation, relation), prompt, who)
        rank = _rank(row)
        if key not in first or rank < first[key][0]:
            first[key] = rank, json.dumps(dict(row.further), ensure_ascii=False)
    rows = [(*key[:3], people[key[3]], cells) for key, (_, cells) in first.items()]
    return pl.DataFrame(rows, schema=FURTHER, orient="row")


def check_prompts(
    path: Path, relations: Relations, prompts: Mapping[tuple[str, str], str], layout: Layout | None = None
) -> None:
    """Check that the answers of a table are about relations, and to prompts, that there are.

    Answers about a relation for which the study has no prompts say nothing here. `prompts`: the code of a relation and what
    answers may call a prompt of it -> the prompt's id. DataError, which names the line: a relation or a prompt is unknown,
    or a participant gives a rank twice, under two names of a prompt.
    """
    once, asked = Once(), {relation for relation, _ in prompts}
    unknown: dict[int, str] = {}
    for row in _rows(path, layout):
        cells = row.cells
        relation = relations.answer_keys.get(cells["relation"], cells["relation"])
        if not cells["answer"] or relation == CATCH:
            continue
        if relation not in relations.codes:
            unknown[row.line] = f"unknown relation {relation!r}; the relations file has {', '.join(relations.codes)}"
        elif relation in asked and (relation, cells["prompt"]) not in prompts:
            near = difflib.get_close_matches(cells["prompt"], [name for code, name in prompts if code == relation], 1)
            hint = f"did you mean {near[0]!r}?" if near else "correct it, or delete its rows."
            unknown[row.line] = f"{cells['prompt']!r} is no prompt of {relation} in this study: {hint}"
        elif relation in asked:
            prompt, who = prompts[relation, cells["prompt"]], cells["participant"]
            what = f"{who!r} gives rank {cells['rank']} to the prompt {prompt} and this target"
            once.add((cells["target"], prompt, who, cells["rank"]), row, what)
    if unknown:
        line, *later_lines = unknown
        more = (
            f" {len(later_lines)} more lines have such a fault, the next one in line {later_lines[0]}."
            if later_lines
            else ""
        )
        raise DataError(f"{path}, line {line}: {unknown[line]}{more}")


def normal(text: str) -> str:
    """Return a text in Unicode's form NFC, with one blank where it has several, and none around it.

    >>> normal("  a  robin ")
    'a robin'
    """
    return " ".join(nfc(text).split())


Numbered = tuple[str, str, str, int, str, int, str]
"""An answer with the number of its participant in the middle."""


def _csv_rows(
    path: Path, codes: Mapping[str, str], articles: Collection[str], layout: Layout | None
) -> Iterator[Answer]:
    once, participants = Once(), Spellings("the participant")
    for row in _rows(path, layout):
        target, relation, prompt, participant, _, answer = (row.cells[name] for name in SCHEMA.columns)
        if not answer or relation == CATCH:
            continue
        if not participant or participant in GAPS:
            raise DataError(f"{row.where}: there is an answer without a participant: name the participant.")
        participants.add(participant, row)
        if why := fault_in(answer, several=False):
            raise DataError(f"{row.where}: the answer {answer!r} {why}.")
        target = checked_word(target, row.where)
        prompt_key, number = (target, codes.get(relation, relation), prompt), _rank(row)
        once.add(
            (*prompt_key, participant, number), row, f"{participant!r} gives rank {number} to this prompt and target"
        )
        yield *prompt_key, participant, number, answered_word(answer, articles)


def _rank(row: Row) -> int:
    rank = whole_number(row.cells["rank"], MOST)
    if not rank:
        raise DataError(f"{row.where}: rank should be a whole number from 1 to {MOST}, but is {row.cells['rank']!r}.")
    return rank


def _json_rows(path: Path, codes: Mapping[str, str]) -> Iterator[Numbered]:
    def object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        """Return an object of the file. DataError: a key is there twice, of which JSON takes the last one in silence."""
        row = {normal(key): value for key, value in pairs}
        if len(row) < len(pairs):
            twice = Counter(normal(key) for key, _ in pairs).most_common(1)[0][0]
            raise DataError(f"{path}: the key {twice!r} is in one object twice: unite what stands under it.")
        for key in row:
            check_seen(key, str(path))
        return row

    for target, relations in _mapping(read_json(path, object_of), path, "the file").items():
        for key, prompts in _mapping(relations, path, target).items():
            code = codes.get(key, key)
            for prompt, annotators in _mapping(prompts, path, f"{target}/{key}").items():
                for annotator, words in enumerate(_words(annotators, path, f"{target}/{key}"), start=1):
                    for rank, word in enumerate(words, start=1):
                        where = f"{path}, {target}/{key}"
                        check_seen(word, where)
                        if not word.strip():
                            continue  # as a row of a table without an answer; the ranks after it stay
                        if why := fault_in(word, several=False):
                            raise DataError(f"{where}: the answer {word!r} {why}.")
                        yield target, code, prompt, annotator, str(annotator), rank, normal(word)


def _mapping(value: object, path: Path, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise DataError(f"{path}: {where} should be a JSON object, but is {type(value).__name__}.")
    return value


def _words(value: object, path: Path, where: str) -> list[list[str]]:
    lists = isinstance(value, list) and all(isinstance(words, list) for words in value)
    if not lists or not all(isinstance(word, str) for words in value for word in words):  # type: ignore[attr-defined]
        raise DataError(f"{path}: a prompt of {where} should have one list of words per annotator.")
    return value  # type: ignore[return-value]
