"""Own graded ratings: the files, their faults, and the gold ratings, worked out by hand."""

import polars as pl
import pytest
from relprobe.core.cli import main
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.manifest import write_manifest
from relprobe.sources.own import ratings as own_ratings
from relprobe.studies.degrees.probes import items
from relprobe.studies.degrees.relations import read_own, read_printed, read_relations, template
from relprobe.studies.degrees.study import check, reads_hidden_states

RATINGS = """relation,pair,rating
size,ant:mouse,1
size,cat:lion,2.5
size,ice cube:ice berg,4
size,lion:cat,-3
"""
RELATIONS = """
size:
  description: "[Y] is a larger [X]"
  paradigms: ["pond:sea", "wood stick:beam"]
  reversed: ["lion:cat"]
"""

GROUPS = {"degrees": "relprobe.studies.degrees.steps"}


def files(folder, ratings=RATINGS, relations=RELATIONS):
    (folder / "own.csv").write_text(ratings)
    (folder / "own.yaml").write_text(relations)
    return folder / "own.csv", folder / "own.yaml"


def test_ratings_and_relations_are_read(tmp_path):
    (one,) = read_own(*files(tmp_path))
    assert (one.id, one.relation_class, one.training) == ("size", "size", False)
    assert one.ratings == {"ant:mouse": (1,), "cat:lion": (2.5,), "ice cube:ice berg": (4,), "lion:cat": (-3,)}
    assert one.paradigms == ("pond:sea", "wood stick:beam")
    assert one.reversals == {"lion:cat": "cat:lion"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "relation,pair,rating",
            "pair,rating",
            r"own\.csv: the first line must have relation,pair,rating, but 'pair,rating' has no column relation",
        ),
        ("size,ant:mouse,1", "size,ant:mouse", "line 2: 2 fields where 3 are expected"),
        ("size,ant:mouse", "a size,ant:mouse", "line 2: the relation 'a size' must be a name without blanks"),
        ("cat:lion,2.5", "cat lion,2.5", "line 3: expected two words with a colon"),
        ("cat:lion,2.5", "cat:,2.5", "line 3: expected two words with a colon"),
        ("cat:lion,2.5", "cat:lion,much", "line 3: the rating 'much' is not a number"),
        ("cat:lion,2.5", "cat:lion,inf", "line 3: the rating 'inf' is not a number"),
        ("cat:lion,2.5", "ant:mouse,2", "line 3: 'ant:mouse' is rated in line 2 already.*name the raters"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, old, new, said):
    with pytest.raises(DataError, match=said):
        read_own(*files(tmp_path, RATINGS.replace(old, new, 1)))


def test_a_rater_rates_a_pair_once(tmp_path):
    lines = ["relation,pair,rating,rater", "size,a:b,1,ann", "size,a:b,2,bob", "size,a:b,3,ann"]
    path, _ = files(tmp_path, "\n".join(lines))
    with pytest.raises(DataError, match="line 4: 'a:b' is rated by 'ann' in line 2 already: remove one of them"):
        own_ratings.read(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("size:\n", "width:\n", "size must be a sentence with one"),
        ("[Y] is", "It is", r"size must be a sentence with one \[X\] and one \[Y\]"),
        ("paradigms", "paradigm", "size has the unknown key 'paradigm'; known are description, paradigms"),
        ('  paradigms: ["pond:sea", "wood stick:beam"]\n', "", "size has no paradigms: add one"),
        ("pond:sea", "pond", "paradigms of size must be a list of pairs"),
        ('"pond:sea", "wood stick:beam"', '"cat:lion"', "only paradigm of size, cat:lion, is among its rated pairs"),
        ("lion:cat", "mouse:ant", "size has no ratings of both mouse:ant and ant:mouse"),
        ("  reversed", "  training: 1\n  reversed", "of size, training must be true or false, and class a word"),
        ("  reversed", "  class: 7\n  reversed", "of size, training must be true or false, and class a word"),
        ('["pond:sea", "wood stick:beam"]', "pond:sea", "paradigms of size must be a list of pairs"),
        ('["lion:cat"]', "lion:cat", "reversed of size must be a list of pairs"),
    ],
)
def test_a_wrong_relation_is_named(tmp_path, old, new, said):
    with pytest.raises(DataError, match=said):
        read_own(*files(tmp_path, relations=RELATIONS.replace(old, new, 1)))


def test_two_pairs_are_too_few_and_three_are_enough(tmp_path):
    """One paradigm may be a rated pair if there is another one, or if it is rated nowhere."""
    head, *lines = RATINGS.splitlines()
    two, three = ("\n".join([head, *lines[:number]]) for number in (2, 3))
    relations = RELATIONS.replace('  reversed: ["lion:cat"]\n', "")
    with pytest.raises(DataError, match=r"own\.csv: size has 2 pairs, but a correlation needs three: add some"):
        read_own(*files(tmp_path, two, relations))
    (one,) = read_own(*files(tmp_path, three, relations))
    assert one.pairs == {"ant:mouse": 1, "cat:lion": 2, "ice cube:ice berg": 3}
    both = '"pond:sea", "wood stick:beam"'
    for paradigms in ('"cat:lion", "pond:sea"', '"pond:sea"'):
        assert read_own(*files(tmp_path, three, relations.replace(both, paradigms)))
    with pytest.raises(DataError, match="the only paradigm of size, cat:lion"):
        read_own(*files(tmp_path, three, relations.replace(both, '"cat:lion", "cat:lion"')))


def test_the_package_is_read_mended_or_as_it_is_printed(tmp_path, monkeypatch):
    monkeypatch.setattr("relprobe.sources.semeval2012.read", lambda folder, *, mended: (folder.name, mended))
    monkeypatch.setattr("relprobe.studies.degrees.relations.fetched_folder", lambda manifest: manifest)
    manifest = tmp_path / "semeval2012.json"
    assert read_relations(manifest, tmp_path / "prompts.yaml") == ("semeval2012.json", True)
    assert read_relations(manifest, paradigms="printed") == read_printed(manifest) == ("semeval2012.json", False)
    assert read_relations(tmp_path / "own_ratings.json") == ("own_ratings.json", True)


def test_a_fault_is_found_before_any_work(tmp_path):
    ratings, relations = files(tmp_path, RATINGS.replace("2.5", "much"))
    config = {"degrees": {"prompts": str(relations)}, "resources": {"own_ratings": {"path": str(ratings)}}}
    with pytest.raises(ConfigError, match="line 3: the rating 'much' is not a number"):
        check(config)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"degrees": {"prompts": "nowhere.yaml"}}, "degrees.prompts names nowhere.yaml, which does not exist"),
        ({"models": {"m": {}, "pmi": {}}}, "models.pmi has the name of a rater of degrees"),
        (
            {"models": {"m": {}, "n": {"task": "maxdiff"}}},
            "models.n has `task: maxdiff`, but people answered no MaxDiff",
        ),
        ({"further": {"further": {"age": "age"}}}, "age"),
    ],
)
def test_what_the_configuration_of_own_ratings_must_have(tmp_path, change, said):
    ratings, relations = files(tmp_path)
    resource = {"path": str(ratings), **change.pop("further", {})}
    config = {"degrees": {"prompts": str(relations)}, "resources": {"own_ratings": resource}, "models": {"m": {}}}
    with pytest.raises(ConfigError, match=said):
        check({**config, **change})
    plain = {**config, "resources": {"own_ratings": {"path": str(ratings)}}}
    check(plain)
    check({**plain, "resources": {}, "models": {"n": {"task": "maxdiff"}}})
    assert reads_hidden_states({"degrees": {"raters": ["schema", "hidden"]}})
    assert not reads_hidden_states({"degrees": {"raters": ["schema"]}})


def test_the_template_is_an_example_that_is_read(tmp_path):
    (one,) = read_own(*files(tmp_path, *template()))
    assert one.ratings["tool:hammer"] == (7, 6)
    assert (one.relation_class, one.reversals) == ("inclusion", {"hammer:tool": "tool:hammer"})
    assert template().ratings.splitlines()[0] == "relation,pair,rating,rater"
    assert template().relations.count("optional") == 3


def test_the_steps_read_and_write_files(tmp_path):
    """As the rules call them: the relations from a manifest, tables as Parquet, and texts."""
    folder = tmp_path / "own_ratings"
    folder.mkdir()
    words = f"template --ratings {folder}/own.csv --relations {tmp_path}/own.yaml"
    assert main(GROUPS, ["degrees", *words.split()]) == 0
    words = f"--relations {write_manifest(folder)} --prompts {tmp_path}/own.yaml"
    written = f"--gold {tmp_path}/gold.parquet --questions {tmp_path}/questions.parquet"
    assert main(GROUPS, ["degrees", "gold", *words.split(), *written.split()]) == 0
    assert pl.read_parquet(tmp_path / "gold.parquet").equals(
        items(read_own(folder / "own.csv", tmp_path / "own.yaml")).gold
    )


def test_the_package_is_read_where_there_are_no_own_ratings(tmp_path):
    folder = tmp_path / "semeval2012"
    folder.mkdir()
    (folder / "own.csv").write_text(RATINGS)
    with pytest.raises(DataError, match="put SemEval-2012-Complete-Data-Package there"):
        read_relations(write_manifest(folder), None)
