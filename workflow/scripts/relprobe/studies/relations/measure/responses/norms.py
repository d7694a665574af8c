"""Norms of people as an agent: what they named for a target is the response to all its probes that it fits."""

from pathlib import Path
from typing import Literal

import polars as pl

from relprobe.core.manifest import only_file
from relprobe.sources.own import norms as readers
from relprobe.studies.relations.measure.responses.agents import of_agent
from relprobe.studies.relations.schemas import RESPONSES, Answers, Probes


def norms(norms: Path, probes: Probes, *, form: Literal["associations", "feature_norms"]) -> Answers:
    """Turn norms of people, who were asked without prompts, into the responses of an agent. `norms`: their manifest."""
    read = {"associations": readers.associations, "feature_norms": readers.feature_norms}[form]
    with pl.StringCache():
        return of_agent("lists", of_norms(read(only_file(norms)), probes))


def of_norms(norms: pl.DataFrame, probes: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of norms (NORMS) to the main probes of a study.

    An answer about a relation is one to the probes of this relation, and an answer about none to all probes of its target.
    The weight of a word is its share of all that people named for the target and relation. Words with equal weights are in
    the order of the alphabet, and count as tied.

    >>> from relprobe.sources.own.norms import NORMS
    >>> norms = pl.DataFrame([("robin", "HYP", "bird", 3), ("robin", "HYP", "animal", 1)], schema=NORMS, orient="row")
    >>> probes = pl.DataFrame({"probe_id": ["p", "q"], "relation": ["HYP", "MER"], "target": "robin", "kind": "main"})
    >>> of_norms(norms, probes).rows()
    [('p', ['bird', 'animal'], [0.75, 0.25])]
    """
    main = probes.filter(pl.col("kind") == "main").select("probe_id", "target", "relation")
    of_relation = main.join(norms.drop_nulls("relation"), on=["target", "relation"])
    of_target = main.join(norms.filter(pl.col("relation").is_null()).drop("relation"), on="target")
    columns = ["probe_id", "word", "people"]
    answers = pl.concat([of_relation.select(columns), of_target.select(columns)])
    ranked = answers.sort("probe_id", -pl.col("people").cast(pl.Int64), "word")
    share = pl.col("people") / pl.col("people").sum()
    table = ranked.group_by("probe_id", maintain_order=True).agg(words="word", weights=share)
    return table.select(list(RESPONSES)).cast(RESPONSES)  # type: ignore[arg-type]
