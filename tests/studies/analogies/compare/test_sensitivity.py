"""What other choices of the data would give."""

import numpy as np
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.analogies.analyses.sensitivity import SENSITIVITY, sensitivity
from relprobe.studies.analogies.method import Choices, Split

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
