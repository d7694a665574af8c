"""A study of own files ends with the same tables to the byte, however a spreadsheet or another system writes these files."""

import csv
import io
import unicodedata

import pytest

from tests.workflow import toy, toy_data

PEOPLE = [
    ("target", "relation", "prompt", "participant", "rank", "answer"),
    *(
        (target, relation.upper(), toy_data.PROMPTS[relation.upper()][0]["id"], f"é{number}", rank, word)
        for target, relations in toy_data.HUMANS.items()
        for relation, prompts in relations.items()
        for lists in prompts.values()
        for number, words in enumerate(lists)
        for rank, word in enumerate(words, 1)
    ),
]
TUPLES = [("target", "relation", "relatum"), *toy_data.TUPLES, ("café", "HYP", "bird")]


def plain(rows):
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue().encode()


def otherwise(rows):
    """With a byte-order mark, CR LF, semicolons, quotes, decomposed letters, another order, blanks and empty rows."""
    header, *lines = [tuple(reversed(row)) for row in rows]
    named = [f" {name.upper()} " for name in header]
    buffer = io.StringIO()
    empty = [[""] * len(header)] * 2
    csv.writer(buffer, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(
        [named, *reversed(lines), *empty]
    )
    return unicodedata.normalize("NFD", buffer.getvalue()).encode("utf-8-sig") + b"\r\n\r\n"


@pytest.mark.slow("it runs two studies")
def test_a_study_is_the_same_however_its_files_are_written(server, tmp_path):
    study = toy.make(tmp_path / "one", ["relations"], server.environment)
    resources = study.config["resources"] | {"human_responses": {"path": "data/people.csv"}}
    study.configure(
        resources={name: resources[name] for name in ("wordnet", "own_tuples", "human_responses", "static_vectors")}
    )
    other = study.copy(tmp_path / "other")
    for place, write in ((study, plain), (other, otherwise)):
        (place.folder / "data/tuples.csv").write_bytes(write(TUPLES))
        (place.folder / "data/people.csv").write_bytes(write(PEOPLE))
        vectors = (place.folder / "data/vectors.txt").read_text()
        if write is otherwise:
            (place.folder / "data/vectors.txt").write_bytes(vectors.replace("\n", "\r\n").encode("utf-8-sig"))
        place.finish()
    other.assert_ends_as(study)
