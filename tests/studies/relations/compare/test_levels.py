"""What counts as significant, and as more: p below 0.05, and a difference that is not 0."""

import polars as pl
import pytest
from relprobe.studies.relations.analyses.significance import claims
from relprobe.studies.relations.analyses.sizes import _better
from relprobe.studies.relations.analyses.use import _is_above, _uses

from tests.studies.relations.compare.test_claims import MODELS, compared, counts

TESTED = pl.DataFrame(
    {
        "metric": ["soundness"] * 5,
        "difference": [0.1, 0.1, 0.0, -0.1, -0.1],
        "paper_effect": [0.1, 0.1, 0.1, -0.1, 0.1],
        "p": [0.05, 0.049, 0.01, 0.01, 0.01],
    }
)


@pytest.mark.parametrize(
    ("inference", "a", "b"),
    [
        ("linked", [False, True, False, False, False], [False, False, False, True, True]),
        ("paper", [False, True, False, False, False], [False, False, False, True, False]),  # where both have one sign
    ],
)
def test_one_of_two_agents_wins_below_the_level_if_it_has_more(inference, a, b):
    assert TESTED.select(_better("p", 1, inference)).to_series().to_list() == a
    assert TESTED.select(_better("p", -1, inference)).to_series().to_list() == b


@pytest.mark.parametrize(
    ("p", "contrast", "above"), [(0.05, 0.2, False), (0.049, 0.2, True), (0.01, 0.0, False), (0.01, -0.2, False)]
)
def test_a_contrast_is_above_0_below_the_level(p, contrast, above):
    row = {"p_holm": p, "contrast": contrast}
    assert _is_above(row) is above
    assert _uses({**row, "control": None}) is above
    assert _uses({"p_holm": 0.01, "contrast": 0.2, "control": "c", "beyond_p_holm": p, "beyond": contrast}) is above
    assert _uses({**row, "control": "c", "beyond_p_holm": 0.01, "beyond": 0.2}) is above
    assert not _uses({**row, "control": "c", "beyond_p_holm": None, "beyond": None})


def test_a_claim_survives_below_the_level():
    rows = compared(
        ("soundness", "HYP", None, "a", "b", 0.2, 0.4, 0.05, 0.001),  # lost
        ("soundness", "MER", None, "a", "b", 0.2, 0.4, 0.01, 0.05),  # new
        ("soundness", "ANT", None, "a", "b", 0.2, 0.4, 0.049, 0.049),  # survives; it is the one pair of its relation
    )
    (row,) = counts(claims(rows, {}, MODELS))
    assert row == ("Figure 4", 3, 3, 2, 1, 1, 1, "1 of 2 survive", "HYP a–b")
