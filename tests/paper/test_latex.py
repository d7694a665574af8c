"""Texts in LaTeX."""

import re
import string

import pytest
from relprobe.paper.latex import LATIN, literal, paragraph, with_engine

SPECIAL = r"(?<!\\)[&%$#_~^]"
"""A sign that LaTeX takes for a command, without a backslash before it."""


@pytest.mark.parametrize(
    "sign", sorted(set(string.printable) - set(string.ascii_letters + string.digits + string.whitespace))
)
def test_every_sign_of_the_keyboard_is_shown(sign):
    text = literal(f"a{sign}b")
    assert not re.search(SPECIAL, text)
    assert text.count("{") == text.count("}") or sign in "{}"
    assert text.startswith("a")
    assert text.endswith("b")


def test_code_and_addresses_keep_their_underscores():
    text = paragraph("by p_holm (`relations.shown_probes`), https://x.org/a_b, and the agent `a&b`")
    assert text == (
        r"by p holm (\texttt{relations.shown\_probes}), \url{https://x.org/a_b}, and the agent \texttt{a\&b}"
    )


def test_a_sign_with_a_backslash_before_it_is_a_sign_of_the_text():
    text = r"a\_b \[\@x\] \`c\` \*d\* &lt;e\>"
    assert paragraph(text) == r"a\_b [@x] `c` *d* \textless{}e\textgreater{}"
    assert paragraph("a\\\\b") == r"a\textbackslash{}b"


def test_another_engine_is_needed_only_for_letters_after_those_of_the_latin_script():
    for text in (LATIN, "a\n\u200b"):  # the last sign is none that is printed
        assert with_engine(text) == text
    assert with_engine("bžзя鳴").splitlines()[0].startswith("% LuaLaTeX is needed for letters such as з: ")
