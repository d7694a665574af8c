"""Former names of steps, of their options, and of what the file of an analysis defines.

The command line still reads those of steps and options in this version, with a warning. Those of an analysis are refused.
"""

import sys
from collections.abc import Sequence

STEPS = {"taker_metrics": "task_metrics"}
"""Former name of a step, in any group -> its name."""
OPTIONS = {
    ("relations", "probes"): {"--given": "--raw-tuples"},
    ("relations", "gold"): {"--given": "--raw-tuples"},
    ("relations", "show"): {"--given": "--raw-tuples"},
    ("relations", "word_list"): {"--own": "--word-file"},
    ("relations", "candidates"): {"--own": "--list-file"},
    ("relations", "metrics"): {"--spoken": "--chat-formatted"},
    ("relations", "shots"): {"--spoken": "--chat-agents"},
    ("systematicity", "probes"): {"--own": "--user-items"},
    ("manuscript", "trials"): {"--of-studies": "--study-trials"},
}
"""Group and step -> former name of an option -> its name."""

ANALYSIS_NAMES = {
    "OF_TABLES": "DERIVED_TABLES",
    "of_agent": "agent_table",
    "of_layers": "tables_of_layers",
    "of_vectors": "tables_of_vectors",
    "of_run": "make_exhibits",
}
"""Former name of what an analysis defines -> its name. Nothing takes the former one: its tables would just be missing."""


def with_current_names(words: Sequence[str]) -> list[str]:
    """Return a command line with the names of this version; a sentence on standard error says which word was a former one.

    >>> with_current_names(["relations", "candidates", "--tuples", "t.parquet", "--out", "lists.parquet"])
    ['relations', 'candidates', '--tuples', 't.parquet', '--out', 'lists.parquet']
    """
    if len(words) < 2:
        return list(words)
    group, step = words[0], _current(words[1], STEPS)
    options = OPTIONS.get((group, step), {})
    return [group, step, *(_current(word, options) for word in words[2:])]


def _current(word: str, names: dict[str, str]) -> str:
    """Return a word with its current name; `--name=value` keeps its value."""
    name, equals, value = word.partition("=")
    if name not in names:
        return word
    print(f"{name} is now {names[name]}: write that, as the next version no longer reads {name}.", file=sys.stderr)
    return f"{names[name]}{equals}{value}"
