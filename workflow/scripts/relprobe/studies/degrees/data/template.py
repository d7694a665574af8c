"""A template of own data, which `data.subcategories` reads."""

from typing import NamedTuple

from relprobe.core.files import Text

RATINGS = """relation,pair,rating,rater
function,tool:hammer,7,ann
function,tool:hammer,6,bob
function,seat:chair,5,ann
function,seat:chair,6,bob
function,food:apple,2,ann
function,food:apple,3,bob
function,hammer:tool,1,ann
function,hammer:tool,1,bob
"""
RELATIONS = """# A relation of the ratings has a description, a sentence about one pair, [X] and [Y], and paradigms.
function:
  description: "[Y] functions as [X]"
  paradigms: ["weapon:knife", "vehicle:car"]
  class: inclusion # optional: averages stand per class; without it, the relation is its own class
  training: false # optional: true keeps the relation for the choice of a rater
  reversed: ["hammer:tool"] # optional: pairs that turn another pair of the ratings round
"""


class Template(NamedTuple):
    """A CSV file of ratings, and a YAML file of the relations that they are about."""

    ratings: Text
    relations: Text


def template() -> Template:
    """Write a template of own data: a CSV file of ratings, and a YAML file of the relations that they are about."""
    return Template(RATINGS, RELATIONS)
