"""The choices of agents with people's task, in the metrics of the study, with values worked out by hand."""

import polars as pl
import pytest
from relprobe.studies.letters import absence
from relprobe.studies.systematicity.compare.consistency import consistency
from relprobe.studies.systematicity.compare.frequency import frequency
from relprobe.studies.systematicity.compare.verification import VERIFICATION, verification
from relprobe.studies.systematicity.measure.participants import choice_metrics
from relprobe.studies.systematicity.schemas import CHOICES, ITEMS, METRICS
from relprobe.studies.systematicity.show.answers_page import chosen

ROWS = [
    ("own", "robin", "bird", "robins", "birds", None, None, "The robin sang ."),
    ("own", "trout", "fish", "trout", "fish", None, None, None),
]
ITEM_TABLE = pl.DataFrame(ROWS, schema=ITEMS, orient="row")
OPTIONS = {"complete": ["bird", "fish", "tool", "building"], "verify": ["yes", "no"]}


def rows(task, hyponym, kind, *choices, right, foil=False):
    """Choices of a question, one per order."""
    about = {"task": task, "set": "own", "hyponym": hyponym, "kind": kind, "foil": foil, "sample": 1, "text": ""}
    about |= {"question": f"{task} {hyponym} {kind} {foil}", "category": "", "shown": OPTIONS[task]}
    return [
        {**about, "order": order, "choice": choice, "right": choice == right} for order, choice in enumerate(choices, 1)
    ]


def table(*parts):
    return pl.DataFrame([row for part in parts for row in part], schema=CHOICES)


CHOSEN = table(
    rows("complete", "robin", "singular", "bird", "bird", "bird", "fish", right="bird"),
    rows("complete", "robin", "plural", "birds", "birds", "fish", "birds", right="birds"),
    rows("complete", "robin", "contextual", "bird", "tool", "bird", "bird", right="bird"),
    rows("complete", "trout", "singular", "fish", "tool", "tool", "bird", right="fish"),
    rows("complete", "trout", "plural", "birds", "fish", "fish", "fish", right="fish"),
    rows("verify", "robin", "singular", "yes", "yes", right="yes"),
    rows("verify", "robin", "singular", "no", "yes", right="no", foil=True),
    rows("verify", "robin", "plural", "yes", "yes", right="yes"),
    rows("verify", "robin", "plural", "yes", "yes", right="no", foil=True),
    rows("verify", "trout", "singular", "no", "", right="yes"),
    rows("verify", "trout", "singular", "no", "no", right="no", foil=True),
    rows("verify", "trout", "plural", "yes", "yes", right="yes"),
    rows("verify", "trout", "plural", "no", "no", right="no", foil=True),
)
METRIC_TABLE = choice_metrics(CHOSEN, ITEM_TABLE)


def test_values_are_shares_of_answers_and_pairs_are_right_in_one_order():
    assert METRIC_TABLE.schema == METRICS
    values = {(metric, unit): value for metric, unit, value in METRIC_TABLE.select("metric", "unit", "value").rows()}
    assert values == {
        ("singular", "robin"): 3 / 4,
        ("plural", "robin"): 3 / 4,
        ("contextual", "robin"): 3 / 4,
        ("singular_plural", "robin"): 2 / 4,  # orders 1 and 2
        ("aggregate", "robin"): 1 / 4,  # order 1, as 2 is wrong in context
        ("singular", "trout"): 1 / 4,
        ("plural", "trout"): 3 / 4,
        ("singular_plural", "trout"): 0,  # it has no sentence, and so no aggregate
        ("verified_singular", "robin"): 1 / 2,
        ("verified_plural", "robin"): 0,
        ("verified_singular", "trout"): 0,
        ("verified_plural", "trout"): 1,
    }
    assert set(METRIC_TABLE.select("condition", "unit", "cluster").rows()) == {
        ("own", "robin", "bird"),
        ("own", "trout", "fish"),
    }


def test_consistency_counts_answers_in_one_order():
    row = consistency({"m": METRIC_TABLE}).row(0, named=True)
    # Of 8 pairs of answers 2 are right in both numbers, 2 in the singular alone, 4 in the plural alone, and none in neither.
    cells = [row[name] for name in ("both", "singular_only", "plural_only", "neither")]
    assert cells == pytest.approx([2 / 8, 2 / 8, 4 / 8, 0])
    # (2 · 0 - 2 · 4) over the root of the margins 4, 4, 6 and 2
    assert row["phi"] == pytest.approx(-8 / (4 * 4 * 6 * 2) ** 0.5)
    assert (row["right_singulars"], row["plural_if_singular"]) == (
        1,
        pytest.approx(2 / 4),
    )  # robin in most of its answers


def test_a_hyponym_is_recognised_if_most_of_its_answers_are_right():
    counts = frequency({"m": METRIC_TABLE}, [], "raw").select("metric", "recognised", "unrecognised").rows()
    assert counts == [("singular", 1, 1), ("plural", 2, 0)]


def test_hits_false_alarms_and_the_share_of_both_rightly():
    found = verification({"chatty": CHOSEN}, {"chatty": METRIC_TABLE}, ITEM_TABLE)
    assert found.schema == VERIFICATION
    columns = "number", "hyponyms", "hits", "false_alarms", "verified"
    assert found.select(columns).rows() == [
        ("singular", 2, 1 / 2, 1 / 4, 1 / 4),
        ("plural", 2, 1, 1 / 2, 1 / 2),
    ]
    assert (found["verified_low"] < found["verified"]).all()
    assert (found["verified_high"] > found["verified"]).all()


def test_who_always_says_the_same_has_verified_nothing():
    for word, hits in (("yes", 1), ("no", 0)):
        said = CHOSEN.with_columns(choice=pl.when(task="verify").then(pl.lit(word)).otherwise("choice"))
        right = (pl.col("choice") == "yes") != pl.col("foil")
        said = said.with_columns(right=pl.when(task="verify").then(right).otherwise("right"))
        metrics = choice_metrics(said, ITEM_TABLE)
        found = verification({"m": said}, {"m": metrics}, ITEM_TABLE)
        assert set(found.select("hits", "false_alarms", "verified").rows()) == {(hits, hits, 0)}


def test_an_agent_that_names_no_options_has_no_value_but_a_reason():
    mute = CHOSEN.with_columns(choice=pl.when(pl.col("order") > 1).then(pl.lit("")).otherwise("choice"))
    assert choice_metrics(mute, ITEM_TABLE).is_empty()
    found = verification({"mute": mute}, {"mute": pl.DataFrame(schema=METRICS)}, ITEM_TABLE)
    assert found.select("set", "number", "hyponyms", "note").rows() == [
        ("own", number, None, absence(mute.filter(task="verify"))) for number in ("singular", "plural")
    ]
    both = verification({"mute": mute, "m": CHOSEN}, {"m": METRIC_TABLE}, ITEM_TABLE)
    assert both["agent"].to_list() == ["mute", "mute", "m", "m"]


@pytest.mark.parametrize(("task", "other"), [("complete", "verify"), ("verify", "complete")])
def test_a_task_that_cannot_be_read_leaves_the_other_task_its_values(task, other):
    mute = CHOSEN.with_columns(choice=pl.when(task=task).then(pl.lit("")).otherwise("choice"))
    table = choice_metrics(mute, ITEM_TABLE)
    verified = pl.col("metric").str.starts_with("verified")
    assert table.rows() == METRIC_TABLE.filter(verified if other == "verify" else ~verified).rows()
    checked = verification({"m": mute}, {"m": table}, ITEM_TABLE)
    assert checked["verified"].null_count() == (2 if task == "verify" else 0)
    assert checked["note"].str.starts_with("no value, as 100 %").sum() == (2 if task == "verify" else 0)


def test_the_answers_page_has_the_shares_of_the_chosen_categories():
    names = [("own", kind, "robin", f"own:{kind}:robin", True) for kind in ("singular", "plural", "contextual")]
    probes = pl.DataFrame(names, schema=["set", "kind", "hyponym", "probe_id", "main"], orient="row")
    mumbled = CHOSEN.with_columns(
        choice=pl.when(pl.col("kind") == "contextual", pl.col("order") == 2).then(pl.lit("")).otherwise("choice")
    )
    assert chosen(mumbled, probes).rows() == [
        ("own:contextual:robin", 1, "bird", 0.75),
        ("own:plural:robin", 1, "birds", 0.75),
        ("own:plural:robin", 2, "fish", 0.25),
        ("own:singular:robin", 1, "bird", 0.75),
        ("own:singular:robin", 2, "fish", 0.25),
    ]
