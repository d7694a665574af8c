"""The stores of a study: what the models of each score file have answered."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.command.home import folder_in, own_config, root
from relprobe.core.files import paths_below, read_yaml
from relprobe.core.words import amount
from relprobe.studies.config import validate


@dataclass(frozen=True)
class StoreEntry:
    """The store of one score file in a folder of `results`.

    `agent` and `study` are its places there; `configured`: both still take part.
    """

    results: Path
    folder: Path
    study: str
    agent: str
    configured: bool


def stores_of(folder: Path) -> Iterator[StoreEntry]:
    """Yield the stores of the study in a folder. RelprobeError: its configuration is not valid."""
    file = own_config(folder)
    config: dict[str, Any] = {}
    if file is not None:
        config = read_yaml(file, as_written=True)
        with contextlib.chdir(folder):  # from which its paths lead
            validate(config, root())  # which makes an agent of each checkpoint
    results = folder / folder_in(config, "results")
    agents = {"static", *config.get("models", ()), *config.get("encoders", ())}
    for store_folder in sorted(paths_below(results, ".*.parquet.store")):
        study, agent = store_folder.relative_to(results).parts[0], store_folder.name[1:].removesuffix(".parquet.store")
        yield StoreEntry(results, store_folder, study, agent, not config or (agent in agents and study in config))


def forget(folder: Path) -> str:
    """Delete what all models of the study in a folder have answered, with their score files, and say how much that was.

    The replies of agents that only chat stay, as they may have been paid for. ModelError: a job is at work.
    """
    from relprobe.lm.score_files.cleaning import drop_all, is_of_network, summary
    from relprobe.lm.score_files.store import lock

    stores = [store for store in stores_of(folder) if is_of_network(store.folder)]
    answers = 0
    for store in stores:
        with lock(store.folder):
            answers += summary(store.folder)[0]
            drop_all(store.folder)
        store.folder.with_name(store.folder.name[1:].removesuffix(".store")).unlink(missing_ok=True)
    deleted = amount(answers, "stored answer of", "stored answers of")
    return f"Deleted: {deleted} {amount(len(stores), 'score file')}; all of them are asked again."
