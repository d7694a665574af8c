"""Judgments without a language model: cosines, frequencies, inclusion, and the strong typical control."""

import numpy as np
import polars as pl
import pytest
from relprobe.sources.static_vectors import StaticVectors
from relprobe.stats.rankings import average_precision
from relprobe.studies.pairs import baselines
from relprobe.studies.pairs.baselines import (
    CONTROLS,
    NEAREST,
    TASTES,
    baseline,
    clarke_degree,
    cosines,
    inclusion,
    inverse_inclusion,
    typical_scores,
    weeds_precision,
)
from relprobe.studies.pairs.method import probes
from relprobe.studies.pairs.schemas import JUDGMENTS, KNOWN

from tests.studies.pairs.made import PROMPTS, ROBIN, VECTORS, article, items

ASKED = probes(ROBIN, PROMPTS, article)
NOTHING = pl.DataFrame(schema=KNOWN)


def scores(agent, **more):
    table = baseline(ROBIN, ASKED, NOTHING, VECTORS, agent=agent, language="en", **more)
    assert table.schema == JUDGMENTS
    both = table.filter(prompt="kind"), table.filter(prompt="is")
    assert both[0].drop("prompt").equals(both[1].drop("prompt"))  # the same in each prompt
    return {(first, second): score for first, second, score in both[0].select("first", "second", "score").iter_rows()}


def test_cosines_frequencies_and_yes():
    found = scores("static")
    assert found["robin", "bird"] == pytest.approx(1 / np.sqrt(2))
    assert found["bird", "robin"] == found["robin", "bird"]
    assert found["robin", "wug"] is None  # no vector
    assert (
        scores("frequency")["robin", "bird"]
        == scores("frequency")["robin", "bird"]
        > scores("frequency")["bird", "robin"]
    )
    assert set(scores("yes").values()) == {1.0}
    assert set(baseline(ROBIN, ASKED, NOTHING, None, agent="yes", language="en")["probability"]) == {1.0}


def test_inclusion_by_hand():
    narrow, broad = np.array([4.0, 1, 0]), np.array([2.0, 0, 6])
    assert weeds_precision(narrow, broad) == pytest.approx(4 / 5)
    assert clarke_degree(narrow, broad) == pytest.approx(2 / 5)
    assert inverse_inclusion(narrow, broad) == pytest.approx(np.sqrt(2 / 5 * (1 - 2 / 8)))
    found = baseline(ROBIN, ASKED, NOTHING, VECTORS, agent="inclusion", language="en", measures=["weeds", "invcl"])
    assert set(found["agent"]) == {"inclusion weeds", "inclusion invcl"}
    weeds_score = found.filter(agent="inclusion weeds", prompt="kind", second="bird")["score"].item()
    assert weeds_score == 1.0  # all that the robin has, bird has


def birds_and_fish(number=12):
    """Targets of two kinds near to each other, each with its category, the other one, and a word that is near to all."""
    draws, rows, places, matrix = np.random.default_rng(1), [], {}, []
    for place in range(number):
        for kind, other, centre in (("bird", "fish", 0), ("fish", "bird", 1)):
            name = f"{kind}{place}"
            rows += [(name, name, kind, "right"), (name, name, other, "other target"), (name, name, "thing", "random")]
            places[name] = len(matrix)
            matrix.append(np.eye(3)[centre] + 0.1 * draws.normal(size=3))
    for word in ("bird", "fish", "thing"):
        places[word] = len(matrix)
        matrix.append(np.ones(3))  # no nearer to one kind than to the other
    vectors = type(VECTORS)(places, np.array(matrix, np.float32))
    return items(*rows), vectors


def test_the_typical_control_knows_the_relata_of_near_words_and_never_those_of_the_target():
    table, vectors = birds_and_fish()
    found = typical_scores(table, NOTHING, vectors)
    right = [found["HYP", f"{kind}{place}", kind] for place in range(12) for kind in ("bird", "fish")]
    wrong = [
        found["HYP", f"{kind}{place}", other]
        for place in range(12)
        for kind, other in (("bird", "fish"), ("fish", "bird"))
    ]
    assert all(one > other for one, other in zip(right, wrong, strict=True))
    # A label of its own target changes nothing of what it says about it.
    turned = table.with_columns(
        label=pl.when(pl.col("target") == "bird0").then(pl.col("second") == "thing").otherwise("label")
    )
    other = typical_scores(turned, NOTHING, vectors)
    own = [("HYP", "bird0", word) for word in ("bird", "fish", "thing")]
    assert [found[pair] for pair in own] == [other[pair] for pair in own]


def test_the_typical_control_reads_what_the_resource_knows_and_needs_no_vectors():
    known = pl.DataFrame([("HYP", f"w{number}", "bird") for number in range(9)], schema=KNOWN, orient="row")
    found = typical_scores(ROBIN, known, None)
    assert found["HYP", "robin", "bird"] > found["HYP", "robin", "fish"] == found["HYP", "robin", "wug"]
    own = pl.DataFrame([("HYP", "robin", "fish")], schema=KNOWN, orient="row")
    assert (
        typical_scores(ROBIN, own, None)["HYP", "robin", "fish"]
        == typical_scores(ROBIN, NOTHING, None)["HYP", "robin", "fish"]
    )


def test_all_controls_judge_all_pairs():
    for agent in CONTROLS:
        assert len(scores(agent)) == 4


def test_frequency_is_that_of_the_second_word_in_the_language_and_static_needs_vectors(monkeypatch):
    looked_up = {}
    monkeypatch.setattr(
        baselines, "frequency", lambda *lookup, language: looked_up.setdefault((*lookup, language), len(looked_up))
    )
    found = baseline(ROBIN, ASKED, NOTHING, None, agent="frequency", language="de")
    assert set(looked_up) == {(word, "zipf", "de") for word in ("bird", "robin", "fish", "wug")}
    assert {(second, score) for second, score in found.select("second", "score").iter_rows()} == {
        (word, number) for (word, *_), number in looked_up.items()
    }
    for agent in ("static", "inclusion"):
        with pytest.raises(ValueError, match=f"the agent {agent} needs static vectors"):
            baseline(ROBIN, ASKED, NOTHING, None, agent=agent, language="en", measures=["weeds"])


SIGNED = StaticVectors({"a": 0, "b": 1, "c": 2, "empty": 3}, np.array([[2, -1], [1, -3], [1, 1], [0, 0]], np.float32))


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("weeds", [1.0, 1.0, 2 / 3, 1 / 2]),
        ("clarke", [2 / 3, 2 / 4, 1 / 3, 1 / 2]),
        ("invcl", [(2 / 3 * 2 / 4) ** 0.5, (2 / 4 * 1 / 3) ** 0.5, (1 / 3 * 1 / 2) ** 0.5, (1 / 2 * 2 / 3) ** 0.5]),
    ],
)
def test_the_features_of_a_word_are_the_positive_and_the_negative_parts_of_its_dimensions(measure, expected):
    """Of a they are (2, 0, 0, 1), of b (1, 0, 0, 3), and of c (1, 1, 0, 0)."""
    pairs = [("HYP", *pair) for pair in ("ab", "ba", "ac", "ca")]
    without = [("HYP", "a", "empty"), ("HYP", "empty", "a"), ("HYP", "a", "unknown"), ("HYP", "unknown", "a")]
    found = inclusion([*pairs, *without], SIGNED, measure)
    assert [found[pair] for pair in pairs] == pytest.approx(expected)
    assert [found[pair] for pair in without] == [None] * 4


KNOWN_OF_OTHERS = pl.DataFrame(
    [
        *[("HYP", "wren", "bird"), ("HYP", "wren", "bird"), ("HYP", "owl", "bird"), ("HYP", "eel", "fish")],
        *[("HYP", "robin", "fish"), ("HPO", "oak", "fish"), ("HPO", "wug", "bird")],
    ],
    schema=KNOWN,
    orient="row",
)
OTHER_VECTORS = StaticVectors(
    {"robin": 0, "wren": 1, "eel": 2, "bird": 3, "fish": 4, "wug": 5},
    np.array([[5, 0], [6, 8], [-6, 8], [1, 1], [0, 1], [-1, 0]], np.float32),
)


def test_the_support_of_a_word_is_the_smoothed_share_of_the_other_words_that_have_it():
    """Of robin, wren, owl and eel, the three others of the robin: log((4 s + 1/2) / 5). The bird has four others."""
    found = typical_scores(ROBIN, KNOWN_OF_OTHERS, None)
    supports = {"bird": (4 * 2 / 3 + 0.5) / 5, "fish": (4 / 3 + 0.5) / 5, "wug": 0.5 / 5}
    assert {second: found["HYP", "robin", second] for second in supports} == pytest.approx(
        {second: np.log(support) for second, support in supports.items()}
    )
    assert found["HYP", "bird", "robin"] == pytest.approx(np.log(0.5 / 5))
    alone = typical_scores(ROBIN, NOTHING, None)  # the robin is the only word, and has no other one
    assert alone["HYP", "robin", "bird"] == alone["HYP", "robin", "wug"] == pytest.approx(np.log(0.5 / 2))


@pytest.mark.parametrize(
    ("taste", "bird", "fish", "wug"),
    [
        ((0.0, None), 0.0, 0.0, 0.0),
        ((0.5, None), np.log((4 * 2 / 3 + 0.5) / 5), np.log((4 / 3 + 0.5) / 5), np.log(0.5 / 5)),
        # The wren is at 0.6, the eel at -0.6, and the owl without a vector at 0.
        (
            (2.0, 0.1),
            np.log((4 * (np.exp(6) + 1) / (np.exp(6) + np.exp(-6) + 1) + 0.5) / 5),
            np.log((4 * np.exp(-6) / (np.exp(6) + np.exp(-6) + 1) + 0.5) / 5),
            np.log(0.5 / 5),
        ),
        ((2.0, NEAREST), 0.6, -0.6, -1.0),
    ],
    ids=["cosine", "all alike", "near ones", "the nearest"],
)
def test_words_count_more_the_nearer_they_are_to_the_target_never_the_target_itself(
    monkeypatch, taste, bird, fish, wug
):
    monkeypatch.setattr(baselines, "TASTES", [taste])
    found = typical_scores(ROBIN, KNOWN_OF_OTHERS, OTHER_VECTORS)
    cosine = {"bird": 0.5**0.5, "fish": 0.0, "wug": -1.0}
    expected = {
        word: cosine[word] + taste[0] * support for word, support in zip(cosine, (bird, fish, wug), strict=True)
    }
    assert {word: found["HYP", "robin", word] for word in cosine} == pytest.approx(expected, abs=1e-6)
    without = StaticVectors({"robin": 0, "bird": 1}, np.eye(2, dtype=np.float32))
    assert typical_scores(ROBIN, KNOWN_OF_OTHERS, without)["HYP", "robin", "fish"] is None


def plain_typical(table, vectors):
    """The typical scores with nothing known but the other targets, as the docstring says it: loops over tastes and words."""
    unit = {word: vectors.unit([word])[0].astype(float) for word in {*table["first"], *table["second"]}}
    near = {word: np.nan_to_num(vector) for word, vector in unit.items()}
    relata = {(row["first"], row["second"]) for row in table.filter("label").iter_rows(named=True)}
    words = sorted({first for first, _ in relata})

    def support(first, second, width):
        others = [word for word in words if word != first]
        having = [word for word in others if (word, second) in relata]
        if width == NEAREST:
            return max([-1.0, *(float(near[first] @ near[word]) for word in having)])
        weights = {word: 1.0 if width is None else np.exp(near[first] @ near[word] / width) for word in others}
        share = sum(weights[word] for word in having) / sum(weights.values())
        return np.log((len(words) * share + 0.5) / (len(words) + 1))

    def score(row, taste):
        weight, width = taste
        cosine = float(unit[row["first"]] @ unit[row["second"]])
        return cosine + (weight * support(row["first"], row["second"], width) if weight else 0.0)

    def precision(target, taste):
        rows = [row for row in table.iter_rows(named=True) if row["target"] == target and row["label"] is not None]
        right = np.array([row["label"] for row in rows])
        if right.all() or not right.any():
            return 0.0
        return average_precision(np.nan_to_num([score(row, taste) for row in rows], nan=-np.inf), right)

    targets = table["target"].unique(maintain_order=True).to_list()
    precisions = {target: [precision(target, taste) for taste in TASTES] for target in targets}
    best, found = {}, {}
    for target in targets:
        sums = [round(sum(precisions[other][k] for other in targets if other != target), 9) for k in range(len(TASTES))]
        best[target] = sums.index(max(sums))
    for row in table.iter_rows(named=True):
        value = score(row, TASTES[best[row["target"]]])
        found.setdefault(("HYP", row["first"], row["second"]), None if np.isnan(value) else value)
    return found, best


def test_how_much_others_count_is_what_ranks_the_other_targets_best():
    """Twelve targets have one right word and three foils each; the word w5 has no vector."""
    draws, rows = np.random.default_rng(29), []
    for name in (f"t{number}" for number in range(12)):
        right, *foils = (f"w{word}" for word in draws.choice(6, 4, replace=False, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1]))
        rows += [(name, name, right, "right"), *((name, name, foil, "random") for foil in foils)]
    rows += [("all right", "all right", "w0", "right"), ("all wrong", "all wrong", "w1", "random")]
    no_label = items(("t1", "t1", "w6", "unlabelled")).with_columns(label=pl.lit(None, pl.Boolean))
    table = pl.concat([items(*rows), no_label])
    names = [*(f"t{number}" for number in range(12)), *(f"w{number}" for number in range(5))]
    matrix = draws.normal(size=(len(names), 3)).astype(np.float32)
    vectors = StaticVectors({name: row for row, name in enumerate(names)}, matrix)
    expected, best = plain_typical(table, vectors)
    assert len(set(best.values())) > 2  # or the test would not tell who decides
    found = typical_scores(table, NOTHING, vectors)
    assert found == pytest.approx(expected, abs=1e-5)
    assert found["HYP", "t1", "w6"] is None


def test_a_pair_that_two_conditions_have_is_one_pair_of_the_cosines():
    twice = pl.concat([ROBIN, ROBIN.with_columns(condition=pl.lit("own HYP"))])
    table = baseline(twice, ASKED, NOTHING, VECTORS, agent="static", language="en")
    assert table.equals(baseline(ROBIN, ASKED, NOTHING, VECTORS, agent="static", language="en"))
    assert cosines([("HYP", "wren", "robin")], VECTORS) == {("HYP", "wren", "robin"): pytest.approx(0.6)}


def test_the_typical_words_of_a_relation_are_its_own():
    """The same pairs of two relations: of the one the bird is known to be typical, and of the other the fish."""
    both = pl.concat([ROBIN, ROBIN.with_columns(relation=pl.lit("MER"), condition=pl.lit("MER"))])
    rows = [("HYP", "wren", "bird"), ("HYP", "owl", "bird"), ("MER", "eel", "fish"), ("MER", "cod", "fish")]
    found = typical_scores(both, pl.DataFrame(rows, schema=KNOWN, orient="row"), None)
    assert found["HYP", "robin", "bird"] == found["MER", "robin", "fish"] > found["HYP", "robin", "fish"]
    assert found["HYP", "robin", "fish"] == found["MER", "robin", "bird"]
    assert len(found) == 8
