"""The ranks that people gave to candidates."""

from itertools import permutations

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own import definition_answers
from relprobe.sources.own.definition_answers import Rank
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.people import form, people_responses, questionnaire
from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES

from tests.studies.definitions.about import properties
from tests.studies.definitions.data.test_own_data import GROUP_TEXTS, ranks


def test_people_rank_candidates_and_those_left_out_share_the_last_places(tmp_path):
    given = ranks(("anna", "bend the body", 1), ("anna", "lower the head", 2), ("ben", "clap", 1))
    table = people_responses(given, GROUP_TEXTS, tmp_path)
    assert dict(table.schema) == dict(RESPONSES)
    assert table.select("candidates", "better", "tied", "rank", "answer").rows() == [
        (3, 1, 0, 2, "bend the body"),  # anna's second
        (3, 1, 1, None, "clap"),  # ben ranked one, and the right one is among the two others
    ]
    for ties in ("drawn", "expected"):
        value = metrics(table, properties({"group": "nod.v.01", "pos": "verb"}), ties)
        # Anna: (3 - 2) / 2. Ben: rank 2 or 3, on average 2.5, so 1/4.
        assert value.filter(metric="W2D RS", condition="verb")["value"].to_list() == [1 / 2, 1 / 4]


@pytest.mark.parametrize("ranked", [1, 3])
@pytest.mark.parametrize("ties", ["drawn", "expected"])
def test_a_form_that_is_filled_in_at_random_gets_what_a_guess_gets(tmp_path, ties, ranked):
    # One participant for each ordered choice of candidates, so that every way to fill in the form at random occurs once.
    texts = GROUP_TEXTS["w2d", "nod.v.01"]
    ways = list(permutations(texts, ranked))
    given = [(f"person {n}", text, rank) for n, way in enumerate(ways) for rank, text in enumerate(way, start=1)]
    answers = people_responses(ranks(*given), GROUP_TEXTS, tmp_path)
    about = properties({"group": "nod.v.01", "pos": "verb"})
    value = metrics(answers, about, ties).filter(condition="verb").group_by("metric").agg(pl.col("value").mean())
    assert dict(value.iter_rows()) == {"W2D P@1": pytest.approx(1 / 3), "W2D RS": pytest.approx(1 / 2)}


def test_a_text_that_is_no_candidate_is_named(tmp_path):
    with pytest.raises(DataError, match=r"line 2: 'wave' is no candidate of w2d of nod\.v\.01"):
        people_responses(ranks(("anna", "wave", 1)), GROUP_TEXTS, tmp_path / "a.csv")


def test_answers_to_other_groups_are_left_out_and_need_some_of_this_study(tmp_path, caplog):
    other = Rank("w2d", "bow.v.01", "anna", "x", 1, 9)
    assert people_responses([*ranks(("anna", "clap", 1)), other], GROUP_TEXTS, tmp_path).height == 1
    assert "1 answers are to other groups, such as w2d of bow.v.01" in caplog.text
    with pytest.raises(DataError, match=r"no answer to the groups of this study, such as nod\.v\.01"):
        people_responses([other], GROUP_TEXTS, tmp_path)


def test_the_filled_form_is_a_file_of_answers(tmp_path):
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    sheet = form(GROUP_TEXTS, groups, participants=2, size=1, seed=1)
    assert sheet.height == 2 * 2 * 3
    assert set(sheet.filter(task="d2w")["question"]) == {"lower the head"}
    assert set(sheet.filter(task="w2d")["question"]) == {"nod"}
    right = pl.col("candidate").is_in(["nod", "lower the head"])
    filled = sheet.with_columns(rank=pl.when(right).then(1))
    filled.write_csv(tmp_path / "filled.csv")
    table = people_responses(definition_answers.read(tmp_path / "filled.csv"), GROUP_TEXTS, tmp_path)
    assert table.select("task", "better", "tied").rows() == [("d2w", 0, 0)] * 2 + [("w2d", 0, 0)] * 2


PROBES_ = pl.DataFrame(
    [
        ("verb:0", "verb", "lower the head", ["nod", "bow", "applaud"], 3),
        *[("verb:1", "verb", "bend the body", ["nod"], 1), ("verb:2", "verb", "clap", ["nod"], 1)],
    ],
    schema=PROBES,
    orient="row",
)
NOD = pl.DataFrame(
    [("nod.v.01", "verb", "nod", "lower the head", 2, "f", [0, 3, 4], [0, 1, 2])], schema=GROUPS, orient="row"
)


def test_the_form_has_two_participants_and_all_groups_unless_others_are_asked_for():
    sheet = questionnaire(NOD, PROBES_)
    assert sheet.equals(form(GROUP_TEXTS, NOD, 2, None, 1))
    assert sheet.equals(questionnaire(NOD, PROBES_, participants=2, each=None, seed=1))
    assert sheet["participant"].unique(maintain_order=True).to_list() == ["1", "2"]
    assert not sheet.equals(questionnaire(NOD, PROBES_, seed=2))
    assert questionnaire(NOD, PROBES_, participants=1, each=1).height == 6
    many = questionnaire(NOD, PROBES_, participants=40)
    firsts = many.group_by("participant", maintain_order=True).first()["task"]
    assert set(firsts) == {"w2d", "d2w"}  # the order of the tasks is each person's own
    for task in ("w2d", "d2w"):
        orders = {
            tuple(one["candidate"]) for _, one in many.filter(task=task).group_by("participant", maintain_order=True)
        }
        assert len(orders) == 6
    assert many["rank"].null_count() == many.height
