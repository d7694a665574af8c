"""The papers' figures and ours have the same names."""

import polars as pl
from relprobe.studies.relations.compare.published import ALL, MODEL_FAMILIES
from relprobe.studies.relations.schemas import PROBES, TUPLES
from relprobe.studies.relations.show.data_tables import study_counts

from tests.studies.relations.compare.test_published import (
    MASKED,
    OUTSIDE,
    PRINTED,
    RELATED,
    all_relations,
    found,
    vocabularies,
    with_units,
)

ENTROPY = [
    "entropy_0",
    "entropy_0_share",
    "entropy_1",
    "words",
    "mean_without_zeros",
    "answered_words",
    "different_words",
]
COUNTS = ["prompts", "targets", "probes", "before_mean", "before_sd", "after_mean", "after_sd"]
NO_TUPLES = pl.DataFrame(schema=TUPLES)


def compared(columns, keys, value):
    """Return a table with a row for each combination of its keys, valued `value`."""
    frame = pl.DataFrame({"one": [1]})
    for name, values in keys.items():
        frame = frame.join(pl.DataFrame({name: values}), how="cross")
    return with_units(frame.drop("one").with_columns(pl.lit(value).alias(columns)))


def test_every_printed_figure_is_one_of_ours():
    """Given the paper's models and the humans; but for averages, whose names are those of the table."""
    metrics = ["soundness", "completeness", "[as/s]ymmetry", "prototypicality"]
    relations = ["HYP", "HPO", "HOL", "MER", "ANT", "SYN"]
    families = list(MODEL_FAMILIES)
    area = {"metric": ["audc"], "relation": pl.Series([None], dtype=pl.String)}
    tables = {
        "data": all_relations(COUNTS),
        "entropy": all_relations([*ENTROPY, "responses"]),
        "counts": study_counts(
            *[NO_TUPLES] * 3, pl.DataFrame({"word": ["bird"]}), pl.DataFrame(schema=PROBES)
        ).fill_null(1.0),
        "outside": all_relations(OUTSIDE),
        **vocabularies(**MASKED, bert_opt=0.5, albert_opt=0.3, roberta_opt=1.0),
        "size_averages": compared(
            "difference", {"family": families, "metric": metrics, "average": ["micro", "macro"]}, 1.0
        ),
        "unequal_prompts": compared("total", {"metric": metrics, "relation": relations}, 1.0),
    }
    tables |= {
        name: pl.concat(
            [
                compared(column, {**keys, "metric": metrics, "relation": relations}, 1.0),
                compared(column, keys | area, 1.0),
            ]
        )
        for name, column, keys in (
            ("size_differences", "difference", {"family": families}),
            ("size_reversals", "smaller_wins", {"family": families}),
            ("best_by_type", "difference", {}),
            ("wins_by_type", "masked_wins", {}),
        )
    }
    gold = [{"metric": "prototypicality", "relation": name, "value": 1.0} for name in ("HYP", "HOL", "ANT", "SYN")]
    values = {"humans": RELATED + gold, "roberta-large": RELATED}
    result = found(values=values, tables=tables, models=ALL)
    averages = ["soundness", "completeness", "symmetry@5", "prototypicality", "AuDC"]
    printed = PRINTED.filter(~pl.col("quantity").is_in(averages))
    assert set(printed.select("quantity", "condition", "agent").rows()) <= set(result)
    assert printed.height > 300
