"""The hyponyms that folds are made of, in an order that is that of no table."""

import itertools

import polars as pl
from relprobe.studies.systematicity.method import hyponyms_by_category

ROWS = [("wren", "bird", 1), ("ant", "insect", 1), ("robin", "bird", 1), ("ant", "bird", 0), ("wren", "bird", 1)]


def test_categories_and_their_hyponyms_are_sorted_and_each_stands_once():
    for rows in itertools.permutations(ROWS):
        pool = pl.DataFrame(rows, schema=["hyponym", "hypernym", "label"], orient="row")
        assert list(hyponyms_by_category(pool).items()) == [("bird", ["robin", "wren"]), ("insect", ["ant"])]
