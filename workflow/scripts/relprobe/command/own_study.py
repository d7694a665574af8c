"""The study of a user's own pairs of words: the files that `relprobe init FOLDER --pairs FILE` writes.

The pairs say what is asked and what is right; the sentences are a beginning, which the user edits. Of a file of people's
answers the columns are found by what stands in them, and written into config.yaml, where they can be corrected.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import yaml

from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text, read_yaml
from relprobe.core.form import SEPARATORS, folded_name, read_rows
from relprobe.core.words import hint
from relprobe.sources import human_responses
from relprobe.sources.own import pairs as own_pairs
from relprobe.sources.own.pairs import Pairs, inverse_of

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
FEWEST = 0.5
"""The share of the cells of a column that are targets, from which on it is taken for the column of targets."""
SENTENCES = {
    "en": (
        ("the {name} of [DET] [W] is [DET] [V]", "[DET] [W] has the {name} [V]"),
        ("[DET] [W] is the {name} of [DET] [V]", "[W] is a {name} of the word [V]"),
    ),
    "": (("{name} – [W]: [V]", "[W] ({name}): [V]"), ("[W] – {name}: [V]", "{name} [W]: [V]")),
}
"""Language -> prompts of a relation, and of its inverse; those of "" are of all other languages, and have no articles."""
LANGUAGES = "resources/languages/{}.yaml"


def files(
    pairs: Path, answers: Path | None, language: str, models: Mapping[str, Any], available: Mapping[str, Path]
) -> dict[str, str]:
    """Return the files of a study of own pairs: path in its folder -> text.

    `models`: name -> entry of the configuration. `available`: code -> file of each language that
    comes with relprobe. DataError: a file has another form, or the language is none of these.
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
    resources: dict[str, Any] = {"own_tuples": {"path": "data/pairs.csv"}}
    if answers is not None:
        place = f"data/answers{answers.suffix.lower()}"
        texts[place] = read_own_text(answers)
        resources[human_responses.SHEET.resource] = {"path": place, **layout_of(answers, read)}
    return {"config.yaml": _configuration(resources, models, available[language], language), **texts}


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
    for code, (name, inverse) in pairs.relations.items():
        entries[code] = {"name": name, "inverse": inverse_of(code), "prototypical": True}
        entries[inverse_of(code)] = {"name": inverse, "inverse": code}
    head = "# The relations of the pairs, each with its inverse. A relation that is its own inverse has `symmetric: true`.\n"
    return head + _yaml(entries)


def _prompts(pairs: Pairs, language: str) -> str:
    """Return the file of prompts: sentences that the user is to edit."""
    of_relation, of_inverse = SENTENCES.get(language, SENTENCES[""])
    lines = [
        "# What is asked: edit these sentences, and add others, so that they are good ones of your language. [W] is the",
        "# target, [V] the slot, which stands last for causal models, and [DET] an article, if the language has any.",
    ]
    for code, names in pairs.relations.items():
        parts = ((code, names[0], of_relation), (inverse_of(code), names[1], of_inverse))
        for relation, name, sentences in parts:
            lines.append(f"{relation}:")
            for number, sentence in enumerate(sentences, 1):
                entry = json.dumps(sentence.format(name=name), ensure_ascii=False)
                lines.append(f"  - {{id: {prompt_id(relation, number)}, text: {entry}}}")
    return "\n".join(lines) + "\n"


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

    It says nothing if the file has the columns of FORM. The target stands in the column whose cells are mostly targets of
    the pairs; the answer and the participant in columns with the usual names; of several relations, the code in a column of
    codes. All answers are to the first prompt of the relation, if no column says which. DataError: one cannot be found.
    """
    names, rows = _cells(path)
    folded = {folded_name(name): name for name in names}
    if {*map(folded_name, human_responses.FORM.columns)} <= set(folded):
        return {}
    columns: dict[str, Any] = {}
    if people := next((folded[name] for name in PEOPLE if name in folded), None):
        columns["participant"] = people
    columns["target"] = _column_of(path, names, rows, pairs.targets(), "targets of the pairs")
    answer = next((folded[name] for name in ANSWERS if name in folded and folded[name] != columns["target"]), None)
    if answer is None:
        raise _not_found(path, f"no column is called {', '.join(ANSWERS[:2])} or the like")
    asked = [row for row in rows if row[columns["target"]].casefold() in pairs.targets() and row[answer]]
    columns["answer"] = _answer(answer, [row[answer] for row in asked])
    if len(pairs.relations) == 1:
        (code,) = pairs.relations
        columns |= {"relation": {"value": code}}
    else:
        columns["relation"] = _column_of(path, names, rows, {*map(str.casefold, pairs.relations)}, "codes of relations")
        if "prompt" not in folded:
            raise _not_found(path, "several relations have prompts of their own, and no column is called prompt")
        code = next(iter(pairs.relations))
    columns["prompt"] = folded.get("prompt", {"value": prompt_id(code, 1)})
    if "participant" not in columns:
        raise _not_found(path, "no column is called participant, subject or the like")
    kinds = Counter(row[folded[TRIALS]] for row in asked) if TRIALS in folded else Counter[str]()
    return {"columns": columns} | ({"rows": {"only": {folded[TRIALS]: [*kinds]}}} if kinds else {})


def _cells(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the names of the columns of a file, and its rows with as many cells."""
    text = read_own_text(path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    (_, names), *lines = [*read_rows(path, text, separator)] or [(1, [])]
    rows = [dict(zip(names, map(str.strip, cells), strict=True)) for _, cells in lines if len(cells) == len(names)]
    if not rows:
        raise _not_found(path, "there are no rows below the names of the columns")
    return names, rows


def _column_of(path: Path, names: Sequence[str], rows: Sequence[Mapping[str, str]], words: set[str], what: str) -> str:
    """Return the column of whose cells most are among some words. DataError: there is none."""

    def share(name: str) -> float:
        cells = [row[name].casefold() for row in rows if row[name]]
        return sum(cell in words for cell in cells) / len(cells) if cells else 0.0

    best = max(names, key=share)
    if share(best) < FEWEST:
        raise _not_found(path, f"no column holds {what} in half of its cells")
    return best


def _answer(column: str, cells: Sequence[str]) -> Any:
    """Return where the answer stands in a column: there, or under the key of JSON that all cells have."""
    objects = []
    for cell in cells:
        try:
            value = json.loads(cell)
        except ValueError:
            return column
        if not isinstance(value, dict):
            return column
        objects.append(value)
    keys = [key for key in objects[0] if all(key in value for value in objects)] if objects else []
    return {"column": column, "key": keys[0]} if keys else column


def _not_found(path: Path, why: str) -> DataError:
    return DataError(
        f"{path}: it cannot be told where its answers stand, as {why}: leave --answers out, and say it in config.yaml "
        "(docs/how-to/peoples-answers.md)."
    )
