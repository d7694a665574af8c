"""The further analyses of a study: a file each in its folder `analyses`, which is all that there is of an analysis.

A file that is added there is a part of the study, and one that is deleted is gone from it: nothing lists them. The first
paragraph of its docstring says what it holds, and the rest is its sections of the study's page (report/shown.py). `PLACE`
is its place among the analyses on the page; those without it come last, by name. What else it does, the study finds by the
names that the file defines, such as `TABLES`. A function `has` says whether a run has what the analysis may lack. A function
`make_exhibits` is a step of its own, which has the name of the file: what it reads are its parameters, and the study knows
what these names stand for.
"""

import __future__

import ast
import builtins
import functools
import importlib
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from relprobe.core.errors import DataError, first_line
from relprobe.core.former_names import ANALYSIS_NAMES
from relprobe.core.scopes import defined_names, module_names

STUDIES = Path(__file__).parents[1] / "studies"
FOLDER = "analyses"
STEP = "make_exhibits"
"""The function of an analysis that is a step of its own."""
HAS = "has"
"""The function of an analysis that says whether a run has what its sections may lack."""


NAMES_OF_SOME_STUDIES = frozenset(
    {
        *("SUBSETS", "describe", "agent_table", "tables_of_layers", "tables_of_vectors"),
        *("DERIVED_TABLES", "TABLES_READ", "left_out", "published"),
    }
)
"""What an analysis may define in the studies that say so (`Study.takes`); all studies take the other names."""


class Analysis(NamedTuple):
    """A further analysis of a study, as its file says without being run."""

    module: str  # its dotted name
    path: Path
    page: str  # what its docstring says below the first paragraph
    line: int  # the line of the file in which that begins
    position: float  # on the page: the number in PLACE, or infinity
    names: frozenset[str]  # what the file defines
    says: str  # the first sentence of its docstring
    reads: tuple[str, ...] = ()  # what its function `make_exhibits` takes, if it has a step of its own (`_parameters`)
    tables: tuple[str, ...] = ()  # the tables of the page that it makes its own of (TABLES_READ)

    @property
    def name(self) -> str:
        """The name of its file, which is that of its step, if it has one."""
        return self.path.stem


@functools.cache
def analyses_of(study: str) -> tuple[Analysis, ...]:
    """Return the analyses of a study in the order of its page; none if it has no such folder.

    >>> [Path(analysis.path).stem for analysis in analyses_of("definitions")][:2], analyses_of("a study without any")
    (['leaks', 'depth'], ())
    """
    files = sorted((STUDIES / study / FOLDER).glob("[!_]*.py"))
    return tuple(
        sorted((read(file, study) for file in files), key=lambda analysis: (analysis.position, analysis.module))
    )


def read(file: Path, study: str = "") -> Analysis:
    """Read the file of an analysis, without running it. DataError: it is no Python, or says nothing of itself."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise DataError(f"{file} is no Python ({error}): correct it.") from error
    if not (docstring := ast.get_docstring(tree, clean=False)):
        raise DataError(f'{file} says nothing of itself: begin it with a sentence between two """.')
    first, _, page = docstring.partition("\n\n")
    names = frozenset(name for statement in tree.body for name in defined_names(statement))
    values = [
        statement.value.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and defined_names(statement) == ["PLACE"]
        if isinstance(statement.value, ast.Constant) and not isinstance(statement.value.value, bool)
        if isinstance(statement.value.value, int | float)
    ]
    if former := sorted(names & ANALYSIS_NAMES.keys()):
        raise DataError(f"{file}: what was {former[0]} in an analysis is {ANALYSIS_NAMES[former[0]]} now: rename it.")
    if "PLACE" in names and not values:
        raise DataError(f"{file}: PLACE is no number: write one, such as PLACE = 2, or 2.5 between two.")
    if HAS in names and not _functions(tree, HAS):
        raise DataError(f"{file}: {HAS} is no function of the file: write `def {HAS}(config, roles)` into it.")
    if used := [name for function in _functions(tree, HAS) for name in _names_of_module(function)]:
        raise DataError(
            f"{file}: the function {HAS} uses {used[0]} of its file, which is not run to plan a run: import or write it in "
            "the function."
        )
    module = f"relprobe.studies.{study}.{FOLDER}.{file.stem}"
    line, position = tree.body[0].lineno + first.count("\n") + 2, values[0] if values else math.inf
    says, tables = " ".join(first.split()), _tables(tree, file) if "TABLES_READ" in names else ()
    return Analysis(module, file, page, line, position, names, says, _parameters(tree), tables)


def _tables(tree: ast.Module, file: Path) -> tuple[str, ...]:
    """Return the names in TABLES_READ. DataError: it is no tuple of names."""
    (value,) = (
        statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and defined_names(statement) == ["TABLES_READ"]
    )
    try:
        names = ast.literal_eval(value)
    except ValueError:
        names = None
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        raise DataError(f'{file}: TABLES_READ is no tuple of names: write one, such as TABLES_READ = ("overview",).')
    return names


def _parameters(tree: ast.Module) -> tuple[str, ...]:
    r"""Return the names of the parameters of the function `make_exhibits`; none where there is no such function.

    In place of a parameter whose type is a dataclass of the file stand the fields of this.

    >>> code = "class Files:\n    tests: Tests\n    lists: Lists\n\ndef make_exhibits(files: Files, drawing: Drawing): ..."
    >>> _parameters(ast.parse(code))
    ('tests', 'lists', 'drawing')
    """
    arguments = [
        argument for function in _functions(tree, STEP) for argument in (*function.args.args, *function.args.kwonlyargs)
    ]
    fields = {
        statement.name: [
            part.target.id
            for part in statement.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        ]
        for statement in tree.body
        if isinstance(statement, ast.ClassDef)
    }
    return tuple(
        name
        for argument in arguments
        for name in fields.get(ast.unparse(argument.annotation) if argument.annotation else "", [argument.arg])
    )


def _functions(tree: ast.Module, name: str) -> list[ast.FunctionDef]:
    """Return the function of a name in a file; none if it has no such function."""
    return [statement for statement in tree.body if isinstance(statement, ast.FunctionDef) and statement.name == name]


def _names_of_module(function: ast.FunctionDef) -> list[str]:
    """Return the names that the body of a function takes from its module.

    >>> (function,) = ast.parse("def has(config, roles): return {'long': bool(LIMIT) and len(config)}").body
    >>> _names_of_module(function)
    ['LIMIT']
    """
    arguments = ast.arguments([], [ast.arg(argument.arg) for argument in function.args.args], None, [], [], None, [])
    names = module_names(ast.FunctionDef(function.name, arguments, function.body, []))  # without what annotations name
    return [name for name in names if not hasattr(builtins, name.partition(".")[0])]


def facts_of(study: str, config: Mapping[str, Any], roles: Any) -> dict[str, bool]:
    """Return what the analyses of a study say of a run (`has`): name of `may_lack` -> whether the run has it.

    DataError: one of them fails or returns something else, or two say different things of a name.
    """
    facts: dict[str, bool] = {}
    for analysis in (analysis for analysis in analyses_of(study) if HAS in analysis.names):
        analysis_facts = _call_alone(analysis, HAS, config, roles)
        if not isinstance(analysis_facts, dict) or not all(
            isinstance(value, bool) for value in analysis_facts.values()
        ):
            raise DataError(
                f"{analysis.path}: {HAS} returns {analysis_facts!r}: let it return names with True or False, such as "
                "{'long': True}."
            )
        for name, is_there in analysis_facts.items():
            if facts.setdefault(name, is_there) != is_there:
                raise DataError(
                    f"{analysis.path}: {HAS} says of {name} what another analysis of {study} denies: give one of the two "
                    "another name."
                )
    return facts


def _call_alone(analysis: Analysis, name: str, *arguments: Any) -> Any:
    """Return what a function of an analysis returns. DataError: it fails.

    The rest of its file is not run: Snakemake plans in every job, and libraries that draw or compute take seconds.
    """
    functions = ast.Module([*_functions(ast.parse(analysis.path.read_bytes()), name)], [])
    code = compile(functions, str(analysis.path), "exec", __future__.annotations.compiler_flag, dont_inherit=True)
    scope: dict[str, Callable[..., Any]] = {}
    exec(code, scope)  # noqa: S102 - the code of the project, as an import would run it
    try:
        return scope[name](*arguments)
    except Exception as error:
        raise DataError(f"{analysis.path}: its function {name} fails ({first_line(error)}): correct it.") from error


def steps_of(study: str) -> dict[str, tuple[str, str]]:
    """Return the steps that analyses of a study have: name -> the function, as MODULE:NAME, and what it does.

    >>> steps_of("relations")["ceiling"][0]
    'analyses.ceiling:make_exhibits'
    """
    with_step = [analysis for analysis in analyses_of(study) if STEP in analysis.names]
    return {analysis.name: (f"{FOLDER}.{analysis.name}:{STEP}", analysis.says) for analysis in with_step}


def dotted_names(study: str, *names: str) -> list[str]:
    """Return the dotted names of what the analyses of a study define under some names: what a step takes of them.

    >>> dotted_names("definitions", "agent_table")
    ['relprobe.studies.definitions.analyses.sensitivity.agent_table']
    """
    return [f"{analysis.module}.{name}" for analysis in analyses_of(study) for name in names if name in analysis.names]


def by_agent(study: str, agents: Iterable[str] = ("{agent}",)) -> list[str]:
    """Return the tables that analyses of a study have of each agent (`agent_table`), as rules name them.

    Without `agents` they are those of the agent that the wildcard of this name stands for.

    >>> by_agent("definitions", ["gpt2"])
    ['<results>/definitions/sensitivity/gpt2.parquet']
    """
    names = [analysis.name for analysis in analyses_of(study) if "agent_table" in analysis.names]
    return [f"<results>/{study}/{name}/{agent}.parquet" for name in names for agent in agents]


def take(study: str, name: str) -> dict[str, Any]:
    """Return what the analyses of a study define under a name: analysis -> that, in the order of the page."""
    return {
        analysis.path.stem: getattr(importlib.import_module(analysis.module), name)
        for analysis in analyses_of(study)
        if name in analysis.names
    }
