"""Which rater the training subcategories choose, and what the choice earns.

## Choosing a rater on the training data

```yaml
table: choice
part: Choices and raters
empty: There are no training subcategories with ratings.
columns:
  among: the model whose raters the best one is chosen from, or all models
  chosen: the best agent on the training subcategories
  training: the average of the chosen agent on the training subcategories
  cross_validated: the average if each training subcategory is rated by the agent that is best on the others
  mean_training: the mean of all agents on the training subcategories
  gain: cross_validated minus mean_training
  test: the average of the chosen agent on the test subcategories
  mean_test: the mean of all agents on the test subcategories
```

The agent with the best average on the training subcategories, per model and over all. Cross-validated: the average
where each training subcategory is rated by the agent that is best on the others; gain: by how much this exceeds the
mean of all agents, with its 95 % interval by resampling training subcategories.

The test subcategories decide nothing.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from relprobe.stats import mean_intervals
from relprobe.stats.averages import SEED
from relprobe.stats.controls import model_of
from relprobe.studies.degrees.conditions import TEST
from relprobe.studies.degrees.measures import TESTED
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.schemas import TRAINING

PLACE = 3
ALL_MODELS = "all models"
BEST_RATERS = pl.Schema(
    {
        "among": pl.String(),  # the model whose raters are chosen from, or "all models"
        "metric": pl.String(),
        "chosen": pl.String(),  # the best agent on the training subcategories
        "training": pl.Float64(),  # its average there
        "cross_validated": pl.Float64(),  # the average if each subcategory is rated by the best agent on the others
        "mean_training": pl.Float64(),  # the mean of all agents there
        "gain": pl.Float64(),  # cross_validated - mean_training
        "gain_low": pl.Float64(),  # lower bound of its 95 % interval: training subcategories are the sample
        "gain_high": pl.Float64(),
        "test": pl.Float64(),  # the best agent's average on the test subcategories
        "mean_test": pl.Float64(),  # the mean of all agents there
    }
)


def choices(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Choose the best rater on the training subcategories, for each model and among all agents of all models (BEST_RATERS).

    The gain of the choice is cross-validated: each training subcategory is rated by the agent that is best on the others,
    and the value is compared with the mean of all agents. The test subcategories take no part in the choice.
    """
    models: dict[str, list[str]] = {}
    for agent, table in values.items():
        # An agent that answers MaxDiff questions has no ratings, and is no rater to choose.
        if (model := model_of(agent)) is not None and not table.filter(metric="rated").is_empty():
            models.setdefault(model, []).append(agent)
    groups = models | (
        {ALL_MODELS: [agent for agents in models.values() for agent in agents]} if len(models) > 1 else {}
    )
    rows = [
        row
        for among, agents in groups.items()
        for metric in TESTED
        if (row := _choice(among, metric, {agent: values[agent] for agent in agents})) is not None
    ]
    return pl.DataFrame(rows, schema=BEST_RATERS)


def _choice(among: str, metric: str, values: Mapping[str, pl.DataFrame]) -> dict[str, object] | None:
    """Return a row of BEST_RATERS; None if fewer than three training subcategories are rated by all agents."""
    training, test = (_matrix(values, metric, condition) for condition in (TRAINING, TEST))
    if len(training) < 3:
        return None
    agents = list(values)
    best = int(training.mean(axis=0).argmax())
    means_of_others = (training.sum(axis=0) - training) / (len(training) - 1)  # over all other subcategories
    held_out = training[np.arange(len(training)), means_of_others.argmax(axis=1)]
    gain = held_out - training.mean(axis=1)
    (interval,) = mean_intervals(gain[:, None], np.ones((len(gain), 1)), SEED)
    return {
        "among": among,
        "metric": metric,
        "chosen": agents[best],
        "training": float(training[:, best].mean()),
        "cross_validated": float(held_out.mean()),
        "mean_training": float(training.mean()),
        "gain": float(gain.mean()),
        "gain_low": interval.low,
        "gain_high": interval.high,
        "test": float(test[:, best].mean()) if len(test) else None,
        "mean_test": float(test.mean()) if len(test) else None,
    }


def _matrix(
    values: Mapping[str, pl.DataFrame], metric: str, condition: str
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the values (subcategories, agents) of the subcategories that all agents have a value of."""
    columns = [
        table.filter(metric=metric, condition=condition).select("unit", pl.col("value").alias(agent))
        for agent, table in values.items()
    ]
    wide = columns[0]
    for column in columns[1:]:
        wide = wide.join(column, on="unit", how="inner", maintain_order="left")
    return wide.drop("unit").to_numpy()


def _table(results: Results) -> pl.DataFrame:
    return choices(results.values())


TABLES = {"choice": _table}
