import polars as pl
import pytest
from relprobe.core.prompting import BARE
from relprobe.report.published import compare_published, read
from relprobe.studies.relations.analyses.published import OTHER_PANEL, ours, with_reasons
from relprobe.studies.relations.published import ALL, MODEL_FAMILIES, PaperColumn, column_tables
from relprobe.studies.relations.schemas import AVERAGES, METRICS

from tests.paths import ROOT

PRINTED = read(ROOT / "resources/published/relations.csv")
OUTSIDE = ["outside", "share", "different_outside", "different_share", "answers", "different"]
RELATED = [
    {"metric": "first_related", "value": 1.0},
    {"metric": "first_related", "value": 4.0},
    {"metric": "unrelated", "value": 0.0},
    {"metric": "unrelated", "value": 1.0},
    {"metric": "unrelated", "value": 1.0},
    {"metric": "unrelated", "value": 1.0},
]
GOLD = [{"metric": "prototypicality", "relation": "ANT", "value": 1.0}] * 3


def table_of(columns, *rows):
    """Return a table, with what our figures are over."""
    return with_units(pl.DataFrame(rows, schema=columns.split(), orient="row"))


def with_units(table):
    """Add an interval, and the numbers of units of the tables of comparisons."""
    return table.with_columns(low=-1.0, high=3.0, units=5, clusters=6, pairs=7, tested=8)


def all_relations(columns):
    """Return a table of one row per relation and one for all, whose values all are 1."""
    names = ["HYP", "HPO", "HOL", "MER", "ANT", "SYN", None]
    return pl.DataFrame({"relation": names, **{column: [1.0] * len(names) for column in columns}})


def found(averages=(), values=None, tables=None, models=("m",)):
    averages = pl.DataFrame(list(averages), schema=AVERAGES)
    values = {agent: pl.DataFrame(rows, schema=METRICS) for agent, rows in (values or {}).items()}
    table = ours(averages, values, tables or {}, models)
    result = {row[:3]: row[3] for row in table.iter_rows()}
    assert len(result) == table.height
    return result


def test_averages_go_by_their_metric_and_cutoff():
    rows = [
        {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.25},
        {"agent": "m", "metric": "symmetry", "relation": "ANT", "k": 5, "value": 0.5},
        {"agent": "m", "metric": "audc", "value": 8.5},
        {"agent": "m", "metric": "audc_printed", "value": 9.0},
        {"agent": "m", "metric": "distinguishability", "relation": "HYP", "versus": "ANT", "value": 0.1},
    ]
    assert found(rows) == {("soundness", "HYP", "m"): 0.25, ("symmetry@5", "ANT", "m"): 0.5, ("AuDC", None, "m"): 9.0}


def test_a_row_of_a_table_without_a_value_or_without_what_its_name_needs_is_left_out():
    """The table is left out where the run has none, and so are other ways of asking than the probe alone."""
    columns = {"family": "B", "way": BARE}
    rows = [
        {**columns, "metric": "symmetry", "relation": "ANT", "share": 0.5},
        {**columns, "metric": "soundness", "relation": "ANT", "share": None},
        {**columns, "metric": None, "relation": "ANT", "share": 0.25},
        {**columns, "metric": "soundness", "relation": "HYP", "share": 0.75, "way": "chat"},
    ]
    printed = [PaperColumn("shares", "share", "share: {metric}", "family"), PaperColumn("others", "x", "x")]
    (table,) = column_tables({"shares": pl.DataFrame(rows)}, printed)
    assert table.select("quantity", "condition", "agent", "ours").rows() == [("share: [as/s]ymmetry", "ANT", "B", 0.5)]


def test_what_is_over_all_probes_and_how_many_responses_prototypicality_has():
    result = found(values={"humans": RELATED + GOLD, "m": RELATED + GOLD})
    assert result == {
        ("rank of the first related word", None, "humans"): 2.5,
        ("responses of unrelated words alone (share)", None, "humans"): 0.75,
        ("responses used for prototypicality", "ANT", "humans"): 3,
        ("rank of the first related word", None, "m"): 2.5,
        ("responses of unrelated words alone (share)", None, "m"): 0.75,
    }


def test_the_responses_that_one_annotator_is_compared_with_are_those_of_the_humans():
    result = found(values={"humans": RELATED, "annotator": GOLD, "m": GOLD})
    used = {key: value for key, value in result.items() if key[0] == "responses used for prototypicality"}
    assert used == {("responses used for prototypicality", "ANT", "humans"): 3}


def test_the_names_of_comparisons_hold_the_metric_and_the_average():
    tables = {
        "size_averages": table_of(
            "family metric average difference", ("BERT", "soundness", "micro", 0.25), ("BERT", "audc", None, 2.0)
        ),
        "size_differences": table_of(
            "family metric relation difference", ("BERT", "[as/s]ymmetry", "HYP", 0.5), ("BERT", "audc", None, 2.0)
        ),
    }
    assert found(tables=tables, models=MODEL_FAMILIES["BERT"]) == {
        ("largest minus smallest, micro: soundness", None, "BERT"): 0.25,
        ("largest minus smallest: [as/s]ymmetry", "HYP", "BERT"): 0.5,
        ("largest minus smallest: AuDC", None, "BERT"): 2.0,
    }


def test_every_figure_says_what_it_is_over():
    means = [
        {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.5, "low": 0.25, "high": 0.75, "units": 9},
        {"agent": "m", "metric": "symmetry", "relation": "ANT", "k": 5, "value": 0.5, "units": 4},
        {"agent": "m", "metric": "audc_printed", "value": 9.0, "units": 30},
    ]
    tables = {
        "size_differences": table_of("family metric relation difference", ("BERT", "soundness", "HYP", 0.5)),
        "size_averages": table_of("family metric average difference", ("BERT", "soundness", "micro", 0.5)),
        "size_reversals": table_of("family metric relation smaller_wins", ("BERT", "soundness", "HYP", 1)),
        "outside": all_relations(OUTSIDE).tail(1),
    }
    values = {"m": pl.DataFrame(RELATED, schema=METRICS)}
    table = ours(pl.DataFrame(means, schema=AVERAGES), values, tables, MODEL_FAMILIES["BERT"])
    columns = ("n", "units", "ours_low", "ours_high")
    assert {row["quantity"]: tuple(row[name] for name in columns) for row in table.to_dicts()} == {
        "soundness": (9, "targets", 0.25, 0.75),
        "symmetry@5": (4, "pairs", None, None),
        "AuDC": (30, "pairs of relations", None, None),
        "rank of the first related word": (2, "probes", None, None),
        "responses of unrelated words alone (share)": (4, "probes", None, None),
        "largest minus smallest: soundness": (6, "clusters", -1.0, 3.0),
        "largest minus smallest, micro: soundness": (5, "targets or tuples", None, None),
        "smaller beats next larger: soundness": (7, "pairs of models", None, None),
        "answers outside all relatum sets": (None, None, None, None),
        "answers outside all relatum sets (share)": (1, "answers", None, None),
        "different answers outside all relatum sets": (None, None, None, None),
        "different answers outside all relatum sets (share)": (1, "different answers", None, None),
    }


def test_a_family_of_other_models_stands_beside_nothing():
    tables = {"size_differences": table_of("family metric relation difference", ("BERT", "soundness", "HYP", 0.5))}
    assert found(tables=tables, models=["bert-base", "bert-tiny"]) == {}


@pytest.mark.parametrize(("models", "counted"), [(ALL, 1), (sorted(ALL)[1:], 0), ({*ALL, "more"}, 1)])
def test_comparisons_of_all_models_need_the_papers_models(models, counted):
    rows = [("soundness", "HYP", "bare", 48), ("soundness", "HYP", "shots 3", 7)]  # the paper asks without examples
    tables = {"wins_by_type": table_of("metric relation way masked_wins", *rows)}
    assert len(found(tables=tables, models=models)) == counted


@pytest.mark.parametrize(("models", "counted"), [(ALL, 1), (sorted(ALL)[1:], 0)])
def test_the_number_of_agents_with_unequal_variances_is_that_of_the_papers_models(models, counted):
    tables = {"unequal_prompts": table_of("metric relation total", ("soundness", "HYP", 3))}
    assert len(found(tables=tables, models=models)) == counted


def test_symmetry_and_asymmetry_are_one_where_the_paper_merges_them():
    tables = {"unequal_prompts": table_of("metric relation total", ("symmetry", "ANT", 11), ("asymmetry", "HYP", 16))}
    assert set(found(tables=tables, models=ALL)) == {
        ("agents with unequal variance over prompts: [as/s]ymmetry", "ANT", None),
        ("agents with unequal variance over prompts: [as/s]ymmetry", "HYP", None),
    }


def vocabularies(**jaccards):
    """A table of VOCABULARIES: "bert-base roberta-base" written as bert_roberta."""
    models = {
        "bert": "bert-base",
        "roberta": "roberta-large",
        "albert": "albert-base",
        "opt": "opt-125m",
        "gpt": "gpt2",
        "llama": "llama-2-7b",
    }
    tokens = {"bert": 28_996, "roberta": 50_265, "albert": 30_000, "opt": 50_265, "gpt": 50_257, "llama": 32_000}
    pairs = [(*name.split("_"), value) for name, value in jaccards.items()]
    columns = {
        "model_a": [models[a] for a, _, _ in pairs],
        "model_b": [models[b] for _, b, _ in pairs],
        "tokens_a": [tokens[a] for a, _, _ in pairs],
        "tokens_b": [tokens[b] for _, b, _ in pairs],
        "jaccard": [value for _, _, value in pairs],
    }
    return {"vocabularies": pl.DataFrame(columns)}


MASKED = {"bert_roberta": 0.5, "bert_albert": 0.3, "roberta_albert": 0.4}


def test_vocabularies_of_the_papers_families_are_compared_whatever_their_sizes():
    likeness = "mean Jaccard similarity of vocabularies"
    sizes = {("vocabulary size", None, name): size for name, size in (("BERT", 28_996.0), ("ALBERT", 30_000.0))}
    assert found(tables=vocabularies(bert_albert=0.3, bert_gpt=0.9), models=["bert-base", "albert-base"]) == sizes
    masked = found(tables=vocabularies(**MASKED), models=[])
    assert masked[likeness, "masked models", None] == pytest.approx(0.4)
    assert (likeness, "with OPT", None) not in masked
    both = found(tables=vocabularies(**MASKED, bert_opt=0.5, albert_opt=0.3, roberta_opt=1.0), models=[])
    assert both[likeness, "with OPT", None] == pytest.approx(0.5)


def notes(panel, tuples):
    table = with_reasons(PRINTED, panel, tuples)
    return {(row["quantity"], row["condition"], row["agent"]): row["note"] for row in table.to_dicts()}


THEIR_TUPLES = ["hyperlex", "category_norms"]
THEIR_PANEL = ["bert-large", "roberta-base", "albert-base", "opt-125m", "more"]


def test_another_panel_is_a_reason_wherever_the_lexicon_matters():
    found = notes(["m"], THEIR_TUPLES)
    assert found["soundness", "ANT", "humans"].startswith(f"{OTHER_PANEL}; ")
    assert found["largest minus smallest: soundness", "HYP", "BERT"] == OTHER_PANEL
    assert found["prompts", "HYP", None] is None
    assert OTHER_PANEL not in found["responses of entropy 0", "HYP", "humans"]


def test_a_panel_with_a_model_of_each_family_is_the_papers():
    assert with_reasons(PRINTED, THEIR_PANEL, [*THEIR_TUPLES, "own_tuples"]).equals(PRINTED)


def test_a_run_without_category_norms_does_not_explain_them():
    assert any("category norms" in (note or "") for note in notes(THEIR_PANEL, THEIR_TUPLES).values())
    found = notes(THEIR_PANEL, ["wordnet"])
    other = "the tuples are not from HyperLex and category norms, as the paper's are, but from wordnet"
    assert found["targets", "HYP", None] == other
    assert found["soundness", "ANT", "humans"] == other
    assert found["prompts", "HYP", None] is None
    assert found["responses of entropy 0", "HYP", "humans"].startswith("the authors' file")
    assert not any("norms" in (note or "").replace(other, "") for note in found.values())
    assert notes(["m"], ["wordnet"])["targets", "HYP", None] == f"{other}; {OTHER_PANEL}"


def test_ours_stand_beside_the_printed_ones():
    rows = [{"agent": "humans", "metric": "soundness", "relation": "HPO", "value": 0.5}]
    table = compare_published(PRINTED, ours(pl.DataFrame(rows, schema=AVERAGES), {}, {}, ["m"]))
    assert table.filter(quantity="soundness", condition="HPO")["difference"].to_list() == [pytest.approx(-0.13)]


def test_the_rows_have_the_order_of_the_metrics_in_every_run():
    """Groups of a table come in any order unless it is kept, so two runs of a study would write different files."""
    orders = {tuple(found(values={"m": RELATED})) for _ in range(30)}
    assert len(orders) == 1
