"""docs/follow.md follows one number through the code: its stops are steps, and its rows follow from each other."""

import re

import polars as pl
import pytest
from relprobe.core.cli import function_of
from relprobe.studies.relations import schemas
from relprobe.studies.relations.ask.probes import probes
from relprobe.studies.relations.ask.prompts import read
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import answers
from relprobe.studies.relations.measure.metrics import Choices, soundness

from tests.paths import ROOT
from tests.studies.relations.six import ENGLISH, SIX

PAGE = (ROOT / "docs/follow.md").read_text("utf-8")
STUDY = "relprobe.studies.relations"


def tables():
    """Return the tables of the page, each as a list of rows: column -> text."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        head, _, *rows = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in block.splitlines()]
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


TUPLES, RELATA, PROBES, TOKENS, VALUES, AVERAGES = tables()


def with_sources(rows):
    return pl.DataFrame([(*row.values(), ["wordnet"]) for row in rows], schema=schemas.TUPLES, orient="row")


@pytest.fixture(scope="module")
def asked():
    """The probes about the tuples of the page, as the default study asks them."""
    return probes(with_sources(TUPLES), read(ROOT / "resources/prompts/relations.yaml"), ENGLISH.articles, SIX)


def test_each_stop_is_a_step_and_its_function():
    stops = re.findall(r"[Ss]tep\s`(\w+)`,\sfunction\s`([\w.:]+)`", PAGE)
    steps = "tuples relata probes scores responses metrics averages tables figures"
    assert [step for step, _ in stops] == steps.split()
    for step, function in stops:
        assert function_of(f"{STUDY}.steps", step) == f"{STUDY}.{function.replace(':', '.')}"


def test_the_rule_of_the_first_step_has_its_name():
    assert "use rule preparing as relations_tuples" in (ROOT / "workflow/rules/relations/data.smk").read_text("utf-8")


def test_the_probes_follow_from_the_tuples(asked):
    ours = asked.filter(relation="HYP", target="dream")
    assert ours.height == 7
    shown = ours.filter(pl.col("prompt_id").is_in([row["prompt_id"] for row in PROBES]))
    assert shown.select(list(PROBES[0])).sort("probe_id").to_dicts() == PROBES


def test_the_values_follow_from_the_first_words_and_the_relata(asked):
    about = asked.filter(pl.col("probe_id").is_in([row["probe_id"] for row in VALUES]))
    relata = with_sources(RELATA)
    gold = GoldStandard(about, relata, relata, pl.DataFrame({"word": ["dream", *relata["relatum"]]}), SIX)
    said = [(row["probe_id"], [row["word"]], [1.0]) for row in VALUES]
    values = soundness(answers(pl.DataFrame(said, schema=schemas.RESPONSES, orient="row"), gold), Choices())
    ours = {
        f"{prompt}:{target}": value for prompt, target, value in values.select("prompt_id", "target", "value").rows()
    }
    assert ours == {row["probe_id"]: float(row["value"]) for row in VALUES}


def test_the_likeliest_token_is_the_first_word():
    first = max(TOKENS, key=lambda row: float(row["log-probability (natural log)"]))
    assert first["word"] == VALUES[0]["word"] == "fantasy"


def test_the_share_of_the_target_in_the_average_is_worked_out_rightly():
    part, whole = re.search(r"(\d)/(\d) = 0.286", PAGE).groups()
    assert round(int(part) / int(whole), 3) == 0.286
    units = {row["units"] for row in AVERAGES}
    assert units == {"88"} and round(2 / 7 / 88, 3) == 0.003
    assert AVERAGES[0]["value"] == "0.032"
    assert AVERAGES[0].keys() <= schemas.AVERAGES.keys()


def test_the_tables_have_the_columns_of_their_files():
    for rows, schema in ((TUPLES, schemas.TUPLES), (RELATA, schemas.RELATA), (PROBES, schemas.PROBES)):
        assert rows[0].keys() <= schema.keys()
