"""Groups of up to ten candidates, as the paper's Table 8 draws them.

## Groups of up to ten candidates

```yaml
table: small
empty: All groups have more than ten candidates.
```

Groups of up to ten candidates, in which a guess is right more often; all parts of speech together *(Table 8 of
the paper draws from these)*.
"""

from collections.abc import Sequence

import polars as pl

from relprobe.studies.definitions.conditions import Subsets
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import FEW, SMALL, Properties
from relprobe.studies.definitions.tables import wide

PLACE = 5


def _select(groups: Properties, limits: Sequence[float]) -> pl.DataFrame:
    small = groups.filter(pl.max_horizontal("w2d", "d2w") <= FEW)
    return small.select("group", condition=pl.lit(SMALL))


def _table(results: Results) -> pl.DataFrame:
    return wide(results.averages, [SMALL])


SUBSETS = Subsets(_select, across=[SMALL])
TABLES = {"small": _table}
