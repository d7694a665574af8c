"""What the answers are measured against: the step gold is its three parts, with and without people and closed lists."""

import json
import unicodedata

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.manifest import write_manifest
from relprobe.sources.own.norms import NORMS
from relprobe.studies.relations.distances import relation_pairs
from relprobe.studies.relations.gold import GoldFiles, gold
from relprobe.studies.relations.method import GoldStandard, probes, united_tuples
from relprobe.studies.relations.people import norm_responses, people
from relprobe.studies.relations.prompts import read
from relprobe.studies.relations.relata import relata
from relprobe.studies.relations.tuples import CANDIDATES, keep_candidates

from tests.studies.relations.data.test_build import gold as tuples_of
from tests.studies.relations.six import ENGLISH, SIX

GIVEN = tuples_of(
    *("robin HYP bird", "robin HYP animal", "robin MER wing", "bird HYP animal", "bird MER wing", "night ANT day")
)
TUPLES = united_tuples([GIVEN], SIX)
WORDS = pl.DataFrame({"word": ["robin", "bird", "animal", "wing", "night", "day"]})
LISTS = pl.DataFrame([("HYP", None, "bird"), ("MER", None, "wing")], schema=CANDIDATES, orient="row")
ANSWERS = {"robin": {"hyp": {"[W] is [V]": [["bird", "animal"], ["bird"]]}}}


@pytest.fixture
def prompts(tmp_path):
    (tmp_path / "prompts.yaml").write_text(
        "HYP:\n- {id: is, text: '[W] is [V]'}\nMER:\n- {id: has, text: '[W] has [V]'}\n"
    )
    return read(tmp_path / "prompts.yaml")


def files_of(asked, prompts, **more):
    files = {"raw_tuples": GIVEN, "tuples": TUPLES, "shared_lexicon": WORDS, "relations": SIX, "language": ENGLISH}
    return GoldFiles(probes=asked, prompts=prompts, **{**files, **more})


@pytest.mark.parametrize("lists", [None, LISTS], ids=["all words", "closed lists"])
def test_gold_is_what_its_parts_make(prompts, lists):
    asked = probes(TUPLES, prompts, ENGLISH.articles, SIX)
    made = gold(files_of(asked, prompts, candidates=lists), minimum_targets=1)
    sets = relata(GIVEN, TUPLES, WORDS, SIX, candidates=lists)
    listed = TUPLES if lists is None else keep_candidates(TUPLES, lists)
    pairs = relation_pairs(GoldStandard(asked, sets.out, listed, WORDS, SIX), 1)
    assert made.out.equals(sets.out)
    assert made.losses.equals(sets.losses)
    assert made.alternatives.equals(sets.alternatives)
    assert made.pairs.equals(pairs)
    assert made.pairs["targets"].sum() > 0
    assert made.tables.keys() == {"relation_pairs"}
    assert made.tables["relation_pairs"].equals(pairs)
    assert made[5:] == (None, None, None)


def test_the_lists_of_people_decide_which_targets_pairs_have(prompts, tmp_path, caplog):
    caplog.set_level("INFO")
    asked = probes(TUPLES, prompts, ENGLISH.articles, SIX)
    (tmp_path / "human_responses").mkdir()
    (tmp_path / "human_responses/answers.json").write_text(json.dumps(ANSWERS))
    manifest = write_manifest(tmp_path / "human_responses")
    made = gold(files_of(asked, prompts, answers=manifest), minimum_targets=1)
    standard = GoldStandard(asked, made.out, TUPLES, WORDS, SIX)
    parts = people(manifest, standard, prompts, ENGLISH)
    assert made.lists.equals(parts.lists)
    assert made.lists.height == 2
    assert made.humans.equals(parts.humans)
    assert made.annotator.equals(parts.annotator)
    assert made.tables["unmatched_answers"].equals(parts.unmatched)
    assert made.tables["people_reading"].rows() == [(2, 3, 0, 0)]
    (line, *_) = [line for line in caplog.messages if line.endswith("answers are to no probe of the study.")]
    assert line.startswith(f"{parts.unmatched.height} of ")
    assert made.pairs.equals(relation_pairs(standard, 1, parts.lists))
    assert not made.pairs.equals(relation_pairs(standard, 1))


def test_pairs_of_closed_lists_have_the_targets_of_tuples_whose_relata_are_candidates(prompts, monkeypatch):
    """A relatum that only a lexical resource adds makes no target, as for all that is measured."""
    asked, given = probes(TUPLES, prompts, ENGLISH.articles, SIX), []

    def counted(standard, *rest):
        given.append(standard.tuples)
        return relation_pairs(standard, *rest)

    monkeypatch.setattr("relprobe.studies.relations.gold.relation_pairs", counted)
    gold(files_of(asked, prompts, candidates=LISTS), minimum_targets=1)
    assert given[0].equals(keep_candidates(TUPLES, LISTS))
    assert 0 < given[0].height < TUPLES.height


HEADER = "target,relation,prompt,participant,rank,answer"
TYPED = [
    ("anna", 1, "bird"),
    ("anna", 2, "jack-o'-lantern"),
    ("ben", 1, "animal"),
    ("ben", 2, "feathers"),
    ("eva", 1, "bird"),
]
DEVICES = {
    "a keyboard": str,
    "a phone": lambda word: word.capitalize().replace("'", "’") + ". ",
    "capitals": str.upper,
    "articles": lambda word: f"a {word}",
    "quotes": lambda word: f"“{word}”",
    "markdown": lambda word: f"**{word}**",
    "a Mac": lambda word: unicodedata.normalize("NFD", word) + "\u00a0",
    "an editor for Japanese": lambda word: "".join(
        chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in word
    ),
    "a list": lambda word: f"1) {word}",
    "a sentence": lambda word: f"I think it is a {word}!",
}


def test_people_are_two_agents_and_an_answer_to_an_unknown_prompt_is_refused(prompts, tmp_path):
    asked = probes(TUPLES, prompts, ENGLISH.articles, SIX)
    study = GoldStandard(asked, united_tuples([GIVEN], SIX), TUPLES, WORDS, SIX)
    (tmp_path / "human_responses").mkdir()
    file = tmp_path / "human_responses/people.csv"
    file.write_text(
        "\n".join([HEADER, "robin,HYP,is,anna,1,bird", "robin,HYP,is,ben,1,bird", "robin,HYP,is,ben,2,wing"])
    )
    given = people(write_manifest(tmp_path / "human_responses"), study, prompts, ENGLISH)
    assert [set(table["kind"]) for table in (given.humans, given.annotator)] == [{"people"}, {"annotator"}]
    assert [words.to_list() for words in given.humans["words"]] == [["bird", "wing"]]
    assert given.annotator.select("annotator", pl.col("words").cast(pl.List(pl.String))).rows() == [
        (1, ["bird"]),
        (2, ["bird", "wing"]),
    ]
    assert given.reading.rows() == [(2, 3, 0, 0)]
    file.write_text("\n".join([HEADER, "robin,HYP,was,anna,1,bird"]))
    with pytest.raises(DataError, match="was"):
        people(write_manifest(tmp_path / "human_responses"), study, prompts, ENGLISH)


def test_a_file_whose_participants_all_failed_a_catch_item_is_refused_with_the_first_reason(prompts, tmp_path):
    study = GoldStandard(probes(TUPLES, prompts, ENGLISH.articles, SIX), TUPLES, TUPLES, WORDS, SIX)
    (tmp_path / "human_responses").mkdir()
    rows = ["sun,catch,the earth rotates around the ___,anna,1,moon", "robin,HYP,is,anna,1,bird"]
    (tmp_path / "human_responses/people.csv").write_text("\n".join([HEADER, *rows]))
    with pytest.raises(
        DataError,
        match=r"people\.csv: all participants failed a catch item; of the first one, the participant "
        r"answered 'moon' to 'the earth rotates around the ___', a catch item: correct the file",
    ):
        people(write_manifest(tmp_path / "human_responses"), study, prompts, ENGLISH)


def test_the_same_answers_typed_on_ten_devices_make_one_study(prompts, tmp_path):
    asked = probes(TUPLES, prompts, ENGLISH.articles, SIX)
    words = pl.DataFrame({"word": [*WORDS["word"], "feathers", "Feathers", "jack-o'-lantern"]})
    made = {}
    for number, (device, typed) in enumerate(DEVICES.items()):
        folder = tmp_path / str(number) / "human_responses"
        folder.mkdir(parents=True)
        rows = [f'robin,HYP,is,{name},{rank},"{typed(word)}"' for name, rank, word in TYPED]
        (folder / "people.csv").write_text("\n".join([HEADER, *rows]))
        files = files_of(asked, prompts, shared_lexicon=words, answers=write_manifest(folder))
        gold_by_device = gold(files, minimum_targets=1)
        made[device] = (gold_by_device.lists, gold_by_device.humans, gold_by_device.annotator)
    first = made.pop("a keyboard")
    assert [words.to_list() for words in first[0]["words"]] == [
        ["bird", "jack-o'-lantern"],
        ["animal", "feathers"],
        ["bird"],
    ]
    for device, tables in made.items():
        for one, other in zip(first, tables, strict=True):
            assert one.equals(other), device


def test_a_word_with_other_capitals_counts_as_the_only_word_of_the_study_that_it_may_be(prompts, tmp_path, caplog):
    caplog.set_level("INFO")
    asked = probes(TUPLES, prompts, ENGLISH.articles, SIX)
    (tmp_path / "human_responses").mkdir()
    rows = [
        f"robin,HYP,is,p{number},1,{word}" for number, word in enumerate(["Bird", "BIRD", "bird", "Animal", "Rook"])
    ]
    (tmp_path / "human_responses/people.csv").write_text("\n".join([HEADER, *rows]))
    tuples = united_tuples([GIVEN, tuples_of("robin HYP Animal")], SIX)
    standard = GoldStandard(asked, tuples, tuples, WORDS, SIX)
    parts = people(write_manifest(tmp_path / "human_responses"), standard, prompts, ENGLISH)
    assert parts.lists.sort("annotator")["words"].list.first().to_list() == ["bird"] * 3 + ["Animal", "rook"]
    assert parts.reading.rows() == [(5, 5, 2, 0)]
    (line,) = [line for line in caplog.messages if line.endswith("answers have other capitals than the study's words")]
    assert "people.csv: 2 of 5 " in line


def test_pairs_among_candidates_keep_their_order():
    own = pl.DataFrame([("HYP", None, "animal"), ("HYP", "robin", "bird")], schema=CANDIDATES, orient="row")
    rows = [("robin", "HYP", "bird"), ("ant", "HYP", "animal"), ("robin", "HYP", "animal"), ("wall", "HYP", "animal")]
    pairs = pl.DataFrame([*rows, ("robin", "MER", "bird")], schema=["target", "relation", "relatum"], orient="row")
    assert keep_candidates(pairs, own).rows() == [rows[0], rows[1], rows[3]]
    assert keep_candidates(pairs.reverse(), own).rows() == [rows[3], rows[1], rows[0]]


def test_norms_are_ranked_by_people_and_then_by_the_alphabet():
    rows = [
        ("robin", "HYP", "pet", 1),
        ("robin", "HYP", "bird", 3),
        ("robin", "HYP", "animal", 1),
        ("robin", None, "egg", 3),
    ]
    table = pl.DataFrame(rows, schema=NORMS, orient="row")
    asked = pl.DataFrame(
        {
            "probe_id": ["p", "q", "t"],
            "relation": ["HYP", "MER", "HYP"],
            "target": "robin",
            "kind": ["main", "main", "trick"],
        }
    )
    assert norm_responses(table, asked).sort("probe_id").rows() == [
        ("p", ["bird", "egg", "animal", "pet"], [0.375, 0.375, 0.125, 0.125]),
        ("q", ["egg"], [1.0]),
    ]
