"""The probes of the groups: which there are, and with which candidates."""

import itertools
import random

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own.definitions import Entry
from relprobe.studies.definitions.dictionary import entry_synsets
from relprobe.studies.definitions.method import Limits
from relprobe.studies.definitions.probes import candidate_texts, draw_targets, probe_tables
from relprobe.studies.definitions.probes import probe_tables as build
from relprobe.studies.definitions.schemas import GROUPS, PROBES

from tests.studies.definitions.data.test_build import texts


def test_a_group_needs_five_different_strings_and_definitions(whole_benchmark):
    groups = whole_benchmark[0]
    assert groups.filter(pos="noun")["group"].to_list() == ["goose.n.01"]
    assert groups.filter(pos="verb").height == 7
    assert dict(groups.schema) == dict(GROUPS)


def test_a_sister_with_the_targets_string_is_no_wrong_definition(whole_benchmark):
    groups, probes, _ = whole_benchmark
    w2d = texts(groups, probes, "w2d")
    # "agree with the head" is a definition of "nod" as well, so it is no candidate for either nod.
    assert w2d["nod.v.01"][0] == "lower the head"
    assert set(w2d["nod.v.01"][1:]) == {
        "signal with the hands",
        "signal with the eye",
        "run before a game",
        "bend the body",
    }
    assert w2d["nod.v.02"][0] == "agree with the head"
    assert "lower the head" not in w2d["nod.v.02"]
    assert len(w2d["beckon.v.01"]) == len(set(w2d["beckon.v.01"])) == 6


def test_a_sister_with_the_targets_definition_is_no_wrong_word(whole_benchmark):
    groups, probes, _ = whole_benchmark
    d2w = texts(groups, probes, "d2w")
    assert d2w["warm_up.v.01"][0] == "warm up"
    assert set(d2w["warm_up.v.01"][1:]) == {"beckon", "wink", "nod", "bow"}
    assert d2w["nod.v.01"] == d2w["nod.v.02"]  # two senses, one string
    assert len(d2w["beckon.v.01"]) == 6
    w2d = texts(groups, probes, "w2d")
    assert w2d["warm_up.v.01"].count("run before a game") == 1  # its own and that of stretch are one candidate


def test_a_definition_is_one_probe_with_all_words_it_is_asked_with(whole_benchmark):
    _, probes, _ = whole_benchmark
    assert probes.filter(pos="verb").height == 6
    game = probes.row(by_predicate=pl.col("definition") == "run before a game", named=True)
    assert set(game["words"]) == {"beckon", "wink", "nod", "warm up", "stretch", "bow"}
    # W2D: right for warm up and stretch, wrong for the five others; D2W: five words for warm up, five for stretch.
    assert game["questions"] == 7 + 10
    assert dict(probes.schema) == dict(PROBES)


def test_a_sample_is_the_same_for_the_same_seed(tables):
    first, again, other = (
        build(tables, sample={"noun": 1, "verb": 3, "seed": seed})[0]["group"].to_list() for seed in (1, 1, 2)
    )
    assert first == again
    assert len(set(first)) == 4
    assert first != other


def test_named_targets_are_asked_and_not_counted_unless_they_are_drawn(tables):
    sampling = {"noun": 1, "verb": 1, "seed": 5}
    drawn = build(tables, sample=sampling)[0]["group"].to_list()
    groups, _, rows = build(tables, sample=sampling, targets=["wink.v.01", "nod"])
    assert set(groups["group"]) == {*drawn, "wink.v.01", "nod.v.01", "nod.v.02"}  # a word names all of its synsets
    assert set(rows.filter("drawn")["group"]) == set(drawn)


def test_a_named_target_without_a_group_says_so(tables):
    with pytest.raises(DataError, match=r"definitions\.targets names 'robin', which has no group of 5 candidates"):
        build(tables, targets=["robin"])


def test_the_limits_of_candidates_choose_the_groups(tables):
    # The seven verbs have six strings and six definitions, the goose six of each, the other birds four, pets three.
    assert build(tables, limits=Limits(5, 6))[0].height == 8
    assert build(tables, limits=Limits(5, 5))[0].is_empty()
    assert set(build(tables, limits=Limits(4, 5))[0]["group"]) == {"robin.n.01", "hen.n.01", "owl.n.01"}
    assert build(tables, limits=Limits(7))[0].is_empty()


def test_a_larger_sample_holds_a_smaller_one():
    in_order = draw_targets(pl.Series(range(5000)), 40, "noun", 1).to_list()
    assert in_order == sorted(in_order)  # whatever order they are drawn in
    targets = [set(draw_targets(pl.Series(range(60)), size, "noun", 1)) for size in (1, 5, 20, 21, 59, 60)]
    assert [len(drawn) for drawn in targets] == [1, 5, 20, 21, 59, 60]
    assert all(small < large for small, large in itertools.pairwise(targets))


def test_a_sample_of_the_paper_is_the_one_that_was_drawn_before_samples_were_nested():
    """20 of 51,260 nouns: Python's own sample of so few draws one place after another, as ours does."""
    number = 51_260
    assert set(draw_targets(pl.Series(range(number)), 20, "noun", 1)) == set(
        random.Random("1 noun").sample(range(number), 20)
    )


def test_too_large_a_sample_is_an_error():
    with pytest.raises(DataError, match="only 2 groups of verbs are there, but the config asks for 3"):
        draw_targets(pl.Series([0, 1]), 3, "verb", seed=1)


def test_a_sample_counts_groups_and_not_their_candidates(tables):
    with pytest.raises(DataError, match="only 1 group of nouns is there, but the config asks for 2"):
        build(tables, sample={"noun": 2, "verb": 1, "seed": 1})


def test_the_tables_of_a_small_dictionary_in_full():
    """Of three words, nod has two senses; each group has the right candidate first, then the others by number."""
    rows = [("nod", "lower the head"), ("bow", "bend the body"), ("nod", "agree"), ("wink", "bend the body")]
    entries = [Entry(*word_fields[:1], "verb", *word_fields[1:], "move") for word_fields in rows]
    synsets_of = entry_synsets(entries)
    assert synsets_of["verb"].select("synset", "word", "definition", "hypernyms").rows() == [
        ("nod.v.01", "nod", "lower the head", ["move"]),
        ("bow.v.01", "bow", "bend the body", ["move"]),
        ("nod.v.02", "nod", "agree", ["move"]),
        ("wink.v.01", "wink", "bend the body", ["move"]),
    ]
    groups, probes, benchmark = probe_tables(synsets_of, Limits(3))
    assert probes.rows() == [
        ("verb:0", "verb", "lower the head", ["nod", "bow", "wink"], 1 + 2 + 1 + 2),
        ("verb:1", "verb", "bend the body", ["nod", "bow", "wink"], 2 + 4 + 2),
        ("verb:2", "verb", "agree", ["nod", "bow", "wink"], 1 + 2 + 1 + 2),
    ]
    texts = candidate_texts(groups, probes)
    assert texts["w2d", "nod.v.01"] == ["lower the head", "bend the body"]
    assert texts["d2w", "nod.v.01"] == ["nod", "bow", "wink"]
    assert texts["w2d", "bow.v.01"] == ["bend the body", "lower the head", "agree"]
    assert texts["d2w", "wink.v.01"] == ["wink", "nod"]
    assert groups.select("group", "w2d", "d2w").rows() == [
        ("nod.v.01", [0, 3], [0, 1, 2]),
        ("bow.v.01", [4, 1, 7], [4, 3]),
        ("nod.v.02", [6, 3], [6, 7, 8]),
        ("wink.v.01", [5, 2, 8], [5, 3]),
    ]
    assert benchmark.select("group", "family", "synsets", "kept", "drawn", "w2d", "d2w").rows() == [
        ("nod.v.01", "move", 4, True, True, 2, 3),
        ("bow.v.01", "move", 4, True, True, 3, 2),
        ("nod.v.02", "move", 4, True, True, 2, 3),
        ("wink.v.01", "move", 4, True, True, 3, 2),
    ]
    assert probe_tables(synsets_of, Limits(4)).groups.is_empty()
    assert probe_tables(synsets_of, Limits(4)).benchmark["kept"].to_list() == [False] * 4
    assert probe_tables(synsets_of, Limits(5)).benchmark.is_empty()
    drawn = probe_tables(synsets_of, Limits(3), sample={"verb": 2, "seed": 3}, targets=["wink"])
    names = drawn.benchmark.filter("drawn")["group"].to_list()
    places = draw_targets(pl.Series(range(4)), 2, "verb", 3)
    assert names == [synsets_of["verb"]["synset"][place] for place in places]
    assert set(drawn.groups["group"]) == {*names, "wink.v.01"}
    assert candidate_texts(drawn.groups, drawn.probes)["d2w", "wink.v.01"] == ["wink", "nod"]
