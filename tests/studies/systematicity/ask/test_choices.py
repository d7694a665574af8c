"""The choices of agents with people's task, in the metrics of the study, with values worked out by hand."""

import polars as pl
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.chat import choice_metrics
from relprobe.studies.systematicity.schemas import METRICS, REPLY_CHOICES

ROWS = [
    ("own", "robin", "bird", "robins", "birds", None, None, "The robin sang ."),
    ("own", "trout", "fish", "trout", "fish", None, None, None),
]
ITEM_TABLE = pl.DataFrame(ROWS, schema=ITEMS, orient="row")
OPTIONS = {"complete": ["bird", "fish", "tool", "building"], "verify": ["yes", "no"]}


def rows(task, hyponym, kind, *choices, right, foil=False):
    """Choices of a question, one per order."""
    about = {"task": task, "set": "own", "hyponym": hyponym, "kind": kind, "foil": foil, "sample": 1, "text": ""}
    about |= {"question": f"{task} {hyponym} {kind} {foil}", "category": "", "shown": OPTIONS[task]}
    return [
        {**about, "order": order, "choice": choice, "right": choice == right} for order, choice in enumerate(choices, 1)
    ]


def table(*parts):
    return pl.DataFrame([row for part in parts for row in part], schema=REPLY_CHOICES)


CHOSEN = table(
    rows("complete", "robin", "singular", "bird", "bird", "bird", "fish", right="bird"),
    rows("complete", "robin", "plural", "birds", "birds", "fish", "birds", right="birds"),
    rows("complete", "robin", "contextual", "bird", "tool", "bird", "bird", right="bird"),
    rows("complete", "trout", "singular", "fish", "tool", "tool", "bird", right="fish"),
    rows("complete", "trout", "plural", "birds", "fish", "fish", "fish", right="fish"),
    rows("verify", "robin", "singular", "yes", "yes", right="yes"),
    rows("verify", "robin", "singular", "no", "yes", right="no", foil=True),
    rows("verify", "robin", "plural", "yes", "yes", right="yes"),
    rows("verify", "robin", "plural", "yes", "yes", right="no", foil=True),
    rows("verify", "trout", "singular", "no", "", right="yes"),
    rows("verify", "trout", "singular", "no", "no", right="no", foil=True),
    rows("verify", "trout", "plural", "yes", "yes", right="yes"),
    rows("verify", "trout", "plural", "no", "no", right="no", foil=True),
)
METRIC_TABLE = choice_metrics(CHOSEN, ITEM_TABLE)


def test_values_are_shares_of_answers_and_pairs_are_right_in_one_order():
    assert METRIC_TABLE.schema == METRICS
    values = {(metric, unit): value for metric, unit, value in METRIC_TABLE.select("metric", "unit", "value").rows()}
    assert values == {
        ("singular", "robin"): 3 / 4,
        ("plural", "robin"): 3 / 4,
        ("contextual", "robin"): 3 / 4,
        ("singular_plural", "robin"): 2 / 4,  # orders 1 and 2
        ("aggregate", "robin"): 1 / 4,  # order 1, as 2 is wrong in context
        ("singular", "trout"): 1 / 4,
        ("plural", "trout"): 3 / 4,
        ("singular_plural", "trout"): 0,  # it has no sentence, and so no aggregate
        ("verified_singular", "robin"): 1 / 2,
        ("verified_plural", "robin"): 0,
        ("verified_singular", "trout"): 0,
        ("verified_plural", "trout"): 1,
    }
    assert set(METRIC_TABLE.select("condition", "unit", "cluster").rows()) == {
        ("own", "robin", "bird"),
        ("own", "trout", "fish"),
    }
