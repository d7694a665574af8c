"""The formats of files: that of one agent says whose it is, for those who read it with another program."""

import importlib

import polars as pl
import pytest
from relprobe.core.files import AGENT, Format

WITHOUT_AGENT = {
    "relations": {"Answers", "Metrics", "LayerMetrics", "Use", "Sensitivity", "TopWords"},
    "definitions": {"ReplyChoices", "Responses", "Metrics"},
    "systematicity": {"Detections", "Metrics", "LayerMetrics", "ReplyChoices"},
    "analogies": {"Decisions", "ReplyChoices", "Metrics", "LayerMetrics"},
    "degrees": {"ReplyChoices", "LayerMetrics"},
    "pairs": {"LayerMetrics", "ReplyChoices"},
}
"""Study -> the tables that lack the agent, of which a file FOLDER/AGENT.parquet has it."""


def formats(study):
    """The names of a study's tables, with the format and the schema of each."""
    for name, table in vars(importlib.import_module(f"relprobe.studies.{study}.schemas")).items():
        for form in getattr(table, "__metadata__", ()):
            schemas = [cell.cell_contents for cell in getattr(getattr(form, "write", None), "__closure__", None) or ()]
            for schema in schemas:
                if isinstance(form, Format) and isinstance(schema, pl.Schema):
                    yield name, form, schema


@pytest.mark.parametrize("study", WITHOUT_AGENT)
def test_a_file_of_one_agent_names_it(study, tmp_path):
    named = set()
    for name, form, schema in formats(study):
        path = tmp_path / name / "gpt2.parquet"
        form.write(pl.DataFrame(schema=schema), path)
        if AGENT not in schema and AGENT in pl.read_parquet_schema(path):
            named.add(name)
        assert form.read(path).schema == schema
    assert named == WITHOUT_AGENT[study]
