import polars as pl
import pytest
from relprobe.studies.relations.figures import partings


def compared(**p):
    """Return rows of TESTS; "a_b" stands for the pair of a and b."""
    rows = [(*pair.split("_"), value) for pair, value in p.items()]
    return pl.DataFrame(rows, schema={"agent_a": pl.String, "agent_b": pl.String, "p": pl.Float64}, orient="row")


@pytest.mark.parametrize(
    ("tests", "lines"),
    [
        (compared(a_b=0.01, a_c=0.01, b_c=0.5), [1]),
        (compared(a_b=0.01, a_c=0.01, b_c=0.049), [1, 2]),
        (compared(a_b=0.2, a_c=0.01, b_c=0.5), []),  # a and c differ, but b differs from neither
        (compared(a_b=0.2, c_a=0.01, c_b=0.01), [2]),  # the pairs may be named either way round
        (compared(a_b=0.05, a_c=None, b_c=None), []),
    ],
)
def test_a_line_parts_agents_that_all_differ(tests, lines):
    assert partings(["a", "b", "c"], tests) == lines


def test_the_papers_tests_draw_lines_if_asked_to():
    tests = compared(a_b=0.2).with_columns(paper_p=pl.lit(0.01))
    assert partings(["a", "b"], tests) == []
    assert partings(["a", "b"], tests, "paper") == [1]


def test_a_pair_that_is_not_compared_needs_no_line():
    # two controls, or two checkpoints of a training, have no test; one that cannot be computed has a row
    assert partings(["a", "b", "c"], compared(a_b=0.01, a_c=0.01)) == [1, 2]
    assert partings(["a", "b", "c"], compared(a_b=0.5, a_c=0.01)) == [2]
    assert partings(["a", "b", "c"], compared(a_b=0.01, a_c=None)) == []
    assert partings(["a", "b"], compared(a_c=0.01)) == []


def test_one_agent_has_no_line():
    assert partings(["a"], compared(a_b=0.01)) == []
