"""`relprobe paper [STUDY …]`: what a manuscript takes from the finished studies of this folder, in results/paper."""

import argparse
import itertools
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from relprobe.command import run
from relprobe.command.home import own_config
from relprobe.command.pages import run_folder
from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml, write_json
from relprobe.core.manifest import is_fetched
from relprobe.core.missing import FOLLOWS
from relprobe.core.missing import read as read_missing
from relprobe.core.words import enumeration, hint
from relprobe.paper.steps import STEPS
from relprobe.report.widths import width_of
from relprobe.studies import STUDIES

ADDED = Path(".snakemake/relprobe/paper.json")
"""The file with what the options say, which Snakemake adds to the configuration."""
RULES = ("paper", "paper_figures", "trials", *(f"paper_{step}" for step in STEPS))
"""The rules that may run: all others have run before, so that nothing is computed anew."""


def main(words: list[str]) -> int:
    """Become Snakemake with the rules of the paper alone; return a status if that is impossible."""
    parser = argparse.ArgumentParser(
        prog="relprobe paper",
        usage="relprobe paper [STUDY …] [--all] [--width 8.4cm] [--png] [options of Snakemake]",
        description=__doc__,
        epilog="STUDY: these studies alone; else all that are finished. Options of Snakemake may follow. "
        "`relprobe run paper` first computes what is out of date.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--width",
        action="append",
        metavar="8.4cm",
        help="the width of figures, in cm, mm or in; several times for several; else those of config.yaml",
    )
    parser.add_argument("--all", action="store_true", help="all figures of the pages, and not only the first of each")
    parser.add_argument("--png", action="store_true", help="draw figures as PNG, too, of 300 dots per inch")
    options, words_left = parser.parse_known_args(words)
    # argparse would take the value of an option of Snakemake for a study, in some versions of Python.
    names = [*itertools.takewhile(lambda word: not word.startswith("-"), words_left)]
    words_left = words_left[len(names) :]
    try:
        settings = _settings(options.width or [], png=options.png, complete=options.all)
        content = _configuration()
        configured = [study for study in STUDIES if study in content]
        studies = finished_studies(names, run_folder(), configured)
        gone = {loss.agent for loss in read_missing(run_folder())}
        named = content.get("models")
        models = {name: named[name] for name in named if name not in gone} if isinstance(named, dict) else {}
        check_models(models, studies, run_folder("resources") / "fetched/models")
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    os.environ[FOLLOWS] = "1"  # what the run went on without is no part of the manuscript
    print(f"Into {run_folder() / 'paper'}: {', '.join(studies)}.")
    return run.main(
        ["paper", *_configured(words_left, settings | {"studies": studies}), "--allowed-rules", *RULES, *words_left]
    )


def _configured(words: list[str], settings: dict[str, Any]) -> list[str]:
    """Write what the manuscript is to have into a file, and return the option that adds it to the configuration.

    Snakemake takes a word after `--config` for a text where it is `true`, and a file after `--configfile` as it is written.
    That option replaces the study's own configuration, so it names this one, too. `words`: the user's options of Snakemake;
    files after `--configfile` are taken out of them.
    """
    configuration = own_config()
    files = run.take_values(words, run.CONFIGS) or ([] if configuration is None else [str(configuration)])
    if not files:
        return []  # `run` says what is missing
    ADDED.parent.mkdir(parents=True, exist_ok=True)
    write_json({"paper": settings}, ADDED)
    return [run.CONFIGS[0], *files, str(ADDED)]


def _settings(widths: Sequence[str], *, png: bool, complete: bool) -> dict[str, Any]:
    """Return what the words of the command line say of figures. DataError: a width is none."""
    for width in widths:
        width_of(width)
    settings: dict[str, Any] = {"widths": [width.replace(" ", "") for width in widths]} if widths else {}
    return settings | ({"png": True} if png else {}) | ({"all": True} if complete else {})


def finished_studies(names: Sequence[str], folder: Path, configured: Sequence[str]) -> list[str]:
    """Return the studies of these names or, without any, those that are finished in the folder of results.

    `configured`: the studies of the configuration. DataError: no study has such a name, or it is not finished, or none is.

    >>> finished_studies(["relatons"], Path("results"), [])
    Traceback (most recent call last):
    relprobe.core.errors.DataError: There is no study 'relatons': did you mean 'relations'?
    """
    for name in names:
        if name not in STUDIES:
            raise DataError(f"There is no study {name!r}: {hint(name, dict.fromkeys(STUDIES))}")
    done = [study for study in STUDIES if (folder / study / "report.html").is_file()]
    missing = [study for study in (names or configured) if study not in done]
    if missing and (names or not done):
        verb, their = ("is", "it") if len(missing) == 1 else ("are", "them")
        raise DataError(
            f"{enumeration(missing)} {verb} not finished in {folder}: `relprobe run {' '.join(missing)}` computes {their}."
        )
    if not done:
        raise DataError(f"No study is finished in {folder}: `relprobe run` computes them.")
    if missing:
        print(f"Left out, as not finished: {', '.join(missing)}.", file=sys.stderr)
    return list(names) or done


def check_models(models: Mapping[str, Any], studies: Sequence[str], folder: Path) -> None:
    """Check that the manifests of the models are there, whose digests the methods name. DataError: one is missing.

    `models`: name -> entry of the configuration. `folder`: of the manifests.
    """
    local_models = [
        name for name, entry in models.items() if isinstance(entry, dict) and not {"model", "endpoint"} & entry.keys()
    ]
    for name in local_models:
        part = set(models[name].get("studies", studies) or ()) & set(studies)
        if part and not is_fetched(folder, name):
            raise DataError(
                f"{folder / f'{name}.json'} is missing, which says what files {name} has: `relprobe run paper` fetches them."
            )


def _configuration() -> dict[str, Any]:
    """Return the configuration of this folder, as it is written. DataError: it is no valid YAML."""
    file = own_config()
    content: Any = None if file is None else read_yaml(file, as_written=True)
    return content if isinstance(content, dict) else {}
