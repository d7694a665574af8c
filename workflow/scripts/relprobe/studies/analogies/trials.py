"""The trials of the analogies study: every choice between two pairs of words, and every pair that a classifier judged."""

import polars as pl

from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.analogies.relations import relation_names
from relprobe.studies.analogies.schemas import SETTINGS, Decisions, Instances, Tuples
from relprobe.studies.analogies.tables import CHOICE, in_words, with_number


def trials(
    unsupervised: dict[str, Decisions],
    instances: Instances,
    tuples: Tuples,
    supervised: dict[str, Decisions] | None = None,
) -> Trials:
    """Return a trial for each decision of every agent with the right query, in both settings.

    In the unsupervised setting the answer is the pair that the agent chose; it is missing where both pairs count one half.
    In the supervised one the answer is "yes" or "no", if the classifiers of all seeds agree. A decision without a vector has
    no row. The target is the pair that is right, or judged. The cluster is the family of pairs that share words.
    """
    asked = with_number(in_words(instances.filter(pl.col("instead_of").is_null())))
    pairs, names = _pairs(tuples), relation_names(tuples)
    tables = [pl.DataFrame(schema=TRIALS)]
    for decisions_by_agent, chosen in ((unsupervised, True), (supervised or {}, False)):
        for agent, decisions in decisions_by_agent.items():
            asked_rightly = decisions.filter(pl.col("instead_of").is_null())
            rows = (_choices(asked_rightly, asked) if chosen else _judgements(asked_rightly)).drop_nulls("right")
            named = rows.with_columns(relation_name=pl.col("relation").replace(names))
            table = named.join(pairs, on=["relation", "target"], how="left", maintain_order="left")
            setting = SETTINGS[1] if chosen else SETTINGS[0]
            tables.append(as_trials(table, study="analogies", agent=agent, task=setting, counted=True))
    return pl.concat(tables)


def _choices(decisions: Decisions, asked: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of trials of an agent's choices. `asked`: the instances with `number` and `other`.

    Where an agent lacks one of some instances that differ in the wrong pair alone, as it does not know a word, its decisions
    do not say which they are about: the wrong pair is then a number.
    """
    same, value = [*CHOICE, "draw"], pl.col("value")
    wrong_pairs = asked.select(*same, "number", "other", instances=pl.len().over(same))
    rows = with_number(decisions).with_columns(instances=pl.len().over(same))
    rows = rows.join(wrong_pairs, on=[*same, "number", "instances"], how="left", maintain_order="left")
    wrong_pair = pl.coalesce("other", pl.format("another pair ({})", pl.col("number") + 1))
    return rows.select(
        relation="relation",
        condition="probe",
        target="tuple",
        item=pl.format("{}, draw {}: {} :: {} or {}", "probe", "draw", "query", "tuple", wrong_pair),
        respondent=_repetition([*same, "other"]),
        answer=pl.when(value > 0.5).then("tuple").when(value < 0.5).then("other"),
        right=value,
        candidates=pl.lit(2),
    )


def _judgements(decisions: Decisions) -> pl.DataFrame:
    """Return the columns of trials of the classifiers' judgements of pairs."""
    pair, key = pl.format("{} : {}", "head", "tail"), ["relation", "probe", "draw", "query", "tuple", "head", "tail"]
    judgement = pl.when(pl.col("value") == 1).then("label").when(pl.col("value") == 0).then(~pl.col("label"))
    return decisions.select(
        relation="relation",
        condition="probe",
        target="tuple",
        item=pl.format("{}, draw {}: {} :: {} ({})", "probe", "draw", "query", pair, "tuple"),
        respondent=_repetition(key),
        answer=pl.when(judgement).then(pl.lit("yes")).when(~judgement).then(pl.lit("no")),
        right="value",
        candidates=pl.lit(2),
    )


def _repetition(key: list[str]) -> pl.Expr:
    """Return the number of a row among those of its key, from 2; missing where it is the first or the only one."""
    number = pl.int_range(pl.len()).over(key) + 1
    return pl.when(number > 1).then(number.cast(pl.String))


def _pairs(tuples: Tuples) -> pl.DataFrame:
    """Return relation, target (head : tail), cluster and frequency: the mean of the Zipf values of both words."""
    pairs = tuples.select("relation", "head", "tail", cluster="family").unique(["relation", "head", "tail"])
    zipf = frequencies(pl.concat([pairs["head"], pairs["tail"]]), "zipf", language="en")
    for side in ("head", "tail"):
        pairs = pairs.join(zipf.rename({"word": side, "frequency": f"zipf_{side}"}), on=side, how="left")
    return pairs.select(
        "relation",
        "cluster",
        target=pl.format("{} : {}", "head", "tail"),
        frequency=(pl.col("zipf_head") + pl.col("zipf_tail")) / 2,
    ).unique(["relation", "target"])
