"""Threads beside the network: one prefetches items, and one does tasks in the background.

Both hold one item or task at a time, so memory is bounded. An error in a thread is raised where its item or task is due.
"""

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")

SWITCH_S = 2e-4
"""The seconds after which Python lets another thread go on; by default 5 ms, in which a GPU would have nothing to do."""


@contextmanager
def frequent_switches() -> Iterator[None]:
    """Let Python's threads take turns every SWITCH_S.

    The thread that runs the network needs Python for a moment in each of its operations. It would wait for the default time
    whenever another thread is at work. A job on two cores with a tiny network takes a tenth less time with SWITCH_S.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def prefetch(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, in order, while a thread makes the next one; the thread begins with the first one at once.

    An error that the items raise comes after the items before it. If nobody takes the rest, the thread ends after its item,
    and nobody waits for it; `prefetching` does.

    >>> list(prefetch(number**2 for number in range(4)))
    [0, 1, 4, 9]
    """
    return _follow(ThreadPoolExecutor(1, "prefetch"), iter(items))


@contextmanager
def prefetching(items: Iterable[Item]) -> Iterator[Iterator[Item]]:
    """Like `prefetch`, as a context manager that stops the producer thread on exit.

    >>> with prefetching([0, 1, 4]) as items:
    ...     list(items)
    [0, 1, 4]
    """
    with ThreadPoolExecutor(1, "prefetch") as pool:
        yield _follow(pool, iter(items))


def _follow(pool: ThreadPoolExecutor, iterator: Iterator[Item]) -> Iterator[Item]:
    return _items(pool, iterator, pool.submit(_take, iterator))


def _items(pool: ThreadPoolExecutor, iterator: Iterator[Item], future: Future[list[Item]]) -> Iterator[Item]:
    """Yield what the pool's thread makes. It is not waited for at the end.

    After an error elsewhere, Python may close this generator when it collects garbage, which it also does while it starts
    a thread. To wait for another thread there would be to wait for ever.
    """
    try:
        while item := future.result():
            future = pool.submit(_take, iterator)
            yield from item
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _take(iterator: Iterator[Item]) -> list[Item]:
    """Return the next item in a list, or an empty list after the last item."""
    return list(itertools.islice(iterator, 1))


def in_background(tasks: Iterable[Callable[[], object]]) -> None:
    """Do the tasks, in order, in a thread, while the next task is being made; return when all are done.

    A task is made only after the task before the last one is done. An error of a task is raised before that of a later task,
    and before one that `tasks` raise; by then no task runs any more.

    >>> done = []
    >>> in_background((lambda number=number: done.append(number)) for number in range(3))
    >>> done
    [0, 1, 2]
    """
    with ThreadPoolExecutor(1, "behind") as pool:
        last: Future[object] | None = None
        try:
            for task in tasks:
                if last is not None:
                    last.result()
                last = pool.submit(task)
        finally:
            if last is not None:
                last.result()
