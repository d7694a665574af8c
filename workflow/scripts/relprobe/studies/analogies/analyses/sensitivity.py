"""What the choices about negative tuples change: the accuracies of static vectors under each choice and the other one.

```yaml
may_lack:
  static: static vectors (resources.static_vectors)
```

## What the choices about negatives change

```yaml
table: sensitivity
step: vectors
part: Choices
needs: [static]
empty: There is no choice about negatives to compare.
columns:
  value: the accuracy with this study's negatives
```

The accuracy of static vectors with this study's negatives (value), and with another choice (other_value): the tuple
in which a word is replaced (random), whether another tuple or the positive is reversed (reverse), whether two other
tuples give the words (type), and whether negatives that the data list as right are left out
(filter). Unsupervised, one draw, all tuples.

Other agents would have to embed or score other sentences: set analogies.negatives in the config for them. The means
are over tuples *(as in Table 1 of the paper)*.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.study import Config, Roles
from relprobe.core.sums import ordered_mean
from relprobe.sources.static_vectors import StaticVectors
from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.features import PairFeatures
from relprobe.studies.analogies.method import ALL, COLUMNS, Split, by_features, instances, tuples, values
from relprobe.studies.analogies.pair_vectors import differences, vector_table
from relprobe.studies.analogies.pair_vectors import pairs as pairs_of
from relprobe.studies.analogies.relations import group_order
from relprobe.studies.analogies.results import VectorData
from relprobe.studies.analogies.schemas import Tuples

PLACE = 4
SENSITIVITY = settings.schema("probe", "group", "agent")  # accuracies; a probe is a column of Table 1
ALTERNATIVES: Mapping[str, tuple[Any, Any, tuple[str, ...]]] = {
    "random": ("positive", "query", ("random",)),
    "reverse": ("random", "own", ("reverse",)),
    "type": ("positive", "printed", ("type",)),
    "filter": (True, False, COLUMNS),
}
"""Choice -> its two settings, and the probes that it concerns."""
AGENT = "static"


def has(config: Config, _roles: Roles) -> dict[str, bool]:
    """Return whether static vectors choose negatives."""
    return {"static": "static_vectors" in config["resources"]}


def sensitivity(pairs: pl.DataFrame, vectors: StaticVectors, split: Split, choices: Choices) -> pl.DataFrame:
    """Judge all tuples by static vectors, with the negatives of the study and with each other choice about them.

    The columns are those of SENSITIVITY. The setting is the unsupervised one, and `choices` are those of the study. The
    means are over the tuples of a group, as in Table 1. Static vectors are the one agent whose answers need no scoring by a
    network.
    """
    table = tuples(pairs, None, split)
    usual = _accuracies(pairs, table, vectors, split, choices)
    rows = []
    for name, (first, second, probes) in ALTERNATIVES.items():
        configured = getattr(choices, name)
        alternative = second if configured == first else first
        setting = Setting(name, _text(configured), _text(alternative))
        under = _accuracies(pairs, table, vectors, split, replace(choices, **{name: alternative}))
        rows += [
            settings.row(setting, Mean(value), Mean(under[probe, group]), probe=probe, group=group, agent=AGENT)
            for (probe, group), value in usual.items()
            if probe in probes and (probe, group) in under
        ]
    return settings.table(rows, SENSITIVITY)


def _text(setting: object) -> str:
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _accuracies(
    analogies: pl.DataFrame, table: Tuples, vectors: StaticVectors, split: Split, choices: Choices
) -> dict[tuple[str, str], float]:
    """Return the mean accuracy of each probe and group, and over all relations."""
    built = instances(table, analogies, None, split.seed, choices)
    pair_vectors = pl.DataFrame(vector_table(list(differences(pairs_of(built), vectors)))).drop_nulls("vector")
    judged = [
        by_features(rows, PairFeatures(pair_vectors.filter(relation=relation)))
        for (relation,), rows in built.group_by("relation", maintain_order=True)
        if pair_vectors.filter(relation=relation).height
    ]
    if not judged:
        return {}
    groups = [*group_order(table["group"]), ALL]
    names = {f"unsupervised {probe}": probe for probe in COLUMNS}
    means = (
        values(pl.concat(judged), table)
        .filter(pl.col("metric").is_in(list(names)) & pl.col("condition").is_in(groups))
        .group_by("metric", "condition", maintain_order=True)
        .agg(ordered_mean("value"))
    )
    value = {(names[metric], group): mean for metric, group, mean in means.iter_rows()}
    return {(probe, group): value[probe, group] for probe in COLUMNS for group in groups if (probe, group) in value}


def tables_of_vectors(read: VectorData) -> ShownTables:
    """Return the table of what the choices change."""
    return {"sensitivity": sensitivity(read.pairs, read.vectors, read.split, read.choices)}
