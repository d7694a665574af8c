"""Documents of Markdown: sections, each with a heading, a block of YAML with all that is no prose, and paragraphs.

    ## Agreement with people

    ```yaml
    table: overview
    needs: [static]
    ```

    A paragraph.

What the keys of a block are, a dataclass says, of which they are fields.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.files import parse_yaml
from relprobe.core.words import hint
from relprobe.report.exhibits import Names, Texts

FORMS: dict[Any, tuple[type, str]] = {
    str: (str, "a text"),
    bool: (bool, "true or false"),
    Names: (list, "a list of names, such as [people, static]"),
    Texts: (dict, "names, each with its text behind a colon"),
}
"""The type of a field -> what stands behind its key in YAML, and the words for it."""
HEADING = re.compile(r"\s*(?:<!--.*?-->\s*)?(?:(#{1,3}) (.*)$)?", re.MULTILINE)
BLOCK = re.compile(r"\s*^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NO_PARAGRAPH = re.compile(r"```|[-+*>|] |\{")


class Section(NamedTuple):
    """A section of a document: its level, as # has 1 and ### has 3, and its heading, block and paragraphs, a line each.

    `location`: the file and the line of the heading.
    """

    location: str
    level: int
    heading: str
    block: dict[str, Any]
    paragraphs: list[str]


def read_sections(text: str, path: Path, line: int = 1) -> list[Section]:
    r"""Return the sections of a document, after that of its title, whose heading is "" if it has none.

    `line`: the line of the file in which the text begins. DataError: a block is no YAML, or stands not below its heading.

    >>> read_sections("# Title\n\n## Data\n```yaml\ntable: data\n```\nAll\nrows.", Path("page.md"))[1]
    Section(location='page.md, line 3', level=2, heading='Data', block={'table': 'data'}, paragraphs=['All rows.'])
    """
    parts = re.split(r"^(?=###? )", text, flags=re.MULTILINE)
    lines = itertools.accumulate((part.count("\n") for part in parts), initial=line)
    return [_section(part, path, first) for part, first in zip(parts, lines, strict=False)]


def _section(text: str, path: Path, line: int) -> Section:
    """Read a section. `line`: the line of the file in which its text begins."""
    heading = HEADING.match(text)
    assert heading is not None  # it fits every text
    block = BLOCK.match(text, heading.end())
    above = text.count("\n", 0, heading.end())
    location = f"{path}, line {line + above}"
    content: Any = {}
    if block is not None:
        lines_above = line - 1 + text.count("\n", 0, block.start(1))
        content = parse_yaml("\n" * lines_above + block[1], path) or {}
    if not isinstance(content, dict):
        raise DataError(f"{location}: the block of YAML below it has no keys: write them, such as table: data.")
    body = text[(block or heading).end() :]
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", body) if paragraph.strip()]
    if unread := [paragraph for paragraph in paragraphs if NO_PARAGRAPH.match(paragraph)]:
        raise DataError(
            f"{location}: below it stands “{unread[0][:40]}”, which is no paragraph: write what is no prose into one block, "
            "which begins with ```yaml below the heading and ends with ```."
        )
    return Section(location, len(heading[1] or ""), (heading[2] or "").strip(), content, paragraphs)


def read_fields(
    block: Mapping[str, Any], kind: type, owner: str, not_keys: Names = (), also: Names = ()
) -> dict[str, Any]:
    """Return what a block says of a dataclass: field -> value, with lists as tuples, in which "" is no name.

    `owner`: the location of the block, and what it is of. `not_keys`: fields that no block has. `also`: keys of texts that
    are no fields. DataError: another key, or another form of a value.
    """
    forms = {entry.name: FORMS[entry.type] for entry in fields(kind) if entry.name not in not_keys}
    forms = {**dict.fromkeys(also, FORMS[str]), **forms}
    for key, value in block.items():
        if key not in forms:
            raise DataError(f"{owner} has no key {key!r}: {hint(str(key), forms)}")
        form, words = forms[key]
        parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        if not isinstance(value, form) or not all(isinstance(part, str) for part in parts):
            raise DataError(
                f"{owner} has a key {key} that is not {words}: correct it, with quotes around what is no text."
            )
    return {key: tuple(filter(None, value)) if isinstance(value, list) else value for key, value in block.items()}


def fill_in(value: Any, texts: Texts, location: str) -> Any:
    """Return a text, or lists and mappings of texts, with each $NAME replaced by the text of this name.

    >>> fill_in({"figure": "size_$metric", "on_page": True}, {"metric": "rho"}, "page.md, line 3")
    {'figure': 'size_rho', 'on_page': True}
    """
    if isinstance(value, dict):
        return {key: fill_in(part, texts, location) for key, part in value.items()}
    if isinstance(value, list):
        return [fill_in(part, texts, location) for part in value]
    try:
        return Template(value).substitute(texts) if isinstance(value, str) else value
    except KeyError as error:
        raise DataError(f"{location}: no text has the name ${error.args[0]}: {hint(error.args[0], texts)}") from None
    except ValueError:
        raise DataError(f"{location}: a $ stands before no name: write $$ if you mean the sign.") from None
