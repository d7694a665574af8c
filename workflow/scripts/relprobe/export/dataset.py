"""A study as a data set folder of Hugging Face: Parquet files and a card, README.md, which names them as configurations."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.files import read_parquet, whole_folder, write_parquet, write_text
from relprobe.core.words import amount
from relprobe.sources.language import LanguageFile
from relprobe.version import __version__

CARD = """---
pretty_name: relprobe {study}
license: other
license_name: the-licences-of-the-sources
language: [{language}]
tags: [language-models, probing, lexical-semantics]
configs:
{configs}
---

# relprobe {study}

These tables are the {study} study of relprobe {version}: what language models and baselines answer to probes about words.
`datasets.load_dataset("PATH/TO/THIS/FOLDER", "CONFIGURATION")` reads one of them.

{descriptions}

## Agents

{agents}

## Licence

The answers of the models are free of our rights. Words and relations come from resources that keep their own licences:
{sources}. relprobe itself is under the MIT licence.
"""
CONFIG = """- config_name: {name}
  data_files:
  - split: test
    path: {path}"""


def dataset(
    tables: list[Path],
    out: Path,
    *,
    study: str,
    sources: list[str],
    agents: list[Path] | None = None,
    answers: list[Path] | None = None,
    language: LanguageFile | None = None,
) -> None:
    """Write tables of a study as a data set folder of Hugging Face; those of agents lie in a folder of the table's name.

    The column `agent` is added to tables of agents that lack it. Categories and enumerations become texts, which other
    libraries read. `sources`: the resources of the study, for the licence. Without a `language` it is English.
    """
    files = {path.stem: [path] for path in tables}
    for path in [*(agents or []), *(answers or [])]:
        files.setdefault(path.parent.name, []).append(path)
    with whole_folder(out) as folder:
        _write(study, files, folder, language="en" if language is None else language.wordfreq, sources=sources)


def _write(
    study: str, tables: Mapping[str, Sequence[Path]], folder: Path, *, language: str, sources: Sequence[str]
) -> None:
    """Write a study's tables, each with the files that it consists of, and their card into a folder."""
    agents: dict[str, None] = {}
    configs, descriptions = [], []
    for name, paths in tables.items():
        single = len(paths) == 1 and paths[0].stem == name
        parts = {path.stem: _plain(read_parquet(path)) for path in paths}
        for stem, table in parts.items():
            complete = table
            if not single:
                agents[stem] = None
                complete = table if "agent" in table.columns else table.select(pl.lit(stem).alias("agent"), pl.all())
            path = folder / "data" / (f"{name}.parquet" if single else f"{name}/{stem}.parquet")
            write_parquet(complete, path)
        configs.append(CONFIG.format(name=name, path=f"data/{name}.parquet" if single else f"data/{name}/*.parquet"))
        descriptions.append(_description(name, complete.schema, sum(table.height for table in parts.values())))
    card = CARD.format(
        study=study,
        language=language,
        version=__version__,
        configs="\n".join(configs),
        descriptions="\n\n".join(descriptions),
        agents=", ".join(agents) or "none",
        sources=", ".join(sources) or "none",
    )
    write_text(card, folder / "README.md")


def _plain(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table whose categories are texts, in lists as well.

    >>> _plain(pl.DataFrame({"words": [["a", "b"]]}, schema={"words": pl.List(pl.Categorical)})).schema["words"]
    List(String)
    """
    kinds = (pl.Categorical, pl.Enum)
    texts = [name for name, kind in table.schema.items() if isinstance(kind, kinds)]
    lists = [name for name, kind in table.schema.items() if isinstance(kind, pl.List) and isinstance(kind.inner, kinds)]
    return table.with_columns(pl.col(texts).cast(pl.String), pl.col(lists).cast(pl.List(pl.String)))


def _description(name: str, schema: pl.Schema, rows: int) -> str:
    columns = "\n".join(f"| `{column}` | {kind} |" for column, kind in schema.items())
    return f"## {name}\n\n{amount(rows, 'row')}.\n\n| column | type |\n|---|---|\n{columns}"
