"""What results are, for other programs: what columns mean (datapackage.json), what files are (ro-crate-metadata.json).

The first has the form of Frictionless Data, which programs in Python, R and Julia read. The second has that of RO-Crate, in
which archives describe the results of workflows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import parquet_schema
from relprobe.report.exhibits import Page, Table
from relprobe.report.shown import page_of
from relprobe.report.words.glossary import meaning
from relprobe.version import __version__

CRATE = "https://w3id.org/ro/crate/1.1"
PARQUET = "application/vnd.apache.parquet"
KINDS = ((pl.Boolean, "boolean"), (pl.String, "string"), (pl.Categorical, "string"), (pl.List, "array"))
"""The types of columns that are no numbers -> what they are called there."""


def data_package(
    tables: Sequence[Path], results: Path, title: str, has: Mapping[str, Mapping[str, bool]]
) -> dict[str, Any]:
    """Return the content of datapackage.json: each table, with the type and the meaning of each column.

    `tables`: Parquet files below `results`, each in the folder of its study. `has`: study -> name of its page's `may_lack`
    -> whether the run has that. DataError: a study has no page.
    """
    pages = {study: page_of(study).in_run(has.get(study, {})) for study in {_study(path, results) for path in tables}}
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "relprobe-results",
        "title": title or "Results of relprobe",
        "version": __version__,
        "resources": [_resource(path, results, pages[_study(path, results)]) for path in tables],
    }


def _study(path: Path, results: Path) -> str:
    return path.relative_to(results).parts[0]


def _resource(path: Path, results: Path, page: Page) -> dict[str, Any]:
    relative = path.relative_to(results)
    exhibit = next((entry for entry in page.exhibits if entry.name == path.stem and isinstance(entry, Table)), None)
    texts = {} if exhibit is None else {"title": exhibit.title, "description": exhibit.caption}
    return {
        "name": "-".join(relative.with_suffix("").parts).lower(),
        "path": relative.as_posix(),
        "format": "parquet",
        "mediatype": PARQUET,
        **texts,
        "schema": {"fields": list(_fields(parquet_schema(path), exhibit, page.columns))},
    }


def _fields(
    schema: Mapping[str, pl.DataType], table: Table | None, meanings: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """Yield the name of each column, its type, and what it means where a page or the glossary says it."""
    for column, kind in schema.items():
        text = meaning(column, table, meanings)
        yield {"name": column, "type": field_type(kind)} | ({"description": text} if text else {})


def field_type(kind: pl.DataType) -> str:
    """Return what Frictionless Data calls a type.

    >>> [field_type(kind) for kind in (pl.Float64(), pl.UInt32(), pl.String(), pl.List(pl.String()), pl.Date())]
    ['number', 'integer', 'string', 'array', 'any']
    """
    if kind.is_numeric():
        return "integer" if kind.is_integer() else "number"
    return next((name for suffix, name in KINDS if kind == suffix), "any")


def crate(files: Iterable[str], title: str, models: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of ro-crate-metadata.json: the files, and the run of relprobe that has made them of models.

    `files`: paths below the folder of the results. `models`: name -> entry of the configuration, with public addresses.

    >>> graph = crate(["relations/tests.parquet"], "", {"gpt2": {"huggingface": "openai-community/gpt2"}})["@graph"]
    >>> [one["@id"] for one in graph][:4]
    ['ro-crate-metadata.json', './', '#relprobe', '#run']
    """
    parts = [{"@id": file, "@type": "File", "encodingFormat": _form(file)} for file in files]
    sources = [
        {"@id": f"#model-{name}", "@type": "CreativeWork", "name": name, **_of(model)} for name, model in models.items()
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": title or "Results of relprobe",
        "description": "Answers, values, tests, tables and figures of a run of relprobe",
        "hasPart": _ids(parts),
    }
    description = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": CRATE},
    }
    program = {"@id": "#relprobe", "@type": "SoftwareApplication", "name": "relprobe", "softwareVersion": __version__}
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": "relprobe run",
        "instrument": {"@id": "#relprobe"},
        "object": _ids(sources),
        "result": _ids(parts),
    }
    return {"@context": f"{CRATE}/context", "@graph": [description, root, program, run, *sources, *parts]}


def _ids(entities: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [{"@id": entity["@id"]} for entity in entities]


def _of(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return where a model is from: its identifier and its version; nothing of a file of the user's own."""
    named = next((str(entry[key]) for key in ("huggingface", "pypi", "url") if key in entry), None)
    version = {"version": str(entry["revision"])} if "revision" in entry else {}
    return ({} if named is None else {"identifier": named}) | version


def _form(file: str) -> str:
    forms = {".parquet": PARQUET, ".html": "text/html", ".csv": "text/csv", ".json": "application/json"}
    return forms.get(Path(file).suffix, "application/octet-stream")
