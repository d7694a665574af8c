"""The modules of docs/ that write parts of its pages."""

import importlib.util
import sys
from types import ModuleType

from tests.paths import ROOT


def manual_of(name: str) -> ModuleType:
    """Return the module docs/NAME.py."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / f"docs/{name}.py")
    assert spec and spec.loader
    manual = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(manual)
    return manual
