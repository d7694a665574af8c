"""The same answers, typed on ten devices and saved by their programs, are one table of answers."""

import unicodedata

import pytest
from relprobe.sources import human_responses
from relprobe.sources.written import Capitals

HEAD = ("target", "relation", "prompt", "participant", "rank", "answer")
TYPED = ["jack-o'-lantern", "café", "ice cream", "Vogel", "bird", "über"]
STUDY = Capitals.of(["jack-o'-lantern", "café", "ice cream", "Vogel", "bird", "turkey", "Turkey"], ["über"])
NARROW = {chr(code): chr(code + 0xFEE0) for code in range(ord("!"), ord("~") + 1)}


def rows(typed=str):
    return [("robin", "HYP", "is", "anna", str(rank), typed(word)) for rank, word in enumerate(TYPED, 1)]


def text(typed=str, separator=",", end="\n", quote=""):
    lines = [HEAD, *rows(typed)]
    return "".join(separator.join(f"{quote}{cell}{quote}" for cell in line) + end for line in lines)


def sentence(word):
    """As a phone writes a sentence: a capital, its own apostrophe, and a full stop."""
    return f"{word[0].upper()}{word[1:]}.".replace("'", "’")


DEVICES = {
    "a terminal": ("answers.csv", text()),
    "a phone": ("answers.csv", text(sentence)),
    "a phone that adds a blank": ("answers.csv", text(lambda word: f"{sentence(word)} ")),
    "a keyboard with caps lock": ("answers.csv", text(str.upper)),
    "a Mac, whose accents stand apart": ("answers.csv", text(lambda word: unicodedata.normalize("NFD", word))),
    "a Japanese keyboard": ("answers.csv", text(lambda word: "".join(NARROW.get(one, one) for one in word))),
    "Excel on Windows": ("answers.csv", "\ufeff" + text(separator=";", end="\r\n", quote='"')),
    "a spreadsheet with tabs": ("answers.tsv", text(separator="\t")),
    "Word, whose quotes are curly": ("answers.csv", text(lambda word: "“" + word.replace("'", "’") + "”")),
    "a page of Markdown": ("answers.csv", text(lambda word: f"1. **{word}**")),
    "somebody who writes sentences": ("answers.csv", text(lambda word: f"I think it is a {word}.")),
}


def read(folder, device):
    name, content = DEVICES[device]
    path = folder / name
    path.write_bytes(content.encode())
    table = human_responses.read(path, {}, ["a", "an", "the"])
    return [(*row[:-1], STUDY.spelled(row[-1])) for row in table.rows()]


@pytest.mark.parametrize("device", DEVICES)
def test_the_same_answers_are_one_table_whatever_they_were_typed_on(tmp_path, device):
    answers = read(tmp_path, device)
    assert answers == read(tmp_path, "a terminal")
    assert [row[-1] for row in answers] == TYPED
