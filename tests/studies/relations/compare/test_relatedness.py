from dataclasses import replace
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.studies.relations.analyses.first_related import TABLES, by_family, distribution, has
from relprobe.studies.relations.counts import first_related, unrelated
from relprobe.studies.relations.method import Choices, GoldStandard, JudgedAnswers
from relprobe.studies.relations.schemas import METRICS, UNIT

from tests.studies.relations.about import results
from tests.studies.relations.six import SIX

UNITS = pl.DataFrame(
    [("HOL", "wall", "p", 2), ("HOL", "wall", "q", 2), ("HOL", "wall", "r", 2), ("HYP", "robin", "p", 3)],
    schema=[*UNIT, "relata"],
    orient="row",
)
HITS = pl.DataFrame(
    [
        ("HOL", "wall", "p", "main", "partition", "HYP", 3),
        ("HOL", "wall", "p", "main", "building", "HOL", 1),
        ("HOL", "wall", "r", "main", "partition", "HYP", 1),
        ("HOL", "wall", "q", "main", "unsure", None, 1),  # in two relations: in no relatum set
        ("HOL", "wall", "q", "main", "arch", "MER", 4),
        ("HYP", "robin", "p", "trick", "bird", "HYP", 1),  # a trick probe is another question
    ],
    schema=[*UNIT, "kind", "word", "versus", "position"],
    orient="row",
)


def answers(units=UNITS, hits=HITS):
    """Return answers of which only the hits matter."""
    nothing = pl.DataFrame()
    ranked = hits.with_columns(first="position", last="position")
    return JudgedAnswers(nothing, nothing, nothing, nothing, ranked, units, {}, SIX)


def test_the_first_related_word_is_the_best_ranked_one_of_any_relatum_set():
    found = first_related(answers(), Choices())
    assert found.schema == METRICS
    assert set(found.select("target", "prompt_id", "versus", "value").rows()) == {
        ("wall", "p", "HOL", 1.0),
        ("wall", "q", "MER", 4.0),
        ("wall", "r", "HYP", 1.0),
    }


def test_a_response_is_unrelated_if_nothing_among_the_first_words_has_the_prompted_relation():
    found = unrelated(answers(), Choices())
    assert set(found.select("target", "prompt_id", "value").rows()) == {
        ("wall", "p", 0.0),
        ("wall", "q", 1.0),
        ("wall", "r", 1.0),  # its first related word is none of the prompted relation
        ("robin", "p", 1.0),
    }


def test_the_distribution_is_beside_what_was_prompted_for():
    shares = distribution({"m": first_related(answers(), Choices())}, relations=SIX)
    assert {
        (agent, relation): share for relation, share, agent in shares.select("relation", "share", "agent").rows()
    } == {
        ("gold", "HOL"): 1,
        ("m", "HOL"): 1 / 3,
        ("m", "MER"): 1 / 3,
        ("m", "HYP"): 1 / 3,
    }
    assert shares.select("agent", "relation").rows() == [("gold", "HOL"), ("m", "HYP"), ("m", "HOL"), ("m", "MER")]


def test_the_distribution_of_a_run_is_over_the_words_of_all_its_agents():
    found = first_related(answers(), Choices())
    run = results(gold=GoldStandard(*[None] * 4, SIX), metrics={"m": found, "humans": found.filter(prompt_id="p")})
    shares = TABLES["first_related"](run)
    assert shares["agent"].unique(maintain_order=True).to_list() == ["gold", "m", "humans"]
    assert shares.filter(agent="m").equals(distribution({"m": found}, relations=SIX).filter(agent="m"))


def test_a_related_word_beyond_the_first_ones_does_not_count():
    late = HITS.filter(word="building").with_columns(position=pl.lit(3))  # |Y| = 2
    assert unrelated(answers(UNITS.head(1), late), Choices())["value"].to_list() == [1.0]


TIED = pl.DataFrame(
    [
        ("HOL", "wall", "p", "main", "building", "HOL", 2, 2, 5),
        ("HOL", "wall", "p", "main", "partition", "HYP", 4, 2, 5),
        ("HOL", "wall", "p", "main", "house", "HOL", 5, 2, 5),
    ],
    schema=[*UNIT, "kind", "word", "versus", "position", "first", "last"],
    orient="row",
)


def tied(**choices):
    """Return the values of a response whose ranks 2 to 5 tie: three of the four words are related, two of them holonyms."""
    given = replace(answers(), hits=TIED, units=UNITS.head(1).with_columns(relata=pl.lit(3)))
    first, none = first_related(given, Choices(**choices)), unrelated(given, Choices(**choices))
    return first.select("versus", "value").row(0), none["value"].item()


def test_related_words_that_tie_have_the_expected_rank_of_the_first_of_them():
    # After rank 1, the first of three of four words is at place 5/4. The ranks 2 and 3 hold neither holonym in
    # C(2, 2) of C(4, 2) orders.
    assert tied() == (("HOL/HOL/HYP", 1 + 5 / 4), 1 / 6)
    assert tied(ties="listed") == tied(ties="favourable") == (("HOL", 2.0), 0.0)


def test_each_of_the_related_words_that_tie_is_as_likely_the_first_one():
    given = replace(answers(), hits=TIED, units=UNITS.head(1))
    shares = distribution({"m": first_related(given, Choices())}, relations=SIX).filter(agent="m")
    assert dict(shares.select("relation", "share").rows()) == {"HOL": pytest.approx(2 / 3), "HYP": pytest.approx(1 / 3)}


def test_a_word_of_two_relatum_sets_is_one_of_the_words_that_tie():
    both = pl.concat([TIED.head(1), TIED.head(1).with_columns(versus=pl.lit("SYN"))])
    found = first_related(replace(answers(), hits=both, units=UNITS.head(1)), Choices())
    assert found.select("versus", "value").row(0) == ("HOL/SYN", 1 + 5 / 2)  # the only one of four: (4 + 1)/(1 + 1)


def test_a_family_is_averaged_where_it_has_two_models():
    def families(*family_names):
        models = {str(n): {"family": name} if name else {} for n, name in enumerate(family_names)}
        return has({"models": models}, SimpleNamespace(models=[*models][:1], task_agents=[*models][1:]))["families"]

    assert families("a", "b", "a")
    assert not families("a", "b", "c")
    assert not families("a", "", "")


def test_the_models_of_a_family_are_averaged():
    shares = pl.DataFrame(
        [
            ("HYP", 0.5, "gold"),
            ("ANT", 0.5, "gold"),
            ("HYP", 1.0, "small"),
            ("HYP", 0.5, "large"),
            ("ANT", 0.5, "large"),
        ],
        schema=["relation", "share", "agent"],
        orient="row",
    )
    models = {"small": {"family": "F"}, "large": {"family": "F"}}
    assert by_family(shares, models).rows() == [
        ("HYP", 0.5, "gold"),
        ("ANT", 0.5, "gold"),
        ("HYP", 0.75, "F"),
        ("ANT", 0.25, "F"),
    ]


def test_without_agents_there_are_no_shares():
    assert distribution({}, relations=SIX).is_empty()
    assert distribution({}, relations=SIX).columns == ["relation", "share", "agent"]
