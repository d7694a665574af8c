"""The probes of the tuples: which prompt meets which targets, in which order."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.manifest import write_manifest
from relprobe.studies.examples import DRAWS
from relprobe.studies.relations.method import probes, requests, united_tuples
from relprobe.studies.relations.probes import (
    draw_requests,
    in_prompts,
    predictable,
    prefixes,
    probe_tables,
    read_prefixes,
    request_ids,
)
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import PROBES

from tests.logs import said
from tests.studies.relations.data.test_build import gold
from tests.studies.relations.six import ENGLISH, SIX, WEIGHTS

HYP = Prompt("hyp", "HYP", "[DET] [W] is [DET] [V]", "")
HPO = Prompt("hpo", "HPO", "the word [W] covers the word [V]", "")
ANT = Prompt("ant", "ANT", "[W] is not [V]", "")
AUGMENTED = united_tuples([gold("robin HYP bird", "animal HPO bird", "night ANT day")], SIX)


def test_every_prompt_meets_its_targets_and_asymmetric_ones_the_targets_of_the_reverse():
    table = probes(AUGMENTED, [HYP, HPO, ANT], WEIGHTS, SIX)
    assert table.schema == PROBES
    assert sorted(table.select("probe_id", "relation", "target", "prompt_id", "kind").rows()) == [
        ("ant:day", "ANT", "day", "ant", "main"),
        ("ant:night", "ANT", "night", "ant", "main"),
        ("hpo:animal", "HPO", "animal", "hpo", "main"),
        ("hpo:bird", "HPO", "bird", "hpo", "main"),
        ("hpo:robin", "HPO", "robin", "hpo", "trick"),
        ("hyp:animal", "HYP", "animal", "hyp", "trick"),
        ("hyp:bird", "HYP", "bird", "hyp", "main"),  # a target of both relations: one probe, no trick
        ("hyp:robin", "HYP", "robin", "hyp", "main"),
    ]


def test_probes_are_verbalised():
    row = probes(AUGMENTED, [HYP], WEIGHTS, SIX).row(by_predicate=pl.col("target") == "animal", named=True)
    assert row["text"] == "an animal is [DET] [V]"
    assert row["variants"] == [
        {"text": "an animal is a [V]", "weight": 0.75},
        {"text": "an animal is an [V]", "weight": 0.25},
    ]


def test_the_probes_of_a_target_stand_together():
    targets = probes(AUGMENTED, [HYP, HPO, ANT], WEIGHTS, SIX)["target"].to_list()
    assert targets == sorted(targets)


def test_the_order_of_the_tuples_does_not_matter():
    assert probes(AUGMENTED, [HYP, HPO], WEIGHTS, SIX).equals(probes(AUGMENTED.reverse(), [HYP, HPO], WEIGHTS, SIX))


def test_a_relation_without_targets_has_no_probes():
    syn = Prompt("syn", "SYN", "[W] is like [V]", "")
    assert probes(AUGMENTED, [syn], WEIGHTS, SIX).height == 0


def test_a_third_of_the_prompts_asks_each_target_and_all_prompts_are_asked_equally_often():
    pairs = united_tuples([gold(*(f"t{i} HYP h{i}" for i in range(30)), *(f"a{i} ANT b{i}" for i in range(12)))], SIX)
    prompts = [Prompt(f"{code}{i}", code, "[W] is [V]", "") for code in ("HYP", "HPO", "ANT") for i in range(6)]
    table = probes(pairs, prompts, WEIGHTS, SIX, parts=3)
    assert set(table.group_by("relation", "target").len()["len"]) == {2}
    assert set(table.group_by("prompt_id").len()["len"]) == {20, 8}
    asked = {key: set(rows["prompt_id"]) for key, rows in table.group_by("relation", "target")}
    for i in range(30):
        assert asked["HYP", f"t{i}"] == asked["HYP", f"h{i}"]  # the trick probe of the reverse has the same prompts
        assert asked["HPO", f"t{i}"] == asked["HPO", f"h{i}"]
    assert all(asked["ANT", f"a{i}"] == asked["ANT", f"b{i}"] for i in range(12))
    prompt_sets = {frozenset(asked["HYP", f"t{i}"]) for i in range(30)}
    assert len(prompt_sets) > 3  # no fixed blocks of prompts, which would stand for each other
    assert table.equals(probes(pairs.reverse(), prompts, WEIGHTS, SIX, parts=3))


def test_one_part_is_all_prompts_and_more_parts_than_prompts_ask_one():
    assert probes(AUGMENTED, [HYP, HPO], WEIGHTS, SIX, parts=1).equals(probes(AUGMENTED, [HYP, HPO], WEIGHTS, SIX))
    assert probes(AUGMENTED, [HYP, HPO], WEIGHTS, SIX, parts=9).equals(probes(AUGMENTED, [HYP, HPO], WEIGHTS, SIX))


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own_tuples").mkdir()
    (tmp_path / "own_tuples/own.csv").write_text(
        "target,relation,relatum\nrobin,HYP,bird\nrobin,HYP,passerine\nnight,ANT,day\n"
    )
    return write_manifest(tmp_path / "own_tuples")


def test_what_can_enter_no_metric_is_not_asked(own):
    """A passerine is outside the lexicon, so that no metric looks at it: neither as a target nor as a trick."""
    lexicon = pl.DataFrame({"word": ["robin", "bird", "night"]})
    tables = probe_tables([own], [HYP, HPO, ANT], SIX, ENGLISH, lexicon, exemplar_frequency=1)
    assert sorted(tables.out["probe_id"]) == ["hpo:bird", "hpo:robin", "hyp:bird", "hyp:robin"]
    assert tables.tuples.height == 6  # what was lost is counted from all of them
    everything = probe_tables([own], [HYP, HPO, ANT], SIX, ENGLISH, exemplar_frequency=1)
    assert {"hpo:passerine", "hyp:passerine", "ant:day"} < set(everything.out["probe_id"])


def test_a_lexicon_without_tuples_is_said_with_the_remedy(own):
    sentence = r"^None of the tuples \(6\) is between words of the lexicon, so there is nothing to ask: "
    with pytest.raises(DataError, match=sentence):
        probe_tables([own], [HYP], SIX, ENGLISH, pl.DataFrame({"word": ["robin"]}), exemplar_frequency=1)


def test_requests_have_the_text_before_them_and_the_number_of_a_later_draw():
    table = pl.DataFrame(
        {
            "probe_id": ["hyp:robin"],
            "variants": [[{"text": "A robin is a", "weight": 0.75}, {"text": "An", "weight": 0.25}]],
        }
    )
    (plain,), (shown,) = (list(requests(table, *more)) for more in ((), ({"hyp:robin": "An elm is a tree. "}, 2)))
    assert (plain.id, shown.id) == ("hyp:robin", "2 hyp:robin")
    assert [(one.text, one.weight) for one in plain.variants] == [("A robin is a", 0.75), ("An", 0.25)]
    assert [(one.text, one.weight) for one in shown.variants] == [
        ("An elm is a tree. A robin is a", 0.75),
        ("An elm is a tree. An", 0.25),
    ]


def test_before_a_probe_stand_the_first_examples_of_its_draw(tmp_path):
    rows = [
        (1, "hyp:robin", ["a", "b", "c"]),
        (2, "hyp:robin", ["x", "y", "z"]),
        (1, "hyp:owl", ["a", "b", "d"]),
        (1, "ant:day", ["b", "a", "c"]),
    ]
    file = tmp_path / "examples.parquet"
    pl.DataFrame(rows, schema=["draw", "probe_id", "texts"], orient="row").write_parquet(file)
    assert prefixes(file, 2) == {"hyp:robin": "a.\nb.\n", "hyp:owl": "a.\nb.\n", "ant:day": "b.\na.\n"}
    assert prefixes(file, 3, draw=2) == {"hyp:robin": "x.\ny.\nz.\n"}
    assert read_prefixes(file, shots=1)["ant:day"] == "b.\n"
    with pytest.raises(DataError, match="probe 'hyp:robin' needs 4 examples, but only 3"):
        prefixes(file, 4)


def test_the_sample_is_asked_under_every_draw_but_the_first(tmp_path):
    table = probes(AUGMENTED, [HYP], WEIGHTS, SIX).head(1)
    rows = [(draw, table["probe_id"].item(), [f"{draw}a", f"{draw}b"]) for draw in range(1, DRAWS + 1)]
    file = tmp_path / "examples.parquet"
    pl.DataFrame(rows, schema=["draw", "probe_id", "texts"], orient="row").write_parquet(file)
    asked = list(draw_requests(table, file, 1))
    assert [request.id for request in asked] == [f"{draw} {table['probe_id'].item()}" for draw in range(2, DRAWS + 1)]
    texts = [request.variants[0].text for request in asked]
    assert texts == [f"{draw}a.\n{table['variants'][0][0]['text']}" for draw in range(2, DRAWS + 1)]


def test_probes_of_a_prompt_stand_together_in_their_order():
    table = pl.DataFrame({"prompt_id": ["b", "a", "b", "a"], "probe_id": ["1", "2", "3", "4"]})
    assert in_prompts(table)["probe_id"].to_list() == ["2", "4", "1", "3"]


def test_a_causal_model_is_asked_where_the_slot_is_last(caplog):
    table = pl.DataFrame({"text": ["a is [V]", "[V] is a", "b is [V]", "[V] is b"]})
    assert predictable(table, "masked").equals(table)
    assert predictable(table[::2], "causal").equals(table[::2])
    assert not said(caplog)
    assert predictable(table, "causal").equals(table[::2])
    assert "2 probes are left out: their slot is not last." in caplog.text


def test_a_request_without_a_target_is_of_a_prompt_and_of_what_stands_before_it():
    table = pl.DataFrame({"probe_id": ["hyp:oak", "hyp:owl", "ant:oak"], "prompt_id": ["hyp", "hyp", "ant"]})
    ids = request_ids(table, dict.fromkeys(table["probe_id"], "a.\n"))
    assert (ids.name, ids.n_unique(), ids[0] == ids[1]) == ("prompt_id", 2, True)
    assert [name.partition(" ")[0] for name in ids] == ["hyp", "hyp", "ant"]
    others = request_ids(table, {"hyp:oak": "a.\n", "hyp:owl": "b.\n", "ant:oak": "a.\n"})
    assert others.n_unique() == 3
    assert others[0] == ids[0]
