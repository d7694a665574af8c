"""People's answers in the tables."""

import polars as pl
from relprobe.studies.definitions.analyses.confusions import confusions
from relprobe.studies.definitions.people import people_responses
from relprobe.studies.definitions.schemas import GROUPS

from tests.studies.definitions.about import properties
from tests.studies.definitions.data.test_own_data import GROUP_TEXTS, ranks


def test_a_candidate_that_a_person_did_not_rank_has_no_rank_in_the_tables(tmp_path):
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    answers = {
        "humans": people_responses(ranks(("anna", "lower the head", 1), ("ben", "clap", 1)), GROUP_TEXTS, tmp_path)
    }
    about = properties({"group": "nod.v.01", "pos": "verb"})
    assert confusions(answers, groups, about).select("answer", "rank").rows() == [("clap", None)]
