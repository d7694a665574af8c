"""What the tests cost: seconds of the processor by file, of all processes that the tests start.

Set RELPROBE_COSTS to a file, and each run of pytest adds to it. `python -m tests.costs FILE --minutes 25` then says what
cost most, and fails where two cores would be busy for longer.
"""

import argparse
import json
import math
import os
import resource
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

COSTS = "RELPROBE_COSTS"
"""The variable that names the file. A worker and a fork of the server (warm/server.py) inherit it."""
ELSEWHERE = "collection and imports"
CORES = 2
"""What the machine of a check has."""
SHOWN = 25


def used() -> float:
    """The seconds of the processor that this process and its children have used."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def note(seconds: Mapping[str, float], environment: Mapping[str, str]) -> None:
    """Add seconds of the processor by file to what the environment names, if anything."""
    if file := environment.get(COSTS):
        with Path(file).open("a") as lines:
            lines.write(json.dumps(dict(seconds)) + "\n")


class Costs:
    """A plug-in of pytest that notes what each file of tests costs. Each worker notes what it has run itself."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test with the making of its fixtures."""
        before = used()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid.partition("::")[0]] += used() - before

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Note what was measured; the children of a process that gives tests to workers are these workers."""
        if hasattr(session.config, "workerinput") or not session.config.getoption("numprocesses", None):
            self.seconds[ELSEWHERE] = used() - sum(self.seconds.values())
            note(self.seconds, os.environ)


def totals(file: Path) -> Counter[str]:
    """The seconds of all runs that have added to a file."""
    seconds: Counter[str] = Counter()
    for line in file.read_text().splitlines():
        seconds.update(json.loads(line))
    return seconds


def main(words: list[str]) -> int:
    """Print what cost most; return 1 where all of it is more than two cores do in so many minutes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=math.inf)
    options = parser.parse_args(words)
    seconds = totals(options.file)
    print("Seconds of the processor, by file of tests:")
    for name, number in seconds.most_common(SHOWN):
        print(f"{number:8.1f}  {name}")
    print(f"{seconds.total():8.1f}  all {len(seconds)}")
    allowed = options.minutes * 60 * CORES
    if seconds.total() <= allowed:
        return 0
    print(
        f"The tests may cost {allowed:.0f} s, which are {options.minutes:g} minutes of {CORES} cores: make them cheaper."
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
