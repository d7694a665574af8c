"""All agents on the groups that people answered (Table 8 of the paper).

```yaml
may_lack:
  people: answers of people (resources.definition_answers)
```

## People and models on the same groups

```yaml
table: people
like: overview
needs: [people]
empty: People have answered none of the groups.
```

All agents on the groups that people answered *(Table 8 of the paper, whose groups have up to ten candidates)*.
Of several people a group counts the mean.

Candidates that somebody did not rank share the places after the others, and each of them counts as the mean of these
places: who ranks at random has a rank score of 0.5.
"""

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.study import Config, Roles
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import POS, SMALL
from relprobe.studies.definitions.tables import wide

PLACE = 4


def has(config: Config, _roles: Roles) -> dict[str, bool]:
    """Return whether people have answered."""
    return {"people": "definition_answers" in config["resources"]}


def people_table(averages: Averages) -> pl.DataFrame:
    """Return Table 8: a row per condition and agent, over the groups that people answered."""
    return wide(averages, [*POS, SMALL])


def _table(results: Results) -> pl.DataFrame:
    if results.people is None:
        raise DataError("there are no averages over the groups of people: give them as --people.")
    return people_table(results.people)


TABLES = {"people": _table}
