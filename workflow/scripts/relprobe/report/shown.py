"""Reading what a study shows: the tables and figures of its page, in their order, from the document studies/STUDY/page.md.

A document is Markdown. Below a heading stands one block of YAML with all that is no prose, and then paragraphs:

    # How prototypical is a pair of words for its relation?

    ```yaml
    may_lack:
      static: static vectors (resources.static_vectors)
    ```

    The lead of the page. Further paragraphs say how to read it.

    ## Agreement with people

    ```yaml
    table: overview
    part: Data
    without:
      static: There is no static baseline.
    columns:
      rho: Spearman's correlation with people's ratings
    ```

    The caption, which is two sentences at most *(Table 3 of the paper)*.

    What else is to be known, which the page folds away.

The block below the title has the fields of `PageHead`, and that of a section names a table or a figure and has further
fields of `Table` or `Figure` (exhibits.py). What would stand in several places stands in one:

- A text in italics is said only in a run that has what `may_lack` calls paper: the relations and the data of the paper.
- `$NAME`, in a section, is the text of this name in `words`: of the document, of page.md, or of shared.md.
- A section with `each` is one for each row of a list, and each cell of a row is such a text. `each: metrics` takes the
  metrics of the study that have a title, with their `metric`, `title`, `caption`, `items` and `needs`.
- A heading with nothing below it has what stands below this heading in report/shared.md, with its sections of a lower level
  (###).

Further analyses of a study, files in its folder `analyses`, have a block and sections in their docstrings
(core/analyses.py). They follow the sections of page.md of the same part, or stand before that which `before` names.

From a page follow the outputs of the rules, the HTML page, and the captions of `snakemake --report`. Snakemake reads it to
plan a run.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from relprobe.core.analyses import NAMES_OF_SOME_STUDIES, STEP, Analysis, analyses_of, facts_of
from relprobe.core.errors import DataError, first_line
from relprobe.core.files import read_own_text
from relprobe.core.metric import Metric
from relprobe.core.study import Config, Roles, study_of
from relprobe.core.words import enumeration, hint
from relprobe.report.documents import Section, fill_in, read_fields, read_sections
from relprobe.report.exhibits import ITALICS, PAPER, Exhibit, Figure, Names, Page, Table, Texts

STUDIES = Path(__file__).parents[1] / "studies"
SHARED = Path(__file__).with_name("shared.md")
"""What the pages of several studies say; its paragraphs after the first say how to read any page."""


@dataclass(frozen=True)
class Head:
    """What the block before the sections of an analysis may have."""

    may_lack: Texts = field(default_factory=dict)  # what a run may lack: a name, and the words for it
    columns: Texts = field(default_factory=dict)  # what the columns of several tables mean
    words: Texts = field(default_factory=dict)  # the texts that $NAME stands for


@dataclass(frozen=True)
class PageHead(Head):
    """What the block below the title of a page may have."""

    notices: Texts = field(
        default_factory=dict
    )  # what the pages say first if a run lacks that: its name, and a sentence
    pictured: Texts = field(default_factory=dict)  # what is drawn beside its paper: a published quantity, and its title
    front: Names = ()  # the figures of which the front page has the first that a run has; none: all in their order
    parts: Names = ()  # the parts of the page in their order


KINDS: dict[str, type[Exhibit]] = {"table": Table, "figure": Figure}
WRITTEN = ("name", "title", "caption", "more", "location")
"""The fields of a table or figure that its heading, its paragraphs and the first key of its block say."""
EACH, METRICS = "each", "metrics"
"""The key of a section that is one for each row of a list, and the list that comes from the code."""


class Document(NamedTuple):
    """A document: what stands before its first section, the block of that, its sections, and the step that makes them."""

    begin: Section
    head: PageHead
    sections: list[Section]
    step: str = Exhibit.step


@functools.cache
def page_of(study: str) -> Page:
    """Return what a study shows. DataError: its page has another form, or an analysis defines what the study does not take.

    >>> page_of("degrees").title
    'How prototypical is a pair of words for its relation?'
    """
    page = read_page(STUDIES / study / "page.md", lambda: study_of(study).metrics(), analyses_of(study))
    for analysis in analyses_of(study):
        _check_names(analysis, study, study_of(study).takes)
    return page


def _check_names(analysis: Analysis, study: str, takes: Sequence[str]) -> None:
    """Refuse a name of an analysis that other studies take and this one does not: it would be passed over."""
    if ignored := sorted(analysis.names & NAMES_OF_SOME_STUDIES - {*takes}):
        remark = f" (it takes {enumeration(takes)})" if takes else ""
        raise DataError(
            f"{analysis.path}: {study} takes no {ignored[0]} of its analyses{remark}: leave it out, or say so in `takes` of "
            f"studies/{study}/study.py where the study reads it."
        )


def has_in_run(study: str, config: Config, roles: Roles, facts: Mapping[str, bool]) -> dict[str, bool]:
    """Return name of `may_lack` of a study's page -> whether a run has that. `facts`: what the study says of the run.

    The others follow from the agents (`Roles.facts`), or are said by the analyses that may lack it (core/analyses.py).
    DataError: nothing says so, or an analysis says what the study denies.

    >>> roles, facts = Roles(["gpt2"], [], [], [], {}, {}), {"paper": True, "questions": True, "static": False}
    >>> has_in_run("degrees", {}, roles, facts)["layers"]
    False
    """
    analysis_facts, facts = facts_of(study, config, roles), {**roles.facts(), **facts}
    if denied := [name for name, is_there in analysis_facts.items() if facts.get(name, is_there) != is_there]:
        raise DataError(
            f"an analysis of {study} says of {denied[0]} what the study denies: give it another name in may_lack of the "
            "analysis."
        )
    return page_of(study).has(facts | analysis_facts)


def read_page(path: Path, metrics: Callable[[], Iterable[Metric]] = tuple, analyses: Iterable[Analysis] = ()) -> Page:
    """Read the page of a study. `metrics`: returns its metrics, for sections with `each: metrics`.

    DataError, with the file and the line: a part is missing or has another form; a key, a text or a table that is named is
    not there; a table or figure is there twice.
    """
    if not path.is_file():
        raise DataError(f"{path} is missing: write the page of the study, as docs/how-to/add-a-study.md shows.")
    shared, page = _shared(), _document(path, read_own_text(path))
    title, head = page.begin, page.head
    if not title.heading or not title.paragraphs:
        raise DataError(
            f"{title.location}: a title such as # What is it? or the paragraph below it is missing: write it."
        )
    documents = [page, *map(_document_of, analyses)]
    words = {**shared.head.words, **head.words}
    page_exhibits, *analysis_exhibits = [_exhibits(document, words, metrics) for document in documents]
    exhibits = _in_order(page_exhibits, list(itertools.chain(*analysis_exhibits)), head.parts)
    named = {name for exhibit in exhibits for name in (*exhibit.needs, *exhibit.without)}
    lacks = {name: text for name, text in shared.head.may_lack.items() if name in named}
    content = Page(
        title=title.heading,
        lead=title.paragraphs[0],
        exhibits=exhibits,
        columns=_joined(document.head.columns for document in documents),
        may_lack=_joined([lacks, *(document.head.may_lack for document in documents)]),
        notices=head.notices,
        front=head.front or [exhibit.name for exhibit in exhibits if isinstance(exhibit, Figure)],
        quantities=head.pictured,
        reading=(*shared.begin.paragraphs[1:], *title.paragraphs[1:]),
    )
    _check(content, path)
    return content


def _joined(several: Iterable[Texts]) -> dict[str, str]:
    return {name: text for texts in several for name, text in texts.items()}


@functools.cache
def _shared() -> Document:
    return _document(SHARED, read_own_text(SHARED))


def _document(path: Path, text: str) -> Document:
    begin, *sections = read_sections(text, path)
    return Document(begin, PageHead(**read_fields(begin.block, PageHead, f"{begin.location}: a page")), sections)


def _document_of(analysis: Analysis) -> Document:
    """Read the docstring of an analysis, whose first paragraph is in place of a title."""
    begin, *sections = read_sections(analysis.page, analysis.path, analysis.line)
    if begin.heading or begin.paragraphs:
        raise DataError(
            f"{begin.location}: between the first paragraph and the first section stands more than a block of YAML: delete "
            "it, or write it into the first paragraph."
        )
    head = read_fields(begin.block, Head, f"{begin.location}: an analysis")
    return Document(begin, PageHead(**head), sections, analysis.name if STEP in analysis.names else Exhibit.step)


def _exhibits(document: Document, words: Texts, metrics: Callable[[], Iterable[Metric]]) -> list[Exhibit]:
    """Return the tables and figures of a document. `words`: those of page.md and shared.md."""
    words = {**words, **document.head.words}
    exhibits = []
    for section in itertools.chain(*map(_with_shared, document.sections)):
        for row in _rows(section, metrics):
            texts = {**words, **fill_in(row, words, section.location)}
            heading, block, paragraphs = fill_in(
                [section.heading, section.block, section.paragraphs], texts, section.location
            )
            complete = section._replace(heading=heading, block=block, paragraphs=paragraphs)
            exhibits.append(_exhibit(complete, document.step))
    return exhibits


def _with_shared(section: Section) -> list[Section]:
    """Return a section; where nothing stands below its heading, that of shared.md with this heading, and those in it."""
    if section.block or section.paragraphs:
        return [section]
    shared = _shared().sections
    numbers = {part.heading: number for number, part in enumerate(shared) if part.level == section.level}
    if section.heading not in numbers:
        raise DataError(
            f"{section.location}: nothing stands below this heading, which {SHARED.name} has not either: write a block of "
            f"YAML and a caption, or correct the heading; {hint(section.heading, numbers)}"
        )
    first, *following = shared[numbers[section.heading] :]
    return [first, *itertools.takewhile(lambda part: part.level > first.level, following)]


def _rows(section: Section, metrics: Callable[[], Iterable[Metric]]) -> list[dict[str, str]]:
    """Return the rows that a section is for: a row without cells if it says no `each`."""
    rows = section.block.get(EACH, [{}])
    if rows == METRICS:
        names = ("title", "caption", "items", "needs")
        try:
            titled = [metric for metric in metrics() if metric.title]
        except ImportError as error:
            reason = first_line(error)
            raise DataError(
                f"{section.location}: the metrics of the study cannot be read ({reason}): correct them."
            ) from error
        return [{"metric": metric.name} | {name: getattr(metric, name) for name in names} for metric in titled]
    cells = [row.values() if isinstance(row, dict) else [None] for row in rows] if isinstance(rows, list) else [[None]]
    if not all(isinstance(cell, str) for cell in itertools.chain(*cells)):
        raise DataError(
            f"{section.location}: each is neither {METRICS} nor a list of rows: write rows such as {{set: own}}."
        )
    return rows


def _exhibit(section: Section, step: str) -> Exhibit:
    """Return the table or figure of a section. `step`: what makes it, if it does not say so."""
    kinds = [key for key in KINDS if key in section.block]
    if len(kinds) != 1:
        raise DataError(
            f"{section.location}: no block below it names one table or one figure: write it, such as table: data."
        )
    if not 1 <= len(section.paragraphs) <= 2:
        raise DataError(
            f"{section.location}: {len(section.paragraphs)} paragraphs stand below it: write a caption, and what else is to "
            "be known into another one."
        )
    (name,) = kinds
    block = {key: value for key, value in section.block.items() if key != EACH}
    values = read_fields(block, KINDS[name], f"{section.location}: a {name}", not_keys=WRITTEN, also=(name,))
    values = {"step": step, "name": values.pop(name), **values}
    caption, more = (*section.paragraphs, "")[:2]
    return KINDS[name](title=section.heading, caption=caption, more=more, location=section.location, **values)


def _in_order(page_exhibits: list[Exhibit], analysis_exhibits: list[Exhibit], parts: Names) -> tuple[Exhibit, ...]:
    """Return the tables and figures of a page and of analyses: each before the one that it names, or else last.

    Then they are sorted by the parts of the page: a part that `parts` does not name, and what is not on the page, come last.
    DataError: the page has no table or figure of that name.
    """
    names = [exhibit.name for exhibit in page_exhibits]
    exhibits: list[Exhibit] = []
    for exhibit in (*page_exhibits, *analysis_exhibits):
        if exhibit.before and exhibit.before not in names:
            raise DataError(
                f"{exhibit.location}: page.md has no table or figure {exhibit.before!r}: {hint(exhibit.before, names)}"
            )
        following = (number for number, next_exhibit in enumerate(exhibits) if next_exhibit.name == exhibit.before)
        exhibits.insert(next(following, len(exhibits)), exhibit)
    rank = {part: number for number, part in enumerate(["", *parts])}
    if parts:
        exhibits.sort(key=lambda exhibit: (not exhibit.on_page, rank.get(exhibit.part, len(rank))))
    return tuple(exhibits)


def _check(page: Page, path: Path) -> None:
    """Refuse a file that is there twice, and names of what there is not.

    These are what a run may lack, the table of a figure, and the figures of the front page.
    """
    locations: dict[str, str] = {}  # file -> that of its section
    named = dict.fromkeys(page.notices, str(path))
    tables = [exhibit.name for exhibit in page.exhibits if isinstance(exhibit, Table)]
    figures = [exhibit.name for exhibit in page.exhibits if isinstance(exhibit, Figure)]
    for exhibit in page.exhibits:
        file, location = f"{exhibit.folder}/{exhibit.name}", exhibit.location
        if file in locations:
            raise DataError(
                f"{location}: {file} is there twice, also in {locations[file]}: rename or delete one of the two."
            )
        if isinstance(exhibit, Figure) and exhibit.values not in tables:
            raise DataError(
                f"{location}: the page has no table {exhibit.values} with the values: {hint(exhibit.values, tables)}"
            )
        locations[file] = location
        named |= dict.fromkeys([*exhibit.needs, *exhibit.without], location)
    texts = {text: str(path) for text in (page.lead, *page.reading)}
    texts |= {text: exhibit.location for exhibit in page.exhibits for text in (exhibit.caption, exhibit.more)}
    for text, location in texts.items():
        if PAPER not in page.may_lack and (italics := ITALICS.search(text)):
            raise DataError(
                f"{location}: “{italics[2][:40]}” is in italics, which only a run with the data of the paper says: write "
                f"{PAPER} and the words for these into may_lack, or the text without stars."
            )
    for name, location in named.items():
        if name not in page.may_lack:
            raise DataError(f"{location}: may_lack has no name {name}: {hint(name, page.may_lack)}")
    if idle := [name for name in page.may_lack if name not in named and name != PAPER]:
        raise DataError(f"{path}: no table, figure or notice names {idle[0]} of may_lack: delete it there.")
    if unknown := [name for name in page.front if name not in figures]:
        raise DataError(f"{path}: the page has no figure {unknown[0]} for the front page: {hint(unknown[0], figures)}")
