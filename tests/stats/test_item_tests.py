"""Tests of linked items, where few clusters differ and where many do."""

import numpy as np
import pytest
from relprobe.stats.item_tests import FEW_CLUSTERS, linked_test
from relprobe.stats.linked import linked_interval, linked_items, linked_p

VALUES = np.array([1.0, 1, 1, 1, 1, 1, -1, 1] * 4)
LINKS = linked_items(np.array([0, 1]), np.array([0, 0]), 32)


def test_up_to_fifteen_clusters_bound_p_from_below():
    assert FEW_CLUSTERS == 15
    assert linked_test(VALUES, LINKS, 0.5, 15)[0] == 0.5
    assert linked_test(VALUES, LINKS, 0.5, 16)[0] == linked_p(VALUES, LINKS) < 0.5
    assert linked_test(VALUES, LINKS, 0.0, 15)[0] == linked_p(VALUES, LINKS)


def test_the_interval_is_that_of_linked_items_whatever_differs():
    assert linked_test(VALUES, LINKS, 0.5, 15)[1] == linked_interval(VALUES, LINKS)


@pytest.mark.parametrize(
    ("clusters", "note"),
    [
        (0, None),
        (1, "1 cluster differs: p cannot be below 1"),
        (5, "5 clusters differ: p cannot be below 0.0625"),
        (6, None),
    ],
)
def test_a_note_says_that_so_few_clusters_cannot_differ(clusters, note):
    assert linked_test(VALUES, LINKS, 0.5, clusters)[2] == note
