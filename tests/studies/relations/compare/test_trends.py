import polars as pl
import pytest
from relprobe.core.cli import arguments_of
from relprobe.core.series import compared_agents
from relprobe.core.step import MISSING, options_of
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.relations.analyses.series import make_exhibits, trend_tables
from relprobe.studies.relations.averages import averages_of as averages
from relprobe.studies.relations.compare import between_agents
from relprobe.studies.relations.schemas import TESTS

from tests.studies.relations.about import compared
from tests.studies.relations.compare.test_analyses import NOTHING_SHARED, mutual, paired_tests, sound, units
from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import SIX

ALONG = {"step": {"gpt": {"gpt-1": 1, "gpt-9": 9}}}
NO_TESTS = pl.DataFrame(schema=TESTS)
WORDS = "abcdef"


def agents(words=WORDS, **shares):
    """Return the values of agents that answer this share of their targets rightly, the first ones."""
    return {
        name.replace("_", "-"): units(*(sound(word, "p", float(place < right)) for place, word in enumerate(words)))
        for name, right in shares.items()
    }


def test_a_series_has_a_trend_per_relation_and_its_members_with_the_same_weights_are_named():
    first = units(*(sound(word, "p", 0.0, code) for code in ("ANT", "HYP") for word in WORDS), mutual("a", "b", 0.0))
    last = units(*(sound(word, "p", 1.0, code) for code in ("ANT", "HYP") for word in WORDS), mutual("a", "b", 1.0))
    tables = trend_tables({"gpt-1": first, "gpt-9": last}, ALONG, [["gpt-1", "gpt-9"]], NOTHING_SHARED, SIX, NO_TESTS)
    trends = tables["trends"]
    assert trends.select("metric", "relation", "k").rows() == [
        ("soundness", "HYP", None),
        ("soundness", "ANT", None),
        ("symmetry", "ANT", 1),
    ]
    assert trends["slope"].to_list() == [1.0, 1.0, 1.0]
    assert trends["p"].to_list() == [2 / 2**6, 2 / 2**6, None]  # six targets; one group of pairs
    assert trends["p_holm"].to_list() == [4 / 2**6, 4 / 2**6, None]
    assert trends["note"].to_list()[0].endswith("gpt-1 and gpt-9 have the same weights")
    assert tables["against_last"].select("agent", "last", "difference").unique().rows() == [("gpt-1", "gpt-9", -1.0)]
    others = trend_tables({"gpt-1": first, "gpt-9": last}, ALONG, [], NOTHING_SHARED, SIX, NO_TESTS)["trends"]
    assert "weights" not in "".join(others["note"].drop_nulls())


def test_half_of_the_last_value_is_reached_where_the_last_exceeds_its_controls():
    values = agents("abcdefghijkl", gpt_1=0, gpt_9=10, small=0, large=12, frequency=1, majority=12)
    comparing = AgentComparison(["frequency", "majority"], ["gpt-1"])
    tests = between_agents(values, NOTHING_SHARED, SIX, comparing=comparing)
    along = {**ALONG, "size": {"Large": {"small": 1e6, "large": 1e8}}}
    for controls, found in ((["frequency"], True), (["frequency", "majority"], False)):
        halves = trend_tables(values, along, [], NOTHING_SHARED, SIX, tests, controls)["halves"]
        step = halves.filter(axis="step").row(0, named=True)
        # the values are 0 and 10/12 at steps 1 and 9: half is reached half the way of log 2 to log 10
        assert step["half_at"] == (pytest.approx((2 * 10) ** 0.5 - 1) if found else None)
        assert step["control"] == controls[-1]
        assert step["note"] == (
            None if found else "no half: the last member is not shown to be above the control majority"
        )
        assert halves["axis"].to_list() == ["size", "step"]


ENTRIES = {
    "gpt-1": {"type": "causal", "series": "gpt", "step": 1},
    "gpt-9": {"type": "causal", "series": "gpt", "step": 9},
    "bert": {"type": "masked"},
}


COMPARING = AgentComparison(["frequency"], ["gpt-1"])


def test_a_checkpoint_more_does_not_change_the_p_of_other_agents():
    values = agents(gpt_1=2, gpt_9=6, bert=1, opt=3, frequency=0)
    alone = {agent: values[agent] for agent in values if agent != "gpt-1"}
    assert compared_agents({**ENTRIES, "opt": {}}) == ["gpt-9", "bert", "opt"]
    before = between_agents(alone, NOTHING_SHARED, SIX, comparing=COMPARING)
    table = between_agents(values, NOTHING_SHARED, SIX, comparing=COMPARING)
    assert table.filter(pl.col("family") != "series").equals(before)
    best = table.filter(agent_a="gpt-9", agent_b="bert").row(0, named=True)
    assert (best["p"], best["p_holm"], best["family"]) == (2 / 2**5, 2 / 2**5, "models")  # a pair is its own family
    member = table.filter(family="series")  # of the controls table: two targets are right
    assert member.select("agent_a", "agent_b", "difference", "p").rows() == [("gpt-1", "frequency", 2 / 6, 2 / 2**2)]
    everyone = between_agents(values, NOTHING_SHARED, SIX, comparing=AgentComparison(["frequency"]))
    everyone = everyone.filter(agent_a="gpt-9", agent_b="bert")
    assert everyone["p_holm"].item() == 2 / 2**5  # also if all checkpoints were models


def test_the_last_member_of_a_series_is_the_one_that_is_compared_by_type():
    values = agents(gpt_1=6, gpt_9=3, bert=4)
    tests = paired_tests({agent: values[agent] for agent in compared_agents(ENTRIES)})
    results = averages(values, relations=SIX), tests, gold("a HYP x")
    tables = compared(values, *results, ENTRIES)
    assert tables["best_by_type"]["causal"].to_list() == ["gpt-9"]
    assert dict(tables["left_out"].rows())["tests"] == (
        "gpt-1: the last of the series gpt, gpt-9, stands for it among the models; the tables trends and against_last have "
        "the tests of the others."
    )


def test_a_run_without_people_has_series():
    """A rule leaves out the option of an empty list."""
    required = [option for option in options_of(make_exhibits) if option.default is MISSING]
    names = {option.name.replace("_", "-"): "1" if option.kind is int else "{}" for option in required}
    words = [word for name, value in names.items() for word in (f"--{name}", value)]
    assert "--along" in words
    assert not arguments_of(make_exhibits).parse_args(words).people
