"""The steps of one agent: what a model, a control, people and a model that chooses answer, and what becomes of it."""

import numpy as np
import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.definitions.agents import (
    agent_metrics,
    control_metrics,
    model_metrics,
    people_metrics,
    task_metrics,
)
from relprobe.studies.definitions.baselines import baseline, commonness, guess, shortness, similarity
from relprobe.studies.definitions.chat import reply_choices, reply_responses, sheets
from relprobe.studies.definitions.choices import Choices
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.method import rank_candidates
from relprobe.studies.definitions.people import people
from relprobe.studies.definitions.results import AgentOptions, Items
from relprobe.studies.definitions.schemas import SCORES, WORDS

from tests.studies.definitions.about import properties
from tests.studies.definitions.ask.test_replies import large_group
from tests.studies.definitions.measure.test_people import NOD
from tests.studies.definitions.measure.test_people import PROBES_ as NOD_PROBES
from tests.studies.definitions.measure.test_responses import GROUP, PROBES_, groups

ABOUT = properties({"group": "a.n.01", "uses": 50.0, "joined": 500.0, "leak": "names"})


ITEMS = Items(groups=groups(GROUP), probes=PROBES_, properties=ABOUT)


# Of the word a, with five tokens, the one pattern says much more than the other one.
TWO_PATTERNS = pl.DataFrame(
    [
        *[
            ("noun:0", "p", [-1.0, -1.5, -9.0], [-1.0] * 3, [5, 1, 1], None, 1),
            ("noun:0", "q", [-10.0, -1.5, -9.0], [-1.0] * 3, [5, 1, 1], None, 1),
        ],
        *[("noun:1", pattern, [-4.0], [-1.0], [1], None, 1) for pattern in "pq"],
        *[("noun:2", pattern, [-9.0], [-1.0], [1], None, 1) for pattern in "pq"],
    ],
    schema=SCORES,
    orient="row",
)


def ranked_as(options, choices):
    found = model_metrics(TWO_PATTERNS, ITEMS, choices, options)
    return found, {row["task"]: row["rank"] for row in found.responses.to_dicts()}


def test_a_model_is_read_by_its_type_and_a_group_stands_in_the_band_of_the_run():
    """D2W of a masked model takes the mean token, that of others the first one, in which all words are alike."""
    found, ranks = ranked_as(AgentOptions("m", "masked", bands=[60, 600]), Choices())
    assert ranks == {"w2d": 1, "d2w": 1}
    assert "noun, rare" in found.metrics["condition"].to_list()
    assert found.metrics.equals(metrics(found.responses, ABOUT, "expected", [60, 600]))
    for kind in ("causal", "encoder-decoder"):
        other, _ = ranked_as(AgentOptions("m", kind), Choices())
        assert other.responses.filter(task="d2w").select("better", "tied").rows() == [(0, 2)]
        assert "noun, medium" in other.metrics["condition"].to_list()
    drawn = model_metrics(TWO_PATTERNS, ITEMS, Choices(ties="drawn"), AgentOptions("m", "causal"))
    assert set(drawn.metrics.filter(metric="D2W P@1")["value"]) <= {0.0, 1.0}


def test_the_other_choices_of_a_model_have_their_values_by_hand():
    """By all tokens b is before a (-1.7, -1.5); by the mean of logs, B is before A (-5.5, -4). A second place has RS 1/2."""
    table = model_metrics(TWO_PATTERNS, ITEMS, Choices(), AgentOptions("m", "masked", bands=[60, 600])).by_agent[
        "sensitivity"
    ]
    assert set(table["agent"]) == {"m"}
    keys = ["choice", "here", "other", "metric", "condition", "value", "other_value", "groups", "other_groups"]
    found = {(*row[:1], *row[3:5]): row[5:] for row in table.select(keys).rows()}
    names = ("D2W P@1", "D2W RS", "W2D P@1", "W2D RS")
    read, patterns, ties = "D2W reads of a word", "average over the patterns", "equal scores"
    expected = {(read, "D2W P@1", "noun"): (1, 0, 1, 1), (read, "D2W RS", "noun"): (1, 0.5, 1, 1)}
    expected |= {(patterns, name, "noun"): (1, 1, 1, 1) for name in names}
    expected |= {(patterns, "W2D P@1", "noun"): (1, 0, 1, 1), (patterns, "W2D RS", "noun"): (1, 0.5, 1, 1)}
    expected |= {(ties, name, "noun"): (1, 1, 1, 1) for name in names}
    expected |= {("definitions that tell their word", name, "noun"): (1, None, 1, 0) for name in names}
    expected |= {("frequency of a phrase", name, "noun, rare"): (1, None, 1, 0) for name in names}
    expected |= {("frequency of a phrase", name, "noun, medium"): (None, 1, 0, 1) for name in names}
    assert found == expected
    assert table.height == len(expected)
    said = {row[0]: row[1:3] for row in table.select(keys).rows()}
    assert said["frequency of a phrase"] == ("its own, or unknown", "its words' joined by wordfreq")
    causal = model_metrics(TWO_PATTERNS, ITEMS, Choices(), AgentOptions("m", "causal")).by_agent["sensitivity"]
    assert set(causal.filter(choice=read)["other"]) == {"all tokens", "the mean token"}  # ends of words are not scored
    assert said[read] == ("the mean token", "all tokens")
    assert said[patterns] == ("what a task ranks by", "log-probabilities")
    assert said[ties] == ("mean over all orders", "in an order drawn once")
    logs = model_metrics(TWO_PATTERNS, ITEMS, Choices(patterns="logs", ties="drawn"), AgentOptions("m", "masked"))
    said = dict(logs.by_agent["sensitivity"].select("choice", pl.concat_list("here", "other")).rows())
    assert said[patterns] == ["log-probabilities", "what a task ranks by"]
    assert said[ties] == ["in an order drawn once", "mean over all orders"]
    joined = model_metrics(TWO_PATTERNS, ITEMS, Choices(), AgentOptions("m", "masked", "joined"))
    assert "frequency of a phrase" not in joined.by_agent["sensitivity"]["choice"].to_list()


def test_a_control_ranks_by_what_it_knows():
    """Vectors, else the uses of words, else the length of texts or nothing at all."""
    probes = PROBES_.with_columns(
        words=pl.Series([["a", "b", "ccc"], ["a"], ["a"]]), definition=pl.Series(["A", "BBB", "C"])
    )
    items = Items(groups=groups(GROUP), probes=probes, properties=ABOUT)
    vectors = StaticVectors({"a": 0, "b": 1, "A": 2}, np.array([[1, 0], [0, 1], [1, 1]], np.float32))
    words = pl.DataFrame([("a", 9.0), ("b", 99.0), ("A", None)], schema=WORDS, orient="row")
    given = items.groups, probes
    ranked = {
        "static": similarity(probes, vectors),
        "frequency": commonness(probes, {"a": 9.0, "b": 99.0, "A": None}),
        "length": shortness(probes),
        "random": guess(probes),
    }
    assert len({tuple(rank_candidates(one, *given).select("better", "tied").rows()) for one in ranked.values()}) == 4
    options = {"static": {"vectors": vectors}, "frequency": {"words": words}, "length": {}, "random": {}}
    for agent, scores_of_agent in ranked.items():
        expected = rank_candidates(scores_of_agent, *given)
        assert baseline(*given, agent=agent, **options[agent]).equals(expected)
        found = control_metrics(items, Choices(), AgentOptions(agent), **options[agent])
        assert found.responses.equals(expected)
        assert found.metrics.equals(metrics(expected, ABOUT))
        assert found.by_agent["sensitivity"].equals(
            agent_metrics(expected, items, Choices(), AgentOptions(agent)).by_agent["sensitivity"]
        )
    cosines = [0.5**0.5, 0.5**0.5, -np.inf, -np.inf, -np.inf]
    assert ranked["static"]["d2w"].tolist() == pytest.approx(cosines)


def test_a_file_of_ranks_is_an_agent_of_the_study(tmp_path):
    folder = tmp_path / "definition_answers"
    folder.mkdir()
    lines = ["task,group,participant,candidate,rank", "d2w,nod.v.01,ben,bow,1", "d2w,nod.v.01,ben,nod,2"]
    (folder / "own.csv").write_text("\n".join([*lines, "w2d,nod.v.01,anna,lower the head,1"]) + "\n")
    manifest = write_manifest(folder)
    rows = [("d2w", "nod.v.01", 3, 1, 0, 2, "bow"), ("w2d", "nod.v.01", 3, 0, 0, 1, "lower the head")]
    assert people(manifest, NOD, NOD_PROBES).rows() == rows
    about = properties({"group": "nod.v.01", "pos": "verb", "uses": 50.0})
    items = Items(groups=NOD, probes=NOD_PROBES, properties=about)
    found = people_metrics(manifest, items, Choices(), AgentOptions("humans", bands=[60, 600]))
    assert found.responses.rows() == rows
    assert found.metrics.equals(metrics(found.responses, about, "expected", [60, 600]))
    assert found.by_agent["sensitivity"]["agent"].unique().to_list() == ["humans"]


def replies_to(sheets_of, choose):
    rows = [
        {"question_id": f"{one.task} {one.order} {one.group}", "sample": 1, "outcome": "answer", "text": choose(one)}
        for one in sheets_of
    ]
    return pl.DataFrame(rows, schema=REPLIES)


def test_the_step_reads_what_was_asked_and_measures_it():
    groups, probes = large_group()
    items = Items(
        groups=groups, probes=probes, properties=properties({"group": "big"}, {"group": "small", "uses": 50.0})
    )
    once = replies_to(sheets(groups, probes, 1), lambda one: one.right)
    found = task_metrics(once, items, Choices(), AgentOptions("m maxdiff", bands=[60, 600]))
    assert found.reply_choices.equals(reply_choices(once, groups, probes, orders=1, large=False))
    assert found.responses.equals(reply_responses(found.reply_choices))
    assert found.metrics.equals(metrics(found.responses, items.properties, "expected", [60, 600]))
    assert set(found.metrics["value"]) == {1.0}
    assert "noun, rare" in found.metrics["condition"].to_list()
    assert found.by_agent["sensitivity"]["agent"].unique().to_list() == ["m maxdiff"]
    more = replies_to(sheets(groups, probes, 2, large=True), lambda one: one.right)
    all_of_them = task_metrics(more, items, Choices(), AgentOptions("m"), orders=2, large=True)
    assert all_of_them.reply_choices.height == 8
    for shown in ({"orders": 1}, {"large": False, "orders": 2}):
        with pytest.raises(KeyError):
            reply_choices(more, groups, probes, **shown)
    for asked in (sheets(groups, probes, 2), sheets(groups, probes, 1, large=True)):
        further = replies_to(asked, lambda one: one.right)
        with pytest.raises(KeyError):  # one order of small groups is asked for if nothing else is said
            reply_choices(further, groups, probes)
        with pytest.raises(KeyError):
            task_metrics(further, items, Choices(), AgentOptions("m"))
