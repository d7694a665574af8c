"""What a study shows, declared once: the tables and figures, in the order of its page.

`studies/STUDY/show/declared.py` has TITLE and LEAD of the page, SHOWN (its tables and figures), COLUMNS (what the columns
of its tables mean) and MAY_LACK (what a run may lack: a name, and the words for it). NOTICES has what every page says first
if a run lacks something: a name of MAY_LACK, and the sentence. A study may have FRONT, the figures
that may stand on the front page, of which the first that a run has does, and PICTURED, what is drawn beside its paper: a
quantity of its published figures, and its title.
From these follow the outputs of the rules, the page, the captions of `snakemake --report`, and the lists in docs/pages.md.
Snakemake reads them to plan a run, so these modules import nothing that takes time.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar


@dataclass(frozen=True)
class Exhibit:
    """A table or a figure.

    `caption`: what to see in it. `step`: the step of the study that makes it. `needs`: names of MAY_LACK, with spaces
    between them; a run has it if it has all of these. `without`: name of MAY_LACK -> what the caption says as well if a run
    lacks that. `on_page`: False: it is a file alone, such as the values behind a figure.
    """

    name: str
    title: str
    caption: str
    step: str = "tables"
    needs: str = ""
    without: Mapping[str, str] = field(default_factory=dict)
    on_page: bool = True
    folder: ClassVar[str]


@dataclass(frozen=True)
class Table(Exhibit):
    """A table: the file tables/NAME.csv.

    `part`: the part of the page that it is folded away in; empty: it is seen at once. `columns`: what its columns mean,
    where COLUMNS and the glossary of all studies do not say it. A name with a star stands for all columns that fit it.
    """

    part: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    folder: ClassVar[str] = "tables"


@dataclass(frozen=True)
class Figure(Exhibit):
    """A figure: the files figures/NAME.svg and NAME.png. `table`: the table with its values."""

    step: str = "figures"
    table: str = "averages"
    folder: ClassVar[str] = "figures"


@dataclass(frozen=True)
class Page:
    """What the module `declared` of a study says."""

    title: str
    lead: str  # the paragraph below the title
    exhibits: tuple[Exhibit, ...]
    columns: Mapping[str, str]
    may_lack: Mapping[str, str]
    notices: Mapping[str, str] = field(default_factory=dict)
    front: Sequence[str] = ()
    quantities: Mapping[str, str] = field(default_factory=dict)

    def notice(self, has: Mapping[str, bool]) -> str:
        """Return what every page of the study says first, as the run lacks something. `has`: as for `available`.

        >>> page = Page("Title?", "", (), {}, {"two": "models of two sizes"}, {"two": "One size."})
        >>> page.notice({"two": False}), page.notice({"two": True})
        ('One size.', '')
        """
        return " ".join(text for name, text in self.notices.items() if not has[name])

    def available(self, has: Mapping[str, bool]) -> list[Exhibit]:
        """Return the tables and figures that a run has, with whole captions, in the order of the page.

        `has`: name of MAY_LACK -> whether the run has that. ValueError: `has` has other names.

        >>> table = Table("all", "All", "Rows.", without={"two": " One size."})
        >>> shown = Figure("sizes", "Sizes", "A line.", needs="two"), table
        >>> page = Page("Title?", "", shown, {}, {"two": "models of two sizes"})
        >>> [(one.name, one.caption) for one in page.available({"two": True})]
        [('sizes', 'A line.'), ('all', 'Rows.')]
        >>> [(one.name, one.caption) for one in page.available({"two": False})]
        [('all', 'Rows. One size.')]
        """
        if has.keys() != self.may_lack.keys():
            raise ValueError(f"the names {sorted(has)} are not those of MAY_LACK, {sorted(self.may_lack)}")
        return [_whole(one, has) for one in self.exhibits if all(has[name] for name in one.needs.split())]


def page_of(study: str) -> Page:
    """Return what a study shows.

    >>> page_of("degrees").title
    'How prototypical is a pair of words for its relation?'
    """
    module = importlib.import_module(f"relprobe.studies.{study}.show.declared")
    sentences = module.COLUMNS, module.MAY_LACK, getattr(module, "NOTICES", {})
    return Page(
        module.TITLE, module.LEAD, tuple(module.SHOWN), *sentences, _front(module), getattr(module, "PICTURED", {})
    )


def _front(module: Any) -> Sequence[str]:
    """Return the figures that may stand on the front page; without FRONT, these are all in the order of the page."""
    return getattr(module, "FRONT", None) or [one.name for one in module.SHOWN if isinstance(one, Figure)]


def _whole(one: Exhibit, has: Mapping[str, bool]) -> Exhibit:
    """Return a table or figure with what its caption says of what the run lacks."""
    return replace(one, caption=one.caption + "".join(text for name, text in one.without.items() if not has[name]))


SCOPE = (
    "What is linked, or in one cluster, follows from the right answers alone: what an agent likes besides, such as the "
    "words of a whole relation whatever the target is, is not known to the test. p holds for the prompts of this study, not "
    "for others."
)
"""What a test says nothing about. Each page says it once, where it explains the tests between agents."""
CONTROLS = Table(
    "controls",
    "What each agent has beyond its best control",
    "A control answers without knowing what the study asks about; the page “Controls” of the documentation says what each "
    "of them knows. In every row, control is the one that the agent exceeds least (of those that the study has; a control "
    "of one model alone, MODEL+NAME, counts for that model). difference: the agent minus this control on the units that "
    "both have, with its 95 % interval, low to high, and p, of the test of the two. To pick the best of several controls "
    "favours them, so that the difference is rather too small. What is not above 0 is no sign that the agent knows what it "
    "was asked. A control whose values are expectations, such as a guess, is a chance level: p and the interval are those "
    "of the number of right answers that a guess has. p_holm is over the pairs with a control of one metric and condition "
    "(family_size), and p_holm_all over those under all conditions of the metric, as the sentences at the top count them; "
    "nothing is adjusted over several metrics. Intervals are of one difference each, and are not adjusted. detectable: the "
    "smallest difference that p_holm finds in 80 of 100 such studies, so that a p_holm above 0.05 leaves smaller ones open; "
    "detectable_all: the same of p_holm_all.",
    step="controls",
    columns={"value": "the mean of the agent, over the units that it and the control both have"},
)
"""The table of agents beside their controls, the same in all studies; the rule report_controls makes it."""
LEDGER = Table(
    "ledger",
    "What the agents that only chat were sent",
    "A line for every way in which a reply ends and for every way in which a request fails, also those without any. All "
    "runs count, and questions that are not asked any more. A refusal, a filter and an empty answer have no text to read; "
    "at the length limit the last entry may be cut off, and is not read. no answer seen: the job was killed first. The "
    "tokens are those that the server counts; thoughts are a part of a reply's, and where the server does not count them, "
    "they are taken by their share of the characters.",
    step="ledger",
    needs="participants",
    part="Agents that only chat",
    columns={
        "what": "how a reply ended, or why a request failed",
        "requests": "the number of requests",
        "prompt_tokens": "the tokens of the questions",
        "reply_tokens": "the tokens of the replies, with thoughts",
        "thought_tokens": "those of these that are thoughts",
    },
)
"""What the agents that only chat were sent, the same in all studies; the rule report_ledger makes it."""
REPLY_SOURCES = Table(
    "reply_sources",
    "Which models have replied",
    "The names that servers return with their replies: if one returned two, the run would have ended with an error. A "
    "provider may change the system behind a name; then the fingerprint is another one, if it has any.",
    step="ledger",
    needs="participants",
    part="Agents that only chat",
    columns={
        "model": "the name that the server returns",
        "fingerprint": "what the server calls its system",
        "replies": "the number of replies",
        "first": "the date of the first of them",
        "last": "the date of the last",
    },
)
"""Which models have replied, the same in all studies; the rule report_ledger makes it."""
PEOPLES_TASK = "Agents that take people's task"
"""The part of a page that has their tables."""
TAKERS = "agents that take people's task (task)"
"""What a run lacks in which models take no task of people (MAY_LACK)."""
PARTICIPANTS = "agents that only chat (an endpoint and a task)"
"""What a run without such agents lacks (MAY_LACK)."""
AVERAGES = Table(
    "averages",
    "Averages with their intervals",
    "The mean of every metric of every agent, its 95 % interval, and the numbers of units and clusters.",
    on_page=False,
)
"""The table of averages, where it is no table of the page."""
PUBLISHED = Table(
    "published",
    "Published and reproduced",
    "What the paper prints, beside what this run computed: the study's rows of the page published.html.",
    step="published",
    on_page=False,
)
"""The table of the paper's figures beside ours, the same in all studies."""


def sent_to_takers(probe: str) -> Table:
    """Return the table of what agents with people's task were sent. `probe`: what its column of this name holds."""
    return Table(
        "sent",
        "What exactly was sent",
        "What each agent with people's task was sent for one question: the messages, or the text with special tokens.",
        part=PEOPLES_TASK,
        needs="takers",
        columns={"probe": probe, "text": "the messages"},
    )


def tables_of_choices(
    choices: str,
    place: str,
    questions: str,
    probe: str,
    columns: Mapping[str, str] | None = None,
    option: str = "option",
) -> tuple[Table, ...]:
    """Return the tables of agents that choose among options in letters (`relprobe.studies.letters`), with what was sent.

    `choices`: the beginning of the caption of the table `choices`; `place`: the end of that of the table `orders`, after
    "the share without a preference for a place". `questions`: what the column of this name counts. `columns`: what further
    columns of both tables hold. `probe`: see `sent_to_takers`. `option`: the word for an option.
    """
    one = f"an {option}" if option[0] in "aeiou" else f"a {option}"
    return (
        Table(
            "choices",
            "What agents with people's task have chosen",
            f"{choices} unreadable: the share of answers that name no {option}, which count as wrong. note: why an agent "
            "has no value in a task, which is so if more than a fifth of its answers there are unreadable.",
            part=PEOPLES_TASK,
            needs="takers",
            columns={
                **(columns or {}),
                "questions": questions,
                "answers": "the number of answers, with all orders and samples",
                "unreadable": f"the share of answers that name no {option}",
            },
        ),
        Table(
            "orders",
            f"What the place of {one} earns",
            f"How often an agent with people's task chooses the {option} at each place, over all orders in which it saw the "
            f"questions. expected: the share without a preference for a place{place}.",
            part=PEOPLES_TASK,
            needs="takers",
            columns={
                **(columns or {}),
                "place": f"the place of {one}, from 1",
                "answers": f"the number of answers to questions with so many {option}s",
                "chosen": f"the share of these that choose the {option} at this place",
                "expected": f"the mean of one over the number of {option}s",
            },
        ),
        sent_to_takers(probe),
        LEDGER,
        REPLY_SOURCES,
    )
