"""How well annotators agree: the ceiling of the agents."""

from functools import partial

import numpy as np
import polars as pl
import pytest
from relprobe.core.unmade import reasons
from relprobe.studies.relations.analyses import ceiling as analysis
from relprobe.studies.relations.analyses.ceiling import CEILING, _Words, ceiling

from tests.studies.relations.measure.test_metrics import GOLD, LEXICON
from tests.studies.relations.measure.test_people import lists

# The ceiling


def test_annotators_who_agree_reach_the_ceiling():
    table = ceiling(lists(hol1_wall="building house|building house|building house|building"), GOLD)
    assert table.schema == CEILING
    row = table.filter(metric="prototypicality", relation="HOL").row(0, named=True)
    assert (row["targets"], row["probes"], row["annotators"]) == (1, 1, 4.0)
    # building is on top of every part, and house is missing in the only list of one half at most.
    assert 3 / 4 <= row["one_against_rest"] <= 1
    assert row["note"].startswith("no Spearman-Brown value")


def test_half_of_the_annotators_is_ranked_by_how_many_named_a_word():
    table = ceiling(lists(hol1_wall="building house|building|building|building"), GOLD)
    row = table.filter(metric="prototypicality", relation="HOL").row(0, named=True)
    # building is on top of both halves. Against the half with house, one of two words is found: (1 + 1/2)/2; else 1.
    assert 3 / 4 <= row["split_half"] <= 1
    # The first annotator against building alone: 1. Each other one against building and house: (1 + 1/2)/2.
    assert row["one_against_rest"] == pytest.approx((1 + 3 * 3 / 4) / 4)


def test_half_of_the_annotators_is_compared_with_the_words_of_the_other_half():
    """Of the 21 words of the lexicon each has named building and another one."""
    table = ceiling(lists(hol1_wall="building house|building room"), GOLD)
    typical, shares = (
        table.filter(metric=metric, relation="HOL").row(0, named=True) for metric in ("prototypicality", "word shares")
    )
    # The top word of the other one is building or its second word, and one of two words is found: (1/2 + 1/2)/2 where
    # building is on top, as it was typed, and 1/4 where it is not. With itself, each list would have (1/2 + 3/4)/2.
    assert typical["one_against_rest"] == 1 / 2
    assert 1 / 4 < typical["split_half"] < 1 / 2
    assert LEXICON.height == 21
    r = pytest.approx((1 / 4 - 1 / 21) / (1 / 2 - 1 / 21))
    assert (shares["one_against_rest"], shares["split_half"]) == (r, r)


def test_equal_answers_have_equal_shares_of_words():
    table = ceiling(lists(hol1_wall="building|building"), GOLD)
    row = table.filter(metric="word shares", relation="HOL").row(0, named=True)
    assert row["one_against_rest"] == row["split_half"] == row["spearman_brown"] == pytest.approx(1)


def word_lists(*rows):
    """Return the words of lists of (probe, target, words); robin is a bird and an animal."""
    schema = {"probe_id": pl.String, "target": pl.String, "words": pl.List(pl.Categorical)}
    table = pl.DataFrame(
        [(probe, target, text.split()) for probe, target, text in rows], schema=schema, orient="row"
    ).with_columns(relation=pl.lit("HYP"))
    relata = [("robin", "HYP", "bird"), ("robin", "HYP", "animal")]
    return _Words(table, pl.DataFrame(relata, schema=["target", "relation", "relatum"], orient="row"))


def test_the_soundness_of_lists_is_the_share_of_relata_among_their_top_words():
    words = word_lists(
        ("p:robin", "robin", "bird animal"),
        ("p:robin", "robin", "bird x"),
        ("q:robin", "robin", "animal"),
        ("q:robin", "robin", "x"),
        ("p:wren", "wren", "x"),
        ("p:wren", "wren", "nest x y"),
    )
    everyone, first, second = np.ones(6, bool), np.arange(6) == 0, np.isin(np.arange(6), [1, 3, 5])
    found = words.soundness(np.stack([everyone, first, second]))
    # all: bird is on top of p; animal and x tie in q, so (1 + 1/2)/2; x is on top of wren, and no relatum
    # the first list: bird and animal tie and are right; nobody answered q or wren
    # the second ones: bird and x tie in p, and x is on top of q, so (1/2 + 0)/2; three words tie in wren
    assert found.tolist() == [[3 / 4, 0], [1, pytest.approx(np.nan, nan_ok=True)], [1 / 4, 0]]


def test_the_agreement_of_shares_is_their_correlation_over_all_words():
    words = word_lists(("p:robin", "robin", "bird animal"), ("p:robin", "robin", "bird"))
    # shares 1/2, 1/2, 0, 0 and 1, 0, 0, 0 of four words: (1/2 - 1/4) / √((1/2 - 1/4)(1 - 1/4))
    assert words.agreement(np.array([True, False]), 4) == pytest.approx(1 / 3**0.5)
    words = word_lists(
        ("p:robin", "robin", "bird animal"), ("p:robin", "robin", "bird x"), ("p:robin", "robin", "bird")
    )
    # 1/2, 1/2, 0, 0 and 2/3, 0, 1/3, 0: (1/3 - 1/4) / √((1/2 - 1/4)(5/9 - 1/4)), whichever comes first
    first = np.array([True, False, False])
    assert words.agreement(first, 4) == pytest.approx((1 / 12) / (1 / 4 * 11 / 36) ** 0.5)
    assert words.agreement(~first, 4) == pytest.approx(words.agreement(first, 4))


def test_a_ceiling_that_rests_on_too_little_is_missing_with_the_reason():
    table = ceiling(lists(hol1_wall="building house", ant1_night="day|day"), GOLD)
    reasons = {row[:2]: row[2:] for row in table.select("metric", "relation", "split_half", "note").rows()}
    assert reasons["soundness", "HOL"] == (None, "not computable: no probe was answered by two annotators")
    assert reasons["soundness", "ANT"] == (None, "not computable: fewer than three items have scores in both parts")
    assert reasons["prototypicality", "HOL"] == (None, "not computable: no probe was answered by two annotators")


def test_the_parts_that_are_compared_are_drawn_so_often(monkeypatch):
    """Those of soundness 200 times, those of shares 50 times, and those of prototypicality, which take longest, 20 times."""

    def noted(name, split, *given, draws=None):
        drawn.add((name, given[-1] if draws is None else draws))
        return split(*given) if draws is None else split(*given, draws=draws)

    drawn = set()
    for name in ("split_half", "one_with_rest", "halves", "single_answers"):
        monkeypatch.setattr(analysis, name, partial(noted, name, getattr(analysis, name)))
    ceiling(lists(hol1_wall="building house|building"), GOLD)
    assert drawn == {
        *(("split_half", 200), ("one_with_rest", 200), ("halves", 50), ("single_answers", 50), ("halves", 20))
    }


def test_what_fails_of_the_ceiling_or_of_the_entropy_costs_the_other_nothing(monkeypatch):
    """Each table that cannot be made has a sentence in its place; the analysis of entropy has four."""
    read = {"answers": "a", "prompts": "p", "language": "l"}
    monkeypatch.setattr(analysis, "ceiling", lambda lists, gold: pl.DataFrame({"lists": [lists], "gold": [gold]}))
    tables = analysis.make_exhibits(**read, lists="x", gold="g", layout={})
    assert tables["ceiling"].rows() == [("x", "g")]
    assert list(tables) == ["ceiling", "response_entropies", "entropy", "entropy_differences", "outside"]
    assert all(name in reasons({name: table}) for name, table in tables.items() if name != "ceiling")
    monkeypatch.undo()
    monkeypatch.setattr(analysis, "entropy", lambda *given: {"entropy": pl.DataFrame({"given": [str(given)]})})
    tables = analysis.make_exhibits(**read, lists="x", gold="g", layout={"a": "b"})
    assert tables["entropy"].rows() == [("('a', 'p', 'g', 'l', {'a': 'b'})",)]
    assert [*reasons(tables)] == ["ceiling"]
