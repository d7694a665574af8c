"""What a scoring job has to ask: its requests in groups, with the places of the answers that are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from relprobe.lm.score_files.pace import Pace
from relprobe.lm.score_files.store import Store, digest_of

NEW = -1
"""In the place of a file's number: the answer is one of the group's own."""
REACH = 4
"""A group reaches over so many times its size of requests, from its first new one on, so that memory is bounded."""


@dataclass
class Group:
    """Requests that are new, and where the answers to all requests up to the last of them are, in order.

    `pieces`: (file, start, stop) in rows of a file of the store; for NEW the numbers of the group's requests.
    """

    requests: list[Any] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    stored: int = 0
    count: int = 0  # of the requests, before they were split
    joined: list[Any] = field(default_factory=list)  # the requests before they were split, if they were

    def add(self, file: int, start: int, stop: int) -> None:
        """Append the location of the next answer; it extends the last piece if it follows that in its file."""
        last = self.pieces[-1] if self.pieces else (NEW, -1, -1)
        if last[0] == file and last[2] == start:
            self.pieces[-1] = (file, last[1], stop)
        else:
            self.pieces.append((file, start, stop))


def groups(
    requests: Iterable[Any],
    key: Callable[[Any], str],
    store: Store,
    asked: IO[bytes],
    pace: Pace,
    split: Callable[[Any], Sequence[Any]] | None = None,
    old_key: Callable[[Any], str] = repr,
) -> Iterator[Group]:
    """Yield the groups of new requests, each as large as `pace` says. `key` tells the question of a request from others.

    `split` makes several requests of one, which stay in one group; it then may have some more. A question that comes twice
    in a group is asked once.

    `old_key`: that of stores of form 1.

    The digests of all requests are written to `asked`. A group without new requests has `pace.size` stored ones. A job that
    goes on after one that was killed has the groups that the killed one had not finished, request by request: a group
    begins with the first request that is not stored.
    """
    group, reached, number, limit = Group(), 0, pace.done, 0
    new_questions: dict[bytes, int] = {}  # the group's new questions
    for request in requests:
        group.count += 1
        if split:
            group.joined.append(request)
        for part in split(request) if split else (request,):
            digest = stored_digest(store, part, key, old_key)
            asked.write(digest)
            location = store.find(digest)
            if location is None and digest in new_questions:
                group.add(NEW, new_questions[digest], new_questions[digest] + 1)
            elif location is None:
                if not group.requests:
                    reached, limit, number = 0, pace.group_size(number), number + 1
                new_questions[digest] = len(group.requests)
                group.add(NEW, new_questions[digest], new_questions[digest] + 1)
                group.requests.append(part)
                group.digests.append(digest)
            else:
                group.add(*location)
                group.stored += 1
            reached += 1
        if reached >= (REACH * limit if group.requests else pace.size) or len(group.requests) >= limit > 0:
            yield group
            group, reached, limit = Group(), 0, 0
            new_questions.clear()
    if group.pieces:
        yield group


def stored_digest(store: Store, request: Any, key: Callable[[Any], str], old_key: Callable[[Any], str]) -> bytes:
    """Return the digest of a request, or that under which a store of form 1 has its answer."""
    digest = digest_of(key(request))
    if store.has_old_questions and store.find(digest) is None:
        old = digest_of(old_key(request))
        return digest if store.find(old) is None else old
    return digest
