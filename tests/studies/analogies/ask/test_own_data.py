"""Own analogies: the file, its faults, and the instances of the study."""

import pytest
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.manifest import write_manifest
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.method import Split
from relprobe.studies.analogies.probes import build
from relprobe.studies.analogies.relations import read, read_own, template
from relprobe.studies.analogies.schemas import ANALOGIES
from relprobe.studies.analogies.study import baselines, check, classifier_layer, controls, resource

SIZES = [("sizes", "things", f"small{n}", f"large{n}", "") for n in range(6)]
SOUNDS = [("sounds", "animals", f"animal{n}", f"sound{n}/noise{n}", "many") for n in range(6)]
BOTH = [("opposites", "animals", f"hot{n}", f"cold{n}", "many bidirectional") for n in range(6)]


def file(folder, rows=(*SIZES, *SOUNDS, *BOTH), header="relation,group,head,tails,marks"):
    path = folder / "own.csv"
    path.write_text("\n".join([header, *(",".join(row) for row in rows)]) + "\n")
    return path


def test_pairs_groups_and_marks_are_read(tmp_path):
    table = read_own(file(tmp_path))
    assert table.schema == ANALOGIES
    assert table.row(6) == ("sounds", "sounds", "animal0", ["sound0", "noise0"], "animals", "∗")
    assert dict(table.select("relation", "marks").unique().iter_rows()) == {
        "sizes": "",
        "sounds": "∗",
        "opposites": "∗†",
    }
    without = read_own(file(tmp_path, [row[:4] for row in SIZES], "relation,group,head,tails"))
    assert without.row(0) == ("sizes", "sizes", "small0", ["large0"], "things", "")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("sizes", "things", "tiny"), "line 8: 3 fields where 5 are expected"),
        (("sizes", "things", "tiny", " / ", ""), "line 8: relation, group, head and tails must not be empty"),
        (
            ("sizes", "things", "small0", "big", ""),
            "line 8: the head 'small0' of sizes is in line 2 already: unite its tails",
        ),
        (("sizes", "animals", "tiny", "big", ""), "line 8: sizes is in the group 'things' above, not 'animals'"),
        (("sizes", "things", "tiny", "big", "few"), "line 8: unknown mark 'few'; known are many and bidirectional"),
        (("All", "things", "tiny", "big", ""), "line 8: relation and group must differ"),
        (("sounds", "animals", "tiny", "big", ""), "sounds has 1 pairs, but a relation needs 6"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        read_own(file(tmp_path, [*SIZES, row]))


def test_the_header_is_checked_and_an_empty_file_is_refused(tmp_path):
    with pytest.raises(
        DataError,
        match=r"the first line must be relation,group,head,tails, and may go on with marks, but .* has no column group",
    ):
        read_own(file(tmp_path, SIZES, "relation,head,tails"))
    with pytest.raises(DataError, match="there are no pairs, but a relation needs 6"):
        read_own(file(tmp_path, []))


def test_a_fault_is_found_before_any_work(tmp_path):
    template = "{h1} {t1}, {h2} {t2}"
    path = file(tmp_path, [*SIZES, ("sizes", "things", "tiny", "big", "few")])
    config = {"analogies": {"template": template}, "encoders": {}, "resources": {"own_analogies": {"path": str(path)}}}
    with pytest.raises(ConfigError, match="line 8: unknown mark"):
        check(config)


def test_a_layer_of_a_model_that_is_not_there_is_refused():
    supervised = {"layers": {"bert": 6, "brt": 6}}
    study = {"template": "{h1} {t1}, {h2} {t2}", "supervised": supervised}
    config = {"analogies": study, "encoders": {}, "resources": {}, "models": {"bert": {}}}
    with pytest.raises(ConfigError, match=r"analogies\.supervised\.layers names 'brt', which is no model"):
        check(config)


def test_the_template_is_an_example_that_is_read_and_split(tmp_path):
    folder = tmp_path / "own_analogies"
    folder.mkdir()
    (folder / "own.csv").write_text(template())
    pairs = read(write_manifest(folder))
    assert pairs["relation"].unique().sort().to_list() == ["capital", "opposite"]
    built = build(pairs, Split(0.5, seed=1), Choices())
    assert built.instances.height == 2 * 2 * 4 * 3 * 2  # relations, partitions, probes, 3 · 2


@pytest.mark.parametrize(("name", "in_order"), [("own_analogies", True), ("demonstration_analogies", False)])
def test_own_analogies_are_sorted_and_those_of_the_demonstration_stay_in_their_order(tmp_path, name, in_order):
    (tmp_path / name).mkdir()
    path = file(tmp_path / name, [*SIZES[::-1], *BOTH])
    table, pairs = read_own(path), read(write_manifest(path.parent))
    assert pairs.sort("relation", "head").equals(table.sort("relation", "head"))
    assert pairs.equals(table) != in_order
    assert (pairs["group"][0], pairs["head"][0]) == (("animals", "hot0") if in_order else ("things", "small5"))


TEXT = "{h1} {t1}, {h2} {t2}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"analogies": {"template": "{h1} {t1}"}}, r"analogies\.template is"),
        ({"encoders": {"bert": {}}}, r"encoders\.bert has the name of a model"),
        ({"encoders": {"relbert": {"template": "{h} and {t}", "pooling": "mask"}}}, r"encoders\.relbert\.template is"),
        ({"encoders": {"relbert": {"template": "{h}"}}}, r"encoders\.relbert\.template is"),
    ],
)
def test_templates_and_names_of_encoders_are_checked_before_any_work(change, said):
    good = {"relbert": {"template": "{h} and {t}"}, "other": {}}
    config = {"analogies": {"template": TEXT}, "encoders": good, "resources": {}, "models": {"bert": {}}}
    check(config)
    with pytest.raises(ConfigError, match=said):
        check(config | change)


def test_the_data_and_the_controls_of_a_run_are_those_of_its_resources():
    bats, demonstration, own = {"bats": {}}, {"demonstration_analogies": {}}, {"own_analogies": {}}
    assert resource({"resources": bats}) == "bats"
    assert resource({"resources": {**bats, **demonstration}}) == "demonstration_analogies"
    assert resource({"resources": {**demonstration, **own, **bats}}) == "own_analogies"
    config = {"resources": {"static_vectors": {}}, "encoders": {"relbert": {}}}
    assert (controls(config), baselines(config)) == (["static"], ["relbert", "static"])
    assert (controls({"resources": bats}), baselines({"resources": bats, "encoders": {}})) == ([], [])
    layers = {"analogies": {"supervised": {"layers": {"bert": 6}}}}
    assert [classifier_layer(one, "bert") for one in (layers, {"analogies": {}}, {})] == [6, None, None]
    assert classifier_layer(layers, "gpt2") is None


def test_own_analogies_are_sorted_by_group_relation_and_head(tmp_path):
    """Of two groups the first has the later relation, and of a relation the last head comes first in the file."""
    rows = [("z", "animals", f"h{n}", f"t{n}", "") for n in range(6)][::-1]
    rows += [("a", "things", f"h{n}", f"t{n}", "") for n in range(6)] + [
        ("b", "animals", f"h{n}", f"t{n}", "") for n in range(6)
    ]
    (tmp_path / "own_analogies").mkdir()
    path = file(tmp_path / "own_analogies", rows)
    found = read(write_manifest(path.parent)).select("group", "relation", "head").rows()
    assert found == sorted((group, relation, head) for relation, group, head, *_ in rows)
