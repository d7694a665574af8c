"""What the further analyses of a study make (core/analyses.py): tables and figures of its page, and a file of each agent."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.errors import DataError
from relprobe.core.files import AGENT, Format, read_parquet, write_table
from relprobe.core.unmade import REFUSED, UnmadeError, error_in, reason_table, reasons, table_or_reason, to_use

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from relprobe.report.figures import Figures

Maker = TypeVar("Maker", bound=Callable[..., Any])


def makers(
    study: str, kind: Literal["TABLES", "FIGURES"], page_makers: Mapping[str, Maker], names: Iterable[str]
) -> dict[str, Maker]:
    """Return the functions that make some tables, or figures, of a study: name -> function.

    `page_makers`: those of the page itself; the others are what the analyses of the study define as TABLES or FIGURES.
    DataError: nothing makes one of them.
    """
    made = dict(page_makers)
    for analysis_makers in take(study, kind).values():
        made |= analysis_makers
    if unknown := [name for name in names if name not in made]:
        raise DataError(
            f"the page of {study} has a {kind.lower().removesuffix('s')} {unknown[0]} that nothing makes: add it to "
            f"{kind} of the analysis that has its section."
        )
    return {name: made[name] for name in names}


def make_tables(
    study: str, page_makers: Mapping[str, Callable[[Any], pl.DataFrame]], names: Iterable[str], results: Any
) -> dict[str, pl.DataFrame]:
    """Return the tables of a study's page: name -> table. `results`: what each is made of. DataError: see `makers`.

    A table whose making fails is one that says why (core/unmade.py).
    """
    return {
        name: table_or_reason(name, make, results) for name, make in makers(study, "TABLES", page_makers, names).items()
    }


def draw_figures(
    study: str,
    page_makers: Mapping[str, Callable[..., "Figure"]],
    names: Iterable[str],
    *read: Any,
    values: Mapping[str, pl.DataFrame] | None = None,
) -> "Figures":
    """Yield the figures of a study's page, each with what draws it. `read`: what each is drawn from.

    `values`: figure -> a table of its own, from which it is drawn before all that is in `read`. A figure whose drawing fails
    is a sentence on that. DataError: see `makers`.
    """
    for name, draw in makers(study, "FIGURES", page_makers, names).items():
        yield name, partial(_draw, name, draw, values, read)


def _draw(name: str, draw: Callable[..., "Figure"], values: Mapping[str, pl.DataFrame] | None, read: Any) -> "Figure":
    """Draw a figure from the table of its values, if it has one, and from what all figures are drawn from."""
    return draw(*([to_use(name, values[name])] if values else []), *read)


def tables_by_agent(study: str, agent: Any) -> dict[str, pl.DataFrame]:
    """Return what the analyses of a study have of each agent: analysis -> the table of its function `agent_table`.

    One that fails costs the agent nothing else: its table says why.
    """
    return {
        analysis: table_or_reason(f"{analysis} of an agent", make, agent)
        for analysis, make in take(study, "agent_table").items()
    }


def tables_by_layer(study: str, layers: Any, names: Iterable[str] = ()) -> dict[str, pl.DataFrame]:
    """Return the tables that a study's analyses make of its agents with layers (`tables_of_layers`)."""
    return tables_of(study, "tables_of_layers", layers, names)


def tables_of(study: str, function: str, read: Any, names: Iterable[str] = ()) -> dict[str, pl.DataFrame]:
    """Return the tables of what a study's analyses define under a name, such as `tables_of_layers`: table -> rows.

    `read`: what they may read. `names`: the tables that are expected; those of an analysis that fails say why, and without
    any its error is raised.
    """
    tables: dict[str, pl.DataFrame] = {}
    for make in take(study, function).values():
        try:
            tables |= make(read)
        except REFUSED:
            raise
        except Exception as error:
            if {*names} <= {*tables}:
                raise
            tables |= {name: reason_table(name, error) for name in names if name not in tables}
    return tables


def write_by_agent(tables: Mapping[str, pl.DataFrame], paths: Sequence[Path]) -> None:
    """Write what analyses have of an agent, with its name. `paths`: a file ANALYSIS/AGENT.parquet of each."""
    for path in paths:
        table = tables[path.parent.name]
        write_table(table, table.schema, path, path.stem)


def read_by_agent(paths: Iterable[Path], analysis: str, *, with_name: bool = False) -> dict[str, pl.DataFrame]:
    """Return what an analysis has of each agent: agent -> its table. `paths`: as for `write_by_agent`.

    `with_name`: whether a column AGENT has its name. UnmadeError: it could not be made of one of them.
    """
    tables = {path.stem: read_parquet(path) for path in paths if path.parent.name == analysis}
    without_name = {agent: table.drop(AGENT) for agent, table in tables.items()}
    for agent, why in reasons(without_name).items():
        raise UnmadeError(f"{analysis} of {agent} could not be made: {error_in(why)}")
    return tables if with_name else without_name


ByAgent = Annotated[Mapping[str, pl.DataFrame], Format(write_all=write_by_agent)]
"""Analysis -> its table of the agent."""
