import re

import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from relprobe.report.published import _range
from relprobe.report.words import readable
from relprobe.report.words.readable import interval_in_words
from relprobe.report.words.summary import difference_of
from relprobe.studies.analogies.page import query_use
from relprobe.studies.degrees.page import RHO, _interval
from relprobe.studies.relations.analyses.use import _beyond, _number
from relprobe.studies.systematicity.analyses.consistency import _consistent

BOUNDS = re.compile(r"95 % interval (−?[\d.]+) to (−?[\d.]+)")
BOUND = st.floats(-1, 1)
SHARES = {"both": 0.3, "singular_only": 0.1, "plural_only": 0.15, "neither": 0.45, "hyponyms": 100}


def phi_words(low, high):
    row = {"set": "s", "agent": "m", **SHARES, "right_singulars": 40, "plural_if_singular": abs(low)}
    row |= {
        "plural_if_singular_low": low,
        "plural_if_singular_high": high,
        "phi": low,
        "phi_low": low,
        "phi_high": high,
    }
    return _consistent(pl.DataFrame([row]), ["m"])


def query_words(low, high):
    row = {"setting": "supervised", "probe": "reverse", "condition": "All", "agent": "m", "right_query": 0.5}
    row |= {"swapped_query": 0.5, "difference": low, "low": low, "high": high, "p_holm": 0.01}
    return query_use({"swapped": pl.DataFrame([row])}, "supervised", ["m"])[1]


SENTENCES = {
    "interval": interval_in_words,
    "difference": lambda low, high: difference_of({"difference": low, "low": low, "high": high}),
    "contrast": lambda low, high: _number({"contrast": low, "low": low, "high": high}),
    "beyond the control": lambda low, high: _beyond({"beyond": low, "beyond_low": low, "beyond_high": high}),
    "singular and plural": phi_words,
    "swapped queries": query_words,
    "rho": lambda low, high: _interval({f"{RHO}_low": low, f"{RHO}_high": high}),
    "beside the paper": lambda low, high: f"95 % interval {_range(low, high, 2)}",
}
"""What says an interval in words, from its bounds."""


@pytest.mark.parametrize("said", SENTENCES.values(), ids=SENTENCES)
@given(one=BOUND, other=BOUND)
@example(one=-0.0241, other=-0.0219)
@example(one=-0.004, other=0.004)
@example(one=0.0219, other=0.0241)
def test_an_interval_in_a_sentence_has_a_width(said, one, other):
    low, high = sorted((one, other))
    assume(high - low > 1e-6)
    found = BOUNDS.findall(said(low, high))
    assert found
    for bounds in found:
        first, last = (float(bound.replace("−", "-")) for bound in bounds)
        assert first < last
        assert all("−" not in bound or float(bound.replace("−", "-")) < 0 for bound in bounds)


@pytest.mark.parametrize(
    ("low", "high", "least", "decimals"),
    [(0.0, 1e-8, 2, 8), (0.0, 1e-9, 2, 2), (0.25, 0.25, 3, 3), (-1e-8, 0.5, 2, 2), (1e-8, 0.5, 2, 8), (1, 2, 0, 0)],
)
def test_bounds_that_eight_decimals_do_not_tell_apart_have_the_usual_ones(low, high, least, decimals):
    assert readable.decimals_of(low, high, least) == decimals


def test_the_characters_of_bytes_are_those_of_byte_level_vocabularies():
    from transformers.convert_slow_tokenizer import bytes_to_unicode  # no other test of this file needs transformers

    assert readable._byte_characters() == {letter: byte for byte, letter in bytes_to_unicode().items()}
    assert [readable.piece(letter) for letter in ("Â®", "Ċ", "x", "Ã¤")] == ["®", "[line break]", "-x", "-ä"]
