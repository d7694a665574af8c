"""The paragraph at the top of the study's page, from its tables."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import polars as pl

from relprobe.report.words.finding import finding as sentence
from relprobe.report.words.summary import Claim, paragraph
from relprobe.report.words.warnings import warnings
from relprobe.studies.relations.show.relation_used import relation_used

PEOPLE = ("annotator", "humans")
"""The agents that are people; models are compared with the first of them that is there."""

FEW = 10
"""With fewer targets the paragraph warns."""


class About(NamedTuple):
    """What the sentences are about: a claim, the averages, tests and controls with names of relations, and the person."""

    claim: Claim
    averages: pl.DataFrame
    tests: pl.DataFrame
    controls: pl.DataFrame
    person: str


def _about(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> About:
    overview = tables["overview"]
    person = next((agent for agent in PEOPLE if agent in set(overview["agent"])), "")
    averages = overview.filter(pl.col("agent").is_in([*models, person])).select(
        "agent", "relation", "targets", metric=pl.lit("soundness"), value="soundness", own="own_targets"
    )
    names = code_names(tables)
    with_names, tests, controls = (
        table.with_columns(pl.col("relation").replace(names))
        for table in (averages, tables["tests"], tables["controls"])
    )
    claim = Claim(
        metric="soundness",
        conditions=tuple(dict.fromkeys(with_names["relation"])),
        verb="gives a right first answer to",
        unit="probes",
        column="relation",
        each="relations",
        test="targets with a common relatum are linked",
    )
    return About(claim, with_names, tests, controls, person)


def code_names(tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Return the code of each relation -> its name."""
    return dict(tables["data"].select("relation", "name").iter_rows())


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out in one sentence. `tables`, `models`: as for `summary`."""
    if "soundness" not in tables["overview"].columns:
        return "No agent has an answer to the probes of this study."
    about = _about(tables, models)
    return sentence(about.averages, about.claim, models, about.controls, about.person)


def summary(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out: who answers best, where the difference holds, and whether the relation is used.

    `tables`: those of the page by their names, among them overview, tests, controls, relation_use, relation_pairs, data and,
    if there are agents that write lists, writing. `models`: the agents that are models.
    """
    if "soundness" not in tables["overview"].columns:
        return "No agent has an answer to the probes of this study."
    claim, with_names, tests, controls, person = _about(tables, models)
    text = paragraph(with_names, tests, claim, models, person, controls)
    warning, used = warnings(tables["tests"], models), relation_used(tables["relation_use"], models)
    few = few_targets(with_names, tables["relation_pairs"])
    probes = measured_probes(tables["data"], people=bool(person))
    return " ".join(filter(None, [warning, text, used, few, *_absences(tables), probes]))


def measured_probes(data: pl.DataFrame, *, people: bool = False) -> str:
    """Say how many of the study's probes are measured, and why not all of them are. `data`: the table of this name.

    Where `people` take part, the probes that they have answered are measured, which are not counted there.

    >>> row = {"prompts": 7, "candidate_targets": 300, "targets": 200, "targets_without_relata": 10}
    >>> measured_probes(pl.DataFrame([row]))
    'The study has 2,100 probes, of which soundness is over 1,330: 700 ask about targets without a tuple in the shared \
lexicon, and 70 ask about targets without a relatum set.'
    """
    if people:
        return (
            "All agents are averaged over the probes that people answered, in the relations that people answered; two "
            "models are compared on all probes that both have answered."
        )
    of_target = pl.col("prompts").cast(pl.Int64)
    candidates, inside, empty = (pl.col(name) for name in ("candidate_targets", "targets", "targets_without_relata"))
    numbers = data.select(
        asked=candidates * of_target, outside=(candidates - inside) * of_target, empty=empty * of_target
    )
    asked, outside, without = numbers.sum().row(0)
    lost = {"without a tuple in the shared lexicon": outside, "without a relatum set": without}
    reasons = [f"{number:,} ask about targets {reason}" for reason, number in lost.items() if number]
    if not reasons:
        return ""
    rest = asked - outside - without
    return f"The study has {asked:,} probes, of which soundness is over {rest:,}: {', and '.join(reasons)}."


def few_targets(overview: pl.DataFrame, pairs: pl.DataFrame) -> str:
    """Warn of relations with fewer than ten targets, and say how many pairs of relations AuDC is then over.

    `overview`: rows with relation and targets. `pairs`: the table relation_pairs.

    >>> averages = pl.DataFrame({"relation": ["hypernymy", "antonymy"], "targets": [3, 12]})
    >>> few_targets(averages, pl.DataFrame({"counted": [True, False, False]}))
    'Few targets: hypernymy has 3. What so few show may be chance. AuDC is over 1 of 3 pairs of relations.'
    """
    numbers = overview.group_by("relation", maintain_order=True).agg(pl.col("targets").max())
    few = numbers.filter(pl.col("targets") < FEW)
    if few.is_empty():
        return ""
    listed = ", ".join(f"{name} has {number}" for name, number in few.iter_rows())
    area = f"AuDC is over {pairs['counted'].sum()} of {pairs.height} pairs of relations."
    return f"Few targets: {listed}. What so few show may be chance. {area}"


def _absences(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """Say why agents that write lists have no value."""
    if "writing" not in tables:
        return []
    notes = tables["writing"].select("agent", "note").unique(maintain_order=True).drop_nulls()
    return [f"{agent} has {note}." for agent, note in notes.iter_rows()]
