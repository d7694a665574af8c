"""datapackage.json and ro-crate-metadata.json: what the results of a run are, for other programs."""

import polars as pl
from relprobe.report.package import crate, data_package
from relprobe.report.shown import page_of

HAS = {"relations": dict.fromkeys(page_of("relations").may_lack, True)}


def resource(folder, name, table):
    path = folder / "relations" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    table.write_parquet(path)
    return path


def test_each_table_has_the_types_and_meanings_of_its_columns(tmp_path):
    table = pl.DataFrame({"agent": ["gpt2"], "value": [0.5], "units": [3], "odd_column": [[1]], "own_units": [True]})
    files = [resource(tmp_path, name, table) for name in ("tables/overview.parquet", "averages.parquet")]
    package = data_package(files, tmp_path, "", HAS)
    assert [one["name"] for one in package["resources"]] == ["relations-tables-overview", "relations-averages"]
    shown, averages = package["resources"]
    assert shown["path"] == "relations/tables/overview.parquet"
    assert shown["title"]
    assert shown["description"]
    fields = {one["name"]: one for one in averages["schema"]["fields"]}
    types = {"agent": "string", "value": "number", "units": "integer", "odd_column": "array", "own_units": "boolean"}
    assert {name: one["type"] for name, one in fields.items()} == types
    assert fields["agent"]["description"] == "who answers: a model as it is asked, a person, or a control"
    assert "description" not in fields["odd_column"]


def test_the_crate_names_files_the_program_and_models_without_paths_of_this_machine():
    models = {"m": {"path": "/home/me/m"}, "n": {"huggingface": "org/n", "revision": "main"}}
    graph = {one["@id"]: one for one in crate(["relations/tests.parquet", "sources.csv"], "Mine", models)["@graph"]}
    assert graph["./"]["name"] == "Mine"
    assert graph["./"]["hasPart"] == [{"@id": "relations/tests.parquet"}, {"@id": "sources.csv"}]
    assert graph["#run"]["instrument"] == {"@id": "#relprobe"}
    assert graph["#model-n"]["identifier"] == "org/n"
    assert "home" not in str(graph)
    used = {one["@id"] for part in graph.values() for value in part.values() for one in _references(value)}
    assert used - {"https://w3id.org/ro/crate/1.1"} <= set(graph)


def _references(value):
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, dict)]
