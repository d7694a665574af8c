"""The room that a machine has: what has none is refused before it is fetched, unpacked, loaded or written."""

import os
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

from relprobe.core.errors import DataError, RelprobeError

SCORES_HERE = "RELPROBE_SCORES_HERE"
"""The variable that a run sets whose models are asked on this machine: one that has no room here is not fetched, either."""
REMEDY = "choose a smaller model or `dtype`, take it to a machine with more memory, or leave it out"
"""What helps where a model has no room in memory."""
GROUPS = Path("/proc/self/cgroup")
"""The file that names the groups of this process, whose memory may be limited, as that of a job on a cluster is."""
MEMINFO = Path("/proc/meminfo")
"""The file in which Linux says what memory it has, in kB."""
MOUNTED = Path("/sys/fs/cgroup")
"""The folder of these groups."""


def require_disk(
    what: str, size: float, folder: Path, kind: type[RelprobeError] = DataError, *, verb: str = "takes"
) -> None:
    """Check that so many bytes can be written into a folder, which need not be there yet.

    `what` and `verb`: the begin of the sentence, which says what takes them. Error, of this `kind`: fewer are free.

    >>> require_disk("models.m: org/name", 1e18, Path("/"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    relprobe.core.errors.DataError: models.m: org/name takes 1,000,000,000.0 GB on the disk of /, and ... are free: ...
    """
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(existing).free
    if size > free:
        raise kind(
            f"{what} {verb} {size_in_words(size)} on the disk of {existing}, and {size_in_words(free)} are free: free some "
            "space, or use another disk."
        )


def size_in_words(size: float) -> str:
    """Return a number of bytes in words.

    >>> size_in_words(14.2e9), size_in_words(3e6), size_in_words(117_000)
    ('14.2 GB', '3.0 MB', '117.0 kB')
    """
    unit, name = next((unit for unit in ((1e9, "GB"), (1e6, "MB")) if size >= unit[0]), (1e3, "kB"))
    return f"{size / unit:,.1f} {name}"


def memory() -> float:
    """Return the bytes of main memory that a process may take: of the machine, or a limit of the process or its groups."""
    limits = [
        float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")),
        resource.getrlimit(resource.RLIMIT_AS)[0],
        *group_limits(),
    ]
    return min(limit for limit in limits if limit > 0)  # no limit is -1


def swap() -> float:
    """Return the bytes of memory that the system can put on the disk; 0 where it does not say so."""
    lines = MEMINFO.read_text().splitlines() if MEMINFO.is_file() else []
    return next((1024 * float(line.split()[1]) for line in lines if line.startswith("SwapTotal:")), 0.0)


def group_limits() -> Iterator[float]:
    """Yield the limits of memory of the groups of this process and of those above them, in bytes."""
    lines = GROUPS.read_text().splitlines() if GROUPS.is_file() else []
    for _, controllers, path in (line.split(":", 2) for line in lines):
        version1 = "memory" in controllers.split(",")
        if controllers and not version1:
            continue
        top, name = (MOUNTED / "memory", "memory.limit_in_bytes") if version1 else (MOUNTED, "memory.max")
        group_folder = top / path.lstrip("/")
        for folder in (group_folder, *group_folder.parents):
            file = folder / name
            text = file.read_text().strip() if file.is_file() else ""
            yield from [float(text)] if text.isdecimal() else []
            if folder == top:
                break


def scores_here() -> bool:
    """Return whether the run of this process asks its models on this machine."""
    return SCORES_HERE in os.environ
