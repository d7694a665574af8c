"""What a study shows: tables and figures, each with its caption, and the page that holds them.

shown.py reads them from the page's document.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from relprobe.core.errors import DataError
from relprobe.core.words import enumeration, hint

Names = tuple[str, ...]
Texts = Mapping[str, str]
PAPER = "paper"
"""The name in `may_lack` of the relations and the data of the paper."""
ITALICS = re.compile(r"(\s*)(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])")
"""A text in italics, with the blanks before it."""
NO_VALUE = "This run has no value for it."
"""Why a table or figure is empty, if its page says no reason."""


@dataclass(frozen=True)
class Exhibit:
    """A table or a figure.

    `caption`: what to see in it. `step`: the step of the study that makes it. `needs`: names of `Page.may_lack`; a run has
    it if it has all of these. `more`: what else is to be known, which a page folds away. `without`: name of `Page.may_lack`
    -> what this says as well if a run lacks that. `empty`: why a run may have no value here. `part`: the part of the page
    that it is folded away in; empty: it is seen at once. `on_page`: False: it is a file alone, such as the values behind a
    figure. `before`: the table or figure of page.md that it stands before. `location`: the file and the line of its section.
    """

    name: str
    title: str
    caption: str
    step: str = "show"
    needs: Names = ()
    more: str = ""
    without: Texts = field(default_factory=dict)
    empty: str = NO_VALUE
    part: str = ""
    on_page: bool = True
    before: str = ""
    location: str = field(default="", compare=False, repr=False)
    folder: ClassVar[str]

    def lacking(self, has: Mapping[str, bool]) -> list[str]:
        """Return what it needs and a run lacks: names of `Page.may_lack`. `has`: as for `Page.available`."""
        return [name for name in self.needs if not has[name]]

    def in_run(self, has: Mapping[str, bool]) -> Self:
        """Return it with what it says of what a run lacks, and of the paper if the run is the paper's. `has`: as above."""
        more = " ".join([self.more, *(text for name, text in self.without.items() if not has[name])])
        return replace(self, caption=text_in_run(self.caption, has), more=text_in_run(more, has))


@dataclass(frozen=True)
class Table(Exhibit):
    """A table: the file tables/NAME.csv.

    `columns`: what its columns mean, where `Page.columns` and the glossary of all studies do not. A name with a star stands
    for all columns that fit it. `like`: a table whose cells lead to answers in the same way (`PageWords.addresses`).
    """

    like: str = ""
    columns: Texts = field(default_factory=dict)
    folder: ClassVar[str] = "tables"

    def in_run(self, has: Mapping[str, bool]) -> Self:
        """Return the table as above, with the meanings of its columns."""
        return replace(super().in_run(has), columns=_texts_in_run(self.columns, has))


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
    columns: Texts
    may_lack: Texts
    notices: Texts = field(default_factory=dict)
    front: Sequence[str] = ()
    quantities: Texts = field(default_factory=dict)
    reading: Sequence[str] = ()  # how to read the page

    def has(self, facts: Mapping[str, bool]) -> dict[str, bool]:
        """Return name of `may_lack` -> whether a run has that. `facts`: all that the study and its analyses say of the run.

        DataError: nothing says whether a run has what the page, or an analysis of it, may lack.

        >>> Page("Title?", "", (), {}, {"two": "models of two sizes"}).has({"two": False, "layers": True})
        {'two': False}
        """
        for name in self.may_lack:
            if name not in facts:
                raise DataError(
                    f"the page “{self.title}” or an analysis of it has {name} under may_lack, but nothing says whether a "
                    f"run has that: {hint(name, facts)} Or write a function `has` into the analysis, or say it in `in_run` "
                    "of the study."
                )
        return {name: facts[name] for name in self.may_lack}

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
        >>> exhibits = Figure("sizes", "Sizes", "A line.", needs=("two",)), table
        >>> page = Page("Title?", "", exhibits, {}, {"two": "models of two sizes"})
        >>> [(exhibit.name, exhibit.more) for exhibit in page.available({"two": True})]
        [('sizes', ''), ('all', '')]
        >>> [(exhibit.name, exhibit.more) for exhibit in page.available({"two": False})]
        [('all', 'One size.')]
        """
        if has.keys() != self.may_lack.keys():
            raise ValueError(f"the names {sorted(has)} are not those of may_lack, {sorted(self.may_lack)}")
        return [exhibit.in_run(has) for exhibit in self.exhibits if not exhibit.lacking(has)]

    def figures(self, has: Mapping[str, bool], steps: Collection[str] = ("show",)) -> list[Figure]:
        """Return the figures that a run has and that one of these steps draws, in the order of the page. `has`: as above.

        >>> exhibits = Table("all", "All", "Rows."), Figure("sizes", "Sizes", "Dots."), Figure("x", "X", "Bars.", step="y")
        >>> [figure.name for figure in Page("Title?", "", exhibits, {}, {}).figures({})]
        ['sizes']
        """
        exhibits = self.available(has)
        return [exhibit for exhibit in exhibits if isinstance(exhibit, Figure) and exhibit.step in steps]

    def tables(self, has: Mapping[str, bool], steps: Collection[str] = ("show",)) -> list[Table]:
        """Return the tables that a run has and that one of these steps makes, in the order of the page. `has`: as above.

        >>> exhibits = Table("all", "All", "Rows."), Figure("sizes", "Sizes", "Dots."), Table("x", "X", "Rows.", step="y")
        >>> [table.name for table in Page("Title?", "", exhibits, {}, {}).tables({}, ["y"])]
        ['x']
        """
        exhibits = self.available(has)
        return [exhibit for exhibit in exhibits if isinstance(exhibit, Table) and exhibit.step in steps]

    def missing(self, has: Mapping[str, bool]) -> dict[str, str]:
        """Return the tables and figures of the page that a run does not have: title -> what it lacks. `has`: as above.

        >>> exhibits = Figure("sizes", "Sizes", "A line.", needs=("two",)), Table("all", "All", "Rows.")
        >>> Page("Title?", "", exhibits, {}, {"two": "models of two sizes"}).missing({"two": False})
        {'Sizes': 'It needs models of two sizes.'}
        """
        return {
            exhibit.title: f"It needs {enumeration(self.may_lack[name] for name in exhibit.lacking(has))}."
            for exhibit in self.exhibits
            if exhibit.on_page and exhibit.lacking(has)
        }

    def in_run(self, has: Mapping[str, bool]) -> "Page":
        """Return the page as a run has it: what it says of the paper stands only in a run that is the paper's.

        >>> page = Page("Title?", "Words *of Cao*.", (), {"n": "number *(Table 1)*"}, {"paper": "data"})
        >>> page.in_run({"paper": True}).lead, page.in_run({"paper": False}).columns
        ('Words of Cao.', {'n': 'number'})
        """
        columns, reading = _texts_in_run(self.columns, has), [text_in_run(text, has) for text in self.reading]
        exhibits = tuple(self.available(has))
        lead = text_in_run(self.lead, has)
        return replace(self, lead=lead, exhibits=exhibits, columns=columns, reading=list(filter(None, reading)))


def text_in_run(text: str, has: Mapping[str, bool]) -> str:
    """Return a text as a run has it: what is in italics is kept, or left out with the blanks before it.

    >>> text_in_run("A curve *(Eq. 27)*.", {"paper": True}), text_in_run("A curve *(Eq. 27)*.", {"paper": False})
    ('A curve (Eq. 27).', 'A curve.')
    """
    return ITALICS.sub(r"\1\2" if has.get(PAPER) else "", text).strip()


def _texts_in_run(texts: Texts, has: Mapping[str, bool]) -> dict[str, str]:
    return {name: text_in_run(text, has) for name, text in texts.items()}
