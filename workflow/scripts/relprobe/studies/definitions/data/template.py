"""A user's own dictionary: the resource, and examples of its files."""

from typing import NamedTuple

from relprobe.core.files import Text

OWN = "own_definitions"
"""The resource with an own dictionary; it takes the place of WordNet."""
DICTIONARY = """word,part_of_speech,definition,group,language,count
beckon,verb,signal with the hands or nod,gesture,en,57
nod,verb,express or signify by nodding,gesture,en,310
wink,verb,signal by winking,gesture,en,140
bow,verb,"bend one's knee or body, or lower one's head",gesture,en,880
shrug,verb,raise one's shoulders to show that one does not know,gesture,en,120
hammer,noun,a tool with a heavy head that drives nails,tool,en,2100
saw,noun,a tool with a blade of teeth that cuts wood,tool,en,5200
drill,noun,a tool with a turning point that makes holes,tool,en,1900
file,noun,a tool with a rough surface that smooths metal,tool,en,9400
pair of pliers,noun,a tool with two jaws that holds small things,tool,en,4
"""
"""Two groups of five sisters, the least that a group has by default."""
COUNTS = """word,count
beckon,57
nod,310
pair of pliers,4
"""


class Template(NamedTuple):
    """A dictionary and a file of counts, both as CSV."""

    dictionary: Text
    counts: Text


def template() -> Template:
    """Write an example of an own dictionary, and of a file of counts: two CSV files to change."""
    return Template(DICTIONARY, COUNTS)
