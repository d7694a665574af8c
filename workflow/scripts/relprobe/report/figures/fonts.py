"""Letters of any script in figures: fonts that are installed stand behind the one that comes with matplotlib."""

import functools
import logging
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from relprobe.core.words import enumeration, first_few

logger = logging.getLogger("relprobe")
FIRST = "DejaVu Sans"
"""The font of all figures, which comes with matplotlib: Latin, Greek, Cyrillic, Arabic, Hebrew and others."""
UNUSED = "Last Resort"
"""A font of boxes."""
EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH")
"""How names of signs begin that one font has."""
NAMED = 12
"""The signs that a sentence names at most."""
_SAID: set[str] = set()
"""The signs that this process has named."""


def set_fonts(figure: Figure) -> None:
    """Let installed fonts draw what the first font lacks; the log names the signs that none has, and a font that has them.

    Texts have their letters before: this comes before a figure is laid out, as other fonts have other widths.
    """
    texts = list(_texts(figure))
    signs = frozenset(sign for text in texts for sign in text.get_text() if not sign.isspace())
    families, lost = families_for(signs)
    if len(families) > 1:
        for text in texts:
            text.set_fontfamily(list(families))
    _say(lost)


@contextmanager
def no_glyph_warnings() -> Iterator[None]:
    """Keep matplotlib from a warning for each drawing of a sign that no font has: `set_fonts` says it once."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")
        yield


def _texts(figure: Figure) -> Iterator[Text]:
    """Yield all texts of a figure, with those of ticks, which an axis writes only when it is asked."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_ticklabels(which="both")
    yield from figure.findobj(Text)  # type: ignore[misc]


@functools.lru_cache(maxsize=256)
def families_for(signs: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the families to draw some signs with, FIRST before installed ones that have what it lacks; and what none has.

    >>> families_for(frozenset("robin, größer, птица"))
    (('DejaVu Sans',), frozenset())
    """
    lost = signs - _signs_of(font_manager.findfont(FIRST))
    families = [FIRST]
    for name, file in _installed() if lost else ():
        if glyphs := lost & _signs_of(file):
            families.append(name)
            lost -= glyphs
        if not lost:
            break
    return tuple(families), frozenset(lost)


@functools.cache
def _signs_of(file: str) -> frozenset[str]:
    """Return the signs that a font has; none if it cannot be read."""
    try:
        return frozenset(map(chr, FT2Font(file).get_charmap()))
    except RuntimeError:  # a damaged file, or a form that matplotlib does not read
        return frozenset()


@functools.cache
def _installed() -> list[tuple[str, str]]:
    """Return the families of the installed fonts with a file of each: TrueType first, which a PDF holds as it is.

    matplotlib keeps a list of fonts, to which those are added that were installed later.
    """
    manager = font_manager.fontManager
    for file in sorted({*font_manager.findSystemFonts()} - {entry.fname for entry in manager.ttflist}):
        try:
            manager.addfont(file)
        except (OSError, RuntimeError):  # as of `_known`
            logger.info("the font %s cannot be read", file)
    entries = sorted(manager.ttflist, key=lambda entry: (Path(entry.fname).suffix != ".ttf", entry.name, entry.fname))
    return list({entry.name: entry.fname for entry in reversed(entries) if UNUSED not in entry.name}.items())[::-1]


def _say(lost: Iterable[str]) -> None:
    """Log a sentence on the signs that no font here has, once for each of them."""
    signs = sorted({*lost} - _SAID)
    if not signs:
        return
    _SAID.update(signs)
    fonts = enumeration(dict.fromkeys(map(font_of, signs)))
    shown = first_few(signs, NAMED)
    logger.warning(
        "no font here has %s, so figures show boxes: install %s, delete the figures, run again", shown, fonts
    )


def font_of(sign: str) -> str:
    """Return a font that has a sign, of those of the project Noto.

    >>> font_of("鳴"), font_of("अ"), font_of("ቤ")
    ('Noto Sans CJK', 'Noto Sans Devanagari', 'Noto Sans Ethiopic')
    """
    name = unicodedata.name(sign, "SYMBOLS")
    if name.startswith(EAST_ASIAN):
        return "Noto Sans CJK"
    return "Noto Emoji" if unicodedata.category(sign) == "So" else f"Noto Sans {name.split()[0].capitalize()}"
