"""The answers about other targets, with the relata of this one."""

import itertools

import numpy as np
import polars as pl
import pytest
from relprobe.studies.relations.analyses.use import use
from relprobe.studies.relations.method import Choices

from tests.studies.relations.compare.blind import agent, listed, orders, shuffled, study

PAIR = ["target", "relation", "versus"]
DEPTH = 3


def by_hand(gold, say, rank):
    """Return PAIR -> the mean of d(s) - d(r) over the other targets, by the definition and all orders of ties."""
    asked, sets = {}, {}
    for relation, target, prompt in gold.probes.select("relation", "target", "prompt_id").iter_rows():
        asked.setdefault((target, relation), []).append(prompt)
    for target, relation, word in gold.relata.select("target", "relation", "relatum").iter_rows():
        sets.setdefault((target, relation), set()).add(word)

    def d(relation, about, prompt, right):
        pairs = [(word, weight) for word, weight in say(relation, about, prompt) if word != about]
        ranks = []
        for order in orders(pairs):
            places = [order.index(word) / DEPTH if word in order[:DEPTH] else 1.0 for word in right]
            ranks.append(min(places) if rank == "best" else np.mean(places))
        return np.mean(ranks)

    found = {}
    for target, r, s in itertools.product({key[0] for key in asked}, *[["HYP", "SYN", "MER"]] * 2):
        both = [other for other, one in asked if one == r and (other, s) in asked]
        if r == s or target not in both:
            continue
        right = sets[target, r], sets[target, s]
        others = [other for other in both if other not in {target, *right[0], *right[1]}]
        if others:
            found[target, r, s] = np.mean(
                [np.mean([d(r, o, p, right[1]) - d(r, o, p, right[0]) for p in asked[o, r]]) for o in others]
            )
    return found


def sums(table):
    means = table.drop_nulls("others").group_by(PAIR).agg(pl.col("others").sum())
    return {tuple(row[:3]): row[3] for row in means.rows()}


@pytest.mark.parametrize("rank", ["best", "mean"])
@pytest.mark.parametrize("seed", range(4))
def test_others_are_the_mean_over_the_other_targets_whatever_ties_and_gaps_there_are(seed, rank):
    gold = study(seed=seed, lost=0.3 if seed % 2 else 0.0)

    def say(*key):
        words = shuffled(gold, *key)[:5]
        weights = [4, 2, 2, 1, 1] if key[2].endswith("2") or seed < 2 else [5, 4, 3, 2, 1]
        return [(word, float(weight)) for word, weight in zip(words, weights, strict=True)]

    found = sums(use([agent(gold, say)], Choices(k=DEPTH, rank=rank)))
    assert found == pytest.approx(by_hand(gold, say, rank))
    assert len(found) > 10


def contrasts(gold, say, **options):
    """Return the plain contrast of each target and pair, and that for this target."""
    table = use([agent(gold, say, **options)], Choices(k=DEPTH))
    means = table.group_by(PAIR).agg(pl.col("value").mean(), pl.col("others").sum()).drop_nulls()
    order = pl.concat_list("relation", "versus").list.sort().alias("pair")
    both = means.group_by("target", order).agg(pl.col("value").sum(), pl.col("others").sum())
    return both["value"].to_numpy(), (both["value"] - both["others"]).to_numpy()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lost", [0.0, 0.4])
def test_one_list_per_target_has_no_contrast_of_any_kind_whatever_probes_it_lacks(seed, lost):
    gold = study(seed=seed, lost=lost)
    plain, specific = contrasts(gold, lambda _relation, target, _prompt: listed(shuffled(gold, target)))
    assert np.abs(plain).max() < 1e-12
    assert np.abs(specific).max() < 1e-12
    assert len(plain) > 5


@pytest.mark.parametrize("seed", range(3))
def test_one_list_per_relation_has_a_plain_contrast_and_none_for_this_target(seed):
    """A list of words that are no targets: it is the same about all of them."""
    gold = study(targets=12, words=30, seed=seed)
    outside = [f"w{i}" for i in range(12, 30)]
    counts = dict(
        gold.relata.filter(pl.col("relatum").is_in(outside))
        .group_by("relation", "relatum")
        .len()
        .select(pl.concat_str("relation", "relatum"), "len")
        .iter_rows()
    )

    def stereotypes(relation, _target, _prompt):
        return listed(sorted(outside, key=lambda word: -counts.get(relation + word, 0)))

    plain, specific = contrasts(gold, stereotypes)
    assert plain.mean() > 0.1
    assert np.abs(specific).max() < 1e-12


def test_who_reads_the_pair_has_both():
    gold = study(targets=12, words=30)
    right = {}
    for target, relation, word in gold.relata.select("target", "relation", "relatum").iter_rows():
        right.setdefault((relation, target), []).append(word)
    plain, specific = contrasts(gold, lambda relation, target, _prompt: listed(right[relation, target]))
    assert plain.min() == 2.0
    assert specific.mean() > 1.5


def test_a_lone_pair_of_relations_has_no_others():
    gold = study(targets=1)
    table = use([agent(gold, lambda *key: listed(shuffled(gold, *key)))], Choices())
    assert table["others"].null_count() == table.height > 0
