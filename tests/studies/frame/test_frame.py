"""The frame: what a study has that says only what it asks, what is right and what it measures."""

from dataclasses import replace
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.core.study import NO_QUESTIONS, InRun, Questions, Roles, StepInput
from relprobe.core.values import USUAL, tidy_values
from relprobe.report import analyses, page_words, shown
from relprobe.report.exhibits import Page, Table
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.frame import answers, compare, run, show
from relprobe.studies.frame import trials as trials_module
from relprobe.studies.frame.results import Results

SHARE = Metric("plural", test="McNemar", unit=("noun",), item=("noun",), items="nouns", verb="prefers the plural of")
PLAIN = Metric("log odds", title="log odds", unit=("noun",), item=("noun",), items="nouns")
NOUNS = [f"n{number}" for number in range(20)]


def values(right, odds):
    """The values of an agent: the first `right` of NOUNS are right, and all have the same odds."""
    rows = [("plural", "regular", noun, float(place < right)) for place, noun in enumerate(NOUNS)]
    rows += [("log odds", "regular", noun, odds) for noun in NOUNS]
    return pl.DataFrame(rows, schema=["metric", "condition", "noun", "value"], orient="row")


METRICS = {"good": values(20, 1.5), "poor": values(5, 0.5), "rule": values(4, 0.25)}


@pytest.fixture(autouse=True)
def study(monkeypatch):
    metrics = [SHARE, PLAIN]
    for module in (compare, page_words):
        monkeypatch.setattr(
            module, "study_of", lambda name: SimpleNamespace(metrics=lambda: metrics, words=lambda: None)
        )
    return metrics


def compared(metrics=METRICS, **more):
    return compare.compare(metrics, AgentComparison(["rule"], **more), study="plurals")


def tables(metrics=METRICS):
    results = Results(averages=compared(metrics).averages, tests=compared(metrics).tests, controls=["rule"])
    names = {"table_names": [*show.TABLES], "names": []}
    return show.show(results, show.AnswersPage(), study="plurals", **names, kinds={}).tables


def test_every_metric_is_averaged_and_tested():
    done = compared()
    means = dict(done.averages.filter(metric="plural").select("agent", "value").iter_rows())
    assert means == {"good": 1.0, "poor": 0.25, "rule": 0.2}
    assert set(done.averages["metric"]) == {"plural", "log odds"}
    pairs = done.tests.filter(metric="plural").select("agent_a", "agent_b").rows()
    assert sorted(map(sorted, pairs)) == [["good", "poor"], ["good", "rule"], ["poor", "rule"]]
    assert tables()["tests"].equals(done.tests)
    assert tables()["overview"].equals(done.averages.select(show.SHOWN))
    assert dict(tables()["controls"].filter(metric="plural").select("agent", "difference").iter_rows()) == {
        "good": pytest.approx(0.8),
        "poor": pytest.approx(0.05),
    }


def test_a_checkpoint_that_is_not_the_last_one_is_compared_with_no_other_model():
    tests = compared(members=["poor"]).tests.filter(metric="plural")
    assert tests.filter(agent_a="good", agent_b="poor").height == 0
    assert tests.filter(pl.any_horizontal(pl.col("agent_a", "agent_b") == "poor")).height == 1  # with the control


def test_a_figure_has_the_name_of_a_metric_and_a_row_for_each_agent():
    kinds = {"good": "masked", "poor": "causal", "rule": "control"}
    drawn = dict(show.figures(compared().averages, names=["log odds"], kinds=kinds))
    assert list(drawn) == ["log odds"]
    labels = [label.get_text() for axis in drawn["log odds"]().axes for label in axis.get_yticklabels()]
    assert set(kinds) <= set(labels)
    with pytest.raises(DataError, match=r"no metric singular to draw: name the figure after one of log odds, plural"):
        list(show.figures(compared().averages, names=["singular"], kinds=kinds))


def test_the_page_says_what_came_out_by_the_verb_of_the_metric():
    said = page_words.words_on_metrics("plurals").headline(tables(), ["good", "poor"])
    assert said.sentences[0].startswith("good prefers the plural of 100 of 100 nouns")
    assert "log odds of 1.5" in said.text
    assert set(said.verdicts["agent"]) == {"good", "poor"}
    assert said.verdicts.height == 4  # two models under one condition of two metrics


def test_an_agent_below_the_control_is_not_praised():
    """The rule answers all nouns, the models few of them."""
    blind = {"good": values(6, 0.1), "poor": values(5, 0.1), "rule": values(20, 0.9)}
    said = page_words.words_on_metrics("plurals").headline(tables(blind), ["good", "poor"])
    assert said.sentences[0].startswith("good is behind its best control")


def test_a_study_whose_models_have_no_values_says_so():
    said = page_words.words_on_metrics("plurals").headline(tables({"rule": METRICS["rule"]}), ["good"])
    assert said.sentences == ("No model has an answer to the probes of this study.",)
    assert said.verdicts is None


def test_a_figure_in_words_has_the_values_of_its_metric():
    words = page_words.words_on_metrics("plurals").words("plural", tables())
    assert words == "regular (20 nouns): good 1.000, poor 0.250, rule 0.200."


def test_a_metric_whose_smaller_values_are_better_is_claimed_of_nobody(study):
    """The best control and the verdict take larger values for better: the worst agent would be praised."""
    study[:] = [SHARE, Metric("errors", test=None, less_is_better=True, unit=("noun",), item=("noun",), items="nouns")]
    errors = {"good": 0.1, "poor": 9.0, "rule": 5.0}
    metrics = {
        agent: rows.with_columns(
            metric=pl.col("metric").replace({"log odds": "errors"}),
            value=pl.when(pl.col("metric") == "log odds").then(errors[agent]).otherwise("value"),
        )
        for agent, rows in METRICS.items()
    }
    said = page_words.words_on_metrics("plurals").headline(tables(metrics), ["good", "poor"])
    assert said.sentences[0].startswith("good prefers the plural of 100 of 100 nouns")
    assert "errors" not in said.text
    assert said.verdicts["condition"].to_list() == ["regular", "regular"]
    assert compared(metrics).averages.filter(metric="errors").height == 3


def test_a_study_without_a_tested_metric_says_that_nothing_is_tested(study):
    study[:] = [Metric("plural", test=None, unit=("noun",), item=("noun",), items="nouns")]
    shares = {agent: rows.filter(metric="plural") for agent, rows in METRICS.items()}
    said = page_words.words_on_metrics("plurals").headline(tables(shares), ["good", "poor"])
    assert said.sentences == (page_words.UNTESTED,)


DRAWN = StepInput({"averages": "averages.parquet"}, {"names": ["plural"]})
STUDY_INPUT = StepInput({"words": "words.parquet"}, {"seed": 1}, makes=["sizes"])


@pytest.mark.parametrize("steps", [[], ["compared"], ["shown"], ["compared", "shown"]], ids=", ".join)
def test_the_last_steps_that_a_study_has_not_are_those_of_the_frame(monkeypatch, steps):
    """Each of the two alone: a study may average as all others do, and show more."""
    study_run = InRun(["m", "rule"], ["rule"], {}, [], DRAWN, **dict.fromkeys(steps, STUDY_INPUT))
    monkeypatch.setattr(
        run, "study_of", lambda _name: SimpleNamespace(in_run=lambda *_: study_run, questions=NO_QUESTIONS)
    )
    monkeypatch.setattr(shown, "page_of", lambda _name: Page("T?", "", (Table("overview", "All", "Rows."),), {}, {}))
    in_run = run.in_run_of("plurals", {}, Roles(["m"], [], [], [], {"m": "causal"}, {}))
    frame_fields = {
        "compared": StepInput(
            {}, {"study": "plurals"}, group="frame", definitions=["relprobe.studies.plurals.measures.MEASURES"]
        ),
        "shown": StepInput(
            {
                **DRAWN.files,
                "metrics": ["<results>/plurals/metrics/m.parquet", "<results>/plurals/metrics/rule.parquet"],
            },
            {**DRAWN.settings, "study": "plurals", "table_names": ["overview"]},
            group="frame",
        ),
    }
    assert {name: getattr(in_run, name) for name in frame_fields} == frame_fields | dict.fromkeys(steps, STUDY_INPUT)
    assert in_run.trials is None  # it does not say what it asks
    assert (in_run.agents, in_run.drawn) == (study_run.agents, DRAWN)


def test_what_a_run_of_a_framed_study_has_its_agents_and_its_analyses_say(monkeypatch):
    """It needs no `in_run` for an analysis with a word that a run may lack."""
    lacks = {"layers": "agents with layers", "long": "long words"}
    page = Page("Which plurals?", "", (), {}, lacks)
    monkeypatch.setattr(shown, "page_of", lambda _name: page)
    monkeypatch.setattr(shown, "facts_of", lambda _name, config, _roles: {"long": config["long"]})
    monkeypatch.setattr(run, "study_of", lambda _name: SimpleNamespace(controls=("rule",)))
    roles = Roles(["m"], [], [], [], {"m": "causal"}, {})
    said = run.in_run("plurals", {"long": True}, roles)
    assert said.has == {"layers": False, "long": True}
    assert (said.agents, said.controls) == (["m", "rule"], ["rule"])
    assert said.scored == ["<results>/plurals/scores/m.parquet"]
    assert said.drawn.files == {"averages": "<results>/plurals/averages.parquet"}
    assert said.drawn.settings["kinds"] == {"m": "causal", "rule": "control"}
    monkeypatch.setattr(shown, "facts_of", lambda *_: {"layers": True})
    with pytest.raises(DataError, match="an analysis of plurals says of layers what the study denies"):
        run.in_run("plurals", {}, roles)
    monkeypatch.setattr(shown, "facts_of", lambda *_: {})
    with pytest.raises(DataError, match="has long under may_lack, but nothing says whether a run has that"):
        run.in_run("plurals", {}, roles)


def test_an_analysis_of_a_framed_study_makes_its_table(monkeypatch, tmp_path):
    """It reads the averages, the tests and the values of agents."""
    METRICS["good"].write_parquet(tmp_path / "good.parquet")
    analysis = SimpleNamespace(TABLES={"nouns": lambda results: results.values()["good"].select("noun").unique()})
    monkeypatch.setattr(analyses, "take", lambda study, kind: {study: getattr(analysis, kind)})
    done = compared()
    results = Results(averages=done.averages, tests=done.tests, metrics=[tmp_path / "good.parquet"])
    names = {"table_names": ["overview", "nouns"], "names": []}
    made = show.show(results, show.AnswersPage(), study="plurals", **names, kinds={}).tables
    assert list(made) == ["overview", "nouns"]
    assert made["nouns"].height == len(NOUNS)


# What a study asks, if it says so: its trials, and its page of answers.


ASKED = Questions("text", target="noun", right="plural", prompt="sentence", source="the file of nouns")
PROBES = pl.DataFrame(
    [
        ("two:dog", "dog", "dogs", "two", "one dog and two [V]"),
        ("two:child", "child", "children", "two", "one child and two [V]"),
        ("many:dog", "dog", "dogs", "many", "these are many [V]"),
    ],
    schema=["probe_id", "noun", "plural", "sentence", "text"],
    orient="row",
)
VALUES = pl.DataFrame(
    [
        ("plural", "regular", "two:dog", "dog", 1.0),
        ("plural", "irregular", "two:child", "child", 0.0),
        ("log odds", "regular", "two:dog", "dog", -2.0),
    ],
    schema=["metric", "condition", "unit", "cluster", "value"],
    orient="row",
)
RESPONSES = pl.DataFrame({"probe_id": ["two:dog", "two:child"], "answer": ["dogs", "child"]})


@pytest.fixture
def asked(monkeypatch, study):
    """The files of a study that says what it asks."""
    named = SimpleNamespace(metrics=lambda: study, tidy_values=lambda table: tidy_values(table, USUAL))
    monkeypatch.setattr(trials_module, "study_of", lambda _name: named)
    return trials_module.Files(probes=PROBES, responses={"m": RESPONSES}, metrics={"m": VALUES})


def test_each_answer_that_is_right_or_wrong_is_a_trial(asked):
    """A value that is no share, such as log odds, is no answer; the third probe has no value."""
    found = trials_module.trials(asked, ASKED, study="plurals")
    columns = ["agent", "task", "condition", "prompt", "prompt_text", "target", "item", "answer", "right", "cluster"]
    assert found.select(columns).rows() == [
        ("m", "plural", "regular", "two", "one – and two …", "dog", "plural: two:dog", "dogs", 1.0, "dog"),
        ("m", "plural", "irregular", "two", "one – and two …", "child", "plural: two:child", "child", 0.0, "child"),
    ]
    assert found.select("study", "counted").unique().rows() == [("plurals", 1)]
    without_prompts = trials_module.trials(asked, Questions("text", "noun", "plural"), study="plurals")
    assert without_prompts["prompt"].null_count() == 2


def test_the_page_of_answers_asks_each_question_once_under_its_condition(asked, monkeypatch):
    given = {}
    monkeypatch.setattr(answers, "publish", lambda *of: given.update(zip(NAMES_OF_PAGE, of, strict=True)))
    answers.answers(asked, ASKED, None, None, study="plurals", title="Which plurals?", models=["m"], run="a run")
    assert (given["texts"].title, given["texts"].run, given["models"]) == ("Answers: Which plurals?", "a run", ["m"])
    shown = given["probes"].drop_nulls("group").select("probe_id", "group", "prompt_id", "target", "text").rows()
    assert shown == [
        ("two:dog", "regular", "two", "dog", "one dog and two [V]"),
        ("two:child", "irregular", "two", "child", "one child and two [V]"),
    ]
    assert given["gold"].rows() == [
        ("dog", "regular", "dogs", "the file of nouns"),
        ("child", "irregular", "children", "the file of nouns"),
    ]
    (agent,) = given["agents"]
    assert agent.answers.select("probe_id", "rank", "word").rows() == [
        ("two:dog", 1, "dogs"),
        ("two:child", 1, "child"),
    ]
    silent = RESPONSES.with_columns(answer=pl.when(pl.col("probe_id") == "two:child").then("answer"))
    files = replace(asked, responses={"m": silent})  # the agent answers one of the two
    answers.answers(files, ASKED, None, None, study="plurals", title="Which plurals?", models=["m"], run="a run")
    assert given["agents"][0].answers["probe_id"].to_list() == ["two:child"]


@pytest.mark.parametrize("missing", [None, "template", "answers", "probes", "responses"])
def test_the_page_of_answers_is_written_where_all_that_it_is_made_of_is_there(monkeypatch, tmp_path, missing):
    pages = []
    monkeypatch.setattr(show, "publish_or_say", lambda *given, **options: pages.append((given, options)))
    parts = {
        "template": tmp_path / "form",
        "answers": tmp_path / "page",
        "probes": PROBES,
        "responses": {"m": RESPONSES},
    }
    given = {name: part for name, part in parts.items() if name != missing}
    page = show.AnswersPage(questions=ASKED, title="Which plurals?", models=["m"], run="a run", **given)
    results = Results(averages=compared().averages, tests=compared().tests)
    show.show(results, page, study="plurals", table_names=[], names=[], kinds={})
    assert len(pages) == (missing is None)
    for (file, make, files, *rest), options in pages:
        assert (file, make, rest) == (tmp_path / "page", answers.answers, [ASKED, tmp_path / "form", tmp_path / "page"])
        assert (files.probes is PROBES, list(files.responses), files.metrics) == (True, ["m"], {})
        assert options == {"study": "plurals", "title": "Which plurals?", "models": ["m"], "run": "a run"}


NAMES_OF_PAGE = ("texts", "probes", "gold", "agents", "template", "page", "models")


def test_a_column_that_is_not_there_is_said(asked):
    with pytest.raises(DataError, match=r"the table probes has no column 'word', which `questions` of study.py names"):
        trials_module.trials(asked, Questions("text", "word", "plural"), study="plurals")
    with pytest.raises(DataError, match="the table responses has no column 'said'"):
        trials_module.trials(asked, Questions("text", "noun", "plural", answer="said"), study="plurals")


def test_a_study_without_a_metric_of_right_answers_has_no_trials(asked, study):
    study[:] = [PLAIN]
    with pytest.raises(
        DataError, match="plurals says what it asks, but no metric of it says whether an answer is right"
    ):
        trials_module.trials(asked, ASKED, study="plurals")


def test_a_study_that_says_what_it_asks_has_the_steps_of_the_frame_for_it(monkeypatch):
    study_run = InRun(["m", "rule"], ["rule"], {}, [], DRAWN)
    named = SimpleNamespace(in_run=lambda *_: study_run, questions=ASKED)
    monkeypatch.setattr(run, "study_of", lambda _name: named)
    monkeypatch.setattr(shown, "page_of", lambda _name: Page("T?", "", (), {}, {}))
    found = run.in_run_of("plurals", {}, Roles(["m"], [], [], [], {"m": "causal"}, {}))
    files = {
        "probes": "<results>/plurals/probes.parquet",
        **{
            kind: [f"<results>/plurals/{kind}/{agent}.parquet" for agent in ("m", "rule")]
            for kind in ("responses", "metrics")
        },
    }
    assert found.trials.files == files
    assert found.shown.files == DRAWN.files | files
    for step in (found.trials, found.shown):
        assert step.group == "frame"
        assert step.settings["study"] == "plurals"
        assert Questions(**{name: step.settings[name] for name in vars(ASKED)}) == ASKED
        assert step.definitions == ["relprobe.studies.plurals.measures.MEASURES"]
    assert found.shown.makes == ["answers"]
    assert found.shown.settings["title"] == "T?"
