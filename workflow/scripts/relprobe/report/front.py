"""The pages above those of the studies: the front page, and the page of published and reproduced figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import read_json, read_parquet, write_csv, write_json
from relprobe.core.unmade import made_tables
from relprobe.report.cards import LEAD, TITLE, card
from relprobe.report.figures import nothing_to_draw, save
from relprobe.report.origins import MEANINGS as ORIGIN_MEANINGS
from relprobe.report.origins import duplicate_models, origins
from relprobe.report.package import crate, data_package
from relprobe.report.page import Around, Section, figure, write
from relprobe.report.picture import in_words, picture
from relprobe.report.published import decimals, page_table
from relprobe.report.shown import page_of
from relprobe.report.words.captions import write_captions

PUBLISHED_TITLE = "The papers' values beside this run"
PUBLISHED_LEAD = (
    "What the papers print beside what this run computed. Grey marks are the paper's; marks with lines are this run's, with "
    "95 % intervals, and its controls are dark outlines. Numbers have the decimals of the paper; the files have all of ours."
)
PUBLISHED_LINKS = {"All studies": "report.html"}
NOTHING_IN_COMMON = "This run has no figure of the agents and data that the papers print"
COMPARED_TITLE = "Compared with another run"
COMPARED_LEAD = (
    "The agents of this run beside those of another results folder, with paired tests and the probes that changed."
)
SOURCES_LEAD = "Each file of each model, and each resource as the configuration pins it, with its SHA-256."
LEFT_OUT_TITLE = "What was left out, and why"
LEFT_OUT_LEAD = "Words, probes and pairs that a study could not use are listed at the end of its own page."
IN_BOTH, IN_PAPER = "In the paper and in this run", "In the paper alone"
MEANINGS = {
    "where": "the table, figure or section of the paper",
    "page": "the page of the paper",
    "quantity": "what is counted or measured",
    "condition": "the part of the data, such as a relation or a part of speech",
    "agent": "a model, a baseline or people",
    "value": "what the paper prints",
    "range": "what the paper gives in place of a value",
    "ours": "what this run computed",
    "interval": "the 95 % interval of ours",
    "n": "the number of units that ours is over",
    "units": "what these units are",
    "difference": "ours minus the paper's value, or minus the nearer end of its range",
    "note": "why the two may differ, or why one is missing",
}


@dataclass(frozen=True)
class Files:
    """What the pages are made of.

    `cards`: card.json of each study; `published`: tables/published.parquet of those that follow a paper. `manifests`: those
    of the models that have files here, and `adapters` those of adapters. `tables`: Parquet files of the studies, which
    `Outputs.package` describes.
    """

    cards: list[Path]
    template: Path
    published: list[Path] | None = None
    adapters: list[Path] | None = None
    manifests: list[Path] | None = None
    tables: list[Path] | None = None


@dataclass(frozen=True)
class Outputs:
    """The files that are written.

    `index`: the front page. `published_index`: the page of published figures. `sources`: the table of origins. `captions`:
    the folder of captions for `snakemake --report`. `configuration_out`: the configuration, for later comparisons.
    `package` (datapackage.json): what describes the tables of the studies. `ro_crate` (ro-crate-metadata.json): what says
    what the files of the run are. `pictures`: published/STUDY.svg of the studies with published figures; a PNG file comes to
    lie beside each.
    """

    index: Path
    published_index: Path
    sources: Path
    captions: Path
    configuration_out: Path
    package: Path
    ro_crate: Path
    pictures: list[Path] | None = None


@dataclass(frozen=True)
class Settings:
    """What the configuration and the plan of the run say.

    `has`: study -> name of its `may_lack` -> whether the run has that. `models`, `resources`: these parts of the
    configuration. `families`: study -> agent -> family. `adapter_entries`: agent -> its `peft` there. `missing`: study that
    does not run -> why, and what it needs. `notes`: a sentence on each study that runs on other data, and on each agent that
    repeats another one. `compared`: there is a page that compares this run with another. `configuration`: that of the run.
    `run`: the title of the run; empty: the name of its folder.
    """

    has: dict[str, Any]
    models: dict[str, Any]
    resources: dict[str, Any]
    families: dict[str, Any]
    adapter_entries: dict[str, Any] | None = None
    missing: dict[str, str] | None = None
    notes: list[str] | None = None
    compared: bool = False
    configuration: dict[str, Any] | None = None
    run: str = ""


def pages(files: Files, outputs: Outputs, settings: Settings) -> None:
    """Write the front page, the page of published figures, and what describes the run.

    That is the table of origins, the configuration, the two descriptions of its files, and the captions for
    `snakemake --report`.
    """
    table = origins(
        settings.models, settings.resources, files.manifests or (), settings.adapter_entries, files.adapters or ()
    )
    write_csv(table, outputs.sources)
    _describe(files, outputs, settings)
    names = names_of(files.cards)
    papers = made_tables({path.parent.parent.name: read_parquet(path) for path in files.published or []})
    pictures = {path.stem: path for path in outputs.pictures or []}
    drawn = picture_sections(draw(papers, names, settings.families, pictures), pictures)
    figures = published_figures(papers, drawn, names)
    if all(section.part == IN_PAPER for section in figures):
        figures = []  # without a value of this run there is nothing to compare, and no page leads there
    left_out = [*(settings.notes or []), *duplicate_models(files.manifests or ())]
    parts = front(
        files.cards,
        table,
        settings.missing or {},
        left_out,
        drawn,
        published=bool(figures),
        compared=settings.compared,
    )
    above = {PUBLISHED_TITLE: "published.html"} if figures else {}
    around = Around(run=settings.run, columns=columns_of(parts), origins="#sources")
    write(TITLE, LEAD, parts, files.template, outputs.index, above, around)
    around = Around(run=settings.run, columns=columns_of(figures))
    write(PUBLISHED_TITLE, PUBLISHED_LEAD, figures, files.template, outputs.published_index, PUBLISHED_LINKS, around)
    write_captions(settings.has, outputs.captions)


def _describe(files: Files, outputs: Outputs, settings: Settings) -> None:
    """Write the configuration, and what describes the tables and the other files of the run."""
    write_json(settings.configuration or {}, outputs.configuration_out)
    tables = files.tables or []
    write_json(data_package(tables, outputs.package.parent, settings.run, settings.has), outputs.package)
    further = outputs.index, outputs.published_index, outputs.sources, outputs.configuration_out, outputs.package
    names = [path.relative_to(outputs.ro_crate.parent).as_posix() for path in (*tables, *(outputs.pictures or ()))]
    names += [path.name for path in further]
    write_json(crate(names, settings.run, settings.models), outputs.ro_crate)


def front(
    cards: Sequence[Path],
    sources: pl.DataFrame,
    missing: Mapping[str, str],
    left_out: Sequence[str],
    pictures: Mapping[str, Section] | None = None,
    *,
    published: bool = False,
    compared: bool = False,
) -> list[Section]:
    """Return the sections of the front page.

    The first ones are the cards of the studies that run, and of those that do not. Then follow the pictures of published
    figures, the page of a comparison if this run is `compared` with another one, what was left out, and the origins of
    models and data, folded away.

    `cards`: the files STUDY/card.json, which the pages of studies leave. `sources`: the table of origins
    (`origins.ORIGINS`). `missing`: study that does not run -> why, and what it needs. `left_out`: a sentence on each other
    thing. `pictures`: study -> its picture (`picture_sections`). `published`: whether the page of published figures shows
    any.
    """
    parts = [card(path) for path in cards]
    parts += [Section(study, page_of(study).title, why, None, card=True) for study, why in missing.items()]
    parts += (pictures or {}).values()
    if published and not pictures:
        lead = f"{NOTHING_IN_COMMON}; the page lists what they print."
        parts.append(Section("published", PUBLISHED_TITLE, lead, None, link="published.html"))
    if compared:
        parts.append(Section("compared", COMPARED_TITLE, COMPARED_LEAD, "differences.csv", link="compare.html"))
    parts.append(Section("left-out", LEFT_OUT_TITLE, LEFT_OUT_LEAD, None, items=left_out))
    content: dict[str, Any] = {"table": sources, "part": "Origins", "meanings": ORIGIN_MEANINGS}
    return [*parts, Section("sources", "Models and data", SOURCES_LEAD, "sources.csv", **content)]


def columns_of(sections: Sequence[Section]) -> dict[str, str]:
    """Return what the columns of the tables of some sections mean, for the end of their page."""
    tables = ((section.table, section.meanings) for section in sections if section.table is not None)
    return {name: meanings[name] for table, meanings in tables for name in table.columns}


def draw(
    tables: Mapping[str, pl.DataFrame],
    names: Mapping[str, Mapping[str, str]],
    families: Mapping[str, Mapping[str, str]],
    files: Mapping[str, Path],
) -> dict[str, str]:
    """Draw the picture of the published figures of every study that has one; return study -> what it shows in words.

    `tables`: study -> what `published.compare_published` returns. `names`: study -> code -> name of a condition. `families`:
    study -> agent -> family. `files`: study -> the SVG file, beside which a PNG file comes to lie. Where the paper and the
    run have nothing in common, the files say so, and no page shows them.
    """
    texts = {}
    for study, file in files.items():
        table, quantities = tables[study], page_of(study).quantities
        figure_of_study = picture(table, quantities, families.get(study, {}), names.get(study, {}))
        save(nothing_to_draw(NOTHING_IN_COMMON) if figure_of_study is None else figure_of_study, file)
        if figure_of_study is not None:
            texts[study] = in_words(table, quantities, names.get(study, {}))
    return texts


def picture_sections(words: Mapping[str, str], files: Mapping[str, Path]) -> dict[str, Section]:
    """Return the section of each picture of published figures. `words`: study -> what it shows; `files`: its file."""
    return {
        study: Section(
            f"{study}-published",
            f"{PUBLISHED_TITLE}: {study}",
            PUBLISHED_LEAD,
            f"{study}/tables/published.csv",
            svg=figure(files[study], f"{study}/"),
            words=text,
            link="published.html",
        )
        for study, text in words.items()
    }


def names_of(cards: Sequence[Path]) -> dict[str, dict[str, str]]:
    """Return study -> code -> name of what stands in its tables, from the files STUDY/card.json."""
    return {path.parent.name: read_json(path)["names"] for path in cards}


def published_figures(
    tables: Mapping[str, pl.DataFrame], pictures: Mapping[str, Section], names: Mapping[str, Mapping[str, str]]
) -> list[Section]:
    """Return the sections of the page of published figures, of each study that has some; one of own data has none.

    Of each study come its picture, if it has one, the figures that this run has as well, and, folded away, those that it has
    not. `tables`: study -> what `published.compare_published` returns. `names`: as `names_of` returns them.
    """
    sections: list[Section] = []
    for study, table in tables.items():
        printed = table.filter(pl.col("where").is_not_null())
        if printed.is_empty():
            continue
        title = page_of(study).title
        picture = pictures.get(study)
        if picture is not None:
            # What its marks mean is said at the top of the page.
            sections.append(replace(picture, title=title, link=f"{study}/report.html", caption=""))
        content: dict[str, Any] = {"meanings": MEANINGS, "code_names": names.get(study, {})}
        has_ours, printed = pl.col("ours").is_not_null(), printed.with_columns(decimals=pl.Series(decimals(printed)))
        sections += _rows_of(f"{study}-both", f"{IN_BOTH}: {study}", study, printed.filter(has_ours), content)
        content["part"] = IN_PAPER
        sections += _rows_of(f"{study}-paper", f"{IN_PAPER}: {study}", study, printed.filter(~has_ours), content)
    return sections


def _rows_of(name: str, title: str, study: str, rows: pl.DataFrame, content: Mapping[str, Any]) -> list[Section]:
    """Return the section of some published figures; none if there are no rows. `rows`: with the decimals of each."""
    if rows.is_empty():
        return []
    decimals = rows["decimals"].to_list()
    data = f"{study}/tables/published.csv"
    return [
        Section(name, title, "", data, table=page_table(rows.drop("decimals"), decimals), decimals=decimals, **content)
    ]
