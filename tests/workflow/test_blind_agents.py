"""Agents that do not know what is asked are hardly ever praised in sampled studies, and those that know it are."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.blind import (
    AGENTS,
    STUDIES,
    Question,
    analogies,
    blind,
    definitions,
    degrees,
    praises,
    rates,
    systematicity,
)
from benchmarks.blind.__main__ import table
from benchmarks.blind.worlds import simulated

STUDIES_OF_EACH = 100
ALLOWED = 0.05
PAGE = Path(__file__).parents[2] / "benchmarks/simulated.md"


@pytest.fixture(scope="module")
def world():
    return simulated()


def truths(study, world, seed):
    """Return what is right in a sampled study, as a function of a question and an option."""
    chance = np.random.default_rng(seed)
    if study == "relations":
        return lambda question, option: option in world.members[question.asked].get(question.words[0], ())
    if study == "definitions":
        groups, _, _ = definitions.study_of(world, chance)
        pairs = {frozenset(pair) for pair in groups.select("word", "definition").iter_rows()}
        return lambda question, option: {question.words[0], option} in pairs
    if study == "systematicity":
        columns = systematicity.study_of(world, chance).select("hyponym", "category", "category_plural").iter_rows()
        categories = {hyponym: both for hyponym, *both in columns}
        return lambda question, option: question.asked != "" and option in categories[question.words[0]]
    if study == "degrees":
        ratings = {pair: value for one in degrees.study_of(world, chance) for pair, (value,) in one.ratings.items()}
        return lambda _, option: ratings[option] / 100
    if study == "pairs":
        return lambda question, option: option in world.members[question.asked].get(question.words[0], ())
    pairs, _ = analogies.study_of(world, chance)
    own = {
        f"{head}:{tail}": relation
        for relation, head, (tail,) in pairs.select("relation", "head", "answers").iter_rows()
    }
    return lambda question, option: own.get(option, "") == own.get(":".join(question.words))


@pytest.mark.parametrize("study", STUDIES)
def test_an_agent_that_knows_what_is_asked_is_praised(world, study):
    """It is wrong now and then, so that silence about blind agents is no habit of a study that is too small."""
    draws, right = np.random.default_rng(2), truths(study, world, 2)

    def knower(_):
        return lambda question: [
            2.0 * float(right(question, option)) * (study == "degrees" or draws.random() < 0.9) + 0.2 * draws.random()
            for option in question.options
        ]

    (said,) = praises(study, world, {"knower": knower}, 2).values()
    assert said
    assert ("uses" in said) is (study in ("relations", "analogies"))


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
    said = [praises(study, world, AGENTS[study], seed) for seed in range(1, STUDIES_OF_EACH + 1)]
    shares = {agent: np.mean([bool(one[agent]) for one in said]) for agent in AGENTS[study]}
    assert {agent: share for agent, share in shares.items() if share > ALLOWED} == {}
    number, rates_shown = shown(study)
    first = {agent: round(float(np.mean([bool(one[agent]) for one in said[:number]])), 2) for agent in AGENTS[study]}
    assert rates_shown == first


def shown(study):
    """Return how many samples of a study benchmarks/simulated.md has, and agent -> the rate that it shows."""
    lines = PAGE.read_text().splitlines()
    (head,) = [place for place, line in enumerate(lines) if line.startswith(f"| blind agent | {' | '.join(STUDIES)}")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[head : lines.index("", head)]]
    column = rows[0].index(study)
    assert rows[2][0] == "samples"
    return int(rows[2][column]), {row[0]: float(row[column]) for row in rows[3:] if row[column]}


def test_the_file_shows_the_rate_of_each_agent():
    for study in STUDIES:
        number, found = shown(study)
        assert 1 <= number <= STUDIES_OF_EACH
        assert list(found) == list(AGENTS[study])


def test_the_table_of_rates_is_that_of_the_samples(world):
    found = {
        study: rates(study, world, [1], {"all alike": AGENTS[study]["all alike"]}) for study in ("degrees", "analogies")
    }
    assert table(found).splitlines() == [
        "| blind agent | degrees | analogies |",
        "|---|---:|---:|",
        "| samples | 1 | 1 |",
        "| all alike | 0.00 | 0.00 |",
    ]
