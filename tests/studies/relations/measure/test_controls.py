"""The control agents: their answers to a study made by hand, and that they know nothing of the relation."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import wordfreq
from relprobe.core.relation import TUPLES
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.relations.controls import ControlFiles, answer_words, control_responses
from relprobe.studies.relations.method import Choices, GoldStandard, completeness, judge, soundness
from relprobe.studies.relations.schemas import PROBES, RESPONSES
from relprobe.studies.relations.tuples import CANDIDATES
from relprobe.studies.relations.values import RELATIONS

HYPERNYMS = {"robin": ["bird", "animal"], "owl": ["bird", "animal"], "oak": ["tree", "plant"], "bird": ["animal"]}
ROWS = [(target, "HYP", relatum, ["hand"]) for target, own in HYPERNYMS.items() for relatum in own]
ROWS += [("robin", "MER", "wing", ["hand"])]
TUPLE_TABLE = pl.DataFrame(ROWS, schema=TUPLES, orient="row")
WORDS = ["animal", "bird", "oak", "owl", "plant", "robin", "tree", "wing", "##ing"]


def probe(target, relation="HYP", kind="main"):
    prompt = relation.lower()
    return (f"{prompt}:{target}", relation, target, prompt, kind, f"{target} [V]", [])


def gold(*more):
    targets = [probe(target) for target in HYPERNYMS] + [probe("robin", "MER"), probe("wing", "HYP", "trick"), *more]
    probes = pl.DataFrame(targets, schema=PROBES, orient="row")
    return GoldStandard(probes, TUPLE_TABLE, TUPLE_TABLE, pl.DataFrame({"word": WORDS}), RELATIONS)


def answered(control, study=None, size=20, **options):
    table = control_responses(control, study or gold(), size, "en", ControlFiles(**options))
    assert table.schema == RESPONSES
    lists = table.with_columns(pl.col("words").cast(pl.List(pl.String)))
    return {probe: dict(zip(words, weights, strict=True)) for probe, words, weights in lists.iter_rows()}


def test_the_majority_answers_with_the_relata_of_the_other_targets():
    # Without robin's own two, animal is a relatum of owl and bird, bird of owl, tree and plant of oak: of 3 other targets.
    said = answered("majority")
    assert said["hyp:robin"] == pytest.approx({"animal": 2 / 3, "bird": 1 / 3, "plant": 1 / 3, "tree": 1 / 3})
    assert next(iter(said["hyp:robin"])) == "animal"
    # Nobody shares oak's relata; bird is no answer about itself.
    assert said["hyp:oak"] == pytest.approx({"animal": 1.0, "bird": 2 / 3})
    assert said["hyp:bird"] == pytest.approx({"animal": 2 / 3, "plant": 1 / 3, "tree": 1 / 3})


def test_a_trick_probe_has_the_relata_of_all_targets_and_a_lone_target_has_no_majority():
    said = answered("majority")
    assert said["hyp:wing"] == pytest.approx({"animal": 3 / 4, "bird": 1 / 2, "plant": 1 / 4, "tree": 1 / 4})
    assert "mer:robin" not in said


def test_ties_of_the_majority_count_by_their_expected_value():
    one = judge(control_responses("majority", gold(), 20, "en", ControlFiles()), gold())
    values = dict(soundness(one, Choices(ties="expected")).select("target", "value").iter_rows())
    assert values == {"robin": 1.0, "owl": 1.0, "oak": 0.0, "bird": 1.0}
    # Of owl's two relata animal is first, and bird ties with plant and tree for the second place: (1 + 1/3) / 2.
    recall = completeness(one, Choices(ties="expected")).filter(target="owl")["value"].item()
    assert recall == pytest.approx(2 / 3)


def test_words_that_tie_with_the_last_are_there_too():
    assert list(answered("majority", size=1)["hyp:robin"]) == ["animal"]
    assert list(answered("majority", size=2)["hyp:robin"]) == ["animal", "bird", "plant", "tree"]


VECTORS = StaticVectors(
    {"robin": 0, "owl": 1, "bird": 2, "wing": 3, "oak": 4},
    np.array([[4, 3], [3, 4], [5, 0], [0, 5], [-3, -4]], np.float32),
)


def test_neighbours_are_the_same_list_whatever_is_asked():
    said = answered("neighbours", vectors=VECTORS)
    assert said["hyp:robin"] == pytest.approx({"owl": 24 / 25, "bird": 4 / 5, "wing": 3 / 5, "oak": -24 / 25})
    assert said["mer:robin"] == said["hyp:robin"]


def test_a_target_of_several_words_has_their_mean_vector_and_an_unknown_one_no_answer():
    study = gold(probe("robin wing"), probe("wug"))
    said = answered("neighbours", study, vectors=VECTORS)
    assert (
        next(iter(said["hyp:robin wing"])) == "owl"
    )  # (2, 4) has the cosine 22 / √500 with (3, 4), 20 / √500 with wing
    assert "hyp:wug" not in said


@pytest.mark.parametrize("control", ["neighbours", "typical", "nearest"])
def test_three_controls_need_vectors(control):
    with pytest.raises(ValueError, match=r"need.* static vectors"):
        control_responses(control, gold(), 5, "en", ControlFiles())


def test_the_words_of_a_resource_count_as_further_targets_unless_they_are_asked_about():
    rows = [("duck", "HYP", "bird", []), ("wren", "HYP", "bird", []), ("oak", "HYP", "owl", [])]
    said = answered("majority", resource=pl.DataFrame(rows, schema=TUPLES, orient="row"))
    # Of owl, oak, bird, duck and wren, three have bird; what the resource knows of oak itself does not count.
    assert said["hyp:robin"] == pytest.approx({"bird": 3 / 5, "animal": 2 / 5, "plant": 1 / 5, "tree": 1 / 5})


def test_the_typical_are_the_relata_of_other_targets_in_the_order_of_nearness():
    said = answered("typical", vectors=VECTORS)
    # animal, plant and tree have no vector; of the hypernyms of the others only bird has one.
    assert said["hyp:robin"] == pytest.approx({"bird": 4 / 5})
    more = StaticVectors({**VECTORS.rows, "tree": 5, "animal": 6}, np.vstack([VECTORS.matrix, [[5, 5], [-1, 3]]]))
    said = answered("typical", vectors=more)
    assert list(said["hyp:robin"]) == ["tree", "bird", "animal"]
    assert list(said["hyp:owl"]) == ["tree", "bird", "animal"]
    assert list(said["hyp:oak"]) == ["animal", "bird"]
    assert "mer:robin" not in said  # no other target has meronyms


def test_the_typical_knows_nothing_of_the_pair():
    """Without oak's own hypernyms nobody has plant: what oak alone has is never among the answers about oak."""
    vectors = StaticVectors({word: place for place, word in enumerate(WORDS)}, np.eye(9, dtype=np.float32) + 0.1)
    assert not {"plant", "tree"} & set(answered("typical", vectors=vectors)["hyp:oak"])
    assert answered("typical", vectors=vectors)["hyp:wing"].keys() == answered("majority")["hyp:wing"].keys()


def test_the_frequent_words_are_the_same_for_everybody_but_for_the_target():
    ordered = sorted(set(WORDS) - {"##ing"}, key=lambda word: -wordfreq.word_frequency(word, "en"))
    for probe_id, words in answered("frequency").items():
        assert list(words) == [word for word in ordered if word != probe_id.partition(":")[2]]
    assert answered("frequency")["hyp:owl"]["tree"] == pytest.approx(wordfreq.word_frequency("tree", "en"))


def test_no_control_answers_with_the_target_or_with_what_is_no_word():
    for control in ("majority", "neighbours", "typical", "frequency", "nearest"):
        for probe_id, words in answered(control, vectors=VECTORS).items():
            assert probe_id.partition(":")[2] not in words
            assert set(words) <= set(WORDS) - {"##ing"}


def test_closed_lists_limit_the_answers():
    rows = [("HYP", None, "animal"), ("HYP", None, "tree"), ("HYP", "oak", "bird"), ("MER", None, "wing")]
    lists = pl.DataFrame(rows, schema=CANDIDATES, orient="row")
    said = answered("majority", candidates=lists)
    assert list(said["hyp:robin"]) == ["animal", "tree"]
    assert list(said["hyp:oak"]) == ["bird"]
    assert list(answered("frequency", candidates=lists)["mer:robin"]) == ["wing"]


def test_a_control_answers_with_each_word_once_in_the_order_of_the_alphabet():
    words = ["robin", "bird", "42", "robin", "ice cream", "-", "crème", "l’eau"]
    gold = SimpleNamespace(shared_lexicon=pl.DataFrame({"word": words}))
    assert answer_words(gold).to_list() == ["bird", "crème", "ice cream", "l’eau", "robin"]
