"""The tables of a manuscript: the texts of the page, in LaTeX and in HTML."""

import re

import polars as pl
import pytest
from relprobe.paper import tables as paper_tables
from relprobe.paper.latex import literal, paragraph
from relprobe.paper.tables import Sheet, in_html, in_latex, sheet, sheets, tables
from relprobe.report.exhibits import Figure
from relprobe.report.page import Section, rows
from relprobe.report.shown import page_of
from relprobe.studies import STUDIES
from relprobe.studies.relations.schemas import AVERAGES
from relprobe.studies.relations.tables import overview
from relprobe.studies.relations.values import RELATIONS

TABLE = pl.DataFrame(
    {
        "agent": ["m_1", "m_1", "50 % & more"],
        "relation": ["HYP", "ANT", None],
        "value": [0.25, -0.001, 1.0],
        "p_holm": [1.2e-9, None, 0.5],
        "units": [1200, 3, None],
    }
)
SECTION = Section("table-x", "A & B", "By p_holm, x < 1.", None, table=TABLE, code_names={"HYP": "hypernymy"})


def cells_of(latex):
    """The texts of the cells of a table in LaTeX, with the two parts of a number put together."""
    lines = re.findall(r"^(?!\\)(.*) \\\\$", latex, re.MULTILINE)[1:]
    plain = [line.replace(r"\%", "%").replace(r"\&", "\0").replace(r"\_", "_") for line in lines]
    plain = [re.sub(r"\\ensuremath\{\\times10\^\{-(\d+)\}\}", lambda e: f"e−{int(e[1]):02}", line) for line in plain]
    joined = [re.sub(r"(?<=[\d}-])&(?=[.\s\\])|(?<=[\d}-])&$", "", line.replace(" & ", "\t")) for line in plain]
    texts = [line.replace(r"\ensuremath{-}", "−").replace("--", "–").replace("\0", "&").split("\t") for line in joined]
    return [[text.rstrip("&").strip() for text in line] for line in texts]


def test_the_texts_are_those_of_the_page():
    shown = [[text for _, _, text, _ in row] for row in rows(SECTION)]
    one = sheet("x", SECTION)
    assert one.cells == shown
    assert one.cells[0] == ["m_1", "hypernymy", "0.250", "1.2e−09", "1,200"]
    assert cells_of(in_latex(one, "relations")) == shown


def test_decimals_stand_below_each_other_and_whole_numbers_to_the_right():
    text = in_latex(sheet("x", SECTION), "relations")
    assert r"\begin{tabular}{llr@{}lr@{}lr}" in text
    assert r"\multicolumn{2}{r}{p holm}" in text
    assert r"\caption{A \& B. By p holm, x \textless{} 1.}" in text
    assert r"\label{tab:relations-x}" in text


def test_a_page_of_html_has_the_same_cells():
    page = in_html(sheet("x", SECTION))
    assert re.findall(r"<td[^>]*>([^<]*)</td>", page)[-5:] == ["50 % &amp; more", "–", "1", "0.500", "–"]
    assert page.count("<tr>") == 1 + TABLE.height
    assert "<b>A &amp; B.</b> By p holm, x &lt; 1." in page


@pytest.mark.parametrize(("groups", "parts"), [(1, [45, 45, 10]), (4, [25, 25, 25, 25]), (100, [45, 45, 10])])
def test_a_long_table_goes_on_in_another_float_with_one_number(groups, parts):
    table = pl.DataFrame({"agent": [f"a{row * groups // 100}" for row in range(100)], "value": 0.5})
    text = in_latex(sheet("x", Section("table-x", "Long", "", None, table=table)), "relations")
    assert [part.count("&.500") for part in text.split(r"\end{table}")[:-1]] == parts
    assert text.count(r"\label{") == 1
    assert text.count(r"\addtocounter{table}{-1}") == len(parts) - 1
    assert text.count("Long (continued).") == len(parts) - 1


def test_only_tables_with_rows_are_written_and_the_papers_values_that_the_run_has_too():
    row = {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.5, "units": 4, "coverage": 1.0}
    averages = pl.DataFrame([{name: row.get(name) for name in AVERAGES}], schema=AVERAGES)
    printed = {
        "where": ["Figure 4", "Figure 4", None],
        "quantity": "soundness",
        "condition": "HYP",
        "agent": ["a", "b", "m"],
    }
    published = pl.DataFrame(
        {**printed, "value": [0.6, 0.7, None], "low": None, "high": None, "ours": [0.5, None, 0.4]}
    )
    published = published.with_columns(ours_low=0.4, ours_high=0.61, note=None)
    tables = {
        "overview": overview(averages, relations=RELATIONS),
        "controls": pl.DataFrame({"agent": []}),
        "published": published,
        "data": pl.DataFrame({"relation": ["HYP"], "name": ["hypernymy"]}),
    }
    page = page_of("relations")
    found = {one.name: one for one in sheets(tables, "relations", dict.fromkeys(page.may_lack, True))}
    assert list(found) == ["overview", "published"]
    assert found["published"].cells == [["Figure 4", "soundness", "hypernymy", "a", "0.6", "0.5", "0.4 to 0.6"]]
    whole = page.in_run(dict.fromkeys(page.may_lack, True))
    assert found["overview"].caption == next(
        one.caption for one in whole.exhibits if one.name == "overview" and one.folder == "tables"
    )


@pytest.mark.parametrize("study", STUDIES)
def test_every_figure_of_a_page_has_its_caption_beside_it(tmp_path, study):
    has = dict.fromkeys(page_of(study).may_lack, True)
    names = pl.DataFrame({"relation": ["HYP"], "condition": ["HYP"], "name": ["hypernymy"]})
    tables({"data": names}, tmp_path / "out", study=study, has=has)
    drawn = [one for one in page_of(study).in_run(has).exhibits if one.folder == "figures"]
    commands = re.findall(
        r"^\\newcommand\{\\([A-Za-z]+)\}\{(.*)\}$", (tmp_path / "out/captions.tex").read_text(), re.MULTILINE
    )
    assert len({name for name, _ in commands}) == len(commands) == len(drawn)
    titles = [one.title if one.title.endswith("?") else f"{one.title}." for one in drawn]
    captions = [paragraph(one.caption) for one in drawn]
    assert [text for _, text in commands] == [
        " ".join(pair) for pair in zip(map(literal, titles), captions, strict=True)
    ]
    paragraphs = (tmp_path / "out/captions.md").read_text().split("\n\n")
    assert [text.split("…/")[1].split("`")[0] for text in paragraphs[:-1]] == [one.name for one in drawn]


def table_of(rows, *, heads=None, numbers=None):
    """A table whose cells are texts."""
    width = len(rows[0])
    return Sheet("x", "Title", "", heads or [f"h{i}" for i in range(width)], rows, numbers or [False] * width)


@pytest.mark.parametrize(("columns", "kind", "width"), [(4, "table", "columnwidth"), (5, "table*", "textwidth")])
def test_a_table_of_up_to_four_columns_stands_in_one_column_of_text(columns, kind, width):
    text = in_latex(table_of([["a"] * columns]), "relations")
    assert rf"\begin{{{kind}}}[tp]" in text and rf"\end{{{kind}}}" in text
    assert rf"\resizebox{{\ifdim\width>\{width} \{width}\else\width\fi}}" in text


@pytest.mark.parametrize(
    ("firsts", "lines"),
    [
        ("aabb", ["a & x", "a & x", "SPACE", "b & x", "b & x"]),
        ("abb", ["a & x", "SPACE", "b & x", "b & x"]),
        ("abc", ["a & x", "b & x", "c & x"]),
        ("aaa", ["a & x", "a & x", "a & x"]),
    ],
)
def test_a_new_text_of_the_first_column_has_space_before_it_unless_each_row_has_one(firsts, lines):
    text = in_latex(table_of([[first, "x"] for first in firsts]), "relations")
    body = text.split("\\midrule\n")[1].split("\n\\bottomrule")[0].splitlines()
    assert [line.replace(r"\addlinespace", "SPACE").removesuffix(r" \\") for line in body] == lines


def test_a_dot_in_a_column_of_words_or_whole_numbers_parts_no_cell():
    text = in_latex(table_of([["a.b", "7", "0.5"], ["c", "8", "1"]], numbers=[False, True, True]), "relations")
    assert r"\begin{tabular}{lrr@{}l}" in text
    assert r"a.b & 7 & 0&.5 \\" in text and r"c & 8 & 1& \\" in text
    assert r"h0 & h1 & \multicolumn{2}{r}{h2} \\" in text


@pytest.mark.parametrize(("change", "parts"), [(21, [45, 5]), (22, [22, 28]), (23, [23, 27]), (45, [45, 5])])
def test_a_part_ends_where_the_first_column_changes_in_the_second_half_of_its_rows(change, parts):
    text = in_latex(table_of([["a" if row < change else "b", "x"] for row in range(50)]), "relations")
    assert [part.count("& x") for part in text.split(r"\end{table}")[:-1]] == parts


def test_cells_of_numbers_are_marked_in_html():
    page = in_html(table_of([["a", "7"]], numbers=[False, True]))
    assert '<tr><th>h0</th><th class="number">h1</th></tr>' in page
    assert '<tr><td>a</td><td class="number">7</td></tr>' in page


def test_columns_that_a_page_shows_on_request_are_left_out_of_all_parts_of_a_table():
    table = pl.DataFrame({"agent": ["m", "n"], "note": ["x", "y"], **{f"x{i}": [1, 2] for i in range(8)}})
    found = sheet("x", Section("table-x", "A", "", None, table=table))
    assert found.heads == ["agent", *(f"x{i}" for i in range(7))]
    assert found.cells == [["m", *"1111111"], ["n", *"2222222"]]
    assert found.numbers == [False] + [True] * 7


def test_each_table_is_written_as_latex_and_as_html_and_captions_say_which_letters_need_another_engine(tmp_path):
    row = {"agent": "m", "metric": "soundness", "relation": "HYP", "value": 0.5, "units": 4, "coverage": 1.0}
    averages = pl.DataFrame([{name: row.get(name) for name in AVERAGES}], schema=AVERAGES)
    found = overview(averages, relations=RELATIONS)
    names = pl.DataFrame({"relation": ["HYP"], "name": ["hypernymy"]})
    has = dict.fromkeys(page_of("relations").may_lack, True)
    tables({"overview": found, "data": names}, tmp_path / "out", study="relations", has=has)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("captions.md", "captions.tex", "overview.html", "overview.tex")
    ]
    (one,) = sheets({"overview": found, "data": names}, "relations", has)
    assert (tmp_path / "out/overview.tex").read_text() == in_latex(one, "relations")
    assert (tmp_path / "out/overview.html").read_text() == in_html(one)
    assert r"\label{tab:relations-overview}" in in_latex(one, "relations")


def test_letters_of_another_script_in_a_caption_are_told_in_the_file_for_latex_alone(tmp_path, monkeypatch):
    figure = Figure("layers_10", "鳴く", "く")
    monkeypatch.setattr(paper_tables, "figures_of", lambda study, has: [figure])
    names = pl.DataFrame({"relation": ["HYP"], "name": ["hypernymy"]})
    tables({"data": names}, tmp_path / "out", study="relations", has=dict.fromkeys(page_of("relations").may_lack, True))
    first, command = (tmp_path / "out/captions.tex").read_text().splitlines()
    assert first.startswith("% LuaLaTeX is needed for letters such as く")
    assert command == r"\newcommand{\RelationsLayersOneZero}{鳴く. く}"
    assert (tmp_path / "out/captions.md").read_text() == "`figures/relations/…/layers_10`: **鳴く.** く\n\n"


@pytest.mark.parametrize("column", ["value", "low", "high"])
def test_a_printed_figure_with_any_number_is_comparable(column):
    empty = {"value": None, "low": None, "high": None, "ours": 0.5}
    rows = pl.DataFrame([empty, empty | {column: 0.5}], schema=dict.fromkeys(empty, pl.Float64))
    assert paper_tables._comparable(rows).height == 1
