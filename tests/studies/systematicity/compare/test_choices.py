"""The choices of models that only chat: consistency, frequency and verification."""

import polars as pl
import pytest
from relprobe.studies.letters import absence
from relprobe.studies.systematicity.analyses.consistency import consistency
from relprobe.studies.systematicity.analyses.frequency import frequency
from relprobe.studies.systematicity.analyses.verification import VERIFICATION, verification
from relprobe.studies.systematicity.chat import choice_metrics
from relprobe.studies.systematicity.schemas import METRICS

from tests.studies.systematicity.ask.test_choices import CHOSEN, ITEM_TABLE, METRIC_TABLE


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
    for name in ("hits", "false_alarms"):
        assert found.select(pl.col(name).is_between(f"{name}_low", f"{name}_high")).to_series().all()
        assert (found[f"{name}_low"] < found[f"{name}_high"]).all()
    assert found["note"].null_count() == 2
    assert found.drop("note").null_count().row(0) == (0,) * (found.width - 1)


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
