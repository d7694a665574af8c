"""Steps as the command line runs them: from files to files."""

import importlib
from typing import Any

from relprobe.core.cli import function_of
from relprobe.core.step import options_of, run
from relprobe.steps import GROUPS


def run_step(group: str, step: str, **options: Any) -> None:
    """Run a step of a group with the values of its options; the others have their defaults."""
    name = function_of(GROUPS[group], step)
    module, _, function = name.rpartition(".")
    found = getattr(importlib.import_module(module), function)
    known = {option.name: option.default for option in options_of(found)}
    assert options.keys() <= known.keys(), f"{step} has no option {', '.join(options.keys() - known.keys())}"
    run(found, name, known | options)
