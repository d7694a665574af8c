"""The tables that the docstring of each study's method shows have the columns of its schemas; its files are read again."""

import importlib
import re
from typing import get_args

import polars as pl
import pyarrow as pa
import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import TUPLES
from relprobe.core.study import study_of
from relprobe.core.values import TIDY
from relprobe.lm.score_files.slots import SCORES
from relprobe.studies import STUDIES
from relprobe.studies.relations.schemas import PROBES, RELATA

from tests.facts import facts_by_study

TABLES = ("items", "scores", "responses", "values")
SCHEMAS = {
    "definitions": {"scores": "SCORES", "responses": "RESPONSES", "values": "METRICS"},
    "degrees": {
        "items": ("GOLD", "QUESTIONS", "PROBES"),
        "scores": "SCORES",
        "responses": "RATINGS",
        "values": "METRICS",
    },
    "analogies": {"scores": "SCORES", "responses": "DECISIONS", "values": "METRICS"},
    "systematicity": {"items": ("ITEMS", "PROBES"), "scores": "SCORES", "values": "METRICS"},
    "pairs": {"items": ("ITEMS", "PROBES"), "scores": "SCORES", "responses": "JUDGMENTS", "values": "METRICS"},
    "relations": {"items": (TUPLES, PROBES, RELATA), "scores": SCORES, "responses": "RESPONSES", "values": "METRICS"},
}
"""Study -> its table -> the schema of each of its rows in the docstring; the others are made by functions of the method."""
UNSHOWN = {"x_start", "x_stop", "y_start", "y_stop", "first_start", "first_stop", "second_start", "second_stop"}
"""Where words stand in a text."""


def shown(docstring):
    """Return table -> the columns of each of its rows in a docstring."""
    tables, name = {}, ""
    for row in re.findall(r"^ {4}( {11}|\w+ +)(.*)$", docstring, re.MULTILINE):
        name = row[0].strip() or name
        cells = [
            cell for cell in re.split(r" {2,}", row[1]) if ", " in cell
        ]  # before it, the name of a file of the items
        tables.setdefault(name, []).append(cells[0].split(", "))
    return tables


def docstring_and_tables(study):
    docstring = importlib.import_module(f"relprobe.studies.{study}.method").__doc__
    return docstring, shown(docstring)


def test_a_docstring_shows_rows_of_columns():
    text = (
        "T.\n\n    items      files     a, b    a row per a, or b\n               c, d     of it\n    values     a, b\n"
    )
    assert shown(text) == {"items": [["a", "b"], ["c", "d"]], "values": [["a", "b"]]}


@pytest.mark.parametrize("study", STUDIES)
def test_a_method_shows_four_tables(study):
    assert tuple(docstring_and_tables(study)[1]) == TABLES


@pytest.mark.parametrize("study", facts_by_study(STUDIES, SCHEMAS, __file__))
def test_the_tables_of_a_method_have_the_columns_of_its_schemas(study):
    """Columns that a row leaves out are in backticks below it, but for those of the items."""
    docstring, tables = docstring_and_tables(study)
    schemas = importlib.import_module(f"relprobe.studies.{study}.schemas")
    for table, named in SCHEMAS[study].items():
        for columns, name in zip(tables[table], named if isinstance(named, tuple) else (named,), strict=True):
            schema = getattr(schemas, name) if isinstance(name, str) else name
            all_columns = schema.names if isinstance(schema, pa.Schema) else schema.names()
            assert set(columns) <= {*all_columns}, (table, set(columns) - {*all_columns})
            left_out = {*all_columns} - {*columns} - UNSHOWN
            if table != "items":
                assert {column for column in left_out if f"`{column}`" not in docstring} == set(), table


@pytest.mark.parametrize("study", STUDIES)
def test_the_values_of_a_method_become_the_one_form(study):
    """All of their columns are parts of it."""
    parts = study_of(study).values
    (columns,) = docstring_and_tables(study)[1]["values"]
    assert {*parts.condition, *parts.unit, *parts.cluster, "metric", "value"} == {*columns} - {"agent"}
    assert TIDY.names() == ["metric", "condition", "unit", "cluster", "value"]


AGENT_FILES = {
    **{
        study: {
            **{"Metrics": "METRICS", "LayerMetrics": "LAYER_METRICS", responses: responses.upper()},
            "ReplyChoices": "REPLY_CHOICES",
        }
        for study, responses in (("analogies", "Decisions"), ("systematicity", "Detections"))
    },
    "definitions": {"Metrics": "METRICS", "Responses": "RESPONSES", "ReplyChoices": "REPLY_CHOICES"},
    "degrees": {
        **{"Metrics": "METRICS", "LayerMetrics": "LAYER_METRICS", "Ratings": "RATINGS"},
        "ReplyChoices": "REPLY_CHOICES",
    },
    "pairs": {
        **{"Metrics": "METRICS", "LayerMetrics": "LAYER_METRICS", "Judgments": "JUDGMENTS"},
        "ReplyChoices": "REPLY_CHOICES",
    },
    "relations": {
        **{"Answers": "ANSWERS", "Metrics": "METRICS", "LayerMetrics": "LAYER_METRICS", "Use": "USE"},
        **{"Sensitivity": "SENSITIVITY", "TopWords": "TOP_WORDS"},
    },
}
"""Study -> the types of files that each are of one agent -> their schema."""


@pytest.mark.parametrize("study", AGENT_FILES)
def test_a_file_of_an_agent_says_whose_it_is(study, tmp_path):
    """A column has its name: that of the table, or of the file."""
    module = importlib.import_module(f"relprobe.studies.{study}.schemas")
    for name, schema in AGENT_FILES[study].items():
        _, file_format = get_args(getattr(module, name))
        file_format.write(pl.DataFrame(schema=getattr(module, schema)), tmp_path / "m.parquet")
        assert "agent" in pl.read_parquet_schema(tmp_path / "m.parquet"), name


FILES = {
    "definitions": {
        "Probes": ("PROBES", "probe_id"),
        "Scores": ("SCORES", "probe_id pattern"),
        "Groups": ("GROUPS", "group"),
        "Benchmark": ("BENCHMARK", "group"),
        "Words": ("WORDS", "word"),
        "ReplyChoices": ("REPLY_CHOICES", "task group order sample"),
        "Responses": ("RESPONSES", ""),  # several people answer one task
        "Metrics": ("METRICS", ""),
        "TaskContrasts": ("TASK_CONTRASTS", "agent metric condition"),
        "Sizes": ("SIZES", "groups_of condition"),
    },
    "degrees": {
        "Gold": ("GOLD", "subcategory pair"),
        "Questions": ("QUESTIONS", "subcategory pairs"),
        "Probes": ("PROBES", "subcategory pair"),
        "Scores": ("SCORES", ""),
        "Ratings": ("RATINGS", "agent subcategory pair"),
        "ReplyChoices": ("REPLY_CHOICES", "subcategory pairs order sample"),
        "Metrics": ("METRICS", "agent metric unit"),
        "LayerMetrics": ("LAYER_METRICS", "layer metric unit"),
        "Ceilings": ("CEILING", "subcategory reversals"),
    },
    "analogies": {
        "Tuples": ("TUPLES", "relation draw head"),
        "Instances": ("INSTANCES", ""),
        "Probes": ("PROBES", "relation partition text"),
        "Scores": ("SCORES", "text"),
        "Decisions": ("DECISIONS", ""),
        "ReplyChoices": ("REPLY_CHOICES", "probe query tuple negative order sample"),
        "Metrics": ("METRICS", "metric condition unit"),
        "LayerMetrics": ("LAYER_METRICS", "layer metric condition unit"),
        "Contrasts": ("CONTRASTS_OF_CONDITIONS", "agent metric condition a b"),
    },
    "systematicity": {
        "Probes": ("PROBES", "probe_id"),
        "Contexts": ("CONTEXTS", "context"),
        "Scores": ("SCORES", ""),  # a row for each text of a candidate
        "Embeddings": ("EMBEDDINGS", "context"),
        "Items": ("ITEMS", "set hyponym"),
        "Pairs": ("PAIRS", ""),
        "Detections": ("DETECTIONS", "setting fold input seed hyponym hypernym"),
        "Detection": ("DETECTION", "setting agent input"),
        "Metrics": ("METRICS", "metric condition unit"),
        "LayerMetrics": ("LAYER_METRICS", "layer metric condition unit"),
        "ReplyChoices": ("REPLY_CHOICES", "question order sample"),
        "Occurrences": ("OCCURRENCES", "pattern hyponym category"),
        "OwnContrasts": ("OWN_CONTRASTS", ""),
    },
    "pairs": {
        "Items": ("ITEMS", "condition target first second"),
        "Raters": ("RATERS", ""),
        "Known": ("KNOWN", "relation target relatum"),
        "Probes": ("PROBES", "probe_id"),
        "Scores": ("SCORES", ""),
        "Judgments": ("JUDGMENTS", "agent prompt relation first second"),
        "Metrics": ("METRICS", "agent metric condition foils unit prompt"),
        "PairAverages": ("PAIR_AVERAGES", ""),
        "LayerMetrics": ("LAYER_METRICS", "layer metric condition foils unit prompt"),
        "Links": ("LINKS", "condition unit link"),
        "ReplyChoices": ("REPLY_CHOICES", "task condition relation first second order sample"),
        "Ceilings": ("CEILING", "condition"),
    },
    "relations": {
        "Probes": ("PROBES", "probe_id"),
        "Relata": ("RELATA", "target relation relatum"),
        "Tuples": ("RELATA", "target relation relatum"),
        "Alternatives": ("ALTERNATIVES", "choice target relation relatum"),
        "Answers": ("ANSWERS", "choice annotator probe_id"),
        "Writing": ("WRITING", "probe_id sample"),
        "Metrics": ("METRICS", ""),
        "LayerMetrics": ("LAYER_METRICS", ""),
        "Averages": ("AVERAGES", ""),
        "Tests": ("TESTS", ""),
        "Contrasts": ("CONTRASTS", ""),
        "Pairs": ("PAIRS", "relation versus"),
        "Use": ("USE", "target relation versus prompt_id"),
        "Sensitivity": ("SENSITIVITY", ""),
        "TopWords": ("TOP_WORDS", "probe_id rank"),
    },
}
"""Study -> the type of a file -> its schema, and the columns that tell its rows apart, if some do."""


def two_values(kind):
    """Return two values of a column."""
    if isinstance(kind, pl.List):
        one, other = two_values(kind.inner)
        return [one], [one, other]
    if isinstance(kind, pl.Struct):
        return tuple({part.name: two_values(part.dtype)[place] for part in kind.fields} for place in (0, 1))
    if isinstance(kind, pl.Enum):
        return tuple(kind.categories[:2])
    return ("a", "b") if kind in (pl.String, pl.Categorical) else (False, True) if kind == pl.Boolean else (0, 1)


@pytest.mark.parametrize(("study", "name"), [(study, name) for study, files in FILES.items() for name in files])
def test_rows_of_a_file_differ_in_what_tells_them_apart_and_are_read_as_they_were_written(study, name, tmp_path):
    """A row that stands there twice, as of an agent that is asked twice, ends the step that would write it."""
    schema_name, key = FILES[study][name]
    module = importlib.import_module(f"relprobe.studies.{study}.schemas")
    _, file = get_args(getattr(module, name))
    schema = getattr(module, schema_name)
    schema = pl.DataFrame(schema.empty_table()).schema if isinstance(schema, pa.Schema) else schema
    row = {column: two_values(kind)[0] for column, kind in schema.items()}
    rows = [row, *(row | {column: two_values(schema[column])[1]} for column in key.split())]
    file.write(pl.DataFrame(rows, schema=schema), tmp_path / "m.parquet")
    assert file.read(tmp_path / "m.parquet").equals(pl.DataFrame(rows, schema=schema))
    other = {column: two_values(kind)[1] for column, kind in schema.items() if column not in key.split()}
    twice = pl.DataFrame([row, row | other], schema=schema)
    if key:
        with pytest.raises(DataError, match=f"two rows have one {', '.join(key.split())}, or a row has none"):
            file.write(twice, tmp_path / "m.parquet")
    else:
        file.write(twice.with_columns(pl.first().first()), tmp_path / "m.parquet")
        assert file.read(tmp_path / "m.parquet").height == 2
