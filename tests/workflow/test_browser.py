"""The report as a reader meets it, in a headless Chromium."""

import functools
import itertools
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import matplotlib.pyplot as plt
import polars as pl
import pytest
from playwright.sync_api import sync_playwright
from relprobe.report import answers as answers_page
from relprobe.report.agent_styles import agent_styles
from relprobe.report.figures import dots, save
from relprobe.report.page import Around, Section, write
from relprobe.report.page import figure as figure_of
from relprobe.report.words.headline import VERDICTS, Headline

from tests.facts import WHOLE as STUDIES
from tests.facts import with_answers
from tests.paths import ANSWERS_TEMPLATE, TEMPLATE
from tests.report import test_answers as hand_made
from tests.workflow import browser
from tests.workflow.browser import Visit, wait_until

REPORTS = [f"{study}/report.html" for study in STUDIES]
PAGES = ["report.html", "published.html", *REPORTS]
WITH_ANSWERS = with_answers()
TABLE = pl.DataFrame(
    {
        "agent": ["gpt2-10", "bert", "gpt2-9", "ärger", "albert"],
        "value": [0.5, None, -0.25, 1e-7, 10.0],
        "units": [900, 1000, 80, None, 7],
        "significant": [True, False, None, True, False],
    }
)


@pytest.fixture(scope="module")
def chromium():
    """One headless browser for all tests here."""
    executable = browser.installed()
    if executable is None:
        pytest.skip(f"no Chromium on this machine ({', '.join(browser.NAMES)})")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=browser.FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def reading(chromium, finished):
    """Open a page of the study, 1,400 pixels wide, for tests that only read it; each page is opened once."""
    with ExitStack() as visits:

        @functools.cache
        def opened(name):
            return visits.enter_context(Visit(chromium, finished.folder / "results" / name))

        yield opened


@pytest.fixture
def table(chromium, tmp_path):
    """A page with a hand-made table."""
    parts = [Section("t", "T", "C", "t.csv", table=TABLE)]
    write("Title", "Lead", parts, TEMPLATE, tmp_path / "study/report.html")
    with Visit(chromium, tmp_path / "study/report.html") as visit:
        yield visit


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_a_word_on_the_console_and_loads_nothing_else(reading, finished, name):
    visit = reading(name)
    assert visit.said == []
    assert [url for url in visit.requested if not url.startswith("data:")] == [(finished.results / name).as_uri()]
    assert visit.page.locator("h1").inner_text()


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_file_or_a_section(reading, name):
    links = reading(name).page.evaluate(
        "() => [...document.querySelectorAll('a')].map(a => new URL(a.href.baseVal ?? a.href, document.baseURI).href)"
    )
    assert len(links) > len(PAGES)
    text_of = functools.cache(Path.read_text)
    for link in dict.fromkeys(links):
        url = urlsplit(link)
        file = Path(unquote(url.path))
        assert url.scheme == "file", link
        assert file.is_file(), link
        if url.fragment and "=" not in url.fragment:  # else it is a view of an answers page
            assert f'id="{url.fragment}"' in text_of(file), link


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_not_wider_than_the_window(chromium, finished, name):
    """It is opened on a phone, which is then turned, and then becomes a screen."""
    with Visit(chromium, finished.results / name, 400) as visit:
        for width in (400, 1000, 1400):
            visit.page.set_viewport_size({"width": width, "height": 1000})
            assert visit.page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_every_column_of_a_table_says_on_hover_and_in_a_list_what_it_means(reading, name):
    heads = reading(name).page.locator("th button")
    assert heads.count() > 0
    assert heads.evaluate_all("all => all.filter(head => !head.title).map(head => head.textContent)") == []
    assert reading(name).page.locator("dl.columns dt").count() > 0


@pytest.mark.parametrize("width", [400, 800])
def test_a_small_window_scrolls_a_figure_and_does_not_make_its_text_smaller(chromium, finished, width):
    with Visit(chromium, finished.results / "definitions/report.html", width) as visit:
        sizes = visit.page.locator("figure svg").evaluate_all(
            "all => all.map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
        )
        assert sizes == pytest.approx([4 / 3] * len(sizes), rel=0.01)  # pixels a point


def test_an_edge_fades_as_long_as_there_is_more_to_scroll_to(chromium, finished):
    with Visit(chromium, finished.results / "relations/report.html", 400) as visit:
        wide = ".scroll.more-right:has(svg)"
        visit.page.wait_for_selector(wide)
        box = visit.page.locator(wide).first.element_handle()
        box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
        wait_until(visit.page, "box => !box.classList.contains('more-right')", box)
        visit.page.set_viewport_size({"width": 1400, "height": 1000})
        wait_until(visit.page, f"() => !document.querySelector('{wide}')")


@pytest.mark.parametrize("study", REPORTS)
def test_every_figure_is_to_be_seen_with_its_caption_and_its_values_in_words(reading, finished, study):
    page = reading(study).page
    drawn = {path.stem for path in (finished.results / study).with_name("figures").glob("*.svg")}
    assert set(page.locator("section:has(figure)").evaluate_all("all => all.map(s => s.id)")) == drawn
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for name in drawn:
        box = page.locator(f"#{name} figure svg").bounding_box()
        assert box["width"] > 200, name
        assert box["height"] > 50, name
        assert box["x"] + box["width"] <= 1400, name
        assert len(page.locator(f"#{name} figcaption").inner_text()) > 40, name
        described = page.locator(f"#{name} figure svg").get_attribute("aria-describedby")
        assert page.locator(f"#{described}").text_content(), name


@pytest.mark.parametrize("study", REPORTS)
def test_the_text_of_figures_is_large_enough_and_within_them(reading, study):
    texts = reading(study).texts_of_figures()
    assert len(texts) > 50
    assert [text for text in texts if text["size"] < 9] == []
    outside = [
        (text["figure"], text["said"])
        for text in texts
        if any(text["own"][i] < text["all"][i] - 1 for i in (0, 1))
        or any(text["own"][i] > text["all"][i] + 1 for i in (2, 3))
    ]
    assert outside == []


@pytest.mark.parametrize("study", REPORTS)
def test_no_text_of_a_figure_lies_on_another(reading, study):
    for name, figure_texts in itertools.groupby(reading(study).texts_of_figures(), key=lambda text: text["figure"]):
        for one, other in itertools.combinations(figure_texts, 2):
            apart = one["angle"] == other["angle"] and not over(one["turned"], other["turned"])
            assert apart or not over(one["own"], other["own"]), f"{name}: {one['said']} on {other['said']}"


def over(one, other):
    """Whether two boxes share more than a border of two pixels."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 2 and down > 2


@pytest.mark.parametrize(
    ("column", "ascending", "descending"),
    [
        # By hand: numbers by value, not by their digits; the missing value last both ways; equal values stay in order.
        (1, ["−0.250", "1.0e−07", "0.500", "10", "–"], ["10", "0.500", "1.0e−07", "−0.250", "–"]),
        (2, ["7", "80", "900", "1,000", "–"], ["1,000", "900", "80", "7", "–"]),
        # Words as in a dictionary, numbers within them by value.
        (
            0,
            ["albert", "ärger", "bert", "gpt2-9", "gpt2-10"],
            ["gpt2-10", "gpt2-9", "bert", "ärger", "albert"],
        ),
        (3, ["no", "no", "yes", "yes", "–"], ["yes", "yes", "no", "no", "–"]),
    ],
)
def test_a_click_on_a_columns_head_sorts_by_it_and_a_second_one_the_other_way(table, column, ascending, descending):
    head = table.page.locator("th button").nth(column)
    assert table.order() == ""
    head.click()
    assert (table.column(column), table.order()) == (ascending, f"{TABLE.columns[column]} ascending")
    head.click()
    assert (table.column(column), table.order()) == (descending, f"{TABLE.columns[column]} descending")
    head.click()
    assert table.column(column) == ascending


def test_sorting_by_another_column_forgets_the_first(table):
    for column in (0, 0, 2):
        table.page.locator("th button").nth(column).click()
    assert table.order() == "units ascending"
    assert table.column(0) == ["albert", "gpt2-9", "gpt2-10", "bert", "ärger"]


def test_tables_are_sorted_from_the_keyboard(table):
    table.page.locator(".table").focus()
    table.page.keyboard.press("Tab")
    table.page.keyboard.press("Enter")
    assert table.order() == "agent ascending"
    table.page.keyboard.press("Space")
    assert table.order() == "agent descending"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_shows_the_verdicts_at_once(chromium, tmp_path, scheme):
    """Whatever the lengths of names and conditions are; the numbers behind them are scrolled to."""
    conditions = ["noun", "definition to word, precision at 1, noun"]
    words = ["ahead", "open: too little differs for any p below 0.05"]
    numbers = {
        "value": 0.5,
        "best control": "typical",
        "its value": 0.25,
        "difference": 0.25,
        "95 % interval": "0 to 1",
    }
    names = pl.DataFrame(
        {
            "agent": "smollm2-135m-shots-of-a-long-name",
            "condition": conditions,
            "verdict": words,
            "kind": ["ahead", "open"],
        }
    )
    table = names.with_columns(**{name: pl.lit(value) for name, value in numbers.items()}).select(list(VERDICTS))
    around = Around(headline=Headline(("m is ahead.",), verdicts=table))
    write("Title", "Lead", [], TEMPLATE, tmp_path / "report.html", around=around)
    with Visit(chromium, tmp_path / "report.html", width=390) as visit:
        visit.page.emulate_media(color_scheme=scheme)
        heads = visit.page.locator(".verdicts th").all_inner_texts()
        assert heads == ["agent", "condition", "verdict", *numbers]
        boxes = [cell.bounding_box() for cell in visit.page.locator(".verdicts td:nth-child(3)").all()]
        assert [box["x"] + box["width"] <= 390 - 16 for box in boxes] == [True, True]
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_long_table_is_searched_by_words(chromium, tmp_path):
    rows = pl.DataFrame({"agent": [f"model-{i}" for i in range(150)], "relation": ["HYP", "ANT", "SYN"] * 50})
    write("Title", "Lead", [Section("t", "T", "C", "t.csv", table=rows)], TEMPLATE, tmp_path / "report.html")
    with Visit(chromium, tmp_path / "report.html") as visit:
        visit.page.get_by_label("Show rows with").fill("ant model-14")
        visit.page.get_by_text("3 of 150 rows").wait_for()
        # Of 14, 140 to 149, those whose number leaves 1 when divided by 3.
        assert visit.column(0) == ["model-142", "model-145", "model-148"]
        visit.page.get_by_label("Show rows with").fill("")
        visit.page.get_by_text("150 rows", exact=True).wait_for()
        assert len(visit.column(0)) == 150
        visit.page.emulate_media(media="print")
        assert len(visit.column(0)) == 30
        assert visit.page.get_by_text("Printed: the first 30 of 150 rows").is_visible()


def test_the_other_rows_of_a_long_table_come_when_they_are_asked_for(chromium, tmp_path):
    rows = pl.DataFrame(
        {"agent": [f"model-{i % 75}" for i in range(150)], "value": [(i * 7 % 150) / 1e4 for i in range(150)]}
    )
    sections = [Section(name, name, "C", "t.csv", table=rows) for name in ("one", "two", "three")]
    write("Title", "Lead", sections, TEMPLATE, tmp_path / "report.html")
    with Visit(chromium, tmp_path / "report.html") as visit:
        tables = {name: visit.page.locator(f"#{name} tbody tr") for name in ("one", "two", "three")}
        assert [table.count() for table in tables.values()] == [10, 10, 10]
        visit.page.locator("#one").get_by_role("button", name="Show all 150 rows").click()
        wait_until(visit.page, "document.querySelectorAll('#one tbody tr').length === 150")
        assert visit.page.locator("#one .cut").count() == 0
        # Who sorts sorts all rows, by more digits than are shown; the other tables stay as they are.
        visit.page.locator("#two").get_by_role("button", name="value").click()
        wait_until(visit.page, "document.querySelectorAll('#two tbody tr').length === 150")
        wait_until(visit.page, "document.querySelector('#two th[aria-sort]')")
        shown = [row.split("\t")[0] for row in tables["two"].all_inner_texts()[:3]]
        smallest = rows.sort("value")["agent"].to_list()
        assert shown == smallest[:3]
        assert tables["three"].count() == 10


def test_a_browser_that_cannot_unpack_says_so_and_sorts_what_it_has(chromium, tmp_path):
    rows = pl.DataFrame({"value": [(i * 7 % 150) / 1e4 for i in range(150)]})
    write("Title", "Lead", [Section("t", "T", "C", "t.csv", table=rows)], TEMPLATE, tmp_path / "report.html")
    with Visit(chromium, tmp_path / "report.html") as visit:
        visit.page.add_init_script("delete window.DecompressionStream")
        visit.page.reload()
        visit.page.get_by_role("button", name="value").click()
        visit.page.get_by_text("This browser cannot unpack the other rows").wait_for()
        wait_until(visit.page, "document.querySelector('#t th[aria-sort]')")
        assert visit.column(0) == sorted(visit.column(0))
        assert len(visit.column(0)) == 10


def test_the_report_of_snakemake_shows_figures_with_the_captions_of_the_pages(chromium, snakemake_report):
    with Visit(chromium, snakemake_report) as visit:
        for said in ("Results", "Relations", "Figures"):
            visit.page.get_by_text(said, exact=True).first.click()
        row = visit.page.get_by_role("row").filter(has=visit.page.get_by_text("symmetry", exact=True))
        row.get_by_role("link").nth(1).click()
        visit.page.get_by_text("Symmetry.", exact=True).wait_for()
        assert visit.page.get_by_text("How often the agent answers v to w and w to v").is_visible()
        assert [said for said in visit.said if said[0] == "error"] == []


def test_the_report_of_snakemake_has_the_pages_of_all_studies(snakemake_report):
    text = snakemake_report.read_text(encoding="utf-8")
    pages = [*REPORTS, *(f"{study}/answers.html" for study in WITH_ANSWERS)]
    assert [page for page in pages if f'"results/{page}": {{' not in text] == []


@pytest.fixture
def answers(chromium, tmp_path):
    """An answers page of three probes, a model and people."""
    agents = [
        hand_made.agent("m", hand_made.MODEL, model=True),
        hand_made.agent("people", hand_made.PEOPLE, people=True),
    ]
    data = answers_page.pack(answers_page.sample(hand_made.STUDY, 2), hand_made.RELATA, agents)
    answers_page.write(
        answers_page.Texts("Answers", "Lead"),
        data,
        ANSWERS_TEMPLATE,
        tmp_path / "answers.html",
        {"Study": "report.html"},
    )
    with Visit(chromium, tmp_path / "answers.html") as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        yield visit


def probes_listed(visit):
    return visit.page.locator("#list li").evaluate_all("all => all.map(item => item.firstChild.textContent)")


def test_answers_of_all_agents_stand_beside_each_other(answers):
    answers.page.get_by_text("a robin is a …").first.click()
    rows = answers.page.locator("#probe tbody tr").all_inner_texts()
    assert [" ".join(row.split()) for row in rows] == ["m wingMER50 % bird25 %", "people bird33 %"]
    assert answers.page.locator("#probe td.right").all_inner_texts() == ["bird25 %", "bird33 %"]
    assert "right (wordnet)\nbird" in answers.page.locator("#probe dl").inner_text()
    assert answers.said == []


def test_two_different_agents_are_compared_at_first(answers):
    assert [answers.page.input_value(f"[name={name}]") for name in ("a", "b")] == ["m", "people"]


def test_models_are_compared_at_first_and_pieces_of_words_are_readable(chromium, tmp_path):
    rows = [("hyp:robin", 1, "##ing", 0.5), *hand_made.MODEL[2:]]
    controls = [hand_made.agent(name, hand_made.MODEL) for name in ("random", "length")]
    agents = [*controls, *(hand_made.agent(name, rows, model=True) for name in ("m", "n"))]
    data = answers_page.pack(answers_page.sample(hand_made.STUDY, 4), hand_made.RELATA, agents)
    answers_page.write(answers_page.Texts("A", "Lead."), data, ANSWERS_TEMPLATE, tmp_path / "answers.html", {})
    with Visit(chromium, tmp_path / "answers.html") as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        assert [visit.page.input_value(f"[name={name}]") for name in ("a", "b")] == ["m", "n"]
        visit.page.get_by_text("a robin is a …").first.click()
        assert visit.page.locator("#probe tbody tr").nth(2).inner_text().split() == ["mA", "-ing50", "%"]


def test_filters_show_their_counts_and_the_probes(answers):
    answers.page.select_option("[name=a]", "people")
    answers.page.select_option("[name=b]", "m")
    shown = answers.page.locator("[name=show] option").all_inner_texts()
    assert "right for A, wrong for B (1)" in shown
    assert "wrong for all (1)" in shown
    assert "right for people, wrong for all others (1)" in shown
    answers.page.select_option("[name=show]", "a-not-b")
    assert probes_listed(answers) == ["a robin is a …"]
    answers.page.select_option("[name=k]", "5")  # among the first five, the model is right as well
    assert probes_listed(answers) == []
    assert answers.page.locator("#count").inner_text() == "0 of 3 probes"


def options(visit, name):
    return visit.page.locator(f"[name={name}] option").all_inner_texts()


def test_each_choice_says_how_many_probes_the_other_fields_leave_it(answers):
    """Of the three probes two are about a robin (Zipf 3.9), one of them about hypernyms; the owl's frequency is unknown."""
    assert options(answers, "group") == ["all", "HYP (2)", "MER (1)"]
    assert options(answers, "zipf")[2:] == [
        "Zipf 3 to 4 (2)",
        "Zipf 4 to 5 (0)",
        "frequent (Zipf 5 and more) (0)",
        "not known (1)",
    ]
    answers.page.select_option("[name=zipf]", "none")
    assert options(answers, "group") == ["all", "HYP (1)", "MER (0)"]
    answers.page.select_option("[name=zipf]", "")
    answers.page.select_option("[name=group]", "MER")
    assert options(answers, "zipf")[-1] == "not known (0)"
    assert options(answers, "group") == ["all", "HYP (2)", "MER (1)"]
    assert answers.page.locator("[name=group]").input_value() == "MER"


def test_probes_on_which_people_agree_and_models_do_not(chromium, tmp_path):
    people = [("hyp:robin", 1, "bird", 0.75), ("hyp:owl", 1, "thing", 0.75), ("mer:robin", 1, "leg", 0.25)]
    agents = [hand_made.agent("m", hand_made.MODEL), hand_made.agent("people", people, people=True)]
    data = answers_page.pack(answers_page.sample(hand_made.STUDY, 2), hand_made.RELATA, agents)
    answers_page.write(answers_page.Texts("A", "Lead."), data, ANSWERS_TEMPLATE, tmp_path / "answers.html", {})
    with Visit(chromium, tmp_path / "answers.html") as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        visit.page.select_option("[name=show]", "agree")
        assert probes_listed(visit) == ["a robin is a …"]  # the model says thing of the owl as well


def test_search_and_arrow_keys(answers):
    answers.page.fill("[name=target]", "rob")
    assert probes_listed(answers) == ["a robin is a …", "a robin has a …"]
    answers.page.locator("#list").press("ArrowDown")
    assert answers.page.locator("#probe h2").inner_text() == "a robin has a …"


def test_the_address_leads_back_to_the_same_view(answers, chromium, tmp_path):
    answers.page.select_option("[name=group]", "HYP")
    answers.page.fill("[name=target]", "robin")
    address = urlsplit(answers.page.url)
    assert "group=HYP" in address.fragment
    with Visit(chromium, tmp_path / "answers.html") as other:
        other.page.goto(answers.page.url)
        other.page.reload()
        other.page.wait_for_selector("html[data-ready=yes]")
        assert probes_listed(other) == ["a robin is a …"]
        assert other.page.locator("#probe h2").inner_text() == "a robin is a …"


def test_the_download_has_the_probes_of_the_filters(answers):
    answers.page.select_option("[name=group]", "MER")
    with answers.page.expect_download() as download:
        answers.page.click("#save")
    assert download.value.path().read_text().splitlines() == [
        "relation,target,probe,agent,rank,answer,probability,in_relatum_set_of",
        "MER,robin,a robin has a …,m,1,wing,1.00,MER",
    ]


def test_another_relation_can_be_asked_for(answers):
    """The model's first answer to both probes about a robin is wing, a meronym."""
    answers.page.select_option("[name=other]", "MER")
    assert probes_listed(answers) == ["a robin is a …", "a robin has a …"]
    answers.page.select_option("[name=group]", "HYP")
    assert probes_listed(answers) == ["a robin is a …"]
    assert "other=MER" in answers.page.url


def test_ranks_may_be_left_out_and_answers_may_have_no_number(chromium, tmp_path):
    rows = [("hyp:robin", 1, "wing", None), ("hyp:robin", 3, "bird", None)]
    labels = answers_page.Labels("Task", "Set", "Word", weight="", gold="right_for", others=False, prompt_texts=False)
    data = answers_page.pack(hand_made.STUDY, hand_made.RELATA, [hand_made.agent("m", rows)], labels)
    answers_page.write(answers_page.Texts("A", "Lead.", labels), data, ANSWERS_TEMPLATE, tmp_path / "answers.html", {})
    with Visit(chromium, tmp_path / "answers.html") as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        visit.page.get_by_text("a robin is a …").first.click()
        cells = visit.page.locator("#probe tbody tr td").all_inner_texts()
        assert cells == ["wingMER", "", "bird"]  # each in the column of its rank
        assert visit.page.locator("[name=other]").count() == 0
        with visit.page.expect_download() as download:
            visit.page.click("#save")
        assert download.value.path().read_text().splitlines()[0] == "task,word,probe,agent,rank,answer,share,right_for"


def test_a_long_list_of_probes_has_options_alone_and_a_button_that_shows_more(chromium, tmp_path):
    copies = [hand_made.STUDY.with_columns(pl.format("{}{}", "probe_id", pl.lit(number))) for number in range(150)]
    probes = pl.concat(copies)
    rows = [(probe, 1, "bird", 0.5) for probe in probes["probe_id"]]
    data = answers_page.pack(probes, hand_made.RELATA, [hand_made.agent("m", rows)])
    answers_page.write(answers_page.Texts("A", "Lead."), data, ANSWERS_TEMPLATE, tmp_path / "answers.html", {})
    with Visit(chromium, tmp_path / "answers.html") as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        items, options = visit.page.locator("#list > *"), visit.page.locator("#list > [role=option]")
        assert items.count() == options.count() == 200  # as ARIA asks of a listbox
        while visit.page.locator("button#more").is_visible():
            before = items.count()
            visit.page.locator("button#more").press("Enter")
            assert items.count() > before
        assert items.count() == options.count() == probes.height


def figure_page(folder, agents):
    """A page with a drawn figure and a table of agents, whose cells and markers lead to answers."""
    figure, axes = plt.subplots(figsize=(6, 0.8 + 0.2 * len(agents)))
    styles = agent_styles(dict.fromkeys(agents, "causal"), {})
    links = [f"../answers.html#a={agent}" for agent in agents]
    dots(axes, agents, [0.5] * len(agents), list(styles.values()), links=links)
    save(figure, folder / "figures/sound")
    rows = pl.DataFrame({"agent": agents, "value": [0.5] * len(agents)})
    parts = [
        Section("sound", "S", "C", "t.csv", svg=figure_of(folder / "figures/sound.svg"), words="All are equal."),
        Section("table-t", "T", "C", "t.csv", table=rows, part="Tests"),
    ]
    write(
        "Title",
        "Lead",
        parts,
        TEMPLATE,
        folder / "report.html",
        around=Around(headline=Headline(("All agents are equal.",))),
    )
    return folder / "report.html"


def test_a_choice_of_agents_fades_the_others_and_takes_their_rows_away(chromium, tmp_path):
    with Visit(chromium, figure_page(tmp_path, ["a", "b", "c"])) as visit:
        visit.page.locator(".agents summary").click()
        visit.page.locator(".agents input[value=b]").uncheck()
        assert visit.page.locator(".agents summary").inner_text() == "Agents shown: 2 of 3"
        faded = visit.page.locator("[data-agent].off").evaluate_all(
            "all => [...new Set(all.map(m => m.dataset.agent))]"
        )
        assert faded == ["b"]
        visit.page.locator(".part summary").click()
        assert visit.column(0) == ["a", "c"]
        visit.page.locator(".agents button", has_text="none").click()
        assert visit.page.locator(".agents summary").inner_text() == "Agents shown: 0 of 3"


def test_a_marker_leads_to_the_answers(chromium, tmp_path):
    file = figure_page(tmp_path, ["a", "b"])
    (tmp_path / "answers.html").write_text("<h1>Answers</h1>")
    with Visit(chromium, file) as visit:
        visit.page.locator("[data-agent=b] a").first.click()
        visit.page.wait_for_selector("h1:has-text('Answers')")
        assert visit.page.url.endswith("/answers.html#a=b")


def test_a_link_into_a_folded_part_opens_it(chromium, tmp_path):
    with Visit(chromium, figure_page(tmp_path, ["a", "b"])) as visit:
        assert not visit.page.locator("#table-t").is_visible()
        visit.page.goto(f"{visit.page.url}#table-t")
        assert visit.page.locator("#table-t").is_visible()


def test_the_figure_follows_the_colour_scheme(chromium, tmp_path):
    with Visit(chromium, figure_page(tmp_path, ["a", "b"])) as visit:
        label = visit.page.locator("figure text", has_text="a").first
        inks = []
        for scheme in ("light", "dark"):
            visit.page.emulate_media(color_scheme=scheme)
            inks.append(label.evaluate("text => getComputedStyle(text).fill"))
        assert inks == ["rgb(26, 26, 26)", "rgb(230, 230, 230)"]


def test_a_page_of_200_agents_opens(chromium, tmp_path):
    with Visit(chromium, figure_page(tmp_path, [f"model-{i}" for i in range(200)])) as visit:
        assert visit.page.locator(".agents summary").inner_text() == "Agents shown: all 200"
        visit.page.locator(".agents summary").click()
        visit.page.get_by_label("Agents with").fill("model-19")
        assert visit.page.locator(".agents label:visible").count() == 11
        assert visit.page.evaluate("() => document.documentElement.scrollWidth") <= 1400


@pytest.mark.parametrize("study", WITH_ANSWERS)
def test_a_number_of_the_overview_leads_to_probes_of_its_group_and_agent(chromium, reading, finished, study):
    address = reading(f"{study}/report.html").page.locator("#table-overview td a").first.get_attribute("href")
    file, _, view = address.partition("#")
    with Visit(chromium, finished.results / study / file, view=view) as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        state = dict(parse_qsl(view))
        assert visit.page.locator("[name=group]").input_value() == state.get("group", "")
        assert visit.page.locator("[name=a]").input_value() == state["a"]
        assert visit.page.locator("[name=prompt]").input_value() == state.get("prompt", "")
        assert visit.page.locator("#list li").count() > 0


@pytest.mark.parametrize("study", [study for study in WITH_ANSWERS if study != "relations"])
def test_the_answers_pages_of_other_studies_open(chromium, finished, study):
    with Visit(chromium, finished.folder / f"results/{study}/answers.html") as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        assert visit.said == []
        assert visit.page.locator("#probe td").count() > 0
        compared = [visit.page.input_value(f"[name={name}]") for name in ("a", "b")]
        assert all(agent.startswith("tiny-") and "+" not in agent for agent in compared)  # models, and no controls


@pytest.mark.parametrize("width", [360, 1200, 1920])
def test_the_answers_page_is_not_wider_than_the_window(chromium, finished, width):
    with Visit(chromium, finished.folder / "results/relations/answers.html", width) as visit:
        visit.page.wait_for_selector("html[data-ready=yes]")
        assert visit.page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert visit.said == []
        assert visit.page.locator("#probe td.right, #probe td").count() > 0


def test_an_address_that_asks_for_an_unknown_group_is_answered(answers, chromium, tmp_path):
    with Visit(chromium, tmp_path / "answers.html", view="group=XYZ") as visit:
        said = visit.page.locator("#unknown")
        assert "This page does not have what its address asks for (Relation: XYZ)" in said.inner_text()
        assert visit.page.locator("select[name=group]").input_value() == ""
        visit.page.locator("select[name=show]").select_option("none")
        assert not said.is_visible()


def test_back_undoes_a_choice_and_does_not_leave_the_page(answers):
    group = answers.page.locator("select[name=group]")
    first = group.input_value()
    group.select_option("HYP")
    assert "group=HYP" in answers.page.url
    answers.page.go_back()
    wait_until(answers.page, "value => document.querySelector('select[name=group]').value === value", first)
    assert answers.page.url.split("#")[0].endswith("answers.html")


def test_the_first_stop_of_the_tab_key_skips_to_the_content(chromium, tmp_path):
    links = {f"Page {number}": f"{number}.html" for number in range(30)}
    write("Title", "Lead", [Section("t", "T", "C", "t.csv")], TEMPLATE, tmp_path / "report.html", links)
    with Visit(chromium, tmp_path / "report.html") as visit:
        visit.page.keyboard.press("Tab")
        assert visit.page.evaluate("document.activeElement.textContent") == "Skip to the content"
        visit.page.keyboard.press("Enter")
        visit.page.keyboard.press("Tab")
        assert visit.page.evaluate("document.activeElement.closest('main') !== null")


def test_the_first_stop_of_answers_skips_to_the_probes_and_leaves_the_view_as_it_is(answers):
    answers.page.select_option("[name=group]", "HYP")
    address = answers.page.url
    answers.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    skip = answers.page.locator(".skip")
    skip.focus()
    skip.press("Enter")
    assert answers.page.evaluate("document.activeElement.id") == "list"
    assert answers.page.url == address
    assert (
        answers.page.evaluate("document.querySelector('a, button, input, select').textContent") == "Skip to the probes"
    )


def test_print_has_the_rows_that_paper_has_room_for_and_what_is_folded_away(chromium, tmp_path):
    rows = pl.DataFrame({"agent": [f"model-{i}" for i in range(150)]})
    sections = [Section("t", "T", "C", "t.csv", table=rows, part="Tests", more="A method.")]
    write("Title", "Lead", sections, TEMPLATE, tmp_path / "report.html")
    with Visit(chromium, tmp_path / "report.html") as visit:
        wait_until(visit.page, "typeof ready !== 'undefined' && ready")
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        visit.page.emulate_media(media="print")
        assert visit.page.locator("#t tbody tr:visible").count() == 30
        assert visit.page.get_by_text("A method.").is_visible()


def test_a_figure_and_what_is_said_of_it_stand_side_by_side_in_a_wide_window(chromium, tmp_path):
    file = figure_page(tmp_path, ["a", "b"])
    for width, beside in ((1400, False), (1900, True)):
        with Visit(chromium, file, width=width) as visit:
            figure, said = (visit.page.locator(f"figure {one}").first.bounding_box() for one in ("svg", "figcaption"))
            assert (said["x"] >= figure["x"] + figure["width"]) is beside


def test_a_table_of_links_is_one_stop_of_the_tab_key_and_arrows_go_on(chromium, tmp_path):
    rows = pl.DataFrame({"agent": ["a", "b"], "value": [0.5, 0.25], "other": [1, 2]})
    section = Section(
        "t", "T", "C", "t.csv", table=rows, address=lambda row, name: f"#{name}" if name != "agent" else None
    )
    write("Title", "Lead", [section], TEMPLATE, tmp_path / "report.html")
    with Visit(chromium, tmp_path / "report.html") as visit:
        links = visit.page.locator("td a")
        assert [links.nth(i).get_attribute("tabindex") for i in range(4)] == ["0", "-1", "-1", "-1"]
        links.first.focus()
        visit.page.keyboard.press("ArrowDown")
        assert visit.page.evaluate("document.activeElement.textContent") == "0.250"
        visit.page.keyboard.press("ArrowRight")
        assert visit.page.evaluate("document.activeElement.textContent") == "2"


def test_the_columns_of_a_wide_table_come_on_request_and_the_first_stays_in_sight(chromium, tmp_path):
    rows = pl.DataFrame({"agent": ["model-10", "model-2"], **{f"c{i}": [i, i] for i in range(11)}})
    write("Title", "Lead", [Section("t", "T", "C", "t.csv", table=rows)], TEMPLATE, tmp_path / "report.html")
    with Visit(chromium, tmp_path / "report.html", width=360) as visit:
        heads, button = visit.page.locator("th:visible"), visit.page.locator(".columns-button")
        assert (heads.count(), button.inner_text()) == (8, "Show all 12 columns")
        button.click()
        assert heads.count() == 12
        visit.page.evaluate("document.querySelector('.table').scrollLeft = 500")
        assert visit.page.locator("td").first.bounding_box()["x"] >= 0
        visit.page.locator("th button").first.click()
        assert visit.column(0) == ["model-2", "model-10"]
