"""Groups and candidates from the hand-made WordNet of tiny_sisters, whose docstring says what is in it."""

import itertools
import json
import random
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.lexical.wordnet import prepare
from relprobe.sources.lexical.wordnet_synsets import synsets
from relprobe.studies.definitions.ask.probes import questions as build
from relprobe.studies.definitions.ask.requests import PROBES
from relprobe.studies.definitions.compare.sizes import sizes
from relprobe.studies.definitions.data.build import Limits, candidates, large_groups, sample, sisters
from relprobe.studies.definitions.data.properties import of_groups
from relprobe.studies.definitions.data.word_frequency import Frequencies
from relprobe.studies.definitions.schemas import BENCHMARK, GROUPS, SIZES

from tests.paths import ROOT
from tests.sources.tiny_sisters import SISTERS
from tests.sources.tiny_wordnet import reader_of, write

REAL = ROOT / "resources/fetched/nltk_wordnet.json"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    prepare(write(folder / "original", SISTERS, exceptions=()), folder / "prepared")
    return folder / "prepared"


@pytest.fixture
def wordnet(prepared):
    with reader_of(prepared) as reader:
        yield reader


@pytest.fixture(scope="module")
def tables(prepared):
    """Part of speech -> its synsets."""
    with reader_of(prepared) as reader:
        return {pos: synsets(reader, pos) for pos in ("noun", "verb")}


@pytest.fixture(scope="module")
def whole_benchmark(tables):
    return build(tables)


def sizes_of(rows):
    return sizes(of_groups(rows, Frequencies()))


def texts(groups, probes, task):
    """Group -> its candidates of a task, the right one first."""
    pairs = [
        (definition, word) for definition, words in probes.select("definition", "words").iter_rows() for word in words
    ]
    side = 0 if task == "w2d" else 1
    return {group: [pairs[i][side] for i in numbers] for group, numbers in groups.select("group", task).iter_rows()}


def test_synsets_have_strings_definitions_and_depths(wordnet):
    verbs = synsets(wordnet, "verb")
    warm = verbs.row(by_predicate=pl.col("synset") == "warm_up.v.01", named=True)
    assert (warm["word"], warm["definition"], warm["depth"]) == ("warm up", "run before a game", 2)
    nouns = {row["synset"]: row for row in synsets(wordnet, "noun").iter_rows(named=True)}
    assert nouns["owl.n.01"]["definition"] == "a bird of the night"  # without the example
    assert nouns["robin.n.01"]["depth"] == 3
    assert nouns["goose.n.01"]["hypernyms"] == ["bird.n.01", "pet.n.01"]
    assert nouns["polly.n.01"]["hypernyms"] == []


def test_groups_are_the_sisters_under_any_shared_hypernym(wordnet):
    nouns = synsets(wordnet, "noun")
    name = dict(enumerate(nouns["synset"]))
    groups = {}
    for target, member in sisters(nouns).iter_rows():
        groups.setdefault(name[target], set()).add(name[member])
    assert groups["robin.n.01"] == {"robin.n.01", "hen.n.01", "owl.n.01", "goose.n.01"}
    assert groups["goose.n.01"] == groups["robin.n.01"] | {"cat.n.01", "dog.n.01"}
    assert groups["bird.n.01"] == {"bird.n.01", "pet.n.01"}
    assert "animal.n.01" not in groups
    assert "polly.n.01" not in groups


def test_a_group_needs_five_different_strings_and_definitions(whole_benchmark):
    groups = whole_benchmark[0]
    assert groups.filter(pos="noun")["group"].to_list() == ["goose.n.01"]
    assert groups.filter(pos="verb").height == 7
    assert dict(groups.schema) == dict(GROUPS)


def test_four_definitions_are_too_few():
    five = pl.DataFrame(
        {"word": list("abcde"), "definition": ["x", "y", "z", "w", "w"], "hypernyms": [["h"]] * 5},
    )
    assert large_groups(sisters(five), five).is_empty()
    other = five.with_columns(definition=pl.Series(list("xyzwv")))
    assert large_groups(sisters(other), other)["target"].n_unique() == 5


def test_a_sister_with_the_targets_string_is_no_wrong_definition(whole_benchmark):
    groups, probes, _ = whole_benchmark
    w2d = texts(groups, probes, "w2d")
    # "agree with the head" is a definition of "nod" as well, so it is no candidate for either nod.
    assert w2d["nod.v.01"][0] == "lower the head"
    assert set(w2d["nod.v.01"][1:]) == {
        "signal with the hands",
        "signal with the eye",
        "run before a game",
        "bend the body",
    }
    assert w2d["nod.v.02"][0] == "agree with the head"
    assert "lower the head" not in w2d["nod.v.02"]
    assert len(w2d["beckon.v.01"]) == len(set(w2d["beckon.v.01"])) == 6


def test_a_sister_with_the_targets_definition_is_no_wrong_word(whole_benchmark):
    groups, probes, _ = whole_benchmark
    d2w = texts(groups, probes, "d2w")
    assert d2w["warm_up.v.01"][0] == "warm up"
    assert set(d2w["warm_up.v.01"][1:]) == {"beckon", "wink", "nod", "bow"}
    assert d2w["nod.v.01"] == d2w["nod.v.02"]  # two senses, one string
    assert len(d2w["beckon.v.01"]) == 6
    w2d = texts(groups, probes, "w2d")
    assert w2d["warm_up.v.01"].count("run before a game") == 1  # its own and that of stretch are one candidate


def test_a_definition_is_one_probe_with_all_words_it_is_asked_with(whole_benchmark):
    _, probes, _ = whole_benchmark
    assert probes.filter(pos="verb").height == 6
    game = probes.row(by_predicate=pl.col("definition") == "run before a game", named=True)
    assert set(game["words"]) == {"beckon", "wink", "nod", "warm up", "stretch", "bow"}
    # W2D: right for warm up and stretch, wrong for the five others; D2W: five words for warm up, five for stretch.
    assert game["questions"] == 7 + 10
    assert dict(probes.schema) == dict(PROBES)


def test_sizes_and_what_a_guess_gets(whole_benchmark):
    rows = whole_benchmark[2]
    assert dict(rows.schema) == dict(BENCHMARK)
    sizes = sizes_of(rows)
    assert dict(sizes.schema) == dict(SIZES)
    verb = sizes.row(
        by_predicate=(pl.col("groups_of") == "the benchmark") & (pl.col("condition") == "verb"), named=True
    )
    assert (verb["groups"], verb["candidates"], verb["smallest"], verb["largest"]) == (7, 7, 7, 7)
    # W2D: five groups of 6 definitions, two (nod) of 5. D2W: five of 6 words, two (warm up, stretch) of 5.
    assert verb["w2d_random"] == pytest.approx((5 / 6 + 2 / 5) / 7)
    assert verb["d2w_random"] == pytest.approx((5 / 6 + 2 / 5) / 7)
    assert verb["w2d_candidates"] == pytest.approx(40 / 7)
    deep = sizes.filter(groups_of="the benchmark", condition="noun, depth 3–5")
    assert deep["groups"].to_list() == [1]
    assert "this run's sample" not in sizes["groups_of"]


def test_the_family_of_a_group_is_its_hypernym_and_of_several_the_first_by_name(whole_benchmark):
    groups, _, rows = whole_benchmark
    sizes = sizes_of(rows)
    nouns = groups.filter(pos="noun")
    assert nouns.select("group", "family").rows() == [("goose.n.01", "bird.n.01")]  # it is a pet, too
    assert set(groups.filter(pos="verb")["family"]) == {"move.v.01"}
    assert sizes.filter(groups_of="the benchmark", condition="verb")["families"].to_list() == [1]


def test_large_families_count_for_fewer():
    table = pl.DataFrame(
        {
            "synset": [f"s{i}" for i in range(20)],
            "pos": "noun",
            "word": [f"w{i}" for i in range(20)],
            "definition": [f"d{i}" for i in range(20)],
            "depth": 3,
            "hypernyms": [["h"]] * 15 + [["i"]] * 5,
        }
    )
    row = sizes_of(build({"noun": table})[2]).row(1, named=True)
    assert (row["groups_of"], row["groups"], row["families"]) == ("the benchmark", 20, 2)
    assert row["effective_families"] == pytest.approx(20**2 / (15**2 + 5**2))


def test_a_sample_is_the_same_for_the_same_seed(tables):
    first, again, other = (
        build(tables, sample={"noun": 1, "verb": 3, "seed": seed})[0]["group"].to_list() for seed in (1, 1, 2)
    )
    assert first == again
    assert len(set(first)) == 4
    assert first != other


def test_a_larger_sample_holds_a_smaller_one():
    pairs = pl.DataFrame({"target": range(60), "member": range(60)}, schema={"target": pl.UInt32, "member": pl.UInt32})
    targets = [set(sample(pairs, size, "noun", 1)["target"]) for size in (1, 5, 20, 21, 59, 60)]
    assert [len(drawn) for drawn in targets] == [1, 5, 20, 21, 59, 60]
    assert all(small < large for small, large in itertools.pairwise(targets))


def test_a_sample_of_the_paper_is_the_one_that_was_drawn_before_samples_were_nested():
    """20 of 51,260 nouns: Python's own sample of so few draws one place after another, as ours does."""
    number = 51_260
    pairs = pl.DataFrame({"target": range(number)}, schema={"target": pl.UInt32}).with_columns(member="target")
    assert set(sample(pairs, 20, "noun", 1)["target"]) == set(random.Random("1 noun").sample(range(number), 20))


def test_a_sampled_group_has_the_candidates_it_has_in_the_benchmark(tables, whole_benchmark):
    groups, probes, rows = build(tables, sample={"noun": 1, "verb": 2, "seed": 5})
    for task in ("w2d", "d2w"):
        whole, sampled = texts(*whole_benchmark[:2], task), texts(groups, probes, task)
        assert {group: set(whole[group]) for group in sampled} == {group: set(c) for group, c in sampled.items()}
    assert probes["words"].list.len().sum() < whole_benchmark[1]["words"].list.len().sum()
    assert set(sizes_of(rows)["groups_of"]) == {"at least 5 synsets", "the benchmark", "this run's sample"}
    assert rows.filter("kept").height == 8
    assert set(rows.filter("drawn")["group"]) == set(groups["group"])


def test_named_targets_are_asked_and_not_counted_unless_they_are_drawn(tables):
    sampling = {"noun": 1, "verb": 1, "seed": 5}
    drawn = build(tables, sample=sampling)[0]["group"].to_list()
    groups, _, rows = build(tables, sample=sampling, targets=["wink.v.01", "nod"])
    assert set(groups["group"]) == {*drawn, "wink.v.01", "nod.v.01", "nod.v.02"}  # a word names all of its synsets
    assert set(rows.filter("drawn")["group"]) == set(drawn)


def test_a_named_target_without_a_group_says_so(tables):
    with pytest.raises(DataError, match=r"definitions\.targets names 'robin', which has no group of 5 candidates"):
        build(tables, targets=["robin"])


def test_the_limits_of_candidates_choose_the_groups(tables):
    # The seven verbs have six strings and six definitions, the goose six of each, the other birds four, pets three.
    assert build(tables, limits=Limits(5, 6))[0].height == 8
    assert build(tables, limits=Limits(5, 5))[0].is_empty()
    assert set(build(tables, limits=Limits(4, 5))[0]["group"]) == {"robin.n.01", "hen.n.01", "owl.n.01"}
    assert build(tables, limits=Limits(7))[0].is_empty()


class Adjective:
    """A synset as nltk has it, of an adjective."""

    def __init__(self, name, heads=()):
        self._name, self.similar = name, list(heads)

    def name(self):
        return self._name

    def pos(self):
        return self._name.split(".")[1]

    def definition(self):
        return f"being {self._name.split('.')[0]}"

    def hypernyms(self):
        return []

    instance_hypernyms = hypernyms

    def similar_tos(self):
        return self.similar


def test_the_sisters_of_an_adjective_are_similar_to_the_same_one():
    fast, slow = Adjective("fast.a.01"), Adjective("slow.a.01")
    quick, swift = Adjective("quick.s.01", [fast]), Adjective("swift.s.01", [fast, Adjective("rapid.s.01")])
    lazy = Adjective("lazy.s.01", [slow])
    fast.similar = [quick, swift]  # the link goes both ways, and the head is no sister of its satellites
    reader = SimpleNamespace(all_synsets=lambda pos: {"a": [fast, slow, quick, swift, lazy]}[pos])
    table = synsets(reader, "adjective")
    assert table["hypernyms"].to_list() == [[], [], ["fast.a.01"], ["fast.a.01"], ["slow.a.01"]]
    assert sisters(table).rows() == [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)]


def test_too_large_a_sample_is_an_error():
    pairs = pl.DataFrame({"target": [0, 0, 1], "member": [0, 1, 1]}, schema={"target": pl.UInt32, "member": pl.UInt32})
    with pytest.raises(DataError, match="only 2 groups of verbs, but the config asks for 3"):
        sample(pairs, 3, "verb", seed=1)


def test_a_task_whose_right_candidate_is_the_only_one_is_left_out():
    # The target "a" has four sisters of its own string and four of its own definition, five strings and five definitions.
    rows = [("a", "1")] + [("a", d) for d in "2345"] + [(w, "1") for w in "bcde"]
    table = pl.DataFrame(rows, schema=["word", "definition"], orient="row").with_columns(hypernyms=pl.lit(["h"]))
    pairs = large_groups(sisters(table), table)
    rows = candidates(pairs, table)
    assert pairs["target"].n_unique() == 9
    assert rows.filter(target=0).is_empty()
    assert rows.filter(target=1, task="w2d")["right"].sum() == 1


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_file(), reason="WordNet 3.0 has not been fetched")
def test_wordnet_has_the_papers_groups():
    """Table 2, the numbers of Table 6, and the random rows of Tables 4 and 5, to the last digit."""
    assert json.loads(REAL.read_text())["files"]
    with reader_of(REAL.with_suffix("")) as reader:
        tables = {pos: synsets(reader, pos) for pos in ("noun", "verb")}
    _, probes, groups = build(tables, sample={"noun": 1, "verb": 1, "seed": 1})
    about = of_groups(groups, Frequencies())
    sizes = sizes_of(groups)
    rows = {(row["groups_of"], row["condition"]): row for row in sizes.iter_rows(named=True)}
    noun, verb = (rows["the benchmark", pos] for pos in ("noun", "verb"))
    assert (noun["groups"], verb["groups"]) == (51_260, 8_487)
    assert (noun["smallest"], noun["largest"], verb["smallest"], verb["largest"]) == (5, 404, 5, 593)
    assert [(row["families"], round(row["effective_families"])) for row in (noun, verb)] == [(4231, 1028), (657, 176)]
    unfiltered = [rows["at least 5 synsets", pos] for pos in ("noun", "verb")]
    assert [row["groups"] for row in unfiltered] == [51_559, 8_602]
    assert [round(row["candidates"], 1) for row in unfiltered] == [50.2, 47.7]
    assert [round(100 * row[task], 1) for task in ("w2d_random", "d2w_random") for row in (noun, verb)] == [
        *(7.6, 7.8),
        *(7.6, 8.0),
    ]
    depths = [rows["the benchmark", f"noun, depth {d}"]["groups"] for d in ("3–5", "6–8", "9–11", "12–14", "15–19")]
    assert depths == [2106, 25_232, 18_521, 4473, 928]
    assert not probes["definition"].str.contains("[V]", literal=True).any()
    leaks = about.filter("kept").group_by("pos", "leak").len()
    named = {pos: number for pos, leak, number in leaks.iter_rows() if leak == "names"}
    assert named == {"noun": 1491, "verb": 1319}
