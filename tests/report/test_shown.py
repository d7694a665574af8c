"""The pages of studies as documents: what is read, what is refused, and that tables and figures fit together."""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from relprobe.core.analyses import analyses_of
from relprobe.core.cli import contents_of, function_of
from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.core.study import InRun, Questions, Roles, StepInput
from relprobe.report.documents import read_sections
from relprobe.report.exhibits import ITALICS, Figure, Page, Table
from relprobe.report.page_words import words_of
from relprobe.report.shown import SHARED, _in_order, page_of, read_page
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES
from relprobe.studies.frame import run as frame_run

from tests.closure import statements
from tests.facts import WHOLE, with_published
from tests.paths import ROOT, SCRIPTS

PAGE = """\
# What is it?

```yaml
may_lack:
  people: answers of people
  vectors: static vectors
notices:
  people: Nobody answered.
columns:
  rho: "yes: a correlation"
words:
  rows: rows of agents
```

The lead, which
is one paragraph.

How to
read it.

## All agents

```yaml
table: overview
part: "Tests, and more"
step: made
needs: [people]
without:
  vectors: There are
    no vectors.
columns:
  "*_low": the lower
    bound
  n, m: "yes: a number"
```

What is in it,
in one paragraph.

## Values of $metric

```yaml
figure: lines_$metric
values: overview
each: [{metric: rho}, {metric: "tau, $rows"}]
```

A line of $metric.
"""
"""A page with all that a page may have, but the metrics of its study and sections of shared.md."""


@pytest.fixture
def read(tmp_path):
    def read_text(text, *metrics):
        path = tmp_path / "page.md"
        path.write_text(text, "utf-8")
        return read_page(path, lambda: metrics)

    return read_text


def test_a_page_is_read_as_it_is_written(read):
    overview = Table(
        "overview",
        "All agents",
        "What is in it, in one paragraph.",
        step="made",
        needs=("people",),
        without={"vectors": "There are no vectors."},
        part="Tests, and more",
        columns={"*_low": "the lower bound", "n, m": "yes: a number"},
    )
    metrics = "rho", "tau, rows of agents"
    lines = [Figure(f"lines_{name}", f"Values of {name}", f"A line of {name}.", values="overview") for name in metrics]
    page = read(PAGE)
    assert (page.title, page.lead) == ("What is it?", "The lead, which is one paragraph.")
    assert page.reading == (*read("# What?\n\nThe lead.\n").reading, "How to read it.")
    assert page.exhibits == (overview, *lines)
    assert page.columns == {"rho": "yes: a correlation"}
    assert page.may_lack == {"people": "answers of people", "vectors": "static vectors"}
    assert page.notices == {"people": "Nobody answered."}
    assert page.front == [one.name for one in lines]


def test_lines_may_be_broken_anywhere_and_windows_line_ends_are_line_ends(read):
    broken = PAGE.replace("What is in it,\nin one paragraph.", "What is\nin it, in one\nparagraph.")
    assert read(broken.replace("\n", "\r\n")) == read(PAGE)


def test_a_section_knows_its_line_wherever_its_document_begins():
    """With blank lines before its title, or within a file, such as the docstring of an analysis that begins in line 11."""
    text = "\n\n# Title\n\nA lead.\n\n## Data\n\n```yaml\ntable: [data\n```\n"
    for first in (1, 11):
        with pytest.raises(DataError, match=rf"^page\.md is no valid YAML \(.*, line {first + 10}\)"):
            read_sections(text, Path("page.md"), first)
        title, data = read_sections(text.replace("[data", "data"), Path("page.md"), first)
        assert [one.location for one in (title, data)] == [f"page.md, line {first + 2}", f"page.md, line {first + 6}"]
        assert (title.level, title.heading, title.paragraphs) == (1, "Title", ["A lead."])
        assert (data.level, data.block) == (2, {"table": "data"})


def test_without_front_all_figures_may_stand_on_the_front_page_in_their_order(read):
    more = f"{PAGE}\n## Bars\n\n```yaml\nfigure: bars\nvalues: overview\n```\n\nBars.\n"
    assert list(read(more).front) == ["lines_rho", "lines_tau, rows of agents", "bars"]
    assert list(read(more.replace("words:\n", "front: [bars]\nwords:\n")).front) == ["bars"]


def test_a_section_for_each_metric_and_a_heading_of_shared_md_make_sections(read):
    section = (
        "## $title\n\n```yaml\nfigure: $metric\neach: metrics\nvalues: overview\nneeds: [$needs]\n```\n\n$caption\n"
    )
    metrics = Metric("a", title="A", caption="Of a."), Metric("b"), Metric("c", title="C", caption="Of c.")
    page = read(f"{PAGE}\n{section}\n## What the agents that only chat were sent\n", *metrics)
    shown = [(one.folder, one.name, one.title) for one in page.exhibits[3:]]
    assert shown == [
        ("figures", "a", "A"),
        ("figures", "c", "C"),
        ("tables", "ledger", "What the agents that only chat were sent"),
        ("tables", "reply_sources", "Which models have replied"),
    ]
    assert page.exhibits[3].caption == "Of a."
    assert "chat_models" in page.may_lack  # which these tables need
    assert "chat_models" not in read(PAGE).may_lack


def test_what_is_in_italics_is_said_in_a_run_of_the_paper_alone(read):
    text = PAGE.replace("may_lack:\n", "may_lack:\n  paper: the data\n").replace("A line of", "A line *(Figure 3)* of")
    lacking = {"people": True, "vectors": True, "paper": False}
    assert read(text).in_run(lacking).exhibits[1].caption == "A line of rho."
    assert read(text).in_run(lacking | {"paper": True}).exhibits[1].caption == "A line (Figure 3) of rho."
    with pytest.raises(
        DataError, match=r"page\.md, line 40: “\(Figure 3\)” is in italics, which only a run with the data of"
    ):
        read(PAGE.replace("A line of", "A line *(Figure 3)* of"))


FAULTS = {
    "no title": (
        PAGE.partition("\n\n")[2],
        r"line 1: a title such as # What is it\? or the paragraph below it is missing",
    ),
    "no lead": (
        PAGE.partition("```\n\nThe lead")[0] + "```\n",
        r"line 1: a title such as # What is it\? or the paragraph",
    ),
    "a key twice": (
        PAGE.replace("notices:", "columns: {}\nnotices:"),
        "the key 'columns' occurs twice, in line 7 and in line 10,",
    ),
    "a key twice below a comment": (
        "<!-- page.md -->\n" + PAGE.replace("notices:", "columns: {}\nnotices:"),
        "occurs twice, in line 8 and in line 11,",
    ),
    "an unknown key": (PAGE.replace("notices:", "notes:"), "line 1: a page has no key 'notes': did you mean 'notices'"),
    "a list in place of names": (
        PAGE.replace("\n  rho: ", "\n  - "),
        "line 1: a page has a key columns that is not names",
    ),
    "no text": (PAGE.replace('"yes: a correlation"', "12"), "line 1: a page has a key columns that is not names, each"),
    "no YAML": (PAGE.replace('"yes: a corr', "yes: a corr"), r"is no valid YAML \(.*, line 10\): correct it"),
    "no block": (
        PAGE[: PAGE.index("## Values")] + "## Values\n\nA line.\n",
        "line 40: no block below it names one table or one figure: write it, such as table: data",
    ),
    "a block without keys": (
        PAGE.replace("figure: lines_$metric", "- a\n```\n```yaml"),
        "line 40: the block of YAML below it has",
    ),
    "a block of none": (PAGE.replace("figure: lines", "name: lines"), "line 40: no block below it names one table or"),
    "a block of both": (
        PAGE.replace("figure: lines", "table: t\nfigure: lines"),
        "line 40: no block below it names one",
    ),
    "a block below a paragraph": (
        PAGE.replace("## Values of $metric\n", "## Values of $metric\n\nText.\n"),
        "line 40: below it stands “```yaml figure",
    ),
    "a block without an end": (PAGE.replace("```\n\nA line", "\n\nA line"), "line 40: below it stands “```yaml figure"),
    "an unknown attribute": (PAGE.replace("part:", "prt:"), "line 21: a table has no key 'prt': did you mean 'part'"),
    "an attribute of tables": (
        PAGE.replace("values: overview", "columns: {n: Data}"),
        "line 40: a figure has no key 'columns': known are figure, step, needs, without, empty, part, on_page, before,",
    ),
    "a number as a name": (
        PAGE.replace("table: overview", "table: 1"),
        "line 21: a table has a key table that is not a text: correct it",
    ),
    "a word as yes or no": (
        PAGE.replace("step: made", "on_page: never"),
        "line 21: a table has a key on_page that is not true or false",
    ),
    "a name in place of a list": (
        PAGE.replace("needs: [people]", "needs: people"),
        "line 21: a table has a key needs that is not a list of names, such as",
    ),
    "no YAML in a block": (PAGE.replace("values: over", "values: [over"), r"is no valid YAML \(.*, line 45\)"),
    "no caption": (PAGE.replace("A line of $metric.\n", ""), "line 40: 0 paragraphs stand below it: write a caption"),
    "three captions": (PAGE.replace("it,\nin one", "it,\n\nin\n\none"), "line 21: 3 paragraphs stand below it"),
    "a list in place of a caption": (PAGE.replace("A line", "- A line"), "line 40: below it stands “- A line of"),
    "a quotation": (f"{PAGE}\n> empty: None.\n", "line 40: below it stands “> empty: None.”, which is no paragraph"),
    "a table twice": (
        PAGE.replace("lines_$metric\nvalues: overview\n", "overview\n").replace("figure: ", "table: "),
        r"line 40: tables/overview is there twice, also in .*page\.md, line 21",
    ),
    "values in no table": (
        PAGE.replace("values: overview", "values: overviews"),
        "line 40: the page has no table overviews",
    ),
    "an unknown need": (PAGE.replace("needs: [people]", "needs: [persons]"), "line 21: may_lack has no name persons"),
    "an unknown lack": (PAGE.replace("  vectors: There", "  ghosts: There"), "line 21: may_lack has no name ghosts"),
    "a notice of an unknown lack": (
        PAGE.replace("  people: Nob", "  persons: Nob"),
        "may_lack has no name persons: known are people",
    ),
    "a lack that nothing names": (
        PAGE.replace("without:\n  vectors: There are\n    no vectors.\n", ""),
        "no table, figure or notice names vectors of may_lack",
    ),
    "a front page without the figure": (
        PAGE.replace("words:\n", "front: [bars]\nwords:\n"),
        "has no figure bars for the front",
    ),
    "an unknown text": (PAGE.replace("A line", "A $lnie"), r"line 40: no text has the name \$lnie: known are"),
    "a text that is misspelt": (
        PAGE.replace("tau, $rows", "$row"),
        r"line 40: no text has the name \$row: did you mean 'rows'",
    ),
    "a sign of the dollar": (
        PAGE.replace("A line", "5 $ for a line"),
        r"line 40: a \$ stands before no name: write \$\$",
    ),
    "no rows": (
        PAGE.replace('[{metric: rho}, {metric: "tau, $rows"}]', "[rho]"),
        "line 40: each is neither metrics nor a list",
    ),
    "an unknown list": (
        PAGE.replace('[{metric: rho}, {metric: "tau, $rows"}]', "metric"),
        "line 40: each is neither metrics nor",
    ),
    "an unknown heading": (
        f"{PAGE}\n## What exactly was snt\n",
        "line 50: nothing stands below this heading, which shared.md has not either: .* did you mean 'What exactly was",
    ),
    "a heading whose texts are missing": (
        f"{PAGE}\n## What exactly was sent\n",
        r"shared\.md, line \d+: no text has the name \$probe",
    ),
}
"""What is wrong -> a page that has it, and what is said."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_page_with_a_fault_is_refused_with_its_file_and_line(read, fault):
    text, said = FAULTS[fault]
    assert text != PAGE
    with pytest.raises(DataError, match=said) as error:
        read(text)
    assert re.search(r"(page|shared)\.md", str(error.value))
    assert "\n" not in str(error.value)


def test_a_page_that_asks_for_metrics_which_its_study_has_not_is_refused(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE.replace('[{metric: rho}, {metric: "tau, $rows"}]', "metrics"))
    with pytest.raises(
        DataError, match=r"page\.md, line 40: the metrics of the study cannot be read \(No module named 'relpr"
    ):
        read_page(path, lambda: importlib.import_module("relprobe.studies.none").MEASURES)


def test_a_study_without_a_page_is_told_to_write_one():
    with pytest.raises(
        DataError,
        match=r"studies/none/page\.md is missing: write the page of the study, as docs/how-to/add-a-study\.md",
    ):
        page_of("none")


def test_a_fault_in_what_pages_share_is_placed_there(read):
    """Such as a table that the page has, and shared.md has again: both places are named."""
    own = "\n## Own\n```yaml\ntable: controls\n```\nRows.\n\n## What each agent has beyond its best control\n"
    with pytest.raises(
        DataError, match=r"shared\.md, line \d+: tables/controls is there twice, also in .*page\.md, line 50"
    ):
        read(PAGE + own)


def test_tables_and_figures_come_in_the_order_of_the_parts_of_the_page():
    """Those of analyses stand before the one that they name, or last in their part; what is a file alone ends the list."""
    page = [table("b", "x"), table("file", on_page=False), table("a"), table("c", "y")]
    analyses = [table("d"), table("e", "z"), table("f", "x", before="b")]
    assert [one.name for one in _in_order(page, analyses, ("y", "x"))] == ["a", "d", "c", "f", "b", "e", "file"]
    assert [one.name for one in _in_order(page, analyses, ())] == ["f", "b", "file", "a", "c", "d", "e"]
    with pytest.raises(DataError, match=r"page\.md has no table or figure 'B': known are b, file, a, c"):
        _in_order(page, [table("g", before="B")], ())


def table(name, part="", **more):
    return Table(name=name, title=name, caption="What is in it.", part=part, **more)


@pytest.mark.parametrize("study", STUDIES)
def test_every_heading_of_a_page_is_that_of_a_table_or_figure(study):
    """A heading with a name of a text is that of several."""
    text = (SCRIPTS / f"relprobe/studies/{study}/page.md").read_text("utf-8")
    titles = [one.title for one in page_of(study).exhibits]
    for heading in re.findall(r"^## (.*)$", text, re.MULTILINE):
        pattern = re.sub(r"\\\$\w+", ".+", re.escape(heading))
        assert [title for title in titles if re.fullmatch(pattern, title)], heading


@pytest.mark.parametrize("study", STUDIES)
def test_no_sign_of_a_document_is_left_in_what_a_page_says(study):
    page = page_of(study)
    said = [page.title, page.lead, *page.columns.values(), *page.may_lack.values(), *page.notices.values()]
    for one in page.exhibits:
        said += [one.title, one.caption, one.more, *one.needs, one.empty, *one.without.values()]
        said += getattr(one, "columns", {}).values()
    said = [ITALICS.sub(r"\1\2", text) for text in [*said, *page.reading]]
    assert [text for text in said if re.search(r"\$|\*|```|None|  |\n|^> |- `", text)] == []


def sentences(text):
    """The sentences of a text; "Eq." and "al." end none."""
    return re.split(r"(?<!Eq\.)(?<!et al\.)(?<=[.!?])\s+", text)


def runs_of(page):
    """Runs that lack nothing, one thing, or all but one thing."""
    names = list(page.may_lack)
    lacking = [set(), set(names), *({name} for name in names), *(set(names) - {name} for name in names)]
    return [{name: name not in lacks for name in names} for lacks in lacking]


@pytest.mark.parametrize("study", STUDIES)
def test_a_caption_is_two_sentences_in_every_run(study):
    for has in runs_of(page_of(study)):
        for one in page_of(study).available(has):
            assert 1 <= len(sentences(one.caption)) <= 2, one.name
            assert 10 < len(one.caption) <= 430, one.name


PAPERS = re.compile(
    r"[Tt]he paper\b|paper's|[Ff]igures? [A-Z]?\d|Tables? [A-Z]?\d|Eq\.|[Aa]ntonymy|et al|SemEval|Schütze|Collados|Cao"
)


@pytest.mark.parametrize("study", STUDIES)
def test_a_page_that_is_not_the_papers_names_neither_a_paper_nor_its_figures(study):
    page = page_of(study)
    for has in runs_of(page):
        if "paper" in has and not has["paper"]:
            own = page.in_run(has)
            shown = [one for one in own.exhibits if one.on_page]
            said = [
                own.title,
                own.lead,
                *own.reading,
                *own.columns.values(),
                own.notice(has),
                *own.missing(has).values(),
            ]
            said += [text for one in shown for text in (one.title, one.caption, one.more, one.empty)]
            said += [text for one in shown if isinstance(one, Table) for text in one.columns.values()]
            assert [text for text in said if PAPERS.search(re.sub(r"\(?resources\.\w+\)?", "", text))] == []
    if study in with_published():
        assert "paper" in page.may_lack
        assert PAPERS.search(page.in_run(dict.fromkeys(page.may_lack, True)).lead)


@pytest.mark.parametrize("study", STUDIES)
def test_every_table_and_figure_of_a_page_is_in_a_run_or_says_what_the_run_lacks(study):
    page = page_of(study)
    for has in runs_of(page):
        there = {one.title for one in page.available(has) if one.on_page}
        missing = page.missing(has)
        assert there | set(missing) == {one.title for one in page.exhibits if one.on_page}
        assert all(len(reason) > 10 for reason in missing.values())
        assert all(one.empty for one in page.exhibits)


def test_what_pages_share_is_used():
    """Every section of shared.md is on a page, every text of it in a section, and what a run may lack is needed."""
    begin, *sections = read_sections(SHARED.read_text("utf-8"), SHARED)
    pages = [(SCRIPTS / f"relprobe/studies/{study}/page.md").read_text("utf-8") for study in STUDIES]
    pages += [analysis.page for study in STUDIES for analysis in analyses_of(study)]
    parts = [part for page in pages for part in read_sections(page, SHARED)]
    alone = {part.heading for part in parts if part.heading and not part.block and not part.paragraphs}
    assert {section.heading for section in sections if section.level == 2} == alone
    texts = "".join(pages) + repr(sections)
    assert [name for name in begin.block["words"] if not re.search(rf"\$\{{?{name}\b", texts)] == []
    needed = {name for study in STUDIES for one in page_of(study).exhibits for name in one.needs}
    assert set(begin.block["may_lack"]) <= needed


@pytest.mark.parametrize("study", STUDIES)
def test_every_page_has_the_tables_that_the_house_reads(study):
    tables = {one.name for one in page_of(study).exhibits if isinstance(one, Table)}
    assert {"overview", "controls", "tests"} <= tables
    assert ("published" in tables) == (ROOT / f"resources/published/{study}.csv").is_file()


@pytest.mark.parametrize("study", STUDIES)
def test_every_exhibit_names_a_step_that_there_is(study):
    """So the list of a rule's tables and the manual of the pages name the rule that makes them."""
    steps = {*contents_of(GROUPS[study]), *contents_of(GROUPS["report"])}
    steps |= set(contents_of(GROUPS["frame"])) if "compare" not in contents_of(GROUPS[study]) else set()
    assert {one.step for one in page_of(study).exhibits} - steps == set()


@pytest.mark.parametrize("study", STUDIES)
def test_the_cells_that_lead_to_answers_are_in_tables_of_the_page(study):
    tables = {one.name for one in page_of(study).exhibits if isinstance(one, Table) and one.on_page}
    assert words_of(study).addresses.keys() <= tables


def test_to_read_pages_imports_nothing_that_takes_time():
    """The workflow reads them whenever it makes a plan."""
    slow = "{'matplotlib', 'torch', 'scipy', 'nltk', 'statsmodels'}"
    code = f"import sys; from relprobe.report.shown import page_of; [page_of(one) for one in {STUDIES}]"
    code += f"; print(*{slow} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("study", WHOLE)
def test_a_page_says_once_what_its_tests_know_nothing_about(study):
    """It stands where the tests between agents are explained, and a run of any kind has that table."""
    (said,) = (one for one in page_of(study).exhibits if "p holds for the prompts of this study" in one.more)
    assert (said.name, said.on_page, said.needs) == ("tests", True, ())
    assert sum(one.more.count("likes besides") for one in page_of(study).exhibits) == 1


def test_what_a_page_may_lack_and_its_study_does_not_speak_of_ends_in_a_sentence():
    page = Page("Which words?", "", (), {}, {"people": "answers of people", "two": "models of two sizes"})
    assert page.has({"two": True, "people": False, "layers": True}) == {"people": False, "two": True}
    with pytest.raises(DataError) as caught:
        page.has({"people": True, "tw": False})
    assert str(caught.value) == (
        "the page “Which words?” or an analysis of it has two under may_lack, but nothing says whether a run has that: did "
        "you mean 'tw'? Or write a function `has` into the analysis, or say it in `in_run` of the study."
    )


def test_a_run_names_all_that_a_study_may_need():
    page = Page("Title?", "", (Table("all", "All", "Rows."),), {}, {"people": "answers of people"})
    with pytest.raises(ValueError, match=r"the names \['person'\] are not those of may_lack, \['people'\]"):
        page.available({"person": True})


def test_a_page_without_a_block_lacks_nothing(read):
    page = read("# What?\n\nThe lead.\n")
    assert page == Page("What?", "The lead.", (), {}, {}, {}, [], {}, page.reading)


BY_NAME = {
    ("report/shown.py", "page_of"): "pages=",
    ("core/study.py", "study_of"): "code_of(",
}
"""File and function that find something of a study by its name, which no digest sees -> how a rule names it."""


@pytest.mark.parametrize("finder", BY_NAME, ids=lambda finder: finder[1])
def test_every_rule_of_a_step_names_what_its_code_finds_by_the_name_of_a_study(finder, monkeypatch):
    """So the step runs again when that changes. A page that is read names the metrics of its study itself."""
    rules = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "workflow/rules").rglob("*.smk")))
    for name, settings in re.findall(r"^([A-Z_]+) = \{\n(.*?)^\}$", rules, flags=re.MULTILINE | re.DOTALL):
        written = re.sub(
            r'^ +"(\w+)": ', r"\1=", settings, flags=re.MULTILINE
        )  # two rules of a step share their settings
        rules = rules.replace(f"{name} = {{\n{settings}}}", "").replace(f"**{name}", written)
    every = re.split(r"^ *(?:use )?(?:rule|def)[ :]", rules, flags=re.MULTILINE)
    calls = [(re.search(r'\*\*step\(\s*"(\w+)",\s*"(\w+)"', rule), BY_NAME[finder] in rule) for rule in every]
    naming = {call.groups() for call, names in calls if call and names}
    # One function calls the last steps of all studies; a study that has none is given those of the frame.
    in_run = InRun([], [], {}, [], StepInput({}, {}))
    study = SimpleNamespace(in_run=lambda _config, _roles: in_run, questions=Questions("text"))
    monkeypatch.setattr(frame_run, "study_of", lambda _name: study)
    monkeypatch.setattr("relprobe.report.shown.page_of", lambda _name: Page("What?", "", (), {}, {}))
    run = frame_run.in_run_of("plurals", {}, Roles([], [], [], [], {}, {}))
    assert "*reading.definitions" in rules
    assert "TRIALS[wildcards.study].definitions" in rules
    if BY_NAME[finder] == "code_of(":
        last = {"compare": run.compared, "show": run.shown, "trials": run.trials}
        naming |= {(reading.group, name) for name, reading in last.items() if reading.definitions}
    using = set()
    for group, module in GROUPS.items():
        for name in importlib.import_module(module).STEPS:
            code = statements(function_of(module, name))
            there = any(file == finder[0] and finder[1] in one["defines"] for file, one in code)
            callers = [one["defines"] for _, one in code if finder[1] in one["uses"] and one["defines"] != ["page_of"]]
            if there and callers:
                using.add((group, name))
    assert using
    assert using == naming


REFERENCE = re.compile(r"\b(?:[Ss]ections?|Eq\.|Tables?|Figures?) [A-Z]?\d")


@pytest.mark.parametrize("study", STUDIES)
def test_a_caption_names_no_file_and_says_that_its_sections_tables_and_equations_are_the_papers(study):
    """A page has tables and figures of its own, and nobody who reads it has the folder docs."""
    for one in page_of(study).exhibits:
        assert "docs/" not in one.caption
        for found in REFERENCE.finditer(one.caption):
            near = one.caption[max(0, found.start() - 40) : found.end() + 60]
            assert "paper" in near, f"{one.name}: {near}"
