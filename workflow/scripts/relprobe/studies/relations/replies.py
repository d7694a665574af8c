"""Questions to models that only chat, and the lists of words in their replies."""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import polars as pl

from relprobe.core.files import Csv
from relprobe.lm.chat_models.interview import InterviewResults, Question, interview
from relprobe.lm.chat_models.replies import ANSWER, LENGTH, Replies
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.sources.catch_items import CATCH, ITEMS
from relprobe.sources.language import Language, LanguageFile
from relprobe.sources.written import MARKER, REFUSAL, answered_word, fault_in, is_sentence, one_form, plain_text
from relprobe.studies.conversations import PROBE
from relprobe.studies.relations.probes import predictable
from relprobe.studies.relations.prompts import DETERMINER, SLOT, Prompts
from relprobe.studies.relations.schemas import WRITING, Probes, Writing

# The people's task in words: a probe without its slot, and the strict reading of a list of up to five words.


LINE = "list"
"""The line of the chat in which the task stands (`Study.task`)."""
WORDS = 5
"""The most words of an answer, as the participants had five fields."""
TOKENS = 48
"""The most tokens of an answer: five words of several tokens, numbered and on lines of their own."""
EITHER = "a(n)"
"""The article before the slot: the participants were told that either would do (section 6.1)."""
ENGLISH_ARTICLES = ("a", "an", "the")
LETTERS = re.compile(r"[^\W\d_]+")
"""Letters of any script."""
UNWRITTEN = ("Mn", "Mc", "Me", "Cf")
"""The categories of accents, of marks of vowels, and of joiners."""
JOINTS = re.compile(r"[ '’·・-]+")
"""What stands between the parts of an entry, such as "merry-go-round"."""
MOST_PARTS = 4
"""The most parts of an entry that is a word, or an expression of several."""
SEPARATORS = re.compile(
    r"[\n\t,;、；､，|،؛፣]|(?<=\w)\s[/•·]\s(?=\w)|(?<=[^\W\d_]{3})/(?=[^\W\d_]{3})|(?<=」)(?=「)"
    r"|\s+(?=\(?(?:\d{1,2}[.)．]|[b-e]\))\s*[^\W\d])|(?=[②-⑳])|\s+(?=①)"
)
"""What stands between the entries of a list: a mark, or the number or letter of the next one."""
GLOSS = re.compile(r"(?<=\w\w)[*_`”\"]*(?::[*_`]*\s|\s(?:[–—→-]|[-=]+>)\s).*")
"""What is said of an entry behind its word, as in "1. Bird: it flies"."""
DASHED = re.compile(r"(?<=\w\w)[*_`”\"]*\s(?:[–—→-]|[-=]+>)\s.*")
"""A gloss behind a dash, which no word has between blanks."""
STARTS = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|ok)\b(?:\s*[!.:]+\s*|,\s+(?=[^,\n]*:))", re.IGNORECASE
)
"""What a chat model says before all it says: "Sure!"."""
AND_SO_ON = ("etc", "etc.")
LAST = re.compile(r"^(?:and|or|&)\s+(?=\S)", re.IGNORECASE)
"""What stands before the last entry of a list between commas, in English."""


def unfinished_texts(probes: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield each main probe with its text up to the slot, which people have not seen either.

    >>> text = "a robin is a kind of [DET] [V]"
    >>> list(unfinished_texts(pl.DataFrame({"probe_id": ["x"], "text": [text], "kind": ["main"]})))
    [('x', 'a robin is a kind of a(n)')]
    """
    for probe_id, text in probes.filter(kind="main").select("probe_id", "text").iter_rows():
        yield probe_id, text.replace(DETERMINER, EITHER).removesuffix(SLOT).rstrip()


def read_words(
    text: str, *, ended: bool, articles: Collection[str] = ENGLISH_ARTICLES, letters: re.Pattern[str] = LETTERS
) -> tuple[list[str], int]:
    r"""Return the words of an answer, at most WORDS, and the number of entries that are no word.

    Entries stand on lines of their own or between commas, and the list ends at an empty line. Each is read as people's
    answers are (`answered_word`), so that marks, numbers, an article and what is said before it do not count, and its
    capitals stay. It is a word, or an expression of up to MOST_PARTS, if it has `letters` alone, with or without accents.
    `articles`, `letters`: those of the language. `ended`: the model has ended the answer itself; if not, its last entry may
    be cut off and cannot be read.

    >>> read_words("1. **Bird**\n2. a café\n3. 42", ended=True), read_words("鳥、魚", ended=True)
    ((['Bird', 'café'], 1), (['鳥', '魚'], 0))
    >>> read_words("Sure! Here are two words:\n\nbird, ani", ended=False)
    (['bird'], 1)
    >>> read_words("der Vogel, ice cream", ended=True, articles=["der"])
    (['Vogel', 'ice cream'], 0)
    """
    text = STARTS.sub("", plain_text(text))
    if REFUSAL.match(one_form(text)):
        return [], 1
    first, is_cut = _listed(text, ended=ended)
    listed = _without_announcement(first)
    entries = [entry for entry in SEPARATORS.split(listed) if entry.strip(" *_`.…").lower() not in ("", *AND_SO_ON)]
    entries = [_without_gloss(entry) for entry in entries]
    if len(entries) > 1:
        entries[-1] = LAST.sub("", entries[-1].strip())
    words: list[str] = []
    unreadable = 0
    for number, entry in enumerate(entries, 1):
        if len(words) == WORDS:
            break
        word = answered_word(entry, articles)
        cut_off = number == len(entries) and is_cut
        if not cut_off and fault_in(entry) is None and not is_sentence(entry) and _is_word(word, letters):
            words.append(word)
        else:
            unreadable += 1
    return words, unreadable


def _listed(text: str, *, ended: bool) -> tuple[str, bool]:
    """Return the part of an answer that is its list, and whether it may be cut off.

    A list ends at an empty line, unless its next entries have their numbers or dashes too, or are a single word.
    """
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    if len(parts) > 1 and plain_end(parts[0]) in (":", "："):
        del parts[0]  # it announces the list
    first, later_parts = (parts or [""])[0], parts[1:]
    head, colon, tail = first.partition("\n")
    if colon and plain_end(head) in (":", "："):
        first = tail
    listed = [first]
    while later_parts and _goes_on(listed[-1], later_parts[0]):
        listed.append(later_parts.pop(0))
    return "\n".join(listed), not (ended or later_parts)


def _goes_on(part: str, following: str) -> bool:
    """Return whether a part of an answer behind an empty line goes on with the list of the part before."""
    marked = [MARKER.match(text.strip(" *_")) is not None for text in (part, following)]
    words = [len(text.split()) == 1 and plain_end(text).isalnum() for text in (part, following)]
    return all(marked) or all(words)


def _without_gloss(entry: str) -> str:
    """Return an entry of a list without what is said of it behind a dash or, if it has a number or is bold, a colon."""
    is_marked = MARKER.match(entry.strip(" *_")) or entry.strip().startswith("**")
    return (GLOSS if is_marked else DASHED).sub("", entry)


def plain_end(text: str) -> str:
    """Return the last character of a text that is no mark of emphasis."""
    return text.rstrip(" *_`")[-1:]


def _without_announcement(line: str) -> str:
    """Return a list without a sentence and a colon before its first entry, as in "Five words: bird, animal"."""
    head, colon, tail = line.partition(":")
    numbered = MARKER.match(head.strip(" *_"))
    explained = ":" in tail or (len(head.split()) == 1 and len(tail.split()) > 1 and not SEPARATORS.search(tail))
    is_one = colon and tail.strip(" *_") and not numbered and not explained
    return tail if is_one and not SEPARATORS.search(head.split("!")[-1]) else line


def _is_word(word: str, letters: re.Pattern[str]) -> bool:
    """Return whether a text has letters of a language alone, in any case, in up to MOST_PARTS parts.

    >>> [_is_word(word, re.compile("[a-z]+")) for word in ("Ice cream", "café", "鳥", "a b c d e", "x2")]
    [True, True, False, False, False]
    """
    parts = [part for part in JOINTS.split(word) if part]
    return 0 < len(parts) <= MOST_PARTS and all(
        letters.fullmatch(part) or letters.fullmatch(_without_marks(part)) for part in map(str.lower, parts)
    )


def _without_marks(word: str) -> str:
    """Return a word without its accents and, in scripts such as Devanagari, the marks of its vowels and its joiners."""
    return "".join(
        character
        for character in unicodedata.normalize("NFD", word)
        if unicodedata.category(character) not in UNWRITTEN
    )


# The empty form of a CSV file of people's answers, made from the probes of the study.


FORM = pl.Schema(
    {
        "participant": pl.String(),
        "question": pl.String(),  # what the participant reads
        "rank": pl.UInt16(),
        "answer": pl.String(),  # empty
        "target": pl.String(),
        "relation": pl.String(),
        "prompt": pl.String(),  # its id
    }
)
GAP = "___"
Asked = tuple[str, str, str, str]
"""The text, the target, the relation and the prompt of a probe."""
Topic = tuple[str, str]


def form(
    probes: Probes,
    prompts: Prompts,
    *,
    participants: int = 4,
    words: int = 5,
    each: int | None = None,
    catch: int = len(ITEMS),
    seed: int = 1,
) -> Csv:
    """Write the empty form of a file of people's answers (FORM; docs/how-to/peoples-answers.md): probes in random order.

    Each of the `participants` has a row for each of the `words` that he or she may answer to a probe. With `each`, a
    participant gets so many probes, and else all. They are dealt out in turn from a shuffled pack, so that the numbers of
    people per probe differ by one at most; no one gets a probe twice or, as in the paper (section 6.1), a target and
    relation twice, where an exchange with another sheet can mend it. The gap stands for the article as well. Among the
    probes of each participant are `catch` English catch items, with one answer each; who fails one is left out when they are
    read (`relprobe.sources.catch_items`). 0 leaves them out, for forms in other languages.

    >>> from relprobe.studies.relations.prompts import Prompt
    >>> probe = {"relation": "HYP", "target": "robin", "prompt_id": "is", "kind": "main", "text": "a robin is [DET] [V]"}
    >>> form(pl.DataFrame([probe]), [Prompt("is", "HYP", "", "")], participants=1, words=2, catch=0).rows()[1]
    ('1', 'a robin is ___', 2, '', 'robin', 'HYP', 'is')
    """
    main = probes.filter(kind="main").sort("target", "prompt_id")
    ids = {prompt.id for prompt in prompts}
    rows = main.filter(pl.col("prompt_id").is_in(ids)).select("text", "target", "relation", "prompt_id").rows()
    shuffled = random.Random(seed).sample(rows, len(rows))  # noqa: S311
    number = len(rows) if each is None else min(each, len(rows))
    sheets = []
    for person, dealt in enumerate(_dealt(shuffled, participants, number)):
        questions = (
            dealt + [(item.question, item.accepted, CATCH, item.question) for item in ITEMS[:catch]] if rows else []
        )
        sheets += [
            (str(person + 1), _question(text), rank, "", target, relation, prompt)
            for text, target, relation, prompt in random.Random(f"{seed} {person}").sample(questions, len(questions))  # noqa: S311
            for rank in range(1, 1 + (1 if relation == CATCH else words))
        ]
    return pl.DataFrame(sheets, schema=FORM, orient="row")


def _dealt(shuffled: Sequence[Asked], participants: int, number: int) -> list[list[Asked]]:
    """Deal out so many probes to each participant, with a target and relation once on each sheet where that can be.

    A probe that repeats them changes places with one of another sheet, or with one that would be dealt out next, so that the
    numbers of people per probe stay as they were dealt.

    >>> pack = [("x", "robin", "HYP", "is"), ("x", "robin", "HYP", "kind"), ("x", "cat", "HYP", "is")]
    >>> _dealt(pack, 1, 2)
    [[('x', 'cat', 'HYP', 'is'), ('x', 'robin', 'HYP', 'kind')]]
    """
    if not shuffled:
        return [[] for _ in range(participants)]
    sheets = [
        [shuffled[(person * number + index) % len(shuffled)] for index in range(number)]
        for person in range(participants)
    ]
    undealt = list(shuffled[participants * number % len(shuffled) or len(shuffled) :])
    topics = [Counter(map(_topic, sheet)) for sheet in sheets]
    for counts, sheet in zip(topics, sheets, strict=True):
        for index, row in enumerate(sheet):
            if counts[_topic(row)] > 1:
                _change_place(sheet, index, counts, [*zip(sheets, topics, strict=True), (undealt, Counter())])
    return sheets


def _change_place(
    sheet: list[Asked], index: int, counts: Counter[Topic], other_sheets: Sequence[tuple[list[Asked], Counter[Topic]]]
) -> None:
    """Exchange a row of a sheet for one of another sheet, so that neither has a topic twice by it; else nothing changes."""
    row = sheet[index]
    for other_sheet, other_counts in other_sheets:
        if other_sheet is sheet or other_counts[_topic(row)]:
            continue
        for other_index, candidate in enumerate(other_sheet):
            if not counts[_topic(candidate)]:
                sheet[index], other_sheet[other_index] = candidate, row
                counts.update({_topic(candidate): 1, _topic(row): -1})
                other_counts.update({_topic(candidate): -1, _topic(row): 1})
                return


def _topic(row: Asked) -> Topic:
    """Return the target and the relation of a probe."""
    return row[1], row[2]


def _question(text: str) -> str:
    return text.replace(f"{DETERMINER} {SLOT}", SLOT).replace(SLOT, GAP)


# The people's task for models that only chat: their replies to the main probes, and the lists in these.


def replies(chat_model: ChatModel, probes: Probes) -> InterviewResults:
    """Ask a model that only chats for up to five words to every main probe, as the participants were (section 6.1)."""
    line = chat_model.conversation[LINE]
    texts = unfinished_texts(predictable(probes, "causal"))
    questions = [Question(probe_id, line.replace(PROBE, text)) for probe_id, text in texts]
    return interview(chat_model, "relations", questions, TOKENS)


def list_reader(language: Language) -> Callable[..., tuple[list[str], int]]:
    """Return `read_words` for a language: with its articles and letters."""
    return partial(read_words, articles=language.answer_articles, letters=language.letters)


def reply_lists(replies: Replies, language: LanguageFile) -> Writing:
    """Read the lists in replies, as those of models on this machine are read; a refusal has no words.

    >>> from relprobe.lm.chat_models.replies import REPLIES
    >>> from relprobe.sources.language import Articles
    >>> english = Language("English", "en", "en", re.compile("[a-z]+"), Articles(), ("a", "an"))
    >>> row = {"question_id": "hyp:robin", "sample": 1, "outcome": "answer", "text": "1. Bird"}
    >>> reply_lists(pl.DataFrame([row], schema=REPLIES), english).row(0)
    ('hyp:robin', 1, '1. Bird', ['Bird'], 0)
    """
    rows, read = [], list_reader(language)
    for probe_id, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        readable = text if outcome in (ANSWER, LENGTH) else ""
        rows.append((probe_id, sample, text, *read(readable, ended=outcome == ANSWER)))
    return pl.DataFrame(rows, schema=WRITING, orient="row")
