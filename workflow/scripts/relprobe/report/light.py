"""What makes a page light: figures without what nobody needs, their styles said once, and long tables packed.

A page is a file of its own, so that it can be mailed and opens without a connection: the rows that it does not show at once
are packed inside it, and a browser unpacks them when a reader asks for them.
"""

import base64
import re
import zlib
from collections import Counter

COORDINATES = re.compile(r'\b(d|x|y|x1|x2|y1|y2|cx|cy|points|transform|width|height)="([^"]*)"')
"""The attributes of a figure that hold places."""
DIGITS = {"transform": 4}
"""Attribute -> the digits of its numbers, if it is not two: a transformation may scale by a small one."""
NUMBER = re.compile(r"-?\d+\.\d{3,}")
STYLE = re.compile(r' style="([^"]*)"')
FEWEST = 3
"""How often a style stands on a page before it gets a name."""
METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
EMPTY = re.compile(r"<g(?: data-agent=\"[^\"]*\")?/>\s*")


def slim(svg: str) -> str:
    """Return a figure without metadata, groups that say nothing, and ids that nothing refers to; places have two digits.

    >>> slim('<g id="a"><path id="b" d="M 1.23456 2.5"/> <use href="#b"/></g><g id="c"/><g data-agent="m"><text/></g>')
    '<path id="b" d="M 1.23 2.5"/><use href="#b"/><g data-agent="m"><text/></g>'
    """
    needed = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    named = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in needed else "", METADATA.sub("", svg))
    joined = re.sub(r">\s+<", "><", EMPTY.sub("", named))
    return COORDINATES.sub(_short, _without_bare_groups(joined))


def _without_bare_groups(svg: str) -> str:
    """Return a figure without the tags of groups that have no attribute.

    >>> _without_bare_groups('<g><g class="x"/><g class="y"><path/></g></g>')
    '<g class="x"/><g class="y"><path/></g>'
    """
    opened: list[bool] = []

    def group_tag(tag: re.Match[str]) -> str:
        if tag[0].endswith("/>"):
            return tag[0]
        if tag[0] != "</g>":
            opened.append(tag[0] != "<g>")
            return tag[0] if opened[-1] else ""
        return tag[0] if opened.pop() else ""

    return re.sub(r"<g(?:\s[^>]*)?>|</g>", group_tag, svg)


def _short(match: re.Match[str]) -> str:
    """Return an attribute of places with two digits, or as DIGITS says, on one line.

    >>> _short(COORDINATES.match('transform="scale(0.068123) translate(1.123456 2)"'))
    'transform="scale(0.0681) translate(1.1235 2)"'
    """
    digits = DIGITS.get(match[1], 2)
    numbers = NUMBER.sub(lambda number: f"{float(number[0]):.{digits}f}".rstrip("0").rstrip("."), match[2])
    return f'{match[1]}="{" ".join(numbers.split())}"'


def with_classes(html: str) -> str:
    """Return a page in whose figures each style that stands there often is said once, as a class.

    >>> print(with_classes("<head></head><svg>" + '<g style="fill: red"/>' * 3 + '<g style="fill: tan"/></svg>'))
    <head><style>.f0{fill: red}</style></head><svg><g class="f0"/><g class="f0"/><g class="f0"/><g style="fill: tan"/></svg>
    """
    figures = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
    counts = Counter(style for svg in figures.findall(html) for style in STYLE.findall(svg))
    often = [style for style, count in counts.most_common() if count >= FEWEST]
    if not often:
        return html
    names = {style: f"f{number}" for number, style in enumerate(often)}

    def classed(match: re.Match[str]) -> str:
        return STYLE.sub(lambda style: f' class="{names[style[1]]}"' if style[1] in names else style[0], match[0])

    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return figures.sub(classed, html).replace("</head>", f"<style>{rules}</style></head>", 1)


def pack(html: str) -> str:
    """Return rows of a table as a browser unpacks them: deflated, in base64.

    >>> zlib.decompress(base64.b64decode(pack("<tr></tr>"))).decode()
    '<tr></tr>'
    """
    return base64.b64encode(zlib.compress(html.encode(), 9)).decode()
