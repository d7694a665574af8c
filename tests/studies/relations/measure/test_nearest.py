"""The control `nearest`: what a look-up of similar words says, and that it never sees the set that it is judged by."""

import numpy as np
import polars as pl
import pytest
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.relations.controls import ControlFiles, control_responses
from relprobe.studies.relations.method import Choices, GoldStandard, judge, soundness
from relprobe.studies.relations.nearest import NEAR_ALONE, best_taste, relata_by_relation
from relprobe.studies.relations.schemas import PROBES, RELATA
from relprobe.studies.relations.values import RELATIONS

FAMILIES = {"bird": 0, "tree": 1, "tool": 2, "fish": 3}
WORDS = [f"{family}{i}" for family in FAMILIES for i in range(12)]
"""The words of a family are near to each other, and far from their hypernym, which all of them share."""


def world(seed=0):
    random = np.random.default_rng(seed)
    centres = np.eye(8)[:4] * 3
    rows = [centres[FAMILIES[word.rstrip("0123456789")]] + random.normal(0, 0.3, 8) for word in WORDS]
    rows += list(np.eye(8)[4:] * 3)  # the hypernyms
    names = [*WORDS, *FAMILIES]
    return StaticVectors({word: place for place, word in enumerate(names)}, np.array(rows, np.float32)), names


def sets(words, relation="HYP"):
    rows = [(word, relation, word.rstrip("0123456789"), ["hand"]) for word in words]
    return pl.DataFrame(rows, schema=RELATA, orient="row")


def gold(words, names, relation="HYP", relata=None):
    probes = [(f"p:{word}", relation, word, "p", "main", "", []) for word in words]
    own = sets(words, relation) if relata is None else relata
    lexicon = pl.DataFrame({"word": names})
    return GoldStandard(pl.DataFrame(probes, schema=PROBES, orient="row"), own, own, lexicon, RELATIONS)


def said(study, vectors, resource):
    table = control_responses("nearest", study, 5, "en", ControlFiles(vectors, resource=resource))
    return {probe: list(words) for probe, words, _ in table.iter_rows()}


def test_similar_words_tell_the_answer_where_no_target_shares_it():
    vectors, names = world()
    study = gold(["bird0", "tree0", "tool0", "fish0"], names)
    table = control_responses("nearest", study, 5, "en", ControlFiles(vectors, resource=sets(WORDS)))
    assert soundness(judge(table, study), Choices())["value"].to_list() == [1.0] * 4
    typical = control_responses("typical", study, 5, "en", ControlFiles(vectors))
    assert soundness(judge(typical, study), Choices())["value"].mean() == 0


@pytest.mark.parametrize("resource", [True, False])
def test_the_set_of_a_target_changes_no_answer_about_it(resource):
    """With a resource no set of any target does, and without it the sets of the others do."""
    vectors, names = world()
    targets = WORDS[::3]
    outside = sets(WORDS) if resource else None
    before = said(gold(targets, names), vectors, outside)
    for target in (targets[0], targets[1]):
        swapped = sets(targets).with_columns(
            relatum=pl.when(pl.col("target") == target).then(pl.lit("fish")).otherwise("relatum")
        )
        after = said(gold(targets, names, relata=swapped), vectors, outside)
        assert after[f"p:{target}"] == before[f"p:{target}"]


def test_words_of_the_study_are_not_looked_up():
    vectors, names = world()
    assert said(gold(WORDS, names), vectors, sets(WORDS)) == said(gold(WORDS, names), vectors, sets([]))


def test_the_taste_is_that_by_which_left_out_words_are_right():
    vectors, names = world()
    words = pl.Series(names)
    known = relata_by_relation(sets(WORDS), words, vectors)["HYP"]
    weight, width = best_taste(known, vectors.unit(words), words)
    assert weight > 0
    assert width is not None  # the hypernyms are equally frequent: only the nearness of the words that have them tells
    alone = relata_by_relation(sets(WORDS[:1]), words, vectors)["HYP"]
    assert best_taste(alone, vectors.unit(words), words) == NEAR_ALONE


def test_a_target_without_a_vector_and_a_relation_that_nobody_knows_have_no_answer():
    vectors, names = world()
    study = gold(["bird0", "nowhere"], [*names, "nowhere"])
    assert set(said(study, vectors, sets(WORDS))) == {"p:bird0"}
    assert said(gold(["bird0"], names, "MER"), vectors, sets(WORDS)) == {}


def test_the_relata_are_those_of_the_words_with_vectors_by_the_alphabet():
    """Nobody knows where "ash" and "nowhere" stand, so that neither is a row."""
    vectors, names = world()
    rows = [
        ("tree0", "tree"),
        ("nowhere", "bird"),
        ("ash", "tree"),
        ("bird0", "bird"),
        ("bird0", "fish"),
        ("bird0", "x"),
    ]
    table = pl.DataFrame([(word, "HYP", relatum, ["hand"]) for word, relatum in rows], schema=RELATA, orient="row")
    (known,) = relata_by_relation(table, pl.Series(names), vectors).values()
    assert known.words == ["bird0", "tree0"]
    assert known.vectors.tolist() == vectors.unit(["bird0", "tree0"]).tolist()
    assert known.rows == {"bird0": 0, "tree0": 1}
    members = [[names[column] for column in np.flatnonzero(row)] for row in known.member.toarray()]
    assert members == [["bird", "fish"], ["tree"]]


def test_without_a_resource_a_target_is_answered_by_the_taste_of_the_other_half_of_the_targets():
    """By the alphabet, the first, third and fifth target are one half, and the second and fourth the other.

    a, c and e have the relatum x, and e alone has z, to which a and c are nearer. Without its own relata, each is right if
    the logarithm of the share of the other words with a relatum, 2 of 2 and 1 of 2, has the weight 0.5, as 0.5 ln 2 is more
    than the cosine, 0.3, and 0.2 ln 2 is less. b and d have y alone, so that the cosine tells it.
    """
    names = ["x", "y", "z", "a", "b", "c", "d", "e"]
    rows = np.eye(8, dtype=np.float32)
    rows[[3, 5]] *= np.float32(0.91**0.5)
    rows[[3, 5], 2] = 0.3
    vectors = StaticVectors({word: place for place, word in enumerate(names)}, rows)
    words = {"a": "x", "b": "y", "c": "x", "d": "y", "e": "xz"}
    known = [(target, "HYP", relatum, ["hand"]) for target in words for relatum in words[target]]
    study = gold(list(words), names, relata=pl.DataFrame(known, schema=RELATA, orient="row"))
    table = control_responses("nearest", study, 5, "en", ControlFiles(vectors))
    found = {
        probe[2:]: {word: round(weight, 4) for word, weight in zip(answers, weights, strict=True)}
        for probe, answers, weights in table.iter_rows()
    }
    by_cosine = {"a": {"z": 0.3, "x": 0, "y": 0}, "e": {"x": 0, "y": 0}}  # nobody else has z
    half_ln = {0.25: -0.6931, 0.75: -0.1438}
    by_share = {"x": half_ln[0.75], "y": half_ln[0.25], "z": half_ln[0.25]}  # of the four other targets
    assert found == {**by_cosine, "c": by_cosine["a"], "b": by_share, "d": by_share}
