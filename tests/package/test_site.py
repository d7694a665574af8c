"""The documentation as a site: it builds without a warning, and opens in a browser without an error."""

import subprocess
import sys

import pytest
from playwright.sync_api import sync_playwright

from tests.facts import WHOLE
from tests.paths import ROOT
from tests.workflow import browser
from tests.workflow.browser import Visit

pytestmark = pytest.mark.slow("it builds the documentation")
PAGES = [
    *("index", "tutorial", "library", "cluster", "servers", "exchange", "adding"),
    *(
        f"how-to/{name}"
        for name in (
            "add-a-model",
            "own-relations",
            "own-words",
            "own-pairs",
            "peoples-answers",
            "ask-chat-models",
            "another-language",
            "another-workflow",
            "layers",
            "one-step",
            "read-results",
            "write-a-paper",
            "add-a-source",
            "add-a-figure",
            "add-a-study",
        )
    ),
    *(f"studies/{name}" for name in WHOLE),
    *(
        "asking",
        "configuration",
        "pages",
        "glossary",
        "faq",
        "reference",
        "layout",
        "dependencies",
        "licences",
        "changes",
    ),
    *(
        "default-study",
        "engine",
        "engine-details",
        "statistics",
        "statistics-details",
        "simulations",
        "controls",
        "scale",
        "compared",
        "follow",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site."""
    pytest.importorskip("sphinx", reason="sphinx is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def chromium():
    executable = browser.installed()
    if executable is None:
        pytest.skip(f"no Chromium on this machine ({', '.join(browser.NAMES)})")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=browser.FLAGS)
        yield opened
        opened.close()


def test_the_site_has_every_page_of_the_documentation(site):
    docs = ROOT / "docs"
    written = {
        path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md") if "_build" not in path.parts
    }
    assert written == set(PAGES)
    assert all((site / f"{name}.html").is_file() for name in PAGES)


def test_the_reference_has_the_public_interface(site):
    page = (site / "reference.html").read_text("utf-8")
    names = ["relprobe.load", "relprobe.Model.top_words", "relprobe.Model.embed", "relprobe.core.errors.ModelError"]
    assert [name for name in names if f'id="{name}"' not in page] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_a_word_on_the_console_and_loads_nothing_from_elsewhere(site, chromium, name):
    with Visit(chromium, site / f"{name}.html") as visit:
        assert visit.said == []
        assert [url for url in visit.requested if not url.startswith(("file:", "data:"))] == []
        broken = "() => [...document.images].filter(image => !image.naturalWidth).map(image => image.src)"
        assert visit.page.evaluate(broken) == []
        assert visit.page.locator("h1").first.inner_text()


def test_links_lead_to_pages_and_sections_that_there_are(site, chromium):
    with Visit(chromium, site / "index.html") as visit:
        visit.page.get_by_role("link", name="From a notebook").last.click()
        assert "From a notebook" in visit.page.title()
        visit.page.goto((site / "compared.html").as_uri() + "#minicons")
        assert visit.page.locator("#minicons").first.is_visible()
