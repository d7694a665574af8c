"""The headline of a page: three sentences at most, and a table whose verdicts follow the adjusted p."""

import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.report.words.headline import ROWS, headline, verdicts_of
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
