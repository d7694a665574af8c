"""A template of own analogies, which word_pairs.py reads."""

from relprobe.core.files import Text

TEMPLATE = """relation,group,head,tails,marks
capital,countries,paris,france,
capital,countries,rome,italy,
capital,countries,oslo,norway,
capital,countries,cairo,egypt,
capital,countries,lima,peru,
capital,countries,tokyo,japan,
opposite,adjectives,hot,cold,many bidirectional
opposite,adjectives,big,small/little,many bidirectional
opposite,adjectives,wet,dry,many bidirectional
opposite,adjectives,old,young/new,many bidirectional
opposite,adjectives,fast,slow,many bidirectional
opposite,adjectives,rich,poor,many bidirectional
"""
"""Two relations of six pairs: the least that can be divided into training and test."""


def template() -> Text:
    """Write a template of own analogies, a CSV file with two relations."""
    return TEMPLATE
