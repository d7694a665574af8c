"""The pages in a headless Firefox: what `test_browser.py` presses in Chromium, in short."""

import time

import polars as pl
import pytest
from relprobe.report import answers as answers_page
from relprobe.report.page import Section, write

from tests.facts import WHOLE as STUDIES
from tests.paths import ANSWERS_TEMPLATE, TEMPLATE
from tests.report import test_answers as hand_made
from tests.workflow import firefox as browser
from tests.workflow.test_browser import figure_page

DOWN, ENTER = "\ue015", "\ue007"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    """One headless browser for all tests here."""
    executable = browser.installed()
    if executable is None:
        pytest.skip(f"no Firefox on this machine ({', '.join(browser.NAMES)})")
    opened = browser.Firefox(executable, tmp_path_factory.mktemp("firefox"))
    yield opened
    opened.close()


@pytest.fixture
def answers(firefox, tmp_path):
    """An answers page of three probes, a model and people."""
    agents = [hand_made.agent("m", hand_made.MODEL), hand_made.agent("people", hand_made.PEOPLE, people=True)]
    data = answers_page.pack(answers_page.sample(hand_made.STUDY, 2), hand_made.RELATA, agents)
    answers_page.write(answers_page.Texts("Answers", "Lead"), data, ANSWERS_TEMPLATE, tmp_path / "answers.html", {})
    firefox.open((tmp_path / "answers.html").as_uri())
    firefox.wait("document.documentElement.dataset.ready === 'yes'")
    return firefox


def texts(firefox, selector):
    return firefox.run(
        "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.innerText)",
        selector,
    )


def shows(firefox, selector, expected, seconds=20):
    """Wait until the texts are as expected: keys reach a page after they have been sent."""
    end = time.monotonic() + seconds
    while (found := texts(firefox, selector)) != expected:
        assert time.monotonic() < end, f"{selector} shows {found}, not {expected}"
        time.sleep(0.05)


def test_answers_are_filtered_searched_and_read_back_from_the_address(answers):
    answers.select("[name=group]", "HYP")
    answers.select("[name=show]", "none")
    shows(answers, "#count", ["1 of 3 probes"])
    shows(answers, "#probe h2", ["an owl is a …"])
    answers.select("[name=show]", "all")
    answers.type("[name=target]", "rob")
    shows(answers, "#probe td.right", ["bird25 %", "bird33 %"])
    address = answers.run("return location.href")
    assert "group=HYP" in address
    answers.open("about:blank")
    answers.open(address)
    answers.wait("document.documentElement.dataset.ready === 'yes'")
    shows(answers, "#count", ["1 of 3 probes"])
    shows(answers, "#probe h2", ["a robin is a …"])


def test_answers_are_read_by_keyboard_and_downloaded(answers):
    answers.type("#list", DOWN)
    shows(answers, "#probe h2", ["a robin is a …"])
    answers.select("[name=group]", "MER")
    answers.click("#save")
    file = answers.downloads / "answers.csv"
    end = time.monotonic() + 10
    while not (file.is_file() and file.stat().st_size):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert file.read_text().splitlines()[1] == "MER,robin,a robin has a …,m,1,wing,1.00,MER"


def test_a_choice_of_agents_and_a_link_into_a_folded_part(firefox, tmp_path):
    page = figure_page(tmp_path, ["a", "b", "c"])
    firefox.open(page.as_uri())
    firefox.click(".agents summary")
    firefox.click(".agents input[value=b]")
    shows(firefox, ".agents summary", ["Agents shown: 2 of 3"])
    faded = firefox.run("return [...document.querySelectorAll('[data-agent].off')].map(e => e.dataset.agent)")
    assert set(faded) == {"b"}
    firefox.open(f"{page.as_uri()}#table-t")
    firefox.wait("document.querySelector('#table-t').checkVisibility()")


def test_a_marker_leads_to_the_answers(firefox, tmp_path):
    page = figure_page(tmp_path, ["a", "b"])
    (tmp_path / "answers.html").write_text("<h1>Answers</h1>")
    firefox.open(page.as_uri())
    firefox.run("document.querySelector('[data-agent=b] a').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    firefox.wait("document.querySelector('h1')?.innerText === 'Answers'")
    assert firefox.run("return location.hash") == "#a=b"


def test_a_table_is_sorted_and_searched_by_keyboard(firefox, tmp_path):
    rows = pl.DataFrame({"agent": [f"m-{i}" for i in range(30)], "value": [float(i % 7) for i in range(30)]})
    write("Title", "Lead", [Section("t", "T", "C", "t.csv", table=rows)], TEMPLATE, tmp_path / "report.html")
    firefox.open((tmp_path / "report.html").as_uri())
    firefox.type("th:nth-child(2) button", ENTER)
    firefox.type("th:nth-child(2) button", ENTER)
    shows(firefox, "tbody tr:nth-child(-n+5) td:nth-child(2)", ["6.000", "6.000", "6.000", "6.000", "5.000"])
    firefox.type(".find input", "m-2 6.0")
    shows(firefox, "tbody td:nth-child(1)", ["m-20", "m-27"])


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("width", [600, 1200, 1920])
def test_the_pages_of_a_run_are_not_wider_than_the_window(firefox, finished, study, width):
    firefox.open((finished.folder / f"results/{study}/report.html").as_uri(), width)
    assert firefox.run("return document.documentElement.scrollWidth") <= width
    assert len(texts(firefox, "figure text")) > 10
    answers = finished.folder / f"results/{study}/answers.html"
    if answers.is_file():
        firefox.open(answers.as_uri(), width)
        firefox.wait("document.documentElement.dataset.ready === 'yes'")
        assert firefox.run("return document.documentElement.scrollWidth") <= width
        assert texts(firefox, "#probe td")
