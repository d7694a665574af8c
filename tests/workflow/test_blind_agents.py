"""Agents that do not know what is asked are hardly ever praised in sampled studies, and those that know it are."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchmarks.blind import AGENTS, STUDIES, Question, blind, praises, rates
from benchmarks.blind.__main__ import table
from benchmarks.blind.worlds import simulated

STUDIES_OF_EACH = 100
ALLOWED = 0.05
PAGE = Path(__file__).parents[2] / "docs/statistics.md"


@pytest.fixture(scope="module")
def world():
    return simulated()


def knows(whole, share):
    """Return an agent that knows the relata of a share of the words, and answers by their vectors about the others."""
    known = {
        word
        for word, draw in zip(whole.words, np.random.default_rng(1).random(len(whole.words)), strict=True)
        if draw < share
    }

    def right(question, option):
        (word, *_), asked = question.words or ("",), question.asked
        if question.study == "relations":
            return option in whole.members[asked].get(word, ())
        return option.removesuffix("s") in whole.members["HYP"].get(word, ()) and asked != ""

    def agent(_):
        draws = np.random.default_rng(2)
        return lambda question: [
            9.0 * (question.words[:1] != () and question.words[0] in known and right(question, option)) + draws.random()
            for option in question.options
        ]

    return agent


@pytest.mark.parametrize("study", ["relations", "systematicity"])
def test_an_agent_that_knows_the_pairs_is_praised(world, study):
    (said,) = praises(study, world, {"knower": knows(world, 1.0)}, 1).values()
    assert {"ahead", "verdict", *(["uses"] if study == "relations" else [])} <= set(said)


def test_a_blind_agent_of_ten_lines_is_asked_all_that_its_studies_ask(world):
    asked: dict[str, Question] = {}

    def agent_of_a_test(_):
        def answer(question):
            asked[question.study] = question
            return [float(len(option)) for option in question.options]

        return answer

    blind()(agent_of_a_test)
    own = {study: {"agent of a test": AGENTS[study].pop("agent of a test")} for study in STUDIES}
    assert all(praises(study, world, own[study], 1) == {"agent of a test": []} for study in STUDIES)
    assert list(asked) == list(STUDIES)
    assert all(question.words and len(question.options) > 1 for question in asked.values())


def test_no_agent_sees_which_option_is_right(world):
    """The first option, and the last one, are right no more often than another."""
    first = {
        "first": AGENTS["relations"]["as listed"],
        "last": lambda _: lambda question: np.arange(len(question.options)),
    }
    for study in STUDIES[1:]:
        assert praises(study, world, first, 3) == {"first": [], "last": []}


@pytest.mark.slow("it samples a hundred of each study")
@pytest.mark.parametrize("study", STUDIES)
def test_no_blind_agent_is_praised_in_more_than_one_of_twenty_studies(world, study):
    found = rates(study, world, range(1, STUDIES_OF_EACH + 1))
    assert dict(found.filter(pl.col("praised") > ALLOWED).select("agent", "praised").iter_rows()) == {}
    assert shown(study) == dict(found.select("agent", pl.col("praised").round(2)).iter_rows()), table({study: found})


def shown(study):
    """Return agent -> the rate that docs/statistics.md shows for a study."""
    lines = PAGE.read_text().splitlines()
    (head,) = [place for place, line in enumerate(lines) if line.startswith(f"| blind agent | {' | '.join(STUDIES)}")]
    cells = [re.split(r"\s*\|\s*", line.strip("| ")) for line in lines[head:]]
    column = cells[0].index(study)
    rows = cells[2 : next(place for place, row in enumerate(cells) if row == [""])]
    return {row[0]: float(row[column]) for row in rows if row[column : column + 1] not in ([], [""])}


def test_the_page_shows_the_rate_of_each_agent():
    assert {study: list(shown(study)) for study in STUDIES} == {study: list(AGENTS[study]) for study in STUDIES}
