"""`relprobe ask "a robin is a kind of [SLOT]"`: the likeliest words of a model, beside what it says without the target.

The second column is the control without-target: a word that the model gives as readily where the target is left out says
nothing of the target.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from relprobe.command.home import own_config
from relprobe.command.pages import run_folder
from relprobe.core.errors import DataError, RelprobeError
from relprobe.core.files import nfc, read_yaml
from relprobe.lm.words.spacing import is_unspaced
from relprobe.sources.word_frequency import frequency

SLOT = "[SLOT]"
SIGNS = 50
"""How many of the likeliest tokens may be signs, such as quotes, which are no words."""
WIDTH = 24
"""The characters of the longest bar."""
ARTICLES = "a|an|the"
SERVERS = ("http://", "https://")


class Answer(NamedTuple):
    """A word, and its probability after the text and after the text without its target; None: no such text."""

    word: str
    probability: float
    control: float | None


def main(words: list[str]) -> int:
    """Ask a model about texts, and print a table for each; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="relprobe ask",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="All answers are words of one token; `relprobe score` and the library have the others.",
        allow_abbrev=False,
    )
    parser.add_argument("text", nargs="+", help=f"a text with {SLOT}, at its end for a causal model")
    parser.add_argument(
        "--model",
        help="the name of a model of this study, a folder, or an id at Hugging Face; else the first model of this study",
    )
    parser.add_argument("--target", help="the word or phrase that the control leaves out; else the rarest word")
    parser.add_argument("-k", type=int, default=8, metavar="NUMBER", help="how many words to show (default: 8)")
    options = parser.parse_args(words)
    if options.k < 1:
        parser.exit(1, f"-k {options.k} is no number of words: use 1 or more.\n")
    try:
        texts = {text: control_of(text, options.target) for text in options.text}
        path = model_named(options.model, _models(), run_folder("resources") / "fetched/models")
        _ask(path, texts, options.k)
    except RelprobeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _ask(path_or_name: str, texts: Mapping[str, tuple[str, str | None]], number: int) -> None:
    """Load a model and print what it answers; text -> its target, and the text without it. RelprobeError: it cannot."""
    from relprobe import load

    model = load(path_or_name, progress=False)
    for text, (target, control) in texts.items():
        ranking = model.top_words(text, number + SIGNS)
        logs = dict(ranking.select("word", "logprob").iter_rows())
        answers = {word: logs[word] for word in [word for word in logs if word and re.search(r"\w", word)][:number]}
        without = _scores(model, control, list(answers)) if control and answers else {}
        print(table(text, target, [Answer(word, _p(log), without.get(word)) for word, log in answers.items()]))


def _scores(model: Any, text: str, words: Sequence[str]) -> dict[str, float]:
    """Return word -> its probability in the slot of a text."""
    return {word: _p(log) for word, log in model.score(text, words).select("candidate", "logprob").iter_rows()}


def _p(log: float | None) -> float:
    """Return the probability of a natural logarithm; None is that of 0."""
    import math

    return 0.0 if log is None else math.exp(log)


def _models() -> list[str]:
    """Return the names of the models of this folder's configuration, in its order."""
    file = own_config()
    content: Any = None if file is None else read_yaml(file, as_written=True)
    models = content.get("models") if isinstance(content, dict) else None
    return list(models) if isinstance(models, dict) else []


def model_named(name: str | None, models: Iterable[str], folder: Path) -> str:
    """Return the place of a model: the folder of a model that this study has fetched, or else the name as it stands.

    `models`: those of the configuration. DataError: none is named, and none is fetched.

    >>> model_named("openai-community/gpt2", [], Path("resources/fetched/models"))
    'openai-community/gpt2'
    """
    models = list(models)
    if name is not None and (folder / name).is_dir():
        return str(folder / name)
    if name in models:
        raise DataError(f"{name} is a model of this study, but is not here: `relprobe run` fetches it.")
    if name is not None and name.startswith(SERVERS):
        raise DataError(f"{name} is the address of a server: ask it from Python, with load() (docs/library.md).")
    if name is not None:
        return name
    for candidate in models:
        if (folder / candidate / "config.json").is_file():
            return str(folder / candidate)
    raise DataError(
        "No model of a study is here: `relprobe run` fetches those of config.yaml, or name one, such as "
        "`--model openai-community/gpt2`."
    )


def control_of(text: str, target: str | None = None) -> tuple[str, str | None]:
    """Return the target of a text, and the text without it and its article; None: no word would be left beside the slot.

    Without `target` it is the rarest word of English. DataError: the text has no slot, or does not hold the target.

    >>> control_of("a robin is a kind of [SLOT]")
    ('robin', 'is a kind of [SLOT]')
    >>> control_of("the word [SLOT] has a more general meaning than the word robin")[1]
    'the word [SLOT] has a more general meaning than the word'
    >>> control_of("the capital of France is [SLOT]", "France")
    ('France', 'the capital of is [SLOT]')
    """
    text, target = nfc(text), None if target is None else nfc(target).strip()
    if text.count(SLOT) != 1:
        raise DataError(f"{text!r} has no slot, or several: write {SLOT} once, where the answer stands.")
    if target is None:
        words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text.replace(SLOT, " "))
        if not words:
            return "", None
        if any(map(is_unspaced, "".join(words))):
            raise DataError(f"{text!r} is in a script without spaces: name the target with --target.")
        target = min(words, key=lambda word: frequency(word, language="en"))
    edges = ("", "") if any(map(is_unspaced, target)) else (r"(?<!\w)", r"(?!\w)")
    pattern = rf"(?:\b(?:{ARTICLES})\s+)?(?<!\[){edges[0]}{re.escape(target)}{edges[1]}\s?"
    if not target or SLOT in target or re.search(pattern, text, re.IGNORECASE) is None:
        raise DataError(f"{text!r} does not hold {target!r}: name a target that stands there.")
    remainder = re.sub(pattern, "", text, flags=re.IGNORECASE).strip()
    return target, remainder if re.search(r"\w", remainder.replace(SLOT, "")) else None


def table(text: str, target: str, answers: Sequence[Answer]) -> str:
    """Return the answers as a table of words, with bars whose longest is that of the largest number.

    >>> print(table("a robin is a [SLOT]", "robin", [Answer("bird", 0.5, 0.125), Answer("fly", 0.01, None)]))
    a robin is a [SLOT]
                                           without “robin”
      bird  0.500 ████████████████████████  0.125 ██████
      fly   0.010 ▌
    <BLANKLINE>
    """
    width = max([len(answer.word) for answer in answers], default=0)
    most = max([max(answer.probability, answer.control or 0.0) for answer in answers], default=0.0)
    head = (
        f"{'':{width + 10 + WIDTH}} without “{target}”" if any(answer.control is not None for answer in answers) else ""
    )
    lines = [text, *([head] if head else [])]
    for word, probability, control in answers:
        line = f"  {word:{width}}  {probability:.3f} {bar(probability, most):{WIDTH}}"
        lines.append((line if control is None else f"{line}  {control:.3f} {bar(control, most)}").rstrip())
    return "\n".join([*lines, ""]) if answers else f"{text}\n  no word among the likeliest tokens\n"


def bar(value: float, most: float) -> str:
    """Return a bar of eighths of a character, WIDTH for the largest value.

    >>> bar(1.0, 2.0) == "█" * (WIDTH // 2), bar(0.0, 2.0), bar(0.0, 0.0)
    (True, '', '')
    """
    eighths = round(8 * WIDTH * value / most) if most else 0
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]
