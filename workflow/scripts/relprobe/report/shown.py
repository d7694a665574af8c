"""What a study shows: the tables and figures of its page, in their order, as the document studies/STUDY/page.md has them.

The document begins with what it says of all of them, in YAML between two lines of dashes: `may_lack` (what a run may lack: a
name, and the words for it), `notices` (what every page says first if a run lacks something: a name of `may_lack`, and the
sentence), `columns` (what the columns of several tables mean), `front` (the figures that may stand on the front page, of
which the first that a run has does; without it these are all in the order of the page), `reading` (how to read the page:
paragraphs, which are said once) and `pictured` (what is drawn beside its paper: a quantity of its published figures, and its
title). The title of the page and its lead follow, and a section for each table or figure:

    ## Agreement with people
    {table: overview, part: Data, needs: people}

    The caption, which is two sentences at most[paper| (Figure 3 of the paper)].

    What else is to be known, which the page folds away.

    > without static: A sentence that this has as well, if a run lacks what `may_lack` calls static.
    > empty: The reason why a run may have no value here.

    - `rho`: what this column means, in this table

Further analyses of a study, which are files in its folder `analyses`, have such sections, and such YAML if they need it, in
their docstrings (core/analyses.py). On the page they follow the sections of page.md of the same part, or stand before that
which `before` names; `parts` names the parts of a page in their order. An analysis with a step of its own has the files of
its sections made by that step, if they name no other.

What stands behind `[paper|` is said only in a run that has what `may_lack` calls paper: the relations and data of the paper.

The line in braces has attributes of `Table` or `Figure`. What several sections or pages say alike is a macro or a loop of
Jinja: `shared` holds the macros of shared.md, and `measures()` the metrics of the study.
From a page follow the outputs of the rules, the HTML page, the captions of `snakemake --report`, and the lists in
docs/pages.md. Snakemake reads it to plan a run.
"""

import functools
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import jinja2

from relprobe.core.analyses import STEP, Analysis, analyses_of
from relprobe.core.analyses import read as read_analysis
from relprobe.core.errors import DataError, first_line
from relprobe.core.files import parse_yaml, read_own_text
from relprobe.core.study import study_of
from relprobe.core.words import hint

STUDIES = Path(__file__).parents[1] / "studies"
SHARED = Path(__file__).with_name("shared.md")
PLACE = "\x1f"
"""The sign between a heading and its place: the file and the line, which are lost when Jinja fills in macros and loops."""
HEAD: dict[str, Any] = {
    "may_lack": {},
    "notices": {},
    "front": [],
    "parts": [],
    "pictured": {},
    "columns": {},
    "reading": [],
}
"""What a page may say before its title -> what it says if the page lacks that."""
WRITTEN = ("name", "title", "caption", "more", "without", "empty", "columns")
"""What a table or figure has that is no attribute in braces."""
ITEM = re.compile(r"(?:- `([^`\n]+)`|> without (\w+)|> (empty)): (.+)", re.DOTALL)
"""A line below a caption, which may be broken: a column, what a run lacks, or why there is no value; and the text."""
PAPER = "paper"
"""The name in `may_lack` of the relations and data of the paper."""
OF_PAPER = re.compile(r"\[paper\|([^\]]*)\]")
"""What is said only in a run that has them."""
NO_VALUE = "This run has no value for it."
"""Why a table or figure is empty, if its page says no reason."""


@dataclass(frozen=True)
class Exhibit:
    """A table or a figure.

    `caption`: what to see in it. `step`: the step of the study that makes it. `needs`: names of `Page.may_lack`, with spaces
    between them; a run has it if it has all of these. `more`: what else is to be known, which a page folds away. `without`:
    name of `Page.may_lack` -> what this says as well if a run lacks that. `empty`: why a run may have no value here.
    `part`: the part of the page that it is folded away in; empty: it is seen at once. `on_page`: False: it is a file alone,
    such as the values behind a figure. `before`: of an analysis, the table or figure of page.md that it stands before.
    """

    name: str
    title: str
    caption: str
    step: str = "show"
    needs: str = ""
    more: str = ""
    without: Mapping[str, str] = field(default_factory=dict)
    empty: str = NO_VALUE
    part: str = ""
    on_page: bool = True
    before: str = ""
    folder: ClassVar[str]


@dataclass(frozen=True)
class Table(Exhibit):
    """A table: the file tables/NAME.csv.

    `columns`: what its columns mean, where `Page.columns` and the glossary of all studies do not. A name with a star stands
    for all columns that fit it. `like`: a table whose cells lead to answers in the same way (`PageWords.addresses`).
    """

    like: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    folder: ClassVar[str] = "tables"


@dataclass(frozen=True)
class Figure(Exhibit):
    """A figure: the files figures/NAME.svg and NAME.png. `values`: the table with its values."""

    values: str = "averages"
    folder: ClassVar[str] = "figures"


@dataclass(frozen=True)
class Page:
    """What the page of a study says."""

    title: str
    lead: str  # the paragraph below the title
    exhibits: tuple[Exhibit, ...]
    columns: Mapping[str, str]
    may_lack: Mapping[str, str]
    notices: Mapping[str, str] = field(default_factory=dict)
    front: Sequence[str] = ()
    quantities: Mapping[str, str] = field(default_factory=dict)
    reading: Sequence[str] = ()  # how to read the page

    def notice(self, has: Mapping[str, bool]) -> str:
        """Return what every page of the study says first, as the run lacks something. `has`: as for `available`.

        >>> page = Page("Title?", "", (), {}, {"two": "models of two sizes"}, {"two": "One size."})
        >>> page.notice({"two": False}), page.notice({"two": True})
        ('One size.', '')
        """
        return " ".join(text_in_run(text, has) for name, text in self.notices.items() if not has[name])

    def available(self, has: Mapping[str, bool]) -> list[Exhibit]:
        """Return the tables and figures that a run has, with what is to be known of them, in the order of the page.

        `has`: name of `may_lack` -> whether the run has that. ValueError: `has` has other names.

        >>> table = Table("all", "All", "Rows.", without={"two": "One size."})
        >>> shown = Figure("sizes", "Sizes", "A line.", needs="two"), table
        >>> page = Page("Title?", "", shown, {}, {"two": "models of two sizes"})
        >>> [(one.name, one.more) for one in page.available({"two": True})]
        [('sizes', ''), ('all', '')]
        >>> [(one.name, one.more) for one in page.available({"two": False})]
        [('all', 'One size.')]
        """
        if has.keys() != self.may_lack.keys():
            raise ValueError(f"the names {sorted(has)} are not those of may_lack, {sorted(self.may_lack)}")
        return [_whole(one, has) for one in self.exhibits if not _lacking(one, has)]

    def missing(self, has: Mapping[str, bool]) -> dict[str, str]:
        """Return the tables and figures of the page that a run does not have: title -> what it lacks. `has`: as above.

        >>> shown = Figure("sizes", "Sizes", "A line.", needs="two"), Table("all", "All", "Rows.")
        >>> Page("Title?", "", shown, {}, {"two": "models of two sizes"}).missing({"two": False})
        {'Sizes': 'It needs models of two sizes.'}
        """
        lacking = {one.title: _lacking(one, has) for one in self.exhibits if one.on_page}
        return {
            title: f"It needs {' and '.join(self.may_lack[name] for name in names)}."
            for title, names in lacking.items()
            if names
        }

    def in_run(self, has: Mapping[str, bool]) -> "Page":
        """Return the page as a run has it: what it says of the paper stands only in a run that is the paper's.

        >>> page = Page("Title?", "Words[paper| of Cao]. ", (), {"n": "number[paper| (Table 1)]"}, {"paper": "data"})
        >>> page.in_run({"paper": True}).lead, page.in_run({"paper": False}).columns
        ('Words of Cao.', {'n': 'number'})
        """
        columns = {name: text_in_run(text, has) for name, text in self.columns.items()}
        reading = [text for text in (text_in_run(text, has) for text in self.reading) if text]
        exhibits = tuple(self.available(has))
        return replace(self, lead=text_in_run(self.lead, has), columns=columns, reading=reading, exhibits=exhibits)


KINDS: dict[str, type[Exhibit]] = {"table": Table, "figure": Figure}


def _lacking(one: Exhibit, has: Mapping[str, bool]) -> list[str]:
    """Return what a table or figure needs and a run lacks: names of `Page.may_lack`."""
    return [name for name in one.needs.split() if not has[name]]


def _whole(one: Exhibit, has: Mapping[str, bool]) -> Exhibit:
    """Return a table or figure with what it says of what the run lacks, and of the paper if the run is the paper's."""
    more = [one.more, *(text for name, text in one.without.items() if not has[name])]
    shown = replace(one, caption=text_in_run(one.caption, has), more=text_in_run(" ".join(filter(None, more)), has))
    if isinstance(shown, Table):
        return replace(shown, columns={name: text_in_run(text, has) for name, text in shown.columns.items()})
    return shown


def text_in_run(text: str, has: Mapping[str, bool]) -> str:
    """Return a text as a run has it: what is of the paper alone (OF_PAPER) is kept or left out.

    >>> text_in_run("A curve[paper| (Eq. 27)].", {"paper": True}), text_in_run("A curve[paper| (Eq. 27)].", {"paper": False})
    ('A curve (Eq. 27).', 'A curve.')
    """
    return OF_PAPER.sub(r"\1" if has.get(PAPER) else "", text).strip()


@functools.cache
def page_of(study: str) -> Page:
    """Return what a study shows. DataError: its page has another form.

    >>> page_of("degrees").title
    'How prototypical is a pair of words for its relation?'
    """
    return read_page(STUDIES / study / "page.md", lambda: study_of(study).metrics(), analyses_of(study))


def read_page(path: Path, measures: Callable[[], Iterable[Any]] = tuple, analyses: Iterable[Analysis] = ()) -> Page:
    """Read the page of a study. `measures`: returns its metrics, for a page that asks for them.

    DataError, with the file and the line: a part is missing or has another form; a key, an attribute or a name that is none
    of `may_lack`; a table, a figure or a column is there twice; a figure names no table of the page.
    """
    if not path.is_file():
        raise DataError(f"{path} is missing: write the page of the study, as docs/adding.md shows.")
    above = read_own_text(path).partition("---\n")[0].count("\n")  # a comment with the name of the file, in a manual
    parts = re.split(r"^---$", _filled(path, measures), maxsplit=2, flags=re.MULTILINE)
    if len(parts) < 3 or parts[0].strip():
        raise DataError(
            f"{path}, line 1: it does not begin with YAML between two lines ---, such as columns: write it."
        )
    head = _head("\n" * above + parts[1], path)
    begin, *sections = re.split(r"^## ", parts[2], flags=re.MULTILINE)
    title, lead = _title(begin, path)
    own = [_exhibit(section, path) for section in sections]
    of_analyses = [one for analysis in analyses for one in _of_analysis(analysis, head, measures)]
    found = _in_their_places(own, of_analyses)
    if in_order := head.pop("parts"):
        found.sort(key=lambda one: _part_number(one[1], ["", *in_order]))
    places, exhibits = zip(*found, strict=True) if found else ((), ())
    front = head.pop("front") or [one.name for one in exhibits if isinstance(one, Figure)]
    about = {"front": front, "quantities": head.pop("pictured"), "reading": tuple(head.pop("reading"))}
    page = Page(title, lead, exhibits, **about, **head)
    _check(page, places, path)
    return page


def _of_analysis(
    analysis: Analysis, head: dict[str, Any], measures: Callable[[], Iterable[Any]]
) -> list[tuple[str, Exhibit]]:
    """Return the sections of an analysis; what its YAML says is added to what the page says before its title (`head`)."""
    begin, *sections = re.split(r"^## ", _filled(analysis.path, measures), flags=re.MULTILINE)
    if begin.strip():
        parts = re.split(r"^---$", begin, maxsplit=2, flags=re.MULTILINE)
        if len(parts) < 3 or parts[0].strip() or parts[2].strip():
            raise DataError(
                f"{analysis.path}, line {analysis.line}: between the first paragraph and the first section stands more than "
                "YAML between two lines ---: delete it, or write it into the first paragraph."
            )
        for key, value in _head("\n" * (analysis.line - 1) + parts[1], analysis.path).items():
            head[key] = head[key] | value if isinstance(value, dict) else [*head[key], *value]
    step = analysis.name if STEP in analysis.names else Exhibit.step
    return [_exhibit(section, analysis.path, step) for section in sections]


def _in_their_places(
    own: Sequence[tuple[str, Exhibit]], of_analyses: Sequence[tuple[str, Exhibit]]
) -> list[tuple[str, Exhibit]]:
    """Return the sections of a page, `own`, and those of analyses: each before the one that it names, or else last.

    DataError: the page has no such section.
    """
    names = [one.name for _, one in own]
    for place, one in (*own, *of_analyses):
        if one.before and one.before not in names:
            raise DataError(f"{place}: page.md has no table or figure {one.before!r}: {hint(one.before, names)}")
    found = []
    for number, section in enumerate(own):
        name = section[1].name
        if name not in names[:number]:
            found += [one for one in of_analyses if one[1].before == name]
        found.append(section)
    return [*found, *(one for one in of_analyses if not one[1].before)]


def _part_number(one: Exhibit, parts: Sequence[str]) -> tuple[bool, int]:
    """Return where a part of the page stands: what is not on the page, and a part without a place, come last."""
    return not one.on_page, parts.index(one.part) if one.part in parts else len(parts)


def _filled(path: Path, measures: Callable[[], Iterable[Any]]) -> str:
    """Return the text of a page, with macros and loops filled in, and the place of each section behind its title."""
    try:
        shared = _documents().get_template(str(SHARED)).module
        return _documents().get_template(str(path)).render(shared=shared, measures=measures)
    except (
        jinja2.TemplateError,
        TypeError,
        ImportError,
    ) as error:  # such as an unknown argument; a study without metrics
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in (str(path), str(SHARED))
        ]
        line = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(path)
        raise DataError(f"{line}: {first_line(error)}: correct it.") from error


@functools.cache
def _documents() -> jinja2.Environment:
    """Return what reads the pages of all studies, so that what they share is compiled once in a plan."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        autoescape=False,  # noqa: S701 (Markdown, which the HTML page escapes)
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["of_paper"] = _paper_text
    return environment


def _paper_text(text: str) -> str:
    """Return a text whose brackets on the paper are said only in a run that is the paper's (OF_PAPER).

    >>> _paper_text("The share of probes (Eq. 11; Figure 4 of the paper).")
    'The share of probes[paper| (Eq. 11; Figure 4 of the paper)].'
    """
    return re.sub(r" \([^()]*of the paper[^()]*\)", r"[paper|\g<0>]", text)


def _source(name: str) -> tuple[str, str, Callable[[], bool]]:
    """Return the text of a file for Jinja, with the place of each section behind its title, and whether it is still so."""
    path = Path(name)
    read_at = path.stat().st_mtime_ns
    whole, first = read_own_text(path), 1
    if path.suffix == ".py":
        _, _, whole, first, *_ = read_analysis(path)
    lines = enumerate(whole.split("\n"), first)
    text = [f"{line}{PLACE}{name}{PLACE}{number}" if line.startswith("## ") else line for number, line in lines]
    return "\n".join(text), name, lambda: path.stat().st_mtime_ns == read_at


def _head(text: str, path: Path) -> dict[str, Any]:
    """Return what a page says before its title: each key of HEAD, with an empty value if the page lacks it."""
    given = parse_yaml(text, path) or {}
    if not isinstance(given, dict):
        raise DataError(f"{path}, line 2: what stands before the title has no keys: write {', '.join(HEAD)}.")
    for key, value in given.items():
        if key not in HEAD:
            raise DataError(f"{path}: a page has no key {key!r} before its title: {hint(str(key), HEAD)}")
        words = [*value, *value.values()] if isinstance(value, dict) else value
        if not isinstance(value, type(HEAD[key])) or not all(isinstance(word, str) for word in words):
            lists = {"front": "a list of names", "parts": "a list of names", "reading": "a list of texts"}
            form = lists.get(key, "names, each with its text behind a colon")
            raise DataError(
                f"{path}: {key} has not the form of {form}: correct it, with quotes around what is no text."
            )
    return HEAD | given


def _title(begin: str, path: Path) -> tuple[str, str]:
    """Return the title of a page and the paragraph below it."""
    title, *paragraphs = _blocks(begin) or [""]
    if not title.startswith("# ") or "\n" in title:
        raise DataError(f"{path}: no title stands below the second line ---: write one, such as # What do models know?")
    if len(paragraphs) != 1:
        raise DataError(
            f"{path}: {len(paragraphs)} paragraphs stand between the title and the first section: write one."
        )
    return title[2:], _line(paragraphs[0])


def _exhibit(section: str, path: Path, step: str = Exhibit.step) -> tuple[str, Exhibit]:
    """Return the place of the title of a section, and its table or figure. `step`: what makes it, if it does not say so."""
    heading, _, rest = section.partition("\n")
    title, file, number = [*heading.split(PLACE), str(path), "1"][:3]
    place = f"{file}, line {number}"
    attributes, _, text = rest.partition("\n")
    kind, given = _attributes(attributes, Path(file), int(number) + 1)
    caption, *lists = _blocks(text) or [""]
    if not caption or ITEM.match(caption):
        raise DataError(f"{place}: the caption is missing: write a paragraph below the attributes.")
    more = _line(lists.pop(0)) if lists and not lists[0].startswith(("-", ">")) else ""
    without, columns, empty = _lists(lists, place)
    if columns and kind is Figure:
        raise DataError(f"{place}: a figure has no columns: say what they mean below the table of its values.")
    about: dict[str, Any] = {"columns": columns} if kind is Table else {}
    given.setdefault("step", step)
    return place, kind(
        title=title, caption=_line(caption), more=more, without=without, empty=empty or NO_VALUE, **given, **about
    )


def _attributes(text: str, file: Path, line: int) -> tuple[type[Exhibit], dict[str, Any]]:
    """Return the kind of an exhibit and its attributes, with its name. `text`: the line in braces."""
    place = f"{file}, line {line}"
    given = parse_yaml("\n" * (line - 1) + text, file) if re.fullmatch(r"\{.*\}", text) else {}
    if sum(kind in given for kind in KINDS) != 1:
        raise DataError(
            f"{place}: no attributes of one table or figure stand below its title: write them, such as {{table: data}}."
        )
    kind = next(kind for name, kind in KINDS.items() if name in given)
    known = [*(name for name in KINDS if name in given), *(one.name for one in fields(kind) if one.name not in WRITTEN)]
    for key, value in given.items():
        if key not in known:
            raise DataError(f"{place}: a {known[0]} has no attribute {key!r}: {hint(str(key), known)}")
        if not isinstance(value, bool if key == "on_page" else str):
            raise DataError(
                f"{place}: {key} has the value {value!r}: write {'true or false' if key == 'on_page' else 'a name'}."
            )
    return kind, {"name" if key == known[0] else key: value for key, value in given.items()}


def _lists(blocks: Iterable[str], place: str) -> tuple[dict[str, str], dict[str, str], str]:
    """Return what stands below a caption: what is said if a run lacks something, what columns mean, and why it is empty."""
    without: dict[str, str] = {}
    columns: dict[str, str] = {}
    empty: dict[str, str] = {}
    for item in (item for block in blocks for item in re.split(r"\n(?=- |> (?:without |empty: ))", block)):
        found = ITEM.fullmatch(item.replace("\n> ", "\n"))
        if found is None:
            start = _line(item)[:40]
            raise DataError(
                f"{place}: below the caption stands “{start}”, which is neither a column (- `NAME`: its meaning) nor what "
                "a run lacks (> without NAME: a sentence): correct it, or write a paragraph as the caption and another as "
                "what is folded away."
            )
        texts, name = (columns, found[1]) if found[1] else (without, found[2]) if found[2] else (empty, found[3])
        if name in texts:
            raise DataError(f"{place}: {name} is explained twice below the caption: delete one of the two.")
        texts[name] = _line(found[4])
    return without, columns, empty.get("empty", "")


def _check(page: Page, places: Sequence[str], path: Path) -> None:
    """Refuse a file that is there twice, and names of what there is not.

    These are what a run may lack, the table of a figure, and the figures of the front page.
    """
    files: dict[str, str] = {}  # name -> place
    for place, one in zip(places, page.exhibits, strict=True):
        file = f"{one.folder}/{one.name}"
        if before := files.get(file):
            raise DataError(f"{place}: {file} is there twice, also in {before}: rename or delete one of the two.")
        files[file] = place
    tables = {one.name for one in page.exhibits if isinstance(one, Table)}
    named = dict.fromkeys(page.notices, str(path))
    for place, one in zip(places, page.exhibits, strict=True):
        named |= dict.fromkeys([*one.needs.split(), *one.without], place)
        if isinstance(one, Figure) and one.values not in tables:
            raise DataError(f"{place}: the page has no table {one.values} with the values: {hint(one.values, tables)}")
    for name, place in named.items():
        if name not in page.may_lack:
            raise DataError(f"{place}: may_lack has no name {name}: {hint(name, page.may_lack)}")
    if idle := [name for name in page.may_lack if name not in named and name != PAPER]:
        raise DataError(f"{path}: no table, figure or notice names {idle[0]} of may_lack: delete it there.")
    figures = [one.name for one in page.exhibits if isinstance(one, Figure)]
    if unknown := [name for name in page.front if name not in figures]:
        raise DataError(f"{path}: the page has no figure {unknown[0]} for the front page: {hint(unknown[0], figures)}")


def _blocks(text: str) -> list[str]:
    """Return the paragraphs and lists of a text."""
    return [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]


def _line(text: str) -> str:
    return " ".join(text.split())
