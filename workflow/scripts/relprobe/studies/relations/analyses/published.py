"""The values that the paper prints, beside ours: under the names of resources/published/relations.csv.

## The paper's values beside this run
"""

from collections.abc import Collection, Mapping

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.sums import ordered_mean
from relprobe.core.words import enumeration
from relprobe.report.published import average_values, compare_published, figures
from relprobe.stats.notes import join_note_columns, without_notes
from relprobe.studies.relations.measures import AUDC, AUDC_PRINTED, MEASURES
from relprobe.studies.relations.published import (
    ALL,
    MODEL_FAMILIES,
    OVERALL,
    PaperColumn,
    column_tables,
    whole_families,
)
from relprobe.studies.relations.results import Results

PLACE = 17
# What the paper says in its text and in Table 5, as this run has it: bounds, the best of all models, first words.


BUT_FOR = ("mean soundness but for antonymy", "soundness", "ANT")
LARGEST = ("soundness", "completeness", "asymmetry@5", "prototypicality", "AuDC")
"""The metrics of which the text gives the largest value of a model, or a bound of all of them (sections 8.1 to 8.5)."""
CAUSAL = "largest soundness of a causal model"
SMALLEST = "smallest AuDC of a model"
FALLS = "last threshold at which all 30 pairs are told apart"
ENDS = "threshold from which no pair is told apart"
PAIRS = 30
REVERSES = {"HYP": "HPO", "HPO": "HYP", "HOL": "MER", "MER": "HOL"}
PROBE = "syn-similar:answer"
RANK = "rank of “{}” after “an answer is similar to [DET] [V]”"
FIRST = 3
"""The words of Table 5."""


def text_values(means: pl.DataFrame, models: Collection[str]) -> list[pl.DataFrame]:
    """Return people's mean but for antonymy and, in a run of all of the paper's models, the best of these (OURS).

    `means`: the averages by the paper's names of metrics (OURS).
    """
    quantity, metric, without = BUT_FOR
    people = means.filter(pl.col("condition") != without, quantity=metric, agent="humans")
    no_condition = pl.lit(None, pl.String)
    mean = (
        people.group_by("agent")
        .agg(ordered_mean("ours"))
        .with_columns(quantity=pl.lit(quantity), condition=no_condition)
    )
    parts = [mean]
    if set(models) >= ALL:
        model_means = means.filter(pl.col("agent").is_in(list(ALL)))
        causal = model_means.filter(pl.col("agent").is_in(list(MODEL_FAMILIES["OPT"])), quantity="soundness")
        parts += [_extreme(model_means.filter(quantity=metric), f"largest {metric} of a model") for metric in LARGEST]
        parts += [_extreme(causal, CAUSAL), _extreme(model_means.filter(quantity="AuDC"), SMALLEST, smallest=True)]
    return [figures(part) for part in parts]


def _extreme(rows: pl.DataFrame, quantity: str, *, smallest: bool = False) -> pl.DataFrame:
    """Return the largest or the smallest value of the agents of each relation."""
    value = pl.col("ours").min() if smallest else pl.col("ours").max()
    table = rows.group_by("condition", maintain_order=True).agg(value)
    return table.with_columns(quantity=pl.lit(quantity), agent=pl.lit(None, pl.String))


def thresholds(averages: pl.DataFrame, models: Collection[str]) -> list[pl.DataFrame]:
    """Return where the distinguishability curves begin to fall and reach zero (section 8.5, Figure 8), as OURS.

    All pairs of relations are told apart up to the smallest distance of a pair, and none above the largest one. An agent
    must have the distances of all pairs. `averages`: AVERAGES; `models`: those of the run.
    """
    rows = averages.filter(
        pl.col("versus").is_not_null() & (pl.col("versus") != pl.col("relation")), metric="distinguishability"
    )
    ends = rows.group_by("agent").agg(first=pl.col("value").min(), last=pl.col("value").max(), pairs=pl.len())
    complete = ends.filter(pairs=PAIRS)
    people = complete.filter(agent="humans")
    none = pl.lit(None, pl.String)
    parts = [people.select("agent", quantity=pl.lit(FALLS), condition=none, ours="first")]
    parts.append(people.select("agent", quantity=pl.lit(ENDS), condition=none, ours="last"))
    if set(models) >= ALL:
        model_ends = complete.filter(pl.col("agent").is_in(list(ALL)))
        largest = pl.col("last").max()
        parts.append(
            model_ends.select(agent=none, quantity=pl.lit(f"largest {ENDS} of a model"), condition=none, ours=largest)
        )
    return [figures(part) for part in parts]


def symmetry_probes(data: pl.DataFrame) -> pl.DataFrame:
    """Return the number of probes of symmetry and asymmetry as the paper counts them (section 7).

    To all probes it adds those of each relation's prompts on all targets of its reverse. `data`: the table of that name.

    >>> rows = {"relation": ["HYP", "HPO", "ANT"], "prompts": [7, 4, 9], "targets": [10, 5, 2], "probes": [70, 20, 18]}
    >>> symmetry_probes(pl.DataFrame(rows))["ours"].item()  # 108, 7 times 5 and 4 times 10
    183.0
    """
    counts = {row["relation"]: row for row in data.to_dicts()}
    tricks = [counts[r]["prompts"] * counts[s]["targets"] for r, s in REVERSES.items() if r in counts and s in counts]
    number = sum(row["probes"] for row in counts.values()) + sum(tricks)
    row = {"quantity": "probes of symmetry and asymmetry", "condition": None, "agent": None, "ours": float(number)}
    return figures(pl.DataFrame([row]))


def first_words(agent: str, top_words: pl.DataFrame) -> pl.DataFrame:
    """Return the ranks of an agent's first words after the probe of Table 5, whose words are part of the quantity (OURS).

    >>> words = pl.DataFrame({"probe_id": [PROBE] * 4, "rank": [1, 2, 3, 4], "word": ["question", "reply", "answer", "way"]})
    >>> first_words("m", words)["quantity"][0], first_words("m", words)["ours"].to_list()
    ('rank of “question” after “an answer is similar to [DET] [V]”', [1.0, 2.0, 3.0])
    """
    rows = top_words.filter(pl.col("rank") <= FIRST, probe_id=PROBE)
    columns = {"quantity": pl.format(RANK, "word"), "condition": pl.lit("SYN"), "agent": pl.lit(agent)}
    return figures(rows.select(**columns, ours="rank"))


# Our values of the figures that Cao et al. print, under the names of resources/published/relations.csv.


OWN_WORDS = (
    *("prompts", "vocabulary size", "mean Jaccard similarity"),
    *("responses of entropy", "words per response", "mean entropy", "answered", "different answered"),
)
"""How the quantities begin that depend on no lexicon: the prompts, the vocabularies, and people's answers as they are."""
PEOPLE_AGENTS = ("humans", "annotator")
"""The agents that are people: all annotators together, and one of them."""
SOURCES = {"hyperlex", "category_norms"}
"""The paper's sources of tuples, as resources."""
OTHER_TUPLES = "the tuples are not from HyperLex and category norms, as the paper's are, but from {}"
NOTES_ON_NORMS = (
    "the paper's category norms (Van Overschelde et al. 2004) are not public: those of Battig and Montague (1969) stand in "
    "for them",
    "relatum sets from other category norms, and ties between the answers: the sensitivity table shows what these matter",
    "other category norms, and other targets of antonymy in the authors' file",
    "relatum sets from other category norms",
)
"""What resources/published/relations.csv notes of what depends on the norms."""
OTHER_PANEL = "the shared lexicon is not that of the paper's four tokenizers"


COLUMNS = (
    *(PaperColumn("data", name, name) for name in ("prompts", "targets", "probes")),
    *(
        PaperColumn("data", f"{when}_{what}", f"set size {when} expansion ({what})")
        for when in ("before", "after")
        for what in ("mean", "sd")
    ),
    PaperColumn("counts", "value", "{quantity}"),
)
"""What the paper prints of the tables of the method; analyses have what it prints of theirs (`published`)."""


def ours(
    averages: pl.DataFrame,
    values: Mapping[str, pl.DataFrame],
    tables: Mapping[str, pl.DataFrame],
    models: Collection[str],
) -> pl.DataFrame:
    """Return what the paper prints as this run has it (OURS).

    `averages`: AVERAGES; `values`: agent -> METRICS; `tables`: the tables that the run has, by name, those of the method and
    of analyses; `models`: the models of the run.
    """
    means = _averages(averages)
    parts = [
        means,
        *text_values(means, models),
        *thresholds(averages, models),
        *(_overall(agent, table) for agent, table in values.items()),
    ]
    if "data" in tables:
        parts.append(symmetry_probes(tables["data"]))
    parts += column_tables(tables, COLUMNS)
    analysis_tables = [rows for make in take("relations", "published").values() for rows in make(tables, models)]
    return pl.concat([whole_families(pl.concat(parts), models), *analysis_tables])


def with_reasons(published: pl.DataFrame, panel: Collection[str], tuples: Collection[str]) -> pl.DataFrame:
    """Return PUBLISHED with notes on what differs in this run: the panel, and the sources of the tuples.

    Both matter wherever the lexicon does. What the notes say of category norms is left out in a run without these.
    """
    reasons = [] if set(tuples) >= SOURCES else [OTHER_TUPLES.format(enumeration(tuples))]
    if not all(members & set(panel) for members in MODEL_FAMILIES.values()):
        reasons.append(OTHER_PANEL)
    note = pl.col("note")
    if "category_norms" not in tuples:
        note = without_notes(note, NOTES_ON_NORMS)
    independent = pl.any_horizontal(pl.col("quantity").str.starts_with(start) for start in OWN_WORDS)
    changed = join_note_columns(*map(pl.lit, reasons), note)
    return published.with_columns(note=pl.when(independent).then(note).otherwise(changed))


def _averages(averages: pl.DataFrame) -> pl.DataFrame:
    """Return every average by its metric (with @k, if any), relation and agent; AuDC is that of the printed equations."""
    metric = pl.col("metric").replace({AUDC_PRINTED.name: AUDC.title})
    quantity = pl.when(pl.col("k").is_null()).then(metric).otherwise(pl.format("{}@{}", metric, "k"))
    plain = averages.filter(pl.col("versus").is_null() & (pl.col("metric") != AUDC.name))
    units = {measure.name: measure.items for measure in MEASURES} | {AUDC_PRINTED.name: "pairs of relations"}
    return average_values(plain, units, quantity, "relation")


def _overall(agent: str, values: pl.DataFrame) -> pl.DataFrame:
    """Return what the paper gives over all probes alike, and how many responses the humans' prototypicality rests on."""
    related = values.filter(pl.col("metric").is_in(list(OVERALL)))
    means = related.group_by(quantity=pl.col("metric").replace(OVERALL), maintain_order=True).agg(
        ours=ordered_mean("value"), n=pl.len()
    )
    rows = figures(means.with_columns(agent=pl.lit(agent), units=pl.lit("probes")))
    if agent not in PEOPLE_AGENTS:
        return rows
    gold = (
        values.filter(metric="prototypicality").group_by(condition="relation", maintain_order=True).agg(ours=pl.len())
    )
    used = gold.with_columns(quantity=pl.lit("responses used for prototypicality"), agent=pl.lit("humans"))
    return pl.concat([rows, figures(used)])


# Which significant differences of this run's agents remain over clusters, figure by figure and table of the paper.
# The paper's tests take the probes of a target as independent, and symmetry counts each pair twice. Each row of the
# result compares, on the agents of this run, the tests as the paper computes them (but for pairs that count once) with
# ours. What the paper says of its own models is tested only in a run of these (resources/studies/paper.yaml).


def _table(results: Results, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare the paper's printed values with ours; it prints none of controls. `tables`: those of the page, by name."""
    settings, metrics = results.settings, results.metrics or {}
    assert results.published is not None, "the rules give the paper's figures"
    ranks = [first_words(agent, results.top_words[agent]) for agent in metrics]
    our_values = ours(results.averages, metrics, tables, list(settings.models))
    printed = with_reasons(results.published, settings.panel or [], settings.sources or [])
    return compare_published(printed, pl.concat([our_values, *ranks]))


DERIVED_TABLES = {"published": _table}
