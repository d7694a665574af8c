import numpy as np
import polars as pl
import pytest
import wordfreq
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.systematicity import baselines
from relprobe.studies.systematicity.baselines import nearest_scores, static, static_embeddings, static_scores
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.prompts import Prompt
from relprobe.studies.systematicity.schemas import CONTEXTS

from tests.studies.systematicity.measure.test_metrics import CATEGORIES, ITEMS_TABLE, PAPER, PROBES_TABLE

WORDS = {
    **{"bird": (1, 0), "birds": (0, 1), "fish": (0, 1), "tool": (1, 1), "tools": (1, 1)},
    **{"building": (-1, 0), "buildings": (-1, 0), "robin": (2, 0), "robins": (3, 0), "trout": (0, 5)},
}


def vectors(words):
    return StaticVectors({word: i for i, word in enumerate(words)}, np.array(list(words.values()), np.float32))


def answers(words, top_k=3):
    table = static_scores(vectors(words), PROBES_TABLE, top_k)
    return {(row["probe_id"], row["method"]): row for row in table.iter_rows(named=True)}


def test_categories_are_scored_by_their_cosine_with_the_hyponym_in_its_number():
    found = answers(WORDS)
    singular, plural = found["extended:singular:robin", "slot"], found["extended:plural:robin", "slot"]
    assert singular["words"] == ["bird", "fish", "tool", "building"]
    assert singular["scores"] == pytest.approx([1, 0, 2**-0.5, -1])
    assert plural["words"] == ["birds", "fish", "tools", "buildings"]
    assert plural["scores"] == pytest.approx([0, 0, 2**-0.5, -1])


def test_the_open_vocabulary_holds_the_hyponym_itself(monkeypatch):
    monkeypatch.setattr(wordfreq, "top_n_list", lambda *_: ["the", "fish", "trout", "bird", "tool"])
    row = answers(WORDS)["extended:singular:trout", "open"]
    assert row["words"] == ["fish", "trout", "tool"]  # of equal cosine the more frequent first; "the" has no vector
    assert row["scores"] == pytest.approx([1, 1, 2**-0.5])
    assert row["unknown"] == ["building"]


def test_words_of_equal_cosine_stand_in_the_order_of_their_frequency_however_many_they_are(monkeypatch):
    """Of forty, as of few; three are nearer to the trout than these."""
    many = [f"word{(7 * number) % 40}" for number in range(40)]
    monkeypatch.setattr(wordfreq, "top_n_list", lambda *_: [*many[:20], "fish", "tool", "trout", *many[20:]])
    row = answers({**WORDS, **dict.fromkeys(many, (-1, 0))}, top_k=40)["extended:singular:trout", "open"]
    assert row["words"] == ["fish", "trout", "tool", *many[:37]]


def test_a_hyponym_without_a_vector_has_no_answer():
    assert not [probe_id for probe_id, _ in answers(WORDS) if probe_id.endswith("saw")]
    assert not [kind for kind in answers({**WORDS, "robin": (0, 0)}) if kind[0] == "extended:singular:robin"]


def test_a_category_without_a_vector_leaves_the_choice_unanswered():
    assert not [
        key
        for key in answers({w: v for w, v in WORDS.items() if w != "tool"})
        if key == ("extended:singular:robin", "slot")
    ]


TWO_PROMPTS = {number: [*prompts, Prompt("other", "[W] : [V].")] for number, prompts in PAPER.items()}


def test_the_main_probes_of_both_numbers_are_scored_and_only_singular_ones_by_the_vocabulary():
    asked = probes(ITEMS_TABLE, CATEGORIES, Asking(TWO_PROMPTS))
    assert "other" in set(asked["prompt"])
    kinds = {"singular": ["slot", "open"], "plural": ["slot"]}
    expected = [(f"extended:{kind}:{word}", m) for word in ("robin", "trout") for kind in kinds for m in kinds[kind]]
    table = static_scores(vectors(WORDS), asked, 3)
    assert sorted(table.select("probe_id", "method").rows()) == sorted(expected)


def test_the_nearest_hyponyms_are_looked_up_in_the_number_of_the_main_probe():
    """Robin and saw are alike as one and not as several; trout is orthogonal to both, and no hyponym is a building."""
    words = {"robin": (1, 0, 0), "saw": (1, 0, 0), "robins": (1, 0, 0), "saws": (0, 0, 1), "trout": (0, 1, 0)}
    asked = probes(ITEMS_TABLE, CATEGORIES, Asking(TWO_PROMPTS))
    found = {name: scores for name, _, _, scores, *_ in nearest_scores(vectors(words), asked, ITEMS_TABLE).iter_rows()}
    assert found == {
        "extended:singular:robin": [-1, 0, 1, -1],  # no other bird; the fish; the tool; no building
        "extended:singular:trout": [0, -1, 0, -1],
        "extended:singular:saw": [1, 0, -1, -1],
        "extended:plural:robin": [-1, 0, 0, -1],
        "extended:plural:trout": [0, -1, 0, -1],
        "extended:plural:saw": [0, 0, -1, -1],
    }


def test_every_list_of_candidates_is_looked_up_once():
    looked_up = []

    class Counted(StaticVectors):
        def of(self, text):
            looked_up.append(text)
            return super().of(text)

    made = vectors(WORDS)
    static_scores(Counted(made.rows, made.matrix), PROBES_TABLE, 3)
    # Among frequent words and, of three hyponyms, in one list of singular and one of plural categories.
    frequent = wordfreq.top_n_list("en", baselines.VOCABULARY)
    assert {word: looked_up.count(word) - frequent.count(word) for word in ("building", "buildings")} == {
        "building": 1,
        "buildings": 1,
    }


def test_embeddings_are_the_words_own_whatever_the_context():
    rows = [(0, "robin", "A robin .", 2, 7), (1, "saw", "A saw .", 2, 5), (2, "robin", "robin", 0, 5)]
    table = static_embeddings(vectors(WORDS), pl.DataFrame(rows, schema=CONTEXTS, orient="row"))
    assert table.rows() == [(0, [2, 0]), (2, [2, 0])]


def test_a_hyponym_without_a_vector_leaves_those_after_it_their_answers():
    found = {name for name, _ in answers({word: vector for word, vector in WORDS.items() if word != "robin"})}
    assert "extended:singular:robin" not in found
    assert {"extended:plural:robin", "extended:singular:trout"} <= found


def test_vectors_answer_the_probes_and_embed_the_words_of_the_pairs():
    contexts = pl.DataFrame([(4, "robin", "A robin .", 2, 7)], schema=CONTEXTS, orient="row")
    found = static(vectors(WORDS), PROBES_TABLE, contexts, top_k=2)
    assert found.scores.equals(static_scores(vectors(WORDS), PROBES_TABLE, 2))
    assert found.scores.filter(method="open")["words"].list.len().to_list() == [2, 2]
    assert found.embeddings.rows() == [(4, [2, 0])]
