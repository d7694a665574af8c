"""Agents that know no pair of words are hardly ever praised in sampled studies, and one that knows some is."""

import numpy as np
import pytest

from benchmarks.blind import AGENTS, near_and_popular, praises, rates, simulated

STUDIES = 100
ALLOWED = 0.05


@pytest.fixture(scope="module")
def world():
    return simulated()


def knows(share):
    """Return an agent that knows a share of the words, and answers about the others as a blind one does."""

    def of_world(whole):
        places = {word: place for place, word in enumerate(whole.words)}
        grouped = whole.sets.group_by("relation", "target").agg("relatum")
        sets = {(relation, target): relata for relation, target, relata in grouped.iter_rows()}
        known = {
            word
            for word, draw in zip(whole.words, np.random.default_rng(1).random(len(whole.words)), strict=True)
            if draw < share
        }

        def agent(seen):
            blind = near_and_popular(seen)

            def ranking(relation, target):
                weights = blind(relation, target).copy()
                if target in known:
                    weights[[places[word] for word in sets.get((relation, target), [])]] = 9
                return weights

            return ranking

        return agent

    return of_world


def test_an_agent_that_knows_the_pairs_is_praised(world):
    assert any("uses" in sentence for sentence in praises(world, {"knower": knows(1.0)(world)}, 1)["knower"])


@pytest.mark.slow("it samples a hundred studies")
def test_no_blind_agent_is_praised_in_more_than_one_of_twenty_studies(world):
    table = rates(world, range(1, STUDIES + 1), AGENTS | {"knower": knows(0.8)(world)})
    praised = dict(table.select("agent", "praised").iter_rows())
    assert praised.pop("knower") > 0.8
    assert {agent: share for agent, share in praised.items() if share > ALLOWED} == {}
