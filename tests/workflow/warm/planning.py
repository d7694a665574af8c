"""What every plan of Snakemake does in the same way, done once before the server forks: its parser, and the rule files."""

import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

NOWHERE = "/the/place/of/a/rule/file"
"""Stands in what was parsed for the path of the file, which is another one in each study."""


def build_parser() -> None:
    """Build the parser of command lines, for those without a profile."""
    from snakemake import cli

    build = cli.get_argument_parser
    parser = build()
    cli.get_argument_parser = lambda profiles=None: build(profiles) if profiles else parser


def read_rules(files: Iterable[Path]) -> None:
    """Parse rule files. A study whose file has the same text takes what was parsed; any other text is parsed anew."""
    from snakemake import parser, workflow

    parse = parser.parse
    parsed = {}
    for file in files:
        text = file.read_text()
        if re.search(r"^ *rule:", text, re.MULTILINE):
            continue  # Snakemake names such a rule by the number of those before it
        lines: dict[int, int] = {}
        code, rules = parse(_file(NOWHERE), _with(text), lines)
        parsed[text] = code, rules, lines

    def read(path: Any, its: Any, linemap: dict[int, int], overwrite_shellcmd: Any = None, rulecount: int = 0) -> Any:
        with its.sourcecache.open(path) as file:
            text = file.read()
        if text not in parsed or overwrite_shellcmd is not None:
            return parse(path, its, linemap, overwrite_shellcmd, rulecount)
        code, rules, lines = parsed[text]
        linemap |= lines
        return code.replace(repr(NOWHERE), repr(path.get_path_or_uri(secret_free=True))), rulecount + rules

    workflow.parse = read


def _file(path: str) -> Any:
    return SimpleNamespace(get_path_or_uri=lambda secret_free: path)


def _with(text: str) -> Any:
    """A workflow as the parser uses one: it opens its file."""
    opened: Callable[[Any], io.StringIO] = lambda _: io.StringIO(text)  # noqa: E731
    return SimpleNamespace(sourcecache=SimpleNamespace(open=opened))
