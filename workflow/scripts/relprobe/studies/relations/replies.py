"""Questions to models that only chat, and the lists of words in their replies."""

import random
import re
from collections.abc import Iterator

import polars as pl

from relprobe.core.files import Csv
from relprobe.lm.participants.interview import InterviewResults, Question, interview
from relprobe.lm.participants.replies import ANSWER, LENGTH, Replies
from relprobe.lm.participants.settings import Participant
from relprobe.sources.catch_items import CATCH, ITEMS
from relprobe.studies.conversations import PROBE
from relprobe.studies.relations.ask import DETERMINER, SLOT, Prompts, predictable
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
    people per probe differ by one at most; no one gets a probe twice. The gap stands for the article as well. Among the
    probes of each participant are `catch` English catch items, with one answer each; who fails one is left out when they are
    read (`relprobe.sources.catch_items`). 0 leaves them out, for forms in other languages.

    >>> from relprobe.studies.relations.ask import Prompt
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
    for person in range(participants):
        own = [shuffled[(person * number + place) % len(rows)] for place in range(number)] if rows else []
        own += [(item.question, item.accepted, CATCH, item.question) for item in ITEMS[:catch]] if rows else []
        sheets += [
            (str(person + 1), _question(text), rank, "", target, relation, prompt)
            for text, target, relation, prompt in random.Random(f"{seed} {person}").sample(own, len(own))  # noqa: S311
            for rank in range(1, 1 + (1 if relation == CATCH else words))
        ]
    return pl.DataFrame(sheets, schema=FORM, orient="row")


def _question(text: str) -> str:
    return text.replace(f"{DETERMINER} {SLOT}", SLOT).replace(SLOT, GAP)


# The people's task for models that only chat: their replies to the main probes, and the lists in these.


def replies(participant: Participant, probes: Probes) -> InterviewResults:
    """Ask a model that only chats for up to five words to every main probe, as the participants were (section 6.1)."""
    line = participant.conversation[LINE]
    texts = beginnings(predictable(probes, "causal"))
    questions = [Question(probe_id, line.replace(PROBE, text)) for probe_id, text in texts]
    return interview(participant, "relations", questions, TOKENS)


def reply_lists(replies: Replies) -> Writing:
    """Read the lists in replies, as those of models on this machine are read; a refusal has no words.

    >>> from relprobe.lm.participants.replies import REPLIES
    >>> row = {"question_id": "hyp:robin", "sample": 1, "outcome": "answer", "text": "1. Bird"}
    >>> reply_lists(pl.DataFrame([row], schema=REPLIES)).row(0)
    ('hyp:robin', 1, '1. Bird', ['bird'], 0)
    """
    rows = []
    for probe_id, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        readable = text if outcome in (ANSWER, LENGTH) else ""
        rows.append((probe_id, sample, text, *read_words(readable, whole=outcome == ANSWER)))
    return pl.DataFrame(rows, schema=WRITING, orient="row")
