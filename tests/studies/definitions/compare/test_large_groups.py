"""Groups of more candidates than people get: the right candidate and nine others are shown, in a table of their own."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.studies.definitions.analyses import depth, people, targets
from relprobe.studies.definitions.analyses.large_groups import LARGE, has, large_groups
from relprobe.studies.definitions.chat import reply_choices, reply_responses, sheets
from relprobe.studies.definitions.schemas import GROUPS, REPLY_CHOICES

PROBES = pl.DataFrame({"definition": [f"d{n}" for n in range(40)], "words": [[f"w{n}"] for n in range(40)]})


def group(name, family, w2d, d2w):
    about = {"pos": "verb", "depth": 2, "group": name, "family": family, "word": "w0", "definition": "d0"}
    return {**about, "w2d": list(range(w2d)), "d2w": list(range(d2w))}


SIZES = {"large.v.01": (40, 20), "half.v.01": (12, 5), "small.v.01": (10, 10)}
TABLE = pl.DataFrame([group(name, f"of {name}", *of) for name, of in SIZES.items()], schema=GROUPS)


def chosen(answer, orders=3):
    rows = [
        {"question_id": f"{one.task} {one.order} {one.group}", "sample": 1, "outcome": "answer", "text": answer(one)}
        for one in sheets(TABLE, PROBES, orders, large=True)
    ]
    return reply_choices(pl.DataFrame(rows, schema=REPLIES), TABLE, PROBES, orders=orders, large=True)


def test_the_right_candidate_and_nine_others_are_shown_the_same_in_all_orders():
    for one in sheets(TABLE, PROBES, 3, large=True):
        options = list(one.options)
        assert one.candidates == SIZES[one.group][one.task == "d2w"]
        assert len(set(options)) == len(options) == min(one.candidates, 10)
        assert one.right in options
    w2d = [
        one.options for one in sheets(TABLE, PROBES, 3, large=True) if (one.task, one.group) == ("w2d", "large.v.01")
    ]
    assert len(set(w2d)) == 3
    assert len({frozenset(shown) for shown in w2d}) == 1
    assert {one.options for one in sheets(TABLE, PROBES, 1, large=True)} < {
        one.options for one in sheets(TABLE, PROBES, 3, large=True)
    }


def test_the_place_of_the_right_candidate_and_the_others_are_drawn():
    families = [group(f"g{n}.v.01", "f", 40, 40) for n in range(400)]
    shown = [one for one in sheets(pl.DataFrame(families, schema=GROUPS), PROBES, 1, large=True) if one.task == "w2d"]
    firsts = sum(one.options[0] == one.right for one in shown)
    assert 16 < firsts < 64  # 40 expected, four standard deviations of 6
    others = {text for one in shown for text in one.options if text != one.right}
    assert len(others) == 39


def test_people_s_groups_are_asked_as_they_are_without_large_groups():
    small = [one for one in sheets(TABLE, PROBES, 3, large=True) if one.group == "small.v.01"]
    assert list(sheets(TABLE, PROBES, 3)) == small


def test_values_beside_those_of_people_and_models_are_of_small_groups_alone():
    responses = reply_responses(chosen(lambda one: one.right))
    assert set(responses["group"]) == {"small.v.01"}


def test_a_table_of_its_own_has_the_share_of_right_answers_among_those_shown():
    right = chosen(lambda one: one.right if one.group == "large.v.01" or one.task == "d2w" else "A")
    table = large_groups({"m": right}, TABLE)
    assert table.schema == LARGE
    first = sum(
        one.options[0] == one.right
        for one in sheets(TABLE, PROBES, 3, large=True)
        if "half" in one.group and one.task == "w2d"
    )
    w2d, d2w = table.sort("task", descending=True).iter_rows(named=True)
    assert (w2d["groups"], w2d["families"], w2d["candidates"], w2d["shown"]) == (2, 2, (40 + 12) / 2, 10)
    assert w2d["p@1"] == pytest.approx((1 + first / 3) / 2)
    assert w2d["expected"] == pytest.approx(1 / 10)
    assert (d2w["candidates"], d2w["shown"], d2w["p@1"]) == ((20 + 5) / 2, (10 + 5) / 2, 1)
    assert d2w["expected"] == pytest.approx((1 / 10 + 1 / 5) / 2)


def test_a_task_that_cannot_be_read_has_a_reason():
    table = large_groups({"m": chosen(lambda one: "Well." if one.task == "w2d" else one.right)}, TABLE)
    w2d, d2w = table.sort("task", descending=True).iter_rows(named=True)
    assert w2d["p@1"] is None
    assert w2d["note"].startswith("no value, as 100 % of its answers name no option")
    assert d2w["p@1"] == 1


def large_choices(families, right):
    """Answers in groups of eleven or more candidates: the last of them cannot be read, and some show nine."""
    shown = [f"text {number}" for number in range(10)]
    row = {"task": "D2W", "order": 1, "sample": 1, "text": ""}
    rows = [
        row
        | {"group": f"g{family}.v.01", "shown": shown[: 9 + (place > 1)], "choice": "text 0", "right": place < right}
        | {"candidates": 11 if place < 6 else 19}
        for place, family in enumerate(families)
    ]
    rows[-1] |= {"choice": ""}
    return pl.DataFrame(rows, schema=REPLY_CHOICES)


def test_the_table_of_large_groups_in_full():
    """Two groups of eight families are right, and of an agent with six groups of its own all are."""
    families = [f"f{number}" for number in range(8)]
    groups = pl.DataFrame([group(f"g{family}.v.01", family, 12, 11) for family in families], schema=GROUPS)
    table = large_groups({"m": large_choices(families, 2), "n": large_choices(families[2:], 6)}, groups)
    found, other = table.iter_rows(named=True)
    assert 0 < found.pop("low") < 0.1
    assert 0.5 < found.pop("high") < 0.7
    assert found == {
        **{"agent": "m", "task": "D2W", "groups": 8, "families": 8, "candidates": 13.0, "shown": 9.75, "p@1": 0.25},
        **{"expected": pytest.approx((2 / 9 + 6 / 10) / 8), "unreadable": 1 / 8, "note": None},
    }
    assert (other["agent"], other["groups"], other["p@1"]) == ("n", 6, 1.0)
    (few,) = large_groups({"m": large_choices(["f0"], 1).with_columns(choice=pl.lit("text 0"))}, groups).to_dicts()
    assert (few["p@1"], few["low"]) == (1.0, None)
    assert few["note"].startswith("no interval")


@pytest.mark.parametrize(
    ("config", "agents", "expected"),
    [
        ({"definitions": {"large_groups": "sampled"}}, ["m"], True),
        ({"definitions": {"large_groups": "sampled"}}, [], False),
        ({"definitions": {"large_groups": "left out"}}, ["m"], False),
    ],
)
def test_large_groups_are_on_the_page_where_agents_choose_in_samples_of_them(config, agents, expected):
    assert has(config, SimpleNamespace(task_agents=agents)) == {"large": expected}


def test_what_else_a_run_has_for_its_page():
    own, other = {"own_definitions": {}}, {"definition_answers": {}}
    assert [depth.has({"resources": one}, None) for one in (own, other)] == [{"wordnet": False}, {"wordnet": True}]
    assert [people.has({"resources": one}, None) for one in (own, other)] == [{"people": False}, {"people": True}]
    named = [targets.has({"definitions": {"targets": one}}, None) for one in (None, [], ["nod"])]
    assert named == [{"targets": False}, {"targets": False}, {"targets": True}]
