"""How well agents do by the frequency of the target (Tables 7 and 10 of the paper).

## Are rare words known less well?

```yaml
figure: frequency
```

Targets by frequency: rare below 10 uses, medium below 100 *(Tables 7 and 10 of the paper)*;
choices.bands sets other limits. Words of unknown frequency are in the table alone.

The uses are those of the file word_counts; without it, they are wordfreq's in a billion words, which has no phrases.
*The paper counts in a Wikipedia corpus of a billion words.* Targets of more than three tokens are rare.

## Results by frequency

```yaml
table: frequency
like: overview
empty: No group has a target of known frequency.
```

The results by frequency, for all parts of speech *(Tables 7 and 10 of the paper)*. unknown: no source says how
frequent the word is, most often a phrase.
"""

from collections.abc import Mapping, Sequence

import polars as pl
from matplotlib.figure import Figure

from relprobe.report.agent_styles import AgentStyle
from relprobe.stats.schemas import Averages
from relprobe.stats.sensitivity import Setting
from relprobe.studies.definitions.conditions import Alternative, Subsets
from relprobe.studies.definitions.figures import by_condition, shown_parts
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import POS, Properties
from relprobe.studies.definitions.tables import wide

PLACE = 3
BANDS = ("rare", "medium", "frequent")
UNKNOWN = "unknown"
"""The band of words whose frequency no source says, most of them phrases."""
PHRASE_TOKENS = 4
"""A target of at least this many tokens is rare; the paper does not count it (footnote 5)."""


def frequency_names(pos: str) -> dict[str, str]:
    """Return band -> name of the condition.

    >>> frequency_names("noun")["rare"]
    'noun, rare'
    """
    return {band: f"{pos}, {band}" for band in (*BANDS, UNKNOWN)}


def _select(groups: Properties, limits: Sequence[float]) -> pl.DataFrame:
    uses = pl.when(pl.col("tokens") >= PHRASE_TOKENS).then(0.0).otherwise(pl.col("uses"))
    medium, frequent = limits
    bands = pl.when(uses < medium).then(pl.lit(BANDS[0])).when(uses < frequent).then(pl.lit(BANDS[1]))
    band = bands.when(uses >= frequent).then(pl.lit(BANDS[2])).otherwise(pl.lit(UNKNOWN))
    return groups.select("group", condition=pl.format("{}, {}", "pos", band))


def _names() -> list[str]:
    return [name for pos in POS for name in frequency_names(pos).values()]


def _with_joined_phrases(groups: Properties, limits: Sequence[float]) -> pl.DataFrame:
    return _select(groups.with_columns(uses="joined"), limits)


SUBSETS = Subsets(
    _select,
    pos_conditions=lambda pos: [*frequency_names(pos).values()],
    alternative=Alternative(
        Setting("frequency of a phrase", "its own, or unknown", "its words' joined by wordfreq"),
        _names(),
        _with_joined_phrases,
        lambda options: options.phrases != "joined",
    ),
)


def by_frequency(averages: Averages) -> pl.DataFrame:
    """Return Tables 7 and 10, with verbs added: a row per frequency band of the target and agent."""
    return wide(averages, _names())


def _table(results: Results) -> pl.DataFrame:
    return by_frequency(results.averages)


def _figure(averages: Averages, styles: Mapping[str, AgentStyle]) -> Figure:
    """Draw the bands of nouns or, where there are none, of the first part of speech."""
    pos = shown_parts(averages)[0]
    return by_condition(averages, [frequency_names(pos)[band] for band in BANDS], f"frequency of the {pos}", styles)


TABLES = {"frequency": _table}
FIGURES = {"frequency": _figure}
