"""The pages of studies as documents: what is read, what is refused, and that tables and figures fit together."""

import importlib
import re
import subprocess
import sys

import pytest
from relprobe.core.analyses import analyses_of
from relprobe.core.cli import contents_of, function_of
from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.report.page_words import words_of
from relprobe.report.shown import HEAD, OF_PAPER, SHARED, Figure, Page, Table, page_of, read_page
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES

from tests.closure import statements
from tests.facts import WHOLE, with_published
from tests.paths import ROOT, SCRIPTS

PAGE = """\
---
may_lack:
  people: answers of people
  vectors: static vectors
notices:
  people: Nobody answered.
columns:
  rho: "yes: a correlation"
---
# What is it?

The lead, which
is one paragraph.

## All agents
{table: overview, part: "Tests, and more", step: made, needs: people}

What is in it,
in one paragraph.

> without vectors: There are
> no vectors.

- `*_low`: the lower
  bound
- `n, m`: yes: a number

## Values
{figure: lines, values: overview}

A line.
"""
"""A page with all that a page may have, but macros and loops."""


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
        needs="people",
        without={"vectors": "There are no vectors."},
        part="Tests, and more",
        columns={"*_low": "the lower bound", "n, m": "yes: a number"},
    )
    lines = Figure("lines", "Values", "A line.", values="overview")
    may_lack = {"people": "answers of people", "vectors": "static vectors"}
    notices = {"people": "Nobody answered."}
    page = Page(
        "What is it?", "The lead, which is one paragraph.", (overview, lines), {"rho": "yes: a correlation"}, may_lack
    )
    assert read(PAGE) == Page(**{**vars(page), "notices": notices, "front": ["lines"]})


def test_lines_may_be_broken_anywhere_and_windows_line_ends_are_line_ends(read):
    broken = PAGE.replace("What is in it,\nin one paragraph.", "What is\nin it, in one\nparagraph.")
    assert read(broken.replace("\n", "\r\n")) == read(PAGE)


def test_without_front_all_figures_may_stand_on_the_front_page_in_their_order(read):
    more = f"{PAGE}\n## Bars\n{{figure: bars, values: overview}}\n\nBars.\n"
    assert list(read(more).front) == ["lines", "bars"]
    assert list(read(more.replace("---\n# ", "front: [bars]\n---\n# ")).front) == ["bars"]


def test_a_loop_over_metrics_and_a_shared_macro_make_sections(read):
    section = "## {{ one.title }}\n{figure: {{ one.name }}, values: overview}\n\nA line.\n"
    loop = f"{{% for one in measures() %}}\n{section}\n{{% endfor %}}"
    page = read(f"{PAGE}\n{loop}\n{{{{ shared.controls() }}}}\n", Metric("a", title="A"), Metric("b", title="B"))
    shown = [(one.folder, one.name, one.title) for one in page.exhibits[2:]]
    assert shown[:2] == [("figures", "a", "A"), ("figures", "b", "B")]
    assert ("tables", "controls", "What each agent has beyond its best control") in shown[2:]


FAULTS = {
    "no front matter": (PAGE.partition("---\n# ")[2], r"line 1: it does not begin with YAML between two lines ---"),
    "a key twice": (
        PAGE.replace("notices:", "columns: {}\nnotices:"),
        "the key 'columns' occurs twice, in line 5 and in line 8,",
    ),
    "a key twice below a comment": (
        "{# page.md #}\n" + PAGE.replace("notices:", "columns: {}\nnotices:"),
        "occurs twice, in line 6 and in line 9,",
    ),
    "an unknown key": (PAGE.replace("notices:", "notes:"), "no key 'notes' before its title: did you mean 'notices'"),
    "a list in place of names": (PAGE.replace("\n  rho: ", "\n  - "), "columns has not the form of names"),
    "no text": (PAGE.replace('"yes: a correlation"', "12"), "columns has not the form of names"),
    "no YAML": (PAGE.replace('"yes: ', "yes: "), r"is no valid YAML \(.*, line 8\): correct it"),
    "no title": (PAGE.replace("# What is it?\n", ""), "no title stands below the second line ---"),
    "no lead": (PAGE.replace("The lead, which\nis one paragraph.\n", ""), "0 paragraphs stand between the title and"),
    "two leads": (PAGE.replace("\nis one", "\n\nis one"), "2 paragraphs stand between the title and the first section"),
    "no attributes": (
        PAGE.replace("{figure: lines, values: overview}\n", ""),
        "line 29: no attributes of one table or",
    ),
    "attributes of none": (
        PAGE.replace("{figure: lines", "{name: lines"),
        "line 29: no attributes of one table or figure",
    ),
    "attributes of both": (
        PAGE.replace("{figure: lines", "{table: t, figure: lines"),
        "line 29: no attributes of one table",
    ),
    "an unknown attribute": (
        PAGE.replace("part:", "prt:"),
        "line 16: a table has no attribute 'prt': did you mean 'part'",
    ),
    "an attribute of tables": (
        PAGE.replace("values: overview", "columns: Data"),
        "line 29: a figure has no attribute 'columns': known are figure, step, needs, part, on_page, before, values",
    ),
    "a number as a name": (PAGE.replace("figure: lines", "figure: 1"), "line 29: figure has the value 1: write a name"),
    "a word as yes or no": (
        PAGE.replace("step: made", "on_page: never"),
        "line 16: on_page has the value 'never': write true",
    ),
    "no YAML in attributes": (PAGE.replace("{figure: lines", "{figure: [lines"), r"is no valid YAML \(.*, line 29\)"),
    "no caption": (PAGE.replace("A line.\n", ""), "line 28: the caption is missing"),
    "columns in place of a caption": (
        PAGE.replace("What is in it,\nin one paragraph.\n", ""),
        "line 15: the caption is missing",
    ),
    "three captions": (
        PAGE.replace("it,\nin one", "it,\n\nin\n\none"),
        "line 15: below the caption stands “one paragraph.”",
    ),
    "a column without a meaning": (
        PAGE.replace("- `n, m`: yes: a number", "- `n, m`"),
        "stands “- `n, m`”, which is neither",
    ),
    "a column without its signs": (
        PAGE.replace("- `n, m`", "- n, m"),
        "line 15: below the caption stands “- n, m: yes",
    ),
    "text below columns": (
        PAGE.replace("a number\n", "a number\n\nMore.\n"),
        "line 15: below the caption stands “More.”",
    ),
    "a column twice": (PAGE.replace("`n, m`", "`*_low`"), r"line 15: \*_low is explained twice below the caption"),
    "columns of a figure": (
        f"{PAGE}\n- `n`: a number\n",
        "line 28: a figure has no columns: say what they mean below the",
    ),
    "columns of a figure without values": (
        PAGE.replace("lines, values: overview}\n\nA line.\n", "lines}\n\nA line.\n\n- `n`: a number\n"),
        "line 28: a figure has no columns",
    ),
    "a table twice": (
        PAGE.replace("figure: lines, values: overview", "table: overview"),
        r"line 28: tables/overview is there twice, also in .*page\.md, line 15",
    ),
    "values in no table": (
        PAGE.replace("values: overview", "values: overviews"),
        "line 28: the page has no table overviews",
    ),
    "an unknown need": (PAGE.replace("needs: people", "needs: persons"), "line 15: may_lack has no name persons"),
    "an unknown lack": (PAGE.replace("> without vectors", "> without ghosts"), "line 15: may_lack has no name ghosts"),
    "a notice of an unknown lack": (
        PAGE.replace("  people: Nob", "  persons: Nob"),
        "may_lack has no name persons: known are people",
    ),
    "a lack that nothing names": (
        PAGE.replace("> without vectors: There are\n> no vectors.\n", ""),
        "no table, figure or notice names vectors of may_lack",
    ),
    "a front page without the figure": (
        PAGE.replace("---\n# ", "front: [bars]\n---\n# "),
        "has no figure bars for the front",
    ),
    "a tag that is not closed": (f"{PAGE}{{% for one in measures() %}}\n", r"line 3\d: Unexpected end of template"),
    "an unknown name": (PAGE.replace("A line.", "A {{ lnie }}."), "line 31: 'lnie' is undefined"),
    "an unknown macro": (f"{PAGE}\n{{{{ shared.contrls() }}}}\n", "line 33: .*'contrls'"),
    "an unknown argument": (f"{PAGE}\n{{{{ shared.controls(colour=1) }}}}\n", "line 33: .*colour"),
    "a macro without its argument": (
        f"{PAGE}\n{{{{ shared.sent_to_task_agents() }}}}\n",
        r"shared\.md, line \d+: .*'probe'",
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
    path.write_text(PAGE.replace("A line.", "{{ measures() | list }}"))
    with pytest.raises(DataError, match=r"page\.md, line 31: No module named 'relprobe\.studies\.none': correct it"):
        read_page(path, lambda: importlib.import_module("relprobe.studies.none").MEASURES)


def test_a_study_without_a_page_is_told_to_write_one():
    with pytest.raises(
        DataError, match=r"studies/none/page\.md is missing: write the page of the study, as docs/adding\.md"
    ):
        page_of("none")


def test_a_fault_in_what_pages_share_is_placed_there(read):
    """Such as a table that the page has, and a macro has again: both places are named."""
    own = "\n## Own\n{table: controls}\n\nRows.\n\n{{ shared.controls() }}\n"
    with pytest.raises(
        DataError, match=r"shared\.md, line \d+: tables/controls is there twice, also in .*page\.md, line 33"
    ):
        read(PAGE + own)


@pytest.mark.parametrize("study", STUDIES)
def test_every_heading_of_a_page_is_that_of_a_table_or_figure(study):
    """A heading in a loop is that of several."""
    text = (SCRIPTS / f"relprobe/studies/{study}/page.md").read_text("utf-8")
    titles = [one.title for one in page_of(study).exhibits]
    for heading in re.findall(r"^## (.*)$", text, re.MULTILINE):
        pattern = re.sub(r"\\\{\\\{.*?\\\}\\\}", ".+", re.escape(heading))
        assert [title for title in titles if re.fullmatch(pattern, title)], heading


@pytest.mark.parametrize("study", STUDIES)
def test_no_sign_of_jinja_or_markdown_is_left_in_what_a_page_says(study):
    page = page_of(study)
    said = [page.title, page.lead, *page.columns.values(), *page.may_lack.values(), *page.notices.values()]
    for one in page.exhibits:
        said += [one.title, one.caption, one.more, one.needs, one.empty, *one.without.values()]
        said += getattr(one, "columns", {}).values()
    said = [OF_PAPER.sub(r"\1", text) for text in [*said, *page.reading]]
    assert [text for text in said if re.search(r"\{[%{#]|[}%#]\}|None|  |\n|\x1f|^> |- `", text)] == []


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
    """Every macro and text of shared.md is on a page, or in another one of them."""
    shared = SHARED.read_text("utf-8")
    names = re.findall(r"\{% (?:macro|set) (\w+)", shared)
    assert {"controls", "task_agents", "scope"} <= set(names)
    pages = "".join((SCRIPTS / f"relprobe/studies/{study}/page.md").read_text("utf-8") for study in STUDIES)
    pages += "".join(analysis.page for study in STUDIES for analysis in analyses_of(study))
    outside = re.sub(r"\{% (?:macro|set) \w+", "", shared)
    assert [name for name in names if f"shared.{name}" not in pages and not re.search(rf"\b{name}\b", outside)] == []


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
    assert (said.name, said.on_page, said.needs) == ("tests", True, "")
    assert sum(one.more.count("likes besides") for one in page_of(study).exhibits) == 1


def test_a_run_names_all_that_a_study_may_need():
    page = Page("Title?", "", (Table("all", "All", "Rows."),), {}, {"people": "answers of people"})
    with pytest.raises(ValueError, match=r"the names \['person'\] are not those of may_lack, \['people'\]"):
        page.available({"person": True})


def test_a_page_that_says_nothing_before_its_title_lacks_nothing(read):
    page = read("---\n---\n# What?\n\nThe lead.\n")
    assert {key: type(value)() for key, value in HEAD.items()} == HEAD
    assert page == Page("What?", "The lead.", (), {}, {}, {}, [], {})


BY_NAME = {
    ("report/shown.py", "page_of"): "pages=",
    ("core/study.py", "study_of"): "code_of(",
}
"""File and function that find something of a study by its name, which no digest sees -> how a rule names it."""


@pytest.mark.parametrize("finder", BY_NAME, ids=lambda finder: finder[1])
def test_every_rule_of_a_step_names_what_its_code_finds_by_the_name_of_a_study(finder):
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
