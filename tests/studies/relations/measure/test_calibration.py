"""Responses divided by the prior of their prompt."""

import math

import numpy as np
import polars as pl
import pytest
from relprobe.studies.relations.answer_spaces import LEFT_OUT, Ranking, choose
from relprobe.studies.relations.calibration import by_premise, by_prior
from relprobe.studies.relations.schemas import RESPONSES

PROBES = pl.DataFrame(
    {
        "probe_id": ["ant1:hot", "ant1:big", "ant1:wet", "ant2:hot"],
        "prompt_id": ["ant1", "ant1", "ant1", "ant2"],
    }
)


def responses(**lists):
    """Responses of probes written as ant1_hot={word: weight}."""
    columns = {
        "probe_id": [name.replace("_", ":") for name in lists],
        "words": [list(words) for words in lists.values()],
        "weights": [list(words.values()) for words in lists.values()],
    }
    return pl.DataFrame(columns, schema_overrides={"words": pl.List(pl.Categorical), "weights": pl.List(pl.Float32)})


def ranked(table, probe):
    row = table.row(by_predicate=pl.col("probe_id") == probe, named=True)
    return dict(zip(row["words"], row["weights"], strict=True))


def test_a_word_that_is_likely_after_any_target_loses_its_rank():
    table = by_prior(
        responses(
            ant1_hot={"it": 0.5, "cold": 0.4, "ice": 0.1},
            ant1_big={"it": 0.5, "small": 0.3, "cold": 0.2},
            ant1_wet={"it": 0.5, "dry": 0.3, "cold": 0.3},
        ),
        PROBES,
    )
    # cold is 0.4, 0.2 and 0.3: on average 0.3. small is 0.3 once; the other lists end with 0.1 and 0.3: 0.7 / 3.
    assert list(ranked(table, "ant1:hot")) == ["cold", "it", "ice"]
    assert ranked(table, "ant1:hot") == pytest.approx({"cold": 4 / 3, "it": 1.0, "ice": 0.1 / (0.6 / 3)})
    assert ranked(table, "ant1:big") == pytest.approx({"small": 0.3 / (0.7 / 3), "it": 1.0, "cold": 2 / 3})
    assert table.schema == RESPONSES


def test_each_prompt_has_its_own_prior():
    table = by_prior(responses(ant1_hot={"it": 0.5, "cold": 0.4}, ant2_hot={"cold": 0.9, "it": 0.1}), PROBES)
    assert ranked(table, "ant2:hot") == pytest.approx({"cold": 1.0, "it": 1.0})
    assert list(ranked(table, "ant2:hot")) == ["cold", "it"]  # of equal ratios the likelier comes first


def test_a_list_without_words_stays_empty():
    table = by_prior(responses(ant1_hot={"cold": 0.4}, ant1_big={}, ant1_wet={"cold": 0.2}), PROBES)
    assert ranked(table, "ant1:big") == {}
    assert ranked(table, "ant1:hot") == pytest.approx({"cold": 0.4 / (0.6 / 3)})


def test_the_prior_of_a_candidate_is_over_the_probes_whose_list_has_it():
    lists = responses(ant1_hot={"it": 0.5, "cold": 0.4}, ant1_big={"it": 0.3, "small": 0.2}, ant1_wet={"dry": 0.8})
    ranking = Ranking(lists, pl.DataFrame(schema=LEFT_OUT))
    for space, prior in (("candidates", 0.4), ("lexicon", (0.5 + 0.3 + 0.8) / 3)):  # the list of wet ends with 0.8
        chosen, _ = choose({space: ranking}, space, "prior", PROBES)
        assert ranked(chosen.responses, "ant1:hot")["it"] == pytest.approx(0.5 / prior)


def test_a_candidate_without_weight_in_any_list_comes_last():
    lists = responses(ant1_hot={"it": 0.5, "ice": 0.0}, ant1_big={"it": 0.25, "ice": 0.0})
    assert ranked(by_prior(lists, PROBES, closed=True), "ant1:hot") == pytest.approx({"it": 0.5 / 0.375, "ice": 0.0})


def test_a_word_that_the_premise_all_but_excludes_has_a_weight_that_a_number_can_hold():
    """The weight is the ratio up to e to the 80th; of two that are beyond it, the likelier word comes first."""
    lists = responses(ant1_hot={"it": 0.5, "cold": 0.4, "ice": 0.3, "a": 0.2, "the": 0.1})
    table = by_premise(lists, np.array([1.0, 81.0, 500.0, np.nan, 79.0]))
    assert list(ranked(table, "ant1:hot")) == ["cold", "ice", "the", "it", "a"]
    weights = [math.exp(80), math.exp(80), math.exp(79), math.e, 0.0]
    assert list(ranked(table, "ant1:hot").values()) == pytest.approx(weights)
