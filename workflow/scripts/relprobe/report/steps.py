"""The steps that write the pages of a run from the tables and figures of its studies."""

from pathlib import Path
from typing import Any

STEPS = {
    "study": ("study:page", "Write the page of a study from its tables and figures."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""


def controls(tests: Path, out: Path, *, controls: list[str]) -> None:
    """Write what every agent has beyond its best control, from the tests of a study. `controls`: their names."""
    import polars as pl

    from relprobe.core.files import write_csv
    from relprobe.stats.controls import beyond_controls

    write_csv(beyond_controls(pl.read_parquet(tests), controls), out)


def index(
    cards: list[Path],
    manifests: list[Path],
    template: Path,
    index: Path,
    published_index: Path,
    sources: Path,
    captions: Path,
    pictures: Path,
    kept: Path,
    published: list[Path] | None = None,
    adapters: list[Path] | None = None,
    *,
    has: dict[str, Any],
    models: dict[str, Any],
    resources: dict[str, Any],
    families: dict[str, Any],
    adapter_entries: dict[str, Any] | None = None,
    left_out: list[str] | None = None,
    compared: bool = False,
    configuration: dict[str, Any] | None = None,
) -> None:
    """Write the front page, the page of published figures, the table of origins, and the captions for `snakemake --report`.

    `cards`: card.json of each study; `published`: tables/published.csv of those that follow a paper. `manifests`: those of
    the models, and `adapters` those of adapters. `pictures`: the folder of the pictures of published figures. `has`: study
    -> name of its MAY_LACK -> whether the run has that. `models`, `resources`: these parts of the configuration.
    `families`: agent -> family of all models. `adapter_entries`: agent -> its `peft` there. `left_out`: a sentence on each
    study that lacks its data. `compared`: there is a page that compares this run with another. `configuration`: that of the
    run, which the file `kept` holds for later comparisons.
    """
    from relprobe.core.files import whole_folder, write_csv, write_json
    from relprobe.report import front
    from relprobe.report.origins import doubled, origins
    from relprobe.report.page import write
    from relprobe.report.pictures import draw
    from relprobe.report.words.captions import write_captions

    table = origins(models, resources, manifests, adapter_entries, adapters or ())
    write_csv(table, sources)
    write_json(configuration or {}, kept)
    names = front.names_of(cards)
    with whole_folder(pictures) as partial:
        shown = draw(published or [], names, families, partial)
    drawn = front.pictured(shown, pictures)
    figures = front.published_figures(published or [], drawn, names)
    said = [*(left_out or []), *doubled(manifests)]
    parts = front.front(cards, table, said, drawn, published=bool(figures), compared=compared)
    above = {"Published and reproduced": "published.html"} if figures else {}
    write(front.TITLE, front.LEAD, parts, template, index, above, origins="#sources")
    write(front.PUBLISHED_TITLE, front.PUBLISHED_LEAD, figures, template, published_index, front.PUBLISHED_LINKS)
    write_captions(has, captions)


def compare(
    before: Path,
    after: Path,
    template: Path,
    page: Path,
    differences: Path,
    changed: Path,
    inputs: list[Path] | None = None,
    *,
    studies: list[str],
    renamed: dict[str, Any] | None = None,
    configuration: dict[str, Any] | None = None,
) -> None:
    """Write the page that compares two results folders, with its two tables.

    `before`, `after`: the results folders. `inputs`: files that the comparison is made of, so that a workflow makes them
    first. `studies`: those of this run. `renamed`: the name of an agent after -> its name before.
    `configuration`: that of this run.
    """
    import polars as pl

    from relprobe.core.files import write_csv
    from relprobe.report import compare as runs
    from relprobe.report.configurations import between
    from relprobe.report.page import write

    tables, rows = [], []
    for study in runs.studies_of(studies, before, after):
        values, words = (
            [runs.read_metrics(folder / study / part) for folder in (before, after)]
            for part in ("metrics", "top_words")
        )
        names = renamed or {}
        agents = runs.paired(values[0], values[1], names)
        earlier = {agent: words[0][name] for agent in agents if (name := names.get(agent, agent)) in words[0]}
        tables.append(runs.differences(study, agents, runs.links_of(study, after)))
        rows.append(runs.changes(study, agents, (earlier, words[1])))
    table, units = pl.concat(tables), pl.concat(rows)
    write_csv(table, differences)
    write_csv(units, changed)
    lead = f"{runs.LEAD} Before: {before}. After: {after}."
    keys, about = between(before, configuration or {})
    parts, links = [runs.configurations(keys, about), *runs.sections(table, units)], {"All studies": "report.html"}
    write(runs.TITLE, lead, parts, template, page, links, runs.summary(table))
