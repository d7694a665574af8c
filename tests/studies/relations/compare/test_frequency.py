"""Figure E5 on tiny results; the frequencies are set by hand, but for one look at wordfreq's own."""

import math

import polars as pl
import pytest
from relprobe.core.relation import TUPLES
from relprobe.sources.word_frequency import frequencies as frequencies_of
from relprobe.studies.relations.analyses.frequency import CORRELATIONS, TABLES, correlations, medians
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.results import Settings
from relprobe.studies.relations.schemas import METRICS

from tests.studies.relations.about import results
from tests.studies.relations.six import ENGLISH, SIX

FREQUENCY = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "x": 5.0, "y": 2.0, "z": 1.0, "unheard": 0.0}


@pytest.fixture(autouse=True)
def frequencies(monkeypatch):
    monkeypatch.setattr("wordfreq.word_frequency", lambda word, language: FREQUENCY[word])
    monkeypatch.setattr("wordfreq.zipf_frequency", lambda word, language: 1 + math.log10(FREQUENCY[word] or 0.1))


def metrics_of(*rows):
    """Return METRICS from (metric, target, relatum, k, prompt, value), all of antonymy."""
    names = ["metric", "target", "relatum", "k", "prompt_id", "value"]
    table = pl.DataFrame(rows, schema={name: METRICS[name] for name in names}, orient="row")
    table = table.with_columns(relation=pl.lit("ANT"))
    return pl.concat([pl.DataFrame(schema=METRICS), table], how="diagonal")


def relata_of(*pairs):
    rows = [(target, "ANT", relatum, ["here"]) for target, relatum in pairs]
    return pl.DataFrame(rows, schema=TUPLES, orient="row")


def soundness(*values):
    return metrics_of(*(("soundness", target, None, None, "p", value) for target, value in values))


def test_rho_of_a_target_is_with_its_value_averaged_over_prompts():
    # averages a 1/2, b 1, c 0, d 1/2, whose mean ranks 2.5 4 1 2.5 meet 1 2 3 4:
    # deviations 0 1.5 -1.5 0 against -1.5 -0.5 0.5 1.5, so -1.5 / sqrt(4.5 · 5)
    values = metrics_of(
        *(("soundness", target, None, None, "p", value) for target, value in zip("abcd", (1, 1, 0, 0), strict=True)),
        *(("soundness", target, None, None, "q", value) for target, value in zip("abcd", (0, 1, 0, 1), strict=True)),
    )
    found = correlations({"m": values}, relata_of(), relations=SIX, language="en").filter(frequency="target")
    assert found["rho"].to_list() == pytest.approx([-1.5 / (4.5 * 5) ** 0.5])
    assert found.select("agent", "metric", "relation", "k", "units").rows() == [("m", "soundness", "ANT", None, 4)]


def test_relatum_sets_count_by_mean_and_maximum():
    # means x 5, (x + z)/2 = 3, y 2; maxima 5, 5, 2; values fall with the mean
    relata = relata_of(("a", "x"), ("b", "x"), ("b", "z"), ("c", "y"))
    found = correlations({"m": soundness(("a", 0.1), ("b", 0.2), ("c", 0.3))}, relata, relations=SIX, language="en")
    rho = dict(found.select("frequency", "rho").iter_rows())
    assert rho["relata_mean"] == pytest.approx(-1)
    assert rho["relata_max"] == pytest.approx(-(0.75**0.5))  # ranks 2.5 2.5 1 against 1 2 3


def test_tuples_count_by_the_mean_and_difference_of_their_words_at_one_k():
    # (a, x), (b, z), (c, y): means 3, 1.5, 2.5; differences 4, 1, 1
    rows = [(w, v, value) for (w, v), value in zip((("a", "x"), ("b", "z"), ("c", "y")), (0.9, 0.1, 0.5), strict=True)]
    values = metrics_of(
        *(("symmetry", w, v, 5, "p", value) for w, v, value in rows),
        *(("symmetry", w, v, 1, "p", -value) for w, v, value in rows),
    )
    found = correlations({"m": values}, relata_of(), relations=SIX, language="en")
    assert found.select("metric", "k", "frequency", "units").rows() == [
        ("symmetry", 5, "pair_mean", 3),
        ("symmetry", 5, "pair_difference", 3),
    ]
    assert found["rho"].to_list() == pytest.approx([1.0, 0.75**0.5])


def test_the_frequencies_are_raw_or_logarithms():
    # (a, x), (b, y), (c, z) with raw differences 4, 0, 2, and 3, 2, 2 as raw means; the logarithms' are 0.35, 0.30, 0.24
    rows = [("symmetry", w, v, 5, "p", value) for (w, v), value in zip(("ax", "by", "cz"), (1, 2, 3), strict=True)]
    raw, zipf = (
        correlations({"m": metrics_of(*rows)}, relata_of(), scale=scale, relations=SIX, language="en")
        for scale in ("raw", "zipf")
    )
    assert (raw["scale"].unique().item(), zipf["scale"].unique().item()) == ("raw", "zipf")
    rho = [dict(table.select("frequency", "rho").iter_rows()) for table in (raw, zipf)]
    assert rho[0]["pair_mean"] == pytest.approx(-(0.75**0.5))  # ranks 3 1.5 1.5 against 1 2 3
    assert rho[1]["pair_mean"] == pytest.approx(-1.0)


def test_holms_adjustment_is_over_the_relations_of_an_agent_and_not_over_agents():
    tables = {
        "m": soundness(*zip("abcdy", (0.1, 0.2, 0.3, 0.4, 0.2), strict=True)),
        "n": soundness(*zip("abcdy", (0.4, 0.3, 0.2, 0.1, 0.3), strict=True)),
        "o": soundness(("a", 0.5), ("b", 0.5), ("c", 0.5)),
    }
    found = correlations(tables, relata_of(), relations=SIX, language="en").filter(frequency="target")
    p = found["p"].to_list()
    assert p[0] == p[1]
    assert found["p_holm"].to_list() == [p[0], p[1], None]


def test_unknown_words_are_left_out_and_counted():
    relata = relata_of(("a", "x"), ("b", "y"), ("b", "unheard"), ("c", "z"), ("unheard", "unheard"))
    found = correlations(
        {"m": soundness(("a", 0.9), ("b", 0.5), ("c", 0.1), ("unheard", 0.0))}, relata, relations=SIX, language="en"
    )
    assert found.select("frequency", "units", "units_without", "unknown_words").rows() == [
        ("target", 3, 1, 1),
        ("relata_mean", 3, 1, 2),  # one of the relata of b, the only one of the unheard target
        ("relata_max", 3, 1, 2),
    ]
    assert found["rho"].to_list() == pytest.approx([-1.0, 1.0, 1.0])


def test_a_tuple_with_an_unknown_word_is_left_out_and_each_unknown_word_of_it_counted():
    pairs = (("a", "x"), ("b", "z"), ("c", "y"), ("unheard", "x"), ("a", "unheard"), ("unheard", "unheard"))
    values = metrics_of(*(("symmetry", *pair, 5, "p", value) for value, pair in enumerate(pairs)))
    found = correlations({"m": values}, relata_of(), relations=SIX, language="en")
    assert found.select("frequency", "units", "units_without", "unknown_words").rows() == [
        ("pair_mean", 3, 3, 4),
        ("pair_difference", 3, 3, 4),
    ]


def test_what_cannot_be_correlated_says_why():
    found = correlations(
        {"m": soundness(("a", 0.5), ("b", 0.5), ("c", 0.5))}, relata_of(("a", "x")), relations=SIX, language="en"
    )
    assert found.select("rho", "p", "note").rows() == [
        (None, None, "not testable: a variable is constant"),
        (None, None, "not testable: fewer than three units"),
        (None, None, "not testable: fewer than three units"),
    ]


def test_prototypicality_has_the_target_alone_and_distinguishability_nothing():
    values = metrics_of(
        *(
            (metric, target, None, None, "p", 0.5)
            for metric in ("prototypicality", "distinguishability")
            for target in "abc"
        )
    )
    found = correlations({"m": values}, relata_of(("a", "x")), relations=SIX, language="en")
    assert found.select("metric", "frequency").rows() == [("prototypicality", "target")]


def test_agents_stay_in_order_and_may_be_none():
    values = soundness(("a", 0.1), ("b", 0.2), ("c", 0.3))
    found = correlations({"second": values, "first": values}, relata_of(), relations=SIX, language="en")
    assert found.schema == CORRELATIONS
    assert found.filter(frequency="target")["agent"].to_list() == ["second", "first"]
    assert correlations({}, relata_of(), relations=SIX, language="en").schema == CORRELATIONS


def test_words_that_wordfreq_does_not_know_have_no_frequency(monkeypatch):
    monkeypatch.undo()
    words = pl.Series(["dog", "dog", "qqzzxv", None])
    raw, zipf = (dict(frequencies_of(words, scale, language="en").iter_rows()) for scale in ("raw", "zipf"))
    assert set(raw) == set(zipf) == {"dog", "qqzzxv"}
    assert 4 < zipf["dog"] < 6
    assert raw["dog"] == pytest.approx(10 ** (zipf["dog"] - 9), rel=0.02)
    assert (raw["qqzzxv"], zipf["qqzzxv"]) == (None, None)


def test_the_median_over_the_models_is_that_of_those_with_a_correlation():
    names = ["agent", "metric", "relation", "frequency", "rho"]
    rows = [
        (agent, "soundness", "ANT", "target", rho) for agent, rho in zip("abcd", (0.1, 0.5, 0.2, None), strict=True)
    ]
    table = pl.DataFrame(rows, schema={name: CORRELATIONS[name] for name in names}, orient="row")
    table = pl.concat([pl.DataFrame(schema=CORRELATIONS), table], how="diagonal")
    (row,) = medians(table).iter_rows(named=True)
    assert (row["agents"], row["median"], row["low"], row["high"]) == (3, 0.2, 0.1, 0.5)


def test_a_run_correlates_the_values_of_its_models_by_its_settings():
    """Those of people and controls have no correlations, and those of symmetry are at the cut-off of its tables."""
    pairs = zip(("ax", "by", "cz"), (1, 2, 3), strict=True)
    symmetric = [("symmetry", *pair, k, "p", value * k) for pair, value in pairs for k in (1, 5)]
    values = {agent: metrics_of(*symmetric) for agent in ("humans", "m")}
    relata, settings = relata_of(("a", "x")), Settings(models={"m": {}}, k=1, frequency="zipf")
    run = results(gold=GoldStandard(None, relata, None, None, SIX), metrics=values, settings=settings, language=ENGLISH)
    found = TABLES["frequency"](run)
    assert found.equals(correlations({"m": values["m"]}, relata, 1, "zipf", relations=SIX, language="en"))
    assert found.select("agent", "k", "scale").unique().rows() == [("m", 1, "zipf")]
    assert TABLES["frequency_medians"](run).select("frequency", "agents").rows() == [
        ("pair_mean", 1),
        ("pair_difference", 1),
    ]
