"""The noise ceiling, by hand."""

import itertools

import numpy as np
import pytest
from relprobe.stats.ceiling import correlations, halves, one_with_rest, single_answers, spearman_brown, split_half

NAN = float("nan")


def test_the_formula_of_spearman_and_brown():
    assert spearman_brown(0.0) == 0.0
    assert spearman_brown(1.0) == 1.0
    assert spearman_brown(0.6) == pytest.approx(1.2 / 1.6)
    assert spearman_brown(-0.5) == -2.0  # 2 · -1/2 over 1 - 1/2
    assert spearman_brown(1 / 3, times=4) == pytest.approx(4 / 3 / 2)
    with pytest.raises(ValueError, match=r"-1\.0 has no Spearman-Brown value"):
        spearman_brown(-1.0)


def test_every_group_is_split_in_the_middle_by_all_its_splits_alike():
    groups = np.array([3, 8, 3, 8, 3, 8, 3])  # four answers of group 3, three of group 8
    masks = np.concatenate(list(halves(groups, seed=1, draws=3000)))
    assert masks.shape == (3000, 7)
    assert set(masks[:, groups == 3].sum(axis=1)) == {2}
    sizes = masks[:, groups == 8].sum(axis=1)
    assert set(sizes) == {1, 2}
    assert sizes.mean() == pytest.approx(1.5, abs=0.03)  # half of the draws give the first half one more
    _, seen = np.unique(masks[:, groups == 3], axis=0, return_counts=True)
    assert len(seen) == 6  # 4! / (2! 2!)
    assert seen.min() > 400  # 500 of each are expected, with a standard deviation of 20
    assert np.array_equal(masks, np.concatenate(list(halves(groups, seed=1, draws=3000))))
    assert not np.array_equal(masks, np.concatenate(list(halves(groups, seed=2, draws=3000))))


def means_of(answers: np.ndarray, items: np.ndarray):
    """Return the function that averages the answers that count, per item."""
    is_item = items[None, :] == np.unique(items)[:, None]

    def means(mask: np.ndarray) -> np.ndarray:
        counts = mask @ is_item.T
        return np.where(counts > 0, mask @ (answers[:, None] * is_item.T) / np.maximum(counts, 1), np.nan)

    return means


def test_the_mean_is_that_over_all_splits():
    # Two answers to each of three items. The 2³ splits have the correlations that are enumerated here.
    first, second = np.array([1.0, 2.0, 4.0]), np.array([2.0, 3.0, 3.0])
    swaps = [np.array(swap) for swap in itertools.product([True, False], repeat=3)]
    exact = np.mean([np.corrcoef(np.where(s, first, second), np.where(s, second, first))[0, 1] for s in swaps])
    answers, items = np.concatenate([first, second]), np.tile(np.arange(3), 2)
    result = split_half(means_of(answers, items), items, seed=1, draws=4000)
    assert (result.items, result.people, result.note) == (3, 2.0, None)
    assert result.split_half == pytest.approx(exact, abs=0.01)
    assert result.reliability == pytest.approx(spearman_brown(result.split_half))


def test_people_who_agree_have_a_ceiling_of_1_in_ranks_and_values():
    items = np.tile(np.arange(4), 6)
    answers = np.tile([1.0, 5.0, 2.0, 9.0], 6)
    for ranks in (False, True):
        result = split_half(means_of(answers, items), items, seed=1, draws=50, ranks=ranks)
        assert (result.split_half, result.reliability) == (pytest.approx(1.0), pytest.approx(1.0))


def test_the_stepped_up_value_is_the_reliability_of_the_whole():
    # Ten people with independent errors: true variance 1, error variance 4; the mean over ten has 1 / (1 + 4/10) = 0.714.
    source = np.random.default_rng(1)
    true = source.normal(size=2000)
    answers = (true + 2 * source.normal(size=(10, 2000))).ravel()
    items = np.tile(np.arange(2000), 10)
    people = answers.reshape(10, 2000)

    def means(mask: np.ndarray) -> np.ndarray:
        counted = mask.reshape(-1, 10, 2000)
        return (counted * people).sum(axis=1) / counted.sum(axis=1)

    result = split_half(means, items, seed=1, draws=20)
    assert result.people == 10
    assert result.reliability == pytest.approx(1 / 1.4, abs=0.02)


def test_what_cannot_be_computed_is_missing_with_the_reason():
    items = np.arange(3)
    alone = split_half(means_of(np.arange(3.0), items), items, seed=1, draws=5)
    assert (alone.split_half, alone.reliability) == (None, None)
    assert (alone.people, alone.note) == (1.0, "not computable: no group has two answers")
    nobody = split_half(means_of(np.array([]), np.array([], int)), np.array([], int), seed=1)
    assert (nobody.items, nobody.people, nobody.note) == (0, 0.0, "not computable: no group has two answers")
    two = np.array([0, 0, 1, 1, 2])  # the third item has one answer
    few = split_half(means_of(np.arange(5.0), two), two, seed=1, draws=5)
    assert (few.items, few.note) == (2, "not computable: fewer than three items have scores in both parts")
    items = np.tile(np.arange(3), 2)
    flat = split_half(means_of(np.ones(6), items), items, seed=1, draws=5)
    assert (flat.items, flat.people, flat.note) == (3, 2.0, "not computable: the scores of a part are constant")


def test_correlations_leave_out_what_either_lacks():
    a = np.array([[1.0, 2.0, 3.0, 100.0], [1.0, 1.0, 1.0, 1.0], [1.0, 2.0, NAN, NAN]])
    b = np.array([[2.0, 1.0, 3.0, NAN], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]])
    assert correlations(a, b)[0] == pytest.approx(0.5)  # 1 2 3 with 2 1 3
    assert correlations(a**3, b, ranks=True)[0] == pytest.approx(0.5)
    assert np.isnan(correlations(a, b)[1:]).all()


def test_one_answer_of_each_group_is_drawn_by_all_answers_alike():
    groups = np.array([3, 8, 3, 8, 3])
    masks = np.concatenate(list(single_answers(groups, seed=1, draws=3000)))
    assert set(masks[:, groups == 3].sum(axis=1)) == set(masks[:, groups == 8].sum(axis=1)) == {1}
    assert masks.mean(axis=0) == pytest.approx([1 / 3, 1 / 2, 1 / 3, 1 / 2, 1 / 3], abs=0.04)


def test_one_person_has_less_weight_than_the_rest():
    # Four people with errors as large as the truth: one correlates with three by √(1/2 · 1/(1 + 1/3)) = 0.612.
    source = np.random.default_rng(2)
    people = source.normal(size=3000) + source.normal(size=(4, 3000))
    items = np.tile(np.arange(3000), 4)

    def means(mask: np.ndarray) -> np.ndarray:
        counted = mask.reshape(-1, 4, 3000)
        return (counted * people).sum(axis=1) / counted.sum(axis=1)

    one = one_with_rest(means, items, seed=1, draws=10)
    assert one.split_half == pytest.approx(0.612, abs=0.03)
    assert (one.people, one.reliability, one.note) == (4, None, None)


def test_the_people_of_a_ceiling_are_those_of_the_groups_that_could_be_split():
    """Three pairs were rated twice, and agree; the fourth was rated once, and takes no part."""
    ratings, items = np.array([1.0, 2, 4, 1, 2, 4, 9]), np.array([0, 1, 2, 0, 1, 2, 3])
    is_item = items[:, None] == np.arange(4)

    def means(mask):
        counts = mask.astype(float) @ is_item
        return np.where(counts > 0, (mask * ratings) @ is_item / np.maximum(counts, 1), np.nan)

    scored = []

    def noted(mask):
        scored.append(mask)
        return means(mask)

    for agreement in (split_half(noted, items, seed=1), one_with_rest(noted, items, seed=1)):
        assert (agreement.items, agreement.people, agreement.split_half) == (3, 2.0, pytest.approx(1))
    assert not any(mask[:, 6].any() for mask in scored)  # nor in a score that is relative to all answers


def test_as_many_splits_are_drawn_as_are_asked_for():
    groups = np.array([3, 8, 3, 8])
    for draw in (halves, single_answers):
        assert sum(len(mask) for mask in draw(groups, seed=1, draws=150)) == 150


def test_the_only_answer_of_a_group_is_the_one_that_is_drawn():
    (masks,) = single_answers(np.array([3, 8, 3]), seed=1, draws=20)
    assert masks[:, 1].all()
    assert not masks[:, [0, 2]].all(axis=1).any()


def test_halves_that_contradict_each_other_have_no_reliability():
    """Each item was called 1 and 2. If a half has the same answer to all items, it has no correlation; else it is -1."""
    items = np.tile(np.arange(3), 2)
    result = split_half(means_of(np.repeat([1.0, 2.0], 3), items), items, seed=1, draws=50)
    assert (result.items, result.split_half, result.reliability) == (3, pytest.approx(-1), None)
    assert result.note == "no reliability: the halves contradict each other"


def test_the_items_of_a_ceiling_are_those_of_the_split_that_scores_most():
    """Two people rated the items 3 and 4; where one half has all ratings of item 3, neither item has two scores."""
    items = np.array([0, 1, 2, 0, 1, 2, 3, 4, 3, 4])
    groups = np.array([0, 1, 2, 0, 1, 2, 3, 3, 4, 4])
    result = split_half(means_of(np.arange(10.0), items), groups, seed=1, draws=50)
    assert (result.items, result.people) == (5, 2.0)


def test_where_no_split_scores_anything_no_item_is_counted():
    items = np.tile(np.arange(3), 2)
    result = split_half(lambda mask: np.full((len(mask), 3), NAN), items, seed=1, draws=5)
    assert (result.items, result.note) == (0, "not computable: fewer than three items have scores in both parts")
    alone = split_half(means_of(np.ones(1), np.zeros(1, int)), np.zeros(1, int), seed=1, draws=5)
    assert (alone.items, alone.people) == (0, 1.0)
