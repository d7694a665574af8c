"""The prompts: their file, its faults, and what the results of several prompts say."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.ask.probes import Asking, probes
from relprobe.studies.systematicity.ask.prompts import Prompt, read
from relprobe.studies.systematicity.compare.sensitivity import sensitivity
from relprobe.studies.systematicity.compare.wordings import tables

from tests.paths import ROOT
from tests.studies.systematicity.measure.test_metrics import responses

FILE = ROOT / "resources/prompts/systematicity.yaml"
CATEGORIES = {"animals": ["bird", "insect"], "objects": ["tool", "vehicle"]}
NAMES = {"singular": ["paper", "every"], "plural": ["paper", "the"]}


def write(folder, singular="[{id: paper, text: 'A [W] is a [V].'}]", plural="[{id: paper, text: '[W] are [V].'}]"):
    path = folder / "prompts.yaml"
    path.write_text(f"singular: {singular}\nplural: {plural}\n")
    return path


def test_the_shipped_prompts_begin_with_the_papers_and_vary_number_determiner_capital_and_full_stop():
    prompts = read(FILE)
    assert [prompts[number][0].id for number in ("singular", "plural")] == ["paper", "paper"]
    of_wasp = [prompt.fill("wasp", "insect") for prompt in prompts["singular"]]
    assert of_wasp[0] == "A wasp is an [V]."
    assert {"The wasp is an [V].", "Every wasp is an [V].", "a wasp is an [V].", "A wasp is an [V]"} < set(of_wasp)
    of_wasps = [prompt.fill("wasps", "insects") for prompt in prompts["plural"]]
    assert of_wasps[0] == "wasps are [V]."
    assert {"The wasps are [V].", "All wasps are [V].", "Most wasps are [V].", "Wasps are [V].", "wasps are [V]"} < set(
        of_wasps
    )


def test_as_many_prompts_are_read_as_are_wanted():
    assert [len(of_number) for of_number in read(FILE, 3).values()] == [3, 3]
    assert [prompt.id for prompt in read(FILE, 1)["plural"]] == ["paper"]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (Prompt("x", "[DET] [W] is [DET] [V].", capital=True), "An ant is an [V]."),
        (Prompt("x", "[DET] [W] is [DET] [V]."), "an ant is an [V]."),
        (Prompt("x", "[DET] [W] is a kind of [V]"), "an ant is a kind of [V]"),
        (Prompt("x", "[W] are [V].", capital=True), "Ant are [V]."),
    ],
)
def test_a_prompt_has_the_articles_and_capitals_that_it_needs(prompt, expected):
    assert prompt.fill("ant", "insect") == expected


@pytest.mark.parametrize(
    ("singular", "said"),
    [
        ("[]", "singular must be a list of prompts"),
        ("[{id: a}]", "must have an id and a text"),
        ("[{id: A b, text: '[W] is [V]'}]", "must have an id of lower-case letters"),
        ("[{id: a, text: 'it is [V]'}]", r"must have a text with one \[W\] and one \[V\]"),
        ("[{id: a, text: '[V] is [W]'}]", "has its slot before the hyponym"),
        ("[{id: a, text: '[DET] small [W] is [V]'}]", r"has a \[DET\] that does not stand before"),
        ("[{id: a, text: '[W] is [V]', extra: 1}]", "may have `capital`"),
        ("[{id: a, text: '[W] is [V]'}, {id: a, text: '[W] was [V]'}]", "two prompts of singular have the id 'a'"),
    ],
)
def test_a_wrong_prompt_is_named(tmp_path, singular, said):
    with pytest.raises(DataError, match=said):
        read(write(tmp_path, singular))


def test_a_file_needs_both_numbers(tmp_path):
    (tmp_path / "prompts.yaml").write_text("singular: [{id: a, text: '[W] is [V]'}]")
    with pytest.raises(DataError, match="must have the two sections singular and plural"):
        read(tmp_path / "prompts.yaml")


@pytest.fixture
def asked():
    words = [("robin", "bird"), ("wren", "bird"), ("ant", "insect"), ("saw", "tool")]
    rows = [("own", word, category, f"{word}s", f"{category}s", None, None, None) for word, category in words]
    items = pl.DataFrame(rows, schema=ITEMS, orient="row")
    prompts = {
        "singular": [
            Prompt("paper", "[DET] [W] is [DET] [V].", capital=True),
            Prompt("every", "Every [W] is [DET] [V]."),
        ],
        "plural": [Prompt("paper", "[W] are [V]."), Prompt("the", "The [W] are [V].")],
    }
    return items, probes(items, CATEGORIES, Asking(prompts))


def choosing(items, asked, chosen):
    """Scores of a model that chooses the right category for the words in `chosen[number, prompt]`, and another one else."""
    rows = []
    for row in asked.filter(pl.col("kind").is_in(["singular", "plural"])).iter_rows(named=True):
        right = items.filter(hyponym=row["hyponym"])["category"].item()
        place = list(CATEGORIES["animals"] + CATEGORIES["objects"]).index(right)
        if row["hyponym"] not in chosen[row["kind"], row["prompt"]]:
            place = (place + 1) % 4
        scores = [-1.0 if i == place else -3.0 for i in range(4)]
        rows.append((row["probe_id"], "slot", row["candidates"], scores, [1] * 4, []))
    return responses(*rows)


def test_accuracies_stand_per_prompt_with_their_spread_and_agreement(asked):
    """Right of four: paper 3 and every 2 in the singular, paper 1 and the 3 in the plural."""
    items, table = asked
    chosen = {
        ("singular", "paper"): {"robin", "wren", "ant"},
        ("singular", "every"): {"robin", "saw"},
        ("plural", "paper"): {"robin"},
        ("plural", "the"): {"robin", "wren", "saw"},
    }
    found = tables({"m": choosing(items, table, chosen)}, table, items, 1)
    each = found["prompts"]
    assert each.select("number", "prompt", "example", "accuracy", "hyponyms").rows() == [
        ("singular", "paper", "A robin is a [V].", 3 / 4, 4),
        ("singular", "every", "Every robin is a [V].", 2 / 4, 4),
        ("plural", "paper", "robins are [V].", 1 / 4, 4),
        ("plural", "the", "The robins are [V].", 3 / 4, 4),
    ]
    assert ((each["low"] <= each["accuracy"]) & (each["accuracy"] <= each["high"])).all()
    spread = {row["number"]: row for row in found["prompt_spread"].iter_rows(named=True)}
    plural = spread["plural"]
    assert [plural[name] for name in ("prompts", "first", "mean", "lowest", "highest")] == [
        2,
        1 / 4,
        1 / 2,
        1 / 4,
        3 / 4,
    ]
    assert plural["sd"] == pytest.approx((2 * (1 / 4) ** 2) ** 0.5)
    assert (plural["lowest_prompt"], plural["highest_prompt"]) == ("paper", "the")
    pairs = {(row["a"], row["b"]): row for row in found["prompt_pairs"].iter_rows(named=True)}
    assert len(pairs) == 6
    # Of robin, wren and ant, robin alone is right in the paper's plural, and robin and wren in the other one.
    paper = pairs["singular paper", "plural paper"]
    assert (paper["right_a"], paper["both"], paper["b_if_a"]) == (3, 1 / 4, pytest.approx(1 / 3))
    the = pairs["singular paper", "plural the"]
    assert (the["both"], the["b_if_a"]) == (2 / 4, pytest.approx(2 / 3))
    # Both right 2, one alone 1 and 1, neither 0: (2 · 0 - 1 · 1) over the root of the margins 3, 1, 3 and 1.
    assert the["phi"] == pytest.approx(-1 / 3)
    # Two prompts of one number: robin of robin, wren and ant.
    assert pairs["singular paper", "singular every"]["b_if_a"] == pytest.approx(1 / 3)


def test_a_prompt_under_which_nothing_is_right_says_nothing_about_the_others(asked):
    items, table = asked
    chosen = {(number, name): set() for number, names in NAMES.items() for name in names}
    found = tables({"m": choosing(items, table, chosen)}, table, items, 1)["prompt_pairs"]
    assert set(found["right_a"]) == {0}
    assert found["b_if_a"].null_count() == found["phi"].null_count() == found.height


def test_the_choices_stand_in_one_table_with_their_effect(asked):
    items, table = asked
    chosen = {
        ("singular", "paper"): {"robin", "wren", "ant"},
        ("singular", "every"): {"robin"},
        ("plural", "paper"): {"robin"},
        ("plural", "the"): {"robin", "wren", "ant"},
    }
    found = sensitivity({"m": choosing(items, table, chosen)}, table, items, 1)
    rows = {(row["choice"], row["diagnostic"]): row for row in found.iter_rows(named=True)}
    assert rows.keys() == {
        *(("prompt", number) for number in NAMES),
        ("article that gives a category away", "singular"),  # the plural has none
    }
    prompt = rows["prompt", "singular"]  # 3 of 4, and the mean of 3 and 1 of 4
    assert (prompt["value"], prompt["other_value"], prompt["effect"]) == (3 / 4, 1 / 2, -1 / 4)
    an = rows["article that gives a category away", "singular"]  # without the ant: robin and wren of three
    assert (an["value"], an["other_value"], an["hyponyms"], an["other_hyponyms"]) == (3 / 4, pytest.approx(2 / 3), 4, 3)


def test_scores_ties_readings_and_tokens_are_choices_too():
    """One robin: right at the slot and wrong by the sentence; a tie in the plural; a sentence in two readings."""
    row = ("own", "robin", "bird", "robins", "birds", None, None, "A robin and an other robin .")
    items = pl.DataFrame([row], schema=ITEMS, orient="row")
    prompts = {"singular": [Prompt("a", "A [W] is a [V].")], "plural": [Prompt("a", "[W] are [V].")]}
    table = probes(items, {"animals": ["fish", "bird"]}, Asking(prompts))
    one, several = ["fish", "bird"], ["fish", "birds"]
    given = responses(
        ("own:singular:robin", "slot", one, [-4.0, -3.0], [4, 1], []),  # the mean over tokens is -1 and -3
        ("own:singular:robin", "sentence", one, [-1.0, -2.0], [1, 1], []),
        ("own:plural:robin", "slot", several, [-2.0, -2.0], [1, 1], []),
        ("own:contextual:robin", "slot", ["fish"], [-2.0], [1], []),
        ("own:contextual:robin", "slot", ["bird"], [-1.0], [1], []),
        ("own:contextual:robin:released", "slot", one, [-1.0, -2.0], [1, 1], []),
    )
    rows = {}
    for seed in range(20):
        for found in sensitivity({"m": given}, table, items, seed).iter_rows(named=True):
            rows.setdefault((found["choice"], found["diagnostic"]), set()).add((found["value"], found["other_value"]))
    assert rows["score", "singular"] == {(1, 0)}
    assert rows["categories of equal scores", "plural"] == {(0, 0), (1, 0)}  # drawn; the fish would win
    assert rows["categories of equal scores", "singular"] == {(1, 1)}
    assert rows["sentences", "contextual"] == {(1, 0)}
    assert rows["categories of several tokens", "singular"] == {(1, 0)}
    assert ("prompt", "singular") not in rows  # there is one prompt
