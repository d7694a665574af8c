"""Names in any script: installed fonts draw what the first font lacks, and one sentence names what none has."""

import functools
import logging
import warnings

import matplotlib.pyplot as plt
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager
from relprobe.report.figures import canvas, fonts

NOWHERE = "\U000105c0"
"""A letter of the script Todhri, which no font of a usual machine has."""


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """Each test looks for fonts anew, and leaves none in the list of matplotlib."""
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist])
    monkeypatch.setattr(fonts, "_SAID", set())
    fonts._installed.cache_clear()
    fonts.families_for.cache_clear()
    yield
    fonts._installed.cache_clear()
    fonts.families_for.cache_clear()


def font_with(sign, file):
    """Write a font that has one sign, a square."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for place in ((0, 500), (500, 500), (500, 0)):
        pen.lineTo(place)
    pen.closePath()
    empty = TTGlyphPen(None).glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "square"])
    builder.setupCharacterMap({ord(sign): "square"})
    builder.setupGlyf({".notdef": empty, "square": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (600, 0), "square": (600, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "One Sign", "styleName": "Regular", "psName": "OneSign"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    builder.save(file)


def drawn(folder):
    """Draw a figure for a page and one for print, whose names have a sign; return the SVG and matplotlib's warnings."""
    figures = []
    for _ in range(2):
        figure, axis = plt.subplots()
        axis.set_title(f"robin {NOWHERE} $x_")
        axis.set_yticks([0, 1], ["bird", NOWHERE])
        figures.append(figure)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        canvas.save(figures[0], folder / "a.svg")
        canvas.save_all([("a", lambda: figures[1])], [folder / "8.4cm/a.pdf", folder / "8.4cm/a.png"])
    return (folder / "a.svg").read_text(), [str(one.message) for one in said if "Glyph" in str(one.message)]


def test_a_sign_that_no_font_has_is_named_once_with_a_font(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        _, said = drawn(tmp_path)
    assert said == []
    (sentence,) = [record.getMessage() for record in caplog.records]
    assert sentence.startswith(f"no font here has {NOWHERE}, so figures show boxes: install Noto Sans ")


def test_an_installed_font_draws_what_the_first_one_lacks(tmp_path, monkeypatch, caplog):
    font_with(NOWHERE, tmp_path / "one.ttf")
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(tmp_path / "one.ttf")])
    picture, said = drawn(tmp_path)
    assert said == []
    assert "no font here" not in caplog.text
    assert "'DejaVu Sans', 'One Sign'" in picture
    assert b"OneSign" in (tmp_path / "8.4cm/a.pdf").read_bytes()


def test_a_figure_of_letters_that_the_first_font_has_stays_as_it_is_and_nothing_is_said(tmp_path, caplog):
    figure, axis = plt.subplots()
    axis.set_title("größer")
    families = axis.title.get_fontfamily()
    canvas.save(figure, tmp_path / "a.svg")
    assert (axis.title.get_fontfamily(), caplog.records) == (families, [])


def test_fonts_of_truetype_come_first_and_each_family_once_without_boxes(monkeypatch):
    files = {"z.otf": "A", "c.ttf": "C", "b.ttf": "B", "d.otf": "D", "boxes.ttf": "Last Resort", "b2.ttf": "B"}
    entries = [font_manager.FontEntry(fname=file, name=name) for file, name in files.items()]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", entries)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)
    assert fonts._installed() == [("B", "b.ttf"), ("C", "c.ttf"), ("A", "z.otf"), ("D", "d.otf")]


def test_fonts_are_taken_until_no_sign_is_left(monkeypatch):
    signs = {"one.ttf": "xy", "two.ttf": "x", "three.ttf": "yz", "four.ttf": "z"}
    installed = [(file.removesuffix(".ttf"), file) for file in signs]
    monkeypatch.setattr(fonts, "_installed", functools.cache(lambda: installed))
    monkeypatch.setattr(fonts, "_signs_of", lambda file: frozenset(signs.get(file, "abc")))
    assert fonts.families_for(frozenset("abxyz")) == (("DejaVu Sans", "one", "three"), frozenset())
    assert fonts.families_for(frozenset("xw")) == (("DejaVu Sans", "one"), frozenset("w"))
    assert fonts.families_for(frozenset("a")) == (("DejaVu Sans",), frozenset())


def test_a_file_that_is_no_font_has_no_signs_and_is_named_in_the_log(tmp_path, monkeypatch, caplog):
    (tmp_path / "damaged.ttf").write_text("no font")
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(tmp_path / "damaged.ttf")])
    with caplog.at_level(logging.INFO):
        assert str(tmp_path / "damaged.ttf") not in dict(fonts._installed()).values()
    assert f"the font {tmp_path / 'damaged.ttf'} cannot be read" in caplog.messages
    assert fonts._signs_of(str(tmp_path / "damaged.ttf")) == frozenset()


def test_signs_are_named_once_each_with_the_fonts_that_have_them(caplog):
    fonts._say("鳴अ")
    fonts._say("鳴")
    fonts._say("鳴अቤ🐦")
    assert caplog.messages == [
        "no font here has अ and 鳴, so figures show boxes: install Noto Sans Devanagari and Noto Sans CJK, "
        "delete the figures, run again",
        "no font here has ቤ and 🐦, so figures show boxes: install Noto Sans Ethiopic and Noto Emoji, "
        "delete the figures, run again",
    ]
