"""Steps from a shell: `python -m relprobe GROUP STEP --name value …`, with the arguments that the step's function has."""

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
    """Make the parser of a step from the signature of its function.

    A parameter becomes the option of its name. Its type says how it is read: Path, str, int, float, bool (true or false),
    Literal (one of its values), list (several values), dict (JSON); a dataclass stands for an option per field. A
    parameter with a default may be left out.
    """
    parser = argparse.ArgumentParser(
        description=inspect.getdoc(step), formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    for name, kind, default in _options(step):
        required = default is MISSING
        about = None if required or default in (None, "") else f"default: {default}"
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, required=required, default=default, help=about, **_reads(kind))
    parser.add_argument("--log", type=Path, help="write the log there; the terminal then shows warnings and errors")
    return parser


def call(step: Step, options: argparse.Namespace) -> None:
    """Call a step with its parsed options; those of a dataclass's fields are put together to that parameter."""
    values = vars(options)
    arguments = {}
    for name, kind in _parameters(step):
        if dataclasses.is_dataclass(kind):
            arguments[name] = kind(**{field.name: values[field.name] for field in dataclasses.fields(kind)})  # type: ignore[operator]
        else:
            arguments[name] = values[name]
    step(**arguments)


def run(step: Step, options: argparse.Namespace) -> int:
    """Run a step and return the exit status.

    A RelprobeError and a full disk end in one sentence and status 1, a defect in its traceback and status 2. With a log file
    the terminal shows warnings and errors alone, so that it stays Snakemake's.
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
    """Log an error for the user and return the exit status."""
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


def _reads(kind: Any) -> Settings:
    """Return how argparse reads a type."""
    if get_origin(kind) in (Union, types.UnionType):  # X | None
        (kind,) = (one for one in get_args(kind) if one is not types.NoneType)
    if get_origin(kind) is list:
        return {**_reads(get_args(kind)[0]), "nargs": "*"}
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
        raise argparse.ArgumentTypeError(f"{text!r} is no valid JSON") from None


def main(groups: dict[str, str], words: list[str]) -> int:
    """Run the step that the words of a command line name, such as `relations metrics --scores …`; return the exit status.

    `groups`: group -> the module whose public functions are its steps. Without a group or a step, list what there is.
    """
    if not words or words[0] not in groups:
        return _list("python -m relprobe GROUP STEP --help", "groups of steps", dict.fromkeys(groups, ""), words)
    module = importlib.import_module(groups[words[0]])
    steps = {name: step for name, step in vars(module).items() if _is_step(step, module.__name__)}
    if len(words) < 2 or words[1] not in steps:
        said = {name: (inspect.getdoc(step) or "").partition("\n")[0] for name, step in steps.items()}
        return _list(f"python -m relprobe {words[0]} STEP --help", f"steps of {words[0]}", said, words[1:])
    parser = arguments_of(steps[words[1]])
    parser.prog = f"python -m relprobe {words[0]} {words[1]}"
    return run(steps[words[1]], parser.parse_args(words[2:]))


def _is_step(value: Any, module: str) -> bool:
    return inspect.isfunction(value) and value.__module__ == module and not value.__name__.startswith("_")


def _list(usage: str, what: str, names: dict[str, str], words: list[str]) -> int:
    """Print the usage and what there is to choose from; the status is that of a mistake if the words name nothing known."""
    print(f"usage: {usage}\n\n{what}:")
    width = max(map(len, names))
    for name, about in names.items():
        print(f"  {name:{width}}  {about}".rstrip())
    unknown = [word for word in words[:1] if word not in ("-h", "--help")]
    if unknown:
        print(f"\nThere is no {unknown[0]!r} among the {what}.", file=sys.stderr)
    return 2 if unknown else 0
