"""The file of a study's language: all that the relations study knows of the words and articles of a language."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.csv_schema import CsvSchema, Once
from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.sources.word_frequency import frequency, languages

ARTICLE_KEYS = ("before_slot", "before_word", "cases")
KEYS = ("name", "wordfreq", "lexicon", "letters", "articles", "answers")
DETERMINER_IN_CASE = re.compile(r"\[DET(?::(\w+))?\]")
"""An article in a prompt: [DET], or [DET:dat] of one in a case that the file of the language names."""
Chooser = Callable[..., str]
"""Returns the article of a word; `Articles.chooser` takes a case, too."""


@dataclass(frozen=True)
class Articles:
    """The indefinite articles: `weights`, those before the slot and how they are mixed; `before`: word -> its article.

    `cases`: the name of a case, such as dat -> article -> its form there. A language without articles has no weights.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    before: Chooser | None = None
    cases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def form(self, article: str, case: str) -> str:
        """Return an article in a case; as it is without one. KeyError: the language does not say it.

        >>> Articles(cases={"dat": {"ein": "einem"}}).form("ein", "dat"), Articles().form("ein", "")
        ('einem', 'ein')
        """
        return self.cases[case][article] if case else article

    @property
    def chooser(self) -> Chooser | None:
        """The article of a word, and of a case if one is named; None for a language without articles."""
        before = self.before
        return None if before is None else lambda word, case="": self.form(before(word), case)


@dataclass(frozen=True)
class Language:
    """A language: its name, its code in wordfreq and in lexical resources, and its articles.

    `letters`: a regular expression of the words that samples may have. `answer_articles`: the articles that are dropped
    from the beginning of people's answers.
    """

    name: str
    wordfreq: str
    lexicon: str
    letters: re.Pattern[str]
    articles: Articles
    answer_articles: tuple[str, ...] = ()


def read(path: Path) -> Language:
    """Read the file of a language. DataError: a sentence on the first fault, which names the key and the remedy."""
    content = _content(path)
    code = _code(path, _text(path, "wordfreq", content["wordfreq"]))
    try:
        letters = re.compile(_text(path, "letters", content.get("letters", r"\w+")))
    except re.error as error:
        raise DataError(f"{path}: letters is no regular expression ({error}): correct it.") from None
    answers = content.get("answers") or {}
    if not isinstance(answers, dict) or set(answers) - {"articles"}:
        raise DataError(f"{path}: answers should have the key articles alone, not {answers!r}.")
    return Language(
        _text(path, "name", content["name"]),
        code,
        _text(path, "lexicon", content.get("lexicon", code)),
        letters,
        _articles(path, code, content.get("articles")),
        _texts(path, "answers.articles", answers.get("articles", [])),
    )


LanguageFile = Annotated[Language, Format(read)]


def check_articles(path: Path, prompt: str, text: str, *, articles: bool, cases: Collection[str]) -> None:
    """Check that the language has the articles that a prompt of a file asks for. DataError: it has none, or lacks a case.

    `prompt`: its id. `articles`: whether the language has any; `cases`: those that it has articles of, beside the one
    without a name.
    """
    named = DETERMINER_IN_CASE.findall(text)
    if unknown := [case for case in named if case and case not in cases]:
        raise DataError(
            f"{path}: prompt {prompt!r} has [DET:{unknown[0]}], but the language has no articles of that case: add "
            "it to `articles.cases` in the file of the language, or write the article."
        )
    if named and not articles:
        raise DataError(
            f"{path}: prompt {prompt!r} has a [DET], but the language has no articles: take it out, or add "
            "`articles` to the file of the language."
        )


def has_articles(path: Path) -> bool:
    """Return whether the language of a file has articles."""
    return _content(path).get("articles") is not None


def cases(path: Path) -> list[str]:
    """Return the cases that the file of a language has articles in, beside the one of its list."""
    articles = _content(path).get("articles")
    return [*(articles.get("cases") or {})] if isinstance(articles, dict) else []


def guesses_articles(path: Path) -> bool:
    """Return whether the language of a file tells the article of a word by the word's end, without a table of words.

    DataError: it is no file of a language.
    """
    articles = _content(path).get("articles")
    rule = articles.get("before_word") if isinstance(articles, dict) else None
    return isinstance(rule, dict) and "library" not in rule and "table" not in rule


def _content(path: Path) -> dict[str, Any]:
    content = read_yaml(path)
    if not isinstance(content, dict) or not {"name", "wordfreq"} <= set(content) <= set(KEYS):
        raise DataError(f"{path}: a language needs name and wordfreq, and may have {', '.join(KEYS[2:])}: correct it.")
    return content


def _code(path: Path, code: str) -> str:
    """Check that wordfreq has the language itself, as it takes the nearest one if it has not."""
    if code not in languages():
        available = ", ".join(languages())
        raise DataError(f"{path}: wordfreq has no words of {code!r}, but of {available}: correct `wordfreq`.")
    return code


def _articles(path: Path, code: str, entry: Any) -> Articles:
    if entry is None:
        return Articles()
    if not isinstance(entry, dict) or not {"before_slot", "before_word"} <= set(entry) <= {*ARTICLE_KEYS}:
        raise DataError(
            f"{path}: articles needs before_slot and before_word, and may have cases; leave it out if there are no articles."
        )
    slot = _texts(path, "articles.before_slot", entry["before_slot"])
    if not slot:
        raise DataError(f"{path}: articles.before_slot is empty: name the articles, or leave `articles` out.")
    return Articles(_weights(path, code, slot), _chooser(path, entry["before_word"]), _cases(path, slot, entry))


def _cases(path: Path, articles: tuple[str, ...], entry: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the forms of the articles in other cases. DataError: a case lacks one."""
    named = entry.get("cases") or {}
    if not isinstance(named, dict):
        raise DataError(f"{path}: articles.cases should have the articles of each case, such as dat: {{ein: einem}}.")
    cases = {}
    for case, forms in named.items():
        where = f"articles.cases.{case}"
        if not isinstance(forms, dict) or set(forms) != set(articles):
            raise DataError(f"{path}: {where} should have a form of each of {', '.join(articles)}: it is {forms!r}.")
        cases[case] = {article: _text(path, f"{where}.{article}", form) for article, form in forms.items()}
    return cases


def _weights(path: Path, code: str, articles: tuple[str, ...]) -> dict[str, float]:
    """Return the relative frequencies of the articles in the language."""
    weights = {article: frequency(article, language=code) for article in articles}
    total = sum(weights.values())
    if not total:
        raise DataError(f"{path}: wordfreq knows none of {', '.join(articles)}: correct articles.before_slot.")
    return {article: value / total for article, value in weights.items()}


def _chooser(path: Path, entry: Any) -> Chooser:
    """Return the rule that picks the article of a word: a library's, patterns, or a table of words."""
    if isinstance(entry, dict) and entry == {"library": "inflect"}:
        return _inflect_forms
    if not isinstance(entry, dict) or "default" not in entry or set(entry) - {"default", "patterns", "table"}:
        raise DataError(
            f"{path}: articles.before_word is {entry!r}: write {{library: inflect}} for English, or `default` with "
            "`patterns` or `table`."
        )
    default = _text(path, "articles.before_word.default", entry["default"])
    table = _table(path.parent / entry["table"]) if "table" in entry else {}
    patterns = [_pattern(path, pair) for pair in entry.get("patterns", [])]

    def article(word: str) -> str:
        if word in table:
            return table[word]
        return next((pattern_article for pattern, pattern_article in patterns if pattern.search(word)), default)

    return article


def _pattern(path: Path, pair: Any) -> tuple[re.Pattern[str], str]:
    where = "articles.before_word.patterns"
    if not isinstance(pair, list) or len(pair) != 2:
        raise DataError(f"{path}: {where} should have pairs of a pattern and an article, not {pair!r}.")
    pattern, article = _texts(path, where, pair)
    try:
        return re.compile(pattern), article
    except re.error as error:
        raise DataError(f"{path}: {where}: {pattern!r} is no regular expression ({error}): correct it.") from None


def _table(path: Path) -> dict[str, str]:
    """Read a table of words and their articles. The path is relative to the file of the language."""
    if not path.is_file():
        raise DataError(f"{path} does not exist: correct articles.before_word.table, a path from the language's file.")
    once, table = Once(), dict[str, str]()
    for row in CsvSchema(("word", "article")).read(path).rows:
        once.add(row.cells["word"], row, f"{row.cells['word']!r} is")
        table[row.cells["word"]] = row.cells["article"]
    return table


@cache
def _inflect_forms(word: str) -> str:
    return str(inflector().a(word)).split()[0]


@cache
def inflector() -> Any:
    """Return the engine of `inflect`: plurals and articles of English words.

    On import, inflect lets typeguard rewrite its functions, so that they check the types of their arguments: 1.7 of its
    1.8 s. mypy checks our arguments, so inflect is imported without.
    """
    import typeguard

    checked = typeguard.typechecked
    typeguard.typechecked = lambda function: function  # type: ignore[assignment]
    try:
        import inflect
    finally:
        typeguard.typechecked = checked
    return inflect.engine()


def _text(path: Path, key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise DataError(f"{path}: {key} is {value!r}, but must be a text: put it in quotes or correct it.")
    return value


def _texts(path: Path, key: str, values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise DataError(f"{path}: {key} is {values!r}, but must be a list of words.")
    return tuple(values)
