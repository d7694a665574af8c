"""What each agent answers in the tasks of named targets, as the paper shows beckon and roleplaying.

```yaml
may_lack:
  targets: named targets (definitions.targets)
```

## Named targets

```yaml
table: targets
like: confusions
needs: [targets]
empty: The groups hold no named target.
```

What each agent answers in the groups that definitions.targets names, and the rank of the right candidate. A dash says
that a person did not rank it.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.study import Config, Roles
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import Groups, Responses
from relprobe.studies.definitions.tables import described_answers, shown_answers

PLACE = 6


def has(config: Config, _roles: Roles) -> dict[str, bool]:
    """Return whether the configuration names targets."""
    return {"targets": bool(config["definitions"]["targets"])}


def target_answers(responses: Mapping[str, Responses], groups: Groups, targets: Sequence[str]) -> pl.DataFrame:
    """Return what each agent answers in the tasks of named targets, synsets or words; the columns are those of confusions.

    The paper's analysis shows *beckon* and *roleplaying* so. Of people's answers, each has a row.
    """
    wanted = groups.filter(pl.col("group").is_in(list(targets)) | pl.col("word").is_in(list(targets)))
    return shown_answers(described_answers(responses, wanted), responses, "group")


def _table(results: Results) -> pl.DataFrame:
    return target_answers(results.responses, results.groups, results.targets or [])


TABLES = {"targets": _table}
