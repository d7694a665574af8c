"""Lists that models write: what can be read."""

from dataclasses import dataclass
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.lm.chat_models.interview import Question
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.writing import WrittenAnswers
from relprobe.lm.words.chat import PROBE
from relprobe.lm.words.lexicon import lexicon
from relprobe.sources import language
from relprobe.studies.relations import replies
from relprobe.studies.relations.replies import list_reader, read_words
from relprobe.studies.relations.schemas import PROBES, WRITING
from relprobe.studies.relations.scoring import table, tasks, writing

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
        ("**bird**: it flies, **animal**: it lives", ["bird", "animal"], 0),
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


@dataclass(frozen=True)
class Settings:
    """What `writing` takes of a model's settings."""

    conversation: dict[str, str]
    chat: str = "none"
    type: str = "causal"
    thoughts: int = 0
    encoder: object = bigram_model({"a": {"robin": 1}, "robin": {"a": 1}}).encoder


def test_a_model_without_a_chat_template_writes_between_the_parts_of_the_line_and_another_is_asked_in_words():
    """Nothing is written to a trick probe, nor about a target that is no token of the model."""
    rows = [
        (name, "HYP", name, "p", kind, f"{name} is a [V]", [])
        for name, kind in (("robin", "main"), ("a", "trick"), ("x", "main"))
    ]
    probes = pl.DataFrame(rows, schema=PROBES, orient="row")
    words = lexicon(Settings({}).encoder.tokenizer, 0)
    lines = {"list": f"Go on: {PROBE} (five words)", "hint": "x"}
    plain = writing(Settings(lines), probes, words, ENGLISH)
    assert [(task.id, task.text) for task in plain.requests] == [("robin", "robin is a")]
    assert plain.model.conversation is None
    assert plain.depends_on["around"] == ["Go on: ", " (five words)\n"]
    chat = writing(Settings(lines, chat="answer"), probes, words, ENGLISH, samples=3)
    assert chat.model.conversation == {**lines, "question": lines["list"]}
    assert (chat.depends_on["around"], chat.drawn, plain.drawn) == (["", ""], True, False)


def test_what_a_model_writes_is_a_row_for_each_answer_with_the_words_that_can_be_read():
    """The last entry of an answer that it has not ended itself may be cut off; a thought stands before its answer."""
    answers = [
        WrittenAnswers("p", ("bird, 42", "bird, ani"), (True, False)),
        WrittenAnswers("q", ("wing",), (True,), ("<think>Hm.</think>",), (3,)),
    ]
    assert table(answers, ENGLISH).to_pylist() == [
        {"probe_id": "p", "sample": 1, "text": "bird, 42", "words": ["bird"], "unreadable": 1},
        {"probe_id": "p", "sample": 2, "text": "bird, ani", "words": ["bird"], "unreadable": 1},
        {"probe_id": "q", "sample": 1, "text": "<think>Hm.</think>wing", "words": ["wing"], "unreadable": 0},
    ]


def test_a_model_that_only_chats_is_asked_each_main_probe_whose_slot_is_last(monkeypatch):
    monkeypatch.setattr(replies, "interview", lambda *asked: asked)
    rows = [
        *(
            ("p:robin", "HYP", "robin", "p", "main", "robin is [DET] [V]", []),
            ("p:a", "HYP", "a", "p", "trick", "a [V]", []),
        ),
        ("q:robin", "HYP", "robin", "q", "main", "[V] such as robin", []),
    ]
    chat_model = SimpleNamespace(conversation={"list": f"Go on: {PROBE} …"})
    asked = replies.replies(chat_model, pl.DataFrame(rows, schema=PROBES, orient="row"))
    assert asked == (chat_model, "relations", [Question("p:robin", "Go on: robin is a(n) …")], 48)
