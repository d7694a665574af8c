from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core.files import read_table, write_table
from relprobe.lm.requests import SlotResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.words.lexicon import LEXICON
from relprobe.sources.human_responses import HUMAN_ANSWERS
from relprobe.studies.relations import people as people_module
from relprobe.studies.relations.answer_spaces import model_responses
from relprobe.studies.relations.lists import annotator_lists, people_responses, to_unknown_prompts, unmatched_answers
from relprobe.studies.relations.lists import answered_words as words_of
from relprobe.studies.relations.method import pooled_responses, probes
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import RESPONSES

from tests.logs import said
from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import ONE, SIX

ROBERTA = pl.DataFrame(
    [
        (0, "<s>", None),
        (1, "Ġbird", "bird"),
        (2, "bird", None),
        (3, "ing", None),
        (4, "Ġrobin", "robin"),
    ],
    schema=LEXICON,
    orient="row",
)
BERT = pl.DataFrame([(0, "bird", "bird"), (1, "##ing", None), (2, "[PAD]", None)], schema=LEXICON, orient="row")


def scored(tmp_path, lexicon, responses):
    """Write a score file: probe -> list of (token id, probability), best first."""
    path = tmp_path / "scores.parquet"
    slots = [
        SlotResponse(name, np.array([i for i, _ in best], np.int32), np.log([p for _, p in best]).astype(np.float32))
        for name, best in responses.items()
    ]
    pq.write_table(slot_table(slots), path)
    return model_responses(ScoreFile.read(path), lexicon)


def rows(responses):
    return {probe_id: (list(words), list(weights)) for probe_id, words, weights in responses.iter_rows()}


def test_tokens_become_words_and_logprobs_probabilities(tmp_path):
    found = scored(tmp_path, ROBERTA, {"p:robin": [(1, 0.5), (4, 0.25)], "p:wall": [(4, 0.75), (1, 0.125)]})
    assert rows(found) == {
        "p:robin": (["bird", "robin"], [0.5, 0.25]),
        "p:wall": (["robin", "bird"], [0.75, 0.125]),
    }


def test_tokens_that_start_no_word_keep_their_rank_but_are_no_words(tmp_path):
    found = scored(tmp_path, ROBERTA, {"p:robin": [(2, 0.5), (1, 0.25), (0, 0.125), (3, 0.0625)]})
    assert rows(found)["p:robin"][0] == ["##bird", "bird", "##<s>", "##ing"]


def test_the_mark_of_a_continuation_is_not_doubled(tmp_path):
    found = scored(tmp_path, BERT, {"p:robin": [(1, 0.5), (0, 0.25), (2, 0.125)]})
    assert rows(found)["p:robin"][0] == ["##ing", "bird", "##[PAD]"]


def test_the_order_of_the_lexicons_rows_does_not_matter(tmp_path):
    found = scored(tmp_path, ROBERTA, {"p:robin": [(1, 0.5)]})
    assert rows(found) == rows(model_responses(ScoreFile.read(tmp_path / "scores.parquet"), ROBERTA.reverse()))


def test_more_probes_than_a_row_group_holds(tmp_path):
    found = scored(tmp_path, ROBERTA, {f"p:{i}": [(1 if i % 2 else 4, 0.5)] for i in range(2500)})
    assert found.height == 2500
    assert all(words == ["bird" if int(name[2:]) % 2 else "robin"] for name, (words, _) in rows(found).items())


def test_a_models_responses_are_written_and_read_as_the_metrics_read_them(tmp_path):
    found = scored(tmp_path, ROBERTA, {"p:robin": [(1, 0.5), (2, 0.25)]})
    write_table(found, RESPONSES, tmp_path / "responses.parquet")
    assert rows(read_table(tmp_path / "responses.parquet", RESPONSES)) == rows(found)


def test_a_model_that_can_answer_no_probe_has_no_responses(tmp_path):
    found = scored(tmp_path, ROBERTA, {})
    assert found.height == 0
    write_table(found, RESPONSES, tmp_path / "responses.parquet")


KIND = Prompt("kind", "HYP", "[DET] [W] is a kind of [DET] [V]", "[DET] [W] is a kind of [V]")
NOT = Prompt("not", "ANT", "[W] is not [V]", "[W] is not [V]")
PROBES = probes(gold("robin HYP bird", "bird HPO robin", "night ANT day"), [KIND, NOT], ONE, relations=SIX)


def answered(*lists, target="robin", relation="HYP", prompt=KIND.human_text):
    """Return the answers of annotators 1, 2, … to one probe."""
    return pl.DataFrame(
        [
            (target, relation, prompt, annotator, str(annotator), rank, word)
            for annotator, text in enumerate(lists, start=1)
            for rank, word in enumerate(text.split(), start=1)
        ],
        schema=HUMAN_ANSWERS,
        orient="row",
    )


def people(answers, asked, prompts):
    """The responses of all people together to the main probes."""
    return people_responses(annotator_lists(answers, asked, prompts))


def test_the_annotators_words_are_pooled_and_ranked_by_their_share():
    found = people(answered("bird animal", "animal", "animal pet", ""), PROBES, [KIND])
    words, weights = rows(found)["kind:robin"]
    assert words == ["animal", "bird", "pet"]
    assert weights == pytest.approx([3 / 5, 1 / 5, 1 / 5])


def test_ties_keep_the_order_in_which_the_words_were_first_named():
    found = people(answered("b c", "a b", "c a", "d"), PROBES, [KIND])
    assert rows(found)["kind:robin"][0] == ["b", "c", "a", "d"]


def test_many_ties_keep_their_order():
    names = [f"w{i:04d}" for i in range(250)]
    found = people(answered(" ".join(names)), PROBES, [KIND])
    assert rows(found)["kind:robin"][0] == names


def test_answers_to_other_prompts_targets_and_relations_are_left_out():
    answers = pl.concat(
        [
            answered("bird"),
            answered("x", prompt="another prompt"),
            answered("x", target="eagle"),
            answered("x", relation="SYN"),
            answered("x", target="bird"),  # only a trick probe of HYP
            answered("day", target="night", relation="ANT", prompt=NOT.human_text),
        ]
    )
    assert rows(people(answers, PROBES, [KIND, NOT])) == {
        "kind:robin": (["bird"], [1.0]),
        "not:night": (["day"], [1.0]),
    }


def test_pooling_leaves_out_other_prompts_alone():
    answers = pl.concat([answered("bird"), answered("x", prompt="another prompt"), answered("y", target="eagle")])
    words = words_of(answers, [KIND, NOT])
    assert words.rows() == [("kind:robin", "HYP", 1, "bird"), ("kind:eagle", "HYP", 1, "y")]
    assert rows(pooled_responses(words)) == {"kind:eagle": (["y"], [1.0]), "kind:robin": (["bird"], [1.0])}


def test_human_responses_have_the_form_of_a_models(tmp_path):
    found = people(answered("bird animal", "bird"), PROBES, [KIND])
    write_table(found, RESPONSES, tmp_path / "humans.parquet")


def test_without_answers_there_are_no_responses(tmp_path):
    found = people(answered(), PROBES, [KIND])
    assert found.height == 0
    write_table(found, RESPONSES, tmp_path / "humans.parquet")


ASKED = [
    Prompt("kind", "HYP", "[W] is a kind of [V]", "[W] is a kind of what?"),
    Prompt("not", "ANT", "[W], not [V]", "[W], not [V]"),
]
MAIN = probes(gold("robin HYP bird", "night ANT day", "day ANT night"), ASKED, ONE, SIX)


def answers_to(*rows):
    named = [(*row[:3], number, f"p{number}", 1, row[3]) for number, row in enumerate(rows, start=1)]
    return pl.DataFrame(named, schema=HUMAN_ANSWERS, orient="row")


@pytest.mark.parametrize("name", ["kind", "[W] is a kind of [V]", "[W] is a kind of what?"])
def test_an_answer_names_its_prompt_by_id_or_by_either_text(name):
    given = answers_to(("robin", "HYP", name, "bird"))
    assert words_of(given, ASKED)["probe_id"].to_list() == ["kind:robin"]
    assert unmatched_answers(given, MAIN, ASKED).is_empty()


def test_answers_to_no_probe_are_listed_with_the_reason():
    given = answers_to(
        ("robin", "HYP", "kind", "bird"),
        ("robin", "CAU", "kind", "x"),
        ("robin", "HYP", "[W] is a kind of [v]", "bird"),
        ("wall", "HYP", "kind", "thing"),
        ("bird", "HYP", "kind", "animal"),  # a trick probe: people are asked main probes alone
    )
    table = unmatched_answers(given, MAIN, ASKED)
    assert table.select("participant", "reason").rows() == [
        ("p2", "the study asks nothing about a relation CAU"),
        ("p3", "no prompt of HYP reads so; the nearest is '[W] is a kind of [V]'"),
        ("p4", "wall is no target of HYP in this study"),
        ("p5", "bird is no target of HYP in this study"),
    ]
    assert to_unknown_prompts(table)["participant"].to_list() == ["p3"]


def test_answers_to_a_prompt_that_the_study_lacks_are_warned_of(caplog):
    lost = unmatched_answers(answers_to(("robin", "HYP", "[W] is a kind of [v]", "bird")), MAIN, ASKED)
    people_module._warn_of_prompts(Path("people.json"), lost)
    assert "people.json: 1 answers are to prompts that the study does not have" in caplog.text
    assert "no prompt of HYP reads so; the nearest is '[W] is a kind of [V]'" in caplog.text
    caplog.clear()
    people_module._warn_of_prompts(Path("people.json"), lost.clear())
    assert not said(caplog)


def test_a_participant_is_the_same_annotator_in_all_lists():
    rows = [("day", "ANT", "not", 2, "ben", 1, "night"), ("night", "ANT", "not", 2, "ben", 1, "day")]
    lists = annotator_lists(pl.DataFrame(rows, schema=HUMAN_ANSWERS, orient="row"), MAIN, ASKED)
    assert lists["annotator"].to_list() == [2, 2]
