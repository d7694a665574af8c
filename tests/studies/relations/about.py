"""The files of a run, of which a test says only what it is about."""

from dataclasses import fields

from relprobe.studies.relations.results import Results, Settings


def results(**files):
    return Results(**{**{one.name: None for one in fields(Results)}, "settings": Settings(), **files})
