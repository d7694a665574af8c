import base64
import re
import zlib
from html import unescape
from html.parser import HTMLParser

import polars as pl
import pytest
from relprobe.report import page as report
from relprobe.report.light import FEWEST, with_classes
from relprobe.report.page import Around, Section, cell, figure, kind, write
from relprobe.report.words.headline import VERDICTS, Headline

from tests.paths import TEMPLATE

SVG = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
 <defs><clipPath id="clip"><rect id="m1"/></clipPath><pattern id="h1"><rect fill="#d55e00"/></pattern></defs>
 <use xlink:href="#m1" clip-path="url(#clip)" style="fill: #0072b2"/>
</svg>
"""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.5, "0.500"),
        (0.0, "0"),
        (-0.0, "0"),
        (3e-17, "0"),
        (7.0, "7"),
        (51260.0, "51,260"),
        (1 / 3, "0.333"),
        (0.0005, "0.001"),
        (0.0004, "4.0e−04"),
        (-0.25, "−0.250"),
        (1.2e-9, "1.2e−09"),
        (0, "0"),
        (10546, "10,546"),
        ("robin", "robin"),
        (True, "yes"),
        (False, "no"),
    ],
)
def test_cells(value, text):
    assert cell(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "missing"),
        (0, "number"),
        (0.5, "number"),
        (True, "word"),
        ("x" * 39, "word"),
        ("x" * 40, "word sentence"),
    ],
)
def test_kinds_of_cells(value, text):
    assert kind(value) == text


def drawing(tmp_path, name="soundness"):
    path = tmp_path / f"out/figures/{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SVG, encoding="utf-8")
    return figure(path)


def test_a_figure_is_an_element_without_the_files_head(tmp_path):
    assert drawing(tmp_path).element.startswith("<svg ")


def test_a_figures_ids_are_its_own_and_its_references_follow(tmp_path):
    one, other = (drawing(tmp_path, name).element for name in ("one", "other"))
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in (one, other)]
    assert len(ids[0]) == 2  # that of the hatching is of nothing that is drawn
    assert not ids[0] & ids[1]
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', one)) == {("one-m1", ""), ("", "one-clip")}


def test_a_figure_keeps_its_colours(tmp_path):
    assert (
        "fill: var(--family-0, #0072b2)" in drawing(tmp_path).element
    )  # that of the page's colour scheme, if it has one
    assert 'fill="#d55e00"' in drawing(tmp_path).element


def test_what_belongs_to_an_agent_is_named_and_links_go_from_the_page(tmp_path):
    svg = '<g id="agent=a%2Fb=7"><a xlink:href="../answers.html#a=x" target="_blank"><path/></a></g></svg>'
    path = tmp_path / "sound.svg"
    path.write_text(SVG.replace("</svg>", svg))
    element = figure(path).element
    assert '<g data-agent="a/b"><a tabindex="-1" xlink:href="answers.html#a=x">' in element


def test_parts_are_folded_away_below_what_is_to_be_seen(tmp_path):
    html = page_of(
        tmp_path,
        Section("tests", "All tests", "C", "t.csv", table=TABLE, part="Tests"),
        Section("first", "First", "C", "t.csv", table=TABLE),
    )
    assert html.index('<section id="first"') < html.index('<details class="part"') < html.index('<section id="tests"')


def test_the_summary_comes_before_the_lead(tmp_path):
    write("T", "the lead", [], TEMPLATE, tmp_path / "report.html", around=Around(headline=Headline(("m is best",))))
    html = (tmp_path / "report.html").read_text()
    assert html.index("m is best") < html.index("the lead")


def test_cells_lead_to_their_addresses(tmp_path):
    def address(row, column):
        return f"answers.html#a={row['units']}" if column == "soundness" and row[column] is not None else None

    html = page_of(tmp_path, Section("t", "T", "C", "t.csv", table=TABLE, address=address))
    assert re.findall(r'<td[^>]*><a href="([^"]*)">([^<]*)</a>', html) == [("answers.html#a=1234", "0.500")]


def test_a_figure_has_a_text_in_its_place(tmp_path):
    html = page_of(tmp_path, Section("sound", "S", "C", "t.csv", svg=drawing(tmp_path), words="m 0.5, n 0.2."))
    assert '<svg role="img" aria-labelledby="sound-title" aria-describedby="sound-words" ' in html
    assert '<p id="sound-words">m 0.5, n 0.2.</p>' in html


class Page(HTMLParser):
    """Collects the elements of a page, and the addresses that it loads from elsewhere."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.ids, self.outside = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name == "src" or (tag == "link" and name == "href" and not value.startswith("data:")):
                self.outside.append(value)


def page_of(tmp_path, *sections):
    write("A <title>", "robins & walls", sections, TEMPLATE, tmp_path / "out/report.html")
    return (tmp_path / "out/report.html").read_text(encoding="utf-8")


TABLE = pl.DataFrame({"agent": ["<b>m</b>", "humans"], "soundness": [0.5, None], "units": [1234, 7]})


def test_the_page_holds_its_sections_and_needs_nothing_else(tmp_path):
    html = page_of(
        tmp_path,
        Section("sound", "Soundness", "What to see.", "tables/metrics.csv", svg=drawing(tmp_path)),
        Section("overview", "Overview", "All of it.", "tables/overview.csv", table=TABLE),
    )
    page = Page(html)
    assert page.outside == []
    assert {"sound", "overview"} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("section") == 2
    assert "svg" in page.tags
    assert 'href="#overview"' in html
    assert "What to see." in html
    assert "tables/overview.csv" in html


@pytest.mark.parametrize("conditions", [["HYP", "MER"], ["HYP", "HYP"]])
def test_the_verdict_stands_beside_what_it_is_of(tmp_path, conditions):
    """A condition that is that of all rows has no column."""
    rows = [("m", condition, 0.5, "nearest", 0.25, 0.25, "0.1 to 0.4", "ahead", "ahead") for condition in conditions]
    headline = Headline(("m is best.",), verdicts=pl.DataFrame(rows, schema=VERDICTS, orient="row"))
    write("T", "L", [], TEMPLATE, tmp_path / "p.html", around=Around(headline=headline, names={"HYP": "hypernymy"}))
    html = (tmp_path / "p.html").read_text("utf-8")
    table = html[html.index("<table") : html.index("</table>")]
    cells = [re.sub("<[^>]*>", "", text).strip() for text in re.findall(r"<t[hd]\b.*?</t[hd]>", table, re.DOTALL)]
    several = len(set(conditions)) == 2
    subject = ["agent", "condition"] if several else ["agent"]
    assert cells[: len(subject) + 6] == [
        *subject,
        "verdict",
        "value",
        "best control",
        "its value",
        "difference",
        "95 % interval",
    ]
    assert cells[len(subject) + 6 :][: len(subject) + 1] == [*(["m", "hypernymy"] if several else ["m"]), "ahead"]


def test_the_pages_words_are_escaped(tmp_path):
    html = page_of(tmp_path, Section("t", "a < b", "c & d", "t.csv", table=TABLE))
    assert "A &lt;title&gt;" in html
    assert "robins &amp; walls" in html
    assert "a &lt; b" in html
    assert "&lt;b&gt;m&lt;/b&gt;" in html
    assert "<b>" not in html


def test_a_wide_table_shows_eight_columns_first_and_the_rest_on_request(tmp_path):
    table = pl.DataFrame({name: [1] for name in ["agent", "note", *"abcdefgh", "paper_p"]})
    html = page_of(tmp_path, Section("t", "T", "C", "t.csv", table=table))
    assert re.findall(r'<th scope="col" data-name="(\w+)" class="[^"]* more"', html) == ["note", "h", "paper_p"]
    assert html.count('<td class="number more"') == 3


def test_a_table_shows_every_cell(tmp_path):
    html = page_of(tmp_path, Section("t", "T", "C", "t.csv", table=TABLE))
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", html)
    assert cells == ["&lt;b&gt;m&lt;/b&gt;", "0.500", "1,234", "humans", "–", "7"]


def test_a_page_leads_to_its_figures_files_and_to_the_pages_above(tmp_path):
    html = page_of(tmp_path, Section("sound", "Soundness", "What to see.", "tables/metrics.csv", svg=drawing(tmp_path)))
    for link in (
        *("figures/soundness.svg", "figures/soundness.png", "tables/metrics.csv"),
        *("../report.html", "../published.html", "../report.html#sources"),
    ):
        assert f'href="{link}"' in html


def test_a_section_need_not_have_data(tmp_path):
    assert "Data:" not in page_of(tmp_path, Section("t", "T", "C", None, link="published.html"))


def test_the_page_names_the_software_that_made_it(tmp_path):
    assert "Made by relprobe" in page_of(tmp_path, Section("t", "T", "C", "t.csv", table=TABLE))


def test_the_same_sections_are_the_same_page(tmp_path):
    sections = [Section("t", "T", "C", "t.csv", table=TABLE)]
    assert page_of(tmp_path, *sections) == page_of(tmp_path, *sections)


def unpacked(html):
    """The rows that a page has packed, a table after the other."""
    found = re.search(r'id="rest">(.*?)</script>', html)
    return [] if found is None else zlib.decompress(base64.b64decode(found[1])).decode().split("<!---->")


def numbers(count, *, start=0):
    return Section(f"t{count}", "T", "C", "t.csv", table=pl.DataFrame({"n": range(start, start + count)}))


def test_a_long_table_shows_its_first_rows_and_has_the_others_packed(tmp_path):
    html = page_of(tmp_path, numbers(50), numbers(51, start=100), numbers(200, start=200))
    assert re.findall(r"<td[^>]*>(\d+)</td>", html) == [
        *map(str, range(50)),
        *map(str, range(100, 100 + report.FIRST_ROWS)),
        *map(str, range(200, 200 + report.FIRST_ROWS)),
    ]
    assert "The first 10 of 51 rows; the data file has all of them." in html
    assert "The first 10 of 200 rows; the data file has all of them." in html
    cells_of_51, cells_of_200 = (re.findall(r"<td[^>]*>(\d+)</td>", part) for part in unpacked(html))
    assert cells_of_51 == [*map(str, range(110, 151))]
    assert cells_of_200 == [*map(str, range(210, 400))]
    assert unpacked(page_of(tmp_path, numbers(50))) == []


def test_a_table_that_is_too_long_for_a_page_is_cut_with_a_note(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "SHOWN_ROWS", 2000)
    html = page_of(tmp_path, Section("t", "T", "C", "t.csv", table=pl.DataFrame({"n": range(2001)})))
    assert html.count("<td") + "".join(unpacked(html)).count("<td") == 2000
    assert "The page has 2,000 of 2,001 rows." in html
    assert "The page has" not in page_of(tmp_path, Section("t", "T", "C", "t.csv", table=TABLE))


def test_a_number_is_sorted_by_more_digits_than_it_shows(tmp_path):
    table = pl.DataFrame({"v": [0.12345678, 0.5, 3.0, None, 1234567.0]})
    html = page_of(tmp_path, Section("t", "T", "C", "t.csv", table=table))
    cells = re.findall(r"<td[^>]*?(?: data-value=\"([^\"]*)\")?>([^<]*)</td>", html)
    assert cells == [("0.1235", "0.123"), ("0.5", "0.500"), ("", "3"), ("", "–"), ("1.235e+06", "1,234,567")]


def test_a_page_that_cannot_be_rendered_leaves_none(tmp_path):
    template = tmp_path / "broken.j2"
    template.write_text("{{ nothing_of_the_kind }}")
    with pytest.raises(Exception, match="nothing_of_the_kind"):
        write("t", "l", [], template, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


OWN_UNITS = {"own_units": "as in own_units; AuDC (`audc_printed`)"}


def test_names_of_columns_have_blanks_and_codes_keep_their_underscores(tmp_path):
    write("T", "", [], TEMPLATE, tmp_path / "r.html", around=Around(columns=OWN_UNITS))
    html = (tmp_path / "r.html").read_text()
    assert "<dt>own units</dt><dd>as in own units; AuDC (<code>audc_printed</code>)</dd>" in html


def test_tokens_and_codes_are_readable_but_not_in_what_was_sent(tmp_path):
    table = pl.DataFrame(
        {"second": ["##inator"], "lost": ["soundness HYP, n"], "text": ["##inator HYP"], "v": ["HYP, k = 5"]}
    )
    html = page_of(tmp_path, Section("t", "T", "C", "t.csv", table=table, code_names={"HYP": "hypernymy"}))
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", html)
    assert cells == ["-inator", "soundness hypernymy, n", "##inator HYP", "hypernymy, k = 5"]


def test_figures_and_pages_have_one_type(tmp_path):
    html = page_of(tmp_path, Section("sound", "S", "C", "t.csv", svg=drawing(tmp_path)))
    assert re.findall(r"font-family: [^;]*;", html) == []  # a figure has the font of its page


@pytest.mark.parametrize("template", sorted(TEMPLATE.parent.glob("*.html.j2")), ids=lambda path: path.name)
def test_a_page_may_load_nothing_from_elsewhere(template):
    """What a user's word or a server's answer brings into a page can fetch nothing and send nothing."""
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', template.read_text("utf-8"))
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules["default-src"] == "'none'"
    assert not {source for sources in rules.values() for source in sources.split()} & {"*", "http:", "https:"}


def test_what_stands_in_a_cell_is_no_end_of_the_packed_rows(tmp_path):
    words = ["a\fb", "<!---->", "</script><b>", "“é”", "]", "x"] * 11
    table = pl.DataFrame({"word": words})
    html = page_of(tmp_path, Section("a", "A", "C", "t.csv", table=table), numbers(51))
    word_table, number_table = unpacked(html)
    found = [unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", word_table, re.DOTALL)]
    assert found == words[report.FIRST_ROWS :]
    assert number_table.count("<td") == 41


def test_the_rows_that_a_page_shows_are_the_first_ones(monkeypatch):
    monkeypatch.setattr(report, "SHOWN_ROWS", 2)
    section = Section("t", "T", "C", "t.csv", table=pl.DataFrame({"n": [1.5, 2.5, 3.5]}), decimals=[1, 2, 3])
    assert [[text for *_, text, _ in row] for row in report.rows(section)] == [["1.5"], ["2.50"]]
    bare = Section("t", "T", "C", "t.csv", table=pl.DataFrame({"n": [1.5, None], "p": [1e-17, 0.0]}))
    assert [[text for *_, text, _ in row] for row in report.rows(bare)] == [["1.500", "1.0e−17"], ["–", "0"]]


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (1e-12, "v", "1.0e−12"),
        (9e-13, "v", "0"),
        (-9e-13, "p_holm", "−9.0e−13"),
        (0.0, "p", "0"),
        (9e14, "v", "900,000,000,000,000"),
        (1e15, "v", "1000000000000000.000"),
        (0.00049, "v", "4.9e−04"),
    ],
)
def test_a_number_has_the_digits_that_its_size_wants(value, column, text):
    assert cell(value, column) == text


def test_styles_that_stand_there_seldom_stay_where_they_are():
    once = '<head></head><svg><g style="fill: red"/></svg>'
    assert with_classes(once) == once
    often = "<head></head><svg>" + '<g style="a"/>' * FEWEST + '</svg><svg><g style="b"/></svg>'
    html = with_classes(often)
    assert html.count('class="f0"') == FEWEST
    assert html.count('style="b"') == 1
    assert html.startswith("<head><style>.f0{a}</style></head>")
