"""What each study finds, in full, in each form that a run has: models, people, a series, another language, one agent, chat.

The tables are small ones of the columns that a run's have; the numbers are made, so that each sentence can be read beside
them.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from relprobe.report.page_words import words_of
from relprobe.report.shown import page_of
from relprobe.report.words.finding import WORDS
from relprobe.stats.schemas import CONTROLS, TESTS

from tests.facts import WHOLE, facts_by_study


@dataclass(frozen=True)
class Study:
    """The form of a study's tables: where its overview has conditions and values, and what its primary test is over."""

    metric: str
    overview: str  # the column of its overview with the conditions
    conditions: tuple[str, ...]
    abroad: tuple[str, ...]  # conditions of own data in another language
    own: str  # the column of agents with own units
    column: str = "condition"  # the column of its tests with the conditions
    pooled: bool = False  # the primary test has a table of its own
    judges: str = ""  # what a model is as an agent of people's task: a judge, a rater


STUDIES = {
    "relations": Study(
        *("soundness", "relation", ("HYP", "ANT"), ("WERKZEUG", "STOFF"), "own_targets"),
        column="relation",
        pooled=True,
    ),
    "definitions": Study(*("W2D RS", "part_of_speech", ("noun", "verb"), ("noun", "verb"), "own_groups"), pooled=True),
    "systematicity": Study("singular_plural", "set", ("wordnet",), ("Tiere",), "own_hyponyms"),
    "analogies": Study("unsupervised reverse", "group", ("All",), ("All",), "own_tuples"),
    "degrees": Study("rho_without_reversals", "from", ("this run",), ("this run",), "own", judges=" rating"),
    "pairs": Study(
        *("ap", "condition", ("HYP", "ANT"), ("own WERKZEUG", "own STOFF"), "own"), pooled=True, judges=" pmi"
    ),
}
PEOPLE = {"relations": "annotator", "definitions": "humans", "pairs": "humans"}
"""Study -> the agent that stands for people, where they take a model's part; in degrees they are what is agreed with."""


@dataclass(frozen=True)
class Run:
    """What a run has: the values of its agents, its best model's control and test, and that of the two best models."""

    values: dict[str, float]
    control: str = "frequency"
    beyond: tuple[float, float, float] | None = (0.1, 0.02, 0.001)  # difference, its error, p
    p_of_two: float | None = None  # p of the two best models
    people: float | None = None
    abroad: bool = False
    swapped: tuple[float, float, float] | None = None  # right and swapped query, p of the models that come first,
    readers: int = 1  # so many of them; the others are right as often with both


def tables_of(study: str, run: Run) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The tables of a study in a run, and its models; each agent has its value under every condition."""
    form, judge = facts_by_study([study], STUDIES, __file__)[study], STUDIES[study].judges
    names = {model: model + judge for model in run.values}
    values = {names[model]: value for model, value in run.values.items()}
    if run.people is not None:
        values[PEOPLE[study]] = run.people
    conditions = form.abroad if run.abroad else form.conditions
    rows = [
        {form.overview: condition, "agent": agent, form.metric: value, form.own: False, "targets": 40}
        for condition in conditions
        for agent, value in values.items()
    ]
    best, second = [*sorted(run.values, key=lambda model: -run.values[model]), ""][:2]
    under = (best,) if study == "degrees" else conditions
    data = pl.DataFrame(
        {form.column: conditions, "name": conditions, "note": None}, schema_overrides={"note": pl.String}
    )
    tables = {
        "overview": pl.DataFrame(rows, schema_overrides={form.metric: pl.Float64()}),
        "controls": _controls(form, run, names[best], under),
        "tests": _tests(form, run, (names[best], names.get(second, "")), under),
        "data": data,
        "swapped": _swapped(run),
    }
    if form.pooled:
        tables["primary"] = _controls(form, run, names[best], under[:1]).drop(form.column)
    return tables, list(run.values)


def _numbers(difference: float, error: float, p: float) -> dict[str, float]:
    bounds = {"low": difference - 2 * error, "high": difference + 2 * error}
    return {"difference": difference, **bounds, "error": error, "freedom": 90.0, "p": p, "p_holm_all": p}


def _controls(form: Study, run: Run, best: str, conditions: tuple[str, ...]) -> pl.DataFrame:
    schema = {**CONTROLS, form.column: pl.String()}
    if run.beyond is None:
        return pl.DataFrame(schema=schema)
    value = next(iter(run.values.values()))
    row = {"agent": best, "metric": form.metric, "control": run.control, "value": value}
    row |= {"control_value": value - run.beyond[0], **_numbers(*run.beyond)}
    return pl.DataFrame([{**row, form.column: condition} for condition in conditions], schema=schema)


def _tests(form: Study, run: Run, pair: tuple[str, str], conditions: tuple[str, ...]) -> pl.DataFrame:
    schema = {**TESTS, form.column: pl.String()}
    if run.p_of_two is None:
        return pl.DataFrame(schema=schema)
    row = {"metric": form.metric, "agent_a": pair[0], "agent_b": pair[1], **_numbers(0.1, 0.04, run.p_of_two)}
    return pl.DataFrame([{**row, form.column: condition} for condition in conditions], schema=schema)


def _swapped(run: Run) -> pl.DataFrame:
    rows = []
    for place, model in enumerate(run.values):
        right, other, p = run.swapped if run.swapped and place < run.readers else (0.4, 0.4, 0.9)
        row = {"agent": model, "setting": "unsupervised", "probe": "reverse", "condition": "All", "right_query": right}
        rows.append({**row, "swapped_query": other, **_numbers(right - other, 0.05, p), "p_holm": p})
    return pl.DataFrame(rows) if run.swapped else pl.DataFrame(rows).clear()


STEPS = {f"pythia-160m-step{step}000": value for step, value in ((143, 0.62), (64, 0.56), (8, 0.40), (1, 0.22))}
READ, UNREAD = (0.73, 0.61, 0.004), (0.73, 0.71, 0.4)
RUNS = {
    "two models": Run({"gemma": 0.72, "gpt2": 0.51}, p_of_two=0.01, swapped=READ, readers=2),
    "two models, of which little is certain": Run(
        {"gemma": 0.72, "gpt2": 0.70}, beyond=(0.03, 0.04, 0.4), p_of_two=0.5, swapped=UNREAD
    ),
    "people, and a control that is better than the model": Run(
        {"gemma": 0.72, "gpt2": 0.51}, beyond=(-0.11, 0.02, 0.0001), people=0.93, swapped=READ, control="static"
    ),
    "a series of checkpoints": Run(STEPS, beyond=(0.12, 0.04, 0.003), p_of_two=0.3, swapped=READ, readers=4),
    "own data in another language": Run({"gbert": 0.72}, abroad=True, beyond=(0.22, 0.04, 0.001), swapped=READ),
    "one agent alone": Run({"gpt2": 0.61}, beyond=None),
    "a chat model beside the same model as it is": Run(
        {"gemma-chat": 0.72, "gemma": 0.72, "gpt2": 0.51},
        beyond=(0.02, 0.01, 0.04),
        p_of_two=0.9,
        swapped=READ,
        readers=2,
    ),
}
"""Form -> a run of it."""
DRAWN = {"pairs": "foils"}
"""Study -> the table of the figure on its card, which is not the overview."""
BOOK = Path(__file__).with_name("findings.md")
"""What each study finds in each form, as its card and its page say it."""


def found(study: str, run: Run) -> str:
    """The finding in full: its sentences, and the numbers of its tests below them."""
    tables, models = tables_of(study, run)
    finding = words_of(study).finding
    assert finding is not None
    result = finding(tables, models)
    assert len(result.sentences) <= 3
    assert len(result.text.split()) <= WORDS
    return "\n\n".join(filter(None, (result.text, result.statistics)))


def expected() -> dict[tuple[str, str], str]:
    """The texts of BOOK: study and form -> the finding and its numbers."""
    texts = {}
    for study_part in BOOK.read_text().split("\n## ")[1:]:
        study, *forms = study_part.split("\n### ")
        for form_part in forms:
            form, text = form_part.split("\n", 1)
            texts[study.strip(), form] = "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))
    return texts


EXPECTED = expected()


def test_the_book_has_every_form_of_every_study():
    """People take a model's part in three studies; in the others they have no answers, or are what is agreed with."""
    forms = [(study, form) for study in WHOLE for form, run in RUNS.items() if run.people is None or study in PEOPLE]
    assert list(EXPECTED) == forms


@pytest.mark.parametrize("study", WHOLE)
def test_the_figure_of_a_card_shows_what_the_finding_is_of(study):
    tables, _ = tables_of(study, RUNS["two models"])
    if study in DRAWN:
        tables[DRAWN[study]] = tables["overview"].with_columns(foils=pl.lit("all"))
    words = words_of(study).words(page_of(study).front[0], tables)
    assert re.search(r"\bgemma\b.* 0\.720\b", words)


@pytest.mark.parametrize(("study", "form"), EXPECTED, ids=[f"{study}: {form}" for study, form in EXPECTED])
def test_a_finding_is_said_in_full(study, form):
    assert found(study, RUNS[form]) == EXPECTED[study, form]
