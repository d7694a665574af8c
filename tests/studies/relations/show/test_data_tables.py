import polars as pl
import pytest
from relprobe.studies.relations.analyses import lexicons
from relprobe.studies.relations.method import GoldStandard, probes, united_tuples
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.show import tables

from tests.studies.relations.about import results
from tests.studies.relations.compare.test_analyses import only
from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import ONE, SIX

GOLD = gold("robin HYP bird", "robin HYP animal", "wall HYP artifact", "x HYP y")
SETS = gold("robin HYP bird", "robin HYP animal", "robin HYP pet", "wall HYP artifact", "bird HYP z")


def test_set_sizes_before_and_after_the_expansion():
    row = only(tables.set_sizes(GOLD, SETS), relation="HYP")
    assert (row["before_mean"], row["before_targets"]) == (pytest.approx(4 / 3), 3)
    assert row["before_sd"] == pytest.approx((1 / 3) ** 0.5)
    # bird is no target of the tuples; the set of x is empty
    assert (row["after_mean"], row["after_sd"], row["after_targets"]) == (2, pytest.approx(2**0.5), 2)


def test_the_data_table_counts_prompts_targets_and_probes():
    prompts = [Prompt(f"p{i}", "HYP", "[W] [V]", "") for i in range(2)] + [Prompt("q", "ANT", "[W] [V]", "")]
    augmented = united_tuples([gold("robin HYP bird", "wall HYP artifact", "night ANT day")], relations=SIX)
    table = tables.data_table(probes(augmented, prompts, ONE, relations=SIX), augmented, augmented, relations=SIX)
    assert table.select("relation", "name").rows() == [("HYP", "hypernymy"), ("ANT", "antonymy")]
    assert table.select("prompts", "targets", "probes", "trick_probes").rows() == [(2, 2, 4, 4), (1, 2, 2, 0)]


def test_the_data_table_has_the_relations_in_their_order():
    prompts = [Prompt(f"p{code}", code, "[W] [V]", "") for code in reversed(SIX.codes)]
    pairs = [
        gold(f"{code.lower()}{n} {code} x{code.lower()}{n}") for code in ("SYN", "ANT", "MER", "HYP") for n in (1, 2)
    ]
    augmented = united_tuples(pairs, relations=SIX)
    table = tables.data_table(probes(augmented, prompts, ONE, relations=SIX), augmented, augmented, relations=SIX)
    assert table["relation"].to_list() == list(SIX.codes)
    assert table["targets"].to_list() == [2, 2, 2, 2, 4, 4]


def test_the_data_table_counts_what_ambiguity_removes():
    tuples_ = gold("day SYN date", "day SYN time", "date SYN day", "x SYN y", "day ANT night")
    sets = gold("day SYN time", "date SYN day", "day ANT night", "day ANT dusk")  # date and y stand in two relations
    found = tables.losses(tuples_, sets).sort("relation")
    assert found.rows() == [("ANT", 1, 0, 0), ("SYN", 4, 2, 1)]


def test_the_data_table_counts_candidates_and_what_is_in_the_shared_lexicon():
    augmented = united_tuples([gold("robin HYP bird", "wall HYP artifact", "bird HYP animal")], relations=SIX)
    asked = probes(augmented, [Prompt("p", "HYP", "[W] [V]", "")], ONE, relations=SIX)
    known = augmented.filter(pl.col("target").is_in(["robin", "bird"]) & pl.col("relatum").is_in(["robin", "bird"]))
    row = only(tables.probe_counts(asked, known, relations=SIX), relation="HYP")
    # bird is a candidate, but "bird HYP animal" is not in the lexicon: with "robin HYP bird" its probe is a trick
    assert (row["candidate_targets"], row["targets"], row["probes"], row["trick_probes"]) == (3, 1, 1, 1)


def test_a_lexicons_coverage_is_of_targets_tuples_and_relata():
    candidates = gold("robin HYP bird", "wall HYP artifact", "owl HYP bird")
    known, sets = (
        gold("robin HYP bird", "wall HYP artifact"),
        gold("robin HYP bird", "robin HYP pet", "wall HYP artifact"),
    )
    words = pl.DataFrame({"word": ["robin", "bird", "pet", "wall", "artifact"]})
    small = pl.DataFrame({"word": ["robin", "bird", "robin", None]})
    row = only(lexicons.lexicon_coverage({"m": small}, words, candidates, known, sets), agent="m")
    assert row["words"] == 2
    assert row["shared_lexicon"] == pytest.approx(2 / 5)
    assert row["candidate_targets"] == pytest.approx(1 / 3)
    assert (row["targets"], row["tuples"], row["relata"]) == (0.5, 0.5, pytest.approx(1 / 3))


def test_vocabularies_are_compared_pair_by_pair():
    held = {"a": ["bird", "wing", None], "b": ["bird", "wall"], "c": ["wing"]}
    table = lexicons.vocabularies({model: pl.DataFrame({"word": words}) for model, words in held.items()})
    assert table.row(0) == ("a", "b", 3, 2, 2, 2, 1, 1 / 3)
    assert table.select("model_a", "model_b", "common", "jaccard").rows() == [
        ("a", "b", 1, 1 / 3),
        ("a", "c", 1, 1 / 2),
        ("b", "c", 0, 0.0),
    ]


def test_a_study_of_agents_that_have_no_tokens_has_the_tables_of_lexicons_without_rows():
    none = pl.DataFrame(schema={"word": pl.String, "target": pl.String, "relation": pl.String, "relatum": pl.String})
    columns = ["agent", "words", "shared_lexicon", "candidate_targets", "targets", "tuples", "relata"]
    assert lexicons.lexicon_coverage({}, none, none, none, none).columns == columns
    assert lexicons.vocabularies({}).is_empty()


def test_a_target_with_two_relata_counts_once_and_a_relation_without_tuples_has_none():
    known = gold("robin HYP bird", "robin HYP animal")
    prompts = [Prompt("p", "HYP", "[W] [V]", ""), Prompt("q", "ANT", "[W] [V]", "")]
    candidates = united_tuples([known, gold("night ANT day")], relations=SIX)
    found = tables.probe_counts(probes(candidates, prompts, ONE, relations=SIX), known, relations=SIX)
    assert found.filter(relation="HYP").rows() == [("HYP", 1, 1, 1, 1, 0)]
    assert found.filter(relation="ANT").rows() == [("ANT", 1, 2, 0, 0, 0)]


def test_the_tables_of_a_run_tell_its_tuples_from_those_in_the_lexicon():
    """Of its two tuples, one has a word that is not in the shared lexicon; m lacks one of three relata."""
    tuples_, sets = gold("robin HYP bird", "wall HYP artifact"), gold("robin HYP bird", "robin HYP pet")
    asked = probes(tuples_, [Prompt("p", "HYP", "[W] [V]", "")], ONE, SIX)
    shared = pl.DataFrame({"word": ["robin", "bird", "pet", "wall"]})
    lexicons_of_run = {
        "m": pl.DataFrame({"word": ["robin", "bird", "x", None]}),
        "n": pl.DataFrame({"word": ["wall", "bird"]}),
    }
    run = results(gold=GoldStandard(asked, sets, tuples_, shared, SIX), lexicons=lexicons_of_run)
    m_row, n_row = lexicons.TABLES["coverage"](run).rows()
    assert m_row == ("m", 3, 0.5, 0.5, 1.0, 1.0, 0.5)
    assert n_row == ("n", 2, 0.5, 0.5, 0.0, 0.0, 0.0)
    assert lexicons.TABLES["vocabularies"](run).rows() == [("m", "n", 4, 2, 3, 2, 1, 0.25)]
    row = only(tables.TABLES["data"](run), relation="HYP")
    assert (row["candidate_targets"], row["targets"], row["probes"]) == (2, 1, 1)
    without = results(gold=run.gold)
    assert lexicons.TABLES["coverage"](without).is_empty()
    assert lexicons.TABLES["vocabularies"](without).is_empty()


def test_two_lexicons_without_a_word_are_not_alike():
    words = {name: pl.DataFrame({"word": [None]}, schema={"word": pl.String}) for name in ("m", "n")}
    assert lexicons.vocabularies(words).rows() == [("m", "n", 1, 1, 0, 0, 0, None)]
