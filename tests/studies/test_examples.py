"""Solved examples and the lines of a chat: their files, and which examples a probe gets."""

import polars as pl
import pytest
import yaml
from relprobe.core.errors import DataError
from relprobe.core.study import study_of
from relprobe.studies import STUDIES, conversations, examples, studies_with
from relprobe.studies.analogies.method import sentence_requests
from relprobe.studies.analogies.schemas import PROBES as ANALOGIES
from relprobe.studies.analogies.template import Template
from relprobe.studies.degrees.requests import schemas, slots
from relprobe.studies.degrees.schemas import PROBES as DEGREES
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import prefixes
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import PROBES
from relprobe.studies.relations.shots import examples_of
from relprobe.studies.systematicity.method import requests as systematicity_requests
from relprobe.studies.systematicity.schemas import PROBES as SYSTEMATICITY

from tests.paths import ROOT
from tests.studies.relations.six import ENGLISH, SIX

SHIPPED = ROOT / "resources/prompts/examples.yaml"
LINES = ROOT / "resources/prompts/chat.yaml"
PROMPT = Prompt("hyp", "HYP", "[DET] [W] is a kind of [DET] [V]", "")
PAIRS = [("rose", "flower"), ("oak", "tree"), ("ant", "insect")]


def file(folder, content):
    path = folder / "file.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


@pytest.mark.parametrize("study", studies_with(lambda study: study.example is not None))
def test_the_shipped_examples_are_at_least_ten_and_none_is_there_twice(study):
    for group, rows in examples.read(SHIPPED, study, study_of(study).example).items():
        assert len(rows) >= (10 if study != "relations" or group in SIX.codes else 1), group
        assert len(set(rows)) == len(rows), group


@pytest.mark.parametrize("study", STUDIES)
def test_the_shipped_lines_are_of_every_study(study):
    assert {"system", "instruction"} <= set(conversations.read(LINES, study))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({}, "has no examples of relations: add a section"),
        ({"relations": {"HYP": "rose"}}, "relations.HYP must be a list of examples"),
        ({"relations": {"HYP": [["rose"]]}}, r"an example of relations.HYP must be a list of 2 texts, not \['rose'\]"),
        ({"relations": {"HYP": [["rose", "[V]"]]}}, r"of relations.HYP holds a slot \[V\]: write its answer there"),
    ],
)
def test_a_file_of_examples_that_is_wrong_is_named(tmp_path, content, sentence):
    with pytest.raises(DataError, match=sentence):
        examples.read(file(tmp_path, content), "relations", width=2)


@pytest.mark.parametrize(
    ("section", "where"), [({"HYP": [["rose", "flower"]]}, "relations.HYP"), ([["rose", "flower"]], "relations")]
)
def test_a_group_with_too_few_examples_is_named(tmp_path, section, where):
    path = file(tmp_path, {"relations": section})
    examples.check(path, "relations", width=2, shots=1)
    with pytest.raises(DataError, match=rf"^{path} has 1 example of {where}: add some\.$"):
        examples.check(path, "relations", width=2, shots=2)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({}, "relations must have the lines `system` and `instruction`"),
        (
            {"relations": {"system": "s", "instruction": "a [V]"}},
            r"relations.instruction must be a text without a slot",
        ),
        ({"relations": {"system": "s", "instruction": "i", "list": "l"}}, r"relations.list must have one \[PROBE\]"),
        ({"relations": {"system": "s", "instruction": "[PROBE]"}}, r"relations.instruction must have no \[PROBE\]"),
        (
            {"relations": {"system": "s", "instruction": "i", "continue": "[HEAD] [OPTIONS]"}},
            r"relations.continue must have one \[TAIL\]",
        ),
        (
            {"relations": {"system": "s", "instruction": "i", "continue": "[TAIL] [OPTIONS] [HEAD]"}},
            r"relations.continue must not have \[OPTIONS\] between \[HEAD\] and \[TAIL\]",
        ),
    ],
)
def test_lines_that_are_wrong_are_named(tmp_path, content, sentence):
    with pytest.raises(DataError, match=sentence):
        conversations.read(file(tmp_path, content), "relations")


def test_a_study_without_a_section_says_what_the_section_default_says(tmp_path):
    content = {"default": {"system": "s", "instruction": "i"}, "relations": {"system": "r", "instruction": "r"}}
    assert conversations.read(file(tmp_path, content), "spelling") == content["default"]
    assert conversations.read(file(tmp_path, content), "relations") == content["relations"]


def probes(*targets):
    rows = [
        (
            f"hyp:{w}",
            "HYP",
            w,
            "hyp",
            "main",
            f"a {w} is a kind of [DET] [V]",
            [{"text": f"a {w} is a [V]", "weight": 1.0}],
        )
        for w in targets
    ]
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def related(*pairs):
    return pl.DataFrame(pairs, schema={"target": pl.String, "relatum": pl.String}, orient="row")


def test_an_example_is_solved_with_the_right_articles_and_clashes_with_no_answer():
    table = examples_of(
        probes("tulip", "robin"), [PROMPT], {"HYP": PAIRS}, [related(("tulip", "flower"))], SIX, ENGLISH.articles
    )
    texts = {(probe, draw): set(texts) for probe, draw, texts in table.iter_rows()}
    others = {"an oak is a kind of a tree", "an ant is a kind of an insect"}
    for draw in (1, 2, 3):
        assert texts["hyp:tulip", draw] == others
        assert texts["hyp:robin", draw] == {*others, "a rose is a kind of a flower"}


def test_probes_that_clash_keep_the_order_of_the_others():
    many = [(f"word{i}", f"class{i}") for i in range(12)]
    table = examples_of(probes("word3", "robin"), [PROMPT], {"HYP": many}, [], SIX, ENGLISH.articles)
    for draw in (1, 2, 3):
        (whole,), (part,) = (
            table.filter(probe_id=f"hyp:{w}", draw=draw)["texts"].to_list() for w in ("robin", "word3")
        )
        assert part == [text for text in whole if "word3 " not in text]
    assert len({tuple(texts) for texts in table.filter(probe_id="hyp:robin")["texts"].to_list()}) == 3


def test_a_probe_with_too_few_examples_is_an_error(tmp_path):
    table = examples_of(
        probes("tulip"), [PROMPT], {"HYP": PAIRS}, [related(("tulip", "flower"))], SIX, ENGLISH.articles
    )
    table.write_parquet(tmp_path / "examples.parquet")
    assert set(prefixes(tmp_path / "examples.parquet", 2)) == {"hyp:tulip"}
    with pytest.raises(DataError, match="probe 'hyp:tulip' needs 3 examples, but only 2 have none of its words"):
        prefixes(tmp_path / "examples.parquet", 3)


def test_examples_stand_before_every_wording():
    (request,) = requests(probes("tulip"), {"hyp:tulip": "an oak is a tree.\n"})
    assert [variant.text for variant in request.variants] == ["an oak is a tree.\na tulip is a [V]"]


def test_a_relation_has_the_examples_of_its_reverse():
    prompt = Prompt("hpo", "HPO", "my favorite [W] is [DET] [V]", "")
    reverse_probes = probes("bird").with_columns(prompt_id=pl.lit("hpo"))
    (texts, *_) = examples_of(reverse_probes, [prompt], {"HYP": PAIRS}, [], SIX, ENGLISH.articles)["texts"].to_list()
    assert set(texts) == {"my favorite flower is a rose", "my favorite tree is an oak", "my favorite insect is an ant"}
    with pytest.raises(DataError, match="no examples of HPO or of its inverse"):
        examples_of(reverse_probes, [prompt], {"ANT": PAIRS}, [], SIX, ENGLISH.articles)


def test_systematicity_names_no_category_that_is_chosen_among():
    about = ("s:plural:robin", "s", "plural", "paper", True)
    row = (*about, "robin", "robins", "robins are [V].", ["trees", "insects"], [])
    three = [("an oak", "a tree", "oaks", "trees"), ("a waltz", "a dance", "waltzes", "dances")]
    table = pl.DataFrame([row], schema=SYSTEMATICITY, orient="row")
    texts = {request.text for request in systematicity_requests(table, both_sides=True, shots=1, examples=three)}
    assert texts == {"waltzes are dances.\nrobins are [V]."}


def test_analogies_have_whole_analogies_as_examples():
    row = ("E01", "test", "what paris is to france, rome is to italy", "paris", "france", "rome", "italy")
    table = pl.DataFrame([row], schema=ANALOGIES, orient="row")
    template = Template.of("what {h1} is to {t1}, {h2} is to {t2}")
    pairs = [("rome", "italy", "oslo", "norway"), ("big", "bigger", "cold", "colder")]
    (request,) = sentence_requests(table, template, 1, pairs)
    assert request.before == "what big is to bigger, cold is to colder.\n"
    assert request.text == row[2]


def degrees_probe(pair, *, paradigm):
    x, y = pair.split(":")
    text = f"{y} is a kind of {x}"
    start = len(text) - len(x)
    return ("1a", pair, paradigm, text, start, len(text), 0, len(y), "a is to b as [V]")


def test_degrees_have_their_paradigms_as_examples_but_not_the_pair_itself():
    rows = [degrees_probe(pair, paradigm=True) for pair in ("tree:oak", "bird:robin")] + [
        degrees_probe("bird:wren", paradigm=False)
    ]
    table = pl.DataFrame(rows, schema=DEGREES, orient="row")
    before = {request.text: request.before for request in schemas(table, 3)}
    assert before == {
        "oak is a kind of tree": "robin is a kind of bird.\n",
        "robin is a kind of bird": "oak is a kind of tree.\n",
        "wren is a kind of bird": "oak is a kind of tree.\n",
    }
    texts = [request.text for request in slots(table, both_sides=False, shots=3)]
    assert texts[0] == "robin is a kind of bird.\noak is a kind of [V]"
