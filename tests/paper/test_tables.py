"""The tables of a manuscript: the texts of the page, in LaTeX and in HTML."""

import re

import polars as pl
import pytest
from relprobe.paper.latex import literal, paragraph
from relprobe.paper.tables import in_html, in_latex, sheet, sheets, tables
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
