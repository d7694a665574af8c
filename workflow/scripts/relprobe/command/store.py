"""`relprobe store`: the stored answers of models, for which only new questions are asked, and the room that they take."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from relprobe.command.run import environment, last_words
from relprobe.command.run import options as snakemake_options
from relprobe.command.stores import StoreEntry, stores_of
from relprobe.core.errors import ModelError, RelprobeError
from relprobe.core.files import size_below
from relprobe.core.inside_snakemake import is_at_work
from relprobe.core.words import amount


def main(words: list[str]) -> int:
    """List the stores of the study in this folder, or drop from them what no study of the configuration asks any more."""
    parser = argparse.ArgumentParser(prog="relprobe store", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--drop",
        action="store_true",
        help="delete what no study of the configuration asks any more; it plans a run to know, which takes some seconds",
    )
    options = parser.parse_args(words)
    try:
        stores = list(stores_of(Path.cwd()))
    except RelprobeError as error:
        print(error, file=sys.stderr)
        return 1
    if options.drop and is_at_work():
        print("A run is at work in this folder: wait for its end, or stop it, and drop then.", file=sys.stderr)
        return 1
    files = planned_files(os.environ) if options.drop else None
    if isinstance(files, str):
        print(f"Nothing is dropped, as no run can be planned here: {files}", file=sys.stderr)
        return 1
    for line in lines(stores, files):
        print(line)
    return 0


def planned_files(variables: Mapping[str, str]) -> dict[str, bool] | str:
    """Return the files that the configuration asks for, and whether they are up to date; or why Snakemake cannot plan."""
    words = snakemake_options(["--summary", "--cores", "1"], terminal=False)
    command = [sys.executable, "-m", "relprobe.command.process", *words]
    done = subprocess.run(command, env=environment(variables), capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        return last_words(done)
    rows = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") >= 5]
    return {row[0]: row[-1] == "no update" for row in rows[1:]}


def lines(stores: list[StoreEntry], files: Mapping[str, bool] | None = None) -> Iterator[str]:
    """Yield what a user reads, a line for each store and one for all.

    `files`: those that the configuration asks for, and whether they are up to date (`planned_files`). What nobody asks any
    more is dropped first. Without `files` nothing is dropped.
    """
    from relprobe.lm.score_files.cleaning import summary

    total = freed = 0
    for store in stores:
        size_before = size_below(store.folder)
        remark = "" if store.configured else "; the configuration does not have it any more"
        if files is not None:
            remark = drop(store, files)
        answers, unasked = summary(store.folder)
        size = size_below(store.folder)
        total, freed = total + size, freed + size_before - size
        path = (store.folder.parent / store.agent).relative_to(store.results).as_posix()
        stored = f"{amount(answers, 'answer')}, {size / 1e6:.1f} MB"
        yield f"{path}: {stored}, of which the last job did not ask for {unasked:,}{remark}"
    yield f"{total / 1e6:.1f} MB in {amount(len(stores), 'store')}"
    if files is not None:
        yield f"{freed / 1e6:.1f} MB were freed"


def drop(store: StoreEntry, files: Mapping[str, bool]) -> str:
    """Drop from a store what no study asks any more, and return what a user should know of it.

    Of a score file that the configuration lacks, it drops everything. If a scoring job is due, nobody knows what that will
    ask for, and nothing is dropped: it may be what a killed job has left. Otherwise the last job has asked for all that is
    asked.
    """
    from relprobe.lm.score_files.cleaning import drop_all, drop_unasked
    from relprobe.lm.score_files.store import lock

    scores = store.folder.with_name(store.folder.name[1:].removesuffix(".store"))
    up_to_date = files.get(Path(os.path.relpath(scores)).as_posix())
    if up_to_date is False:
        return "; nothing is dropped, as a scoring job is due, which may ask for it: run the study first"
    try:
        with lock(store.folder):
            (drop_all if up_to_date is None else drop_unasked)(store.folder)
    except ModelError as error:
        return f"; nothing is dropped: {error}"
    return "; the configuration does not have it any more" if up_to_date is None else ""
