"""What the paper says in its text and in Table 5 stands beside what a run has."""

import itertools

import polars as pl
import pytest
from relprobe.report.published import compare_published, page_table, read
from relprobe.studies.relations.analyses.ceiling import ENTROPIES
from relprobe.studies.relations.analyses.published import DERIVED_TABLES, first_words, ours, symmetry_probes
from relprobe.studies.relations.published import ALL
from relprobe.studies.relations.results import Settings
from relprobe.studies.relations.schemas import AVERAGES, METRICS, TOP_WORDS

from tests.paths import ROOT
from tests.studies.relations.about import results

PRINTED = read(ROOT / "resources/published/relations.csv")


def averages(*rows):
    names = ["agent", "metric", "relation", "k", "value"]
    return pl.DataFrame([dict(zip(names, row, strict=True)) for row in rows], schema=AVERAGES)


def best(models):
    """Each model's soundness and asymmetry in hypernymy, and AuDC, by its place in the alphabet."""
    rows = []
    for place, model in enumerate(sorted(models)):
        rows += [(model, "soundness", "HYP", None, place / 100), (model, "asymmetry", "HYP", 5, place / 50)]
        rows.append((model, "audc_printed", None, None, place))
    return averages(*rows, ("humans", "soundness", "HYP", None, 0.5), ("humans", "soundness", "SYN", None, 0.7))


def said(table, tables=None):
    found = ours(table, {}, tables or {}, set(table["agent"]) - {"humans"})
    return {row[:3]: row[3] for row in found.iter_rows()}


def test_the_best_of_all_models_is_that_of_the_papers_models():
    found = said(best(ALL))
    last = len(ALL) - 1
    assert found["largest soundness of a model", "HYP", None] == last / 100  # roberta-large
    assert found["largest asymmetry@5 of a model", "HYP", None] == last / 50
    assert (found["largest AuDC of a model", None, None], found["smallest AuDC of a model", None, None]) == (last, 0)
    causal = max(place for place, name in enumerate(sorted(ALL)) if name.startswith("opt"))
    assert found["largest soundness of a causal model", "HYP", None] == causal / 100
    assert found["mean soundness but for antonymy", None, "humans"] == pytest.approx(0.6)


def test_a_run_that_lacks_one_of_them_has_no_best_model():
    assert not [key for key in said(best(ALL - {"opt-66b"})) if "of a model" in key[0]]


def test_the_median_correlations_are_those_of_the_papers_models():
    medians = pl.DataFrame({"metric": ["symmetry"] * 2, "relation": "ANT", "k": [1, 5], "median": [0.1, 0.25]})
    name = "largest median correlation with word frequency: symmetry"
    assert said(best(ALL), {"frequency_medians": medians})[name, "ANT", None] == 0.25
    assert (name, "ANT", None) not in said(best({"m"}), {"frequency_medians": medians})


def test_all_15_pairs_of_relations_have_their_entropies():
    pairs = PRINTED.filter(quantity=ENTROPIES)
    assert (pairs.height, pairs["value"].sum()) == (15, 13)
    assert set(pairs.filter(value=0)["condition"]) == {"HYP–HOL", "HOL–SYN"}
    both = [pair.split("–") for pair in pairs["condition"]]
    found = pl.DataFrame(
        {"relation": [a for a, _ in both], "versus": [b for _, b in both], "paper_p": 0.2, "responses": 9}
    )
    joined = compare_published(pairs, ours(averages(), {}, {"entropy_differences": found}, ["m"]))
    assert joined["ours"].to_list() == [0.0] * 15


def test_table_5_has_the_ranks_of_all_agents_words():
    words = PRINTED.filter(where="Table 5")
    assert words.group_by("agent").agg(pl.col("value").sort())["value"].to_list() == [[1, 2, 3]] * 17
    question = words.filter(quantity="rank of “question” after “an answer is similar to [DET] [V]”")
    assert dict(question.select("agent", "value").iter_rows())["opt-125m"] == 3
    assert "opt-350m" not in set(question["agent"])


def test_first_words_stand_beside_those_of_table_5():
    rows = [("syn-similar:answer", rank, word, 0.1, None) for rank, word in enumerate(["reply", "question", "way"], 1)]
    rows.append(("syn-similar:day", 1, "night", 0.5, None))
    table = pl.DataFrame(rows, schema=TOP_WORDS, orient="row")
    assert first_words("gpt2", table)["ours"].to_list() == [1, 2, 3]
    published = PRINTED.filter(where="Table 5")
    words = {"bert-base": table, "gpt2": table}
    none = dict.fromkeys(words, pl.DataFrame(schema=METRICS))
    files = {"top_words": words, "metrics": none, "averages": averages(), "published": published}
    whole = DERIVED_TABLES["published"](results(**files, settings=Settings(models={"gpt2": {}})), {})
    found = {row[:2]: row[2] for row in whole.select("quantity", "agent", "ours").iter_rows()}
    name = "rank of “{}” after “an answer is similar to [DET] [V]”".format
    assert (found[name("question"), "bert-base"], found[name("question"), "gpt2"]) == (2, 2)
    assert found[name("statement"), "bert-base"] is None  # it is not among the first three


def test_the_curves_of_people_begin_to_fall_and_end_where_the_first_and_the_last_pair_do():
    relations = ["HYP", "HPO", "HOL", "MER", "ANT", "SYN"]
    pairs = list(itertools.permutations(relations, 2))
    about = {"agent": "humans", "metric": "distinguishability"}
    rows = [about | {"relation": r, "versus": s, "value": 0.52 + n / 100} for n, (r, s) in enumerate(pairs)]
    rows.append(about | {"relation": "HYP", "versus": "HYP", "value": 0.0})
    found = said(pl.DataFrame(rows, schema=AVERAGES))
    assert found["last threshold at which all 30 pairs are told apart", None, "humans"] == pytest.approx(0.52)
    assert found["threshold from which no pair is told apart", None, "humans"] == pytest.approx(0.81)
    assert len(said(pl.DataFrame(rows[1:], schema=AVERAGES))) == 0  # a pair is missing


def test_the_probes_of_symmetry_are_counted_as_in_the_paper():
    """Table 1 gives 17,608: the trick probes are those of a relation's prompts on all targets of its reverse."""
    columns = ("prompts", "targets", "probes")
    number = {
        row[:2]: row[2] for row in PRINTED.filter(where="Table 1").select("quantity", "condition", "value").iter_rows()
    }
    data = [
        {"relation": r} | {name: number[name, r] for name in columns}
        for r in ("HYP", "HPO", "HOL", "MER", "ANT", "SYN")
    ]
    assert symmetry_probes(pl.DataFrame(data))["ours"].item() == 17608


@pytest.mark.parametrize(("codes", "number"), [(("HYP", "HPO"), 7 * 5 + 4 * 10), (("HYP",), 0), (("HPO",), 0)])
def test_the_probes_of_symmetry_are_tricks_of_the_relations_whose_reverse_is_asked_for(codes, number):
    rows = {"HYP": {"prompts": 7, "targets": 10, "probes": 70}, "HPO": {"prompts": 4, "targets": 5, "probes": 20}}
    data = pl.DataFrame([{"relation": code, **rows[code]} for code in codes])
    assert symmetry_probes(data)["ours"].item() == sum(rows[code]["probes"] for code in codes) + number


def test_a_bound_is_shown_and_the_difference_is_that_from_it():
    printed = PRINTED.filter(quantity="largest completeness of a model", condition="HYP")
    rows = {"quantity": "largest completeness of a model", "condition": "HYP", "agent": None}
    for value, difference in ((0.2, 0.0), (0.3, 0.05)):
        here = pl.DataFrame([rows | {"ours": value}], schema_overrides={"agent": pl.String()})
        lacking = [pl.lit(None, pl.Float64).alias(name) for name in ("ours_low", "ours_high")]
        joined = compare_published(
            printed, here.with_columns(*lacking, n=pl.lit(None, pl.UInt32), units=pl.lit(None, pl.String))
        )
        assert joined["difference"].item() == pytest.approx(difference)
        assert page_table(joined, [2])["range"].item() == "at most 0.25"


def test_the_tuples_by_relation_and_the_last_numbers_of_the_text_are_there():
    value = {row[:3]: row[3] for row in PRINTED.select("quantity", "condition", "agent", "value").iter_rows()}
    by_relation = [
        value[f"tuples before augmentation: {code}", None, None] for code in ("HYP", "HPO", "HOL", "MER", "ANT", "SYN")
    ]
    assert by_relation == [147, 805, 0, 234, 52, 109]
    assert sum(by_relation) == value["tuples before augmentation", None, None]
    assert value["probes of symmetry and asymmetry", None, None] == 17608
    assert value["mean Jaccard similarity of vocabularies", "with Llama-2", None] == 0.32
