"""What a study claims: the rule of its p, what that is adjusted over, and which claim is the primary one."""

import pytest
from relprobe.core.claim import RULES, Claim, primary_of


def test_a_claim_under_the_conditions_of_a_run_keeps_its_chance_unless_another_one_is_known():
    claim = Claim("right", conditions=("noun",), chance=0.5)
    for given, chance in ((None, 0.5), (0.25, 0.25), (0.0, 0.0)):
        found = claim.under(["verb", "noun"], given)
        assert (found.metric, found.conditions, found.chance) == ("right", ("verb", "noun"), chance)
    assert Claim("right").under(iter("ab")).conditions == ("a", "b")


@pytest.mark.parametrize(
    ("settings", "family"),
    [
        ({"primary": True}, "the primary test of the study, adjusted over nothing"),
        ({"each": "sets"}, "the agent's own tests under all sets"),
        (
            {"each": "sets", "hypothesis": "two models"},
            "the tests of the two under all sets, or those of all declared comparisons",
        ),
        ({"primary": True, "hypothesis": "two models"}, "the primary test of the study, adjusted over nothing"),
    ],
)
def test_what_p_of_a_claim_is_adjusted_over(settings, family):
    claim = Claim("right", **settings)
    assert claim.family == family
    assert claim.rule == RULES[claim.hypothesis]


def test_controls_that_a_run_lacks_are_named_in_their_order():
    claim = Claim("contrast", needs=("nearest", "typical", "random"))
    assert claim.missing(["gpt2", "typical"]) == ["nearest", "random"]
    assert claim.missing(["random", "typical", "nearest"]) == []


@pytest.mark.parametrize("number", [0, 2])
def test_a_study_has_one_primary_claim(number):
    claims = [Claim("right", primary=place < number) for place in range(3)]
    with pytest.raises(ValueError, match=f"has one primary claim, but {number} of 3 are: mark one with primary=True"):
        primary_of(claims)
    assert primary_of([]) is None
    assert primary_of([Claim("a"), Claim("b", primary=True), Claim("c")]).metric == "b"
