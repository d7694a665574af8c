"""A dictionary of one's own: its groups, and the form that people fill in."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own import word_counts
from relprobe.studies.definitions.dictionary import entry_synsets, template
from relprobe.studies.definitions.people import form
from relprobe.studies.definitions.probes import candidate_texts
from relprobe.studies.definitions.probes import probe_tables as build
from relprobe.studies.definitions.schemas import GROUPS

from tests.studies.definitions.data.test_own_data import GROUP_TEXTS, ROWS, file


def test_a_dictionary_becomes_groups_and_candidates(tmp_path):
    rows = [*ROWS, '"word0",verb,"another meaning, of word0",gesture', "word1,verb,meaning 1,greeting"]
    entries = own_definitions.read(file(tmp_path, rows))
    (pos,) = tables = entry_synsets(entries)
    assert pos == "verb"
    assert tables["verb"]["synset"].to_list() == ["word0.v.01", "word0.v.02", *(f"word{n}.v.01" for n in range(1, 5))]
    assert dict(tables["verb"].select("synset", "hypernyms").iter_rows())["word1.v.01"] == [
        "gesture",
        "greeting",
    ]  # one sense in two groups
    groups, probes, _ = build(tables)
    group_texts = candidate_texts(groups, probes)["w2d", "word0.v.01"]
    # The other meaning of word0 is right as well, so it is no candidate.
    assert (group_texts[0], sorted(group_texts[1:])) == ("meaning 0", [f"meaning {n}" for n in range(1, 5)])
    assert dict(zip(groups["group"], groups["family"], strict=True))["word1.v.01"] == "gesture"


def test_the_templates_are_files_of_the_study(tmp_path):
    dictionary, counts = tmp_path / "dictionary.csv", tmp_path / "counts.csv"
    dictionary.write_text(template().dictionary)
    counts.write_text(template().counts)
    groups, _, rows = build(entry_synsets(own_definitions.read(dictionary)))
    assert groups.height == rows.filter("drawn").height == 10
    assert word_counts.read(counts)["beckon"] == 57


def test_the_form_has_groups_of_up_to_ten_candidates():
    many = {**GROUP_TEXTS, ("w2d", "nod.v.01"): [f"meaning {n}" for n in range(11)]}
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    with pytest.raises(DataError, match="the study has 0 groups of up to 10 candidates, but 1 is asked for"):
        form(many, groups, participants=1, size=1, seed=1)
    ten = {**many, ("w2d", "nod.v.01"): many["w2d", "nod.v.01"][:10]}
    assert form(ten, groups, participants=1, size=1, seed=1).height == 10 + 3


def test_the_form_has_groups_of_two_candidates_in_both_tasks_and_as_many_as_are_drawn():
    rows = [(f"g{number}.v.01", "verb", "nod", "lower the head", 2, "f", [], []) for number in range(5)]
    groups = pl.DataFrame(rows, schema=GROUPS, orient="row")
    sizes = {"g0.v.01": (2, 2), "g1.v.01": (2, 1), "g2.v.01": (1, 2), "g3.v.01": (10, 3), "g4.v.01": (2, 11)}
    texts = {
        (task, group): [f"text {n}" for n in range(size)]
        for group, task_sizes in sizes.items()
        for task, size in zip(("w2d", "d2w"), task_sizes, strict=True)
    }
    everything = form(texts, groups, participants=2, size=None, seed=1)
    assert set(everything["group"]) == {"g0.v.01", "g3.v.01"}
    assert everything.height == 2 * (2 + 2 + 10 + 3)
    drawn = [set(form(texts, groups, participants=2, size=1, seed=seed)["group"]) for seed in range(8)]
    assert all(len(chosen) == 1 for chosen in drawn)
    with pytest.raises(DataError, match="the study has 2 groups of up to 10 candidates, but 3 are asked for"):
        form(texts, groups, participants=1, size=3, seed=1)


def test_the_form_has_all_groups_unless_a_number_is_given_and_needs_one():
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    assert form(GROUP_TEXTS, groups, participants=1, size=None, seed=1).height == 2 * 3
    with pytest.raises(DataError, match="the study has 0 groups of up to 10 candidates, but 1 is asked for"):
        form(GROUP_TEXTS, groups.clear(), participants=1, size=None, seed=1)
