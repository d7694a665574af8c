"""The mutants of a module: code in which one operator, constant or aggregate is another.

The operators are those of Cosmic Ray, and AGGREGATES.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider

OPERATORS = (
    *(
        f"ReplaceBinaryOperator_{name}"
        for name in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "Pow_Mul", "FloorDiv_Mul")
    ),
    *(f"ReplaceBinaryOperator_{name}" for name in ("Mod_Add", "BitAnd_BitOr", "BitOr_BitAnd", "LShift_RShift")),
    *(f"ReplaceComparisonOperator_{name}" for name in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq")),
    *(f"ReplaceComparisonOperator_{name}" for name in ("Lt_Gt", "Gt_Lt", "Is_IsNot", "IsNot_Is")),
    *(f"ReplaceUnaryOperator_Delete_{name}" for name in ("USub", "Invert", "Not")),
    *("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer"),
)
PAIRS = (
    "mean sum",
    "min max",
    "any all",
    "first last",
    "nanmean nansum",
    "cumsum cumprod",
    "head tail",
    "argmin argmax",
)
AGGREGATES = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])} | {
    "median": "mean",
    "len": "n_unique",
    "minimum": "maximum",
    "maximum": "minimum",
    "max_horizontal": "min_horizontal",
    "min_horizontal": "max_horizontal",
    "is_null": "is_not_null",
    "is_not_null": "is_null",
}
"""Method or function -> the one that takes its place."""
KEPT = ("strict", "frozen", "maintain_order")
"""Keyword arguments that stay as they are. A program that is right does not need `strict=True` and `frozen=True`: they guard
against others. Without `maintain_order=True` the rows of a small table often keep their order all the same, so that one run
says nothing."""


class Aggregate(Operator):
    """Replaces a function or method by another one, as AGGREGATES says."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield where a name of AGGREGATES is called."""
        if node.type == "name" and node.value in AGGREGATES and self._called(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Return the other name."""
        return parso.python.tree.Name(AGGREGATES[node.value], node.start_pos, node.prefix)

    @staticmethod
    def _called(node: Any) -> bool:
        after = node.get_next_leaf()
        return after is not None and after.value == "(" and node.get_previous_leaf().value == "."

    @classmethod
    def examples(cls) -> tuple[()]:
        """Return no examples, which Cosmic Ray's own tests read."""
        return ()


@dataclass(frozen=True)
class Mutant:
    """A module in which one place is changed. `line`: its number; `before`, `after`: that line."""

    operator: str
    line: int
    before: str
    after: str
    code: str


def mutants(code: str) -> Iterator[Mutant]:
    """Yield all mutants of a module's code, but for what stays as it is (`_kept`)."""
    tree, kept = get_ast(code), list(_kept(code))
    operators = {name: OperatorProvider()[name]() for name in OPERATORS} | {"Aggregate": Aggregate()}
    for name, operator in operators.items():
        places = (place for node in ast_nodes(tree) for place in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(places):
            if any(low <= start < high for low, high in kept):
                continue
            mutated = mutate_code(code, operator, occurrence)
            if mutated is not None and mutated != code:
                lines = [text.splitlines()[start[0] - 1].strip() for text in (code, mutated)]
                yield Mutant(name, start[0], *lines, mutated)


def _kept(code: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the beginnings and ends of what stays as it is: annotations, parameters without a default, and KEPT."""
    for node in ast.walk(ast.parse(code)):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.keyword) and node.arg in KEPT:
            parts.append(node.value)
        for part in parts:
            if part is not None:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)
        if isinstance(node, ast.FunctionDef):  # its stars are no products
            defaults = sorted(
                ((part.lineno, part.col_offset), (part.end_lineno or 0, part.end_col_offset or 0))
                for part in (*node.args.defaults, *node.args.kw_defaults)
                if part
            )
            starts = [start for start, _ in defaults]
            ends = [(node.lineno, node.col_offset), *(end for _, end in defaults)]
            yield from zip(ends, [*starts, (node.body[0].lineno, 0)], strict=True)
