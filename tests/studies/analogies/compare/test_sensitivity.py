"""What other choices of the data would give."""

import numpy as np
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.analogies.analyses.sensitivity import SENSITIVITY, has, sensitivity
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.method import Split

from tests.studies.analogies.data.test_instances import CAPITALS


def test_the_effect_of_each_choice_is_that_of_two_builds():
    # One-dimensional vectors: tail - head is 1 for E01, so that a reversed pair always has cosine -1, and all choices of
    # reverse are right in all cases: effect 0. In the printed type probe heads are 0 apart in steps of 10, cosine 1 or -1.
    heads = {f"city{n}": [10.0 * n, 1.0] for n in range(50)}
    tails = {f"country{n}": [10.0 * n + 1, 1.0] for n in range(50)}
    words = {word: number for number, word in enumerate([*heads, *tails])}
    vectors = StaticVectors(words, np.array([*heads.values(), *tails.values()], np.float32))
    table = sensitivity(CAPITALS[:12], vectors, Split(0.5, seed=1), Choices())
    assert table.schema == SENSITIVITY
    assert set(table["choice"]) == {"random", "reverse", "type", "filter"}
    reverse = table.filter(choice="reverse", group="All").row(0, named=True)
    assert (reverse["here"], reverse["other"], reverse["value"], reverse["effect"]) == ("random", "own", 1.0, 0.0)
    assert table.filter(choice="filter", group="All")["probe"].to_list() == ["random", "reverse", "type"]
    # The literal reading: (h', t1) or (h1, t') differs from the query's offset +1 by 10 times the numbers' difference, so
    # that half of them point the other way and half lie on a tie with the positive.
    literal = table.filter(choice="random", group="All").row(0, named=True)
    assert literal["other"] == "query"
    assert 0.5 < literal["other_value"] < 1


def test_every_choice_has_its_two_settings_and_the_probes_that_it_concerns():
    """Each is turned into its other setting, whichever is configured, and none but it."""
    heads = {f"city{n}": [float(n * n), 1.0] for n in range(12)}
    tails = {f"country{n}": [float(n * n + n), 2.0] for n in range(12)}
    words = {word: number for number, word in enumerate([*heads, *tails])}
    vectors = StaticVectors(words, np.array([*heads.values(), *tails.values()], np.float32))
    split = Split(0.5, seed=1)
    for choices, here, other in (
        (Choices(), ("positive", "random", "positive", "on"), ("query", "own", "printed", "off")),
        (Choices("query", "own", "printed", filter=False), ("query", "own", "printed", "off"), None),
    ):
        table = sensitivity(CAPITALS[:12], vectors, split, choices)
        settings = table.select("choice", "here", "other", "probe").unique(maintain_order=True).rows()
        others = other or ("positive", "random", "positive", "on")
        probes = {
            "random": ["random"],
            "reverse": ["reverse"],
            "type": ["type"],
            "filter": ["random", "reverse", "type"],
        }
        assert settings == [
            (choice, one, two, probe)
            for choice, one, two in zip(probes, here, others, strict=True)
            for probe in probes[choice]
        ]
        assert table["group"].unique(maintain_order=True).to_list() == ["ES", "All"]
        assert set(table["agent"]) == {"static"}
        assert (table["effect"] - (table["other_value"] - table["value"])).abs().max() < 1e-9
    nothing = StaticVectors({"x": 0}, np.array([[1.0]], np.float32))
    assert sensitivity(CAPITALS[:12], nothing, split, Choices()).is_empty()


def test_a_run_has_the_table_where_it_has_vectors():
    assert has({"resources": {"static_vectors": {}, "bats": {}}}, None) == {"static": True}
    assert has({"resources": {"bats": {}}}, None) == {"static": False}
