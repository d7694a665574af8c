"""How many groups and candidates there are, what a guess gets, and which groups are of one family."""

import json

import polars as pl
import pytest
from relprobe.sources.lexical.wordnet_synsets import synsets
from relprobe.studies.definitions.compare import sizes
from relprobe.studies.definitions.probes import probe_tables as build
from relprobe.studies.definitions.properties import Frequencies, group_properties
from relprobe.studies.definitions.schemas import BENCHMARK, SIZES

from tests.paths import ROOT
from tests.studies.definitions.about import properties
from tests.studies.definitions.data.test_build import texts

REAL = ROOT / "resources/fetched/nltk_wordnet.json"


def sizes_of(rows):
    return sizes(group_properties(rows, Frequencies()))


def test_sizes_and_what_a_guess_gets(whole_benchmark):
    rows = whole_benchmark[2]
    assert dict(rows.schema) == dict(BENCHMARK)
    sizes = sizes_of(rows)
    assert dict(sizes.schema) == dict(SIZES)
    verb = sizes.row(
        by_predicate=(pl.col("groups_of") == "the benchmark") & (pl.col("condition") == "verb"), named=True
    )
    assert (verb["groups"], verb["candidates"], verb["smallest"], verb["largest"]) == (7, 7, 7, 7)
    # W2D: five groups of 6 definitions, two (nod) of 5. D2W: five of 6 words, two (warm up, stretch) of 5.
    assert verb["w2d_random"] == pytest.approx((5 / 6 + 2 / 5) / 7)
    assert verb["d2w_random"] == pytest.approx((5 / 6 + 2 / 5) / 7)
    assert verb["w2d_candidates"] == pytest.approx(40 / 7)
    deep = sizes.filter(groups_of="the benchmark", condition="noun, depth 3–5")
    assert deep["groups"].to_list() == [1]
    assert "this run's sample" not in sizes["groups_of"]


def test_the_family_of_a_group_is_its_hypernym_and_of_several_the_first_by_name(whole_benchmark):
    groups, _, rows = whole_benchmark
    sizes = sizes_of(rows)
    nouns = groups.filter(pos="noun")
    assert nouns.select("group", "family").rows() == [("goose.n.01", "bird.n.01")]  # it is a pet, too
    assert set(groups.filter(pos="verb")["family"]) == {"move.v.01"}
    assert sizes.filter(groups_of="the benchmark", condition="verb")["families"].to_list() == [1]


def test_the_size_of_a_group_is_averaged_over_groups_and_a_guess_over_their_inverses():
    """Five sisters of one hypernym and seven of another: 5 · 5 and 7 · 7 synsets in twelve groups."""
    table = pl.DataFrame(
        {
            "synset": [f"s{i}" for i in range(12)],
            "pos": "noun",
            "word": [f"w{i}" for i in range(12)],
            "definition": [f"d{i}" for i in range(12)],
            "depth": 3,
            "hypernyms": [["h"]] * 5 + [["i"]] * 7,
        }
    )
    everything, benchmark = sizes_of(build({"noun": table})[2]).filter(condition="noun").iter_rows(named=True)
    for row in (everything, benchmark):
        assert (row["groups"], row["smallest"], row["largest"]) == (12, 5, 7)
        assert row["candidates"] == pytest.approx((25 + 49) / 12)
    assert (benchmark["w2d_random"], benchmark["d2w_random"]) == pytest.approx((2 / 12, 2 / 12))
    assert benchmark["w2d_candidates"] == pytest.approx((25 + 49) / 12)
    assert (everything["w2d_random"], everything["w2d_candidates"]) == (None, None)


def test_large_families_count_for_fewer():
    table = pl.DataFrame(
        {
            "synset": [f"s{i}" for i in range(20)],
            "pos": "noun",
            "word": [f"w{i}" for i in range(20)],
            "definition": [f"d{i}" for i in range(20)],
            "depth": 3,
            "hypernyms": [["h"]] * 15 + [["i"]] * 5,
        }
    )
    row = sizes_of(build({"noun": table})[2]).row(1, named=True)
    assert (row["groups_of"], row["groups"], row["families"]) == ("the benchmark", 20, 2)
    assert row["effective_families"] == pytest.approx(20**2 / (15**2 + 5**2))


def test_a_sampled_group_has_the_candidates_it_has_in_the_benchmark(tables, whole_benchmark):
    groups, probes, rows = build(tables, sample={"noun": 1, "verb": 2, "seed": 5})
    for task in ("w2d", "d2w"):
        whole, sampled = texts(*whole_benchmark[:2], task), texts(groups, probes, task)
        assert {group: set(whole[group]) for group in sampled} == {group: set(c) for group, c in sampled.items()}
    assert probes["words"].list.len().sum() < whole_benchmark[1]["words"].list.len().sum()
    assert set(sizes_of(rows)["groups_of"]) == {"at least 5 synsets", "the benchmark", "this run's sample"}
    assert rows.filter("kept").height == 8
    assert set(rows.filter("drawn")["group"]) == set(groups["group"])


def test_the_sizes_of_all_groups_of_the_benchmark_and_of_the_sample_in_full():
    """Three groups of verbs of two families, one of which is too small; a noun is asked as a named target alone."""
    about = properties(
        {"group": "a", "pos": "verb", "family": "f", "synsets": 8, "w2d": 4, "d2w": 5, "uses": 30.0},
        {"group": "b", "pos": "verb", "family": "f", "synsets": 10, "w2d": 8, "d2w": 10, "uses": 70.0, "leak": "names"},
        {
            "group": "c",
            "pos": "verb",
            "family": "g",
            "synsets": 3,
            "kept": False,
            "drawn": False,
            "w2d": None,
            "d2w": None,
        },
        {"group": "d", "family": "h", "synsets": 20, "w2d": 20, "d2w": 16, "uses": None, "depth": 9, "drawn": False},
    )
    table = sizes(about, minimum=3, bands=[60, 600])
    whole, some, drawn = "at least 3 synsets", "the benchmark", "this run's sample"
    noun_sizes, a_sizes, verb_sizes = (1, 1, 1.0, 20.0, 20, 20), (1, 1, 1.0, 8.0, 8, 8), (2, 1, 1.0, 9.0, 8, 10)
    tasks_of_noun, tasks_of_a = (20.0, 16.0, 1 / 20, 1 / 16), (4.0, 5.0, 1 / 4, 1 / 5)
    tasks_of_b, tasks_of_both = (8.0, 10.0, 1 / 8, 1 / 10), (6.0, 7.5, 3 / 16, (1 / 5 + 1 / 10) / 2)
    b_sizes = (1, 1, 1.0, 10.0, 10, 10)
    small = "groups of up to 10 candidates"
    verb_rows = [
        ("verb", *verb_sizes, *tasks_of_both),
        ("verb, leak-free", *a_sizes, *tasks_of_a),
        ("verb, rare", *a_sizes, *tasks_of_a),
        ("verb, medium", *b_sizes, *tasks_of_b),
    ]
    deep = [("noun, depth 9–11", *noun_sizes, *tasks_of_noun)]
    noun_rows = [(name, *noun_sizes, *tasks_of_noun) for name in ("noun", "noun, leak-free", "noun, unknown")]
    few = [(small, *verb_sizes, *tasks_of_both)]
    assert [*table.rows()] == [
        *[(whole, "noun", *noun_sizes, *[None] * 4), (whole, "verb", 3, 2, 9 / 5, 7.0, 3, 10, *[None] * 4)],
        *[(some, *row) for row in (*noun_rows, *verb_rows, *deep, *few)],
        *[(drawn, *row) for row in (*verb_rows, *few)],
    ]
    everything = sizes(about.with_columns(drawn=pl.col("kept")))
    assert set(everything["groups_of"]) == {"at least 5 synsets", some}
    assert "verb, medium" in everything["condition"].to_list()
    assert "verb, rare" not in everything["condition"].to_list()  # of the usual bands, from 10 and 100 on


@pytest.mark.slow("it groups all nouns and verbs of WordNet")
@pytest.mark.skipif(not REAL.is_file(), reason="WordNet 3.0 has not been fetched")
def test_wordnet_has_the_papers_groups():
    """Table 2, the numbers of Table 6, and the random rows of Tables 4 and 5, to the last digit."""
    assert json.loads(REAL.read_text())["files"]
    tables = {pos: synsets(REAL.with_suffix(""), pos) for pos in ("noun", "verb")}
    _, probes, groups = build(tables, sample={"noun": 1, "verb": 1, "seed": 1})
    about = group_properties(groups, Frequencies())
    sizes = sizes_of(groups)
    rows = {(row["groups_of"], row["condition"]): row for row in sizes.iter_rows(named=True)}
    noun, verb = (rows["the benchmark", pos] for pos in ("noun", "verb"))
    assert (noun["groups"], verb["groups"]) == (51_260, 8_487)
    assert (noun["smallest"], noun["largest"], verb["smallest"], verb["largest"]) == (5, 404, 5, 593)
    assert [(row["families"], round(row["effective_families"])) for row in (noun, verb)] == [(4231, 1028), (657, 176)]
    unfiltered = [rows["at least 5 synsets", pos] for pos in ("noun", "verb")]
    assert [row["groups"] for row in unfiltered] == [51_559, 8_602]
    assert [round(row["candidates"], 1) for row in unfiltered] == [50.2, 47.7]
    assert [round(100 * row[task], 1) for task in ("w2d_random", "d2w_random") for row in (noun, verb)] == [
        *(7.6, 7.8),
        *(7.6, 8.0),
    ]
    depths = [rows["the benchmark", f"noun, depth {d}"]["groups"] for d in ("3–5", "6–8", "9–11", "12–14", "15–19")]
    assert depths == [2106, 25_232, 18_521, 4473, 928]
    assert not probes["definition"].str.contains("[V]", literal=True).any()
    leaks = about.filter("kept").group_by("pos", "leak").len()
    named = {pos: number for pos, leak, number in leaks.iter_rows() if leak == "names"}
    assert named == {"noun": 1491, "verb": 1319}
