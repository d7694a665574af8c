"""`relprobe store`: the stored answers of models, for which only new questions are asked, and the room that they take."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.command.home import own_config, root
from relprobe.core.errors import RelprobeError
from relprobe.core.files import read_yaml
from relprobe.studies.config import validate


@dataclass(frozen=True)
class Stored:
    """The store of one score file. `agent` and `study` are its places in the results; `configured`: both still take part."""

    folder: Path
    study: str
    agent: str
    configured: bool


def main(words: list[str]) -> int:
    """List the stores of the study in this folder, or drop from them what no study of the configuration asks any more."""
    parser = argparse.ArgumentParser(prog="relprobe store", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--drop",
        action="store_true",
        help="delete what the last scoring jobs did not ask for, and all of agents and studies that the configuration lacks",
    )
    options = parser.parse_args(words)
    try:
        stores = list(stores_of(Path.cwd()))
    except RelprobeError as error:
        print(error, file=sys.stderr)
        return 1
    if options.drop and Path(".snakemake/locks").is_dir() and any(Path(".snakemake/locks").iterdir()):
        print("A run is at work in this folder: wait for its end, or stop it, and drop then.", file=sys.stderr)
        return 1
    for line in lines(stores, drop=options.drop):
        print(line)
    return 0


def stores_of(folder: Path) -> Iterator[Stored]:
    """Yield the stores of the study in a folder. RelprobeError: its configuration is not valid."""
    file = own_config()
    config: dict[str, Any] = {}
    if file is not None:
        config = read_yaml(file)
        validate(config, root())  # which makes an agent of each checkpoint
    results = folder / (config.get("pathvars") or {}).get("results", "results")
    agents = {"static", *config.get("models", ()), *config.get("encoders", ())}
    for found in sorted(results.glob("*/*/.*.parquet.store")):
        study, agent = found.parents[1].name, found.name[1:].removesuffix(".parquet.store")
        yield Stored(found, study, agent, not config or (agent in agents and study in config))


def lines(stores: list[Stored], *, drop: bool) -> Iterator[str]:
    """Yield what a user reads, a line for each store and one for all; `drop` it first."""
    from relprobe.lm.score_files.cleaning import drop_all, drop_unasked, summary

    total = freed = 0
    for one in stores:
        before = _bytes(one.folder)
        if drop:
            if one.configured:
                drop_unasked(one.folder)
            else:
                drop_all(one.folder)
        answers, unasked = summary(one.folder)
        size = _bytes(one.folder)
        total, freed = total + size, freed + before - size
        place = f"{one.study}/{one.folder.parent.name}/{one.agent}"
        what = f"{answers:,} answers, {size / 1e6:.1f} MB, of which the last job did not ask for {unasked:,}"
        yield f"{place}: {what}" + ("" if one.configured else "; the configuration does not have it any more")
    yield f"{total / 1e6:.1f} MB in {len(stores)} stores"
    if drop:
        yield f"{freed / 1e6:.1f} MB were freed"


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
