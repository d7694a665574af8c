"""The frame: averages, tests, tables, figures and the first sentences of a study that has none of its own.

Such a study has no step `compare`: it says what it asks, what is right and what it measures. rules/frame.smk does the rest.
Its values have the columns metric and condition, those of the metric's unit, and value.
"""
