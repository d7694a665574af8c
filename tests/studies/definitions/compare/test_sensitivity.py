"""Other readings of the scores that there are: their effect on the values."""

import polars as pl
from relprobe.stats import sensitivity as settings
from relprobe.studies.definitions.analyses import sensitivity
from relprobe.studies.definitions.analyses.sensitivity import SENSITIVITY
from relprobe.studies.definitions.choices import Choices
from relprobe.studies.definitions.method import pair_scores, rank_candidates
from relprobe.studies.definitions.results import AgentOptions
from relprobe.studies.definitions.schemas import GROUPS, PROBES, SCORES

from tests.studies.definitions.about import properties

# Sensitivity. One group of two words: the right one ("a") has the better first token, and the worse product.


def effects(phrases="own", **options):
    probes = pl.DataFrame(
        [("noun:0", "noun", "A", ["a", "b"], 4), ("noun:1", "noun", "B", ["a"], 1)], schema=PROBES, orient="row"
    )
    groups = pl.DataFrame([("goose.n.01", "noun", "a", "A", 4, "f", [0, 2], [0, 1])], schema=GROUPS, orient="row")
    scores = pl.DataFrame(
        [
            ("noun:0", "is", [-4.0, -3.0], [-1.0, -3.0], [4, 1], [-5.0, -6.0], 2),
            ("noun:1", "is", [-4.0], [-1.0], [4], [-4.5], 1),
        ],
        schema=SCORES,
        orient="row",
    )
    choices = Choices(**options)
    responses = rank_candidates(pair_scores(scores, masked=False, choices=choices), groups, probes)
    known = properties({"uses": None, "joined": 500.0, "leak": "names"})
    rows = [
        *sensitivity.agent_sensitivity(responses, known, choices, AgentOptions("gpt2", phrases=phrases)),
        *sensitivity.model_sensitivity(scores, groups, probes, known, choices, masked=False),
    ]
    result = settings.table([row | {"agent": "gpt2"} for row in rows], SENSITIVITY)
    return {
        (row["choice"], row["other"], row["metric"], row["condition"]): (
            row["value"],
            row["other_value"],
            row["groups"],
        )
        for row in result.iter_rows(named=True)
    }


def test_other_readings_of_stored_scores_have_their_effect():
    found = effects()
    read = {key[1]: values[:2] for key, values in found.items() if key[0] == sensitivity.READ and key[2] == "D2W P@1"}
    assert read == {
        "all tokens": (1, 0),  # -4 is below -3
        "the mean token": (1, 1),  # -1 is above -3
        "all tokens and the word's end": (1, 1),  # -5 is above -6
    }
    assert not any(key[0] == sensitivity.PATTERNS[0] for key in found)  # there is one pattern


def test_ties_leaks_and_phrases_have_theirs():
    found = effects()
    # W2D: both definitions have -4, so that the right one is first in one of two orders.
    assert found["equal scores", "in an order drawn once", "W2D P@1", "noun"][0] == 1 / 2
    assert found["equal scores", "in an order drawn once", "W2D P@1", "noun"][1] in (0, 1)
    assert found["definitions that tell their word", "are left out", "D2W P@1", "noun"] == (1, None, 1)
    phrases = {
        key[3]: values for key, values in found.items() if key[0] == "frequency of a phrase" and key[2] == "D2W P@1"
    }
    assert phrases == {"noun, unknown": (1, None, 1), "noun, frequent": (None, 1, 0)}
    assert not any(
        key[0] == "frequency of a phrase" for key in effects(phrases="joined")
    )  # it is the study's own choice


def test_tables_of_agents_are_put_together_by_choice():
    one, two = (settings.table([], SENSITIVITY) for _ in "ab")
    assert sensitivity.join_sensitivity([one, two]).is_empty()
