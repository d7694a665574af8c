"""Lists that models write: what can be read."""

import polars as pl
import pytest
from relprobe.sources import language
from relprobe.studies.relations.replies import list_reader, read_words
from relprobe.studies.relations.schemas import WRITING
from relprobe.studies.relations.scoring import tasks

from tests.paths import ROOT
from tests.studies.relations.six import ENGLISH


@pytest.mark.parametrize(
    ("text", "words", "unreadable"),
    [
        ("bird\nanimal", ["bird", "animal"], 0),
        ("1. Bird\n2) an animal\n- the pet.\n* 'robin'", ["Bird", "animal", "pet", "robin"], 0),
        ("bird, animal; pet", ["bird", "animal", "pet"], 0),
        ("a small bird\nice cream\nno bird at all here", ["small bird", "ice cream"], 1),
        ("1. **Bird**\n2. *animal*\n3. `pet`", ["Bird", "animal", "pet"], 0),
        ("Sure! Here are five words:\n\n1. bird\n2. pet", ["bird", "pet"], 0),
        ("**Here are the words:**\n- bird\n- pet", ["bird", "pet"], 0),
        ("Five words: bird, pet", ["bird", "pet"], 0),
        ("The answer is: bird.", ["bird"], 0),
        ("Answer: here:\nbird\npet", ["bird", "pet"], 0),
        ("bird\npet:\nwing", ["bird", "pet", "wing"], 0),
        ("café, naïve", ["café", "naïve"], 0),
        ("鳥、ペット", ["鳥", "ペット"], 0),
        ("हिन्दी\nหมา\nпти́ца", ["हिन्दी", "หมา", "пти́ца"], 0),
        ("N/A, null, bird", ["bird"], 2),
        ("passer-by\nbird2\n42", ["passer-by"], 2),
        ("one\ntwo\nthree\nfour\nfive\nsix\nseven eight", ["one", "two", "three", "four", "five"], 0),
        ("bird\n\nI hope that this helps, dear reader", ["bird"], 0),
        ("1. bird 2. animal 3. pet", ["bird", "animal", "pet"], 0),
        ("(1) bird (2) animal", ["bird", "animal"], 0),
        ("①鳥 ②ペット", ["鳥", "ペット"], 0),
        ("1. Bird: it flies\n2. Animal - it lives", ["Bird", "Animal"], 0),
        ("bird, animal, and pet", ["bird", "animal", "pet"], 0),
        ("bird (n.)\nanimal 🐾", ["bird", "animal"], 0),
        ("", [], 0),
        ("It is not clear what you mean.", [], 1),
        ("Here are five words:\n\n1. bird\n\n2. animal\n\nI hope this helps!", ["bird", "animal"], 0),
        ("bird\n\nanimal\n\nThese words fit.", ["bird", "animal"], 0),
        ("1️⃣ bird\n2️⃣ animal", ["bird", "animal"], 0),
        ("1.\u3000鳥\u3000２．魚", ["鳥", "魚"], 0),
        ("①鳥②魚", ["鳥", "魚"], 0),
        ("「鳥」「魚」", ["鳥", "魚"], 0),
        ("طائر، حيوان؛ كائن", ["طائر", "حيوان", "كائن"], 0),
        ("1. पक्षी।\n2. जानवर।", ["पक्षी", "जानवर"], 0),
        ("نیم\u200cفاصله", ["نیم\u200cفاصله"], 0),
        ("bird • animal\tpet", ["bird", "animal", "pet"], 0),
        ("bird/animal, etc.", ["bird", "animal"], 0),
        ("a) bird b) animal", ["bird", "animal"], 0),
        ("Sure! bird, animal", ["bird", "animal"], 0),
        ("Sure, here you go: bird, animal.", ["bird", "animal"], 0),
        ("Certainly!\n\nbird\nanimal", ["bird", "animal"], 0),
        ('["bird", "animal"]', ["bird", "animal"], 0),
        ("['bird', 'animal']", ["bird", "animal"], 0),
        ('```json\n{"words": ["bird", "animal"]}\n```', ["bird", "animal"], 0),
        ("```\nbird\nanimal\n```", ["bird", "animal"], 0),
        ("<answer>bird</answer>", ["bird"], 0),
        ("$\\boxed{\\text{bird}}$", ["bird"], 0),
        ("**bird** - it flies\n**animal**: it lives", ["bird", "animal"], 0),
        ("bird → it flies", ["bird"], 0),
        ("Bird: it flies.", [], 1),
        ("bird\u200b, ice‑cream", ["bird", "ice-cream"], 0),
        ("A robin is a bird.", [], 1),
        ("bird\nanimal\nI hope this helps!", ["bird", "animal"], 1),
        ("I'm sorry, I can't answer.", [], 1),
        ("I’m really sorry, but I can’t help, friend", [], 1),
        ("As an AI language model, I don't know.", [], 1),
        ("Unfortunately, birds vary", [], 1),
        ("I cannot answer that", [], 1),
        ("sorry\nsad", ["sorry", "sad"], 0),
        ("sure, certain", ["sure", "certain"], 0),
        ("salt and pepper", ["salt and pepper"], 0),
        ("bird x2", [], 1),
        ("rock 'n roll, will-o'-the-wisp", ["rock 'n roll", "will-o'-the-wisp"], 0),
    ],
)
def test_an_entry_is_one_word(text, words, unreadable):
    assert read_words(text, ended=True) == (words, unreadable)


def test_articles_and_letters_are_those_of_the_language():
    german = list_reader(language.read(ROOT / "resources/languages/german.yaml"))
    assert german("1. ein Vogel\n2. die Straße\n3. 鳥", ended=True) == (["Vogel", "Straße"], 1)
    assert list_reader(ENGLISH)("a bird, café, ein Vogel, птица", ended=True) == (["bird", "café", "ein Vogel"], 1)
    japanese = list_reader(language.read(ROOT / "resources/languages/japanese.yaml"))
    assert japanese("鳥、ﾍﾟｯﾄ", ended=True) == (["鳥", "ペット"], 0)


def test_the_last_entry_of_an_answer_that_was_cut_off_cannot_be_read():
    assert read_words("bird\nanim", ended=False) == (["bird"], 1)
    assert read_words("bird\n\nand then", ended=False) == (["bird"], 0)


def written(*rows):
    return pl.DataFrame([(probe, n, "", words, bad) for probe, n, words, bad in rows], schema=WRITING, orient="row")


def test_only_main_probes_are_tasks():
    table = pl.DataFrame({"probe_id": ["p", "q"], "kind": ["main", "trick"], "text": ["the word [V]", "a [DET] [V]"]})
    assert [(task.id, task.text) for task in tasks(table)] == [("p", "the word")]
