"""Groups of up to ten candidates, as the paper's Table 8 draws them.

## Groups of up to ten candidates

```yaml
table: small
empty: All groups have more than ten candidates.
```

Groups of up to ten candidates, in which a guess is right more often; all parts of speech together *(Table 8 of
the paper draws from these)*.
"""

import polars as pl

from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import SMALL
from relprobe.studies.definitions.tables import wide

PLACE = 5


def _table(results: Results) -> pl.DataFrame:
    return wide(results.averages, [SMALL])


TABLES = {"small": _table}
