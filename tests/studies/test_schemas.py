"""The formats of files: that of one agent says whose it is, for those who read it with another program."""

import importlib

import polars as pl
import pytest
from relprobe.core.files import AGENT, Format

WITHOUT_AGENT = {
    "studies.relations.schemas": {"Answers", "Metrics", "LayerMetrics", "Use", "Sensitivity", "TopWords"},
    "studies.definitions.schemas": {"ReplyChoices", "Responses", "Metrics"},
    "studies.systematicity.schemas": {"Detections", "Metrics", "LayerMetrics", "ReplyChoices"},
    "studies.analogies.schemas": {"Decisions", "ReplyChoices", "Metrics", "LayerMetrics"},
    "studies.degrees.schemas": {"ReplyChoices", "LayerMetrics"},
    "studies.pairs.schemas": {"LayerMetrics", "ReplyChoices"},
    "lm.chat_models.ledger": {"Ledger"},
}
"""Module -> the tables that lack the agent, of which a file FOLDER/AGENT.parquet has it."""


def formats(module):
    """The names of a module's tables, with the format and the schema of each."""
    for name, table in vars(importlib.import_module(f"relprobe.{module}")).items():
        for form in getattr(table, "__metadata__", ()):
            schemas = [cell.cell_contents for cell in getattr(getattr(form, "write", None), "__closure__", None) or ()]
            for schema in schemas:
                if isinstance(form, Format) and isinstance(schema, pl.Schema):
                    yield name, form, schema


@pytest.mark.parametrize("module", WITHOUT_AGENT)
def test_a_file_of_one_agent_names_it(module, tmp_path):
    named = set()
    for name, form, schema in formats(module):
        path = tmp_path / name / "gpt2.parquet"
        form.write(pl.DataFrame(schema=schema), path)
        if AGENT not in schema and AGENT in pl.read_parquet_schema(path):
            named.add(name)
        assert form.read(path).schema == schema
    assert named == WITHOUT_AGENT[module]
