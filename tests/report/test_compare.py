"""The comparison of two runs: what is paired, how it is tested, and which probes are named."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.report import compare, differences
from relprobe.report.compare import Folders, Outputs, Settings
from relprobe.report.compare import compare as compare_step
from relprobe.studies.relations.averages import linked_by
from relprobe.studies.relations.schemas import METRICS, TOP_WORDS

from tests.facts import WHOLE
from tests.paths import TEMPLATE
from tests.studies.pairs.made import items

TARGETS = ("crow", "duck", "gull", "hawk", "owl", "robin")


def run(folder, values, words=(), agent="m"):
    """Write a results folder of one agent: target -> soundness under the prompt p, and the first words of probes."""
    rows = [
        {"metric": "soundness", "relation": "HYP", "target": t, "prompt_id": "p", "value": v} for t, v in values.items()
    ]
    (folder / "relations/metrics").mkdir(parents=True)
    (folder / "relations/top_words").mkdir()
    pl.DataFrame(rows, schema=METRICS).write_parquet(folder / f"relations/metrics/{agent}.parquet")
    relata = [{"relation": "HYP", "target": target, "relatum": f"kind of {target}"} for target in values]
    pl.DataFrame(relata).write_parquet(folder / "relations/relata.parquet")
    first = [{"probe_id": f"p:{target}", "rank": 1, "word": word} for target, word in words]
    pl.DataFrame(first, schema=TOP_WORDS).write_parquet(folder / f"relations/top_words/{agent}.parquet")
    return folder


@pytest.fixture
def runs(tmp_path):
    """Six targets that are wrong before and right after, and one that each run has alone."""
    before = run(tmp_path / "before", {**dict.fromkeys(TARGETS, 0.0), "wren": 0.0}, [("robin", "wing"), ("owl", "egg")])
    after = run(tmp_path / "after", {**dict.fromkeys(TARGETS, 1.0), "finch": 1.0}, [("robin", "bird"), ("owl", "bird")])
    return before, after


def tables_of(before, after, renamed=None):
    values = [differences.read_metrics(folder / "relations/metrics") for folder in (before, after)]
    agents = differences.common_agents(*values, renamed or {})
    words = tuple(differences.read_metrics(folder / "relations/top_words") for folder in (before, after))
    links = differences.links_of("relations", after)
    return differences.differences("relations", agents, links), differences.changes("relations", agents, words)


def test_the_metrics_of_definitions_are_found_under_the_name_that_all_studies_share():
    names = [metric.name for metric in differences.measures_of("definitions")]
    assert names == ["W2D P@1", "W2D RS", "D2W P@1", "D2W RS"]


def test_items_that_both_runs_have_are_compared(runs):
    row = tables_of(*runs)[0].row(0, named=True)
    assert (row["agent"], row["metric"], row["condition"]) == ("m", "soundness", "HYP")
    assert (row["before"], row["after"], row["difference"]) == (0.0, 1.0, 1.0)
    assert (row["items"], row["changed"], row["only_before"], row["only_after"]) == (6, 6, 1, 1)
    assert row["p"] == row["p_holm"] == 2 / 2**6  # all six differ in one direction


def test_an_agent_without_any_value_leaves_the_others_their_comparison(runs):
    for folder in runs:
        pl.DataFrame(schema=METRICS).write_parquet(folder / "relations/metrics/unreadable.parquet")
    assert tables_of(*runs)[0]["agent"].to_list() == ["m"]


def test_the_probes_that_changed_are_named_with_their_answers(runs):
    changed = tables_of(*runs)[1]
    assert changed.height == 6
    assert changed.filter(unit="robin · p").select("before", "after", "answer_before", "answer_after").row(0) == (
        *(0.0, 1.0),
        *("wing", "bird"),
    )


def test_other_prompts_of_the_same_targets_are_compared(tmp_path, runs):
    file = runs[1] / "relations/metrics/m.parquet"
    pl.read_parquet(file).with_columns(prompt_id=pl.lit("q")).write_parquet(file)
    differences, changed = tables_of(*runs)
    assert differences["items"].to_list() == [6]
    assert changed.is_empty()  # no probe is in both runs


def test_an_agent_may_have_another_name_before(tmp_path):
    before = run(tmp_path / "before", dict.fromkeys(TARGETS, 0.0), agent="m-1")
    after = run(tmp_path / "after", dict.fromkeys(TARGETS, 1.0), agent="m-2")
    assert tables_of(before, after)[0].is_empty()
    assert tables_of(before, after, {"m-2": "m-1"})[0]["agent"].to_list() == ["m-2"]


def test_a_run_is_equal_to_itself(runs):
    differences, changed = tables_of(runs[0], runs[0])
    assert differences["p"].to_list() == [1.0]
    assert changed.is_empty()
    assert compare.summary(differences).startswith("0 of 1 comparison differ")


def test_the_sentence_says_how_many_are_higher_and_how_many_lower_and_which_has_changed_most():
    changes = {"a": 0.25, "b": 0.125, "c": -0.5, "d": 0.75}
    rows = [
        {"study": "relations", "agent": agent, "metric": "soundness", "condition": "HYP", "before": 0.5}
        | {"after": 0.5 + change, "difference": change, "p_holm_all": 0.5 if agent == "d" else 0.01, "changed": 9}
        for agent, change in changes.items()
    ]
    said = compare.summary(pl.DataFrame(rows, schema=differences.DIFFERENCES))
    assert said.startswith("3 of 4 comparisons differ (p < 0.05")
    assert "): 2 are higher after the change, 1 are lower. " in said
    assert "The largest is soundness of c (HYP): 0.500 before, 0.000 after, −0.50." in said


def test_folders_without_a_study_in_common_are_named(tmp_path):
    with pytest.raises(DataError, match="have no study in common"):
        differences.studies_of(["relations"], tmp_path, tmp_path)


def test_the_studies_of_both_folders_are_compared_in_the_order_of_this_run(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before / "old", before / "both", after / "both", after / "new", before / "also", after / "also"):
        (folder / "metrics").mkdir(parents=True)
    (after / "old").mkdir()
    assert differences.studies_of(["old", "both", "new", "also"], before, after) == ["both", "also"]


def test_the_step_writes_the_page_and_its_tables(runs, tmp_path):
    files = [tmp_path / name for name in ("compare.html", "differences.csv", "changed.csv")]
    compare_step(Folders(*runs), Settings(["relations"]), TEMPLATE, Outputs(*files))
    html = files[0].read_text()
    assert "1 of 1 comparison differs (p &lt; 0.05" in html
    assert "robin · p" in html
    assert pl.read_csv(files[1])["difference"].to_list() == [1.0]
    assert pl.read_csv(files[2]).height == 6


def test_the_page_says_what_differs_between_the_configurations(runs, tmp_path):
    (runs[0] / "configuration.json").write_text('{"top_k": 10, "seed": 1, "compare": {"results": "x"}}')
    files = [tmp_path / name for name in ("compare.html", "differences.csv", "changed.csv")]
    for configuration, said, cells in (
        ({"top_k": 25, "seed": 1}, "differ in 1 key.", ["top_k", "10", "25"]),
        ({"top_k": 10, "seed": 1}, "The configurations of both runs are the same", []),
        (None, "differ in 2 keys.", ["top_k", "seed"]),
    ):
        settings = Settings(["relations"], configuration=configuration, run="My run")
        compare_step(Folders(*runs), settings, TEMPLATE, Outputs(*files))
        html = files[0].read_text()
        assert said in html
        assert [cell for cell in cells if f">{cell}</td>" not in html] == []
        assert f"Before: {runs[0]}. After: {runs[1]}." in html
        assert "My run" in html


def test_clusters_may_have_other_names_in_the_other_run():
    rows = [{"metric": "symmetry", "relation": "ANT", "k": 5, "prompt_id": "p", "relatum": "night"}]
    values = [
        pl.DataFrame([{**row, "target": target, "cluster": cluster, "value": 1.0} for row in rows], schema=METRICS)
        for target, cluster in (("day", "a"), ("day", "b"))
    ]
    row = differences.differences("relations", {"m": tuple(values)}, {}).row(0, named=True)
    assert (row["condition"], row["items"], row["clusters"], row["only_before"]) == ("ANT, k = 5", 1, 1, 0)


def test_items_have_the_clusters_of_the_later_run_also_where_a_group_has_no_value():
    """Such as k of a metric that is not measured at several; an item of one run alone keeps its cluster."""
    metric = Metric("x", item=("target",), cluster=("cluster",))
    columns = {"relation": pl.String, "k": pl.Int64, "target": pl.String, "cluster": pl.String}
    before = [("HYP", None, "owl", "1"), ("HYP", 5, "owl", "2"), ("HYP", None, "wren", "3"), ("ANT", None, "owl", "4")]
    after = [("HYP", None, "owl", "a"), ("HYP", 5, "owl", "b"), ("ANT", None, "finch", "c")]
    tables = [pl.DataFrame(rows, schema=columns, orient="row") for rows in (after, before)]
    found = differences._in_clusters_of(*tables, metric, ["relation", "k"])
    assert found.columns == list(columns)
    assert found["cluster"].to_list() == ["a", "b", "3", "4"]


def random_changes(seed, agents, metrics, items=30):
    """Agents that change at random between two runs: metric -> values of the same items, before and after."""
    generator = np.random.default_rng(seed)
    targets = [f"t{number}" for number in range(items)]
    tables = {}
    for agent in range(agents):
        both = []
        for _ in range(2):
            values = generator.binomial(1, 0.5, (metrics, items)).astype(float)
            rows = [
                {"metric": "soundness", "relation": f"R{place}", "target": t, "prompt_id": "p", "value": v}
                for place, metric_values in enumerate(values)
                for t, v in zip(targets, metric_values, strict=True)
            ]
            both.append(pl.DataFrame(rows, schema=METRICS))
        tables[f"m{agent}"] = tuple(both)
    own = {"relation": [f"R{place}" for place in range(metrics)]}
    relata = pl.DataFrame(own).join(pl.DataFrame({"target": targets, "relatum": targets}), how="cross")
    return differences.differences("relations", tables, linked_by(relata).links)


@pytest.mark.slow("it draws 20 comparisons of runs")
def test_the_sentence_seldom_finds_a_difference_where_nothing_but_chance_has_changed_twenty_comparisons():
    """Within an agent's own family nothing is adjusted, so that a sentence on 20 of them found one in half of the runs."""
    tables = [random_changes(seed, agents=1, metrics=20) for seed in range(20)]
    alone = [table.filter(pl.col("p_holm") < 0.05).height > 0 for table in tables]
    said = [not compare.summary(table).startswith("0 of 20") for table in tables]
    assert sum(alone) > 7
    assert sum(said) <= 3


def test_a_run_that_leaves_it_open_says_how_large_a_difference_it_would_have_found():
    table = random_changes(1, agents=1, metrics=3)
    assert table.filter(pl.col("p").is_not_null() & pl.col("detectable_all").is_null()).is_empty()
    assert (table["detectable_all"] > table["detectable"]).all()
    assert "; a test of this size finds a difference of 0." in compare.summary(table)


def test_an_agent_that_answers_as_before_makes_no_p_larger():
    changed = random_changes(2, agents=1, metrics=1)
    same = changed.with_columns(agent=pl.lit("frequency"), p=1.0, changed=pl.lit(0, pl.UInt32), difference=0.0)
    both = differences.adjust_over_all(pl.concat([changed, same]))
    assert both["p_holm_all"].to_list() == [changed["p"][0], 1.0]


def test_a_file_of_metrics_has_one_agent_or_names_several_and_may_hold_none(tmp_path):
    row = {"metric": "right", "value": 1.0}
    pl.DataFrame([row]).write_parquet(tmp_path / "one.parquet")
    several = pl.DataFrame([row | {"agent": "m pmi"}, row | {"agent": "m schema", "value": 0.0}])
    several.write_parquet(tmp_path / "m.parquet")
    several.clear().write_parquet(tmp_path / "none.parquet")
    found = differences.read_metrics(tmp_path)
    assert {agent: table.to_dicts() for agent, table in found.items()} == {
        "one": [row],
        "m pmi": [row],
        "m schema": [row | {"value": 0.0}],
        "none": [],
    }
    assert all(table.columns == ["metric", "value"] for table in found.values())


def test_the_page_has_the_clearest_differences_first():
    rows = [("a", 0.5, 0.1), ("b", None, 0.9), ("c", 0.01, -0.2), ("d", 0.5, -0.3)]
    table = pl.DataFrame(rows, schema=["agent", "p_holm_all", "difference"], orient="row")
    changed = pl.DataFrame({"probe": ["x"]})
    agent_section, probe_section = compare.sections(table, changed)
    assert agent_section.table["agent"].to_list() == ["c", "d", "a", "b"]
    assert (agent_section.data, probe_section.data) == ("differences.csv", "changed.csv")
    assert probe_section.table is changed


def test_items_are_counted_that_one_run_alone_has():
    def values(**targets):
        row = {"metric": "soundness", "relation": "HYP", "prompt_id": "p"}
        return pl.DataFrame(
            [row | {"target": target, "value": value} for target, value in targets.items()], schema=METRICS
        )

    before, after = values(robin=0.0, owl=1.0, wren=1.0, tit=0.0), values(robin=1.0, owl=1.0, finch=0.0)
    links = linked_by(pl.DataFrame({"relation": "HYP", "target": ["robin", "owl"], "relatum": ["a", "b"]})).links
    row = differences.differences("relations", {"m": (before, after)}, links).row(0, named=True)
    assert [row[name] for name in ("items", "changed", "only_before", "only_after")] == [2, 1, 2, 1]
    changed = differences.changes("relations", {"m": (before, after)})
    assert changed.select("agent", "metric", "condition", "before", "after").rows() == [
        ("m", "soundness", "HYP", 0.0, 1.0)
    ]


def test_items_of_a_metric_without_a_figure_are_not_listed(monkeypatch):
    """Of definitions these are the shares for each order of words and definitions, which the figures add up."""
    (soundness,) = (metric for metric in differences.measures_of("relations") if metric.name == "soundness")
    row = {"metric": "soundness", "relation": "HYP", "prompt_id": "p", "target": "robin"}
    runs = [pl.DataFrame([row | {"value": value}], schema=METRICS) for value in (0.0, 1.0)]
    for title, changed in ((soundness.title, 1), ("", 0)):
        metric = replace(soundness, title=title)
        monkeypatch.setattr(differences, "measures_of", lambda study, metric=metric: [metric])
        assert differences.changes("relations", {"m": tuple(runs)}).height == changed


def test_an_agents_answers_before_are_found_under_its_name_then(tmp_path):
    before = run(tmp_path / "before", dict.fromkeys(TARGETS, 0.0), [("robin", "wing")], agent="old")
    after = run(tmp_path / "after", dict.fromkeys(TARGETS, 1.0), [("robin", "bird")], agent="new")
    folders = Folders(before, after)
    agent_section, changed = compare._differences("relations", folders, {"new": "old"})
    assert agent_section["agent"].to_list() == ["new"]
    row = changed.filter(pl.col("unit").str.starts_with("robin")).row(0, named=True)
    assert (row["agent"], row["answer_before"], row["answer_after"]) == ("new", "wing", "bird")
    assert compare._differences("relations", folders, {})[0].is_empty()


def test_without_a_test_of_the_same_items_nothing_is_counted():
    rows = [("a", None, 0.1), ("b", None, 0.9)]
    table = pl.DataFrame(
        rows, schema={"agent": pl.String, "p_holm_all": pl.Float64, "difference": pl.Float64}, orient="row"
    )
    assert compare.summary(table) == "The two runs have no agent with values of the same items."


def test_the_metrics_that_are_compared_have_a_test_and_the_groups_are_those_of_the_study():
    for name in WHOLE:
        assert all(metric.test is not None for metric in differences.measures_of(name))
    assert differences.links_of("analogies", None) == {}


def test_two_runs_of_pairs_are_compared_by_condition_and_kind_of_foils_with_what_their_items_share(tmp_path):
    """A right pair links its target to the right word, whatever the foil is."""
    (tmp_path / "pairs").mkdir()
    rows = [("robin", "robin", "bird", "right"), ("robin", "robin", "fish", "random")]
    items(*rows).write_parquet(tmp_path / "pairs/items.parquet")
    shared = differences.links_of("pairs", tmp_path)["links"]
    assert set(shared.filter(unit="robin")["link"]) == {"robin", "bird"}
    assert differences.groups_of("pairs") == ["condition", "foils"]


def test_the_files_of_agents_are_read_by_name(tmp_path):
    row = {"agent": ["n", "m", "n"], "value": [1.0, 2.0, 3.0]}
    pl.DataFrame(row).write_parquet(tmp_path / "b.parquet")
    pl.DataFrame({"value": [4.0]}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame({"agent": [], "value": []}).write_parquet(tmp_path / "c.parquet")
    found = differences.read_metrics(tmp_path)
    values = {agent: table["value"].to_list() for agent, table in found.items()}
    assert values == {"a": [4.0], "n": [1.0, 3.0], "m": [2.0], "c": []}
    assert list(found) == ["a", "n", "m", "c"]
    assert all(table.columns == ["value"] for table in found.values())


def test_where_nothing_is_clear_the_comparisons_with_a_change_are_counted():
    row = {"p_holm_all": 0.5, "difference": 0.1, "detectable_all": 0.2}
    table = pl.DataFrame([row | {"agent": str(number), "changed": number} for number in (0, 1, 2)])
    said = compare.summary(table)
    assert said.startswith("0 of 3 comparisons differ (p < 0.05 after Holm's adjustment over all of them")
    assert said.endswith("2 have any item whose value changed.")
