"""The pages of a run, made of the studies' tables and figures."""

from pathlib import Path
from typing import Any


def study(tables: list[Path], figures: list[Path], template: Path, out: Path, *, study: str) -> None:
    """Put the tables and figures of a study into one page, in the order given."""
    import importlib

    from relprobe.report.page import write

    pages = importlib.import_module(f"relprobe.studies.{study}.pages")
    write(pages.TITLE, pages.LEAD, pages.sections(tables, figures), template, out)


def index(
    pages: list[Path],
    overviews: list[Path],
    published: list[Path],
    manifests: list[Path],
    template: Path,
    index: Path,
    published_index: Path,
    sources: Path,
    captions: Path,
    *,
    captions_of: list[str],
    models: dict[str, Any],
    resources: dict[str, Any],
    left_out: list[str] | None = None,
) -> None:
    """Write the pages above the studies' own, where everything comes from, and the captions of `snakemake --report`.

    `left_out` are sentences on the studies without data; `captions_of` names files as STUDY/figures/NAME.svg or
    STUDY/tables/NAME.csv.
    """
    from relprobe.core.files import write_csv
    from relprobe.report import index as above
    from relprobe.report.captions import write_captions
    from relprobe.report.origins import origins
    from relprobe.report.page import write

    origin = origins(models, resources, manifests)
    write_csv(origin, sources)
    lead = " ".join([above.LEAD, *(left_out or [])])
    write(above.TITLE, lead, above.index(overviews, origin), template, index, {})
    figures = above.published_figures(published)
    write(above.PUBLISHED_TITLE, above.PUBLISHED_LEAD, figures, template, published_index, above.PUBLISHED_LINKS)
    write_captions(pages, captions_of, captions)
