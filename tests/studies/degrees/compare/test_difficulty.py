"""How much harder the reversed pairs are."""

from relprobe.sources.semeval2012 import read
from relprobe.studies.degrees.analyses.difficulty import difficulty
from relprobe.studies.degrees.method import gold

from tests.studies.degrees.measure.test_metrics import DATA, real


@real
def test_the_largest_and_smallest_drops_are_those_that_the_paper_names():
    """Section 6: Sequence is most sensitive to reversal, Attribute Similarity and Contrary least; Functional is not met."""
    names = difficulty(gold(read(DATA)), {})["name"].to_list()
    assert names[0] == "Sequence"
    assert {"Attribute Similarity", "Contrary"} <= set(names[-4:])
    assert names.index("Functional") == 33
