"""Our values of the figures that Cao et al. print, under the names of resources/published/relations.csv."""

import itertools
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import mean

import polars as pl

from relprobe.core.files import Parquet, ShownTable
from relprobe.core.ways import BARE
from relprobe.report.published import OURS, Published, beside, figures, of_averages
from relprobe.studies.relations.compare.published.text import (
    ALL,
    LLAMA,
    MODEL_FAMILIES,
    entropies,
    first_words,
    medians,
    of_text,
    symmetry_probes,
    thresholds,
)
from relprobe.studies.relations.measure.measures import AUDC, AUDC_PRINTED, MEASURES
from relprobe.studies.relations.schemas import Averages, Metrics

OVERALL = {measure.name: measure.printed for measure in MEASURES if measure.printed}
"""Metrics whose average over all probes alike the paper prints -> its name of that."""
NAMES = {
    AUDC.name: AUDC.title,
    **{measure.name: measure.compared_as for measure in MEASURES if measure.compared_as},
    **OVERALL,
}
"""The paper's names of metrics where they are not ours; symmetry and asymmetry have that of the comparisons."""

OWN_WORDS = (
    *("prompts", "vocabulary size", "mean Jaccard similarity"),
    *("responses of entropy", "words per response", "mean entropy", "answered", "different answered"),
)
"""How the quantities begin that depend on no lexicon: the prompts, the vocabularies, and people's answers as they are."""
PEOPLE = ("humans", "annotator")
"""The agents that are people: all annotators together, and one of them."""
SOURCES = {"hyperlex", "category_norms"}
"""The paper's sources of tuples, as resources."""
OTHER_TUPLES = "the tuples are not from HyperLex and category norms, as the paper's are, but from {}"
OTHER_PANEL = "the shared lexicon is not that of the paper's four tokenizers"


@dataclass(frozen=True)
class PaperColumn:
    """A column of a table of ours and the paper's name for it: {metric} and {average} stand for the row's.

    `agent` is the agent that all rows are about, or "family", the column that names it. `n`: the column with the number of
    the `units` that the value is over. `interval`: the columns low and high are its bounds.
    """

    table: str
    column: str
    quantity: str
    agent: str | None = None
    n: str = ""
    units: str = ""
    interval: bool = False


PRINTED = (
    *(PaperColumn("data", name, name) for name in ("prompts", "targets", "probes")),
    *(
        PaperColumn("data", f"{when}_{what}", f"set size {when} expansion ({what})")
        for when in ("before", "after")
        for what in ("mean", "sd")
    ),
    PaperColumn("counts", "value", "{quantity}"),
    PaperColumn("outside", "outside", "answers outside all relatum sets", "humans"),
    PaperColumn("outside", "share", "answers outside all relatum sets (share)", "humans", "answers", "answers"),
    PaperColumn("outside", "different_outside", "different answers outside all relatum sets", "humans"),
    PaperColumn(
        *("outside", "different_share", "different answers outside all relatum sets (share)", "humans"),
        *("different", "different answers"),
    ),
    PaperColumn("entropy", "entropy_0", "responses of entropy 0", "humans"),
    PaperColumn("entropy", "entropy_0_share", "responses of entropy 0 (share)", "humans", "responses", "responses"),
    PaperColumn("entropy", "entropy_1", "responses of entropy 1", "humans"),
    PaperColumn("entropy", "words", "words per response", "humans", "responses", "responses"),
    PaperColumn("entropy", "mean_without_zeros", "mean entropy without zeros", "humans"),
    PaperColumn("entropy", "answered_words", "answered words", "humans"),
    PaperColumn("entropy", "different_words", "different answered words", "humans"),
    PaperColumn(
        *("size_averages", "difference", "largest minus smallest, {average}: {metric}", "family"),
        *("units", "targets or tuples"),
    ),
    PaperColumn(
        *("size_differences", "difference", "largest minus smallest: {metric}", "family", "clusters", "clusters"),
        interval=True,
    ),
    PaperColumn(
        *("size_reversals", "smaller_wins", "smaller beats next larger: {metric}", "family"),
        *("pairs", "pairs of models"),
    ),
    PaperColumn(
        *("best_by_type", "difference", "best masked minus best causal: {metric}", None, "clusters", "clusters"),
        interval=True,
    ),
    PaperColumn("wins_by_type", "masked_wins", "masked beats causal: {metric}", None, "pairs", "pairs of models"),
    PaperColumn(
        *("unequal_prompts", "total", "agents with unequal variance over prompts: {metric}", None),
        *("tested", "agents"),
    ),
)
BETWEEN_ALL = ("best_by_type", "wins_by_type", "unequal_prompts")


def published_figures(
    published: Published,
    averages: Averages,
    tables: dict[str, Parquet],
    metrics: dict[str, Metrics] | None = None,
    *,
    top_words: dict[str, Parquet] | None = None,
    models: list[str],
    panel: list[str] | None = None,
    tuples: list[str],
) -> ShownTable:
    """Put the figures that the paper prints beside ours.

    `tables`: those of other steps, by name. `metrics`: agent -> METRICS, and `top_words`: agent -> TOP_WORDS; none where all
    agents are asked layer by layer.
    `models` are those of the run; `panel` are the models whose common words are the shared lexicon, if it has any; `tuples`
    are the resources that the tuples come from.
    """
    here = ours(averages, metrics or {}, tables, models)
    ranks = [first_words(agent, table) for agent, table in (top_words or {}).items()]
    return beside(with_reasons(published, panel or [], tuples), pl.concat([here, *ranks]))


def ours(
    averages: pl.DataFrame,
    values: Mapping[str, pl.DataFrame],
    tables: Mapping[str, pl.DataFrame],
    models: Collection[str],
) -> pl.DataFrame:
    """Return what the paper prints as this run has it (OURS).

    `averages`: AVERAGES; `values`: agent -> METRICS; `tables`: the tables of PRINTED that
    the run has, by name; `models`: the models of the run.
    """
    means = _averages(averages)
    parts = [
        means,
        *of_text(means, models),
        *thresholds(averages, models),
        *(_overall(agent, table) for agent, table in values.items()),
    ]
    if "data" in tables:
        parts.append(symmetry_probes(tables["data"]))
    if "entropy_differences" in tables:
        parts.append(entropies(tables["entropy_differences"]))
    if "frequency_medians" in tables and set(models) >= ALL:
        parts.append(medians(tables["frequency_medians"]))
    for printed in PRINTED:
        if printed.table in tables and (printed.table not in BETWEEN_ALL or set(models) >= ALL):
            parts.append(_column(tables[printed.table], printed))
    table = pl.concat(parts).drop_nulls(["quantity", "ours"])
    lacking = [family for family, members in MODEL_FAMILIES.items() if not set(models) >= members]
    whole = table.filter(~pl.col("agent").is_in(lacking).fill_null(value=False))
    return pl.concat([whole, _vocabularies(tables["vocabularies"])]) if "vocabularies" in tables else whole


def with_reasons(published: pl.DataFrame, panel: Collection[str], tuples: Collection[str]) -> pl.DataFrame:
    """Say in the notes of PUBLISHED what differs in this run: the panel, and the sources of the tuples.

    Both matter wherever the lexicon does. What the notes say of category norms is left out in a run without these.
    """
    reasons = [] if set(tuples) >= SOURCES else [OTHER_TUPLES.format(" and ".join(tuples))]
    if not all(members & set(panel) for members in MODEL_FAMILIES.values()):
        reasons.append(OTHER_PANEL)
    own = pl.col("note")
    if "category_norms" not in tuples:
        clauses = own.str.split("; ").list.eval(pl.element().filter(~pl.element().str.contains("category norms")))
        own = pl.when(clauses.list.len() > 0).then(clauses.list.join("; "))
    independent = pl.any_horizontal(pl.col("quantity").str.starts_with(start) for start in OWN_WORDS)
    both = pl.concat_str([*map(pl.lit, reasons), own], separator="; ", ignore_nulls=True)
    changed = pl.when(both != "").then(both)
    return published.with_columns(note=pl.when(independent).then(own).otherwise(changed))


def _averages(averages: pl.DataFrame) -> pl.DataFrame:
    """Return every average by its metric (with @k, if any), relation and agent; AuDC is that of the printed equations."""
    metric = pl.col("metric").replace({AUDC_PRINTED.name: AUDC.title})
    quantity = pl.when(pl.col("k").is_null()).then(metric).otherwise(pl.format("{}@{}", metric, "k"))
    plain = averages.filter(pl.col("versus").is_null() & (pl.col("metric") != AUDC.name))
    units = {measure.name: measure.items for measure in MEASURES} | {AUDC_PRINTED.name: "pairs of relations"}
    return of_averages(plain, units, quantity, "relation")


def _overall(agent: str, values: pl.DataFrame) -> pl.DataFrame:
    """Return what the paper gives over all probes alike, and how many responses the humans' prototypicality rests on."""
    related = values.filter(pl.col("metric").is_in(list(OVERALL)))
    means = related.group_by(quantity=pl.col("metric").replace(OVERALL), maintain_order=True).agg(
        ours=pl.col("value").mean(), n=pl.len()
    )
    rows = figures(means.with_columns(agent=pl.lit(agent), units=pl.lit("probes")))
    if agent not in PEOPLE:
        return rows
    gold = (
        values.filter(metric="prototypicality").group_by(condition="relation", maintain_order=True).agg(ours=pl.len())
    )
    used = gold.with_columns(quantity=pl.lit("responses used for prototypicality"), agent=pl.lit("humans"))
    return pl.concat([rows, figures(used)])


def _vocabularies(table: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes of the families' vocabularies (Table 4) and how alike they are (section 7.1), from VOCABULARIES.

    The models of a family have one tokenizer, so that any of them stands for it.
    """
    with_llama = {**MODEL_FAMILIES, **LLAMA}
    family = {model: name for name, members in with_llama.items() for model in members}
    pairs = table.with_columns(pl.col("model_a", "model_b").replace_strict(family, default=None))
    pairs = pairs.drop_nulls(["model_a", "model_b"])
    sizes = {row[f"model_{side}"]: row[f"tokens_{side}"] for row in pairs.to_dicts() for side in "ab"}
    rows: list[tuple[str, str | None, str | None, float]] = [
        ("vocabulary size", None, name, size) for name, size in sizes.items() if name not in LLAMA
    ]
    alike = {frozenset((row["model_a"], row["model_b"])): row["jaccard"] for row in pairs.to_dicts()}
    masked = ["BERT", "RoBERTa", "ALBERT"]
    for condition, more in (("masked models", []), ("with OPT", ["OPT"]), ("with Llama-2", ["Llama-2"])):
        names = [*masked, *more]
        wanted = [frozenset(pair) for pair in itertools.combinations(names, 2)]
        if alike.keys() >= set(wanted):
            likeness = mean(alike[pair] for pair in wanted)
            rows.append(("mean Jaccard similarity of vocabularies", condition, None, likeness))
    return figures(pl.DataFrame(rows, schema=list(OURS)[:4], orient="row", infer_schema_length=None))


def _column(table: pl.DataFrame, printed: PaperColumn) -> pl.DataFrame:
    """Return one column of a table; a row that lacks what the quantity's name needs has none.

    The paper asks its models with the probe alone: other ways of asking do not stand beside its figures.
    """
    if "way" in table.columns:
        table = table.filter(way=BARE)
    names = re.findall(r"{(\w+)}", printed.quantity)
    words = [pl.col(name).replace(NAMES) for name in names]
    quantity = pl.format(re.sub(r"{\w+}", "{}", printed.quantity), *words) if names else pl.lit(printed.quantity)
    condition = pl.col("relation") if "relation" in table.columns else pl.lit(None, pl.String)
    agent = pl.col("family") if printed.agent == "family" else pl.lit(printed.agent, pl.String)
    over = {"n": pl.col(printed.n), "units": pl.lit(printed.units)} if printed.n else {}
    ends = {"ours_low": pl.col("low"), "ours_high": pl.col("high")} if printed.interval else {}
    rows = table.select(quantity=quantity, condition=condition, agent=agent, ours=printed.column, **over, **ends)
    return figures(rows)
