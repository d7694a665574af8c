"""Agents that are asked layer by layer: one entry, one file of scores and one of metrics, and no other agent asked."""

import json

import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.report.study import STILL

from tests.facts import facts_by_study
from tests.workflow import options, toy
from tests.workflow.conftest import EMBEDDED, TABLES

TABLE = "results/relations/tables/layers.csv"
LAYERED = {"model": "tiny-causal", "shots": 2, "layers": "all", "studies": ["relations"]}


TEXT = "a robin is an animal that the building has on a home of the bird"


@pytest.fixture(scope="module")
def layered(relations, once):
    """The toy's relations study with an agent that is asked layer by layer, up to the table of its layers."""

    def make(folder):
        study = relations.copy(folder / "study")
        words = TEXT.split()
        lines = [" ".join(words[(i * j + j + i // 14) % len(words)] for j in range(6)) for i in range(150)]
        (study.folder / "data/text.txt").write_text("\n".join(lines))
        study.configure(models={**study.config["models"], "tiny-layers": LAYERED})
        study.set("relations", layers={"map": "data/text.txt", "top_k": 20})
        study.finish(TABLE)

    return toy.Study(once("layered", make) / "study", relations.environment)


def test_one_entry_is_one_file_of_scores_and_one_of_metrics(layered):
    scores = layered.table("relations/layer_scores/tiny-layers.parquet")
    probes = layered.table("relations/probes.parquet").filter(kind="main")
    views = scores.group_by("variant", "layer").len()
    last = scores["layer"].max()
    assert last == json.loads((layered.folder / "data/causal/config.json").read_text())["num_hidden_layers"]
    wanted = {(variant, layer) for variant in ("raw", "shuffled", "untrained") for layer in range(last + 1)}
    assert set(views.select("variant", "layer").rows()) == wanted | {("mapped", layer) for layer in range(last)}
    assert set(views["len"]) == {scores["probe_id"].n_unique()}
    assert set(scores["probe_id"]) <= set(probes["probe_id"])
    assert set(scores["token_ids"].list.len()) == {20}
    metrics = layered.table("relations/layer_metrics/tiny-layers.parquet")
    assert set(metrics["metric"]) == {"soundness", "completeness", "distinguishability"}
    table = layered.table("relations/tables/layers.csv")
    assert set(table["agent"]) == {"tiny-layers"}
    peoples_values = layered.table("relations/metrics/annotator.parquet").filter(metric="soundness", relation="HYP")
    value = metrics.filter(metric="soundness", relation="HYP", variant="mapped", layer=0)
    value = value.join(peoples_values, on="target", how="semi")  # averages of all agents are over the targets of people
    mean = value.group_by("target").agg(pl.col("value").mean())["value"].mean()
    row = table.filter(metric="soundness", relation="HYP", variant="mapped", layer=0)
    assert row["value"].item() == pytest.approx(mean)
    assert row["units"].item() == value["target"].n_unique()


def test_layers_are_series_with_trends_and_halves(layered, tmp_path):
    layered = layered.copy(tmp_path / "study")
    layered.finish("results/relations/tables/halves.csv", "results/relations/tables/series.csv")
    for name in ("trends", "halves", "against_last"):
        table = layered.table(f"relations/tables/{name}.csv")
        assert set(table["axis"]) == {"layer"}
        assert set(table["series"]) == {"tiny-layers, raw", "tiny-layers, mapped"}
    series = layered.table("relations/tables/series.csv")
    layer_series = series.filter(pl.col("variant").is_in(["raw", "mapped", "shuffled"]))
    average = layer_series.filter(metric="soundness", relation="HYP", variant="mapped", label=0)
    expected = layered.table("relations/tables/layers.csv").filter(
        metric="soundness", relation="HYP", variant="mapped", layer=0
    )
    assert average["value"].item() == pytest.approx(expected["value"].item())
    assert set(series["variant"]) == {"raw", "mapped", "shuffled", "untrained", "people", "control"}
    halves = layered.table("relations/tables/halves.csv")
    assert set(halves.select("series", "reader").rows()) == {
        ("tiny-layers, raw", "the head alone"),
        ("tiny-layers, mapped", "a linear map fitted on data/text.txt, and the head"),
    }


def test_the_last_layer_answers_as_the_same_agent_without_layers(layered):
    last = layered.table("relations/layer_scores/tiny-layers.parquet").filter(pl.col("layer") == pl.col("layer").max())
    own = last.filter(variant="raw").select("probe_id", "token_ids", "logprobs")
    scores = layered.table("relations/scores/tiny-few.parquet").join(own, on="probe_id", suffix="_own")
    assert scores.height == own.height > 0
    assert scores.filter(pl.col("token_ids").list.head(20) != pl.col("token_ids_own")).is_empty()
    metrics = layered.table("relations/layer_metrics/tiny-layers.parquet")
    for variant in ("raw", "mapped"):
        last_layer = metrics.filter(pl.col("layer") == pl.col("layer").max(), variant=variant, metric="soundness")
        expected = layered.table("relations/metrics/tiny-few.parquet").filter(metric="soundness")
        both = last_layer.join(expected, on=["relation", "target", "prompt_id"], suffix="_other")
        assert both.height == last_layer.height > 0
        assert (both["value"] == both["value_other"]).all()
    shuffled = layered.table("relations/layer_scores/tiny-layers.parquet").filter(layer=0)
    raw, other, untrained = (
        shuffled.filter(variant=variant)["logprobs"].to_list() for variant in ("raw", "shuffled", "untrained")
    )
    assert raw != other != untrained != raw


def test_without_the_untrained_network_there_are_the_other_variants(layered, tmp_path):
    study = layered.copy(tmp_path / "study")
    study.set("relations", layers={**study.config["relations"]["layers"], "untrained": False})
    study.finish(TABLE)
    scores = study.table("relations/layer_scores/tiny-layers.parquet")
    assert set(scores["variant"]) == {"raw", "mapped", "shuffled"}
    before = layered.table("relations/layer_scores/tiny-layers.parquet").filter(pl.col("variant") != "untrained")
    key = ["probe_id", "variant", "layer"]
    assert scores.sort(key).equals(before.sort(key))


def test_layers_are_part_of_what_is_asked(layered, tmp_path):
    """A changed list of layers asks anew, an agent of the same model shares its maps, and other agents are not asked."""
    study = layered.copy(tmp_path / "study")
    assert study.scheduled(TABLE) == {}
    models = study.config["models"]
    study.configure(models={**models, "tiny-bare": {"model": "tiny-causal", "layers": [1], "studies": ["relations"]}})
    assert study.scheduled(TABLE) == {
        "models_layer_map": 1,  # of the layers that any agent of the model is asked for
        "relations_layer_scores": 2,
        "relations_layer_metrics": 2,
        "relations_series": 1,
    }
    study.configure(models={**models, "tiny-layers": {**LAYERED, "layers": [0]}})
    study.finish(TABLE)
    metadata = pq.read_metadata(study.results / "relations/layer_scores/tiny-layers.parquet").metadata
    assert json.loads(metadata[b"relprobe"])["settings"]["layers"] == [0]
    layers = set(study.table("relations/layer_scores/tiny-layers.parquet")["layer"])
    assert layers == {0, max(layered.table("relations/layer_scores/tiny-layers.parquet")["layer"])}


def test_a_layer_that_is_not_there_is_one_sentence(layered, tmp_path):
    study = layered.copy(tmp_path / "study")
    study.configure(models={**study.config["models"], "tiny-layers": {**LAYERED, "layers": [99]}})
    assert "`layers` is [99], but the network has the layers 0 to" in study.error(TABLE)


STATES = {
    "degrees": ("layer_scores", "scores/hidden", "probe_id", ["values"]),
    "systematicity": ("layer_embeddings", "embeddings", "context", ["vector"]),
    "analogies": ("layer_embeddings", "embeddings", ["relation", "text"], ["h1", "t1", "h2", "t2"]),
    "pairs": ("layer_scores", "scores/states", "probe_id", ["values"]),
}
"""Study -> its files with layers and with one layer, the columns that name what is embedded, and those of the states."""


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_states_after_the_last_layer_are_those_of_one_layer(embedded, name):
    layered, whole, key, columns = facts_by_study(EMBEDDED, STATES, __file__)[name]
    states = embedded.table(f"{name}/{layered}/tiny-states.parquet")
    assert set(states["layer"]) == {0, 1, 2}
    last, single = states.filter(layer=2), embedded.table(f"{name}/{whole}/tiny-causal.parquet")
    both = single.join(last, on=key, suffix="_own")
    assert both.height == single.height == last.height > 0
    for column in columns:
        ours, theirs = (both[end].explode().to_list() for end in (f"{column}_own", column))
        assert ours == pytest.approx(theirs, abs=1e-3)  # analogies stores them in 16 bits
        first = states.filter(layer=0)[column].explode().to_list()
        assert first != pytest.approx(last[column].explode().to_list(), abs=1e-3)


READERS = {"degrees": "hidden", "pairs": "embedding"}
"""Study -> what reads the states, where a model has several agents."""


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_last_layer_is_measured_as_one_layer_is(embedded, name):
    metrics = embedded.table(f"{name}/layer_metrics/tiny-states.parquet")
    last_layer = metrics.filter(layer=2).drop("layer", "variant", "agent")
    last_layer = last_layer.sort(pl.exclude("value"))
    whole = embedded.table(f"{name}/metrics/tiny-causal.parquet")
    if name in READERS:
        whole = whole.filter(agent=f"tiny-causal {READERS[name]}")
    whole = whole.with_columns(pl.col("metric").str.strip_prefix("supervised "))
    whole = whole.filter(pl.col("metric").is_in(last_layer["metric"].unique().implode()))
    assert last_layer.height > 0
    assert last_layer.equals(whole.select(last_layer.columns).sort(pl.exclude("value")))


FIGURES = {
    "degrees": ("rho", "test"),
    "systematicity": ("detection", "seen"),
    "analogies": ("random", "All"),
    "pairs": ("ap", "own HYP"),
}
"""Study -> a metric that is drawn layer by layer, and a condition of it."""


@pytest.mark.parametrize("name", EMBEDDED)
def test_layers_have_tables_and_enter_no_test(embedded, name):
    figure, condition = facts_by_study(EMBEDDED, FIGURES, __file__)[name]
    metrics = embedded.table(f"{name}/layer_metrics/tiny-states.parquet").filter(metric=figure)
    if "foils" in metrics.columns:
        metrics = metrics.filter(foils="all")  # the others are of single kinds of foils
    condition_values = (
        metrics.filter(pl.col("condition") != "training")
        if condition == "test"
        else metrics.filter(condition=condition)
    )
    means = dict(condition_values.group_by("layer").agg(pl.col("value").mean()).rows())
    table = embedded.table(f"{name}/tables/layers.csv").filter(metric=figure, condition=condition)
    assert dict(table.select("layer", "value").rows()) == pytest.approx(means)
    assert set(table["agent"]) == {"tiny-states"}
    tested = {"systematicity": {"seen", "unseen"}}.get(name, {condition})
    for other in ("trends", "against_last", "halves"):
        conditions = set(embedded.table(f"{name}/tables/{other}.csv")["condition"])
        assert tested <= conditions if name == "pairs" else conditions == tested  # pairs has more, by metrics
    series = embedded.table(f"{name}/tables/series.csv").filter(metric=figure, condition=condition)
    assert series.filter(variant="control").height == 1
    tests = embedded.table(f"{name}/tables/tests.csv")
    assert "tiny-states" not in "".join([*tests["agent_a"], *tests["agent_b"]])


def test_layers_are_drawn_and_told_on_the_page(embedded):
    check_page(embedded, "analogies")


@pytest.mark.slow("it draws all figures of a study")
@pytest.mark.parametrize("name", [name for name in EMBEDDED if name != "analogies"])
def test_layers_are_drawn_and_told_on_the_page_of_another_study(embedded, name, tmp_path):
    check_page(embedded.copy(tmp_path / "study").finish(f"results/{name}/report.html"), name)


def check_page(run, name):
    figure, condition = FIGURES[name]
    assert "tiny-states" in (run.results / f"{name}/figures/layers_{figure}.svg").read_text()
    named = condition.replace("HYP", "hypernymy")
    assert f"{named}: tiny-states from" in (run.results / f"{name}/report.html").read_text()


def test_other_layers_ask_no_other_agent(embedded, tmp_path):
    study = embedded.copy(tmp_path / "study")
    study.configure(models={**study.config["models"], "tiny-states": {"model": "tiny-causal", "layers": [1]}})
    tables = [f"results/{name}/tables/{one}.csv" for name in EMBEDDED for one in TABLES]
    scheduled = study.scheduled("results/analogies/report.html", *tables)
    layer_steps = {"layer_metrics", "compare"}
    own = {f"{name}_{step}" for name in EMBEDDED for step in layer_steps} | {
        f"{name}_{facts_by_study(EMBEDDED, STATES, __file__)[name][0]}" for name in EMBEDDED
    }
    assert {rule: scheduled[rule] for rule in own} == dict.fromkeys(own, 1)
    shown = {f"{name}_show" for name in EMBEDDED}
    assert {rule for rule in scheduled if rule.startswith(EMBEDDED)} - own - shown == set()


ALONE = pytest.mark.parametrize("name", ["relations", *EMBEDDED])


def leave_alone(study, name):
    """Make an agent that is asked layer by layer the only one of a study, without people."""
    people = {"human_responses", "definition_answers"}
    study.configure(resources={key: entry for key, entry in study.config["resources"].items() if key not in people})
    entry = {"model": "tiny-causal", "layers": "all"}
    study.leave_alone(name, **{"tiny-layers": entry | {"shots": 2} if name == "relations" else entry})
    return study


@ALONE
def test_a_study_of_agents_with_layers_misses_no_option_of_any_step(begun, name):
    """A pattern of no agents would be that of all files, and an empty list of files gives no option."""
    steps = options.check(leave_alone(begun, name), f"results/{name}/report.html")
    assert (name, STATES.get(name, ["layer_scores"])[0]) in steps


@pytest.mark.slow("it draws all figures of the study")
def test_layers_of_the_relations_study_are_drawn(layered, tmp_path):
    figures = [f"results/relations/figures/layers_{metric}.svg" for metric in ("soundness", "distinguishability")]
    study = layered.copy(tmp_path / "study").finish(*figures)
    for figure in figures:
        drawn = (study.folder / figure).read_text()
        assert "tiny-layers" in drawn
        assert "layer" in drawn


@pytest.mark.slow("it draws all figures of the study")
def test_the_page_of_relations_is_there_before_its_layers_are_asked(layered, tmp_path):
    """The whole page takes the place of the first one, and does not differ from that of a run without a first one."""
    study = layered.copy(tmp_path / "study")
    study.configure(models={**study.config["models"], "tiny-layers": LAYERED | {"layers": [1]}})
    first, whole = (study.results / f"relations/{name}.html" for name in ("first", "report"))
    early, late = "results/relations/first.html", "results/relations/report.html"
    layer_steps = {"models_layer_map", "relations_layer_scores", "relations_layer_metrics", "relations_series"}
    assert not layer_steps & study.scheduled(early).keys()
    assert layer_steps | {"report_first"} <= study.scheduled(late).keys()
    study.finish("--notemp", early)
    page = first.read_text()
    assert STILL in page
    assert "<dt>Soundness after each layer</dt>" in page
    assert 'id="layers_soundness"' not in page
    assert 'id="soundness"' in page
    study.finish(late)
    page = whole.read_text()
    assert STILL not in page
    assert 'id="layers_soundness"' in page
    assert not first.exists()
    assert study.scheduled(late) == {}


@pytest.mark.slow("it runs four more studies to their pages")
@ALONE
def test_a_study_of_agents_with_layers_ends_with_its_page(study, name):
    leave_alone(study, name).finish(f"results/{name}/report.html")
    assert "tiny-layers" in (study.results / f"{name}/report.html").read_text()
