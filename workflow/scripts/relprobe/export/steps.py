"""The steps that write results in the forms of others. No other step reads them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal


def every_eval_ever(
    averages: Path,
    out: Path,
    *,
    study: str,
    models: dict[str, Any],
    organisation: str = "unknown",
    relationship: Literal["first_party", "third_party", "collaborative", "other"] = "other",
    metrics: list[Path] | None = None,
    top_words: list[Path] | None = None,
    probes: Path | None = None,
    relata: Path | None = None,
) -> None:
    """Write the averages of a study as records of Every Eval Ever, with instances if there are probes and answers."""
    import polars as pl

    from relprobe.core.files import whole_folder
    from relprobe.export.every_eval_ever import Run, records, soundness_instances, write
    from relprobe.version import __version__

    run = Run(study, int(averages.stat().st_mtime), organisation, relationship, __version__)
    values = {path.stem: path for path in metrics or []}
    words = {path.stem: path for path in top_words or []}
    with whole_folder(out) as folder:
        for agent, record in records(pl.read_parquet(averages), models, run).items():
            instances: Iterable[dict[str, Any]] = ()
            if probes is not None and relata is not None and agent in values.keys() & words.keys():
                tables = map(pl.read_parquet, (values[agent], probes, relata, words[agent]))
                instances = soundness_instances(record, *tables)
            write(record, instances, folder)


def dataset(
    tables: list[Path],
    out: Path,
    *,
    study: str,
    sources: list[str],
    agents: list[Path] | None = None,
    answers: list[Path] | None = None,
    language: Path | None = None,
) -> None:
    """Write tables of a study as a data set folder of Hugging Face; those of agents lie in a folder of the table's name."""
    from relprobe.core.files import whole_folder
    from relprobe.export.dataset import write
    from relprobe.sources.language import read
    from relprobe.version import __version__

    of_agents: dict[str, list[Path]] = {}
    for path in [*(agents or []), *(answers or [])]:
        of_agents.setdefault(path.parent.name, []).append(path)
    whole = {path.stem: [path] for path in tables} | of_agents
    code = "en" if language is None else read(language).wordfreq
    with whole_folder(out) as folder:
        write(study, whole, folder, language=code, version=__version__, sources=sources)


def lm_eval(probes: Path, relata: Path, language: Path, out: Path, *, seed: int = 1) -> None:
    """Write the probes of the relations study as tasks of lm-evaluation-harness, with choices that the seed draws."""
    import polars as pl

    from relprobe.core.files import whole_folder
    from relprobe.export.lm_eval import questions, write
    from relprobe.sources.language import read

    article = read(language).articles.before
    with whole_folder(out) as folder:
        write(questions(pl.read_parquet(probes), pl.read_parquet(relata), article, seed), folder)
