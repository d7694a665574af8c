"""What the studies say to a model in a chat: the lines of resources/prompts/chat.yaml, which a user can edit."""

from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.lm.requests import SLOT

PROBE = "[PROBE]"
"""Where the probe stands in a question or a task (`relprobe.lm.words.chat.PROBE`)."""
DEFAULT = "default"
"""The section of what is said in the studies that have no section."""
EXAMPLES, RELATION, OPTIONS = "[EXAMPLES]", "[RELATION]", "[OPTIONS]"
"""Where the examples, the description of the relation, and what to choose from stand in a task."""
WORD, CATEGORY = "[WORD]", "[CATEGORY]"
"""Where a word, and the category that it may be of, stand in a question."""
HEAD, TAIL = "[HEAD]", "[TAIL]"
"""Where the two words of a pair stand in a task."""
MARKS: dict[str, tuple[str, ...]] = {
    "system": (),
    "instruction": (),
    "question": (PROBE,),
    "list": (PROBE,),
    "maxdiff": (EXAMPLES, RELATION, OPTIONS),
    "w2d": (PROBE, OPTIONS),
    "d2w": (PROBE, OPTIONS),
    "complete": (PROBE, OPTIONS),
    "verify": (WORD, CATEGORY, OPTIONS),
    "verify_plural": (WORD, CATEGORY, OPTIONS),
    "continue": (HEAD, TAIL, OPTIONS),
    "judge": (PROBE, OPTIONS),
    "pick": (PROBE, OPTIONS),
    "rate": (PROBE, OPTIONS),
}
"""Line -> the marks that it must have, each once. `system` and `instruction` stand before a probe, `question` asks it in
words, `list` asks for several words, `maxdiff` for the least and the most illustrative of some pairs, `w2d` and `d2w` for
one of several definitions or words, `complete` for the word that completes a sentence, `verify` and `verify_plural` for
whether a word is of a category, and `continue` for the pair that continues an analogy. `judge` asks whether two words are
related, `pick` which word completes a statement, and `rate` how far a statement holds, as a number."""
LINES = tuple(MARKS)


def read(path: Path, study: str) -> dict[str, str]:
    """Return the lines of a study, as far as the file has them: `system` and `instruction`, and perhaps the others.

    A study without a section has the lines of the section `default`.

    DataError: the file or the section has another form, a line holds a slot, or a line has not each of its MARKS once.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     _ = file.write("degrees: {system: You know words., instruction: Complete the sentence.}")
    ...     file.flush()
    ...     read(Path(file.name), "degrees")
    {'system': 'You know words.', 'instruction': 'Complete the sentence.'}
    """
    content = read_yaml(path)
    lines = content.get(study, content.get(DEFAULT)) if isinstance(content, dict) else None
    if not isinstance(lines, dict) or not set(LINES[:2]) <= set(lines) <= set(LINES):
        raise DataError(
            f"{path}: {study} must have the lines `system` and `instruction`, and may have "
            f"{', '.join(f'`{line}`' for line in LINES[2:])}."
        )
    for name, text in lines.items():
        if not isinstance(text, str) or SLOT in text:
            raise DataError(f"{path}: {study}.{name} must be a text without a slot {SLOT}, not {text!r}.")
        for mark in (PROBE, EXAMPLES, RELATION, OPTIONS, WORD, CATEGORY, HEAD, TAIL):
            if text.count(mark) != (mark in MARKS[name]):
                count = "one" if mark in MARKS[name] else "no"
                raise DataError(f"{path}: {study}.{name} must have {count} {mark}: {text!r}.")
        if HEAD in MARKS[name] and OPTIONS in pair_in(text):
            raise DataError(f"{path}: {study}.{name} must not have {OPTIONS} between {HEAD} and {TAIL}: {text!r}.")
    return dict(lines)


def pair_in(line: str) -> str:
    """Return how a line writes a pair of words: what stands from HEAD to TAIL, or from TAIL to HEAD.

    >>> pair_in("[HEAD] is to [TAIL] as: [OPTIONS]")
    '[HEAD] is to [TAIL]'
    """
    first, last = sorted((line.index(mark), line.index(mark) + len(mark)) for mark in (HEAD, TAIL))
    return line[first[0] : last[1]]


def check(path: Path, study: str, line: str) -> None:
    """Check that a study has a line. DataError: it has not, or `read` fails."""
    if line not in read(path, study):
        raise DataError(f"{path}: {study} has no line `{line}`, which an agent is asked with: add it.")
