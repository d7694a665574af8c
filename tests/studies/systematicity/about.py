"""The files of a run, of which a test says only what it is about."""

from dataclasses import fields

from relprobe.studies.systematicity.hyponyms import Choice
from relprobe.studies.systematicity.results import Results, Settings

SETTINGS = Settings({}, Choice(0), [], 1)


def results(**files):
    return Results(**{**{one.name: None for one in fields(Results)}, "metrics": {}, "settings": SETTINGS, **files})
