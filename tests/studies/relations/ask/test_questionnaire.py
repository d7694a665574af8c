from collections import Counter

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.catch_items import CATCH
from relprobe.sources.human_responses import failed_answers, read
from relprobe.studies.relations.method import probes
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.replies import FORM, form

from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import ONE, SIX

ASKED = [Prompt("kind", "HYP", "[DET] [W] is a kind of [DET] [V]", ""), Prompt("not", "ANT", "[W], not [V]", "")]
MAIN = probes(gold("owl HYP bird", "robin HYP bird", "night ANT day", "day ANT night"), ASKED, ONE, SIX)


def test_everybody_is_asked_each_main_probe_once_in_an_order_of_their_own():
    table = form(MAIN, ASKED, participants=3, words=2, catch=0)
    orders = [tuple(table.filter(participant=name, rank=1)["question"]) for name in "123"]
    assert {frozenset(order) for order in orders} == {
        frozenset({"an owl is a kind of ___", "a robin is a kind of ___", "night, not ___", "day, not ___"})
    }
    assert len(set(orders)) > 1
    assert table.height == 3 * 4 * 2
    assert set(table["answer"]) == {""}


def test_four_participants_have_five_lines_for_each_probe_unless_others_are_asked_for():
    table = form(MAIN, ASKED, catch=0)
    assert table["participant"].unique(maintain_order=True).to_list() == ["1", "2", "3", "4"]
    assert table.group_by("participant", "question").len()["len"].to_list() == [5] * 16
    assert sorted(set(table["rank"])) == [1, 2, 3, 4, 5]


def test_the_same_seed_gives_the_same_form():
    assert form(MAIN, ASKED, participants=2, words=2, seed=5).equals(form(MAIN, ASKED, participants=2, words=2, seed=5))
    assert not form(MAIN, ASKED, participants=2, words=2, seed=5).equals(
        form(MAIN, ASKED, participants=2, words=2, seed=6)
    )


def test_probes_are_dealt_out_evenly():
    table = form(MAIN, ASKED, participants=6, words=1, each=2, catch=0)
    assert set(Counter(table["participant"]).values()) == {2}
    assert set(Counter(table.select("target", "prompt").rows()).values()) == {3}
    assert table.select("participant", "target", "prompt").n_unique() == table.height


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("participants", "each"), [(60, 38), (1, 38), (7, 50), (3, 40)])
def test_no_sheet_has_a_target_and_relation_twice(seed, participants, each):
    prompts = [Prompt(f"kind{n}", "HYP", f"[W] is {n} [V]", "") for n in range(4)]
    prompts += [Prompt(f"not{n}", "ANT", f"[W], not {n} [V]", "") for n in range(2)]
    tuples = [f"word{n} HYP thing{n}" for n in range(40)] + [f"one{n} ANT other{n}" for n in range(20)]
    main = probes(gold(*tuples), prompts, ONE, SIX).filter(pl.col("target").str.contains("word|one"))
    table = form(main, prompts, participants=participants, words=1, each=each, catch=0, seed=seed)
    sheets = table.group_by("participant", "target", "relation").len()
    assert sheets["len"].max() == 1
    assert set(Counter(table["participant"]).values()) == {each}
    counts = Counter(table.select("target", "prompt").rows())
    total = main.filter(kind="main").height
    least = participants * each // total
    assert {*counts.values()} <= {least, least + 1} and (least == 0 or len(counts) == total)


def test_a_filled_form_is_a_file_of_answers(tmp_path):
    table = form(MAIN, ASKED, participants=1, words=1, catch=0).with_columns(answer=pl.lit("x"))
    table.write_csv(tmp_path / "form.csv")
    answers = read(tmp_path / "form.csv", SIX.answer_keys)
    assert set(answers["target"]) == {"owl", "robin", "night", "day"}
    assert set(answers["prompt"]) == {"kind", "not"}


def test_a_study_without_main_probes_has_an_empty_form():
    assert form(MAIN.clear(), ASKED, participants=2, words=2).is_empty()


def filled(tmp_path, answer_of, participants=2):
    """The form with the answers that `answer_of` gives to each row, as a file."""
    rows = form(MAIN, ASKED, participants=participants, words=2).to_dicts()
    table = pl.DataFrame([row | {"answer": answer_of(row)} for row in rows], schema=FORM)
    table.write_csv(tmp_path / "form.csv")
    return tmp_path / "form.csv"


def right(row):
    return f"The {row['target'].split('|')[0].upper()}" if row["relation"] == CATCH else "x" if row["rank"] == 1 else ""


def test_everybody_gets_three_catch_items_among_the_probes():
    table = form(MAIN, ASKED, participants=8, words=2)
    items = table.filter(relation=CATCH)
    assert items.group_by("participant").len()["len"].to_list() == [3] * 8
    assert "the earth rotates around the ___" in set(items["question"])
    places = [rows["relation"].to_list().index(CATCH) for _, rows in table.group_by("participant", maintain_order=True)]
    assert len(set(places)) > 1


def test_who_answers_all_catch_items_rightly_is_read_and_the_items_are_no_answers(tmp_path):
    answers = read(filled(tmp_path, right), SIX.answer_keys, ["the"])
    assert set(answers["participant"]) == {"1", "2"}
    assert CATCH not in set(answers["relation"])


@pytest.mark.parametrize(("wrong", "how"), [("moon", "answered 'moon'"), ("", "did not answer")])
def test_who_fails_one_catch_item_is_left_out_with_all_answers_and_named(tmp_path, caplog, wrong, how):
    def answer(row):
        fails = row["participant"] == "2" and row["relation"] == CATCH and "earth" in row["question"]
        return wrong if fails else right(row)

    path = filled(tmp_path, answer)
    assert set(read(path, SIX.answer_keys, ["the"])["participant"]) == {"1"}
    assert f"'2' {how}" in caplog.text
    lost = failed_answers(path, SIX.answer_keys, ["the"])
    assert {row[3] for row, _ in lost} == {"2"}
    assert len(lost) == 4  # an answer to each probe
    assert all(how in reason for _, reason in lost)


def test_a_catch_item_that_accepts_nothing_is_an_error(tmp_path):
    path = tmp_path / "form.csv"
    path.write_text("target,relation,prompt,participant,rank,answer\n,catch,the sky is ___,anna,1,blue\n")
    with pytest.raises(DataError, match=r"line 2.*'the sky is ___' accepts no answer: write it as its target"):
        read(path, SIX.answer_keys)


def test_own_catch_items_have_several_right_answers(tmp_path):
    path = tmp_path / "form.csv"
    lines = ["target,relation,prompt,participant,rank,answer", "grau|blau,catch,der Himmel ist ___,anna,1,Blau"]
    path.write_text("\n".join([*lines, "robin,HYP,kind,anna,1,bird"]))
    assert read(path, SIX.answer_keys)["word"].to_list() == ["bird"]
