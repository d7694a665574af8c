"""The values that the paper prints, beside ours: under the names of resources/published/relations.csv.

## The paper's values beside this run
"""

import itertools
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import mean

import polars as pl

from relprobe.core.prompting import BARE
from relprobe.core.sums import ordered_mean
from relprobe.core.words import enumeration
from relprobe.report.published import OURS, average_values, compare_published, figures
from relprobe.stats.notes import join_note_columns, without_notes
from relprobe.studies.relations.measures import AUDC, AUDC_PRINTED, MEASURES
from relprobe.studies.relations.results import Results

PLACE = 17
# What the paper says in its text and in Table 5, as this run has it: bounds, the best of all models, first words.


MODEL_FAMILIES = {
    "BERT": {"bert-base", "bert-large"},
    "RoBERTa": {"roberta-base", "roberta-large"},
    "ALBERT": {"albert-base", "albert-large", "albert-xlarge", "albert-xxlarge"},
    "OPT": {f"opt-{size}" for size in ("125m", "350m", "1.3b", "2.7b", "6.7b", "13b", "30b", "66b")},
}
"""The paper's models (Table 4): a comparison between models stands beside its figures only if it is between these."""
LLAMA = {"Llama-2": {f"llama-2-{size}" for size in ("7b", "13b", "70b")}}
"""A family whose vocabulary the paper compares, and which it does not test (section 7.1)."""
ALL = set[str]().union(*MODEL_FAMILIES.values())
BUT_FOR = ("mean soundness but for antonymy", "soundness", "ANT")
LARGEST = ("soundness", "completeness", "asymmetry@5", "prototypicality", "AuDC")
"""The metrics of which the text gives the largest value of a model, or a bound of all of them (sections 8.1 to 8.5)."""
CAUSAL = "largest soundness of a causal model"
SMALLEST = "smallest AuDC of a model"
ENTROPIES = "entropies of two relations differ (1: p < 0.05; 0: not)"
MEDIANS = "largest median correlation with word frequency: {}"
FALLS = "last threshold at which all 30 pairs are told apart"
ENDS = "threshold from which no pair is told apart"
PAIRS = 30
REVERSES = {"HYP": "HPO", "HPO": "HYP", "HOL": "MER", "MER": "HOL"}
PROBE = "syn-similar:answer"
RANK = "rank of “{}” after “an answer is similar to [DET] [V]”"
FIRST = 3
"""The words of Table 5."""
ALPHA = 0.05


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


def entropies(differences: pl.DataFrame) -> pl.DataFrame:
    """Return which pairs of relations differ in the entropies of people's responses, by the paper's test (footnote 15).

    >>> pairs = pl.DataFrame({"relation": ["HYP"], "versus": ["ANT"], "paper_p": [0.01], "responses": [900]})
    >>> entropies(pairs).select("condition", "agent", "ours", "n").rows()
    [('HYP–ANT', 'humans', 1.0, 900)]
    """
    tested = differences.drop_nulls("paper_p")
    pair, differ = pl.format("{}–{}", "relation", "versus"), (pl.col("paper_p") < ALPHA).cast(pl.Float64)
    rows = tested.select(quantity=pl.lit(ENTROPIES), condition=pair, agent=pl.lit("humans"), ours=differ, n="responses")
    return figures(rows.with_columns(units=pl.lit("responses")))


def medians(table: pl.DataFrame) -> pl.DataFrame:
    """Return the largest of the medians over the models, over the measures of frequency and k (section 8.8).

    >>> rows = {"metric": "soundness", "relation": "HYP", "median": [0.1, 0.2]}
    >>> medians(pl.DataFrame(rows)).select("quantity", "condition", "ours").rows()
    [('largest median correlation with word frequency: soundness', 'HYP', 0.2)]
    """
    largest = table.group_by("metric", condition="relation", maintain_order=True).agg(ours=pl.col("median").max())
    return figures(largest.with_columns(quantity=pl.format(MEDIANS, "metric"), agent=pl.lit(None, pl.String)))


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
        *text_values(means, models),
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
    rows = table.filter(~pl.col("agent").is_in(lacking).fill_null(value=False))
    return pl.concat([rows, _vocabularies(tables["vocabularies"])]) if "vocabularies" in tables else rows


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


TABLES_READ = ("outside", "entropy", "entropy_differences")
OF_TABLES = {"published": _table}
