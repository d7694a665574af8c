"""The studies, a folder each: `steps.py` is a study's table of contents, from its words to its tables."""

from collections.abc import Callable

from relprobe.core.study import Study, study_of

STUDIES = ("relations", "definitions", "systematicity", "analogies", "degrees", "pairs")
"""All studies, in the order of the report. A study is a folder here and a file of its name in the rules and schemas.

This is the only list of them. What else is known of a study before it runs, its module `study` says (core/study.py).
"""


def controls() -> list[str]:
    """Return the names that the studies give their controls, each once.

    >>> controls()[:3]
    ['majority', 'frequency', 'neighbours']
    """
    return list(dict.fromkeys(name for study in STUDIES for name in study_of(study).controls))


def studies_with(holds: Callable[[Study], object]) -> list[str]:
    """Return the studies of which something holds.

    >>> studies_with(lambda study: study.sentences)
    ['systematicity', 'analogies', 'degrees', 'pairs']
    """
    return [study for study in STUDIES if holds(study_of(study))]
