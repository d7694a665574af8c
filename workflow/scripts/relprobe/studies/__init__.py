"""The studies, a folder each: `steps.py` is a study's table of contents, from its words to its tables."""

import importlib
from typing import Any

STUDIES = ("relations", "definitions", "systematicity", "analogies", "degrees")
"""All studies, in the order of the report. A study is a folder here and a file of its name in the rules and schemas.

This is the only list of them. What else is known of a study before it runs, its module `config` says.
"""


def about(study: str) -> Any:
    """Return the module `config` of a study: its own checks of the configuration, and what it says of itself.

    `check(config)` is there in every study, and these are there where they hold. EXAMPLE: the number of words, or texts, of
    a solved example (`shots`). SENTENCES: True, if it scores or embeds whole sentences, which are no answers in words.
    TASK: the task that people took, if models may take it (`task`), which is also the name of its line in a chat;
    TASK_LINES: its lines, where they have other names; TASK_HERE: True, if models on this machine may take it, too. LAYERS:
    True, if they may be asked layer by layer. CONTROLS: the names of its agents that do not know what it asks about, which
    then have one marker in the figures of all studies.
    UNREAD: part of the study -> the keys of an agent's entry that it does not read; `settings_of(config, agent)`: what its
    section says of an agent by its name (both for studies/copies.py).
    NEEDS: a resource that users get themselves, and how; INSTEAD: the resource with own data that takes its place;
    STAND_IN: a key of the section, the resource that it adds where there is neither, and the name of the data that lack.
    `needs_hidden_states(config)`: whether it reads hidden states. `size(config)`: its probes and answers, or None.

    >>> about("relations").EXAMPLE, hasattr(about("degrees"), "EXAMPLE")
    (2, False)
    """
    return importlib.import_module(f"relprobe.studies.{study}.config")


def controls() -> list[str]:
    """Return the names that the studies give their controls, each once.

    >>> controls()[:3]
    ['majority', 'frequency', 'neighbours']
    """
    return list(dict.fromkeys(name for study in STUDIES for name in getattr(about(study), "CONTROLS", ())))


def those_with(attribute: str) -> list[str]:
    """Return the studies whose module `config` says something of themselves.

    >>> those_with("TASK_HERE")
    ['relations', 'definitions', 'systematicity', 'analogies', 'degrees']
    """
    return [study for study in STUDIES if getattr(about(study), attribute, False)]
