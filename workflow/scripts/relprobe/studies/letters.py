"""Options in letters: how a choice among some texts is shown and read, and what the place of an option earns."""

import re
from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.lm.chat_models.replies import ANSWER, LENGTH
from relprobe.sources.written import one_form, plain_text, without_pictures
from relprobe.studies.unreadable import MOST_UNREADABLE, absence_of

TOKENS = 16
"""The most tokens of an answer: a letter, and perhaps a word or two around it."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KIND = (
    r"(?:(?:correct|right|best|final|closest|likeliest|most \w+)\s+)*"
    r"(?:answer|option|choice|letter|response|solution|completion|definition|word|sentence|statement|one)"
)
BEFORE = re.compile(
    r"(?:(?:sure|certainly|of course|okay|ok|so|therefore|thus|hence)\b[\s,!.:]+"
    r"|i(?:[’']d|[’']ll| would| will)? (?:choose|pick|select|say|think|believe|answer|go with)\b(?: that)?[\s:]+"
    rf"|(?:(?:the|my|this is the)\s+)?{KIND}\b\s*(?:(?:is|would be|should be|must be)\b)?\s*[:=]?\s*"
    r"|(?:it|that|this)(?:[’']s| is| would be)\b[\s:]+)(?=\S)",
    re.IGNORECASE,
)
"""What a chat model writes before its choice: "Sure! The correct answer is option"."""
AFTER = re.compile(rf"\s+(?:is|would be|seems) (?:correct|right|(?:the|my) {KIND})$", re.IGNORECASE)
"""What it writes behind its choice: "is the right answer"."""
LETTERED = re.compile(r"([(\[{]*)([a-z])(?![a-z’'])(\s*[)\]}.:=/→–—-]*)\s*(.*)", re.IGNORECASE | re.DOTALL)
"""Brackets, a letter, marks behind it, and the rest."""
LETTER_WORDS = ("A", "I")
"""Letters that are words: "A nod" may be a noun with its article."""
MARKUP = re.compile(r"^\s*(?:[-•>→]|#{1,6})\s+|[*`\"“”„«»$]|(?<!\w)['‘’‚]|['‘’](?!\w)", re.MULTILINE)
"""Marks around a choice that say nothing: emphasis, quotes, and signs of formulas."""


def lettered_lines(shown: Sequence[str]) -> str:
    r"""Return the options as lines, each after its letter. ValueError: there are more of them than letters.

    >>> lettered_lines(["nod", "bow"])
    'A. nod\nB. bow'
    """
    if len(shown) > len(LETTERS):
        raise ValueError(f"there are letters for {len(LETTERS)} options, and not for {len(shown)}")
    return "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, shown, strict=False))


def read_choice(text: str, shown: Sequence[str], outcome: str = ANSWER, *, lettered: bool = True) -> str:
    """Return the option that an answer names by its letter, or by its whole text; "" if it names none, or several.

    A letter goes before a text: of the options A. O, B. A and C. B, the answer "B" is the second. The letter may stand in a
    sentence (BEFORE, AFTER) and before its own option. What follows on other lines may explain the choice. `outcome`: how
    the reply ends (`relprobe.lm.chat_models.replies`); a refusal, for instance, names no option, and the option behind a
    letter may be cut where the length limit ends a reply. `lettered`: False: the options were shown without letters, so that
    a letter names none.

    >>> read_choice("**B**.", ["nod", "bow"]), read_choice("The answer is A.", ["nod", "bow"])
    ('bow', 'nod')
    >>> read_choice("B", ["O", "A", "B", "AB"]), read_choice("O", ["O", "A", "B", "AB"])
    ('A', 'O')
    >>> read_choice("A or B", ["nod", "bow"]), read_choice("C", ["nod", "bow"])
    ('', '')
    >>> read_choice("B. bow", ["nod", "bow"]), read_choice("B. nod", ["nod", "bow"])
    ('bow', '')
    >>> read_choice("Yes.", ["yes", "no"], lettered=False), read_choice("A", ["yes", "no"], lettered=False)
    ('yes', '')
    """
    if outcome not in (ANSWER, LENGTH):
        return ""
    text = plain_text(text)
    first, *more = text.split("\n", 1)
    first_reading, *further_readings = (
        _named(part, shown, lettered=lettered, cut=outcome == LENGTH) for part in (text, first, *more)
    )
    if first_reading or not more:
        return first_reading
    # A line of its own names the option, and the next ones explain it, or name another one.
    return further_readings[0] if further_readings[1] in ("", further_readings[0]) else ""


def _named(text: str, shown: Sequence[str], *, lettered: bool, cut: bool) -> str:
    """Return the option that a text names, "" if it names none (`read_choice`). `cut`: the text may end early."""
    plain = _plain(text)
    ends = dict.fromkeys(AFTER.sub("", part) for part in reversed(_ends(plain)))
    by_letter = [_by_letter(inner, shown, cut=cut) for part in ends for inner in _without_brackets(part)]
    by_text = [_by_text(inner, shown) for part in (plain, *ends) for inner in _without_brackets(part)]
    return next(filter(None, [*(by_letter if lettered else ()), *by_text]), "")


def _ends(text: str) -> list[str]:
    """Return a text, and what is left of it behind one more phrase (BEFORE) each time; an option may be such a word itself.

    >>> _ends("So option one is right")
    ['So option one is right', 'option one is right', 'one is right', 'right']
    """
    ends = [text]
    while behind := BEFORE.match(ends[-1]):
        ends.append(ends[-1][behind.end() :])
    return ends


def _plain(text: str) -> str:
    """Return a text without marks around it, and without a mark at its end.

    >>> _plain(" **“To bow.”** "), _plain("(to bow)"), _plain("don't")
    ('To bow', '(to bow)', "don't")
    """
    lines = (without_pictures(one_form(line)) for line in MARKUP.sub("", text).strip().splitlines())
    return "\n".join(lines).rstrip(".!?。！？").strip()


def _without_brackets(text: str) -> tuple[str, str]:
    """Return a text without marks (`_plain`), and the same without a pair of brackets around it.

    >>> _without_brackets("(bow)"), _without_brackets("(of a bow) bent")
    (('(bow)', 'bow'), ('(of a bow) bent', '(of a bow) bent'))
    """
    plain = _plain(text)
    return plain, _plain(plain[1:-1]) if plain[:1] + plain[-1:] in ("()", "[]", "{}") else plain


def _by_letter(answer: str, shown: Sequence[str], *, cut: bool) -> str:
    """Return the option whose letter an answer is, perhaps with the option's own text behind it; else "".

    `cut`: the text of the option may end early.
    """
    match = LETTERED.fullmatch(answer)
    index = LETTERS.index(match[2].upper()) if match else len(shown)
    if match is None or index >= len(shown):
        return ""
    bracket, letter, mark, text = match.groups()
    if not text:
        return shown[index]
    apart = bracket or mark.strip() or text.startswith(("(", "[")) or letter.upper() not in LETTER_WORDS
    letter_text = _plain(shown[index]).lower()
    same = any(
        behind == letter_text or (cut and letter_text.startswith(behind))
        for behind in map(str.lower, _without_brackets(text))
    )
    return shown[index] if apart and same else ""


def _by_text(answer: str, shown: Sequence[str]) -> str:
    """Return the option with this text, in any case; "" if there is none, or if several have it but for the case."""
    exact = [option for option in shown if _plain(option) == answer]
    alike = exact or [option for option in shown if _plain(option).lower() == answer.lower()]
    return alike[0] if len(set(alike)) == 1 else ""


def readable(choices: pl.DataFrame, task: str = "task") -> pl.DataFrame:
    """Return an agent's answers without those to a task of which too many name no option; the others keep their values.

    `task`: the column that names the task. `choice` is "" where an answer names no option.

    >>> choices = pl.DataFrame({"task": ["d2w", "d2w", "w2d"], "choice": ["nod", "", "to move the head"]})
    >>> readable(choices)["task"].to_list()
    ['w2d']
    """
    return choices.filter((pl.col("choice") == "").mean().over(task) <= MOST_UNREADABLE)


def absence(choices: pl.DataFrame) -> str | None:
    """Return why an agent has no value in a task; None if it has one. `choices`: its answers to this task (`readable`).

    >>> absence(pl.DataFrame({"choice": ["nod", ""]}))
    'no value, as 50 % of its answers name no option (more than 20 %): let it think (thoughts), or ask another model'
    """
    return absence_of(unreadable(choices), "name no option", "let it think (thoughts), or ask another model")


def unreadable(choices: pl.DataFrame) -> float:
    """Return the share of answers without a choice."""
    return choices.select((pl.col("choice") == "").mean()).item() or 0.0


def readings(choices: Mapping[str, pl.DataFrame], question: str) -> pl.DataFrame:
    """Return the share of unreadable answers of each agent and task: agent, task, questions, answers, unreadable, note.

    `choices`: agent -> its answers, with `task`, `choice` and a column `question`, the same for all orders.
    """
    rows = [
        {
            "agent": agent,
            "task": task,
            "questions": part[question].n_unique(),
            "answers": part.height,
            "unreadable": unreadable(part),
            "note": absence(part),
        }
        for agent, table in choices.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    schema = {"agent": pl.String, "task": pl.String, "questions": pl.UInt32, "answers": pl.UInt32}
    return pl.DataFrame(rows, schema={**schema, "unreadable": pl.Float64, "note": pl.String})


def option_positions(choices: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return how often an agent chooses the option at each position.

    agent, task, place (from 1), answers (to questions that have this place), chosen (the share of these that choose it), and
    expected (the mean of 1 / the number of options). `choices`: agent -> its answers, with `task`, `shown` and `choice`.
    """
    types = {"agent": pl.String, "task": pl.String, "place": pl.Int64, "answers": pl.UInt32}
    parts = [pl.DataFrame(schema={**types, "chosen": pl.Float64, "expected": pl.Float64})]
    for agent, table in choices.items():
        rows = table.with_row_index().explode("shown")
        rows = rows.with_columns(
            place=pl.int_range(pl.len()).over("index") + 1,
            options=pl.len().over("index"),
            is_choice=pl.col("shown") == pl.col("choice"),
        )
        parts.append(
            rows.group_by("task", "place")
            .agg(
                agent=pl.lit(agent).first(),
                answers=pl.len(),
                chosen=pl.col("is_choice").mean(),
                expected=ordered_mean(1 / pl.col("options")),
            )
            .select("agent", "task", "place", "answers", "chosen", "expected")
            .sort("task", "place")
        )
    return pl.concat(parts)
