"""The cards of the front page: what each study asks, and what it found."""

from pathlib import Path

from relprobe.core.files import read_json
from relprobe.report.page import Section, figure
from relprobe.report.shown import page_of

TITLE = "What language models know about words"
LEAD = (
    "Each card asks a question, says what this run found, and shows the figure behind it. The best model is compared with "
    "its best control, which answers without knowing what is asked. A difference is said to hold if p is below 0.05 after "
    "Holm's adjustment. Where the data leave it open, this is no sign that there is none."
)


def card(path: Path, page: str = "report.html") -> Section:
    """Return the card of a study: its question, what was found, the figure that shows it, and where to read on.

    `page`: the file of the page, beside the card.
    """
    study, said = path.parent.name, read_json(path)
    name = said["figure"]
    svg = figure(path.parent / f"figures/{name}.svg", f"{study}/") if name else None
    links = {
        "Figures, tables and tests": f"{study}/{page}",
        **({"Answers of every agent": f"{study}/answers.html"} if said["answers"] else {}),
        "Data (CSV)": f"{study}/tables/overview.csv",
    }
    about = {
        "link": f"{study}/{page}",
        "svg": svg,
        "words": said["words"],
        "notice": said["notice"],
        "links": links,
    }
    return Section(study, page_of(study).title, said["finding"], None, card=True, **about)
