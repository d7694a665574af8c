"""The people's task in words: a probe without its slot, and the strict reading of a list of up to five words."""

import re
from collections.abc import Iterator

import polars as pl

from relprobe.studies.relations.ask.prompts import DETERMINER, SLOT

LINE = "list"
"""The line of the chat in which the task stands (TASK of the study's `config`)."""
WORDS = 5
"""The most words of an answer, as the participants had five fields."""
TOKENS = 48
"""The most tokens of an answer: five words of several tokens, numbered and on lines of their own."""
EITHER = "a(n)"
"""The article before the slot: the participants were told that either would do (section 6.1)."""
MARKER = re.compile(r"^(\d+[.)]|[-*•])\s*")
ARTICLE = re.compile(r"^(an?|the)\s+")
WORD = re.compile(r"[a-z]+(-[a-z]+)*")


def beginnings(probes: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield each main probe with its text up to the slot, which people have not seen either.

    >>> text = "a robin is a kind of [DET] [V]"
    >>> list(beginnings(pl.DataFrame({"probe_id": ["x"], "text": [text], "kind": ["main"]})))
    [('x', 'a robin is a kind of a(n)')]
    """
    for probe_id, text in probes.filter(kind="main").select("probe_id", "text").iter_rows():
        yield probe_id, text.replace(DETERMINER, EITHER).removesuffix(SLOT).rstrip()


def read_words(text: str, *, whole: bool) -> tuple[list[str], int]:
    r"""Return the words of an answer, at most WORDS, and the number of entries that are no word.

    Entries stand on lines of their own or between commas, and end at an empty line. A number or a dash before an entry, an
    article and a full stop are left out, and capital letters become small. An entry that is not one word then, such as
    "a small bird", cannot be read. `whole`: the model has ended the answer itself; if not, its last entry may be cut off and
    cannot be read.

    >>> read_words("1. Bird\n2. a small animal\n3. pets.", whole=True)
    (['bird', 'pets'], 1)
    >>> read_words("bird, ani", whole=False)
    (['bird'], 1)
    """
    first, _, rest = text.strip().partition("\n\n")
    entries = [entry.strip() for entry in re.split(r"[\n,;]", first) if entry.strip()]
    words: list[str] = []
    unreadable = 0
    for number, entry in enumerate(entries, 1):
        if len(words) == WORDS:
            break
        word = ARTICLE.sub("", MARKER.sub("", entry).strip(" .\"'").lower())
        cut_off = number == len(entries) and not (whole or rest)
        if WORD.fullmatch(word) and not cut_off:
            words.append(word)
        else:
            unreadable += 1
    return words, unreadable
