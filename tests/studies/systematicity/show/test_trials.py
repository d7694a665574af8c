"""The trials of the systematicity study."""

from math import exp

import polars as pl
import pytest
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.agents import metrics
from relprobe.studies.systematicity.schemas import DETECTIONS, METRICS, PROBES, REPLY_CHOICES, SCORES
from relprobe.studies.systematicity.trials import Files, _classified, _ranked
from relprobe.studies.systematicity.trials import trials as trials_of

ITEM_ROWS = pl.DataFrame(
    [{"set": "s", "hyponym": "robin", "category": "bird", "category_plural": "birds", "hyponym_plural": "robins"}],
    schema=ITEMS,
)


def trials(probes, item_table, values, scores=None, *, detections=None, reply_choices=None, **settings):
    """The trials of a run with these files."""
    files = {"scores": scores, "detections": detections, "reply_choices": reply_choices}
    return trials_of(Files(probes=probes, item_table=item_table, values=values, **files), **settings)


def probe(name, kind, prompt="paper", main=True):
    about = {"probe_id": name, "set": "s", "kind": kind, "prompt": prompt, "main": main, "hyponym": "robin"}
    return about | {"word": "robin", "text": "A robin is a [V].", "candidates": ["bird", "fish"], "texts": []}


PROBE_ROWS = pl.DataFrame(
    [
        probe("s:singular:robin", "singular"),
        probe("s:singular:robin:the", "singular", "the", main=False),
        probe("s:control_singular:robin", "control_singular", ""),
    ],
    schema=PROBES,
)


def score(probe_id, method, words, scores):
    return {"probe_id": probe_id, "method": method, "words": words, "scores": scores, "tokens": [], "unknown": []}


MODEL_SCORES = pl.DataFrame(
    [
        score("s:singular:robin", "slot", ["bird", "fish"], [-2.0, -1.0]),
        score("s:singular:robin", "open", ["worm", "bird"], [-0.5, -2.0]),
        score("s:singular:robin:the", "slot", ["bird", "fish"], [-1.0, -1.0]),
        score("s:control_singular:robin", "slot", ["bird", "fish"], [-1.0, -3.0]),
    ],
    schema=SCORES,
)


def test_sentences_and_controls_with_their_probabilities():
    found = trials(PROBE_ROWS, ITEM_ROWS, {}, {"m": MODEL_SCORES}, controls=["m+control"])
    columns = ["agent", "task", "item", "answer", "right", "rank", "candidates", "counted"]
    assert sorted(found.select(columns).rows()) == [
        ("m", "open", "open:s:singular:robin", "worm", 0.0, 2, None, 1),
        ("m", "singular", "singular:s:singular:robin", "fish", 0.0, 2, 2, 1),
        ("m", "singular", "singular:s:singular:robin:the", None, 0.5, 1, 2, 0),
        ("m+control", "singular", "singular:s:singular:robin", "bird", 1.0, 1, 2, 1),
    ]
    assert set(found["prompt_text"]) == {"A – is a …."}
    row = found.row(by_predicate=pl.col("task") == "open", named=True)
    assert (row["probability"], row["right_probability"]) == pytest.approx((exp(-0.5), exp(-2)))
    assert set(found["cluster"]) == {"bird"}
    assert trials(PROBE_ROWS, ITEM_ROWS, {}, {"v": MODEL_SCORES}, vectors=["v"])["probability"].null_count() == 3


def test_right_is_the_value_of_the_metric():
    values = metrics(MODEL_SCORES, PROBE_ROWS, ITEM_ROWS)
    found = trials(PROBE_ROWS, ITEM_ROWS, {}, {"m": MODEL_SCORES}).filter(counted=1)
    for task, metric in (("open", "open@1"), ("singular", "singular")):
        assert found.filter(task=task)["right"].to_list() == values.filter(metric=metric)["value"].to_list()


def test_a_classifier_decides_by_one_half():
    about = {"setting": "seen", "fold": 1, "input": "full", "hyponym": "robin", "category": "bird"}
    rows = [
        about | {"hypernym": hypernym, "label": label, "seed": seed, "p": p}
        for hypernym, label, seed, p in (("bird", 1, 1, 0.75), ("fish", 0, 1, 0.75), ("fish", 0, 2, 0.5))
    ]
    found = trials(PROBE_ROWS, ITEM_ROWS, {}, detections={"m": pl.DataFrame(rows, schema=DETECTIONS)})
    columns = ["task", "item", "respondent", "answer", "right", "probability", "right_probability"]
    assert found.select(columns).rows() == [
        ("detection", "1:robin:bird", "seed 1", "yes", 1.0, 0.75, 0.75),
        ("detection", "1:robin:fish", "seed 1", "yes", 0.0, 0.75, 0.25),
        ("detection", "1:robin:fish", "seed 2", None, 0.5, 0.5, 0.5),
    ]


def test_who_takes_peoples_task_has_a_trial_for_each_reply_and_the_majority_its_values():
    row = {"question": "q", "task": "complete", "set": "s", "hyponym": "robin", "kind": "singular", "category": "bird"}
    replies = [
        row | {"shown": ["bird", "fish"], "order": 1, "sample": n, "choice": "bird", "right": True} for n in (1, 2)
    ]
    values = pl.DataFrame([("singular", "s", "robin", "bird", 0.5), ("detection", "seen", "1:robin:fish", "bird", 1.0)],
                          schema=METRICS, orient="row")  # fmt: skip
    found = trials(
        PROBE_ROWS, ITEM_ROWS, {"majority": values}, reply_choices={"c": pl.DataFrame(replies, schema=REPLY_CHOICES)}
    )
    assert found.select("agent", "task", "target", "item", "respondent", "right").rows() == [
        ("majority", "singular", "robin", "singular:s:singular:robin", None, 0.5),
        ("majority", "detection", "robin", "1:robin:fish", None, 1.0),
        ("c", "complete singular", "robin", "q", "order 1, sample 1", 1.0),
        ("c", "complete singular", "robin", "q", "order 1, sample 2", 1.0),
    ]


def test_the_answer_is_the_best_word_alone_and_the_rank_counts_the_better_ones():
    """Equal words are no answer, and a right word that is not there has no rank."""
    rows = pl.DataFrame(
        [
            (0, "bird", ["fish", "bird", "tree"], [-1.0, -2.0, -3.0]),
            (1, "bird", ["bird", "fish", "tree"], [-1.0, -1.0, -3.0]),
            (2, "bird", ["tree", "fish"], [-2.0, -1.0]),
            (3, "tree", ["fish", "bird", "tree"], [-1.0, -2.0, -2.0]),
        ],
        schema=["row", "gold", "words", "scores"],
        orient="row",
    )
    found = _ranked(rows, shares=True).sort("row")
    assert found["answer"].to_list() == ["fish", None, "fish", "fish"]
    assert found["rank"].to_list() == [2, 1, None, 2]
    assert found["probability"].to_list() == [exp(-1)] * 4
    assert found["right_probability"].to_list() == [exp(-2), exp(-1), None, exp(-2)]
    without = _ranked(rows, shares=False).sort("row")
    assert without.select("answer", "rank").equals(found.select("answer", "rank"))
    assert without["probability"].is_null().all()
    assert without["right_probability"].is_null().all()


def test_a_classifier_says_yes_above_one_half_and_no_below_it():
    rows = [(0.75, 1), (0.25, 1), (0.5, 1), (0.25, 0), (0.75, 0)]
    about = {"setting": "seen", "fold": 0, "seed": 3, "input": "full", "hyponym": "robin", "hypernym": "bird"}
    table = pl.DataFrame([{**about, "p": p, "label": label} for p, label in rows], schema=DETECTIONS)
    found = _classified(table, "m")
    assert found["answer"].to_list() == ["yes", "no", None, "no", "yes"]
    assert found["right"].to_list() == [1.0, 0.0, 0.5, 1.0, 0.0]
    assert found["probability"].to_list() == [0.75, 0.75, 0.5, 0.75, 0.75]
    assert found["right_probability"].to_list() == [0.75, 0.25, 0.5, 0.75, 0.25]
    assert found["respondent"].unique().to_list() == ["seed 3"]
    assert found["candidates"].unique().to_list() == [2]
