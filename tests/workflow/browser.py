"""A Chromium that is on this machine, as tests drive it."""

import shutil
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--disable-gpu", "--disable-quic", "--disable-sync"]


def installed() -> str | None:
    """The browser's executable, if there is any."""
    return next(filter(None, map(shutil.which, NAMES)), None)


SECONDS = 60
"""How long a page may take, also beside other work: it fails a test that a page is not ready, not that it is slow."""


def wait_until(page, expression, *argument):
    """Wait until an expression or a function of JavaScript is true in a page.

    Playwright's own waiting calls eval in the page after the first time, which the rules of our pages forbid, so that it
    fails where the page is not ready at once.
    """
    end = time.monotonic() + SECONDS
    while not page.evaluate(expression, *argument):
        assert time.monotonic() < end, f"after {SECONDS} seconds this is not so: {expression}"
        page.wait_for_timeout(50)


class Visit:
    """A page that was opened from its file: what it said on the console, and what it asked for beside itself.

    `view`: what stands behind # in the address.
    """

    def __init__(self, browser, file, width=1400, view=""):
        self.page = browser.new_page(viewport={"width": width, "height": 1000})
        self.page.set_default_timeout(1000 * SECONDS)
        self.said, self.requested = [], []
        self.page.on("console", lambda message: self.said.append((message.type, message.text)))
        self.page.on("pageerror", lambda error: self.said.append(("error", str(error))))
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.goto(f"{file.as_uri()}#{view}" if view else file.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.close()

    def column(self, number: int) -> list[str]:
        """The cells of a column of the page's first table that are to be seen, from top to bottom."""
        return self.page.locator(f"tbody tr:visible td:nth-child({number + 1})").all_inner_texts()

    def order(self) -> str | None:
        """How the first table says it is sorted, with the column."""
        return self.page.evaluate(
            """() => [...document.querySelectorAll("th[aria-sort]")]
                .map(th => `${th.textContent} ${th.getAttribute("aria-sort")}`).join()"""
        )

    def texts_of_figures(self) -> list[dict]:
        """Of every text in a figure: what it says, its size, and its and the figure's edges, in pixels.

        `angle`: the direction in which it is read, in radians; `turned`: its edges after the page is turned back by it.
        """
        return self.page.evaluate(
            """() => [...document.querySelectorAll("figure svg text")].map(text => {
                const own = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();
                const edges = box => [box.left, box.top, box.right, box.bottom];
                const scale = text.ownerSVGElement.getScreenCTM().a;
                const matrix = text.getScreenCTM(), angle = Math.atan2(matrix.b, matrix.a), box = text.getBBox();
                const back = new DOMMatrix().rotate(-angle * 180 / Math.PI);
                const [from, to] = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(
                    ([x, y]) => new DOMPoint(x, y).matrixTransform(matrix).matrixTransform(back));
                return {angle, turned: [from.x, from.y, to.x, to.y], said: text.textContent,
                        figure: text.closest("section").id, own: edges(own), all: edges(all),
                        size: parseFloat(getComputedStyle(text).fontSize) * scale};
            })"""
        )
