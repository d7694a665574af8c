"""How well agents do by the depth of the target in WordNet (Table 6 of the paper).

```yaml
may_lack:
  wordnet: WordNet, whose synsets have a depth (no dictionary of your own)
```

## Are deep synsets harder?

```yaml
figure: depth
needs: [wordnet]
```

Nouns by the depth of the target: the synsets on the shortest path to entity.n.01, both ends included *(Table 6
of the paper)*. Deep groups are smaller, so that a guess is right more often.

A line is broken where there is no group.

## Results by depth

```yaml
table: depth
like: overview
needs: [wordnet]
empty: No noun has a depth.
```

The results by depth for both tasks and all agents; nouns *(Table 6 of the paper)*.
"""

from collections.abc import Mapping, Sequence

import polars as pl
from matplotlib.figure import Figure

from relprobe.core.study import Config, Roles
from relprobe.report.agent_styles import AgentStyle
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.conditions import Subsets
from relprobe.studies.definitions.figures import by_condition
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import Properties
from relprobe.studies.definitions.tables import wide

PLACE = 2
DEPTHS = ((3, 5), (6, 8), (9, 11), (12, 14), (15, 19))
"""The first and the last depth of each range of Table 6."""


def has(config: Config, _roles: Roles) -> dict[str, bool]:
    """Return whether the targets are synsets of WordNet, as those of your own dictionary are not."""
    from relprobe.studies.definitions.dictionary import OWN

    return {"wordnet": OWN not in config["resources"]}


def depth_names() -> list[str]:
    """Return the names of the conditions by depth, which are about nouns, as in the paper.

    >>> depth_names()[:2]
    ['noun, depth 3–5', 'noun, depth 6–8']
    """
    return [f"noun, depth {low}–{high}" for low, high in DEPTHS]


def _select(groups: Properties, limits: Sequence[float]) -> pl.DataFrame:
    parts = []
    for name, (low, high) in zip(depth_names(), DEPTHS, strict=True):
        inside = groups.filter(pos="noun").filter(pl.col("depth").is_between(low, high))
        parts.append(inside.select("group", condition=pl.lit(name)))
    return pl.concat(parts)


SUBSETS = Subsets(_select, across=depth_names())


def by_depth(averages: Averages) -> pl.DataFrame:
    """Return Table 6 for every agent and both tasks: a row per range of depths and agent."""
    return wide(averages, depth_names())


def _table(results: Results) -> pl.DataFrame:
    return by_depth(results.averages)


def _figure(averages: Averages, styles: Mapping[str, AgentStyle]) -> Figure:
    return by_condition(averages, depth_names(), "depth of the noun's synset", styles)


TABLES = {"depth": _table}
FIGURES = {"depth": _figure}
