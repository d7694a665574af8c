"""The page of a study, from what it declares."""

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from relprobe.command.events import PAGE
from relprobe.command.results import lines
from relprobe.core.errors import DataError
from relprobe.core.files import read_json
from relprobe.core.unmade import UnmadeTable
from relprobe.paper.methods import result_in_words
from relprobe.report import study
from relprobe.report.cards import card
from relprobe.report.exhibits import NO_VALUE, Figure, Page, Table
from relprobe.report.figures import nothing_to_draw, save
from relprobe.report.page import FAILED, Section, figure, run_line
from relprobe.report.page_words import PageWords
from relprobe.report.study import Files, Settings, columns_of, sections
from relprobe.report.words.finding import Finding
from relprobe.report.words.headline import Headline
from relprobe.report.words.readable import PIECES

from tests.command.events import finished, run_of, started
from tests.paths import TEMPLATE

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
SHOWN = (
    Table("overview", "All agents", "The means.", columns={"value": "the median"}),
    Figure("bars", "Bars", "The longer, the better.", values="overview"),
    Table("empty", "Nothing", "No rows."),
    Table("tests", "Tests", "All pairs.", part="Tests", without={"people": "Nobody answered."}),
    Table("people", "People", "Their answers.", needs=("people",)),
)
TABLES = {
    "overview": pl.DataFrame({"agent": ["m"], "value": [0.5]}),
    "empty": pl.DataFrame({"agent": []}),
    "tests": pl.DataFrame({"agent": ["m"], "value": [0.25], "own": [1]}),
}
PAGES = PageWords(
    words=lambda name, tables: f"{name}: {tables['overview']['value'][0]}",
    headline=lambda tables, models: Headline((f"{len(tables)} tables of {models[0]}.",), warning="Look at m."),
    finding=lambda tables, models: Finding((f"{models[0]} is best of {len(tables)} tables.",), "p = 0.01."),
    names={"audc": "AuDC"},
    code_names=lambda tables: {"m": "model M"},
    addresses={"tests": lambda row, column: "answers.html"},
)
LACKS = {"people": "answers of people"}, {"people": "Nobody has answered here."}
ABOUT = Page("What is it?", "Lead.", SHOWN, {"own": "the study's"}, *LACKS, front=("lines", "bars"))


def page(tables, figures, out, card, **settings):
    study.page(Files(tables, figures, TEMPLATE), Settings(**{"study": "s", "models": ["m"], **settings}), out, card)


@pytest.fixture
def bars(tmp_path):
    path = tmp_path / "bars.svg"
    path.write_text(SVG)
    return path


def test_sections_stand_in_the_order_of_the_document_without_tables_without_rows(bars):
    overview, drawn, tests = sections(SHOWN, TABLES, {"bars": figure(bars)}, PAGES)
    assert [one.id for one in (overview, drawn, tests)] == ["table-overview", "bars", "table-tests"]
    assert (drawn.title, drawn.caption, drawn.data) == ("Bars", "The longer, the better.", "tables/overview.csv")
    assert drawn.words == "bars: 0.5"
    assert (tests.part, tests.data, tests.address({}, "value")) == ("Tests", "tables/tests.csv", "answers.html")


def test_a_figure_or_table_that_a_run_lacks_is_left_out():
    assert [one.id for one in sections(SHOWN, {"tests": TABLES["tests"]}, {}, PAGES)] == ["table-tests"]


def test_a_figure_of_all_studies_has_no_words_of_the_study(bars):
    """A study says the values of its own figures, and might say them of any other, too."""
    (shared,) = sections([replace(SHOWN[1], step="ledger")], TABLES, {"bars": figure(bars)}, PAGES)
    assert (shared.id, shared.words) == ("bars", "")


EMPTY_FIGURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g id="nothing-to-draw"><text>No agent's \
value.</text></g></svg>"""


def test_what_has_no_value_is_left_out_and_listed_with_its_reason(tables, bars, tmp_path, monkeypatch):
    """A figure without values says itself why, a table by its document, and what the run lacks by its name."""
    bars.write_text(EMPTY_FIGURE)
    out, card = tmp_path / "r.html", tmp_path / "card.json"
    uses = {
        "agent": ["m", "n"],
        "n": 0,
        "use": pl.Series([None, None], dtype=pl.Float64),
        "note": "no target is asked twice",
    }
    monkeypatch.setattr(study, "page_of", lambda name: replace(ABOUT, exhibits=(*SHOWN, Table("uses", "Uses", "How."))))
    some = {**tables, "uses": pl.DataFrame(uses)}
    page(some, [bars], out, card, has={"people": False})
    html = out.read_text()
    end = html[html.index('<details class="part" id="not-here">') :].partition("</details>")[0]
    assert "<dt>Bars</dt><dd>No agent's value.</dd>" in end
    assert f"<dt>Nothing</dt><dd>{NO_VALUE}</dd>" in end
    assert "<dt>People</dt><dd>It needs answers of people.</dd>" in end
    assert "<dt>Uses</dt><dd>No target is asked twice.</dd>" in end
    assert end.count("<dt>") == 4
    assert 'id="table-uses"' not in html
    assert 'id="bars"' not in html
    assert read_json(card)["figure"] is None


def test_what_nothing_to_draw_says_is_the_reason(tmp_path):
    save(nothing_to_draw("No agent's value < 1."), tmp_path / "none.svg")
    assert figure(tmp_path / "none.svg").absence == "No agent's value < 1."
    assert 'id="not-here"' not in (tmp_path / "none.svg").read_text()
    assert not figure(tmp_path / "none.svg").failed
    save(nothing_to_draw("No memory.", FAILED), tmp_path / "failed.svg")
    drawing = figure(tmp_path / "failed.svg")
    assert (drawing.absence, drawing.failed) == ("No memory.", True)


@pytest.mark.parametrize("run", ["Sounds of animals", ""])
def test_every_page_says_its_run_and_the_day(tables, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "r.html"
    page(tables, [], out, tmp_path / "c.json", has={"people": True}, run=run)
    name, day = run_line(run)
    assert name == (run or tmp_path.name)
    assert re.fullmatch(r"\d{1,2} [A-Z][a-z]+ 20\d\d", day)
    assert f"<title>{name}: What is it? ({day})</title>" in out.read_text()
    assert f'<p class="run">{name} · {day}</p>' in out.read_text()


def test_the_columns_of_tables_with_rows_have_meanings():
    assert columns_of(SHOWN, TABLES, ABOUT) == {
        "agent": "who answers: a model as it is asked, a person, or a control",
        "own": "the study's",
        "value": "the mean over the units; in “All agents”: the median",
    }


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.setattr(study, "page_of", lambda name: ABOUT)
    monkeypatch.setattr(study, "words_of", lambda name: PAGES)
    return TABLES


def test_a_page_ends_with_the_columns_of_its_tables(tables, bars, tmp_path):
    out = tmp_path / "study/report.html"
    page(tables, [bars], out, tmp_path / "study/card.json", has={"people": False})
    html = out.read_text()
    assert '<h1 id="top">What is it?</h1>' in html
    assert "3 tables of m." in html
    assert "<p>All pairs.</p>" in html
    assert "<summary>More on this table</summary><p>Nobody answered.</p>" in html
    end = html[html.index('<details class="part" id="columns">') :]
    assert "<dt>own</dt><dd>the study's</dd>" in end
    assert "<section" not in end


@pytest.mark.parametrize("people", [True, False])
def test_what_the_run_lacks_and_a_warning_stand_below_the_finding(tables, tmp_path, people):
    out = tmp_path / "study/report.html"
    page(tables, [], out, tmp_path / "study/card.json", has={"people": people})
    before, _, behind = out.read_text().partition('<p class="summary">')
    assert "Nobody has answered here." not in before
    assert ("Nobody has answered here." in behind.partition("<main")[0]) is not people
    assert behind.index("m is best of 3 tables.") < behind.index("Look at m.") < behind.index("<main")


def test_a_first_page_says_what_is_still_computed(tables, bars, tmp_path, monkeypatch):
    """It names the titles of what later steps make, and leads to the page that has them."""
    late = Table("depth", "Depth", "By layer.", step="series")
    monkeypatch.setattr(study, "page_of", lambda name: replace(ABOUT, exhibits=(*SHOWN, late)))
    out, card = tmp_path / "study/first.html", tmp_path / "study/first.json"
    page(tables, [bars], out, card, has={"people": True}, late=["series"])
    html = out.read_text()
    assert read_json(card)["notice"] == study.STILL
    assert study.STILL in html.partition("<main>")[0]
    assert f"<dt>Depth</dt><dd>{study.AWAITED}</dd>" in html
    assert f'<a href="report.html">{study.WHOLE}</a>' in html
    everything = {**tables, "depth": tables["tests"]}
    page(everything, [bars], out, card, has={"people": True})
    html = out.read_text()
    assert study.STILL not in html
    assert study.AWAITED not in html
    assert 'id="table-depth"' in html


def test_a_file_without_a_section_is_refused(tables, tmp_path):
    with pytest.raises(
        DataError, match=r"the page of s has no table or figure other: add a section to studies/s/page\.md\."
    ):
        page(
            tables,
            [Path("other.svg")],
            tmp_path / "x.html",
            tmp_path / "card.json",
            has={"people": True},
        )


def test_a_page_leaves_a_card_for_the_front_page(tables, bars, tmp_path):
    page(
        tables,
        [bars],
        tmp_path / "r.html",
        tmp_path / "card.json",
        has={"people": False},
    )
    assert read_json(tmp_path / "card.json") == {
        "finding": "m is best of 3 tables.",
        "statistics": "p = 0.01.",
        "unmade": [],
        "undrawn": [],
        "notice": "Nobody has answered here.",
        "names": {"audc": "AuDC", "m": "model M"},
        "figure": "bars",  # there is no figure "lines"
        "words": "bars: 0.5",
        "answers": False,
    }


def test_codes_are_spelled_out_in_tables_and_columns_have_their_meaning_on_hover(tables, tmp_path):
    out = tmp_path / "r.html"
    page(tables, [], out, tmp_path / "card.json", has={"people": True})
    html = out.read_text()
    assert '<td class="word">model M</td>' in html
    assert '<td class="word">m</td>' not in html
    assert 'title="the median">value</button>' in html
    assert 'title="the study&#39;s">own</button>' in html  # which the page of the study says, and no table
    assert "model M (<code>m</code>)" in html
    assert "audc" not in html  # a code that the tables do not have


def test_a_table_with_pieces_of_words_says_what_they_are():
    rows = [("##ing", "x"), ("bird", "##y")]
    tables = {"overview": pl.DataFrame(rows, schema=["top_1", "text"], orient="row"), "tests": TABLES["tests"]}
    pieces, others = sections(SHOWN, tables, {}, PAGES)
    assert (pieces.caption, pieces.more) == ("The means.", PIECES)
    assert (others.caption, others.more) == ("All pairs.", "")
    (sent,) = sections(SHOWN, {"overview": tables["overview"].select("text")}, {}, PAGES)
    assert (sent.caption, sent.more) == ("The means.", "")


def test_a_study_may_have_no_codes(tables, tmp_path, monkeypatch):
    few = replace(PAGES, names={}, code_names=None)
    monkeypatch.setattr(study, "words_of", lambda name: few)
    page(tables, [], tmp_path / "r.html", tmp_path / "c.json", has={"people": True})
    assert "<dt>codes</dt>" not in (tmp_path / "r.html").read_text()


def test_page_card_terminal_and_paper_say_one_finding(tables, tmp_path):
    """Its sentences in all of them, the numbers of its test on the page and in a paper."""
    folder = tmp_path / "relations"
    page(
        tables,
        [],
        folder / "report.html",
        folder / "card.json",
        has={"people": True},
    )
    finding = PAGES.finding(TABLES, ["m"])
    html = (folder / "report.html").read_text()
    assert html.index(finding.text) < html.index(finding.statistics) < html.index("<main")
    assert card(folder / "card.json").caption == finding.text
    made = run_of(started(1, PAGE, wildcards={"study": "relations"}), finished(1))
    assert f"relations: {finding.text}" in lines(made, tmp_path)
    assert result_in_words(read_json(folder / "card.json")) == f"{finding.text} {finding.statistics}"


@pytest.mark.parametrize(
    ("rows", "row", "tested"),
    [
        (3, {"agent": "m2", "metric": "ap", "p": 0.5}, 2),  # what no table has is no part of the address
        (3, {"agent": "m0"}, 0),
        (3, {"agent": "m9"}, None),
        (3, {"metric": "ap"}, None),  # of three rows
        (3, {"p": 0.5}, None),
        (3, {}, None),
        (50, {"agent": "m49"}, 49),
        (51, {"agent": "m49"}, None),  # folded away: ten rows are shown at once
        (51, {"agent": "m9"}, 9),
        (51, {"agent": "m10"}, None),
    ],
)
def test_the_test_behind_a_finding_has_an_address_where_its_row_is_shown_at_once(rows, row, tested):
    table = pl.DataFrame({"agent": [f"m{number}" for number in range(rows)], "metric": "ap", "p": 0.5})
    assert study.with_test(Section("tests", "Tests", "", None, table=table), row).tested == tested


def test_a_missing_part_of_the_address_is_that_of_the_row_without_it():
    table = pl.DataFrame({"agent": ["m", "m"], "relation": ["HYP", None]})
    section = Section("tests", "Tests", "", None, table=table)
    assert study.with_test(section, {"agent": "m", "relation": None}).tested == 1


def test_a_table_of_notes_alone_has_no_values():
    """Numbers that are all missing beside a note; without a note, or without numbers, rows are values."""
    rows = {"agent": ["m", "n"], "value": [None, None], "note": ["because", None]}
    notes = pl.DataFrame(rows, schema_overrides={"value": float})
    exhibit = Table("t", "T", "A table.", empty="Nothing is here.")
    for table, has in (
        (notes, False),
        (notes.with_columns(value=pl.Series([None, 0.5])), True),
        (notes.drop("note"), True),
        (notes.drop("value"), True),
        (notes.clear(), False),
    ):
        reasons = study.missing_values([exhibit], {"t": table}, {})
        assert (reasons == {}) is has
    assert study.missing_values([exhibit], {"t": notes}, {}) == {"T": "Because."}
    assert study.missing_values([exhibit], {"t": notes.clear()}, {}) == {"T": "Nothing is here."}
    assert study.missing_values([exhibit], {}, {}) == {"T": "Nothing is here."}
    assert study.missing_values([replace(exhibit, on_page=False)], {}, {}) == {}
    several = pl.DataFrame({"value": [None] * 4, "note": ["a", "b", "a", "c"]}, schema_overrides={"value": float})
    assert study.missing_values([exhibit], {"t": several}, {}) == {"T": "A; b."}


def test_a_page_without_a_finding_begins_with_its_headline(tables, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "words_of", lambda name: replace(PAGES, finding=None))
    page(tables, [], tmp_path / "r.html", tmp_path / "c.json", has={"people": True})
    assert read_json(tmp_path / "c.json")["finding"] == "3 tables of m."
    monkeypatch.setattr(study, "words_of", lambda name: PAGES)
    page(tables, [], tmp_path / "r.html", tmp_path / "c.json", has={"people": True})
    assert read_json(tmp_path / "c.json")["finding"] == "m is best of 3 tables."
    assert read_json(tmp_path / "c.json")["statistics"] == "p = 0.01."
    assert "3 tables of m." in (tmp_path / "r.html").read_text()


CONTROL_ROW = {"agent": "m", "difference": 0.01, "error": 0.01, "freedom": 40.0, "value": 0.5}


def test_what_a_run_has_of_a_page_is_sorted_into_shown_awaited_and_left_out(tables, bars, monkeypatch):
    """The tables of controls alone say what is as good as equal, by the margin of the run."""
    late = Table("depth", "Depth", "By layer.", step="series", on_page=False)
    later = Table("width", "Width", "By layer.", step="series")
    controls = Table("controls", "Controls", "Beside them.")
    about = replace(ABOUT, exhibits=(*SHOWN, controls, late, later))
    monkeypatch.setattr(study, "page_of", lambda name: about)
    given = {**tables, "controls": pl.DataFrame([CONTROL_ROW]), "tests": pl.DataFrame([CONTROL_ROW])}
    settings = Settings(
        "s", {"people": False}, missing={"n": "n failed.", "o": "o failed."}, margin=0.25, late=["series"]
    )
    content = study.content_of(Files(given, [bars], TEMPLATE), settings)
    assert content.notice == f"n failed. o failed. Nobody has answered here. {study.STILL}"
    assert [exhibit.name for exhibit in content.shown] == ["overview", "bars", "empty", "tests", "controls"]
    assert [exhibit.name for exhibit in content.awaited] == ["depth", "width"]
    assert content.tables["controls"]["margin"].to_list() == [0.25]
    assert content.tables["controls"]["p_equal"].item() < 0.001
    assert content.tables["tests"].columns == list(CONTROL_ROW)
    assert study._left_out(content) == {
        "Nothing": NO_VALUE,
        "People": "It needs answers of people.",
        "Width": study.AWAITED,  # what is not on the page is not awaited there
    }
    links = study._links(Path("answers.html"), settings, content)
    assert links["Answers of every agent"] == "answers.html"
    assert links[study.WHOLE] == "report.html"
    assert not [address for address in links.values() if "published" in address]
    paper_links = study._links(None, replace(settings, has={"paper": True}), replace(content, awaited=[]))
    assert [address for address in paper_links.values() if "published" in address]
    assert {*links.values()} - {"answers.html", "report.html"} < {*paper_links.values()}
    assert not {"answers.html", "report.html"} & {*paper_links.values()}


def test_the_card_has_the_first_figure_of_the_front_that_is_drawn(tables, bars):
    content = study.content_of(Files(tables, [bars], TEMPLATE), Settings("s", {"people": True}, ["m"]))
    parts = sections(content.shown, content.tables, content.figures, content.words)
    assert [part.id for part in parts] == ["table-overview", "bars", "table-tests"]
    headline = Headline(("One.", "Two."), statistics="p = 1.")
    said = study._card(content, headline, parts)
    assert (said["finding"], said["statistics"]) == ("One. Two.", "p = 1.")
    assert (said["figure"], said["words"], said["undrawn"], said["unmade"]) == ("bars", "bars: 0.5", [], [])
    # A table of the name of a figure is none.
    table = replace(parts[0], id="lines")
    assert study._card(content, headline, [table, *parts[1:]])["figure"] == "bars"
    nothing = study._card(content, headline, [table])
    assert (nothing["figure"], nothing["words"]) == (None, "")


def test_a_figure_without_a_file_and_a_table_of_its_name_are_told_apart(bars):
    both = [
        Figure("bars", "Bars", "Long.", values="overview"),
        Figure("overview", "Lines", "Lines.", values="overview"),
    ]
    parts = sections([*both, Table("bars", "Bars in numbers", "Numbers.")], TABLES, {"bars": figure(bars)}, PAGES)
    assert [(part.id, part.svg is None) for part in parts] == [("bars", False)]


def test_the_row_of_the_finding_has_its_address_in_the_table_of_the_primary_test(tables, tmp_path, monkeypatch):
    rows = [CONTROL_ROW | {"agent": agent, "condition": "HYP", "metric": "sound"} for agent in "nm"]
    shown = (*SHOWN, Table("primary", "Primary", "First."), Table("controls", "Controls", "All."))
    monkeypatch.setattr(study, "page_of", lambda name: replace(ABOUT, exhibits=shown))
    finding = Finding(("m is best.",), "p = 0.01.", "m", "m", {"agent": "m", "condition": "HYP", "difference": 0.01})
    monkeypatch.setattr(study, "words_of", lambda name: replace(PAGES, finding=lambda *_: finding))
    run_tables = {**tables, "primary": pl.DataFrame(rows), "controls": pl.DataFrame(rows)}
    page(run_tables, [], tmp_path / "r.html", tmp_path / "c.json", has={"people": True})
    html = (tmp_path / "r.html").read_text()
    assert html.count(f'id="{study.ROW_ID}"') == 1
    assert f'href="#{study.ROW_ID}"' in html
    section = html[html.index('id="table-primary"') : html.index('id="table-controls"')]
    assert f'id="{study.ROW_ID}"' in section
    # Without a row of the finding, the table of the test has the address.
    other = replace(finding, row={"agent": "x", "condition": "HYP"})
    monkeypatch.setattr(study, "words_of", lambda name: replace(PAGES, finding=lambda *_: other))
    page(run_tables, [], tmp_path / "r.html", tmp_path / "c.json", has={"people": True})
    html = (tmp_path / "r.html").read_text()
    assert f'id="{study.ROW_ID}"' not in html
    assert 'href="#table-primary"' in html


def test_what_the_finding_says_is_not_said_again(tables, tmp_path, monkeypatch):
    headline = Headline(("m is best of 3 tables.", "Another."), more=("Further.",))
    monkeypatch.setattr(study, "words_of", lambda name: replace(PAGES, headline=lambda *_: headline))
    page(tables, [], tmp_path / "r.html", tmp_path / "c.json", has={"people": True})
    html = (tmp_path / "r.html").read_text()
    assert html.count("m is best of 3 tables.") == 1
    assert html.index("Another.") < html.index("Further.")


def test_what_a_page_says_of_a_table_that_could_not_be_made_is_a_sentence_on_that():
    """The other words of the page are said; a figure without words has none, and codes keep those names that are known."""
    lost = {"tests": UnmadeTable("tests", "This table could not be made (ValueError: no rater).")}

    def test_words(*about):
        return next(tables["tests"].height for tables in about if isinstance(tables, dict))

    words = replace(PAGES, headline=test_words, words=test_words, code_names=test_words)
    head = study._headline(words, lost, ["m"])
    assert head == Headline((f"{study.UNSAID}, as the table tests could not be made: ValueError: no rater.",))
    assert study._words(words, "bars", lost) == ""
    assert study.code_names(words, lost) == {"audc": "AuDC"}
    assert study.code_names(PAGES, lost) == {"audc": "AuDC", "m": "model M"}
    assert study._words(PAGES, "bars", TABLES) == "bars: 0.5"
