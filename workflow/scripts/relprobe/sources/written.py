"""How somebody writes a word: what is no word, what stands around one, and whose capitals count.

One reading for what people type, own tables hold and models that only chat answer.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import REPLACEMENT, UNSEEN

GAPS = frozenset(("NA", "N/A", "n/a", "N.A.", "n.a.", "<NA>", "NaN", "nan", "NaT", "NULL", "null", "(null)", "None"))
"""What R, pandas, databases and JavaScript write for nothing."""
GAPS_OF_ANSWERS = frozenset(("na", "N/a", "undefined"))
"""What people and jsPsych write for nothing; a table of words may have them as words."""
REFUSAL = re.compile(
    r"(?:(?:well|hmm+|oh)[,.]\s+)?(?:(?:i'm|i am|we're|we are)\s+(?:\w+\s+)?(?:sorry|afraid|unable|not able|not sure)\b"
    r"|(?:i|we)\s+(?:can't|cannot|can not|could not|couldn't|won't|do not|don't|am unable|am not able)\s"
    r"|as an (?:ai|artificial|language|assistant)\b|unfortunately,|(?:i apologi[sz]e|my apologies)\b"
    r"|sorry[,.!:]?\s+(?:but|i|we|that|this|as)\b)",
    re.IGNORECASE,
)
"""How the refusals of models begin."""
NO_ANSWER = re.compile(
    r"(?:sorry,?\s+)?(?:i\s+(?:really\s+)?)?(?:(?:do\s+not|don'?t)\s+know|dunno|idk)(?:\s+(?:it|that|this|the word))?"
    r"|(?:i(?:'m| am)\s+)?not\s+sure|(?:i\s+have\s+)?no\s+(?:idea|answer|response)|(?:i\s+)?can'?t\s+think\s+of\s+\w+",
    re.IGNORECASE,
)
"""What people write who have no answer."""
CELL_ERROR = re.compile(r"#[^\W\d_a-z][^\Wa-z]*(?:/[^\Wa-z]+)?[!?]|#N(?:/[A-Z]|[ADV])|#GETTING_DATA|##+|Err:\d+")
"""What spreadsheets write for a formula that has no value, in any language: a sign, capitals, and ! or ?."""
ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8}\d?);")
FENCE = re.compile(r"^```[^\n`]*$", re.MULTILINE)
FORMULA = re.compile(r"\\(?:boxed|text|textbf|mathrm)\{([^{}]*)\}|\\[()\[\]]")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
JSON = re.compile(r"""\{\s*["'}].*|\[\s*["'{\[\]].*|\[object \w+\]|(?:c|list)\(["'].*""", re.DOTALL)
"""A value of JSON or R, whole or cut, and what JavaScript writes for one."""
ESCAPE = re.compile(r"\\[uxU][0-9a-fA-F]{2,}|\\[nrt]|%[0-9A-F]{2}")
MONTHS = (
    "janv?|gen|ene|f[eé][bv]r?|m[aä]r[sz]?|mrz|mrt|a[pbv]r|ma[iyjg]|mei|june?|juin|giu|july?|juil|lug|aug|août|ago|sept?|set"
    "|o[ckt]t|out|nov|d[eé][cz]|dic"
)
"""How spreadsheets shorten months in the languages of Western Europe."""
DATE = re.compile(
    r"\d{4}[-/]\d\d?[-/]\d\d?([T ][\d:.]+Z?)?|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}( [\d:]+)?|\d{1,2}:\d\d:\d\d"
    r"|\d{1,2}[-./ ][A-Z][a-zé]{2}\.?([-./ ]\d{2,4})?|[A-Z][a-zé]{2}-\d\d"
    rf"|\d{{1,2}}(?:[-/]|\. )(?i:{MONTHS})\.?([-/ ]\d{{2,4}})?|(?i:{MONTHS})\.?-\d\d|(?:Mrz|Mär|Mai|Okt|Dez) \d\d"
)
"""A date or a time, as spreadsheets make of "mar 1"."""
CODE = re.compile(r"-\d+([.,]0+)?|[+-]?\d+([.,]\d+)?E[+-]?\d+")
"""A number that stands for no answer, such as SPSS' -99, or that a spreadsheet has made of a text."""
LOST = re.compile(r"(?<=\w)\?(?=\w)")
SEVERAL = re.compile(r"[,;|\n，；、､،؛፣]|\s[/\\•]\s|[^\W\d_]{3}[/\\][^\W\d_]{3}")
CODES = ("cp1252", "latin-1", "mac_roman", "cp1250", "cp1251")
"""Encodings in which programs read UTF-8 by mistake."""
ALIKE = {"LATIN", "CYRILLIC", "GREEK"}
"""Scripts that share the looks of letters."""
DISTINCT_GREEK = frozenset("βδεζθλμξπςσφψωΓΔΘΛΞΠΣΦΨΩ")
"""Greek letters that look like no other letter, as in μm and kΩ."""
LISTED = re.compile(r"[;|\n，；、､،؛፣]|,\s*[^\W\d_]{3}|\s[/\\•]\s")
"""What stands between several words in a cell of a table of words, in which "Washington, D.C." and 24/7 are words."""
MARK = re.compile(r"\[(?:V|W|DET|SLOT|MASK|PROBE|OPTIONS)\]")
"""What stands for a word in prompts and questions."""
IDENTIFIER = re.compile(
    r"[^\W\d][\w'-]*\.[nvars]\.\d\d|[\w'-]+\.?#[nvars](?:#\d+)?|[\w'-]+%\d:\d\d:\d\d:.*|/c/[a-z]{2,3}/\S+|bn:\d{8}[nvar]"
)
"""A word's name in WordNet, ConceptNet or BabelNet, as dog.n.01 and /c/en/dog."""
UNDERSCORE = re.compile(r"(?<=[^\s_])_+(?=[^\s_])")
"""What WordNet and other programs write for a blank."""
APOSTROPHES = str.maketrans({**dict.fromkeys("’‘‚‛ʼʻ′׳", "'"), "״": '"'})
HYPHENS = re.compile(r"(?<=\S)[‐‑‒–−⁃־֊](?=\S)")
"""Signs between letters that stand for a hyphen, as programs, phones and scripts have several."""
ACCENTS = re.compile(r"(?<=\w)[`´](?=[\w-])")
"""Accents that stand for an apostrophe inside a word."""
RESTORED = {"\u0e4d\u0e32": "\u0e33", "\u0ecd\u0eb2": "\u0eb3"}
"""Vowels of Thai and Lao that NFKC takes apart, which no keyboard does."""
AROUND = ' \t"“”„‟«»‹›「」『』《》〈〉*_~|`´¿¡'
"""Quotes, emphasis, rules and the marks at the beginning of a Spanish question, around a word."""
SENTENCE = 4
"""The fewest words of a sentence."""
NOTE = re.compile(r"(?<=\w)[*_`”\"]*\s*\([^()]*\)$")
"""What is said of a word in brackets behind it, as in "bat (animal)" and "bird(s)"."""
ENDS = ".!?…。！？:;,،؛؟۔।॥։።፣፤၊။។"
"""Marks at the end of a word, in several scripts."""
EMOTICON = re.compile(r"\s+(?:[:;=][-^']?[)(DPpo3*/|\\\]]+|<3+|\^_?\^|[xX]D+)\s*$")
MARKER = re.compile(
    r"^(?:[#(\[]?\d{1,3}\\?[.):\]](?!\d)|\d{1,3}\s*[-–—]\s|#\d{1,3}\s|\d\ufe0f?\u20e3|\(?(?:[a-zA-Z]|[ivx]{2,4})\)|[①-⑳]"
    r"|[-–—•·・▪◦‣∙*+>→⇒](?=\s|\w)|[-=]+>|=\s|#{1,6}\s|…|\.{2,})\s*"
)
"""The number, letter, dash or arrow of an entry of a list, or dots for what stands before it."""
LEAD = re.compile(
    r"^(?:(?:sure|certainly|of course|okay|ok|well|yes)[,!.:]\s+)?"
    r"(?:(?:(?:the|my|a|one)\s+)?(?:(?:best|final|first|correct|right|missing|possible|most|likely|likeliest)\s+)*"
    r"(?:answer|word|guess|response|noun)s?"
    r"\s*(?:(?:is|are|would be|could be)\b\s*:?|[:=])\s*"
    r"|i(?:'d|'ll| would| will)? (?:say|think|guess|answer|choose)\b(?: that)?:?\s+(?:it(?:'s| is)\s+)?"
    r"|(?:it|this|that)(?:'s| is)\s+)(?=\S)"
    r"|^(?:sure|certainly|of course|absolutely)!\s+",
    re.IGNORECASE,
)
"""What is said before an answer: "The answer is", "I would say"."""


def fault_in(text: str, *, several: bool = True) -> str | None:
    """Return in words what an answer is in place of a word, and the remedy; None if it may be one (`several`: or many).

    A word that looks like a gap, such as a grandmother's "nan", can be written in quotation marks.

    >>> fault_in("bird"), fault_in("“nan”"), fault_in("ice cream")
    (None, None, None)
    >>> fault_in("NA")
    'stands for no answer in a program: leave the field empty, or write a word that reads so in quotation marks (“NA”)'
    """
    plain = text.strip()
    bare, gaps = plain.rstrip(ENDS), GAPS if several else GAPS | GAPS_OF_ANSWERS
    if plain in gaps or bare in gaps:
        return (
            "stands for no answer in a program: leave the field empty, or write a word that reads so in quotation marks "
            f"(“{plain}”)"
        )
    faults = (
        (CELL_ERROR.fullmatch(plain), "is an error of a spreadsheet's formula: correct the cell, or leave it empty"),
        (JSON.fullmatch(plain), "is JSON, as jsPsych writes it: take the answer out of it"),
        (CODE.fullmatch(plain), "is a number that stands for no word: leave the field empty, or write the word"),
        (DATE.fullmatch(plain), "is a date, as spreadsheets make of words: type the word anew, as text"),
        (ENTITY.search(plain), "has a character as web pages write it: write the character itself"),
        (TAG.search(plain), "has a tag of a web page: leave the tag out"),
        (ESCAPE.search(plain), "has a character as programs write it: write the character itself"),
        (LOST.search(plain), "has a question mark in place of a letter that was lost: write the letter"),
        (MARK.search(plain), "has a mark of prompts: write the word itself"),
        (IDENTIFIER.fullmatch(plain), "is the name of a word in a lexical resource: write the word itself"),
        (REPLACEMENT in plain, f"has {REPLACEMENT} in place of a letter that was lost: write the letter"),
        (
            NO_ANSWER.fullmatch(plain_word(plain)),
            "says that there is no answer: leave the field empty, or write a word",
        ),
        (
            _is_misread(plain),
            "is UTF-8 that was read in another encoding: save the file anew from its source, as UTF-8",
        ),
        (_is_mixed(plain), "has letters of two scripts in a word, one of which looks like another: type it anew"),
        (
            not several and SEVERAL.search(EMOTICON.sub("", plain).rstrip(ENDS)),
            "holds several answers: give each a row and a rank of its own",
        ),
        (not several and is_sentence(plain), "says more than a word: write the word alone"),
        (not any(map(str.isalnum, plain)), "has no letter: leave the field empty, or write a word"),
    )
    return next((why for is_fault, why in faults if is_fault), None)


def _is_misread(text: str) -> bool:
    """Return whether a text is UTF-8 that was read in another encoding, such as "cafÃ©"."""
    if text.isascii():
        return False
    for code in CODES:
        try:
            right = text.encode(code).decode("utf-8")
        except UnicodeError:
            continue
        if not _is_mixed(right) and all(character.isprintable() for character in right):
            return True
    return False


def _is_mixed(text: str) -> bool:
    """Return whether a word of a text has letters of two scripts of ALIKE, such as a Cyrillic і in "bіrd"."""
    words = re.findall(r"[^\W\d_]+", text)
    scripts = (
        {
            unicodedata.name(character, "?").split()[0]
            for character in unicodedata.normalize("NFC", word)
            if character not in DISTINCT_GREEK
        }
        for word in words
    )
    return any(len(ALIKE & scripts_of_word) > 1 for scripts_of_word in scripts)


def is_sentence(text: str) -> bool:
    """Return whether a text says more than a word, and what is usual before one (LEAD): it has a colon, or is a sentence.

    >>> [is_sentence(text) for text in ("The answer is a bird.", "A robin is a bird.", "Antwort: Vogel", "bird of prey")]
    [False, True, True, False]
    """
    word = answered_word(text)
    return bool(re.search(r"\w:\s", word)) or (len(word.split()) >= SENTENCE and text.rstrip(AROUND)[-1:] in ".!?")


def checked_word(text: str, where: str) -> str:
    """Return a word of a user's table (`plain_word`). DataError, which begins with `where`: it is no word, or several."""
    why = fault_in(text) or (
        LISTED.search(text.strip(" " + ENDS)) and "holds several words: give each a row of its own"
    )
    if why:
        raise DataError(f"{where}: {text.strip()!r} {why}.")
    return plain_word(text)


def plain_word(text: str) -> str:
    """Return a word without what stands around it, in one form of letters (NFKC), blanks and apostrophes.

    Marks at its end go, but for the full stop of an abbreviation that has another one; an underscore is a blank.

    >>> [plain_word(text) for text in ("**Bird**.", "“ice  cream”", "2) will-o’-the-wisp", "- ﬁsh!", "U.S.", "Ｂｉｒｄ")]
    ['Bird', 'ice cream', "will-o'-the-wisp", 'fish', 'U.S.', 'Bird']
    """
    word, before = one_form(MARKER.sub("", UNDERSCORE.sub(" ", text.strip(AROUND)))), None  # NFKC makes a digit of ①
    while word != before:
        before = word
        word = _without_ends(MARKER.sub("", without_pictures(word.strip(AROUND))))
    return word


def one_form(text: str) -> str:
    """Return a text with one form of its letters (NFKC), blanks, apostrophes and hyphens, without what cannot be seen.

    >>> one_form("a  jack‑o’‑lantern, ﬁsh and น้ำ")
    "a jack-o'-lantern, fish and น้ำ"
    """
    text = unicodedata.normalize("NFKC", ACCENTS.sub("'", text.translate(APOSTROPHES)))
    for apart, letter in RESTORED.items():
        text = text.replace(apart, letter)
    text = " ".join(text.translate(APOSTROPHES).split())
    return HYPHENS.sub("-", UNSEEN.sub(lambda match: match[0] if match[0] == REPLACEMENT else "", text))


def without_pictures(word: str) -> str:
    """Return a word without emoji or an emoticon around it; one that is nothing else stays."""
    word = EMOTICON.sub("", word)
    first, last = 0, len(word)
    while first < last and _is_picture(word[first]):
        first += 1
    while last > first and _is_picture(word[last - 1]):
        last -= 1
    return word[first:last].strip() or word


def _is_picture(letter: str) -> bool:
    """Return whether a character is an emoji, or a part of it: its colour, its form, what joins two, letters of a flag."""
    picture = unicodedata.category(letter) in ("So", "Sk") and not letter.isascii() and letter != "°"
    return picture or letter in "\ufe0f\u200d" or "\U000e0020" <= letter <= "\U000e007f"


def _without_ends(word: str) -> str:
    """Return a word without marks at its end, and without a pair of brackets or apostrophes around it."""
    if word[:1] + word[-1:] in ("()", "[]", "{}", "''") and len(word) > 2:
        word = word[1:-1].strip()
    word = word.removesuffix("''")
    if word.endswith(".") and "." in word[:-1].rstrip("."):
        return word
    return re.sub(r"\s+[-–—]+$", "", word.rstrip(ENDS + " ")) or word


def plain_text(text: str) -> str:
    r"""Return the text of a model without the marks of pages, programs and formulas: fences, tags and \boxed.

    A list of JSON becomes its texts, each on a line of its own.

    >>> plain_text("```json\n[\"bird\", \"animal\"]\n```"), plain_text("<answer>$\\boxed{\\text{B}}$</answer>")
    ('bird\nanimal', 'B')
    """
    text = TAG.sub("", FENCE.sub("", text)).strip()
    while (plain := FORMULA.sub(r"\1", text)) != text:
        text = plain
    text = text.strip("$ ") if text.count("$") > 1 else text
    if text[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            return "\n".join(_texts_in(json.loads(text)))
    bare = text[1:-1]
    return bare.strip() if text[:1] + text[-1:] in ("[]", "{}", "()") and not re.search(r"[\[\]{}()]", bare) else text


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(inner)


def answered_word(text: str, articles: Collection[str] = ()) -> str:
    """Return the word of an answer: `plain_word` without what is said before it (LEAD) or in brackets behind it (NOTE).

    An article does not count either.

    >>> answered_word("The answer is: **a Bird**.", ["a", "an"]), answered_word("l’oiseau", ["le", "l'"])
    ('Bird', 'oiseau')
    >>> answered_word("bat (animal)"), answered_word("¿Pájaro? 🐦")
    ('bat', 'Pájaro')
    """
    word = plain_word(LEAD.sub("", plain_word(text)))
    return without_article(plain_word(NOTE.sub("", word)), articles)


def without_article(word: str, articles: Collection[str]) -> str:
    """Return a word without an article at its beginning, unless nothing else is there. One such as "l'" has no blank."""
    first, _, remainder = word.partition(" ")
    if remainder and first.lower() in articles:
        return remainder
    joined = (article for article in articles if article.endswith("'") and word.lower().startswith(article))
    return next((word[len(article) :] for article in joined if len(word) > len(article)), word)


@dataclass(frozen=True)
class Capitals:
    """The spellings of a study's words, by their small letters: `words`, and `other_words`, such as those of its lexicon.

    >>> capitals = Capitals.of(["Vogel", "turkey", "Turkey"], ["Tier"])
    >>> [capitals.spelled(word) for word in ("vogel", "VOGEL", "TURKEY", "tier", "Haus")]
    ['Vogel', 'Vogel', 'TURKEY', 'Tier', 'haus']
    """

    words: Mapping[str, Collection[str]]
    other_words: Mapping[str, Collection[str]]

    @classmethod
    def of(cls, words: Iterable[str], other_words: Iterable[str] = ()) -> "Capitals":
        """Return the capitals of words, and those of other words that may be answers."""
        return cls(_by_letters(words), _by_letters(other_words))

    def spelled(self, word: str) -> str:
        """Return a word as the study writes it, if exactly one of its words differs in capitals alone.

        If several do, it stays as it is; so the name Turkey is no turkey. A word that the study does not have is spelled as
        the other words have it, the one with the fewest capitals first, and else in small letters.
        """
        if spellings := _found(self.words, word):
            return next(iter(spellings)) if len(spellings) == 1 else word
        candidates = _found(self.other_words, word) or {word.replace("İ", "i").lower()}
        return min(candidates, key=lambda spelling: (sum(map(str.isupper, spelling)), spelling))

    def is_respelled(self, word: str) -> bool:
        """Return whether a word differs in capitals alone from the word that it counts as, which the study has."""
        return bool(_found(self.words, word) or _found(self.other_words, word)) and self.spelled(word) != word


def _by_letters(words: Iterable[str]) -> dict[str, set[str]]:
    spellings: dict[str, set[str]] = {}
    for word in words:
        spellings.setdefault(_small(word), set()).add(word)
    return spellings


def _found(words: Mapping[str, Collection[str]], word: str) -> set[str]:
    """Return the words that differ from one in capitals alone. A capital I is that of i and, in Turkish, that of ı."""
    return {
        spelling for letters in {_small(word), _small(word.replace("I", "ı"))} for spelling in words.get(letters, ())
    }


def _small(word: str) -> str:
    return word.replace("İ", "i").casefold()
