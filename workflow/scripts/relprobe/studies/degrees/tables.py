"""The tables of the study: Table 3 of the paper for every agent, with people and the paper's systems below, and the data."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.report.published import Published
from relprobe.stats import with_holm
from relprobe.stats.controls import beyond_controls
from relprobe.stats.notes import join_note_columns
from relprobe.stats.schemas import Averages
from relprobe.studies.degrees.ceiling import mean_ceiling
from relprobe.studies.degrees.conditions import TEST
from relprobe.studies.degrees.measures import COUNTED
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.schemas import Ceilings, Gold, Questions

HERE, PAPER, PEOPLE = "this run", "the paper", "people"
KEY = ["agent", "from"]
LEVELS = (0.05, 0.01)
UNCORRECTED, CORRECTED = "subcategories where an agent has p < {}", "subcategories where an agent has p_holm < {}"
ALONE, ALL_PAIRS = ", without reversals", ", all pairs"
"""Endings of the quantities that are counted on other pairs than the paper's figure and ours beside it."""
CEILING_ROWS = {"ceiling": "noise ceiling", "split_half": "half of the people"}
"""Column of CEILING -> the name of its row in a table of rho."""
QUANTITIES = {
    "rho": "Spearman's rho",
    "significant_05": "subcategories with p < 0.05",
    "significant_01": "subcategories with p < 0.01",
    "maxdiff": "MaxDiff accuracy",
    "rho_without_reversals": "Spearman's rho without reversals",
    "reversal_rmse": "RMSE of reversals",
}
"""Metric -> what the published figures call it."""


def overview(averages: Averages, published: Published, ceilings: Ceilings, order: Sequence[str]) -> pl.DataFrame:
    """Return Table 3: rho, the number of subcategories where it is significant, and MaxDiff accuracy.

    Each of them stands with and without the reversed pairs. Below the agents stand people and the paper's systems.
    """
    names = ["rho", "significant_05", "significant_01", "maxdiff"]
    test = averages.filter(condition=TEST)
    headlines = [name + pairs for name in ("rho", "maxdiff") for pairs in ("", WITHOUT)]
    bounds = test.filter(pl.col("metric").is_in(headlines))
    ours = wide(test, "metric", "value")
    for part in (wide(bounds, "metric", "low", "_low"), wide(bounds, "metric", "high", "_high"), _rho_counts(test)):
        ours = ours.join(part, on="agent", how="left", maintain_order="left")
    with_bounds = {name: [name, f"{name}_low", f"{name}_high"] for name in headlines}
    columns = [*with_bounds["rho"], *with_bounds[f"rho{WITHOUT}"]]
    columns += [name + pairs for name in COUNTED for pairs in ("", WITHOUT)]
    columns += [*with_bounds["maxdiff"], *with_bounds[f"maxdiff{WITHOUT}"], "least", "most"]
    columns += ["subcategories", "own_subcategories", "rated", "note"]
    paper = paper_rows(published.filter(pl.col("condition").is_null()), names)
    table = stack({HERE: select_columns(ours, columns), PEOPLE: _people(ceilings, order), PAPER: paper})
    counts = pl.col(f"^(significant|negative)_0.({WITHOUT})?$")
    return table.with_columns(counts.round().cast(pl.UInt32))


def _people(ceilings: Ceilings, order: Sequence[str]) -> pl.DataFrame:
    """Return the rows of Table 3 that say how well people agree: the noise ceiling, half of the people, and one person."""
    with_reversals, without = (mean_ceiling(ceilings, order, reversals=reversals) for reversals in (True, False))
    rows: list[dict[str, object]] = [
        {"agent": name, "rho": with_reversals[column], f"rho{WITHOUT}": without[column]}
        for column, name in CEILING_ROWS.items()
    ]
    choices = {"maxdiff": with_reversals["annotator_maxdiff"], f"maxdiff{WITHOUT}": without["annotator_maxdiff"]}
    numbers = ["rho", f"rho{WITHOUT}", *choices]
    schema = {"agent": pl.String(), **dict.fromkeys(numbers, pl.Float64())}
    return pl.DataFrame([*rows, {"agent": "one person", **choices}], schema=schema)


def _rho_counts(test: pl.DataFrame) -> pl.DataFrame:
    """Return the number of subcategories behind rho: agent, subcategories, own_subcategories, note.

    The note says how many subcategories have no rho, and how many have equal ratings, whose rho is 0.
    """
    counted = test.filter(metric="rated").select("agent", all="answered")
    rho = test.filter(metric="rho").select("agent", "answered", subcategories="units", own_subcategories="own_units")
    counts = counted.join(rho, on="agent", how="left", maintain_order="left").with_columns(
        pl.col("subcategories", "answered").fill_null(0)
    )
    missing = pl.col("all") - pl.col("answered")
    equal = test.filter(metric="constant").select(
        "agent", equal=(pl.col("value") * pl.col("units")).round().cast(pl.UInt32)
    )
    none = _subcategories_have(missing, "no rho: fewer than three pairs rated, or equal gold ratings")
    zero = _subcategories_have(pl.col("equal"), "equal ratings, which is a rho of 0")
    notes = [pl.when(missing > 0).then(none), pl.when(pl.col("equal") > 0).then(zero)]
    joined = counts.join(equal, on="agent", how="left", maintain_order="left").with_columns(
        note=join_note_columns(*notes)
    )
    return joined.select("agent", "subcategories", "own_subcategories", "note")


def _subcategories_have(number: pl.Expr, what: str) -> pl.Expr:
    """Return a sentence such as "2 subcategories have no rho" or "1 subcategory has no rho"."""
    subject = pl.when(number == 1).then(pl.lit("subcategory has")).otherwise(pl.lit("subcategories have"))
    return pl.format(f"{{}} {{}} {what}", number, subject)


def subcategories(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return rho, p and MaxDiff accuracy of every agent on every subcategory."""
    names = ["rho", "p", f"rho{WITHOUT}", f"p{WITHOUT}", "maxdiff", f"maxdiff{WITHOUT}"]
    parts = []
    for agent, table in values.items():
        rows = table.filter(pl.col("metric").is_in(names), pl.col("condition") != TEST)
        wide = rows.pivot("metric", index=["unit", "condition"], values="value", maintain_order=True)
        keys = [pl.lit(agent).alias("agent"), pl.col("unit").alias("subcategory"), pl.col("condition")]
        parts.append(wide.select(*keys, *_or_null(names, wide)))
    return pl.concat(parts)


def data(gold: Gold, questions: Questions) -> pl.DataFrame:
    """Return the size of the data (section 3); own ratings have no questions."""
    examples = gold.filter(pl.col("reverses").is_null()).group_by("subcategory").len()["len"]
    per_question = questions.group_by("subcategory").agg(ordered_mean("answers"))["answers"]
    kinds = gold.unique(["subcategory", "training"])
    rows = {
        "subcategories": kinds.height,
        "training subcategories": kinds["training"].sum(),
        "pairs": gold.height,
        "reversed pairs": gold["reverses"].count(),
        "pairs per subcategory without reversals, median": examples.median(),
        "pairs per subcategory without reversals, least": examples.min(),
        "pairs per subcategory without reversals, most": examples.max(),
        "MaxDiff questions": questions.height,
        "answers": questions["answers"].sum(),
        "answers per question": questions["answers"].mean(),
        "answers per question, least of a subcategory": per_question.min(),
    }
    sizes = {name: float(value) for name, value in rows.items() if value is not None}  # type: ignore[arg-type]
    return pl.DataFrame({"quantity": list(sizes), "value": list(sizes.values())})


def significance(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return in how many test subcategories an agent other than random has a significant rho (section 5).

    The paper takes the least p of all agents, which is below 0.05 in 46 % of subcategories if twelve independent agents rate
    at random. Beside it stands the least p after Holm's adjustment over the agents. Both stand with and without the reversed
    pairs; a pair and its reversal are not independent.
    """
    agents = {agent: table.filter(condition=TEST) for agent, table in values.items() if agent != "random"}
    agents = {agent: table for agent, table in agents.items() if "p" in set(table["metric"])}
    rows: list[dict[str, object]] = []
    counts = (
        (UNCORRECTED, "p", False, "the paper's count: the least p of {} agents"),
        (UNCORRECTED + ALONE, f"p{WITHOUT}", False, "the least p of {} agents"),
        (CORRECTED + ALL_PAIRS, "p", True, "Holm's adjustment over {} agents"),
        (CORRECTED, f"p{WITHOUT}", True, "Holm's adjustment over {} agents, pairs without reversals"),
    )
    for name, metric, adjusted, note in counts if agents else ():
        agent_values = pl.concat([table.filter(metric=metric) for table in agents.values()])
        agent_values = with_holm(agent_values, ["unit"], "value") if adjusted else agent_values
        least = agent_values.group_by("unit").agg(p=pl.col("value_holm" if adjusted else "value").min())
        rows += [
            {
                "quantity": name.format(level),
                "value": float(least.filter(pl.col("p") < level).height),
                "note": note.format(len(agents)),
            }
            for level in LEVELS
        ]
    return pl.DataFrame(rows, schema={"quantity": pl.String(), "value": pl.Float64(), "note": pl.String()})


def wide(rows: pl.DataFrame, on: str, values: str, suffix: str = "") -> pl.DataFrame:
    """Return a row per agent, and a column per value of `on`, whose name ends in `suffix`."""
    table = rows.pivot(on, index="agent", values=values, maintain_order=True)
    return table.rename(lambda name: name if name == "agent" else name + suffix)


def paper_rows(published: Published, names: Iterable[str]) -> pl.DataFrame:
    """Return the paper's systems, a column per metric."""
    metrics = {QUANTITIES[name]: name for name in names}
    rows = published.filter(pl.col("quantity").is_in(list(metrics))).unique(
        ["agent", "quantity"], keep="first", maintain_order=True
    )
    table = rows.with_columns(pl.col("quantity").replace(metrics))
    return table.pivot("quantity", index="agent", values="value", maintain_order=True)


def select_columns(table: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return the agents and some columns of a table; those that it lacks are empty."""
    return table.select("agent", *_or_null(names, table))


def _or_null(names: Sequence[str], table: pl.DataFrame) -> list[pl.Expr]:
    return [pl.col(n) if n in table.columns else pl.lit(None, pl.Float64).alias(n) for n in names]


def stack(parts: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Put tables below each other; the column `from` holds their names."""
    table = pl.concat(
        [part.with_columns(pl.lit(name).alias("from")) for name, part in parts.items()], how="diagonal_relaxed"
    )
    return table.select(*KEY, pl.exclude(KEY))


def _overview(results: Results) -> pl.DataFrame:
    return overview(results.averages, results.paper_figures(), results.ceiling, results.classes())


def data_table(results: Results) -> pl.DataFrame:
    """Return the size of the data, and in how many test subcategories some agent has a significant rho."""
    return pl.concat([data(results.gold, results.questions), significance(results.values())], how="diagonal")


TABLES: dict[str, Callable[[Results], pl.DataFrame]] = {
    "overview": _overview,
    "controls": lambda results: beyond_controls(results.tests, results.controls or []),
    "ceiling": lambda results: results.ceiling,
    "tests": lambda results: results.tests,
    "data": data_table,
    "subcategories": lambda results: subcategories(results.values()),
}
"""Name -> the table of the page; the other ones are those of analyses."""
