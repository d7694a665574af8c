"""Groups and candidates from the hand-made WordNet of tiny_sisters, whose docstring says what is in it."""

import polars as pl
from relprobe.sources.lexical.wordnet import prepare
from relprobe.sources.lexical.wordnet_synsets import synsets
from relprobe.sources.own.definitions import Entry
from relprobe.studies.definitions.dictionary import entry_synsets, read
from relprobe.studies.definitions.method import Limits, candidates, large_groups, sisters

from tests.sources.lexical.tiny_wordnet import Synset, write


def texts(groups, probes, task):
    """Group -> its candidates of a task, the right one first."""
    pairs = [
        (definition, word) for definition, words in probes.select("definition", "words").iter_rows() for word in words
    ]
    side = 0 if task == "w2d" else 1
    return {group: [pairs[i][side] for i in numbers] for group, numbers in groups.select("group", task).iter_rows()}


def test_synsets_have_strings_definitions_and_depths(prepared):
    verbs = synsets(prepared, "verb")
    warm = verbs.row(by_predicate=pl.col("synset") == "warm_up.v.01", named=True)
    assert (warm["word"], warm["definition"], warm["depth"]) == ("warm up", "run before a game", 2)
    nouns = {row["synset"]: row for row in synsets(prepared, "noun").iter_rows(named=True)}
    assert nouns["owl.n.01"]["definition"] == "a bird of the night"  # without the example
    assert nouns["robin.n.01"]["depth"] == 3
    assert nouns["goose.n.01"]["hypernyms"] == ["bird.n.01", "pet.n.01"]
    assert nouns["polly.n.01"]["hypernyms"] == []


def test_groups_are_the_sisters_under_any_shared_hypernym(prepared):
    nouns = synsets(prepared, "noun")
    name = dict(enumerate(nouns["synset"]))
    groups = {}
    for target, member in sisters(nouns).iter_rows():
        groups.setdefault(name[target], set()).add(name[member])
    assert groups["robin.n.01"] == {"robin.n.01", "hen.n.01", "owl.n.01", "goose.n.01"}
    assert groups["goose.n.01"] == groups["robin.n.01"] | {"cat.n.01", "dog.n.01"}
    assert groups["bird.n.01"] == {"bird.n.01", "pet.n.01"}
    assert "animal.n.01" not in groups
    assert "polly.n.01" not in groups


def test_four_definitions_are_too_few():
    five = pl.DataFrame(
        {"word": list("abcde"), "definition": ["x", "y", "z", "w", "w"], "hypernyms": [["h"]] * 5},
    )
    assert large_groups(sisters(five), five).is_empty()
    other = five.with_columns(definition=pl.Series(list("xyzwv")))
    assert large_groups(sisters(other), other)["target"].n_unique() == 5


def test_a_pair_with_two_common_hypernyms_is_one_pair():
    table = pl.DataFrame({"hypernyms": [["bird", "pet"], ["bird", "pet"], ["pet"]]})
    assert sisters(table).rows() == [(target, member) for target in range(3) for member in range(3)]


def test_a_group_has_neither_too_few_nor_too_many_words_or_definitions():
    six = pl.DataFrame({"word": list("abcdee"), "definition": list("uvwxyz"), "hypernyms": [["h"]] * 6})
    pairs = sisters(six)
    for limits, kept in ((Limits(5, 6), 6), (Limits(5, 5), 0), (Limits(6, 6), 0), (Limits(5, None), 6)):
        assert large_groups(pairs, six, limits)["target"].n_unique() == kept
        turned = six.rename({"word": "definition", "definition": "word"})
        assert large_groups(pairs, turned, limits)["target"].n_unique() == kept


def test_the_sisters_of_an_adjective_are_similar_to_the_same_one(tmp_path):
    spec = {
        "fast": Synset("fast", pos="a"),
        "slow": Synset("slow", pos="a"),
        "quick": Synset("quick", pos="s", similar="fast"),
        "swift": Synset("swift", pos="s", similar="fast"),
        "lazy": Synset("lazy", pos="s", similar="slow quick"),  # a satellite is no head
    }
    prepare(write(tmp_path / "original", spec), tmp_path / "prepared")
    table = synsets(tmp_path / "prepared", "adjective")
    assert table["hypernyms"].to_list() == [[], [], ["fast.a.01"], ["fast.a.01"], ["slow.a.01"]]
    assert sisters(table).rows() == [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)]


def test_a_task_whose_right_candidate_is_the_only_one_is_left_out():
    # The target "a" has four sisters of its own string and four of its own definition, five strings and five definitions.
    rows = [("a", "1")] + [("a", d) for d in "2345"] + [(w, "1") for w in "bcde"]
    table = pl.DataFrame(rows, schema=["word", "definition"], orient="row").with_columns(hypernyms=pl.lit(["h"]))
    pairs = large_groups(sisters(table), table)
    rows = candidates(pairs, table)
    assert pairs["target"].n_unique() == 9
    assert rows.filter(target=0).is_empty()
    assert rows.filter(target=1, task="w2d")["right"].sum() == 1


def test_groups_of_the_paper_have_five_words_at_least_and_any_number_at_most():
    assert (Limits().minimum, Limits().maximum) == (5, None)


def test_a_word_in_several_groups_and_parts_of_speech_has_senses_of_its_own():
    rows = [("barn owl", "noun", "a bird", "night"), ("barn owl", "noun", "a bird", "bird"), ("nod", "verb", "x", "g")]
    rows += [("nod", "noun", "y", "h"), ("nod", "noun", "z", "h")]
    found = entry_synsets([Entry(*row) for row in rows])
    assert list(found) == ["noun", "verb"]
    assert found["noun"].select("synset", "hypernyms").rows() == [
        *[("barn_owl.n.01", ["bird", "night"]), ("nod.n.01", ["h"]), ("nod.n.02", ["h"])],
    ]
    assert found["verb"]["synset"].to_list() == ["nod.v.01"]


def test_wordnet_is_read_by_part_of_speech(prepared, monkeypatch):
    monkeypatch.setattr("relprobe.studies.definitions.dictionary.fetched_folder", lambda manifest: prepared)
    found = read(prepared / "wordnet.json", ["verb", "noun"])
    assert {pos: table.height for pos, table in found.items()} == {
        pos: synsets(prepared, pos).height for pos in ("verb", "noun")
    }
    assert list(read(prepared / "wordnet.json", ["noun"])) == ["noun"]
