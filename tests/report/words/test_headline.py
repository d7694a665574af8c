"""The headline of a page: three sentences at most, and a table whose verdicts follow the adjusted p."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.core.metric import Metric
from relprobe.report import page_words
from relprobe.report.words.headline import (
    ALONE,
    ROWS,
    Headline,
    Verdict,
    _first,
    headline,
    verdict_in_words,
    verdict_row,
    verdicts_of,
)
from relprobe.report.words.summary import sentences_on
from relprobe.stats.schemas import CONTROLS, TESTS

CONDITIONS = ("HYP", "ANT")
CLAIM = Claim("sound", CONDITIONS, "is right in", "probes")


def averages(*agents):
    rows = [(agent, "sound", name, 0.9 - place / 100) for place, agent in enumerate(agents) for name in CONDITIONS]
    return pl.DataFrame(rows, schema=["agent", "metric", "condition", "value"], orient="row")


def controls(*rows, claim="sound"):
    about = [
        {"metric": claim, "condition": name, "agent": agent, "control": "c", "control_value": 0.5, **row}
        for agent, row in rows
        for name in CONDITIONS
    ]
    return pl.DataFrame(about, schema={**CONTROLS, "condition": pl.String()})


def test_a_headline_of_many_findings_keeps_all_of_them():
    said = headline([f"{number}." for number in range(5)], ["Last."])
    assert (said.sentences, said.more) == (("0.", "1.", "2."), ("3.", "4.", "Last."))


@pytest.mark.parametrize("p", [0.001, 0.049, 0.05, 0.5, None])
@pytest.mark.parametrize("difference", [-0.4, 0.0, 0.4])
def test_a_verdict_never_praises_beyond_the_adjusted_p(p, difference):
    """Whatever the interval and the raw p are; the first sentence and the verdict go by one p."""
    row = {"value": 0.9, "difference": difference, "low": 0.1, "high": 0.2, "p": 0.0001, "p_holm": 0.0001}
    table = controls(("m", {**row, "p_holm_all": p, "detectable_all": 0.3}))
    verdicts = verdicts_of([(CLAIM, averages("m"))], table, ["m"])["verdict"].to_list()
    ahead = p is not None and p < 0.05 and difference > 0
    assert verdicts == ["ahead"] * 2 if ahead else "ahead" not in verdicts
    tests = pl.DataFrame(schema={**TESTS, "condition": pl.String()})
    (first, *_) = sentences_on(averages("m"), tests, CLAIM, ["m"], controls=table)
    assert first.startswith("m is right") is ahead
    if p is not None and p >= 0.05:
        assert verdicts == ["open: such a test finds 0.30"] * 2


def test_the_table_has_the_best_agents_and_is_small():
    agents = [f"m{number}" for number in range(20)]
    row = {"value": 0.5, "difference": 0.0, "p_holm_all": 1.0}
    verdicts = verdicts_of([(CLAIM, averages(*agents))], controls(*((agent, row) for agent in agents)), agents)
    assert verdicts.height == ROWS
    assert verdicts["agent"].unique(maintain_order=True).to_list() == agents[: ROWS // 2]
    many = tuple(f"R{number}" for number in range(ROWS + 3))
    rows = pl.DataFrame([{"agent": "m", "metric": "sound", "condition": name, "value": 0.1} for name in many])
    alone = verdicts_of([(Claim("sound", many, "is right in"), rows)], controls(), ["m"])
    assert (alone.height, alone["verdict"].unique().to_list()) == (len(many), ["no control to compare with"])


def test_people_stand_in_the_table_and_controls_do_not():
    row = {"value": 0.5, "difference": 0.1, "p_holm_all": 0.01}
    table = controls(("m", row), ("people", row))
    verdicts = verdicts_of([(CLAIM, averages("people", "m", "c"))], table, ["m"], "people")
    assert verdicts["agent"].unique(maintain_order=True).to_list() == ["people", "m"]


TEST = {
    **{"agent": "m", "control": "c", "value": 0.5, "control_value": 0.3, "difference": 0.2, "low": 0.1, "high": 0.3},
    **{"p": 0.01, "p_holm_all": 0.01},
}


def test_a_row_of_the_table_is_a_test_in_its_words():
    expected = {"agent": "m", "condition": "HYP", "value": 0.5, "best control": "c", "its value": 0.3}
    assert verdict_row(TEST, "HYP") == {
        **expected,
        **{"difference": 0.2, "95 % interval": "0.10 to 0.30", "verdict": "ahead", "kind": Verdict.AHEAD},
    }
    unknown = verdict_row({**TEST, "low": None, "high": None, "difference": -0.2}, "HYP")
    assert unknown == {
        **expected,
        "difference": -0.2,
        "95 % interval": None,
        "verdict": "behind",
        "kind": Verdict.BEHIND,
    }


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"units": 3, "discordant": 0}, "the same answers"),
        ({"p_holm_all": None}, "not tested"),
        ({"p_holm_all": 0.05}, "open"),
        ({"p_holm_all": 0.05, "detectable_all": 0.3}, "open: such a test finds 0.30"),
        ({"p_holm_all": 0.5, "p_equal": 0.05, "margin": 0.1}, "open"),
        ({"p_holm_all": 0.5, "p_equal": 0.049, "margin": 0.1}, "no more than 0.10 apart"),
        ({"p_holm_all": 0.5, "least_p": 0.05}, "open: too little differs for any p below 0.05"),
        ({"p_holm_all": 0.5, "least_p": 0.049}, "open"),
    ],
)
def test_a_verdict_is_that_of_the_first_rule_which_applies(changed, words):
    assert verdict_in_words({**TEST, **changed}) == words


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([Verdict.OPEN, Verdict.UNTESTED], "None of 2 comparisons holds."),
        ([Verdict.OPEN, Verdict.ALONE, Verdict.ALONE], "None of 3 comparisons holds."),
        ([Verdict.SAME, Verdict.NEAR], "None of 2 comparisons holds."),
        ([Verdict.OPEN], ""),
        ([Verdict.OPEN, Verdict.AHEAD], ""),
        ([Verdict.BEHIND, Verdict.OPEN], ""),
        ([Verdict.ALONE, Verdict.ALONE], ""),
    ],
)
def test_that_no_comparison_holds_is_said_of_several(verdicts, words):
    assert headline(["One."], verdicts=pl.DataFrame({"kind": verdicts})).none_holds == words
    assert headline(["One."]).none_holds == ""


def test_an_empty_table_of_verdicts_is_none():
    assert headline(["One."], verdicts=pl.DataFrame({"kind": []})).verdicts is None
    assert headline(["One.", "Two.", "Three.", "Four."], ["Two.", "Four.", "Five."]).more == ("Four.", "Five.")


def test_conditions_of_several_metrics_begin_with_their_metric():
    row = {"value": 0.5, "difference": 0.1, "p_holm_all": 0.01}
    twice = [(CLAIM, averages("m")), (Claim("whole", CONDITIONS), averages("m").with_columns(metric=pl.lit("whole")))]
    found = verdicts_of(twice, controls(("m", row)), ["m"])
    names = ["sound, HYP", "sound, ANT", "whole, HYP", "whole, ANT"]
    assert (found["condition"].to_list(), found["verdict"].to_list()) == (names, ["ahead"] * 2 + [ALONE] * 2)
    assert found["kind"].to_list() == [Verdict.AHEAD] * 2 + [Verdict.ALONE] * 2
    assert verdicts_of(twice[:1], controls(("m", row)), ["m"])["condition"].to_list() == ["HYP", "ANT"]


def test_the_best_agent_stands_first_whatever_the_order_of_the_averages():
    reverse = averages("m", "n").reverse()
    found = verdicts_of([(CLAIM, reverse)], controls(), ["n", "m"])
    assert found["agent"].unique(maintain_order=True).to_list() == ["m", "n"]


def test_the_agents_of_a_table_end_before_the_first_that_has_no_room():
    """Two rows of the first agent and two of the third would be four; those of the second are too many."""
    parts = [[{"n": 1}, {"n": 2}], [{"n": number} for number in range(3, 6)], [{"n": 6}]]
    assert [row["n"] for row in _first(parts, 4)] == [1, 2]


def test_the_primary_test_of_each_agent_comes_first_and_its_conditions_follow():
    row = {"value": 0.5, "difference": 0.1, "p": 0.001, "p_holm_all": 0.01}
    claim = Claim("sound", CONDITIONS, "is right in", "probes", each="relations", primary=True)
    table = controls(("m", row), ("n", row))
    pooled = table.filter(condition="HYP").drop("condition")
    found = verdicts_of([(claim, averages("m", "n"))], table, ["m", "n"], pooled=pooled)
    both = [("m", "HYP"), ("m", "ANT"), ("n", "HYP"), ("n", "ANT")]
    assert found.select("agent", "condition").rows() == [("m", "all relations"), ("n", "all relations"), *both]
    under_one = claim.under(["HYP"])
    alone = verdicts_of([(under_one, averages("m"))], table.filter(agent="m", condition="HYP"), ["m"])
    assert alone.select("agent", "condition").rows() == [("m", "HYP")]


def test_an_agent_without_controls_has_a_row_for_each_of_its_values():
    table = averages("m").with_columns(value=pl.when(condition="HYP").then("value"))
    found = verdicts_of([(CLAIM, table)], controls(), ["m"])
    assert found.select("condition", "value", "verdict").rows() == [("HYP", 0.9, ALONE)]


def test_one_primary_test_of_each_agent_stands_in_the_table():
    """Of two tests of an agent, as of two metrics that are pooled, the first one is shown."""
    row = {"value": 0.9, "difference": 0.4, "low": 0.1, "high": 0.5, "p": 0.001, "p_holm_all": 0.001}
    claim = Claim("sound", CONDITIONS, "is right in", "probes", each="relations", primary=True)
    pooled = pl.concat([controls((agent, row)).head(1) for agent in "mn"])
    twice = pl.concat([pooled, pooled.with_columns(value=pl.lit(0.1))])
    found = verdicts_of([(claim, averages("m", "n"))], controls(("m", row), ("n", row)), ["m", "n"], pooled=twice)
    assert found.filter(condition="all relations").select("agent", "value").rows() == [("m", 0.9), ("n", 0.9)]


METRICS = (Metric("plain", test=None), Metric("right", items="trials", share=True), Metric("rho", title="correlation"))


def test_a_study_that_declares_its_metrics_alone_has_a_head_and_a_finding_of_those_with_a_test(monkeypatch):
    """Of three metrics two have a test, and of these the first is the finding's."""
    monkeypatch.setattr(page_words, "study_of", lambda _: SimpleNamespace(metrics=lambda: METRICS))
    values = {"right": (0.75, 0.25), "rho": (0.5, 0.625), "plain": (9.0, 8.0)}
    overview = pl.DataFrame(
        [
            {"metric": metric, "condition": "all", "agent": agent, "value": value, "units": 9}
            for metric, agent_values in values.items()
            for agent, value in zip("mn", agent_values, strict=True)
        ]
    )
    schemas = {"tests": TESTS, "controls": CONTROLS}
    page_tables = {name: pl.DataFrame(schema={**schema, "condition": pl.String()}) for name, schema in schemas.items()}
    page_tables["overview"] = overview
    words = page_words.words_on_metrics("x")
    head = words.headline(page_tables, ["m", "n"])
    first, second = head.sentences
    assert first.startswith("m is right in 75 of 100 trials")
    assert second.startswith("n has a mean correlation of 0.62")
    assert set(head.verdicts["agent"]) == {"m", "n"}
    found = words.finding(page_tables, ["m", "n"])
    assert found.agent == "m"
    assert "75 of 100 trials" in found.sentences[0]
    assert words.words("right", page_tables) == "all (9 trials): m 0.750, n 0.250."
    both = lambda *tables, controls: [f"Values: {tables[2].metric}.", f"Differences: {tables[2].metric}."]  # noqa: E731
    with monkeypatch.context() as patched:
        patched.setattr(page_words, "sentences_on", both)
        head = words.headline(page_tables, ["m", "n"])
    said = [*head.sentences, *head.more]
    assert [said.count(f"{what}: {metric}.") for what in ("Values", "Differences") for metric in ("right", "rho")] == [
        1
    ] * 4
    monkeypatch.setattr(page_words, "study_of", lambda _: SimpleNamespace(metrics=lambda: METRICS[:1]))
    untested = page_words.words_on_metrics("x")
    assert untested.headline(page_tables, ["m"]).sentences == (page_words.UNTESTED,)
    assert untested.finding(page_tables, ["m"]).sentences == (page_words.UNTESTED,)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (Metric("x", share=True, items="trials"), ("is right in", "trials", "trials")),
        (Metric("x", verb="answers", share=True, items="trials", clusters="words"), ("answers", "trials", "words")),
        (Metric("x", verb="differs by", title="distance", items="pairs"), ("differs by", "", "pairs")),
        (Metric("x", title="distance"), ("has a mean distance of", "", "units")),
        (Metric("x"), ("has a mean x of", "", "units")),
    ],
)
def test_the_sentence_on_a_metric_has_its_own_verb_or_that_of_its_kind(metric, said):
    overview = pl.DataFrame({"metric": ["x", "y", "x"], "condition": ["noun", "other", "all"]})
    claim = page_words._claim(metric, overview)
    assert (claim.verb, claim.unit, claim.sample) == said
    assert (claim.metric, claim.conditions) == ("x", ("noun", "all"))


def test_what_the_analyses_of_a_study_say_stands_with_what_the_study_says(monkeypatch):
    """An analysis says its own figures in words, a sentence at the head and one that is folded away, and more names."""
    own = page_words.PageWords(
        headline=lambda tables, models: Headline(("First.",), more=("Folded.",)),
        words=lambda name, tables: f"{name} of the study",
        names={"HYP": "hypernymy"},
        addresses={"tests": print},
    )
    said = {
        "words": {"depth": lambda name, tables: "deep" * (name == "depth")},
        "headline": {"depth": lambda tables, models: (f"{models[0]} is deep.", "Further.")},
        "CODE_NAMES": {"depth": {"DEEP": "depth"}},
        "ADDRESSES": {"depth": {"levels": len}},
    }
    monkeypatch.setattr(page_words, "take", lambda study, name: said[name])
    joined = page_words.with_analyses(own, "x")
    assert [joined.words(name, {}) for name in ("depth", "bars")] == ["deep", "bars of the study"]
    head = joined.headline({}, ["m"])
    assert (head.sentences, head.more) == (("First.", "m is deep."), ("Folded.", "Further."))
    assert joined.names == {"HYP": "hypernymy", "DEEP": "depth"}
    assert joined.addresses == {"tests": print, "levels": len}
    monkeypatch.setattr(page_words, "take", lambda study, name: {})
    assert page_words.with_analyses(own, "x") == own
