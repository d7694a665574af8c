"""The static vectors that a configuration names beside those of the resources."""

from functools import partial
from typing import Any

from relprobe.core.manifest import NewFolder
from relprobe.sources.fetch import Source, fetch


def vectors(*, name: str, entry: dict[str, Any]) -> NewFolder:
    """Fetch a set of static vectors into a folder beside its manifest. `name`, `entry`: its name and its config entry."""
    return partial(fetch, Source.of(f"vectors.{name}", entry))
