"""What remains of the paper's claims, counted by hand."""

import polars as pl
from relprobe.studies.relations.claims import CLAIMS, claims
from relprobe.studies.relations.schemas import TESTS


def compared(*rows):
    """Return TESTS from (metric, relation, k, agent_a, agent_b, family, difference, paper_effect, p, paper_p)."""
    names = ["metric", "relation", "k", "agent_a", "agent_b", "family", "difference", "paper_effect", "p", "paper_p"]
    table = pl.DataFrame(rows, schema={name: TESTS[name] for name in names}, orient="row")
    return pl.concat([pl.DataFrame(schema=TESTS), table.with_columns(p_holm=2 * pl.col("p"))], how="diagonal")


def counts(table):
    assert table.schema == CLAIMS
    return table.select("where", "tests", "paper", "survives", "survives_holm", "new", "verdict", "lost").rows()


def test_a_figure_counts_what_survives_and_names_what_does_not():
    rows = compared(
        ("soundness", "HYP", None, "a", "b", "models", 0.2, 0.4, 0.01, 0.001),  # survives, after Holm too
        ("soundness", "HPO", None, "a", "b", "models", 0.2, 0.4, 0.04, 0.001),  # survives, but not Holm
        ("soundness", "MER", None, "a", "b", "models", 0.1, 0.2, 0.20, 0.001),  # lost
        ("soundness", "ANT", None, "a", "b", "models", -0.1, 0.2, 0.01, 0.001),  # lost: the other sign
        ("soundness", "SYN", None, "a", "b", "models", 0.1, 0.2, 0.01, 0.060),  # new
        ("soundness", "HYP", None, "humans", "b", "people", 0.7, 0.5, 0.001, 0.0),
        ("symmetry", "ANT", 5, "a", "b", "models", 0.0, None, 1.0, None),
        ("symmetry", "ANT", 2, "a", "b", "models", 0.2, 0.4, 0.01, 0.001),  # in no figure of the paper
    )
    assert counts(claims(rows, {})) == [
        ("Figure 4", 5, 4, 2, 1, 1, "2 of 4 survive", "MER a–b, ANT a–b"),
        ("Figure 4", 1, 1, 1, 1, 0, "survives", ""),
        ("Figure 6a", 0, 0, 0, 0, 0, "no test can be computed", ""),
    ]


def test_audc_has_no_test_in_the_paper():
    rows = compared(("audc", None, None, "a", "b", "models", 2.0, None, 0.01, None))
    assert counts(claims(rows, {})) == [
        ("Figure 8", 0, 0, 0, 0, 1, "the paper has no test", ""),
    ]


def test_tables_of_comparisons_are_counted():
    entropies = pl.DataFrame(
        [("HYP", "ANT", 0.01, 0.02, 0.001), ("HYP", "SYN", 0.5, 0.9, 0.04)],
        schema=["relation", "versus", "p", "p_holm", "paper_p"],
        orient="row",
    )
    found = claims(compared(), {"entropy_differences": entropies})
    assert counts(found) == [("Figure 2", 2, 2, 1, 1, 0, "1 of 2 survive", "HYP–SYN")]
