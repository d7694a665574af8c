"""relprobe measures what pretrained language models know about words and the relations between words.

    from relprobe import load

    model = load("gpt2", kind="causal")
    model.top_words(["a robin is a kind of [SLOT]"], k=10)

The names of `__all__` are the public interface. They are imported at their first use, so that `import relprobe` takes no
time.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relprobe.library.load import load
    from relprobe.library.model import Model
    from relprobe.version import __version__

__all__ = ["Model", "__version__", "load"]
# The modules are named as text, because the digest of every step covers what this file imports (relprobe.core.digest).
_HOMES = {"load": "relprobe.library.load", "Model": "relprobe.library.model", "__version__": "relprobe.version"}


def __getattr__(name: str) -> Any:
    """Return a public name from the module that defines it. AttributeError: it is no public name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
