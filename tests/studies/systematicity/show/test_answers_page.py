"""The page of answers."""

import polars as pl
from relprobe.studies.systematicity.tables import category_choices

from tests.studies.systematicity.ask.test_choices import CHOSEN


def test_the_answers_page_has_the_shares_of_the_chosen_categories():
    names = [("own", kind, "robin", f"own:{kind}:robin", True) for kind in ("singular", "plural", "contextual")]
    probes = pl.DataFrame(names, schema=["set", "kind", "hyponym", "probe_id", "main"], orient="row")
    mumbled = CHOSEN.with_columns(
        choice=pl.when(pl.col("kind") == "contextual", pl.col("order") == 2).then(pl.lit("")).otherwise("choice")
    )
    assert category_choices(mumbled, probes).rows() == [
        ("own:contextual:robin", 1, "bird", 0.75),
        ("own:plural:robin", 1, "birds", 0.75),
        ("own:plural:robin", 2, "fish", 0.25),
        ("own:singular:robin", 1, "bird", 0.75),
        ("own:singular:robin", 2, "fish", 0.25),
    ]
