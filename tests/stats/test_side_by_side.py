"""The agents of a study side by side: who is what, and that each argument reaches the statistics."""

import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls
from relprobe.stats.pooled import pooled_tests
from relprobe.stats.samples import LINK
from relprobe.stats.side_by_side import MODELS, AgentComparison, judge_groups

METRIC = Metric("right", test="McNemar", unit=("unit",), item=("unit",), links=("words",), share=True)
UNITS = [f"u{number:02}" for number in range(12)]
LINKS = {"words": pl.DataFrame({"unit": UNITS, LINK: [f"w{number // 3}" for number in range(12)]})}
ASKED = {"right": pl.DataFrame({"relation": "HYP", "unit": [*UNITS, "u12", "u13"]})}


def values(*right, relation="HYP"):
    rows = [("right", relation, unit, float(number in right)) for number, unit in enumerate(UNITS)]
    return pl.DataFrame(rows, schema=["metric", "relation", "unit", "value"], orient="row")


AGENTS = {"m": values(*range(10)), "n": values(*range(6)), "person": values(*range(11)), "random": values(3, 7)}
COMPARING = AgentComparison(["random"], declared=[["n", "m"]], persons=["person"])


def test_an_agent_that_is_nothing_else_is_a_model_and_each_kind_has_its_list():
    comparing = AgentComparison(["c"], ["early"], persons=["p"], pooled=["all"])
    kinds = {"c": "control", "early": "member", "p": "person", "all": "pooled", "m": "model"}
    assert comparing.kinds(kinds) == kinds
    assert list(comparing.kinds(["m", "c"])) == ["m", "c"]  # of these agents alone, in their order
    assert MODELS.kinds(["c"]) == {"c": "model"}


def test_averages_are_by_group_over_the_units_of_the_study_and_know_the_links():
    found = COMPARING.averages(AGENTS, [METRIC], ["relation"], links=LINKS, asked=ASKED)
    assert found.equals(averages(AGENTS, [METRIC], ["relation"], links=LINKS, asked=ASKED))
    assert found["effective_n"].to_list() == [12**2 / (4 * 3**2)] * 4
    assert found["coverage"].to_list() == [12 / 14] * 4
    more = AGENTS | {"m": pl.concat([AGENTS["m"], values(0).head(1).with_columns(unit=pl.lit("other"))])}
    own, common = (
        AgentComparison([], targets=targets).averages(more, [METRIC], ["relation"], links=LINKS, asked=ASKED)
        for targets in ("own", "common")
    )
    assert (own["units"][0], common["units"][0]) == (13, 12)


def test_tests_are_by_kind_and_the_declared_pairs_are_one_family():
    found = COMPARING.tests(AGENTS, [METRIC], ["relation"], links=LINKS)
    kinds = {"m": "model", "n": "model", "person": "person", "random": "control"}
    assert found.equals(paired_tests(AGENTS, [METRIC], ["relation"], kinds=kinds, links=LINKS, declared=[["m", "n"]]))
    families = dict(zip(found.select("agent_a", "agent_b").iter_rows(), found["family_of"], strict=True))
    assert families["m", "n"] == "the declared comparisons"
    assert families["m", "random"] == "m"
    without_links = COMPARING.tests(AGENTS, [METRIC], ["relation"], links={"words": LINKS["words"].head(0)})
    assert not found["p"].equals(without_links["p"])


@pytest.mark.parametrize("absent", [True, False])
def test_an_agent_without_a_value_has_rows_that_say_so_where_these_are_wanted(absent):
    rows = pl.concat([AGENTS["m"], values(1, relation="MER")])
    found = COMPARING.tests(AGENTS | {"m": rows}, [METRIC], ["relation"], links=LINKS, absent=absent)
    assert bool(found.filter(relation="MER", agent_a="m").height) is absent


def test_the_primary_test_is_pooled_beside_the_controls():
    agents = {name: pl.concat([table, table.with_columns(relation=pl.lit("MER"))]) for name, table in AGENTS.items()}
    found = COMPARING.primary(agents, METRIC, "relation", links=LINKS)
    kinds = COMPARING.kinds(agents)
    assert found.equals(beyond_controls(pooled_tests(agents, METRIC, "relation", kinds=kinds, links=LINKS), ["random"]))
    assert found.select("agent", "control", "difference").rows() == [
        ("m", "random", pytest.approx(8 / 12)),
        ("n", "random", pytest.approx(4 / 12)),
        ("person", "random", pytest.approx(9 / 12)),
    ]
    assert "relation" not in found.columns


def test_only_pairs_with_a_control_are_pooled():
    table = pooled_tests(AGENTS, METRIC, "relation", kinds=COMPARING.kinds(AGENTS), links=LINKS)
    assert table.select("agent_a", "agent_b").rows() == [("m", "random"), ("n", "random"), ("person", "random")]


def test_judges_share_a_model_or_their_name_and_only_a_judge_of_a_model_is_a_member():
    agents = ["a pmi", "a pmi+word", "b pmi", "b schema", "static"]
    groups = judge_groups(agents)
    assert groups.models == {"a": ["a pmi"], "b": ["b pmi", "b schema"]}
    assert groups.judges == {"pmi": ["a pmi", "a pmi+word", "b pmi"], "schema": ["b schema"]}
    assert groups.without_model == ["static"]
    comparing = AgentComparison(["static", "a pmi+word"], ["a", "static"], [["a", "b"]]).with_judges(agents)
    assert comparing.members == ["a pmi"]
    assert comparing.declared == [["a pmi", "b pmi"], ["a schema", "b schema"]]
    assert comparing.controls == ["static", "a pmi+word"]
