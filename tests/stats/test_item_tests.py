"""Tests of linked items, where few clusters differ and where many do."""

import numpy as np
import pytest
from relprobe.stats.item_tests import FEW_CLUSTERS, dependence, item_tests, linked_error_of, linked_test
from relprobe.stats.linked import linked_interval, linked_items, linked_p
from relprobe.stats.samples import Sample

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


def clustered(*cluster_starts, links=None, items=4):
    """A sample of items whose rows are the items themselves."""
    common, prompts = np.ones(items, dtype=bool), np.zeros(items, np.int64)
    starts = np.arange(items)
    return Sample({}, ["a", "b"], np.zeros((items, 2)), starts, np.array(cluster_starts), prompts, links, common, items)


THREE_CLUSTERS = clustered(0, 2, 3)
"""Two items that make a cluster, and two that are alone."""
DIFFERENCES = np.array([[1.0, 1.0], [0.0, -1.0], [2.0, 2.0], [np.nan, 3.0]])
"""Of two pairs of agents; the first lacks the last item."""


def test_two_pairs_of_agents_have_the_tests_of_the_items_that_each_has():
    first, second = item_tests(THREE_CLUSTERS, DIFFERENCES)
    # Sums 1 and 2 of two and one items: of ± 1 ± 2, 2 of 4 are as far from 0. The mean is 1, and the sums are off by
    # 1 - 2 and 2 - 1: √(2 / 1 · 2) / 3. The items count as 3² / (4 + 1), their differences vary by 1.
    assert (first["clusters"], first["discordant_clusters"], first["p"], first["cluster_p"]) == (2, 2, 0.5, 0.5)
    assert first["error"] == pytest.approx(2 / 3)
    assert (first["effective_n"], first["freedom"]) == (pytest.approx(1.8), pytest.approx(0.8))
    assert first["measured_n"] == pytest.approx(1 / (2 / 3) ** 2)
    assert (first["note"], first["least_p"]) == ("2 clusters differ: p cannot be below 0.5", 0.5)
    # Sums 0, 2 and 3: 4 of the 8 patterns of signs. The mean is 5 / 4: off by 0 - 2.5, 2 - 1.25 and 3 - 1.25.
    assert (second["clusters"], second["discordant_clusters"], second["p"]) == (3, 2, 0.5)
    assert second["error"] == pytest.approx((3 / 2 * (2.5**2 + 0.75**2 + 1.75**2)) ** 0.5 / 4)
    assert second["effective_n"] == pytest.approx(16 / 6)
    assert second["measured_n"] == pytest.approx(np.var([1, -1, 2, 3], ddof=1) / second["error"] ** 2)


def test_a_pair_alone_has_the_same_test():
    (alone,) = item_tests(THREE_CLUSTERS, DIFFERENCES[:, :1])
    assert alone == item_tests(THREE_CLUSTERS, DIFFERENCES)[0]


def test_below_the_fewest_clusters_there_is_no_p_and_the_note_says_so():
    first, second = item_tests(THREE_CLUSTERS, DIFFERENCES, fewest=3)
    assert (first["p"], second["p"]) == (None, 0.5)
    assert first["note"].endswith("no p: 2 clusters are there, and below 3 signs cannot tell")
    assert first["cluster_p"] == 0.5


def test_differences_that_do_not_vary_measure_no_number_of_items():
    (alike,) = item_tests(clustered(0, 1, 2, 3), np.ones((4, 1)))
    assert (alike["error"], alike["measured_n"], alike["freedom"]) == (None, None, 3.0)


def test_a_pair_without_a_common_item_has_no_test():
    (row,) = item_tests(THREE_CLUSTERS, np.full((4, 1), np.nan))
    assert (row["clusters"], row["p"], row["note"]) == (0, None, "no unit in common")


def test_linked_items_measure_as_many_as_their_error_says():
    # d = -2, 0, 2 around the mean 2, the first two linked: V = 4 + 0 + 4 + 2 · 0 = 8, and they count as 9 / 5.
    two_linked = linked_items(np.array([0, 1]), np.array([0, 0]), 3)
    (row,) = item_tests(clustered(0, 1, 2, items=3, links=two_linked), np.array([[0.0], [2.0], [4.0]]))
    assert row["error"] == pytest.approx((8 * 1.8 / 0.8) ** 0.5 / 3)
    assert row["measured_n"] == pytest.approx(4 / row["error"] ** 2)
    assert row["p"] is None
    assert "count as 1.8 independent ones" in row["note"]
    assert linked_error_of(np.array([0.0, 2.0]), linked_items(np.array([0, 1]), np.array([0, 0]), 2)) is None


def test_units_depend_on_each_other_as_their_items_and_clusters_do():
    # Units 0 and 1 are item 0, unit 2 is item 1, unit 3 is item 2; items 0 and 1 are a cluster.
    unit_sample = Sample(
        {},
        ["a"],
        np.zeros((4, 1)),
        np.array([0, 2, 3]),
        np.array([0, 2]),
        np.zeros(4, np.int64),
        None,
        np.ones(3, dtype=bool),
        3,
    )
    found = dependence(unit_sample, np.array([True, False, True, True]))
    assert (found.items.tolist(), found.clusters.tolist(), found.links) == ([0, 1, 2], [0, 0, 1], None)
    assert dependence(unit_sample, np.array([True, True, False, True])).items.tolist() == [0, 0, 1]


def test_items_that_cancel_each_other_measure_no_more_items_than_there_are():
    # The sums of the clusters are 0 and 1, off by 1/2 each from that of two mean items, 1/2: the error is 1 / 4. The
    # differences vary by 9 / 4, as those of 36 independent items with this error do.
    (row,) = item_tests(clustered(0, 2), np.array([[1.0], [-1.0], [2.0], [-1.0]]))
    assert (row["error"], row["measured_n"]) == (0.25, 4.0)
