"""The command line: `python -m relprobe GROUP STEP --name value …` calls the function of a step with these arguments."""

import argparse
import dataclasses
import importlib
import inspect
import json
import logging
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from relprobe.core.errors import RelprobeError, full_disk

Step = Callable[..., None]
Settings = dict[str, Any]
MISSING: Any = inspect.Parameter.empty


def arguments_of(step: Step) -> argparse.ArgumentParser:
    """Return the parser of a step's command line, made from the signature of its function.

    Each parameter becomes the option of its name, `_` written as `-`. Its type decides how argparse reads the option: Path,
    str, int, float, bool (true or false), Literal (one of its values), list (several values) or dict (JSON). A dataclass
    becomes one option per field. A parameter with a default may be left out. The option `--log` is added to every step.

    >>> def lexicon(model: Path, out: Path, *, top: int = 10) -> None:
    ...     "Write the words of a model."
    >>> options = arguments_of(lexicon).parse_args("--model bert.json --out words.txt --top 3".split())
    >>> options.out.name, options.top
    ('words.txt', 3)
    """
    parser = argparse.ArgumentParser(
        description=inspect.getdoc(step), formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    for name, kind, default in _options(step):
        required = default is MISSING
        text = None if required or default in (None, "") else f"default: {default}"
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, required=required, default=default, help=text, **_reader(kind))
    parser.add_argument(
        "--log", type=Path, help="write the log to this file; the terminal then shows warnings and errors only"
    )
    return parser


def call(step: Step, options: argparse.Namespace) -> None:
    """Call a step with its parsed options. The options of a dataclass's fields become one argument again."""
    values = vars(options)
    arguments = {}
    for name, kind in _parameters(step):
        if dataclasses.is_dataclass(kind):
            arguments[name] = kind(**{field.name: values[field.name] for field in dataclasses.fields(kind)})  # type: ignore[operator]
        else:
            arguments[name] = values[name]
    step(**arguments)


def run(step: Step, options: argparse.Namespace) -> int:
    """Run a step with its parsed options and return the exit status: 0, 1 or 2.

    A RelprobeError or a full disk gives one sentence and status 1. Any other error is a defect: it gives a traceback and
    status 2. With a log file the terminal shows only warnings and errors, because Snakemake shows its own lines there.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    if options.log:
        handlers[0].setLevel(logging.WARNING)
        options.log.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(options.log, mode="w", encoding="utf-8"))
    logging.basicConfig(
        level=logging.INFO, handlers=handlers, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", force=True
    )
    try:
        call(step, options)
    except Exception as error:
        return _report(error)
    return 0


def _report(error: Exception) -> int:
    """Log an error and return the exit status."""
    logger = logging.getLogger("relprobe")
    if message := full_disk(error):
        logger.error("Error: the disk is full (%s): free some space and run again.", message)
        return 1
    if isinstance(error, RelprobeError):
        logger.error("Error: %s", error)
        return 1
    logger.exception("This is a defect in relprobe; please report it with this traceback.", exc_info=error)
    return 2


def _parameters(step: Step) -> Iterator[tuple[str, Any]]:
    """Yield the name and type of every parameter."""
    hints = get_type_hints(step)
    return ((name, hints[name]) for name in inspect.signature(step).parameters)


def _options(step: Step) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name, type and default (or MISSING) of every option."""
    defaults = {name: parameter.default for name, parameter in inspect.signature(step).parameters.items()}
    for name, kind in _parameters(step):
        if dataclasses.is_dataclass(kind):
            hints = get_type_hints(kind)
            for field in dataclasses.fields(kind):
                default = MISSING if field.default is dataclasses.MISSING else field.default
                yield field.name, hints[field.name], default
        else:
            yield name, kind, defaults[name]


def _reader(kind: Any) -> Settings:
    """Return the arguments of `add_argument` that make argparse read a value of this type."""
    if get_origin(kind) in (Union, types.UnionType):  # X | None
        (kind,) = (member for member in get_args(kind) if member is not types.NoneType)
    if get_origin(kind) is list:
        return {**_reader(get_args(kind)[0]), "nargs": "*"}
    if get_origin(kind) is dict or kind is Any:
        return {"type": _json, "metavar": "JSON"}
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind)}
    return {"type": _boolean, "metavar": "true|false"} if kind is bool else {"type": kind}


def _boolean(text: str) -> bool:
    try:
        return {"true": True, "false": False}[text]
    except KeyError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false") from None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not valid JSON") from None


def main(groups: dict[str, str], words: list[str], commands: dict[str, str] | None = None) -> int:
    """Run the step that a command line names and return the exit status: that of `run`, or 2 for an unknown name.

    `groups`: group -> the module whose public functions are its steps. `commands`: a name that stands alone -> the dotted
    name of its function. `words`: the command line, such as `["relations", "metrics", "--scores", …]`. Without the name of
    a group or of a step, print a list of these names.
    """
    commands = commands or {}
    if words and words[0] in commands:
        module_name, _, function = commands[words[0]].rpartition(".")
        return _call(getattr(importlib.import_module(module_name), function), words[:1], words[1:])
    if not words or words[0] not in groups:
        names = {name: f"{name} --help says what it does" for name in commands} | dict.fromkeys(groups, "")
        return _list("python -m relprobe GROUP STEP --help", "groups of steps", names, words)
    module = importlib.import_module(groups[words[0]])
    steps = {name: step for name, step in vars(module).items() if _is_step(step, module.__name__)}
    if len(words) < 2 or words[1] not in steps:
        texts = {name: (inspect.getdoc(step) or "").partition("\n")[0] for name, step in steps.items()}
        return _list(f"python -m relprobe {words[0]} STEP --help", f"steps of {words[0]}", texts, words[1:])
    return _call(steps[words[1]], words[:2], words[2:])


def _call(step: Step, names: list[str], options: list[str]) -> int:
    parser = arguments_of(step)
    parser.prog = " ".join(["python -m relprobe", *names])
    return run(step, parser.parse_args(options))


def _is_step(value: Any, module: str) -> bool:
    return inspect.isfunction(value) and value.__module__ == module and not value.__name__.startswith("_")


def _list(usage: str, what: str, names: dict[str, str], words: list[str]) -> int:
    """Print the usage and the names to choose from; return status 2 if the first word is another name, else 0."""
    print(f"usage: {usage}\n\n{what}:")
    width = max(map(len, names))
    for name, text in names.items():
        print(f"  {name:{width}}  {text}".rstrip())
    unknown = [word for word in words[:1] if word not in ("-h", "--help")]
    if unknown:
        print(f"\nThere is no {unknown[0]!r} among the {what}: use a name of the list.", file=sys.stderr)
    return 2 if unknown else 0
