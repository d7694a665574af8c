"""The tables of the agents' metrics, such as the overview (Table 2), and of the data."""

from collections.abc import Sequence

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.tables import sent_texts
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.word_frequency import Scale
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.letters import places, readings
from relprobe.studies.systematicity.compare.consistency import consistency
from relprobe.studies.systematicity.compare.frequency import frequency
from relprobe.studies.systematicity.compare.occurrences import recognition
from relprobe.studies.systematicity.compare.verification import verification
from relprobe.studies.systematicity.data.hyponyms import Choice, hyponyms_of
from relprobe.studies.systematicity.data.items import built_items
from relprobe.studies.systematicity.data.sizes import diagnostics, omissions, overlap, parts
from relprobe.studies.systematicity.measure.metrics import MEASURES
from relprobe.studies.systematicity.schemas import (
    MAJORITY,
    SETS,
    Detection,
    Items,
    Metrics,
    Occurrences,
    OwnContrasts,
    Pairs,
    ReplyChoices,
)


def tables(
    metrics: dict[str, Metrics],
    averages: Averages,
    detection: Detection,
    agents: Tests,
    contrasts: OwnContrasts,
    item_table: Items,
    pairs: Pairs,
    choice: Choice,
    wordnet: WordNet | None = None,
    occurrences: Occurrences | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    categories: dict[str, list[str]],
    controls: list[str],
    scale: Scale,
    resources: list[str] | None = None,
) -> ShownTables:
    """Write the tables of the agents and of the data (Tables 1, 2, 4, 5 and 6; sections 3.4 and 3.5).

    `wordnet` comes with the authors' data: WordNet's items, by the `choice` of the step `probes`, are then counted beside
    theirs. `occurrences` comes with a corpus. `controls`: the agents that are no language models. `scale`: that of the
    frequencies. `resources` names the configured optional ones. `reply_choices`: what the agents with people's task have
    chosen, and `replies` the files of what they have said.
    """
    answering = {agent: table for agent, table in metrics.items() if agent != MAJORITY}
    results = {
        "overview": overview(averages, list(metrics)),
        "averages": averages,
        "detection": detection,
        "consistency": consistency(metrics),
        "frequency": frequency(answering, controls, scale),
        "tests": agents,
        "contrasts": contrasts,
        "diagnostics": diagnostics(item_table),
        "parts": parts(pairs),
        "left_out": omissions(resources or [], reply_choices or []),
    }
    if wordnet is not None:
        built = built_items(hyponyms_of(wordnet, categories, choice))
        results["overlap"] = overlap(built, item_table.filter(set="extended"))
    if occurrences is not None:
        results["patterns"] = recognition(metrics, occurrences)
    if reply_choices:
        results |= {"choices": readings(reply_choices, "question"), "orders": places(reply_choices)}
        results |= {"verification": verification(reply_choices, metrics, item_table), "sent": sent_texts(replies or [])}
    return results


def overview(averages: Averages, agents: Sequence[str]) -> pl.DataFrame:
    """Return Table 2: a row per set and agent, in the order of `agents`, and a column per metric.

    `hyponyms` and `answered` count those of the singular: in its average, and those that the agent has answered.
    `own_hyponyms`: some average is over other hyponyms than those of the other agents.

    >>> counts = {"units": 18, "answered": 20, "own_units": False}
    >>> row = {"agent": "static", "metric": "singular", "condition": "extended", "value": 0.5, **counts}
    >>> overview(pl.DataFrame([row]), ["static"]).row(0)
    ('extended', 'static', 0.5, 18, 20, False)
    """
    columns = [metric.name for metric in MEASURES if not metric.input]
    rows = averages.join(pl.DataFrame({"metric": columns}), on="metric", how="inner", maintain_order="right")
    key = ["condition", "agent"]
    of_singular = rows.filter(metric="singular").select(*key, hyponyms="units", answered="answered")
    wide = rows.pivot("metric", index=key, values="value").join(of_singular, on=key, how="left")
    own = rows.group_by(key).agg(own_hyponyms=pl.col("own_units").any())
    wide = wide.join(own, on=key).rename({"condition": "set"})
    return wide.sort(pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(agents)))
