"""A run of two agents and its step show: every table and column, the page of answers, and what is said of the run."""

import base64
import gzip
import re
from dataclasses import replace
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.files import write_table
from relprobe.core.unmade import reasons
from relprobe.paper.run import Run
from relprobe.report.agent_styles import FigureSettings
from relprobe.report.analyses import write_by_agent
from relprobe.report.published import read
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.analogies import page, tables
from relprobe.studies.analogies.agents import agent_metrics
from relprobe.studies.analogies.analyses import choices as choice_tables
from relprobe.studies.analogies.analyses import contrasts, frequency, published, relations, samples, unjudged
from relprobe.studies.analogies.compare import compare, query_tests
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import COLUMNS
from relprobe.studies.analogies.methods import PERPLEXITY, sentences
from relprobe.studies.analogies.relations import GROUP_NAMES
from relprobe.studies.analogies.results import Results
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, LAYER_METRICS, METRICS, TUPLES
from relprobe.studies.analogies.show import Page, figures, show
from relprobe.studies.analogies.trials import trials

from tests.paths import ANSWERS_TEMPLATE, ROOT
from tests.report.test_answers import unpacked

ABOUT = {"E01": ("capitals", "ES", ""), "L08": ("sizes", "LS", "∗†")}
WORDS = {"E01": ["rome italy", "oslo norway", "bern swiss"], "L08": ["big huge", "small tiny"]}


def row(code, draw, partition, pair):
    name, group, marks = ABOUT[code]
    head, tail = pair.split()
    return (code, name, group, draw, partition, head, tail, [tail], f"{head} : {tail}", marks)


TUPLE_ROWS = pl.DataFrame(
    [row(code, 1, "test", pair) for code in ("L08", "E01") for pair in WORDS[code]]
    + [
        row("E01", 1, "train", "paris france"),
        row("L08", 1, "train", "cold icy"),
        row("E01", 1, "train", "rome lazio"),
    ],
    schema=TUPLES,
    orient="row",
)


def instance(code, probe, query, right, wrong, instead_of=None, partition="test"):
    return (code, 1, partition, probe, *query.split(), *right.split(), *wrong.split(), instead_of)


INSTANCE_ROWS = pl.DataFrame(
    [
        instance("L08", "reverse", "big huge", "small tiny", "tiny small"),
        instance("E01", "reverse", "rome italy", "oslo norway", "norway oslo"),
        instance("E01", "random_head", "rome italy", "oslo norway", "bern norway"),
        instance("E01", "random_tail", "rome italy", "bern swiss", "bern norway"),
        instance("E01", "type", "oslo norway", "rome italy", "oslo bern"),
        instance("E01", "reverse", "bern norway", "oslo norway", "norway oslo", "rome : italy"),
        instance("E01", "random_head", "paris france", "rome lazio", "x y", partition="train"),
    ],
    schema=INSTANCES,
    orient="row",
)
ASKED = INSTANCE_ROWS.filter(partition="test")


def decisions(values, setting="unsupervised"):
    """The decisions of an agent about the test's instances, in their order."""
    found = []
    for entry, value in zip(ASKED.iter_rows(named=True), values, strict=True):
        about = {"setting": setting, "relation": entry["relation"], "probe": entry["probe"], "draw": 1, "value": value}
        about |= {
            "query": f"{entry['query_head']} : {entry['query_tail']}",
            "head": entry["head"],
            "tail": entry["tail"],
        }
        about |= {"tuple": f"{entry['head']} : {entry['tail']}", "instead_of": entry["instead_of"]}
        found.append(about | {"label": True if setting == "supervised" else None})
    return pl.DataFrame(found, schema=DECISIONS)


CHOSEN = {"n": decisions([1.0, 1.0, 0.0, 1.0, 0.5, 0.0]), "static": decisions([0.0, 1.0, None, 0.0, 0.0, 1.0])}
TRAINED = {"n": decisions([0.0, 1.0, 1.0, 0.5, 0.0, 1.0], "supervised")}
AGENT_TABLES = {name: agent_metrics(table, TUPLE_ROWS, TRAINED.get(name)) for name, table in CHOSEN.items()}
VALUES = {name: tables_of.metrics for name, tables_of in AGENT_TABLES.items()}
COMPARING = AgentComparison(["static"])


def run(folder, **more):
    """The files of the run, in a folder."""
    for name, values in VALUES.items():
        write_table(values, METRICS, folder / f"metrics/{name}.parquet")
    analysis_files = [folder / f"{analysis}/{name}.parquet" for name in CHOSEN for analysis in ("unjudged",)]
    for path in analysis_files:
        path.parent.mkdir(exist_ok=True)
        write_by_agent(AGENT_TABLES[path.stem].by_agent, [path])
    found = compare(VALUES, COMPARING)
    files = {"averages": found.averages, "tests": found.tests, "queries": found.swapped, "by_agent": analysis_files}
    files |= {"tuples": TUPLE_ROWS, "instances": INSTANCE_ROWS, "decisions": CHOSEN, "supervised": TRAINED}
    files |= {"metrics": [folder / f"metrics/{name}.parquet" for name in VALUES], "controls": ["static"]}
    return Results(**{**files, "kinds": {"n": "masked", "static": "control"}, **more})


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "metrics").mkdir()
    return run(folder)


def rows(table, *columns):
    """Return the rows of a table, or some columns of them, with floats to three digits."""
    found = table.select(columns or pl.all()).rows()
    return [tuple(round(value, 3) if isinstance(value, float) else value for value in entry) for entry in found]


def test_the_accuracies_stand_by_group_and_agent_in_their_order(results):
    """Of the random probe of n, one of two tuples is right; the missing decision of static is in no mean."""
    settings = [f"{setting} {probe}" for setting in ("supervised", "unsupervised") for probe in COLUMNS]
    swapped = {f"{setting} reverse": f"{setting} reverse, swapped query" for setting in ("supervised", "unsupervised")}
    table = tables.TABLES["overview"](results)
    shown = [name for metric in settings for name in (metric, swapped.get(metric)) if name]
    assert table.columns == ["group", "agent", *shown, "tuples", "relations", "own_tuples"]
    values_of_n, values_of_static = (
        (0.75, 1.0, 1.0, 0.0, 0.5, 1.0, 0.0, 0.5),
        (None, None, None, None, 0.0, 1.0, 1.0, 0.0),
    )
    assert rows(table) == [
        ("ES", "n", *values_of_n, 2, 1, False),
        ("ES", "static", *values_of_static, 1, 1, True),
        ("LS", "n", None, 0.0, None, None, None, 1.0, None, None, 1, 1, False),
        ("LS", "static", None, None, None, None, None, 0.0, None, None, 1, 1, False),
        ("All", "n", 0.75, 0.5, 1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 2, 2, False),
        ("All", "static", None, None, None, None, 0.0, 0.5, 1.0, 0.0, 2, 2, True),
        ("unmarked", "n", *values_of_n, 2, 1, False),
        ("unmarked", "static", *values_of_static, 1, 1, True),
    ]
    table = relations.TABLES["relations"](results)
    assert table.columns[:5] == ["group", "relation", "marks", "tails_seen", "agent"]
    assert rows(table) == [
        ("ES", "E01 capitals", "", 0.0, "n", *values_of_n, 2, 2, False),
        ("ES", "E01 capitals", "", 0.0, "static", *values_of_static, 1, 1, True),
        ("LS", "L08 sizes", "∗†", 0.0, "n", None, 0.0, None, None, None, 1.0, None, None, 1, 1, False),
        ("LS", "L08 sizes", "∗†", 0.0, "static", None, None, None, None, None, 0.0, None, None, 1, 1, False),
    ]


def test_swapped_queries_stand_by_condition_with_both_accuracies(results):
    table = tables.TABLES["swapped"](results)
    columns = "condition", "agent", "setting", "probe", "right_query", "swapped_query", "difference", "tuples"
    assert rows(table, *columns) == [
        (condition, *rest)
        for condition in ("ES", "All", "unmarked", "capitals")
        for rest in (
            ("n", "supervised", "reverse", 1.0, 1.0, 0.0, 1),
            ("n", "unsupervised", "reverse", 1.0, 0.0, 1.0, 1),
            ("static", "unsupervised", "reverse", 1.0, 1.0, 0.0, 1),
        )
    ]
    table = contrasts.TABLES["contrasts"](results)
    rows_of_all = (
        table.filter(condition="All").select("agent", "metric", "a", "b", "value_a", "value_b", "family").rows()
    )
    values_of_n = ("n", "unsupervised", "unsupervised random", "unsupervised reverse", 0.0, 1.0, "models")
    assert values_of_n in rows_of_all
    members = contrasts.TABLES["contrasts"](replace(results, members=["n"], kinds={"n": "masked", "static": "control"}))
    assert set(members["family"]) == {"series"}
    controls = contrasts.TABLES["contrasts"](replace(results, kinds={"n": "control", "static": "control"}))
    assert set(controls["family"]) == {"controls"}


def test_the_other_tables_are_those_of_the_files(results):
    assert tables.TABLES["averages"](results) is results.averages
    assert tables.TABLES["tests"](results) is results.tests
    controls = tables.TABLES["controls"](results)
    assert controls.equals(beyond_controls(results.tests, ["static"]))
    assert set(controls["control"]) == {"static"}
    assert tables.TABLES["controls"](replace(results, controls=None)).is_empty()
    # Of three heads of the test, rome is one of training; five tails are different, as are the families.
    assert rows(tables.TABLES["data"](results)) == [
        ("ES", "E01", "capitals", 1, "", 2.0, 3.0, 5, 5, 0.333, 0.0, 1.0, 1.0)
    ]
    assert unjudged.TABLES["unjudged"](results).rows() == [
        ("n", "supervised", 5, 0),
        ("n", "unsupervised", 5, 0),
        ("static", "unsupervised", 5, 1),
    ]
    assert samples.TABLES["samples"](results).rows() == [
        ("random_head", "E01", "paris : france", "rome : lazio", "x : y")
    ]
    columns = "agent", "relation", "name", "tuples", "clusters", "right", "wrong", "unknown"
    assert rows(frequency.TABLES["frequency"](results), *columns) == [("n", "E01", "capitals", 2, 2, 1, 1, 0)]
    assert frequency.TABLES["frequency_summary"](results)["test"].to_list() == ["permutation of families of tuples"]
    by_decision = frequency.TABLES["frequency_summary"](replace(results, inference="paper"))
    assert by_decision["test"].to_list() == ["Kolmogorov-Smirnov over decisions"]
    assert frequency.TABLES["frequency"](replace(results, supervised=None)).is_empty()
    for name in ("choices", "sent"):
        assert choice_tables.TABLES[name](results).is_empty()


def test_the_published_figures_are_compared_with_the_averages_and_those_of_analyses(results):
    pairs = [
        ("supervised random (%)", "ES", "n", 50.0),
        ("relations where frequency plays no role (%)", None, "n", 80.0),
    ]
    entries = [{"quantity": q, "condition": c, "agent": a, "value": v, "where": "Table 1"} for q, c, a, v in pairs]
    schema = read(ROOT / "resources/published/analogies.csv").schema
    printed = pl.DataFrame([{name: entry.get(name) for name in schema} for entry in entries], schema=schema)
    found = published.TABLES["published"](replace(results, published=printed))
    assert rows(found.sort("quantity", descending=True), "quantity", "value", "ours", "n") == [
        ("supervised random (%)", 50.0, 75.0, 2),
        ("relations where frequency plays no role (%)", 80.0, None, 0),
    ]


def test_every_choice_and_judgement_but_those_of_controls_is_a_trial():
    found = trials(CHOSEN, INSTANCE_ROWS, TUPLE_ROWS, TRAINED)
    columns = (
        "agent",
        "task",
        "relation",
        "relation_name",
        "condition",
        "target",
        "answer",
        "right",
        "cluster",
        "frequency",
    )
    oslo, small, bern, rome = "oslo : norway", "small : tiny", "bern : swiss", "rome : italy"
    head, tail = ("E01", "capitals", "random_head"), ("E01", "capitals", "random_tail")
    reverse, type_probe, sizes = (
        ("E01", "capitals", "reverse"),
        ("E01", "capitals", "type"),
        ("L08", "sizes", "reverse"),
    )
    frequent = {oslo: 3.83, small: 5.065, bern: 3.675, rome: 4.555}

    def of(agent, task, asked, target, answer, right):
        return (agent, task, *asked, target, answer, right, target, frequent[target])

    assert rows(found, *columns) == [
        of("n", "unsupervised", sizes, small, small, 1.0),
        of("n", "unsupervised", reverse, oslo, oslo, 1.0),
        of("n", "unsupervised", head, oslo, "bern : norway", 0.0),
        of("n", "unsupervised", tail, bern, bern, 1.0),
        of("n", "unsupervised", type_probe, rome, None, 0.5),
        of("static", "unsupervised", sizes, small, "tiny : small", 0.0),
        of("static", "unsupervised", reverse, oslo, oslo, 1.0),
        of("static", "unsupervised", tail, bern, "bern : norway", 0.0),
        of("static", "unsupervised", type_probe, rome, "oslo : bern", 0.0),
        of("n", "supervised", sizes, small, "no", 0.0),
        of("n", "supervised", reverse, oslo, "yes", 1.0),
        of("n", "supervised", head, oslo, "yes", 1.0),
        of("n", "supervised", tail, bern, None, 0.5),
        of("n", "supervised", type_probe, rome, "no", 0.0),
    ]
    assert found.select("study", "counted", "candidates").unique().rows() == [("analogies", 1, 2)]
    items = found.filter(condition="random_head")["item"].to_list()
    assert items == [
        "random_head, draw 1: rome : italy :: oslo : norway or bern : norway",
        "random_head, draw 1: rome : italy :: oslo : norway (oslo : norway)",
    ]


def test_a_comparison_has_averages_tests_and_swapped_queries_and_layers_where_there_are_any():
    found = compare(VALUES, COMPARING)
    assert found.averages.equals(COMPARING.averages(VALUES, MEASURES))
    assert found.tests.equals(COMPARING.tests(VALUES, MEASURES))
    assert found.swapped.equals(query_tests(VALUES, COMPARING.kinds(VALUES)))
    assert found.tables is None
    along = (
        VALUES["n"].filter(metric="supervised reverse").with_columns(metric=pl.lit("reverse"), variant=pl.lit("raw"))
    )
    layers = [along.with_columns(layer=pl.lit(layer, pl.UInt16)) for layer in (0, 2)]
    layered = {"n": pl.concat(layers).select(list(LAYER_METRICS))}
    static = {"static": VALUES["n"].with_columns(value=pl.lit(0.25))}
    values = {**VALUES, **static}
    found = compare(values, COMPARING, static, layered)
    assert found.tables.keys() == {"layers", "trends", "against_last", "halves", "series"}
    rows_of_all = found.tables["layers"].filter(condition="All").select("layer", "metric", "value").rows()
    assert rows_of_all == [(0, "reverse", 0.5), (2, "reverse", 0.5)]
    assert set(found.tables["series"]["agent"]) == {"n", "static"}
    assert set(found.tables["halves"]["condition"]) == {"All"}


def test_the_page_of_answers_has_every_agent_and_the_figures_are_those_that_are_named(results, tmp_path):
    page_settings = Page(["overview", "samples"], "Look here first.", ["n"], "My run")
    drawing = FigureSettings(["groups_unsupervised"], {"n": "masked", "static": "control"})
    shown = show(results, page_settings, ANSWERS_TEMPLATE, tmp_path / "answers.html", drawing)
    assert [*shown.tables] == page_settings.table_names
    assert [name for name, _ in shown.figures] == ["groups_unsupervised"]
    html = (tmp_path / "answers.html").read_text()
    assert tables.TITLE in html
    assert "Look here first." in html
    assert "My run" in html
    header, _ = unpacked(gzip.decompress(base64.b64decode(re.search('id="data">([^<]*)<', html)[1])))
    assert [(one["name"], one["model"]) for one in header["agents"]] == [("n", True), ("static", False)]
    assert header["probes"] == 5  # without the control
    assert header["names"] == ["random head", "random tail", "reverse", "type"]
    # The choices are those of the agent with most of them, whichever comes first.
    few = {"few": CHOSEN["n"].head(2), **CHOSEN}
    tables.answers(few, INSTANCE_ROWS, TUPLE_ROWS, ANSWERS_TEMPLATE, tmp_path / "other.html")
    packed = re.search('id="data">([^<]*)<', (tmp_path / "other.html").read_text())[1]
    header, _ = unpacked(gzip.decompress(base64.b64decode(packed)))
    assert header["probes"] == 5
    assert {one["model"] for one in header["agents"]} == {False}


def test_a_figure_in_words_has_the_probes_of_its_setting(results):
    page_settings = {
        "overview": tables.TABLES["overview"](results),
        "relations": relations.TABLES["relations"](results),
    }
    said = page.words("groups_unsupervised", page_settings)
    assert said.startswith("random: ES (2 tuples): n 0.500")
    assert [said.index(f"{probe}: ") for probe in COLUMNS] == sorted(said.index(f"{probe}: ") for probe in COLUMNS)
    assert page.words("groups_supervised", page_settings).startswith("random: ES (2 tuples): n 0.750")
    assert (page.words("groups_unsupervised", {}), page.words("relations_unsupervised", page_settings)) == ("", "")
    assert relations.words("relations_unsupervised", page_settings).startswith(
        "random: E01 capitals (2 tuples): n 0.500"
    )
    assert (relations.words("relations_unsupervised", {}), relations.words("groups_unsupervised", page_settings)) == (
        "",
        "",
    )


def test_the_methods_of_a_manuscript_say_what_this_run_has(results):
    data = pl.DataFrame({"train_tuples": [25.0, 24.0], "test_tuples": [25.0, 25.0]})
    section = {"split": {"draws": 2, "seed": 5}, "sample": {"instances": 100}, "template": "{h1} {t1} {h2} {t2}"}
    section |= {"unsupervised": {"perplexity": "token"}, "supervised": {"seeds": [1, 2]}}
    run_of = Run("analogies", section, {"benchmark": True}, {"data": data}, None, results.averages, results.tests)
    said = list(sentences(run_of))
    assert said[1] == "The pairs are those of BATS [@gladkova2016]: 2 relations."
    assert said[2] == "A relation has 49 to 50 pairs, which 2 splits divide (seed 5)."
    assert said[3] == "At most 100 instances of each kind are drawn in a partition."
    assert PERPLEXITY["token"] in said[4]
    assert said[5] == "In the supervised setting, a classifier reads the states of the model (seeds 1 and 2)."
    without = results.averages.filter(~pl.col("metric").str.starts_with("supervised"))
    one = replace(run_of, averages=without, section={**section, "sample": {}}, tables={"data": data.head(1)})
    said = list(sentences(one))
    assert said[2] == "A relation has 50 pairs, which 2 splits divide (seed 5)."
    assert not [text for text in said if "At most" in text or "supervised setting, a classifier" in text]
    for resources, benchmark, source in (
        ({"demonstration_analogies": {}}, False, "a demonstration, which is no benchmark"),
        ({"demonstration_analogies": {}}, True, "those of BATS [@gladkova2016]"),
        ({"own_analogies": {}}, True, "our own"),
    ):
        text = list(sentences(replace(run_of, resources=resources, has={"benchmark": benchmark})))[1]
        assert text == f"The pairs are {source}: 2 relations."
    seed = {**section, "supervised": {"seeds": [3]}}
    assert list(sentences(replace(run_of, section=seed)))[5].endswith("(seed 3).")


def test_a_manuscript_counts_the_decisions_without_a_vector():
    counts = pl.DataFrame({"unjudged": [2, 1]})
    assert list(unjudged.methods(SimpleNamespace(tables={"unjudged": counts}))) == [
        "Left out were 3 decisions about words without a vector."
    ]
    for given in ({}, {"unjudged": counts * 0}):
        assert list(unjudged.methods(SimpleNamespace(tables=given))) == []


def spots(axis):
    """The points of a panel: agent -> x and y of each."""
    return {
        points.get_label(): [tuple(place) for place in points.get_offsets().tolist()] for points in axis.collections
    }


def test_the_figures_have_the_accuracies_of_a_setting_by_group_and_by_relation(results):
    kinds = {"static": "control", "n": "masked"}
    names = ["groups_unsupervised", "relations_unsupervised", "relations_supervised"]
    drawn = {name: draw() for name, draw in figures(results, FigureSettings(names, kinds))}
    panels = [axis for axis in drawn["groups_unsupervised"].axes if axis.get_visible()]
    assert [axis.get_title(loc="left") for axis in panels] == [
        *("all relations: random, n = 2", "all relations: reverse, n = 2", "all relations: type, n = 1"),
        *(f"{GROUP_NAMES['ES']}: {end}" for end in ("random, n = 2", "reverse, n = 1", "type, n = 1")),
        *(f"{GROUP_NAMES['LS']}: {end}" for end in ("random", "reverse, n = 1", "type")),
    ]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["n", "static °"]
    places = [
        [(line.get_xdata()[0], line.get_ydata()[0]) for line in axis.get_lines() if len(line.get_xdata()) == 1]
        for axis in panels
    ]
    assert places[:3] == [[(0.5, 0), (0.0, 1)], [(1.0, 0), (0.5, 1)], [(0.5, 0), (0.0, 1)]]
    assert places[6:] == [[], [(1.0, 0), (0.0, 1)], []]
    axes = drawn["relations_unsupervised"].axes
    assert [axis.get_title(loc="left") for axis in axes] == list(COLUMNS)
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["E01 capitals", "L08 sizes ∗†"]
    assert axes[0].get_ylim() == (1.5, -0.5)
    assert [spots(axis) for axis in axes] == [
        {"n": [(0.5, 0.0)], "static": [(0.0, 0.0)]},
        {"n": [(1.0, 0.0), (1.0, 1.0)], "static": [(1.0, 0.0), (0.0, 1.0)]},
        {"n": [(0.5, 0.0)], "static": [(0.0, 0.0)]},
    ]
    urls = axes[1].collections[0].get_urls()
    assert len(set(urls)) == 2
    assert "sizes" in urls[1]
    assert [spots(axis) for axis in drawn["relations_supervised"].axes] == [
        {"n": [(0.75, 0.0)]},
        {"n": [(1.0, 0.0), (0.0, 1.0)]},
        {"n": [(0.0, 0.0)]},
    ]
    legend = [text.get_text() for one in drawn["relations_unsupervised"].legends for text in one.get_texts()]
    assert legend == ["n", "static"]


def test_tables_along_layers_that_cannot_be_made_say_why_where_they_are_expected():
    damaged = {"n": pl.DataFrame({"x": [1]})}
    found = compare(VALUES, COMPARING, {}, damaged, table_names=["layers", "trends"])
    assert set(reasons(found.tables)) == {"layers", "trends"}
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        compare(VALUES, COMPARING, {}, damaged)
