"""Which of two probes is harder for an agent, on the same tuples.

## Which probe is harder?

```yaml
table: contrasts
part: Tests
empty: No agent has been asked two probes.
columns:
  a: the first probe
  b: the second probe
  condition: a group of relations, or a relation
```

The difference between two probes within an agent, on the same tuples *(the paper claims that random is
harder than reverse and type)*. A family is all models, or all baselines, in one contrast and condition.

The columns are those of the tests between agents.
"""

from collections.abc import Mapping
from itertools import combinations

import polars as pl

from relprobe.stats.schemas import AgentKind
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.analogies.method import COLUMNS
from relprobe.studies.analogies.results import Results, contrasts
from relprobe.studies.analogies.schemas import Contrasts, Metrics

PLACE = 5


def probe_contrasts(values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> Contrasts:
    """Test within every agent which of two probes is harder."""
    return contrasts(values, list(combinations(COLUMNS, 2)), kinds)


def _table(results: Results) -> pl.DataFrame:
    values = results.values()
    controls = [agent for agent, kind in results.kinds.items() if kind == "control"]
    return probe_contrasts(values, AgentComparison(controls, results.members).kinds(values))


TABLES = {"contrasts": _table}
