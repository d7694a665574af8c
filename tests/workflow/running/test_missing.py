"""What fails takes along nothing that succeeded: a run ends with pages of all that is there, a sentence and an error."""

import json
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from kiwisolver import UnsatisfiableConstraint
from matplotlib.artist import Artist
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from relprobe.command.results import forget_undrawn, undrawn
from relprobe.core import records
from relprobe.core.analyses import analyses_of
from relprobe.core.cli import main
from relprobe.core.missing import FILE
from relprobe.core.missing import read as read_missing
from relprobe.core.unmade import MOST_BYTES, UNMADE, reason_table, reasons
from relprobe.report import analyses
from relprobe.report.exhibits import Table
from relprobe.report.figures import canvas, printed
from relprobe.report.page import UNDRAWN
from relprobe.report.shown import page_of
from relprobe.report.study import UNSAID
from relprobe.report.widths import LEFT_OUT
from relprobe.steps import GROUPS

from tests.large import without_room
from tests.report.figures.test_printed import page_width
from tests.workflow.toy import STUDIES, Study, own

KEEP = "--keep-going"


@pytest.fixture(autouse=True)
def no_records_of_another_study():
    """Steps of this process find records by their paths from the folder of the study, which is another in each test."""
    for function in vars(records).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def ends_with_an_error(study: Study, *words: str) -> str:
    """Run a study whose jobs go on after one that failed, and return what is said."""
    done = study.snakemake(KEEP, *words)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def crash(study: Study, *made: str) -> None:
    """Let the jobs that make these results end with an error, if a run is told to run them: folders are in the way."""
    for name in made:
        file = study.results / name
        file.unlink()
        (file / "in the way").mkdir(parents=True)


def repair(study: Study, *made: str) -> None:
    """Let these jobs run as before."""
    for name in made:
        shutil.rmtree(study.results / name)


def values(study: Study) -> dict[str, pl.DataFrame]:
    """What the studies found: their averages and tests."""
    return {name: study.table(name) for one in STUDIES for name in (f"{one}/averages.parquet", f"{one}/tests.parquet")}


def changed(study: Study, before: dict[str, pl.DataFrame]) -> list[str]:
    return [name for name, table in values(study).items() if not table.equals(before[name])]


def test_a_model_that_cannot_be_fetched_costs_nobody_else_a_page(study, finished):
    before = values(finished)
    study.add_model()
    weights = study.folder / "data/new/model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:100])
    said = ends_with_an_error(study)
    agents = len(study.config["models"])
    sentence = f"{agents - 1} of {agents} models are here: tiny-new could not be fetched ("
    assert re.sub(r"\s+", " ", said).rstrip().count(sentence) == 1, said
    assert "the next run takes it up." in said
    assert changed(study, before) == []
    page = (study.results / "degrees/report.html").read_text()
    assert "tiny-new is not here: it could not be fetched" in page
    assert "tiny-new is not here" in (study.results / "report.html").read_text()
    assert {(one.agent, one.event) for one in read_missing(study.results)} == {("tiny-new", "could not be fetched")}
    again = ends_with_an_error(study, "--retries=2")  # it is asked for again, once, and nothing else is made
    assert len(re.findall(r"Error in rule models_snapshot\b", again)) == 1
    assert sentence in re.sub(r"\s+", " ", again)
    assert "rule report_study" not in again
    weights.write_bytes(whole)
    study.finish(KEEP)
    assert not (study.results / FILE).exists()
    assert "tiny-new" in set(study.table("degrees/averages.parquet")["agent"].str.split("+").list.first()) | set(
        study.table("relations/averages.parquet")["agent"]
    )
    assert "tiny-new is not here" not in (study.results / "degrees/report.html").read_text()


def test_a_run_that_lacks_a_model_and_a_table_says_both(study):
    study.add_model()
    weights = study.folder / "data/new/model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    module = own(study.folder / "workflow/scripts/relprobe/studies/degrees/analyses/sensitivity.py")
    line = "    rows = _choice_rows(agent)"
    assert module.read_text().count(line) == 1
    module.write_text(module.read_text().replace(line, f"    1 / 0\n{line}"))
    done = study.snakemake(KEEP, "degrees")
    said = re.sub(r"\s+", " ", done.stderr)
    assert done.returncode == 1
    assert "degrees: sensitivity of " in said
    assert "models are here: tiny-new could not be fetched (" in said.rpartition("could not be made")[2]


def test_a_model_without_room_in_memory_is_refused_before_it_is_asked_and_costs_nobody_else(study, finished):
    before = values(finished)
    study.add_model()
    without_room(study.folder / "data/new")
    said = re.sub(r"\s+", " ", ends_with_an_error(study))
    assert "tiny-new could not be fetched (models.tiny-new takes at least " in said
    assert "take it to a machine with more memory, or leave it out" in said
    assert changed(study, before) == []
    assert [*study.results.rglob("*tiny-new*.parquet*")] == []


BROKEN = (
    ("relations", "tiny-few"),
    ("relations", "tiny-list"),
    ("definitions", "tiny-causal"),
    ("analogies", "tiny-masked"),
)
"""The study and the agent whose metrics crash in it: each agent of the toy once."""


def test_an_agent_whose_job_crashes_is_missing_in_this_study_alone(study, finished):
    files = [f"{name}/metrics/{agent}.parquet" for name, agent in BROKEN]
    crash(study, *files)
    rules = [f"{name}_metrics" for name, _ in BROKEN]
    said = ends_with_an_error(study, "--forcerun", *dict.fromkeys(rules), "--")
    assert {(one.study, one.agent) for one in read_missing(study.results)} == {*BROKEN}
    for name, agent in BROKEN:
        assert f"{agent} failed in the step {name}_metrics" in said
        assert f"{agent} is not here" in (study.results / name / "report.html").read_text()
        before, now = (set(one.table(f"{name}/averages.parquet")["agent"]) for one in (finished, study))
        assert agent in before - now
    assert "is not here" not in (study.results / "degrees/report.html").read_text()
    assert study.table("degrees/tests.parquet").equals(finished.table("degrees/tests.parquet"))
    repair(study, *files)
    study.finish(KEEP)
    study.assert_ends_as(finished)


def break_page(study: Study, name: str) -> None:
    """Let the page of a study end with an error, by an edit of the code."""
    module = own(study.folder / "workflow/scripts/relprobe/report/study.py")
    line = "    document, words = page_of(settings.study), words_of(settings.study)\n"
    assert module.read_text().count(line) == 1
    broken = f'    if settings.study == "{name}":\n        raise DataError("it is broken.")\n{line}'
    module.write_text(module.read_text().replace(line, broken))


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_that_fails_costs_no_other_a_page(name, study):
    break_page(study, name)
    said = ends_with_an_error(study)
    assert f"The study {name} failed in the step report_study (it is broken); the next run takes it up." in said
    index = (study.results / "report.html").read_text()
    assert f"The study {name} is not here: it failed in the step report_study (it is broken)." in index
    assert {other for other in STUDIES if f'href="{other}/report.html"' in index} == {*STUDIES} - {name}


def test_where_no_study_is_left_each_failure_is_said_and_nothing_is_planned_again(study):
    for name in STUDIES:
        break_page(study, name)
    said = ends_with_an_error(study)
    assert [name for name in STUDIES if f"it is broken. (log: results/logs/{name}/report.log)" not in said] == []
    assert {loss.study for loss in read_missing(study.results)} == {*STUDIES}
    assert "is not here" not in said
    assert said.count("Building DAG of jobs") == 1


def test_a_run_whose_jobs_stop_at_the_first_that_fails_makes_nothing_more(study):
    break_page(study, "degrees")
    (study.results / "report.html").unlink()
    assert "Error in rule report_study" in study.error()
    assert not (study.results / "report.html").exists()
    assert not (study.results / FILE).exists()


def jobs(study: Study, rule: str, *targets: str) -> list[list[str]]:
    """The words of the steps of a rule, as a run would call them."""
    done = study.snakemake("--dry-run", "--printshellcmds", "--forcerun", rule, "--", *targets)
    assert done.returncode == 0, done.stderr
    about = re.findall(
        rf"^(?:local)?rule {rule}:\n(?:    .*\n)+Shell command: .*python -m relprobe (.*)$",
        done.stdout + done.stderr,
        re.M,
    )
    return [shlex.split(line) for line in about]


def no_layout(*_: object) -> None:
    raise UnsatisfiableConstraint("a constraint of the layout")


def colours(artists: Iterable[Artist]) -> set[str]:
    """The colours of lines, marks, bars and cells."""
    found = set()
    for artist in artists:
        for name in ("get_color", "get_facecolor", "get_edgecolor", "get_markeredgecolor"):
            value = getattr(artist, name, lambda: "none")()
            rows = value if isinstance(value, np.ndarray) and value.ndim == 2 else [value]
            found |= {to_hex(row) for row in rows if not (isinstance(row, str) and row == "none")}
    return found


def outlines(artists: Iterable[Artist]) -> set[tuple[str, str]]:
    """The shape and colour of marks that are an outline in the row of a full one: a control of the agent of that row."""
    marks = [line for line in artists if isinstance(line, Line2D) and line.get_marker() not in ("", "None", None)]
    ends = [
        (line, to_hex(line.get_markerfacecolor()), [*line.get_ydata()]) for line in marks if len(line.get_ydata()) == 1
    ]
    full = [row for _, face, row in ends if face != to_hex("white")]
    return {
        (line.get_marker(), to_hex(line.get_markeredgecolor()))
        for line, face, row in ends
        if face == to_hex("white") and row in full
    }


def drawn_and_not_said(figure: Figure) -> set[tuple[str, str]]:
    """The outlines in rows of other marks that no key names, and those of keys that no row has."""
    keys = [pair for legend in figure.legends for pair in zip(legend.legend_handles, legend.get_texts(), strict=True)]
    handles = [handle for handle, text in keys if is_outline(handle) and not text.get_text().startswith("k = ")]
    named = {(handle.get_marker(), to_hex(handle.get_markeredgecolor())) for handle in handles}
    drawn = set().union(*(outlines(axis.lines) for axis in figure.axes if axis.yaxis_inverted()))  # those with rows
    return drawn ^ named


def is_outline(handle: Artist) -> bool:
    return isinstance(handle, Line2D) and to_hex(handle.get_markerfacecolor()) == to_hex("white")


def said_and_not_drawn(figure: Figure) -> list[str]:
    """What the keys and the label of a figure say that none of its panels has."""
    shown = [artist for axis in figure.axes if axis.get_visible() for artist in axis.get_children()]
    drawn, dashes = colours(shown), {line.get_linestyle() for line in shown if isinstance(line, Line2D)}
    keys = [pair for legend in figure.legends for pair in zip(legend.legend_handles, legend.get_texts(), strict=True)]
    families = [(handle, text.get_text()) for handle, text in keys if not text.get_text().startswith("k = ")]
    missing = [text for handle, text in families if not colours([handle]) <= drawn | {to_hex("white")}]
    label = figure.get_supxlabel()
    return missing + [
        word for word, dash in (("dotted", ":"), ("dashed", "--")) if word in label and dash not in dashes
    ]


@pytest.mark.parametrize("name", STUDIES)
def test_a_manuscript_takes_the_figures_that_a_study_shows_first(name, study, monkeypatch):
    monkeypatch.chdir(study.folder)
    (words,) = jobs(study, "paper_figures", f"results/paper/figures/{name}/8.4cm")
    assert main(GROUPS, words) == 0
    files = [*(study.results / "paper/figures" / name / "8.4cm").iterdir()]
    assert {file.suffix for file in files} == {".pdf"}
    assert {file.stem for file in files} <= {*page_of(name).front}


@pytest.mark.parametrize("name", STUDIES)
def test_each_figure_for_print_that_cannot_be_laid_out_is_laid_out_plainly(name, study, monkeypatch):
    """At each width, without a traceback: what a layout engine refuses for one figure costs no other.

    Keys and labels say what is drawn.
    """
    strange = []

    def print_and_compare(figure: Figure, paths: Sequence[Path], width: float) -> None:
        strange.extend((paths[0].stem, said) for said in said_and_not_drawn(figure))
        strange.extend((paths[0].stem, mark) for mark in drawn_and_not_said(figure))
        printed.print_plainly(figure, paths, width)

    monkeypatch.setattr(canvas, "print_plainly", print_and_compare)
    widths = {"8.4cm": 8.4, "16cm": 16.0}
    study.configure(paper={"widths": [*widths], "all": True})
    monkeypatch.setattr(printed, "lay_out", no_layout)
    monkeypatch.chdir(study.folder)
    targets = [f"results/paper/figures/{name}/{width}" for width in widths]
    for words in jobs(study, "paper_figures", *targets):
        assert main(GROUPS, words) == 0
    for width, size in widths.items():
        files = [*(study.results / "paper/figures" / name / width).glob("*.pdf")]
        assert files
        assert [file for file in files if page_width(file) != pytest.approx(size, abs=0.01)] == []
        assert not (files[0].parent / LEFT_OUT).exists()
    assert strange == []


def fails(*_: object, **__: object) -> None:
    raise ZeroDivisionError("float division by zero")


def all_break(study: str, kind: str, page_parts: Mapping[str, object], names: Iterable[str]) -> dict[str, object]:
    """Stand in for `makers`: whatever makes a table or figure fails."""
    return dict.fromkeys(names, fails)


@pytest.mark.parametrize("name", STUDIES)
def test_tables_and_figures_that_cannot_be_made_are_sentences_on_a_page(name, study, monkeypatch):
    (words,) = jobs(study, f"{name}_show", name)
    monkeypatch.setattr(analyses, "makers", all_break)
    monkeypatch.chdir(study.folder)
    assert main(GROUPS, words) == 0
    (words,) = jobs(study, "report_study", name)
    assert main(GROUPS, words) == 0
    card = json.loads((study.results / name / "card.json").read_text())
    assert card["undrawn"]
    page = (study.results / name / "report.html").read_text()
    assert f"{UNDRAWN} (ZeroDivisionError: float division by zero)." in page
    assert bool(card["unmade"]) == (f"{UNMADE} (ZeroDivisionError: float division by zero)." in page)
    (said,) = undrawn(study.results)
    assert said.startswith(f"{name}: ")
    assert [one for one in (*card["unmade"], *card["undrawn"]) if one not in said] == []
    forget_undrawn(study.results)
    gone = [study.results / name / f"tables/{one}.parquet" for one in card["unmade"]]
    gone += [study.results / name / f"figures/{one}.svg" for one in card["undrawn"]]
    assert [file for file in gone if file.exists()] == []


@pytest.mark.parametrize("name", STUDIES)
def test_each_table_of_a_page_that_is_missing_costs_the_page_nothing_else(name, study, monkeypatch):
    (words,) = jobs(study, "report_study", name)
    monkeypatch.setattr(records, "check_inputs", lambda _: None)  # which would find that the table was changed
    monkeypatch.chdir(study.folder)
    files = [study.folder / word for word in words if "/tables/" in word and word.endswith(".parquet")]
    assert len(files) > 5
    for file in files:
        whole = file.read_bytes()
        file.unlink()
        reason_table(file.stem, ValueError("no such agent")).write_parquet(file)
        assert main(GROUPS, words) == 0, file
        page = (study.results / name / "report.html").read_text()
        assert json.loads((study.results / name / "card.json").read_text())["unmade"] == [file.stem]
        on_page = any(one.name == file.stem and one.on_page for one in page_of(name).exhibits if isinstance(one, Table))
        assert (f"{UNMADE} (ValueError: no such agent)." in page) or not on_page, file
        file.unlink()
        file.write_bytes(whole)


PRIMARY = ("compare.primary", "tables/primary.parquet")
FURTHER = {
    "relations": {
        "gold": [
            ("relata.alternatives", "alternatives.parquet"),
            ("relata.tuple_losses", "losses.parquet"),
            ("people._reading", "tables/people_reading.parquet"),
            ("people._excluded", "tables/unmatched_answers.parquet"),
        ],
        "compare": [("compare.between_relations", "contrasts.parquet"), PRIMARY],
    },
    "definitions": {
        "compare": [
            ("compare.sizes", "sizes.parquet"),
            ("compare.compare_tasks", "tasks.parquet"),
            PRIMARY,
        ]
    },
    "systematicity": {
        "compare": [("compare.accuracies", "detection.parquet"), ("compare.contrasts", "contrasts.parquet")]
    },
    "analogies": {"compare": [("compare.query_tests", "swapped.parquet")]},
    "degrees": {"compare": [("compare.ceiling", "ceiling.parquet")]},
    "pairs": {"compare": [("compare.ceiling", "ceiling.parquet"), PRIMARY]},
}
"""Study -> step -> what makes each of its further tables, and the file of that."""
READ_BY_METRICS = ("alternatives.parquet",)
"""The further tables that the agents' metrics read, before the page does."""


@pytest.mark.parametrize("name", STUDIES)
def test_each_further_table_of_a_step_that_cannot_be_made_costs_the_page_nothing_else(name, study, monkeypatch):
    steps = [*FURTHER[name], *["metrics"] * ("gold" in FURTHER[name]), "show"]
    words_of = {step: jobs(study, f"{name}_{step}", name) for step in steps}
    words_of["page"] = jobs(study, "report_study", name)
    monkeypatch.setattr(records, "check_inputs", lambda _: None)  # which would find that tables were changed
    monkeypatch.chdir(study.folder)
    card_file = study.results / name / "card.json"
    finding = json.loads(card_file.read_text())["finding"]

    def make(*steps: str) -> None:
        for words in [words for step in steps for words in words_of[step]]:
            assert main(GROUPS, words) == 0, words[:2]

    for step, makers in FURTHER[name].items():
        for maker, file in makers:
            path = study.results / name / file
            with monkeypatch.context() as broken:
                broken.setattr(f"relprobe.studies.{name}.{maker}", fails)
                make(step)
            reason = f"{UNMADE} (ZeroDivisionError: float division by zero)."
            assert reasons({"": pl.read_parquet(path)}) == {"": reason}
            make(*["metrics"] * (file in READ_BY_METRICS), "show", "page")
            card = json.loads(card_file.read_text())
            shown = {one.name for one in page_of(name).exhibits if one.on_page}
            assert {*card["unmade"], *card["undrawn"]} & shown, maker
            assert "float division by zero" in (study.results / name / "report.html").read_text(), maker
            unsaid = re.fullmatch(rf"{UNSAID}, as the table (\w+) could not be made\.", card["finding"])
            assert unsaid[1] in card["unmade"] if unsaid else card["finding"] == finding, maker
            assert unsaid or path.stem != "primary"
            (said,) = undrawn(study.results)
            assert path.stem in said
            forget_undrawn(study.results)
            assert not path.exists()
            make(step, *["metrics"] * (file in READ_BY_METRICS))


def test_a_page_of_answers_that_cannot_be_made_costs_its_study_nothing_else(study, monkeypatch):
    from relprobe.studies.definitions import tables

    (words,) = jobs(study, "definitions_show", "definitions")
    monkeypatch.setattr(tables, "answers", fails)
    monkeypatch.chdir(study.folder)
    assert main(GROUPS, words) == 0
    page = study.results / "definitions/answers.html"
    assert "The answers could not be shown (ZeroDivisionError: float division by zero)." in page.read_text()
    assert (study.results / "definitions/tables/overview.parquet").stat().st_size > MOST_BYTES / 4
    (said,) = undrawn(study.results)
    assert said.startswith("definitions: answers could not be made")
    forget_undrawn(study.results)
    assert not page.exists()


@pytest.mark.parametrize("name", ["definitions", "degrees"])
def test_what_an_analysis_has_of_an_agent_costs_the_agent_nothing_else(name, study, monkeypatch):
    steps = {rule: jobs(study, rule, name) for rule in (f"{name}_metrics", f"{name}_show", "report_study")}
    monkeypatch.setattr(records, "check_inputs", lambda _: None)
    monkeypatch.chdir(study.folder)
    (analysis,) = {one.name for one in analyses_of(name) if "agent_table" in one.names}
    monkeypatch.setattr(f"relprobe.studies.{name}.analyses.{analysis}.agent_table", fails)
    for words in [words for rule_words in steps.values() for words in rule_words]:
        assert main(GROUPS, words) == 0, words
    card = json.loads((study.results / name / "card.json").read_text())
    assert card["unmade"]
    assert f"{analysis} of " in (study.results / name / "report.html").read_text()
    (said,) = undrawn(study.results)
    assert f"{analysis} of tiny-causal" in said
    forget_undrawn(study.results)
    assert not (study.results / name / analysis / "tiny-causal.parquet").exists()


def test_an_analysis_with_a_step_of_its_own_that_fails_is_a_sentence_on_its_page(study, monkeypatch):
    from relprobe.studies.relations.analyses import use

    (words,) = jobs(study, "relations_use", "relations")
    monkeypatch.setattr(use, "use_table", fails)
    monkeypatch.chdir(study.folder)
    assert main(GROUPS, words) == 0
    assert study.table("relations/tables/relation_use.parquet").item().startswith(UNMADE)


def test_a_figure_that_cannot_be_drawn_is_a_sentence_on_a_page_that_has_all_else(study, monkeypatch):
    from relprobe.__main__ import main
    from relprobe.studies.degrees import figures

    name = next(iter(figures.FIGURES))

    def fails(*_: object) -> None:
        raise ZeroDivisionError("float division by zero")

    (words,) = jobs(study, "degrees_show", "degrees")
    monkeypatch.setitem(figures.FIGURES, name, fails)
    monkeypatch.chdir(study.folder)
    shutil.rmtree(study.results / "degrees/figures")
    assert main(GROUPS, words) == 0
    said = (study.results / f"degrees/figures/{name}.svg").read_text()
    assert f"{UNDRAWN} (ZeroDivisionError: float division by zero)." in said
    (words,) = jobs(study, "report_study", "degrees")
    assert main(GROUPS, words) == 0
    assert json.loads((study.results / "degrees/card.json").read_text())["undrawn"] == [name]
    assert "float division by zero" in (study.results / "degrees/report.html").read_text()
