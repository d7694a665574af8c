"""The cards of the front page: what each study asks, and what it found."""

from pathlib import Path

from relprobe.core.files import read_json
from relprobe.report.page import Section, figure
from relprobe.report.shown import page_of

TITLE = "What language models know about words"
LEAD = (
    "Each card asks a question, says what this run found, and shows the figure behind it. The best model is compared with "
    "its best control, which answers without knowing what is asked. A difference is said to hold if p is below 0.05 after "
    "adjustment. Where the data leave it open, this is no sign that there is none."
)


def card(path: Path, page: str = "report.html") -> Section:
    """Return the card of a study: its question, what was found, the figure that shows it, and where to read on.

    `page`: the file of the page, beside the card.
    """
    study, card_content = path.parent.name, read_json(path)
    name = card_content["figure"]
    svg = figure(path.parent / f"figures/{name}.svg", f"{study}/") if name else None
    links = {
        "Figures, tables and tests": f"{study}/{page}",
        **({"Answers of every agent": f"{study}/answers.html"} if card_content["answers"] else {}),
        "Data (CSV)": f"{study}/tables/overview.csv",
    }
    parts = {
        "link": f"{study}/{page}",
        "svg": svg,
        "words": card_content["words"],
        "notice": card_content["notice"],
        "links": links,
    }
    return Section(study, page_of(study).title, card_content["finding"], None, card=True, **parts)
