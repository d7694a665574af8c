"""datapackage.json and ro-crate-metadata.json: what the results of a run are, for other programs."""

import polars as pl
from relprobe import __version__
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


def test_descriptions_have_a_title_of_their_own_and_the_forms_of_files(tmp_path):
    table = resource(tmp_path, "scores.parquet", pl.DataFrame({"agent": ["m"]}))
    package = data_package([table], tmp_path, "Mine", HAS)
    assert (package["title"], package["name"], package["version"]) == ("Mine", "relprobe-results", __version__)
    assert data_package([table], tmp_path, "", HAS)["title"] == "Results of relprobe"
    (described,) = package["resources"]
    parquet = "application/vnd.apache.parquet"
    assert (described["path"], described["format"]) == ("relations/scores.parquet", "parquet")
    assert described["mediatype"] == parquet
    assert "title" not in described  # which no page shows
    files = ["a.parquet", "b.html", "c.csv", "d.json", "e.svg"]
    graph = {one["@id"]: one for one in crate(files, "", {"m": {"url": "u", "revision": 3}, "n": {}})["@graph"]}
    assert graph["./"]["name"] == "Results of relprobe"
    forms = [parquet, "text/html", "text/csv", "application/json", "application/octet-stream"]
    assert [graph[file]["encodingFormat"] for file in files] == forms
    assert {graph[file]["@type"] for file in files} == {"File"}
    kinds = {"ro-crate-metadata.json": "CreativeWork", "./": "Dataset", "#relprobe": "SoftwareApplication"}
    kinds |= {"#run": "CreateAction", "#model-m": "CreativeWork", "#model-n": "CreativeWork"}
    assert {name: graph[name]["@type"] for name in kinds} == kinds
    assert graph["#model-m"] == {
        "@id": "#model-m",
        "@type": "CreativeWork",
        "name": "m",
        "identifier": "u",
        "version": "3",
    }
    assert graph["#run"]["object"] == [{"@id": "#model-m"}, {"@id": "#model-n"}]
    assert graph["#run"]["result"] == [{"@id": file} for file in files]
    assert graph["#relprobe"]["softwareVersion"] == __version__
