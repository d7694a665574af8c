"""How many questions a scoring job asks at a time, so that a job that is killed loses a minute or less."""

from __future__ import annotations

from collections.abc import Iterable

GROUP_S = 45.0
"""The seconds that a group may take before later ones become smaller."""
FIRST = 8
"""The first groups are this many times smaller than the others: they show how fast the machine is."""
LAG = 3
"""A group is made while the one before the one before it is computed, so the time of this many groups before is known."""


def first_size(size: int) -> int:
    """Return the size of the first groups of a job.

    >>> first_size(4096), first_size(5)
    (512, 1)
    """
    return max(1, size // FIRST)


class Pace:
    """The sizes of the groups of a job, by the time that the job's earlier groups took.

    `size`: that of a group on a machine that needs less than GROUP_S for it. On a slower machine it is halved until a group
    takes GROUP_S at most; when the machine is fast again, the groups are large again. `first`: the size of the first groups.
    `seconds`: those of a question in each group that a job has asked before it was killed. The job that goes on then has the
    groups that the killed one would have had.

    >>> pace = Pace(800, first=100)
    >>> pace.add(0.2)  # so 800 would take 160 seconds
    >>> [pace.group_size(number) for number in range(4)]
    [100, 100, 100, 200]
    """

    def __init__(self, size: int, first: int | None = None, seconds: Iterable[float] = ()) -> None:
        self.size, self._first, self._seconds = size, first or size, list(seconds)
        self.done = len(self._seconds)

    def add(self, seconds: float) -> None:
        """Note the seconds that a question of the next group took."""
        self._seconds.append(seconds)

    def group_size(self, number: int) -> int:
        """Return the size of a group, whose number counts from 0; the group LAG before it must have been added.

        Later groups that have been added as well change nothing, so the size does not depend on the moment of the call.
        """
        if number < LAG:
            return self._first
        size, seconds = self.size, self._seconds[number - LAG]
        while size > 1 and size * seconds > GROUP_S:
            size = (size + 1) // 2
        return size
