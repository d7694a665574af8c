"""docs/follow.md follows one number through the code: its stops are steps, and its rows follow from each other.

`tests/workflow/test_rules.py` looks up the file of each stop among the outputs of its rule.
"""

import math
import re
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from relprobe.core.cli import function_of
from relprobe.core.relation import augment
from relprobe.lm.score_files.slots import SCORES
from relprobe.report.shown import page_of
from relprobe.studies.relations import schemas
from relprobe.studies.relations.method import Choices, GoldStandard, judge, probes, soundness
from relprobe.studies.relations.prompts import read
from relprobe.studies.relations.tables import overview

from tests.paths import ROOT
from tests.studies.relations.six import ENGLISH, SIX

PAGE = (ROOT / "docs/follow.md").read_text("utf-8")
STUDY = "relprobe.studies.relations"
STOP = r"Step\s`(\w+)`,\sfunction\s`([\w.:]+)`,\sfile\s`([^`]+)`"
MORE = "…"


class Stop(NamedTuple):
    """A stop of the page: its step, function and file, and its table as a list of rows: column -> text."""

    step: str
    function: str
    file: str
    rows: list[dict[str, str]]

    @property
    def name(self) -> str:
        """The name of the file's table, or of its folder."""
        return Path(self.file).relative_to("results/relations").with_suffix("").parts[0]


def stops():
    """Yield the stops in the order of the page; the table of a stop is the first one after it."""
    places = [match.start() for match in re.finditer(STOP, PAGE)]
    for start, end in zip(places, [*places[1:], len(PAGE)], strict=True):
        block = re.search(r"(?:^\|.*\n)+", PAGE[start:end], re.MULTILINE)
        head, _, *rows = [cells(line) for line in block[0].splitlines()] if block else [[], []]
        yield Stop(*re.match(STOP, PAGE[start:]).groups(), [dict(zip(head, row, strict=True)) for row in rows])


def cells(line):
    return [cell.strip() for cell in line.strip("|\n ").split(" | ")]


TARGET, ASKED = "pony", 7
"""The target of the page, and how many of the prompts of hypernymy it is put into: a third of them."""
STOPS = list(stops())
ROWS = {stop.name: stop.rows for stop in STOPS}


def listed(text, kind=str):
    """Return the first elements of a list, which the page shows with … at the end."""
    *shown, more = text.split(", ")
    assert more == MORE
    return [kind(one) for one in shown]


def with_sources(rows):
    return pl.DataFrame([(*row.values(), ["wordnet"]) for row in rows], schema=schemas.TUPLES, orient="row")


def averaged():
    """The averages of the page, with those of the other metric in the overview (AVERAGES)."""
    own = [{**row, "k": None} for row in ROWS["averages"]]
    values = {row["agent"]: row["completeness"] for row in ROWS["tables"]}
    own += [{**row, "metric": "completeness", "value": values[row["agent"]]} for row in own]
    given = pl.DataFrame(own).cast({name: schemas.AVERAGES[name] for name in own[0]})
    return given.with_columns(
        pl.lit(None, kind).alias(name) for name, kind in schemas.AVERAGES.items() if name not in own[0]
    )


@pytest.fixture(scope="module")
def asked():
    """The probes about the tuples of the page, as the default study asks them."""
    prompts = read(ROOT / "resources/prompts/relations-more.yaml")
    return probes(with_sources(ROWS["tuples"]), prompts, ENGLISH.articles, SIX)


def test_each_stop_is_a_step_and_its_function():
    names = "tuples relata probes scores responses metrics averages tables"
    assert [stop.name for stop in STOPS] == names.split()
    for stop in STOPS:
        assert function_of(f"{STUDY}.steps", stop.step) == f"{STUDY}.{stop.function.replace(':', '.')}"


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.name)
def test_each_stop_shows_some_rows_of_its_file(stop):
    assert len(stop.rows) == {"tuples": 2, "metrics": ASKED}.get(stop.name, 3)
    assert len({tuple(row.values()) for row in stop.rows}) == len(stop.rows)
    columns = {
        "tuples": schemas.TUPLES,
        "relata": schemas.RELATA,
        "probes": schemas.PROBES,
        "scores": SCORES.names,
        "responses": schemas.ANSWERS,
        "metrics": schemas.METRICS,
        "averages": schemas.AVERAGES,
        "tables": overview(averaged(), relations=SIX).columns,
    }
    assert stop.rows[0].keys() <= set(columns[stop.name])


def test_the_probes_follow_from_the_tuples(asked):
    ours = asked.filter(relation="HYP", target=TARGET)
    assert ours.height == 3 * ASKED
    assert f"into {ASKED} of the prompts" in PAGE
    shown = ours.filter(pl.col("prompt_id").is_in([row["prompt_id"] for row in ROWS["probes"]]))
    assert shown.select(list(ROWS["probes"][0])).sort("probe_id").to_dicts() == ROWS["probes"]


def test_the_reverse_is_one_that_the_step_adds():
    table = with_sources(ROWS["tuples"])
    every = augment(table.filter(relation="HYP"), SIX.inverse)
    assert set(table.drop("sources").rows()) == set(every.drop("sources").rows())
    assert table["relation"].to_list() == ["HYP", "HPO"]


def test_the_words_and_their_probabilities_follow_from_the_scores():
    words = {}
    for scored, response in zip(ROWS["scores"], ROWS["responses"], strict=True):
        assert scored["probe_id"] == response["probe_id"]
        logprobs, weights = listed(scored["logprobs"], float), listed(response["weights"], float)
        assert sorted(logprobs, reverse=True) == logprobs
        assert [round(math.exp(one), 3) for one in logprobs] == weights
        for token, word in zip(listed(scored["token_ids"]), listed(response["words"]), strict=True):
            assert words.setdefault(token, word) == word


def test_the_values_follow_from_the_responses_and_the_relata(asked):
    said = [(row["probe_id"], listed(row["words"]), listed(row["weights"], float)) for row in ROWS["responses"]]
    about, relata = asked.filter(pl.col("probe_id").is_in([row[0] for row in said])), with_sources(ROWS["relata"])
    gold = GoldStandard(about, relata, relata, pl.DataFrame({"word": [TARGET, *relata["relatum"]]}), SIX)
    values = soundness(judge(pl.DataFrame(said, schema=schemas.RESPONSES, orient="row"), gold), Choices())
    shown = {row[0].partition(":")[0] for row in said}
    rows = [{**row, "value": float(row["value"])} for row in ROWS["metrics"] if row["prompt_id"] in shown]
    assert len(rows) == 3
    assert values.select(list(rows[0])).sort("prompt_id").to_dicts() == rows


def test_the_share_of_the_target_in_the_average_is_worked_out_rightly():
    right = sum(row["value"] == "1" for row in ROWS["metrics"])
    part, whole, value = re.search(r"(\d)/(\d) = (0\.\d{3})", PAGE).groups()
    assert (int(part), int(whole), value) == (right, ASKED, f"{right / ASKED:.3f}")
    (units,) = {row["units"] for row in ROWS["averages"]}
    share = re.search(rf"adds {value} / {units} = (\S+) to the (\S+):", PAGE).groups()
    assert share == (f"{right / ASKED / int(units):.4f}", ROWS["averages"][0]["value"])


def test_the_table_shows_the_averages_and_so_does_the_figure():
    shown = overview(averaged(), relations=SIX).select(list(ROWS["tables"][0])).rows()
    assert [tuple(map(str, row)) for row in shown] == [tuple(row.values()) for row in ROWS["tables"]]
    [drawn] = [one for one in page_of("relations").exhibits if one.folder == "figures" and one.name == "soundness"]
    assert drawn.values == "averages"
    assert f"figures/{drawn.name}.svg" in PAGE
