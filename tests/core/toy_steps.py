"""Steps as the tests of the command line call them."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from relprobe.core.errors import SourceError


@dataclass(frozen=True)
class Model:
    model: Path
    threads: int = 2


def everything(
    model: Model,
    paths: list[Path],
    out: Path,
    optional: Path | None = None,
    *,
    count: int,
    share: float,
    kind: Literal["schema", "pmi"],
    names: list[str],
    settings: dict[str, Any],
    deep: bool = False,
) -> None:
    """Print what it is called with."""
    values = {name: value for name, value in locals().items() if name != "model"} | dataclasses.asdict(model)
    print(json.dumps(values, default=str))


def failing() -> None:
    """Fail as a step does whose input is gone."""
    raise SourceError("resources.x is gone: get it anew.")
