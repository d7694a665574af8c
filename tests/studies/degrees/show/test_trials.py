"""The trials of the degrees study."""

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.paper.trials import with_further
from relprobe.studies.degrees.method import values as rater_metrics
from relprobe.studies.degrees.schemas import GOLD, QUESTIONS, RATINGS, REPLY_CHOICES
from relprobe.studies.degrees.trials import trials

PAIRS = ["a:b", "c:d", "e:f", "g:h"]
PEOPLE = pl.DataFrame(
    [("1a", "CLASS", False, pair, None, 10.0 * place, "Taxonomic") for place, pair in enumerate(PAIRS)],
    schema=GOLD,
    orient="row",
)
ASKED = pl.DataFrame([("1a", PAIRS, ["a:b"], ["g:h", "e:f"], 5)], schema=QUESTIONS, orient="row")


def ratings(*values):
    return pl.DataFrame(
        [("m schema", "1a", *one) for one in zip(PAIRS, values, strict=True)], schema=RATINGS, orient="row"
    )


def test_ratings_choose_the_extremes():
    found = trials([ratings(1.0, 1.0, 3.0, 2.0)], PEOPLE, ASKED)
    columns = ["agent", "task", "relation", "relation_name", "condition", "answer", "right", "candidates", "cluster"]
    assert found.select(columns).rows() == [
        ("m schema", "least", "1a", "Taxonomic", "CLASS", None, 0.5, 4, "1a"),
        ("m schema", "most", "1a", "Taxonomic", "CLASS", "e:f", 1.0, 4, "1a"),
    ]
    values = rater_metrics(ratings(1.0, 1.0, 3.0, 2.0), PEOPLE, ASKED).filter(metric="maxdiff")["value"].item()
    assert 100 * found["right"].mean() == pytest.approx(values)


def test_a_question_about_an_unrated_pair_is_no_trial_and_own_ratings_have_none():
    assert trials([ratings(1.0, None, 3.0, 2.0)], PEOPLE, ASKED).height == 0
    assert trials([ratings(1.0, 1.0, 3.0, 2.0)], PEOPLE, ASKED.clear()).height == 0


def test_replies_are_trials_and_no_choice_is_wrong():
    row = {"subcategory": "1a", "pairs": PAIRS, "shown": PAIRS, "sample": 1, "least": "a:b"}
    replies = [row | {"order": order, "most": "g:h" if order < 9 else ""} for order in range(1, 10)]
    found = trials([], PEOPLE, ASKED, {"c": pl.DataFrame(replies, schema=REPLY_CHOICES)})
    assert set(found["agent"]) == {"c maxdiff"}
    assert found.filter(task="least")["right"].mean() == 1.0
    assert found.filter(task="most").select("respondent", "answer", "right").rows()[-1] == (
        "order 9, sample 1",
        None,
        0.0,
    )


def test_own_ratings_with_further_columns_are_trials_of_people_and_agents(tmp_path):
    folder = tmp_path / "own_ratings"
    folder.mkdir()
    (folder / "own.csv").write_text(
        'relation,pair,rating,rater,rt,survey\n1a,a:b,7,bob,512,"{""hand"": ""left""}"\n1a,c:d,2.5,ann,800,\n'
    )
    layout = {"further": {"rt": "rt", "hand": {"column": "survey", "key": "hand"}}}
    manifest = write_manifest(folder)
    found = with_further(trials([ratings(1.0, 2.0, 3.0, 4.0)], PEOPLE, ASKED.clear(), None, manifest, layout=layout))
    people, model = found.filter(agent="people"), found.filter(agent="m schema")
    assert people.select("task", "target", "item", "respondent", "answer", "rt", "hand").rows() == [
        ("rate", "a:b", "1a: a:b", "person 2", "7.0", 512.0, "left"),
        ("rate", "c:d", "1a: c:d", "person 1", "2.5", 800.0, None),
    ]
    assert model.select("item", "answer").row(0) == ("1a: a:b", "1.0")
    assert model["rt"].null_count() == 4


def test_the_trials_of_each_agent_are_those_of_its_subcategory_with_its_condition(tmp_path):
    """A subcategory for training and one of a class have two questions each; an agent that cannot be read has none."""
    people = pl.concat(
        [PEOPLE, PEOPLE.with_columns(subcategory=pl.lit("2b"), training=pl.lit(True), name=pl.lit("Part"))]
    )
    asked = pl.concat([ASKED, ASKED.with_columns(subcategory=pl.lit("2b"), most=pl.lit(["a:b"]))])
    rated = ratings(1.0, 2.0, 3.0, 4.0)
    both = pl.concat([rated, rated.with_columns(subcategory=pl.lit("2b"))])
    row = {"subcategory": "1a", "pairs": PAIRS, "shown": PAIRS, "sample": 1, "order": 1, "text": ""}
    mute = pl.DataFrame([row | {"least": "", "most": ""}], schema=REPLY_CHOICES)
    said = pl.DataFrame([row | {"least": "a:b", "most": "c:d"}], schema=REPLY_CHOICES)
    found = trials([both], people, asked, {"mute": mute, "c": said})
    columns = ["agent", "task", "relation", "relation_name", "condition", "item", "answer", "right"]
    question = ", ".join(PAIRS)
    assert found.select(columns).rows() == [
        ("m schema", "least", "1a", "Taxonomic", "CLASS", f"1a: {question}", "a:b", 1.0),
        ("m schema", "most", "1a", "Taxonomic", "CLASS", f"1a: {question}", "g:h", 1.0),
        ("m schema", "least", "2b", "Part", "training", f"2b: {question}", "a:b", 1.0),
        ("m schema", "most", "2b", "Part", "training", f"2b: {question}", "g:h", 0.0),
        ("c maxdiff", "least", "1a", "Taxonomic", "CLASS", f"1a: {question}", "a:b", 1.0),
        ("c maxdiff", "most", "1a", "Taxonomic", "CLASS", f"1a: {question}", "c:d", 0.0),
    ]
    assert set(found["study"]) == {"degrees"}
    assert set(found["counted"]) == {1}
    folder = tmp_path / "own_ratings"
    folder.mkdir()
    (folder / "own.csv").write_text(
        "relation,pair,rating,rater,note\n1a,a:b,7,bob,schön\n9z,a:b,1,bob,\n1a,c:d,1,ann,\n"
    )
    manifest = write_manifest(folder)
    own = trials([rated], people, asked.clear(), None, manifest, layout={"further": {"note": "note"}})
    people_said = (
        own.filter(agent="people").select("target", "respondent", "answer", "further", "counted", "task").rows()
    )
    assert people_said == [
        ("a:b", "person 2", "7.0", '{"note": "schön"}', 1, "rate"),
        ("c:d", "person 1", "1.0", '{"note": ""}', 1, "rate"),
    ]
    assert trials([rated], people, asked.clear(), None, manifest).is_empty()
    assert trials([rated], people, asked.clear(), None, None, layout={"further": {"note": "note"}}).is_empty()
