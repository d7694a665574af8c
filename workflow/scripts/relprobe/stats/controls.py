"""Agents beside their controls: which agents are compared with which, and what an agent has beyond its best control.

A control answers without knowledge of what a study asks about (docs/controls.md). A control of one model alone, such as its
answers to prompts without a target, is called MODEL+NAME. Where a study reads several judgments off the answers of a model,
each is an agent, and is called MODEL JUDGE.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.claim import Hypothesis
from relprobe.stats.families import with_detectable, with_holm
from relprobe.stats.notes import join_note_columns
from relprobe.stats.schemas import CONTROLS, AgentKind, with_groups

AHEAD: Hypothesis = "ahead of every control"
BEHIND: Hypothesis = "behind some control"
OWN = "+"
"""What parts a model's name from that of its own control; names of models do not contain it."""


def owner(agent: str) -> str | None:
    """Return the model whose own control an agent is, None for any other agent.

    >>> owner("gpt2+without-target"), owner("frequency")
    ('gpt2', None)
    """
    return agent.rpartition(OWN)[0] or None


def model_of(agent: str) -> str | None:
    """Return the model of an agent of a study whose models have several judges; None for an agent without a model.

    >>> model_of("smollm2-135m pmi"), model_of("smollm2-135m pmi+target"), model_of("static")
    ('smollm2-135m', 'smollm2-135m', None)
    """
    return agent.rpartition(" ")[0] or None


def judge_of(agent: str) -> str:
    """Return the judge of such an agent; that of an agent without a model is the agent's name.

    >>> judge_of("smollm2-135m pmi"), judge_of("smollm2-135m pmi+target"), judge_of("static")
    ('pmi', 'pmi', 'static')
    """
    return agent.rpartition(" ")[2].partition(OWN)[0]


def comparable(a: str, b: str, kinds: Mapping[str, AgentKind] | None = None) -> bool:
    """Return whether two agents are compared.

    No control is compared with another control, and a model's own control with it alone. A member of a series that is not
    its last is compared with controls alone. `kinds`: agent -> its kind; without them all agents are compared.

    >>> kinds = {"gpt2": "model", "bert": "model", "gpt2+shuffled": "control", "frequency": "control"}
    >>> comparable("bert", "frequency", kinds), comparable("bert", "gpt2+shuffled", kinds)
    (True, False)
    """
    if kinds is None:
        return True
    if "control" not in (kinds[a], kinds[b]):
        return "member" not in (kinds[a], kinds[b])
    control, compared = (a, b) if kinds[a] == "control" else (b, a)
    return kinds[compared] != "control" and owner(control) in (None, compared)


def beyond_controls(tests: pl.DataFrame, controls: Sequence[str]) -> pl.DataFrame:
    """Return what every agent has beyond its controls, per metric and condition (CONTROLS).

    `tests`: TESTS; the columns between metric and agent_a, such as condition, stand in the result, too. `controls`: the
    agents that are controls. The control of a row is the one that the agent exceeds least on the units that both have; of
    equal ones it is the first of `controls`.

    If the agent exceeds all of them, p is of the claim that it is ahead of every control: the largest p of its tests beside
    each, without adjustment for their number, as each of these tests must hold (an intersection-union test, Berger 1982).
    Else it is of the claim that the agent is behind some control: p beside the one of the row, times their number.
    p_holm_all is adjusted over the agent's own rows, under all conditions of the metric, and so depends on no other agent.
    A control that has the metric, and no unit in common with the agent under the condition, is named in the note. An agent
    that no control shares a unit with has no row. Rows are in the order of `tests`, and then in the order in which
    `tests` names the agents.

    >>> from relprobe.stats.schemas import TESTS
    >>> rows = [{"metric": "right", "condition": "noun", "agent_a": "m", "value_a": 0.5, **one} for one in (
    ...     {"agent_b": "frequency", "value_b": 0.25, "difference": 0.25, "p": 0.001},
    ...     {"agent_b": "majority", "value_b": 0.375, "difference": 0.125, "p": 0.04},
    ... )]
    >>> table = beyond_controls(pl.DataFrame(rows, schema=TESTS), ["frequency", "majority"])
    >>> table.select("agent", "control", "difference", "claim", "p", "p_holm_all").rows()
    [('m', 'majority', 0.125, 'ahead of every control', 0.04, 0.04)]
    """
    key = tests.columns[: tests.columns.index("agent_a")]
    names = {"agent_a": "agent", "agent_b": "control", "value_a": "value", "value_b": "control_value"}
    rows = both_ways(tests.with_row_index("place")).rename(names)
    rows = rows.filter(pl.col("control").is_in(controls), ~pl.col("agent").is_in(controls))
    order = pl.col("control").cast(pl.Enum(controls))
    ranked = rows.drop_nulls("difference").sort("difference", order, maintain_order=True)
    agent_key = ["agent", *key]
    tested = pl.col("p").count().over(agent_key)
    ranked = ranked.with_columns(
        controls=pl.len().over(agent_key).cast(pl.UInt32),
        largest=pl.when(tested == pl.len().over(agent_key)).then(pl.col("p").max().over(agent_key)),
    )
    best = ranked.unique(agent_key, keep="first", maintain_order=True)
    ahead = pl.col("difference") > 0
    best = best.with_columns(
        claim=pl.when(ahead).then(pl.lit(AHEAD)).otherwise(pl.lit(BEHIND)),
        p=pl.when(ahead).then("largest").otherwise(pl.min_horizontal(pl.col("p") * pl.col("controls"), pl.lit(1.0))),
    )
    best = best.join(
        _without_value(rows, key, controls), on=agent_key, how="left", nulls_equal=True, maintain_order="left"
    )
    best = best.with_columns(note=join_note_columns("note", "absent"))
    agents = pl.concat([tests["agent_a"], tests["agent_b"]]).unique(maintain_order=True)
    ordered = best.sort(pl.col("place").min().over(key), pl.col("agent").cast(pl.Enum(agents)), maintain_order=True)
    family = ["agent", "metric", *(["k"] if "k" in key else [])]
    sizes = ordered.with_columns(family_size=pl.col("p").count().over(family).cast(pl.UInt32))
    sized = with_detectable(sizes.with_columns(one=1), "one", "detectable")
    adjusted = with_holm(with_detectable(sized, "family_size", "detectable_all").drop("p_holm", "p_holm_all"), family)
    adjusted = adjusted.rename({"p_holm": "p_holm_all"})
    schema = with_groups(CONTROLS, tests.schema, key[1:])
    return adjusted.select(list(schema)).cast(schema)  # type: ignore[arg-type]


def _without_value(rows: pl.DataFrame, key: Sequence[str], controls: Sequence[str]) -> pl.DataFrame:
    """Return which controls of an agent's metric have no value under a condition: agent, the columns `key`, and absent.

    `rows`: tests, each agent minus each of its controls.
    """
    agent_key = ["agent", *key]
    tested = rows.drop_nulls("difference")
    metric_controls = tested.select("agent", "metric", "control").unique()
    expected = rows.select(agent_key).unique().join(metric_controls, on=["agent", "metric"])
    lacking = expected.join(tested, on=[*agent_key, "control"], how="anti", nulls_equal=True)
    ordered = lacking.sort(pl.col("control").cast(pl.Enum(controls)))
    named = ordered.group_by(agent_key).agg(pl.col("control").str.join(", "), have=pl.len() > 1)
    has = pl.when("have").then(pl.lit("have")).otherwise(pl.lit("has"))
    text = pl.format(
        "not beside {}, which {} no value here: such a claim is of the other controls alone", "control", has
    )
    return named.select(*agent_key, absent=text)


def both_ways(tests: pl.DataFrame) -> pl.DataFrame:
    """Return the tests (TESTS and further columns), and below them the same with the two agents exchanged.

    >>> from relprobe.stats.schemas import TESTS
    >>> row = {"agent_a": "m", "agent_b": "n", "value_a": 0.5, "value_b": 0.25, "difference": 0.25, "low": -0.5, "high": 1.0}
    >>> both_ways(pl.DataFrame([row], schema=TESTS)).select("agent_a", "value_a", "difference", "low", "high").rows()
    [('m', 0.5, 0.25, -0.5, 1.0), ('n', 0.25, -0.25, -1.0, 0.5)]
    """
    exchanged = tests.with_columns(
        agent_a="agent_b",
        agent_b="agent_a",
        value_a="value_b",
        value_b="value_a",
        difference=-pl.col("difference"),
        low=-pl.col("high"),
        high=-pl.col("low"),
        paper_effect=-pl.col("paper_effect"),
    )
    return pl.concat([tests, exchanged])
