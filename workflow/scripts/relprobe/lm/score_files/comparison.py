"""How far an answer that is asked again is from the stored one, beside what rounding makes of it in its number format."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from relprobe.lm.precision import ROUNDING, TOLERANCE
from relprobe.lm.witness import ALIKE

RELATIVE = 1e-4
"""What a number may differ by in float32 beside TOLERANCE, as a share of the largest number of its list."""
HALF_EPSILON = 2.0**-10
"""The same for a number that is stored in 16 bits, as a share of itself: a unit in its last place."""
Row = Mapping[str, Any]


class Difference(NamedTuple):
    """How far an answer is from the stored one, as a multiple of what it may be, and where most of that lies."""

    excess: float
    words: str


@dataclass(frozen=True)
class Comparison:
    """How answers are compared.

    `dtype`: the number format of the network. In float32 each number is compared. In a shorter one, and with a server
    (`served`), rounding depends on what shares a batch: then the mean over a list of numbers is compared, and the texts that
    a model writes are not. `unread`: columns that are no answer. `halves`: columns whose numbers have 16 bits.
    """

    dtype: str = "float32"
    served: bool = False
    unread: Sequence[str] = ()
    halves: Sequence[str] = ()

    @property
    def rounding(self) -> float | None:
        """The mean difference that rounding may make of a list of numbers; None where each number is compared."""
        return ALIKE if self.served else ROUNDING.get(self.dtype)

    def difference(self, stored: Sequence[Row], again: Sequence[Row]) -> Difference:
        """Return how far the rows of an answer are from the stored ones.

        >>> compare = Comparison().difference
        >>> row = {"token_ids": [7, 8], "logprobs": [-1.0, -2.0]}
        >>> compare([row], [{**row, "logprobs": [-1.000006, -2.0]}]).excess < 0.01
        True
        >>> compare([row], [{"token_ids": [7, 9], "logprobs": [-1.0, -1.5]}]).words
        'logprobs: -1.5 is there now for 9, which is not in the store'
        """
        if len(stored) != len(again):
            return Difference(math.inf, f"{len(stored)} rows were stored, and there are {len(again)} now")
        differences = [difference for pair in zip(stored, again, strict=True) for difference in self._columns(*pair)]
        return max(differences, key=lambda difference: difference.excess, default=Difference(0.0, ""))

    def _columns(self, stored: Row, again: Row) -> Iterator[Difference]:
        """Yield the differences of two rows, column by column; values beside a list of names are compared name by name."""
        names = _names(stored)
        for column, value in stored.items():
            now = again.get(column)
            if column in self.unread or column == names:
                continue
            if names is not None and _goes_with(stored, names, value) and _goes_with(again, names, now):
                stored_values, new_values = (dict(zip(row[names], row[column], strict=True)) for row in (stored, again))
                yield self._named(column, stored_values, new_values)
            elif _are_numbers(value) and _are_numbers(now) and len(_listed(value)) == len(_listed(now)):
                yield self._numbers(column, _listed(value), _listed(now))
            elif value != now and not (self.rounding is not None and _is_text(value)):
                yield Difference(math.inf, f"{column}: {value!r:.80} was stored, and {now!r:.80} is there now")

    def _named(self, column: str, stored: Mapping[Any, Any], again: Mapping[Any, Any]) -> Difference:
        """Return the difference of values with names; a name that one side lacks may be just beyond the end of its list."""
        shared = [name for name in stored if name in again]
        worst = self._numbers(column, [stored[name] for name in shared], [again[name] for name in shared])
        for side, opposite, words in ((stored, again, "was stored for"), (again, stored, "is there now for")):
            last = min((_number(value) for value in opposite.values()), default=-math.inf)
            for name in (name for name in side if name not in opposite):
                value = _number(side[name])
                gap = self._numbers(column, [max(value, last)], [last])
                if gap.excess > max(worst.excess, 1.0):
                    when = "which is not there now" if side is stored else "which is not in the store"
                    worst = Difference(gap.excess, f"{column}: {value:.6g} {words} {name!r}, {when}")
        return worst

    def _numbers(self, column: str, stored: Sequence[Any], again: Sequence[Any]) -> Difference:
        """Return the difference of numbers; one that is missing is like one that is missing, and like no other."""
        old, new = (np.array([_number(value) for value in values], np.float64) for values in (stored, again))
        if not len(old):
            return Difference(0.0, "")
        same = (old == new) | (np.isnan(old) & np.isnan(new))
        differences = np.where(same, 0.0, np.abs(old - new))
        differences[np.isnan(differences)] = math.inf
        finite = old[np.isfinite(old)]
        size = float(np.abs(finite).max(initial=0.0))
        if self.rounding is None:
            half_error = HALF_EPSILON * np.abs(np.where(np.isfinite(old), old, 0.0)) if column in self.halves else 0.0
            excess = float((differences / (TOLERANCE + RELATIVE * size + half_error)).max())
        else:  # that of a sum of log-probabilities grows as the root of their number, that of states with these
            scale = math.sqrt(size) if (finite <= 0).all() else math.sqrt(float(np.mean(finite**2)))
            excess = float(differences.mean()) / (self.rounding * max(1.0, scale))
        worst = int(np.argmax(differences))
        return Difference(excess, f"{column}: {old[worst]:.6g} was stored, and {new[worst]:.6g} is there now")


def _names(row: Row) -> str | None:
    """Return the column of the names that go with the numbers of a row's lists, such as token ids; None without any.

    >>> _names({"probe_id": "x", "token_ids": [7, 8], "logprobs": [-1.0, -2.0]}), _names({"values": [0.5]})
    ('token_ids', None)
    """
    lists = [(column, value) for column, value in row.items() if isinstance(value, list) and value]
    names = [column for column, value in lists if all(isinstance(item, int | str) for item in value)]
    lengths = [len(value) for _, value in lists if any(isinstance(item, float) for item in value)]
    unique = (column for column in names if len(row[column]) in lengths and len({*row[column]}) == len(row[column]))
    return next(unique, None)


def _goes_with(row: Row, names: str, value: Any) -> bool:
    """Return whether a value of a row is a list of numbers that has its names in a column of the row."""
    return isinstance(value, list) and isinstance(row.get(names), list) and len(value) == len(row[names])


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _are_numbers(value: Any) -> bool:
    """Return whether a value is a number with a fraction, a list of them, or a missing one."""
    return all(item is None or isinstance(item, float) for item in _listed(value))


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _is_text(value: Any) -> bool:
    return any(isinstance(item, str) for item in _listed(value))
