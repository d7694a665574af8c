"""The study of a user's own pairs of words: the files that `relprobe init FOLDER --pairs FILE` writes.

The pairs say what is asked and what is right; the sentences are a beginning, which the user edits. Of a file of people's
answers the columns are found by what stands in them, and written into config.yaml, where they can be corrected.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import yaml

from relprobe.core.csv_schema import SEPARATORS, TABBED, folded_name, read_rows, real_number
from relprobe.core.errors import DataError, RelprobeError
from relprobe.core.files import read_own_text, read_yaml
from relprobe.core.words import hint
from relprobe.paper import trials
from relprobe.sources import human_responses
from relprobe.sources import relations as relations_file
from relprobe.sources.catch_items import CATCH
from relprobe.sources.exported import Layout
from relprobe.sources.own import pairs as own_pairs
from relprobe.sources.own import tuples as own_tuples
from relprobe.sources.own.pairs import Pairs, columns_of, inverse_of
from relprobe.studies.relations import prompts as prompt_files

PEOPLE = (
    "participant",
    "participantid",
    "subject",
    "subjectid",
    "responseid",
    "prolificpid",
    "workerid",
    "runid",
    "vp",
)
"""Names of columns that say who answered, as `folded_name` writes them: those of jsPsych, Qualtrics, Prolific and others."""
ANSWERS = ("answer", "response", "antwort", "réponse", "respuesta", "risposta", "value")
"""Names of columns that hold answers."""
TRIALS = "trialtype"
"""The column of jsPsych that says of what kind a row is."""
NOTHING = ("null", "NA", "undefined")
"""What programs write for nothing."""
FEW, SHORT = 10, 30
"""The most values, and the most characters, of a column that divides answers, such as a list or a sex."""
PERSONAL = re.compile(r"(?i)\bip|mail|name|latitude|longitude|location|address|phone|birth|url")
"""What names of columns have that may tell who or where a person is."""
FEWEST = 0.5
"""The share of the cells of a column that are targets, from which on it is taken for the column of targets."""
SENTENCES = {
    "en": (
        ("the {name} of [DET] [W] is [DET] [V]", "[DET] [W] has the {name} [V]"),
        ("[DET] [W] is the {other} of [DET] [V]", "[W] is the {other} of the word [V]"),
    ),
    "": (("{name} – [W]: [V]", "[W] ({name}): [V]"), ("[W] – {name}: [V]", "{name} [W]: [V]")),
}
"""Language -> prompts of a relation, and of its inverse; those of "" are of all other languages, and have no articles.

`{name}` is the name of the relation that is asked about, `{other}` that of its inverse: the use of a saw is to cut, so the
word cut "is the use of" a saw.
"""
LANGUAGES = "resources/languages/{}.yaml"


def files(
    pairs: Path, answers: Path | None, language: str, models: Mapping[str, Any], available: Mapping[str, Path]
) -> dict[str, str]:
    """Return the files of a study of own pairs: path in its folder -> text.

    `models`: name -> entry of the configuration. `available`: code -> file of each language that comes with relprobe.
    DataError: a file has another form, or the language is none of these.
    """
    if language not in available:
        raise DataError(
            f"--language {language}: {hint(language, available)} For another language, leave it out and write its file "
            "(docs/how-to/another-language.md)."
        )
    for file in filter(None, (pairs, answers)):
        if not file.is_file():
            raise DataError(f"There is no file {file}: correct the path.")
    read = own_pairs.read(pairs)
    texts = {"data/pairs.csv": _tuples(read), "relations.yaml": _relations(read)}
    texts["prompts.yaml"] = _prompts(read, language)
    target_path, resources = "", dict[str, Any](own_tuples={"path": "data/pairs.csv"})
    if answers is not None:
        target_path = f"data/answers{answers.suffix.lower()}"
        texts[target_path] = read_own_text(answers)
        resources[human_responses.ANSWER_TABLE.resource] = {"path": target_path, **layout_of(answers, read)}
    _check(texts, resources, {"data/pairs.csv": pairs} | ({target_path: answers} if answers is not None else {}))
    return {"config.yaml": _configuration(resources, models, available[language], language), **texts}


def _check(texts: Mapping[str, str], resources: Mapping[str, Any], sources: Mapping[str, Path]) -> None:
    """Read what is to be written as the study does. DataError: it is not valid.

    `sources`: a path in the folder of the study -> the user's file.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in texts.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        try:
            relations = relations_file.read(folder / "relations.yaml")
            prompts = prompt_files.read(folder / "prompts.yaml")
            prompt_files.check(folder / "prompts.yaml", prompts, relations.codes, articles=True)
            own_tuples.read(folder / "data/pairs.csv", relations.codes)
            if entry := resources.get(human_responses.ANSWER_TABLE.resource):
                file, layout = folder / entry["path"], Layout.of(entry)
                human_responses.read(file, relations.answer_keys, layout=layout)
                if human_responses.is_table(file):
                    human_responses.check_prompts(file, relations, prompt_files.names_of(prompts), layout)
        except RelprobeError as error:
            message = str(error)
            for path, source in sources.items():
                message = message.replace(str(folder / path), str(source))
            made = f"{sources['data/pairs.csv']} gives no valid study: " if str(folder) in message else ""
            raise DataError(made + message.replace(f"{folder}/", "")) from error


def languages(folder: Path) -> dict[str, Path]:
    """Return code -> file of the languages in a folder.

    >>> from relprobe.command.home import root
    >>> sorted(languages(root() / "resources/languages"))
    ['de', 'en', 'ja']
    """
    return {str(read_yaml(file)["wordfreq"]): file for file in sorted(folder.glob("*.yaml"))}


def _tuples(pairs: Pairs) -> str:
    """Return the pairs as the file of own tuples."""
    return pl.DataFrame(pairs.rows, schema=["target", "relation", "relatum"], orient="row").write_csv()


def _relations(pairs: Pairs) -> str:
    """Return the file of relations, with the inverse of each."""
    entries: dict[str, dict[str, Any]] = {}
    codes = {*pairs.relations, *map(inverse_of, pairs.relations)}
    for code, (name, inverse) in pairs.relations.items():
        entries[code] = {"name": name, "inverse": inverse_of(code), "prototypical": True}
        if name not in codes:
            entries[code]["answers"] = name
        entries[inverse_of(code)] = {"name": inverse, "inverse": code}
    head = "# The relations of the pairs, each with its inverse. A relation that is its own inverse has `symmetric: true`.\n"
    return head + _yaml(entries)


def _prompts(pairs: Pairs, language: str) -> str:
    """Return the file of prompts: sentences that the user is to edit."""
    relation_sentences, inverse_sentences = SENTENCES.get(language, SENTENCES[""])
    lines = [
        "# What is asked: edit these sentences, and add others, so that they are good ones of your language. [W] is the",
        "# target, [V] the slot, which stands last for causal models, and [DET] an article, if the language has any.",
    ]
    for code, names in pairs.relations.items():
        parts = ((code, names, relation_sentences), (inverse_of(code), names[::-1], inverse_sentences))
        for relation, (name, inverse_name), sentences in parts:
            lines.append(f"{json.dumps(relation)}:")
            for number, sentence in enumerate(sentences, 1):
                entry = json.dumps(_filled(sentence, name, inverse_name), ensure_ascii=False)
                lines.append(f"  - {{id: {prompt_id(relation, number)}, text: {entry}}}")
    return "\n".join(lines) + "\n"


def _filled(sentence: str, name: str, inverse_name: str) -> str:
    """Return a sentence with the names of a relation and of its inverse, which may have braces.

    >>> _filled("{name} of {other}", "a {other}", "b")
    'a {other} of b'
    """
    names = {"{name}": name, "{other}": inverse_name}
    return re.sub("{name}|{other}", lambda slot: names[slot[0]], sentence)


def prompt_id(relation: str, number: int) -> str:
    """Return the id of a prompt.

    >>> prompt_id("TAT", 1)
    'tat-1'
    """
    return f"{relation.lower()}-{number}"


def _configuration(resources: Mapping[str, Any], models: Mapping[str, Any], file: Path, language: str) -> str:
    """Return the configuration. `file`: of the language."""
    section: dict[str, Any] = {
        "relations": "relations.yaml",
        "prompts": "prompts.yaml",
        "tuples": ["own_tuples"],
        "expansion": "none",
        "answers": "candidates",
    }
    if language != "en":
        section["language"] = LANGUAGES.format(file.stem)
    note = "" if language == "en" else "# These models have read English: name some of your language.\n"
    return (
        "# A study of own pairs. Models choose among the words of the pairs (`answers: candidates`), of any length.\n"
        f"{note}{_yaml({'models': models})}\n{_yaml({'resources': resources})}\n{_yaml({'relations': section})}"
    )


def _yaml(content: Mapping[str, Any]) -> str:
    plain = {key: dict(value) for key, value in content.items()}
    return str(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120))


def layout_of(path: Path, pairs: Pairs) -> dict[str, Any]:
    """Return what config.yaml says of a file of people's answers beside its path: `columns` and `rows`.

    It says nothing if the file has the columns SCHEMA, or is the authors' JSON file. The target stands in the column
    whose cells are mostly targets of the pairs; the answer and the participant stand in columns with the usual names; the
    relation stands in the column `relation` or, of several, in one of codes. All answers are to the first prompt of the
    relation, if no column says which. DataError: one cannot be found.
    """
    if not human_responses.is_table(path):
        return {}
    names, rows = _cells(path)
    folded = columns_of(path, names)
    schema_names = {*map(folded_name, human_responses.SCHEMA.columns)}
    if schema_names <= set(folded):
        return further_of([name for key, name in folded.items() if key not in schema_names], rows)
    columns: dict[str, Any] = {}
    if people := next((folded[name] for name in PEOPLE if name in folded), None):
        columns["participant"] = people
    columns["target"] = _column_of(
        path,
        [name for key, name in folded.items() if key not in (*ANSWERS, *PEOPLE)],
        rows,
        pairs.targets(),
        "targets of the pairs",
    )
    answer = next((folded[name] for name in ANSWERS if name in folded), None)
    if answer is None:
        raise _not_found(path, f"no column is called {', '.join(ANSWERS[:2])} or the like")
    asked = [row for row in rows if row[columns["target"]].casefold() in pairs.targets() and row[answer]]
    columns["answer"] = _answer(path, answer, [row[answer] for row in asked])
    called = {*pairs.relations, *(name for name, _ in pairs.relations.values())}
    if "relation" in folded:
        columns["relation"] = folded["relation"]
        asked_relations = {row[folded["relation"]] for row in rows if row[answer]} - {CATCH}
        if len(pairs.relations) == 1 and (unpaired := sorted(asked_relations - called)):
            raise _not_found(path, f"the relation {unpaired[0]!r} is none of the pairs, {' or '.join(sorted(called))}")
    elif len(pairs.relations) == 1:
        columns["relation"] = {"value": next(iter(pairs.relations))}
    else:
        words = {*map(str.casefold, called)}
        columns["relation"] = _column_of(path, [*folded.values()], rows, words, "codes of relations")
    if len(pairs.relations) > 1 and "prompt" not in folded:
        raise _not_found(path, "several relations have prompts of their own, and no column is called prompt")
    columns["prompt"] = folded.get("prompt", {"value": prompt_id(next(iter(pairs.relations)), 1)})
    if "rank" in folded:
        columns["rank"] = folded["rank"]
    if "participant" not in columns:
        raise _not_found(path, "no column is called participant, subject or the like")
    kinds = Counter(row[folded[TRIALS]] for row in asked) if TRIALS in folded else Counter[str]()
    if len(kinds) > 1:
        raise _not_found(path, f"the rows with targets are of several kinds, {', '.join(map(repr, kinds))}")
    taken = {cell["column"] if isinstance(cell, dict) and "column" in cell else str(cell) for cell in columns.values()}
    further = further_of([name for name in names if name not in {*taken, folded.get(TRIALS)}], asked)
    return {"columns": columns} | ({"rows": {"only": {folded[TRIALS]: [*kinds]}}} if kinds else {}) | further


BOOKKEEPING = {
    *("internal_node_id", "time_elapsed", "plugin_version", "run_id", "success", "timeout"),
    *("failed_images", "failed_audio", "failed_video"),
}
"""Columns that jsPsych writes of every trial for itself. The order of trials (`trial_index`) may be of use, and is none."""


def further_of(names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return which further columns trials are to have: those of numbers, such as reaction times, and those of few values.

    Free texts, and what names a person or a place, are left out: trials are published. So is BOOKKEEPING.

    >>> rows = [{"rt": "512", "age": "31", "comment": "all was fine", "ip": "192.0.2.1", "run_id": "1"} for _ in range(2)]
    >>> further_of(["rt", "age", "comment", "ip", "run_id"], rows)
    {'further': {'rt': 'rt', 'age': 'age'}}
    """
    columns: dict[str, Any] = {}
    for name in names:
        cells = {row[name] for row in rows if row[name] not in ("", *NOTHING)}
        numbers = all(real_number(cell) is not None for cell in cells)
        few = len(cells) <= FEW and all(len(cell) <= SHORT for cell in cells) and len(cells) < len(rows) / 2
        if cells and (numbers or few) and name not in BOOKKEEPING and not PERSONAL.search(name):
            columns[_name_in_trials(name, columns)] = name
    return {"further": columns} if columns else {}


def _name_in_trials(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name that a column of trials may have, and that none has yet.

    >>> _name_in_trials("Response Time", {}), _name_in_trials("item", {})
    ('Response_Time', 'people_item')
    """
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "column"
    plain = plain if plain[0].isalpha() and plain not in trials.TRIALS else f"people_{plain}"
    while plain in taken:
        plain += "_"
    return plain


def _cells(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the names of the columns of a file, and its rows with as many cells."""
    text = read_own_text(path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    separator = "\t" if path.suffix.lower() in TABBED and "\t" in first else max(SEPARATORS, key=first.count)
    (_, cells_of_names), *lines = [*read_rows(path, text, separator)] or [(1, [])]
    names = [" ".join(cell.split()) for cell in cells_of_names]
    rows = [dict(zip(names, map(str.strip, cells), strict=True)) for _, cells in lines if len(cells) == len(names)]
    if not rows:
        raise _not_found(path, "there are no rows below the names of the columns")
    return names, rows


def _column_of(path: Path, names: Sequence[str], rows: Sequence[Mapping[str, str]], words: set[str], what: str) -> str:
    """Return the column of whose cells most are among some words. DataError: there is none."""

    def share(name: str) -> float:
        cells = [row[name].casefold() for row in rows if row[name]]
        return sum(cell in words for cell in cells) / len(cells) if cells else 0.0

    best = max(names, key=share, default=None)
    if best is None or share(best) < FEWEST:
        raise _not_found(path, f"no column holds {what} in half of its cells")
    return best


def _answer(path: Path, column: str, cells: Sequence[str]) -> Any:
    """Return where the answer stands in a column: there, or under the one key of JSON. DataError: there are several keys."""
    objects = []
    for cell in cells:
        try:
            value = json.loads(cell)
        except ValueError:
            return column
        if not isinstance(value, dict):
            return column
        objects.append(value)
    keys = [*dict.fromkeys(key for value in objects for key in value)]
    if len(keys) > 1:
        raise _not_found(path, f"the JSON in the column {column} has several keys, {', '.join(map(repr, keys))}")
    return {"column": column, "key": keys[0]} if keys else column


def _not_found(path: Path, why: str) -> DataError:
    return DataError(
        f"{path}: it cannot be told where its answers stand, as {why}: leave --answers out, and say it in config.yaml "
        "(docs/how-to/peoples-answers.md)."
    )
