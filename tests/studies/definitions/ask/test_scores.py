"""Scores of words by a model of bigrams, what an earlier run has stored of them, and the effects of choices."""

import json
import math

import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core.files import sha256, write_table
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.requests import Continuation
from relprobe.studies.definitions.ask.requests import PROBES, SCORES, requests
from relprobe.studies.definitions.ask.scores import answer, table
from relprobe.studies.definitions.ask.stored import Asked, folder_of, keep, nothing, open_questions, stored
from relprobe.studies.definitions.compare import sensitivity
from relprobe.studies.definitions.measure.responses import Choices, of_pairs, ranked
from relprobe.studies.definitions.schemas import GROUPS

from tests.studies.definitions.about import properties

REQUEST = Continuation("noun:0 is", "a [V]", ("wheel", "steering wheel"))
BIGRAMS = {"a": {"steering": 0.5, "wheel": 0.5}, "steering": {"wheel": 1}}


def rows_of(asked, **options):
    model = bigram_model(BIGRAMS)
    return pl.from_arrow(table(list(answer(model, asked, **options)), masked=False))


def test_a_row_has_the_values_of_every_word():
    rows = rows_of([Asked(REQUEST, nothing(REQUEST))])
    assert dict(rows.schema) == dict(SCORES)
    row = rows.row(0, named=True)
    assert row["logprobs"] == pytest.approx([math.log(0.5), math.log(0.5)])
    assert (row["tokens"], row["whole"], row["inputs"]) == ([1, 2], None, 2)


def test_what_is_stored_is_not_asked_again():
    known = (-9.0, -8.0, 7, None)
    row = rows_of([Asked(REQUEST, (known, None))]).row(0, named=True)
    assert (row["logprobs"][0], row["first"][0], row["tokens"]) == (-9, -8, [7, 2])
    assert row["logprobs"][1] == pytest.approx(math.log(0.5))
    assert row["inputs"] == 1
    every = rows_of([Asked(REQUEST, (known, (None, None, None, None)))]).row(0, named=True)
    assert (every["logprobs"], every["inputs"]) == ([-9, None], 0)  # a word that the model cannot write stays so


PATTERNS = {"noun": {"is": "[V] is [DEF]"}}
ABOUT = {"settings": {"capitals": False}, "inputs": {"prompts.yaml": "1f"}, "code": "2e"}


def probes_file(folder, *rows):
    path = folder / "probes.parquet"
    write_table(pl.DataFrame([(*row, 1) for row in rows], schema=PROBES, orient="row"), PROBES, path)
    return path


def of_file(path):
    return list(requests(path, PATTERNS, capitals=False))


def about(probes, **changes):
    return {**ABOUT, **changes, "inputs": {**ABOUT["inputs"], probes.name: sha256(probes)}}


@pytest.fixture
def finished(tmp_path):
    """A finished score file of two words, which is kept; return its path."""
    probes = probes_file(tmp_path, ("noun:0", "noun", "a bird", ["owl", "goose"]))
    out = tmp_path / "m.parquet"
    rows = pl.DataFrame([("noun:0", "is", [-1.0, -2.0], [-1.0, -1.5], [1, 2], None, 2)], schema=SCORES, orient="row")
    arrow = rows.to_arrow(compat_level=pl.CompatLevel.oldest())
    pq.write_table(arrow.replace_schema_metadata({"relprobe": json.dumps(about(probes))}), out)
    keep(out, probes)
    out.unlink()  # as Snakemake does
    return out


@pytest.fixture
def larger(tmp_path, finished):
    """The probes of a larger sample: the definition has another number, and a new word before the old ones."""
    return probes_file(
        tmp_path,
        ("noun:0", "noun", "a fish", ["owl"]),
        ("noun:1", "noun", "a bird", ["hen", "goose", "owl"]),
    )


def test_a_larger_sample_finds_the_words_that_were_asked(finished, larger):
    lookup = stored(finished, larger, about(larger), of_file)
    fish, bird = open_questions(of_file(larger), lookup)
    assert fish.stored == (None,)
    assert bird.stored == (None, (-2.0, -1.5, 2, None), (-1.0, -1.0, 1, None))
    assert bird.new == Continuation("noun:1 is", "[V] is a bird", ("hen",))


@pytest.mark.parametrize("changes", [{"settings": {"capitals": True}}, {"code": "3d"}, {"witness": []}])
def test_scores_that_depend_on_other_things_are_not_used(finished, larger, changes):
    assert stored(finished, larger, about(larger, **changes), of_file) is nothing


def test_the_same_probes_are_asked_once_more(finished, tmp_path):
    probes = probes_file(tmp_path, ("noun:0", "noun", "a bird", ["owl", "goose"]))
    assert stored(finished, probes, about(probes), of_file) is nothing


def test_damaged_scores_are_not_used(finished, larger, caplog):
    caplog.set_level("INFO", logger="relprobe")
    (folder_of(finished) / "scores").write_bytes(b"PAR1")
    assert stored(finished, larger, about(larger), of_file) is nothing
    assert "a file of it is damaged" in caplog.text


def test_nothing_is_kept_at_first(tmp_path, larger):
    assert stored(tmp_path / "other.parquet", larger, about(larger), of_file) is nothing


# Sensitivity. One group of two words: the right one ("a") has the better first token, and the worse product.


def effects(**options):
    probes = pl.DataFrame(
        [("noun:0", "noun", "A", ["a", "b"], 4), ("noun:1", "noun", "B", ["a"], 1)], schema=PROBES, orient="row"
    )
    groups = pl.DataFrame([("goose.n.01", "noun", "a", "A", 4, "f", [0, 2], [0, 1])], schema=GROUPS, orient="row")
    scores = pl.DataFrame(
        [
            ("noun:0", "is", [-4.0, -3.0], [-1.0, -3.0], [4, 1], [-5.0, -6.0], 2),
            ("noun:1", "is", [-4.0], [-1.0], [4], [-4.5], 1),
        ],
        schema=SCORES,
        orient="row",
    )
    choices = Choices(**options)
    responses = ranked(of_pairs(scores, masked=False, choices=choices), groups, probes)
    known = properties({"uses": None, "joined": 500.0, "leak": "names"})
    rows = [
        *sensitivity.of_agent(responses, known, choices),
        *sensitivity.of_model(scores, groups, probes, known, choices, masked=False),
    ]
    result = sensitivity.table("gpt2", rows)
    return {
        (row["choice"], row["other"], row["metric"], row["condition"]): (
            row["value"],
            row["other_value"],
            row["groups"],
        )
        for row in result.iter_rows(named=True)
    }


def test_other_readings_of_stored_scores_have_their_effect():
    found = effects()
    read = {key[1]: values[:2] for key, values in found.items() if key[0] == sensitivity.READ and key[2] == "D2W P@1"}
    assert read == {
        "all tokens": (1, 0),  # -4 is below -3
        "the mean token": (1, 1),  # -1 is above -3
        "all tokens and the word's end": (1, 1),  # -5 is above -6
    }
    assert not any(key[0] == sensitivity.PATTERNS[0] for key in found)  # there is one pattern


def test_ties_leaks_and_phrases_have_theirs():
    found = effects()
    # W2D: both definitions have -4, so that the right one is first in one of two orders.
    assert found["equal scores", "mean over all orders", "W2D P@1", "noun"][1] == 1 / 2
    assert found["definitions that tell their word", "are left out", "D2W P@1", "noun"] == (1, None, 1)
    phrases = {
        key[3]: values for key, values in found.items() if key[0] == "frequency of a phrase" and key[2] == "D2W P@1"
    }
    assert phrases == {"noun, unknown": (1, None, 1), "noun, frequent": (None, 1, 0)}


def test_tables_of_agents_are_put_together_by_choice():
    one, two = (sensitivity.table(name, []) for name in "ab")
    assert sensitivity.united([one, two]).is_empty()
