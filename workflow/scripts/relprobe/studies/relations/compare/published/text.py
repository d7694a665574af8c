"""What the paper says in its text and in Table 5, as this run has it: bounds, the best of all models, first words."""

from collections.abc import Collection

import polars as pl

from relprobe.report.published import figures

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


def of_text(means: pl.DataFrame, models: Collection[str]) -> list[pl.DataFrame]:
    """Return people's mean but for antonymy and, in a run of all of the paper's models, the best of these (OURS).

    `means`: the averages by the paper's names of metrics (OURS).
    """
    quantity, metric, without = BUT_FOR
    people = means.filter(pl.col("condition") != without, quantity=metric, agent="humans")
    whole = pl.lit(None, pl.String)
    mean = people.group_by("agent").agg(pl.col("ours").mean()).with_columns(quantity=pl.lit(quantity), condition=whole)
    parts = [mean]
    if set(models) >= ALL:
        own = means.filter(pl.col("agent").is_in(list(ALL)))
        causal = own.filter(pl.col("agent").is_in(list(MODEL_FAMILIES["OPT"])), quantity="soundness")
        parts += [_extreme(own.filter(quantity=metric), f"largest {metric} of a model") for metric in LARGEST]
        parts += [_extreme(causal, CAUSAL), _extreme(own.filter(quantity="AuDC"), SMALLEST, smallest=True)]
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
    whole = ends.filter(pairs=PAIRS)
    people = whole.filter(agent="humans")
    none = pl.lit(None, pl.String)
    parts = [people.select("agent", quantity=pl.lit(FALLS), condition=none, ours="first")]
    parts.append(people.select("agent", quantity=pl.lit(ENDS), condition=none, ours="last"))
    if set(models) >= ALL:
        own = whole.filter(pl.col("agent").is_in(list(ALL)))
        largest = pl.col("last").max()
        parts.append(
            own.select(agent=none, quantity=pl.lit(f"largest {ENDS} of a model"), condition=none, ours=largest)
        )
    return [figures(part) for part in parts]


def symmetry_probes(data: pl.DataFrame) -> pl.DataFrame:
    """Return the number of probes of symmetry and asymmetry as the paper counts them (section 7).

    To all probes it adds those of each relation's prompts on all targets of its reverse. `data`: the table of that name.

    >>> rows = {"relation": ["HYP", "HPO", "ANT"], "prompts": [7, 4, 9], "targets": [10, 5, 2], "probes": [70, 20, 18]}
    >>> symmetry_probes(pl.DataFrame(rows))["ours"].item()  # 108, 7 times 5 and 4 times 10
    183.0
    """
    of = {row["relation"]: row for row in data.to_dicts()}
    tricks = [of[r]["prompts"] * of[s]["targets"] for r, s in REVERSES.items() if r in of and s in of]
    every = sum(row["probes"] for row in of.values()) + sum(tricks)
    row = {"quantity": "probes of symmetry and asymmetry", "condition": None, "agent": None, "ours": float(every)}
    return figures(pl.DataFrame([row]))


def entropies(differences: pl.DataFrame) -> pl.DataFrame:
    """Return which pairs of relations differ in the entropies of people's responses, by the paper's test (footnote 15).

    >>> pairs = pl.DataFrame({"relation": ["HYP"], "versus": ["ANT"], "paper_p": [0.01], "responses": [900]})
    >>> entropies(pairs).select("condition", "agent", "ours", "n").rows()
    [('HYP–ANT', 'humans', 1.0, 900)]
    """
    tested = differences.drop_nulls("paper_p")
    pair, differ = pl.format("{}–{}", "relation", "versus"), (pl.col("paper_p") < ALPHA).cast(pl.Float64)
    about = tested.select(
        quantity=pl.lit(ENTROPIES), condition=pair, agent=pl.lit("humans"), ours=differ, n="responses"
    )
    return figures(about.with_columns(units=pl.lit("responses")))


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
    about = {"quantity": pl.format(RANK, "word"), "condition": pl.lit("SYN"), "agent": pl.lit(agent)}
    return figures(rows.select(**about, ours="rank"))
