"""Tables 6, 7, 8, D2 and D3, worked out by hand on tiny results."""

import polars as pl
import pytest
from relprobe.studies.relations.analyses.sizes import (
    BEST_BY_TYPE,
    SIZE_AVERAGES,
    SIZE_DIFFERENCES,
    SIZE_REVERSALS,
    WINS_BY_TYPE,
    best_by_type,
    families,
    size_averages,
    size_differences,
    size_reversals,
    wins_by_type,
)
from relprobe.studies.relations.averages import averages_of as average
from relprobe.studies.relations.measures import RECIPROCITY
from relprobe.studies.relations.schemas import AVERAGES, METRICS, TESTS

from tests.studies.relations.compare.test_analyses import paired_tests
from tests.studies.relations.six import SIX

MODELS = {
    "b-large": {"type": "masked", "family": "B", "size": 3e8},
    "b-base": {"type": "masked", "family": "B", "size": 1e8},
    "o-small": {"type": "causal", "family": "O", "size": 1e8},
    "o-mid": {"type": "causal", "family": "O", "size": 1e9},
    "o-big": {"type": "causal", "family": "O", "size": 1e10},
}


def results_of(*rows):
    """Return TESTS from (metric, relation, k, agent_a, agent_b, value_a, value_b, p).

    p_holm is 10 p, p_bh is 5 p, and the paper's p is p / 2.
    """
    return pl.DataFrame(
        [
            {
                "metric": metric,
                "relation": relation,
                "k": k,
                "agent_a": a,
                "agent_b": b,
                "units": 8,
                "value_a": value_a,
                "value_b": value_b,
                "difference": value_a - value_b,
                "low": value_a - value_b - 0.125,
                "high": value_a - value_b + 0.25,
                "p": p,
                "p_holm": None if p is None else min(10 * p, 1),
                "p_bh": None if p is None else min(5 * p, 1),
                "paper_test": "McNemar",
                "paper_effect": None if metric == "audc" else value_a - value_b,
                "paper_p": None if p is None or metric == "audc" else p / 2,
                "paper_p_holm": None if p is None or metric == "audc" else min(5 * p, 1),
                "note": "no unit in common" if p is None else None,
            }
            for metric, relation, k, a, b, value_a, value_b, p in rows
        ],
        schema=TESTS,
    )


def averages_of(*rows):
    """Return AVERAGES from (agent, metric, relation, value)."""
    table = pl.DataFrame(rows, schema=["agent", "metric", "relation", "value"], orient="row")
    return pl.concat([pl.DataFrame(schema=AVERAGES), table.cast({"relation": pl.String})], how="diagonal")


def metrics_of(rows):
    """Return METRICS from (metric, relation, target, prompt, relatum, k, value)."""
    names = ["metric", "relation", "target", "prompt_id", "relatum", "k", "value"]
    table = pl.DataFrame(rows, schema={name: METRICS[name] for name in names}, orient="row")
    table = table.with_columns(cluster=pl.when(metric="symmetry").then("target"))
    return pl.concat([pl.DataFrame(schema=METRICS), table], how="diagonal")


PAPERS = ("soundness", "completeness", RECIPROCITY, "prototypicality", "audc")
"""The metrics of the paper; docs/adding.md adds another."""


def paper_sentences(sentences):
    return [sentence for sentence in sentences if sentence.startswith(PAPERS)]


ANSWERED = averages_of(*((agent, "soundness", "HYP", 0.5) for agent in MODELS))


def named(**entries):
    """Return model entries named after their agents, from (family, size) or less."""
    return {
        agent: {"type": "masked", **dict(zip(("family", "size"), entry, strict=False))}
        for agent, entry in entries.items()
    }


def test_families_are_ordered_by_size_and_then_as_in_the_config():
    models = named(c=("F", 3), a=("F", 1), b=("F", 3), d=("G", 2), e=("G", 1))
    assert families(models, set(models)).table.rows() == [
        ("F", "a", 1.0),
        ("F", "c", 3.0),
        ("F", "b", 3.0),
        ("G", "e", 1.0),
        ("G", "d", 2.0),
    ]


def test_families_say_what_they_leave_out():
    models = named(
        a=("F", 1), b=("F", 2), nosize=("F",), bare=(), alone=("G", 1), x=("H", 5), y=("H", 5), gone=("F", 3)
    )
    found = families(models, set(models) - {"gone"})
    assert found.table["agent"].to_list() == ["a", "b"]
    assert found.left_out == [
        "nosize has no size in the config: its size is not compared.",
        "bare has no family and no size in the config: its size is not compared.",
        "gone has no results.",
        "The family G is left out: it has no two models of different size.",
        "The family H is left out: it has no two models of different size.",
    ]


def test_table_d2_is_the_largest_minus_the_smallest_however_the_test_names_them():
    results = results_of(
        ("soundness", "ANT", None, "b-large", "b-base", 0.5, 0.25, 0.01),
        ("soundness", "ANT", None, "o-small", "o-big", 0.5, 0.375, 0.2),
        ("soundness", "ANT", None, "o-mid", "o-big", 0.9, 0.375, 0.2),
        ("symmetry", "ANT", 5, "b-large", "b-base", 0.75, 0.5, 0.04),
        ("symmetry", "ANT", 1, "b-large", "b-base", 0.0, 1.0, 0.04),
        ("asymmetry", "HYP", 5, "b-large", "b-base", 0.0, 0.0, None),
        ("soundness", "ANT", None, "humans", "b-base", 0.9, 0.25, 0.001),
        ("audc", None, None, "b-base", "b-large", 8.0, 9.5, 0.03),
    )
    found = size_differences(ANSWERED, results, MODELS, relations=SIX)
    assert found.table.schema == SIZE_DIFFERENCES
    columns = [
        "family",
        "metric",
        "relation",
        "larger",
        "smaller",
        "difference",
        "low",
        "high",
        "paper_effect",
        "significant",
    ]
    assert found.table.select(columns).rows() == [
        ("B", "soundness", "ANT", "b-large", "b-base", 0.25, 0.125, 0.5, 0.25, True),
        ("O", "soundness", "ANT", "o-big", "o-small", -0.125, -0.375, 0.0, -0.125, False),
        ("B", RECIPROCITY, "HYP", "b-large", "b-base", 0.0, -0.125, 0.25, 0.0, None),
        ("B", RECIPROCITY, "ANT", "b-large", "b-base", 0.25, 0.125, 0.5, 0.25, True),
        ("B", "audc", None, "b-large", "b-base", 1.5, 1.25, 1.625, None, True),
    ]
    assert found.table["note"].to_list() == [None, None, "no unit in common", None, None]
    assert paper_sentences(found.left_out) == [
        "completeness is left out for B and O: no two models to compare have it.",
        f"{RECIPROCITY} (k = 5) is left out for O: no two models to compare have it.",
        "prototypicality is left out for B and O: no two models to compare have it.",
        "audc is left out for O: no two models to compare have it.",
    ]


def test_the_papers_tests_decide_if_asked_to():
    results = results_of(("soundness", "ANT", None, "b-large", "b-base", 0.5, 0.25, 0.06))
    ours, papers = (
        size_differences(ANSWERED, results, MODELS, inference=how, relations=SIX).table for how in ("linked", "paper")
    )
    assert (ours["significant"].item(), papers["significant"].item()) == (False, True)


SMALL = [
    ("soundness", "HYP", "a", "p", None, None, 0.0),
    ("soundness", "HYP", "a", "q", None, None, 0.0),
    ("soundness", "HYP", "b", "p", None, None, 0.0),
    ("soundness", "HYP", "b", "q", None, None, 1.0),
    ("soundness", "ANT", "c", "p", None, None, 0.0),
    ("soundness", "ANT", "gone", "p", None, None, 1.0),  # the large model has no such unit
    ("symmetry", "ANT", "c", "p", "d", 5, 0.0),
    ("symmetry", "ANT", "c", "p", "d", 1, 1.0),
    ("asymmetry", "HYP", "a", "p", "e", 5, 1.0),
    ("asymmetry", "HYP", "a", "p", "f", 5, 1.0),
]
LARGE = [
    ("soundness", "HYP", "a", "p", None, None, 1.0),
    ("soundness", "HYP", "a", "q", None, None, 0.0),
    ("soundness", "HYP", "b", "p", None, None, 0.0),
    ("soundness", "HYP", "b", "q", None, None, 1.0),
    ("soundness", "ANT", "c", "p", None, None, 1.0),
    ("symmetry", "ANT", "c", "p", "d", 5, 1.0),
    ("symmetry", "ANT", "c", "p", "d", 1, 1.0),
    ("asymmetry", "HYP", "a", "p", "e", 5, 0.0),
    ("asymmetry", "HYP", "a", "p", "f", 5, 1.0),
]


def test_table_6_averages_over_relations_and_over_targets():
    values = {"small": metrics_of(SMALL), "large": metrics_of(LARGE), "humans": metrics_of(SMALL)}
    models = named(large=("F", 2), small=("F", 1))
    areas = averages_of(("small", "audc", None, 1.0), ("large", "audc", None, 3.5))
    results = results_of(("audc", None, None, "small", "large", 1.0, 3.5, 0.01))
    found = size_averages(values, areas, results, models, relations=SIX)
    assert found.table.schema == SIZE_AVERAGES
    assert found.table.drop("family", "larger", "smaller").rows() == [
        # HYP: targets 1/2 and 0, so 1/4; ANT: 1. The target without a partner does not count.
        ("soundness", "macro", 2, 3, pytest.approx((1 / 4 + 1) / 2)),
        ("soundness", "micro", 2, 3, pytest.approx((1 / 2 + 0 + 1) / 3)),
        # HYP: tuples -1 and 0; ANT: 1
        (RECIPROCITY, "macro", 2, 3, pytest.approx((-1 / 2 + 1) / 2)),
        (RECIPROCITY, "micro", 2, 3, pytest.approx((-1 + 0 + 1) / 3)),
        ("audc", None, None, None, 2.5),
    ]
    assert set(found.table.select("family", "larger", "smaller").rows()) == {("F", "large", "small")}


def test_table_6_takes_symmetry_at_the_k_asked_for():
    values = {"small": metrics_of(SMALL), "large": metrics_of(LARGE)}
    found = size_averages(
        values, average(values, relations=SIX), results_of(), named(large=("F", 2), small=("F", 1)), k=1, relations=SIX
    )
    assert found.table.filter(metric=RECIPROCITY)["difference"].to_list() == [0.0, 0.0]


def test_table_d3_counts_smaller_models_that_significantly_outperform_the_next_larger():
    results = results_of(
        ("soundness", "HYP", None, "o-mid", "o-small", 0.2, 0.4, 0.001),  # o-small wins, after Holm too
        ("soundness", "HYP", None, "o-mid", "o-big", 0.2, 0.1, 0.04),  # o-mid wins, not after Holm
        ("soundness", "HYP", None, "o-small", "o-big", 0.9, 0.1, 0.001),  # no neighbours
        ("soundness", "HYP", None, "b-large", "b-base", 0.9, 0.1, 0.001),  # the larger one wins
        ("soundness", "ANT", None, "o-mid", "o-small", 0.2, 0.4, 0.06),
        ("soundness", "ANT", None, "o-mid", "o-big", 0.2, 0.1, None),
    )
    found = size_reversals(ANSWERED, results, MODELS, relations=SIX)
    assert found.table.schema == SIZE_REVERSALS
    assert found.table.drop("metric", "k").rows() == [
        ("B", 2, "HYP", 1, 0, 0, 0, 0, 0),
        ("O", 3, "HYP", 2, 0, 2, 1, 1, 2),
        ("O", 3, "ANT", 2, 1, 0, 0, 0, 1),  # p = 0.06, and 0.03 in the paper's way
    ]
    assert paper_sentences(found.left_out) == [
        "completeness is left out for B and O: no two models to compare have it.",
        f"{RECIPROCITY} (k = 5) is left out for B and O: no two models to compare have it.",
        "prototypicality is left out for B and O: no two models to compare have it.",
        "audc is left out for B and O: no two models to compare have it.",
    ]


def test_models_of_one_size_are_no_neighbours():
    models = named(cased=("F", 1), uncased=("F", 1), large=("F", 2))
    results = results_of(
        ("soundness", "HYP", None, "cased", "uncased", 0.9, 0.1, 0.001),
        ("soundness", "HYP", None, "uncased", "large", 0.9, 0.1, 0.001),
    )
    found = size_reversals(
        averages_of(*((agent, "soundness", "HYP", 0.5) for agent in models)), results, models, relations=SIX
    )
    assert found.table.select("models", "pairs", "smaller_wins").rows() == [(3, 1, 1)]
    assert "cased and uncased are of one size: they are not compared as smaller and larger." in found.left_out


def test_in_the_papers_way_a_winner_is_ahead_on_average_and_in_ranks():
    results = results_of(("completeness", "HYP", None, "b-base", "b-large", 0.4, 0.2, 0.001))
    opposed = results.with_columns(paper_effect=-pl.col("paper_effect"))
    wins = ["smaller_wins", "smaller_wins_paper"]
    assert size_reversals(ANSWERED, results, MODELS, relations=SIX).table.select(wins).rows() == [(1, 1)]
    assert size_reversals(ANSWERED, opposed, MODELS, relations=SIX).table.select(wins).rows() == [(1, 0)]
    assert size_reversals(ANSWERED, opposed, MODELS, inference="paper", relations=SIX).table.select(wins).rows() == [
        (0, 0)
    ]


def test_table_7_is_the_best_masked_minus_the_best_causal_model_of_each_metric():
    averages = averages_of(
        ("humans", "soundness", "HYP", 0.9),
        ("b-large", "soundness", "HYP", 0.3),
        ("b-base", "soundness", "HYP", 0.4),
        ("o-small", "soundness", "HYP", 0.2),
        ("o-big", "soundness", "HYP", 0.2),
        ("b-base", "prototypicality", "HYP", 0.2),
        ("b-large", "audc", None, 5.0),
        ("o-mid", "audc", None, 6.0),
        ("o-big", "audc", None, 5.5),
    )
    results = results_of(
        ("soundness", "HYP", None, "o-small", "b-base", 0.25, 0.5, 0.01),
        ("audc", None, None, "b-large", "o-mid", 5.0, 6.0, 0.2),
    )
    found = best_by_type(averages, results, MODELS, relations=SIX)
    assert found.table.schema == BEST_BY_TYPE
    columns = [
        "metric",
        "relation",
        "masked",
        "causal",
        "value_masked",
        "value_causal",
        "difference",
        "p",
        "significant",
    ]
    assert found.table.select(columns).rows() == [
        ("soundness", "HYP", "b-base", "o-small", 0.5, 0.25, 0.25, 0.01, True),
        ("audc", None, "b-large", "o-mid", 5.0, 6.0, -1.0, 0.2, False),
    ]
    assert "prototypicality is left out: no two models to compare have it." in found.left_out


RESULTS_OF_TYPES = results_of(
    ("soundness", "HYP", None, "b-large", "o-small", 0.4, 0.2, 0.001),
    ("soundness", "HYP", None, "o-mid", "b-large", 0.2, 0.4, 0.04),
    ("soundness", "HYP", None, "b-large", "o-big", 0.4, 0.2, 0.06),
    ("soundness", "HYP", None, "b-base", "o-big", 0.1, 0.2, 0.001),
    ("soundness", "HYP", None, "b-base", "o-mid", 0.0, 0.0, None),
    ("soundness", "HYP", None, "b-large", "b-base", 0.4, 0.1, 0.001),  # both masked
    ("soundness", "HYP", None, "humans", "o-big", 0.9, 0.1, 0.001),
    ("audc", None, None, "b-large", "o-small", 3.0, 1.0, 0.008),
    ("audc", None, None, "b-base", "o-small", 2.0, 1.0, 0.2),
    ("audc", None, None, "o-big", "b-base", 2.5, 2.0, 0.3),
)


def test_table_8_counts_pairs_of_a_masked_and_a_causal_model():
    found = wins_by_type(ANSWERED, RESULTS_OF_TYPES, MODELS, relations=SIX)
    assert found.table.schema == WINS_BY_TYPE
    columns = ["pairs", "untestable", "masked_wins", "masked_wins_holm", "masked_wins_bh", "masked_wins_paper"]
    assert found.table.select(columns).rows() == [(5, 1, 2, 1, 1, 3), (3, 0, 1, 0, 1, 2)]
    causal = [name.replace("masked", "causal") for name in columns[2:]]
    assert found.table.select(causal).rows() == [(1, 1, 1, 1), (0, 0, 0, 1)]
    note = "no test is known for AuDC (section 7.3): in the columns of the paper, a win is the higher number"
    assert found.table["note"].to_list() == [None, note]


def test_table_8_in_the_papers_way_takes_the_higher_audc():
    found = wins_by_type(ANSWERED, RESULTS_OF_TYPES, MODELS, inference="paper", relations=SIX).table
    columns = ["untestable", "masked_wins", "masked_wins_holm", "masked_wins_bh", "masked_wins_paper", "causal_wins"]
    assert found.select(columns).rows() == [(1, 3, 1, None, 3, 1), (3, 2, 0, None, 2, 1)]


WAYS = {
    "m": {"type": "masked"},
    "c": {"type": "causal"},
    "c-shots": {"type": "causal", "way": "shots 3"},
    "m-shots": {"type": "masked", "way": "shots 3"},
    "c-chat": {"type": "causal", "way": "chat true"},
}
RESULTS_OF_WAYS = results_of(
    ("soundness", "HYP", None, "m", "c", 0.3, 0.2, 0.01),
    ("soundness", "HYP", None, "m", "c-shots", 0.3, 0.6, 0.001),
    ("soundness", "HYP", None, "m", "m-shots", 0.3, 0.5, 0.001),
    ("soundness", "HYP", None, "m", "c-chat", 0.3, 0.9, 0.001),
    ("soundness", "HYP", None, "c-shots", "m-shots", 0.6, 0.5, 0.02),
)


def test_models_of_two_types_are_compared_only_if_they_are_asked_in_one_way():
    means = averages_of(
        *((agent, "soundness", "HYP", value) for agent, value in zip(WAYS, (0.3, 0.2, 0.6, 0.5, 0.9), strict=True))
    )
    best = best_by_type(means, RESULTS_OF_WAYS, WAYS, relations=SIX)
    assert best.table.select("way", "masked", "causal", "difference").rows() == [
        ("bare", "m", "c", pytest.approx(0.1)),
        ("shots 3", "m-shots", "c-shots", pytest.approx(-0.1)),
    ]
    wins = wins_by_type(means, RESULTS_OF_WAYS, WAYS, relations=SIX)
    assert wins.table.select("way", "pairs", "masked_wins", "causal_wins").rows() == [
        ("bare", 1, 1, 0),
        ("shots 3", 1, 0, 1),
    ]
    said = "c-chat (chat true): not compared with masked models, of which none is asked in this way."
    assert best.left_out[0] == wins.left_out[0] == said


def test_an_encoder_decoder_model_is_compared_with_neither_type():
    models = {"m": WAYS["m"], "t5": {"type": "encoder-decoder"}, "c": WAYS["c"]}
    means = averages_of(*((agent, "soundness", "HYP", 0.3) for agent in models))
    found = wins_by_type(means, RESULTS_OF_WAYS, models, relations=SIX)
    assert found.table.select("way", "pairs").rows() == [("bare", 1)]
    assert found.left_out[0] == "t5: neither masked nor causal, so not compared by type."


def test_models_of_two_types_that_are_asked_in_two_ways_are_not_compared():
    models = {name: WAYS[name] for name in ("m", "c-shots", "c-chat")}
    found = wins_by_type(
        averages_of(*((one, "soundness", "HYP", 0.5) for one in models)), RESULTS_OF_WAYS, models, relations=SIX
    )
    assert found.table.is_empty()
    assert found.left_out == [
        "m (bare): not compared with causal models, of which none is asked in this way.",
        "c-shots (shots 3): not compared with masked models, of which none is asked in this way.",
        "c-chat (chat true): not compared with masked models, of which none is asked in this way.",
    ]


@pytest.mark.parametrize(
    ("left", "lacking"), [("masked", "causal"), ("causal", "masked"), (None, "masked and no causal")]
)
def test_without_one_of_the_types_they_are_not_compared(left, lacking):
    models = {agent: entry for agent, entry in MODELS.items() if entry["type"] == left}
    averages = averages_of(*((agent, "soundness", "HYP", 0.5) for agent in MODELS))
    results = results_of(("soundness", "HYP", None, "b-base", "o-small", 0.4, 0.2, 0.001))
    for found in (
        best_by_type(averages, results, models, relations=SIX),
        wins_by_type(averages, results, models, relations=SIX),
    ):
        assert found.table.is_empty()
        assert found.left_out == [
            f"Masked and causal models are not compared: there is no {lacking} model with results."
        ]


def test_without_models_there_are_empty_tables():
    results, averages = results_of(), averages_of(("humans", "audc", None, 21.0))
    assert size_differences(averages, results, {}, relations=SIX).table.schema == SIZE_DIFFERENCES
    assert size_averages({}, averages, results, {}, relations=SIX).table.schema == SIZE_AVERAGES
    assert size_reversals(averages, results, {}, relations=SIX).table.schema == SIZE_REVERSALS
    assert best_by_type(averages, results, {}, relations=SIX).table.schema == BEST_BY_TYPE
    assert wins_by_type(averages, results, {}, relations=SIX).table.schema == WINS_BY_TYPE


def test_the_tables_fit_the_tests_and_averages_of_the_study():
    values = {"small": metrics_of(SMALL), "large": metrics_of(LARGE), "humans": metrics_of(SMALL)}
    models = named(small=("F", 1), large=("F", 2))
    results = paired_tests(values)
    found = size_differences(average(values, relations=SIX), results, models, relations=SIX).table.filter(
        metric="soundness", relation="HYP"
    )
    # probes: 1 - 0, 0 - 0, 0 - 0, 1 - 1; one discordant pair, so p = 1
    columns = ["units", "clusters", "discordant", "difference", "p", "paper_p", "significant"]
    assert found.select(columns).rows() == [(4, 2, 1, 0.25, 1.0, 1.0, False)]
