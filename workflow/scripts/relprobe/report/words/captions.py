"""The captions of figures and tables in `snakemake --report`: what the pages of studies say of them, in reStructuredText."""

import re
from collections.abc import Mapping
from pathlib import Path

from relprobe.core.files import whole_folder, write_text
from relprobe.report.exhibits import Exhibit
from relprobe.report.shown import page_of
from relprobe.report.words.readable import with_end


def write_captions(has: Mapping[str, Mapping[str, bool]], folder: Path) -> None:
    """Write the captions of all tables and figures of a run: STUDY/tables/NAME.rst and STUDY/figures/NAME.rst in `folder`.

    `has`: study -> name of its `may_lack` -> whether the run has that.
    """
    with whole_folder(folder) as partial:
        for study, names in has.items():
            for exhibit in page_of(study).available(names):
                path = partial / study / exhibit.folder / f"{exhibit.name}.rst"
                path.parent.mkdir(parents=True, exist_ok=True)
                write_text(caption(exhibit), path)


def caption(exhibit: Exhibit) -> str:
    r"""Return title and caption of a table or figure in reStructuredText.

    >>> from relprobe.report.exhibits import Table
    >>> caption(Table("tests", "Tests", "All pairs, by p_holm.")).strip()
    '**Tests.** All pairs, by p\\_holm.'
    """
    parts = exhibit.title, " ".join(filter(None, [exhibit.caption, exhibit.more]))
    title, text = (re.sub(r"([\\*`|_])", r"\\\1", part) for part in parts)
    return f"**{with_end(title)}** {text}\n"
