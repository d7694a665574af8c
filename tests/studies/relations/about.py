"""The files of a run, of which a test says only what it is about."""

from dataclasses import fields

from relprobe.studies.relations.analyses import first_related, frequency, prompts, sizes
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.results import Results, Settings
from relprobe.studies.relations.tables import omissions

from tests.studies.relations.six import ENGLISH, SIX


def results(**files):
    return Results(**{**{one.name: None for one in fields(Results)}, "settings": Settings(), **files})


def compared(values, averages, tests, relata, models, relations=SIX):
    """The tables of the analyses that compare models, and what they leave out, by name."""
    run = results(
        metrics=values,
        averages=averages,
        tests=tests,
        gold=GoldStandard(None, relata, None, None, relations),
        language=ENGLISH,
        settings=Settings(models=models),
    )
    parts = (sizes, frequency, prompts, first_related)
    tables = {name: make(run) for analysis in parts for name, make in analysis.TABLES.items()}
    return {**tables, "left_out": omissions(run)}
