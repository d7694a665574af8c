"""What the paper reports, beside this run."""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import polars as pl

from relprobe.core.files import Parquet, ShownTable
from relprobe.core.sums import ordered_mean
from relprobe.core.ways import BARE
from relprobe.report.published import OURS, Published, average_values, compare_published, figures
from relprobe.stats import with_holm
from relprobe.studies.relations.measure.measures import AUDC, AUDC_PRINTED
from relprobe.studies.relations.measure.metrics import MEASURES
from relprobe.studies.relations.schemas import Averages, Metrics

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
    whole = pl.lit(None, pl.String)
    mean = people.group_by("agent").agg(ordered_mean("ours")).with_columns(quantity=pl.lit(quantity), condition=whole)
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
    return compare_published(with_reasons(published, panel or [], tuples), pl.concat([here, *ranks]))


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


CLAIMS = pl.Schema(
    {
        "where": pl.String(),  # in the paper
        "claim": pl.String(),
        "pairs": pl.UInt32(),  # that are compared
        "tests": pl.UInt32(),  # that can be computed in both ways
        "paper": pl.UInt32(),  # of these tests: p < 0.05 by the paper's test, not adjusted
        "survives": pl.UInt32(),  # of these: p < 0.05 over clusters, with a difference of the same sign
        "survives_holm": pl.UInt32(),  # of these: also after Holm's adjustment over the pairs of one metric, relation and k
        "new": pl.UInt32(),  # significant over clusters alone
        "verdict": pl.String(),
        "lost": pl.String(),  # the differences that do not survive
    }
)
FIGURES = {
    "soundness": "Figure 4",
    "completeness": "Figure 5",
    "symmetry@5": "Figure 6a",
    "asymmetry@5": "Figure 6b",
    "symmetry@1": "Figure B1",
    "asymmetry@1": "Figure B1",
    "symmetry@10": "Figure B2",
    "asymmetry@10": "Figure B2",
    "prototypicality": "Figure 7",
    AUDC.name: "Figure 8",
}
"""The metric, with its cut-off, behind a figure. The paper tests all but AuDC, the binary ones by McNemar's test."""
NAMED = 3
"""Up to this number, a claim names its models."""
PEOPLE = "humans"
"""The agent that the paper compares its models with: the answers of all people together."""


def claims(tests: pl.DataFrame, comparisons: Mapping[str, pl.DataFrame], models: Mapping[str, Any]) -> pl.DataFrame:
    """Return the paper's claims of significance, and what remains of them on the agents of this run (CLAIMS).

    First comes the paper's own comparison, people together (PEOPLE) and each model; then the models with each other.
    `comparisons`: by name, the tables best_by_type, prompt_variance and entropy_differences that the run has.
    `models`: the entries of the models. One model that is asked in three ways is not three models: only those count that are
    asked in the way of most, and in the first of equally common ways.
    """
    ways = Counter(entry.get("way", BARE) for entry in models.values())
    way = next((name for name, _ in ways.most_common(1)), BARE)
    agents = [agent for agent, entry in models.items() if entry.get("way", BARE) == way]
    rows = [*_agent_claims(tests, agents, way), *_table_claims(comparisons, agents, way)]
    return pl.DataFrame(rows, schema=CLAIMS)


def _agent_claims(tests: pl.DataFrame, agents: Sequence[str], way: str) -> Iterator[dict[str, Any]]:
    """Yield a row per figure for people with each model, and then for the models with each other."""
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    what = pl.format("{} {}–{}", pl.col("relation").fill_null(""), "agent_a", "agent_b").str.strip_chars()
    rows = tests.with_columns(name=name, what=what, same=_same_sign())
    a, b = (pl.col(column).is_in(agents) for column in ("agent_a", "agent_b"))
    people = ((pl.col("agent_a") == PEOPLE) & b) | ((pl.col("agent_b") == PEOPLE) & a)
    asked = "" if way == BARE else f" ({way})"
    whom = f"{' and '.join(agents)}{asked}" if len(agents) <= NAMED else f"{len(agents)} models{asked}"
    for pairs, claim in ((people, f"people differ from each of {whom}"), (a & b, f"{whom} differ")):
        of_pairs = with_holm(rows.filter(pairs), ["metric", "relation", "k"])
        for metric, where in FIGURES.items():
            of_claim = of_pairs.filter(name=metric)
            if of_claim.height:
                yield _row(where, f"{metric}: {claim}", of_claim)


def _same_sign() -> pl.Expr:
    """Say whether the paper's effect has the sign of the difference; where one is 0 or missing, it does."""
    product = pl.col("difference") * pl.col("paper_effect").fill_null(0.0)
    return (product >= 0).fill_null(value=True)


def _table_claims(tables: Mapping[str, pl.DataFrame], agents: Sequence[str], way: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of the claims that are no dotted lines."""
    true = pl.lit(True).alias("same")
    if "entropy_differences" in tables:
        pairs = tables["entropy_differences"].with_columns(true, what=pl.format("{}–{}", "relation", "versus"))
        yield _row("Figure 2", "the relations differ in the entropy of the answers", pairs)
    if "best_by_type" in tables:
        best = tables["best_by_type"].filter(pl.col("metric") != AUDC.name, way=way)
        named = best.with_columns(_same_sign().alias("same"), what=pl.format("{} {}", "metric", "relation"))
        if named.height:
            yield _row("Table 7", "the best masked and the best causal model differ", named)
    if "prompt_variance" in tables:
        variances = tables["prompt_variance"].filter(pl.col("agent").is_in([PEOPLE, *agents]))
        name = pl.format("{} {} {}", "metric", "relation", "agent")
        yield _row("Table F4", "the variance differs between prompts", variances.with_columns(true, what=name))


def _row(where: str, claim: str, rows: pl.DataFrame) -> dict[str, Any]:
    """Count the tests of a claim. `rows` have what, same, p, p_holm and paper_p."""
    significant = (pl.col("p") < ALPHA).fill_null(value=False)
    paper = (pl.col("paper_p") < ALPHA).fill_null(value=False)
    survives = paper & significant & pl.col("same")
    holds = survives & (pl.col("p_holm") < ALPHA)
    lost = rows.filter(paper & ~survives)["what"].to_list()
    counts = rows.select(
        pairs=pl.len(),
        tests=(pl.col("p").is_not_null() & pl.col("paper_p").is_not_null()).sum(),
        paper=paper.sum(),
        survives=survives.sum(),
        survives_holm=holds.sum(),
        new=(significant & ~paper).sum(),
    ).row(0, named=True)
    return {
        "where": where,
        "claim": claim,
        **counts,
        "verdict": _verdict(counts, _reason(rows)),
        "lost": ", ".join(lost),
    }


def _reason(rows: pl.DataFrame) -> str:
    """Return the commonest reason why the paper's test is missing, "" if none is known."""
    column = next((name for name in ("paper_note", "note") if name in rows.columns), None)
    reasons = Counter([] if column is None else rows[column].drop_nulls().to_list())
    return next((str(reason).removeprefix("not testable: ") for reason, _ in reasons.most_common(1)), "")


def _verdict(counts: Mapping[str, int], reason: str) -> str:
    """Say in words what remains of a claim. `reason`: why the paper's test is missing, where it is.

    >>> _verdict({"tests": 9, "paper": 5, "survives": 3}, "")
    '3 of 5 survive'
    >>> _verdict({"tests": 0, "paper": 0, "survives": 0}, "values other than 0 and 1")
    "no test in the paper's way: values other than 0 and 1"
    """
    if counts["tests"] == 0:
        return ": ".join(filter(None, ["no test in the paper's way", reason]))
    if counts["paper"] == 0:
        return "nothing is significant in the paper's way"
    if counts["survives"] == counts["paper"]:
        return "survives"
    return f"{counts['survives']} of {counts['paper']} survive" if counts["survives"] else "does not survive"
