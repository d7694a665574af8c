"""The trials of the definitions study."""

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.paper.trials import with_further
from relprobe.studies.definitions.analyses.leaks import COLUMNS
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.schemas import PROPERTIES, RESPONSES
from relprobe.studies.definitions.trials import trials

ABOUT = {
    "pos": "verb",
    "depth": 2,
    "family": "move.v.01",
    "kept": True,
    "w2d": 5,
    "d2w": 4,
    "tokens": 1,
    "joined": 1000.0,
}
GROUPS = pl.DataFrame(
    [
        ABOUT | {"group": "nod.v.01", "word": "nod", "drawn": True},
        ABOUT | {"group": "bow.v.01", "word": "bow", "drawn": False},
    ],
    schema={**PROPERTIES, **COLUMNS},
)


def responses(*rows):
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


TIED = responses(("w2d", "nod.v.01", 5, 0, 1, 2, "one"), ("d2w", "nod.v.01", 4, 2, 0, 3, "bow"))


def test_the_target_and_the_candidate_ranked_first():
    found = trials({"m": TIED}, GROUPS)
    columns = ["task", "condition", "target", "item", "answer", "right", "rank", "candidates", "cluster"]
    assert found.select(columns).rows() == [
        ("w2d", "verb", "nod", "w2d:nod.v.01", "one", 0.5, 1, 5, "move.v.01"),
        ("d2w", "verb", "nod", "d2w:nod.v.01", "bow", 0.0, 3, 4, "move.v.01"),
    ]
    assert found["respondent"].to_list() == [None, None]  # a model answers each task and group once
    assert found["frequency"].to_list() == pytest.approx([3.0, 3.0])  # a thousand uses in a billion words


@pytest.mark.parametrize("ties", ["expected", "drawn"])
def test_right_is_the_value_of_the_metric(ties):
    values = metrics(TIED, GROUPS, ties).filter(condition="verb")
    found = trials({"m": TIED}, GROUPS, ties=ties)
    for task in ("w2d", "d2w"):
        assert (
            found.filter(task=task)["right"].to_list() == values.filter(metric=f"{task.upper()} P@1")["value"].to_list()
        )
    always = trials({"m": TIED}, GROUPS, ties=ties, expected=["m"])
    assert always["right"].to_list() == [0.5, 0.0]


def test_a_group_that_the_averages_do_not_count_is_no_trial_and_people_have_one_each():
    row = ("w2d", "nod.v.01", 5, 1, 3, None, "two")  # who did not rank the right one
    people = responses(("w2d", "bow.v.01", 5, 0, 0, 1, "a"), ("w2d", "nod.v.01", 5, 0, 0, 1, "one"), row)
    found = trials({"humans": people}, GROUPS)
    assert found.select("respondent", "right", "rank").rows() == [("1", 1.0, 1), ("2", 0.0, None)]


def test_further_columns_of_people_are_columns_of_trials_as_they_stand_beside_the_first_candidate(tmp_path):
    (tmp_path / "people").mkdir()
    (tmp_path / "people/ranks.csv").write_text(
        "task,group,participant,candidate,rank,rt\nw2d,nod.v.01,b,two,1,800\nw2d,nod.v.01,b,one,2,99\n"
        "w2d,nod.v.01,a,one,1,1500\nw2d,none.v.01,a,one,1,7\n"
    )
    people = responses(("w2d", "nod.v.01", 5, 0, 0, 1, "one"), ("w2d", "nod.v.01", 5, 1, 0, 2, "two"))
    table = trials(
        {"humans": people, "m": TIED}, GROUPS, write_manifest(tmp_path / "people"), layout={"further": {"rt": "rt"}}
    )
    found = with_further(table)
    assert found.filter(agent="humans").select("respondent", "answer", "rt").rows() == [
        ("1", "one", 1500.0),
        ("2", "two", 800.0),
    ]
    assert found.filter(agent="m")["rt"].null_count() == 2


def test_the_answers_of_people_are_numbered_even_if_there_is_one():
    """And those of a model where it has several to a task."""
    twice = responses(("w2d", "nod.v.01", 5, 0, 0, 1, "one"), ("w2d", "nod.v.01", 5, 1, 0, 2, "two"))
    found = trials({"humans": TIED, "m": pl.concat([twice, TIED.filter(task="d2w")])}, GROUPS)
    assert found.select("agent", "task", "respondent", "answer").rows() == [
        ("humans", "w2d", "1", "one"),
        ("humans", "d2w", "1", "bow"),
        ("m", "w2d", "1", "one"),
        ("m", "w2d", "2", "two"),
        ("m", "d2w", None, "bow"),
    ]


def test_further_columns_are_those_of_people_alone(tmp_path):
    folder = tmp_path / "definition_answers"
    folder.mkdir()
    (folder / "own.csv").write_text("task,group,participant,candidate,rank,rt\nw2d,nod.v.01,ann,one,1,512\n")
    manifest = write_manifest(folder)
    found = trials({"m": TIED, "humans": TIED}, GROUPS, answers=manifest, layout={"further": {"rt": "rt"}})
    assert found.select("agent", "task", "further").rows() == [
        ("m", "w2d", None),
        ("m", "d2w", None),
        ("humans", "w2d", '{"rt": "512"}'),
        ("humans", "d2w", None),
    ]


def test_trials_are_counted_answers_of_the_study_with_what_people_say_beside_their_first_candidate_alone(tmp_path):
    folder = tmp_path / "definition_answers"
    folder.mkdir()
    lines = ["w2d,nod.v.01,ann,one,1,schön", "w2d,nod.v.01,ann,two,2,later"]
    (folder / "own.csv").write_text("\n".join(["task,group,participant,candidate,rank,note", *lines]) + "\n")
    manifest, layout = write_manifest(folder), {"further": {"note": "note"}}
    found = trials({"humans": TIED.head(1), "m": TIED.head(1)}, GROUPS, manifest, layout=layout)
    assert found.select("study", "agent", "counted", "relation_name", "further").rows() == [
        ("definitions", "humans", 1, "word to definition", '{"note": "schön"}'),
        ("definitions", "m", 1, "word to definition", None),
    ]
    twice = pl.concat([TIED.head(1), TIED.head(1)])  # a model's first answer is not that of the first person
    assert trials({"m": twice}, GROUPS, manifest, layout=layout).select("respondent", "further").rows() == [
        ("1", None),
        ("2", None),
    ]
    model_alone = trials({"m": TIED}, GROUPS, manifest, layout=layout)
    assert model_alone["further"].null_count() == 2
    assert trials({"humans": TIED}, GROUPS)["further"].null_count() == 2
