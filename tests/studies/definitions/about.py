"""Rows of PROPERTIES, and the files of a run, of which a test says only what it is about."""

from dataclasses import fields

import polars as pl
from relprobe.studies.definitions.analyses.leaks import COLUMNS
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import PROPERTIES

USUAL = {
    **{"group": "goose.n.01", "pos": "noun", "word": "goose", "depth": 4, "family": "bird.n.01", "synsets": 12},
    **{"kept": True, "drawn": True, "w2d": 12, "d2w": 12, "uses": 500.0, "joined": 500.0, "tokens": 1, "leak": None},
}


def properties(*rows):
    return pl.DataFrame([USUAL | row for row in rows], schema={**PROPERTIES, **COLUMNS})


def results(**files):
    return Results(**{**{one.name: None for one in fields(Results)}, **files})
