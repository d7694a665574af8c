"""The steps of one agent: a model after each layer, and a control with the paradigms as they are printed."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from relprobe.sources.semeval2012 import read
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.degrees.agents import control_metrics, layer_metrics, model_metrics
from relprobe.studies.degrees.baselines import baseline
from relprobe.studies.degrees.method import WITHOUT, gold, questions, values
from relprobe.studies.degrees.schemas import GOLD, LAYER_METRICS, PROBES, QUESTIONS, SCORES


def test_the_values_after_each_layer_are_those_of_the_offsets_of_its_states():
    """After layer 0 the offsets follow people's order by their cosine with the paradigm's, after layer 3 its reverse."""
    names = ["k:l", "a:b", "c:d", "e:f"]
    text = {"text": "", "x_start": 0, "x_stop": 1, "y_start": 2, "y_stop": 3}
    probes = pl.DataFrame(
        [
            {
                "subcategory": "t0",
                "pair": pair,
                "paradigm": pair == "k:l",
                "analogy": "" if pair != "k:l" else None,
                **text,
            }
            for pair in names
        ],
        schema=PROBES,
    )
    people = pl.DataFrame(
        [
            ("t0", "CLASS", False, pair, None, rating, "")
            for pair, rating in zip(names[1:], (9.0, 5.0, 1.0), strict=True)
        ],
        schema=GOLD,
        orient="row",
    )
    asked = pl.DataFrame([("t0", names[1:], ["e:f"], ["a:b"], 5)], schema=QUESTIONS, orient="row")
    offsets = {0: [(1, 0), (1, 0), (1, 1), (0, 1)], 3: [(1, 0), (0, 1), (1, 1), (1, 0)]}

    def where(columns, *, layer):
        assert columns == ["probe_id", "values"]
        rows = [
            (f"t0 {pair}", [0.0, 0.0, *map(float, offset)]) for pair, offset in zip(names, offsets[layer], strict=True)
        ]
        return pl.DataFrame(rows, schema=SCORES, orient="row")

    table = layer_metrics(SimpleNamespace(layers=lambda: [*offsets], where=where), probes, people, asked)
    assert table.schema == LAYER_METRICS
    assert table.filter(~pl.col("metric").str.ends_with(WITHOUT)).drop("cluster").rows() == [
        (layer, "raw", metric, "CLASS", "t0", pytest.approx(value))
        for layer, layer_values in ((0, (1.0, 100.0)), (3, (-1.0, 0.0)))
        for metric, value in zip(("rho", "maxdiff"), layer_values, strict=True)
    ]


def test_the_scores_of_a_model_are_rated_by_each_of_its_raters_and_compared_with_people():
    """By log-probabilities a:b is before c:d, as for people, and by offsets behind it."""
    pairs = ["k:l", "a:b", "c:d", "e:f"]
    place = {"subcategory": "t0", "text": "", "x_start": 0, "x_stop": 1, "y_start": 2, "y_stop": 3}
    rows = [
        place | {"pair": pair, "paradigm": pair == "k:l", "analogy": None if pair == "k:l" else ""} for pair in pairs
    ]
    probes = pl.DataFrame(rows, schema=PROBES)
    ratings = zip(pairs[1:], (9.0, 5.0, 1.0), strict=True)
    people = [("t0", "CLASS", False, pair, None, rating, "") for pair, rating in ratings]
    asked = pl.DataFrame([("t0", pairs[1:], ["e:f"], ["a:b"], 5)], schema=QUESTIONS, orient="row")
    schema = {f"t0 {pair}": [value] for pair, value in zip(pairs[1:], (-1.0, -2.0, -3.0), strict=True)}
    hidden = {
        f"t0 {pair}": [0.0, 0.0, *offset]
        for pair, offset in zip(pairs, ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)), strict=True)
    }
    scores = [pl.DataFrame([*kind.items()], schema=SCORES, orient="row") for kind in (schema, hidden)]
    given = probes, pl.DataFrame(people, schema=GOLD, orient="row"), asked
    found = model_metrics(scores, *given, model="m", raters=["schema", "hidden"], seed=1)
    rho = dict(found.metrics.filter(metric="rho").select("agent", "value").iter_rows())
    assert rho == {"m schema": pytest.approx(1.0), "m hidden": pytest.approx(-1.0)}
    assert found.ratings["agent"].unique(maintain_order=True).to_list() == ["m schema", "m hidden"]
    assert set(found.by_agent["sensitivity"]["agent"]) == {"m schema", "m hidden"}


def test_a_control_is_rated_once_more_with_the_paradigms_as_they_are_printed(package):
    """For the table of choices; the printed paradigm is the pair seat:chair itself, so that its rating is another."""
    points = {"weapon": (0, 0), "knife": (1, 0), "vehicle": (0, 0), "car": (0, 1), "tool": (0, 0), "hammer": (3, 1)}
    points |= {"seat": (0, 0), "chair": (1, 3), "food": (0, 0), "apple": (1, 1), "fuel": (0, 0), "oil": (-1, 1)}
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, np.array([*points.values()], np.float32))
    (one,) = relations = read(package)
    printed = [replace(one, paradigms=("food:apple", "weapon:knife"))]
    given = relations, gold(relations), questions(relations), None, vectors
    found = control_metrics(*given, printed, agent="static", seed=1)
    assert found.ratings.equals(baseline(relations, vectors=vectors, agent="static", seed=1))
    assert found.metrics.equals(values(found.ratings, gold(relations), questions(relations)))
    choice = found.by_agent["sensitivity"].filter(choice="paradigm of 2b", metric="rho").row(0, named=True)
    other = values(baseline(printed, vectors=vectors, agent="static", seed=1), gold(relations), questions(relations))
    assert choice["other_value"] == pytest.approx(other.filter(metric="rho")["value"].item())
    assert choice["other_value"] != pytest.approx(choice["value"])
    without = control_metrics(*given, agent="static", seed=1).by_agent["sensitivity"]
    assert without.filter(choice="paradigm of 2b").is_empty()
