"""Judgments without a language model: cosines, frequencies, inclusion, and the strong typical control."""

import numpy as np
import polars as pl
import pytest
from relprobe.studies.pairs.baselines import (
    CONTROLS,
    baseline,
    clarke_degree,
    inverse_inclusion,
    typical_scores,
    weeds_precision,
)
from relprobe.studies.pairs.method import probes
from relprobe.studies.pairs.schemas import JUDGMENTS, KNOWN

from tests.studies.pairs.made import PROMPTS, ROBIN, VECTORS, article, items

ASKED = probes(ROBIN, PROMPTS, article)
NOTHING = pl.DataFrame(schema=KNOWN)


def scores(agent, **more):
    table = baseline(ROBIN, ASKED, NOTHING, VECTORS, agent=agent, language="en", **more)
    assert table.schema == JUDGMENTS
    both = table.filter(prompt="kind"), table.filter(prompt="is")
    assert both[0].drop("prompt").equals(both[1].drop("prompt"))  # the same in each prompt
    return {(first, second): score for first, second, score in both[0].select("first", "second", "score").iter_rows()}


def test_cosines_frequencies_and_yes():
    found = scores("static")
    assert found["robin", "bird"] == pytest.approx(1 / np.sqrt(2))
    assert found["bird", "robin"] == found["robin", "bird"]
    assert found["robin", "wug"] is None  # no vector
    assert (
        scores("frequency")["robin", "bird"]
        == scores("frequency")["robin", "bird"]
        > scores("frequency")["bird", "robin"]
    )
    assert set(scores("yes").values()) == {1.0}
    assert set(baseline(ROBIN, ASKED, NOTHING, None, agent="yes", language="en")["probability"]) == {1.0}


def test_inclusion_by_hand():
    narrow, broad = np.array([4.0, 1, 0]), np.array([2.0, 0, 6])
    assert weeds_precision(narrow, broad) == pytest.approx(4 / 5)
    assert clarke_degree(narrow, broad) == pytest.approx(2 / 5)
    assert inverse_inclusion(narrow, broad) == pytest.approx(np.sqrt(2 / 5 * (1 - 2 / 8)))
    found = baseline(ROBIN, ASKED, NOTHING, VECTORS, agent="inclusion", language="en", measures=["weeds", "invcl"])
    assert set(found["agent"]) == {"inclusion weeds", "inclusion invcl"}
    of_weeds = found.filter(agent="inclusion weeds", prompt="kind", second="bird")["score"].item()
    assert of_weeds == 1.0  # all that the robin has, bird has


def birds_and_fish(number=12):
    """Targets of two kinds near to each other, each with its category, the other one, and a word that is near to all."""
    draws, rows, places, matrix = np.random.default_rng(1), [], {}, []
    for place in range(number):
        for kind, other, centre in (("bird", "fish", 0), ("fish", "bird", 1)):
            name = f"{kind}{place}"
            rows += [(name, name, kind, "right"), (name, name, other, "other target"), (name, name, "thing", "random")]
            places[name] = len(matrix)
            matrix.append(np.eye(3)[centre] + 0.1 * draws.normal(size=3))
    for word in ("bird", "fish", "thing"):
        places[word] = len(matrix)
        matrix.append(np.ones(3))  # no nearer to one kind than to the other
    vectors = type(VECTORS)(places, np.array(matrix, np.float32))
    return items(*rows), vectors


def test_the_typical_control_knows_the_relata_of_near_words_and_never_those_of_the_target():
    table, vectors = birds_and_fish()
    found = typical_scores(table, NOTHING, vectors)
    right = [found["HYP", f"{kind}{place}", kind] for place in range(12) for kind in ("bird", "fish")]
    wrong = [
        found["HYP", f"{kind}{place}", other]
        for place in range(12)
        for kind, other in (("bird", "fish"), ("fish", "bird"))
    ]
    assert all(one > other for one, other in zip(right, wrong, strict=True))
    # A label of its own target changes nothing of what it says about it.
    turned = table.with_columns(
        label=pl.when(pl.col("target") == "bird0").then(pl.col("second") == "thing").otherwise("label")
    )
    other = typical_scores(turned, NOTHING, vectors)
    own = [("HYP", "bird0", word) for word in ("bird", "fish", "thing")]
    assert [found[pair] for pair in own] == [other[pair] for pair in own]


def test_the_typical_control_reads_what_the_resource_knows_and_needs_no_vectors():
    known = pl.DataFrame([("HYP", f"w{number}", "bird") for number in range(9)], schema=KNOWN, orient="row")
    found = typical_scores(ROBIN, known, None)
    assert found["HYP", "robin", "bird"] > found["HYP", "robin", "fish"] == found["HYP", "robin", "wug"]
    own = pl.DataFrame([("HYP", "robin", "fish")], schema=KNOWN, orient="row")
    assert (
        typical_scores(ROBIN, own, None)["HYP", "robin", "fish"]
        == typical_scores(ROBIN, NOTHING, None)["HYP", "robin", "fish"]
    )


def test_all_controls_judge_all_pairs():
    for agent in CONTROLS:
        assert len(scores(agent)) == 4
