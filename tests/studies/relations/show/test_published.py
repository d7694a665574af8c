"""The papers' figures and ours have the same names."""

import itertools

import polars as pl
from relprobe.studies.relations.published import ALL, MODEL_FAMILIES
from relprobe.studies.relations.schemas import PROBES, TUPLES
from relprobe.studies.relations.tables import study_counts

from tests.studies.relations.compare.test_figures import (
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
AMONG = [f"{one}_{other}" for other in ("opt", "llama") for one in ("bert", "albert", "roberta")]
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
        **vocabularies(**MASKED, **dict.fromkeys(AMONG, 0.5)),
        "entropy_differences": pl.DataFrame(
            [(r, s, 0.01, 9) for r, s in itertools.combinations(relations, 2)],
            schema=["relation", "versus", "paper_p", "responses"],
            orient="row",
        ),
        "frequency_medians": compared(
            "median",
            {
                "metric": ["soundness", "completeness", "symmetry", "asymmetry", "prototypicality"],
                "relation": relations,
            },
            0.1,
        ),
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
    text = [
        {
            "agent": agent,
            "metric": metric,
            "relation": relation,
            "k": 5 if metric == "asymmetry" else None,
            "value": 0.5,
        }
        for agent in ("humans", "opt-125m")
        for metric in ("soundness", "completeness", "asymmetry", "prototypicality")
        for relation in relations
    ]
    text += [{"agent": "opt-125m", "metric": "audc_printed", "value": 9.0}]
    text += [
        {"agent": agent, "metric": "distinguishability", "relation": r, "versus": s, "value": 0.5}
        for agent in ("humans", "opt-125m")
        for r, s in itertools.permutations(relations, 2)
    ]
    result = found(text, values=values, tables=tables, models=ALL)
    averages = ["soundness", "completeness", "symmetry@5", "prototypicality", "AuDC"]
    # The first words of Table 5 are those of each agent (compare/published/test_text.py).
    printed = PRINTED.filter(~pl.col("quantity").is_in(averages), pl.col("where") != "Table 5")
    by_relation = printed["quantity"].str.starts_with("tuples before augmentation: ")  # of the relations of tuples
    assert printed.filter(by_relation).height == 6
    printed = printed.filter(~by_relation)
    assert set(printed.select("quantity", "condition", "agent").rows()) <= set(result)
    assert printed.height > 300
