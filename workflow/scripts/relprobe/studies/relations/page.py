"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.claim import Claim
from relprobe.core.words import amount
from relprobe.report.addresses import agents_of_difference
from relprobe.report.page import Address
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import sentences_on
from relprobe.report.words.warnings import warnings
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.claims import RIGHT
from relprobe.studies.relations.measures import AUDC, AUDC_PRINTED, FREQUENCIES, RECIPROCITY

# What codes in the tables of the relations study are called on its page, beside those of the relations.


NO_ANSWER = "No agent has an answer to the probes of this study."
NAMES = {
    **{code: name for code, name in FREQUENCIES.items() if code != name},
    **{f"frequency_{code}": name for code, name in FREQUENCIES.items() if code != name},
    **{measure.name: measure.title for measure in (AUDC, AUDC_PRINTED)},
    "in_audc": "in AuDC",
    RECIPROCITY: "symmetry or asymmetry",
}


# The paragraph at the top of the study's page, from its tables.


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


def _run_facts(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> About:
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
    claim = RIGHT.under(dict.fromkeys(with_names["relation"]))
    return About(claim, with_names, tests, controls, person)


def code_names(tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Return the code of each relation -> its name."""
    return dict(tables["data"].select("relation", "name").iter_rows())


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return the finding of the study. `tables`, `models`: as for `headline`."""
    if "soundness" not in tables["overview"].columns:
        return Finding((NO_ANSWER,))
    facts = _run_facts(tables, models)
    rows = facts.controls, facts.person, tables.get("primary"), facts.tests
    return found_by(facts.averages, facts.claim, models, *rows)


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return the headline: who answers best, and where differences hold.

    `tables`: those of the page by their names, among them overview, tests, controls, relation_pairs and data. `models`: the
    agents that are models.
    """
    if "soundness" not in tables["overview"].columns:
        return Headline((NO_ANSWER,))
    claim, with_names, tests, controls, person = _run_facts(tables, models)
    values, *differences = sentences_on(with_names, tests, claim, models, person, controls, tables.get("primary"))
    warning = warnings(tables["tests"], models)
    few = few_targets(with_names, tables["relation_pairs"])
    probes = measured_probes(tables["data"], people=bool(person))
    return first_of(
        [values],
        [*differences, probes],
        verdicts_of([(claim, with_names)], controls, models, person, tables.get("primary")),
        " ".join(filter(None, [warning, few])),
    )


def measured_probes(data: pl.DataFrame, *, people: bool = False) -> str:
    """Return the sentence on how many of the study's probes are measured, and why not all.

    `data`: the table of this name. Where `people` take part, the probes that they have answered are measured, which are not
    counted there.

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
    prompt_number = pl.col("prompts").cast(pl.Int64)
    candidates, inside, empty = (pl.col(name) for name in ("candidate_targets", "targets", "targets_without_relata"))
    numbers = data.select(
        asked=candidates * prompt_number, outside=(candidates - inside) * prompt_number, empty=empty * prompt_number
    )
    asked, outside, without = numbers.sum().row(0)
    lost = {"without a tuple in the shared lexicon": outside, "without a relatum set": without}
    reasons = [
        f"{amount(number, 'asks about a target', 'ask about targets')} {reason}"
        for reason, number in lost.items()
        if number
    ]
    if not reasons:
        return ""
    measured = asked - outside - without
    return f"The study has {amount(asked, 'probe')}, of which soundness is over {measured:,}: {', and '.join(reasons)}."


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
    area = f"AuDC is over {pairs['counted'].sum()} of {amount(pairs.height, 'pair')} of relations."
    return f"Few targets: {listed}. What so few show may be chance. {area}"


# The page of the relations study: figures in words, and where the cells of tables lead to.


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a metric's figure in words, with their number of targets; of symmetry and asymmetry at each k."""
    names = code_names(tables) if "data" in tables else {}
    overview = tables.get("overview", pl.DataFrame())
    if "relation" in overview.columns:
        overview = overview.with_columns(pl.col("relation").replace(names))
    columns = [column for column in overview.columns if column.partition("@")[0] == name]
    texts = {}
    for column in ["soundness"] if name == "overview" else columns:
        unit = "tuples" if "@" in column else "targets"
        targets_column = f"{column}_targets"
        texts[column] = in_words(
            overview, column, "relation", targets_column if targets_column in overview.columns else unit, unit
        )
    return " ".join(f"{column}: {words}" for column, words in texts.items() if words)


NOT_VALUES = (
    *("relation", "agent", "targets", "coverage", "own_targets", "tuples", "prototypicality_targets"),
    *("metric", "k", "family", "frequency", "low_choice", "high_choice", "low_prompt", "high_prompt"),
)


def _agent_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind a number of an agent and a relation."""
    if column in NOT_VALUES or row[column] is None:
        return None
    cutoff = column.partition("@")[2] or row.get("k")
    return answers(row["agent"], row.get("relation"), k=int(cutoff) if cutoff else None)


def _pair_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the probes that one agent answers rightly and the other wrongly, at a difference."""
    agents = agents_of_difference(row, column)
    if agents is None or row.get("relation") is None:
        return None
    return answers(agents[0], row["relation"], k=row["k"], against=agents[1])


ADDRESSES: dict[str, Address] = {
    "overview": _agent_address,
    "tests": _pair_address,
}
"""Table -> what its cells lead to."""


WORDS = PageWords(headline, words, finding=finding, names=NAMES, code_names=code_names, addresses=ADDRESSES)
