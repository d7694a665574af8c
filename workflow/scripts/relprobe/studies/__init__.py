"""The studies, a folder each: `steps.py` is a study's table of contents, from its words to its tables."""

STUDIES = ("relations", "definitions", "systematicity", "analogies", "degrees")
"""All studies, in the order of the report. A study is a folder here and a file of its name in the rules and schemas."""
