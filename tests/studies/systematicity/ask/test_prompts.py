"""The prompts: their file, its faults, and what is asked with several."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.prompts import Prompt, read

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
    singular_texts = [prompt.fill("wasp", "insect") for prompt in prompts["singular"]]
    assert singular_texts[0] == "A wasp is an [V]."
    assert {"The wasp is an [V].", "Every wasp is an [V].", "a wasp is an [V].", "A wasp is an [V]"} < set(
        singular_texts
    )
    plural_texts = [prompt.fill("wasps", "insects") for prompt in prompts["plural"]]
    assert plural_texts[0] == "wasps are [V]."
    assert {"The wasps are [V].", "All wasps are [V].", "Most wasps are [V].", "Wasps are [V].", "wasps are [V]"} < set(
        plural_texts
    )


def test_as_many_prompts_are_read_as_are_wanted():
    assert [len(number_prompts) for number_prompts in read(FILE, 3).values()] == [3, 3]
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


def asked_words():
    """Items of four words, and their probes with two prompts a number."""
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


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[singular, plural]", "two sections singular and plural"),
        ("singular\n", "two sections singular and plural"),
        ("{singular: [], plural: [], dual: []}", "two sections singular and plural"),
        ("singular: {id: a, text: '[W] is [V]'}\nplural: []", "singular must be a list of prompts"),
        ("singular: [a]\nplural: []", "must have an id and a text"),
        ("singular: [{text: '[W] is [V]'}]\nplural: []", "must have an id and a text"),
        ("singular: [{id: 1, text: '[W] is [V]'}]\nplural: []", "must have an id of lower-case letters"),
        ("singular: [{id: a, text: '[W] is [V]', capital: 1}]\nplural: []", "`capital` true or false"),
        ("singular: [{id: a, text: 1}]\nplural: []", "must have a text with one"),
        ("singular: [{id: a, text: '[W] is [V] or [V]'}]\nplural: []", "must have a text with one"),
    ],
)
def test_a_file_of_another_form_is_refused_in_a_sentence(tmp_path, content, said):
    (tmp_path / "prompts.yaml").write_text(content)
    with pytest.raises(DataError, match=said):
        read(tmp_path / "prompts.yaml")
