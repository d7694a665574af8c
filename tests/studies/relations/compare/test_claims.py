"""What remains of the significant differences, counted by hand."""

import polars as pl
from relprobe.core.study import study_of
from relprobe.studies.relations.analyses.significance import CLAIMS, claims
from relprobe.studies.relations.schemas import TESTS

MODELS = {"a": {"type": "causal"}, "b": {"type": "masked"}, "c": {"type": "causal", "way": "shots 3"}}


def compared(*rows, **columns):
    """Return TESTS from (metric, relation, k, agent_a, agent_b, difference, paper_effect, p, paper_p)."""
    names = ["metric", "relation", "k", "agent_a", "agent_b", "difference", "paper_effect", "p", "paper_p"]
    table = pl.DataFrame(rows, schema={name: TESTS[name] for name in names}, orient="row")
    table = table.with_columns(**{name: pl.lit(value) for name, value in columns.items()})
    return pl.concat([pl.DataFrame(schema=TESTS), table], how="diagonal")


def counts(table):
    assert table.schema == CLAIMS
    return table.drop("claim").rows()


def test_a_figure_counts_what_survives_and_names_what_does_not():
    rows = compared(
        ("soundness", "HYP", None, "a", "b", 0.2, 0.4, 0.01, 0.001),  # survives
        ("soundness", "MER", None, "a", "b", 0.1, 0.2, 0.20, 0.001),  # lost
        ("soundness", "ANT", None, "a", "b", -0.1, 0.2, 0.01, 0.001),  # lost: the other sign
        ("soundness", "SYN", None, "a", "b", 0.1, 0.2, 0.01, 0.060),  # new
        ("soundness", "HPO", None, "a", "b", -0.1, 0.0, 0.01, 0.001),  # survives: the effect has no sign,
        ("soundness", "HOL", None, "a", "b", -0.1, None, 0.01, 0.001),  # or is missing
        ("symmetry", "ANT", 5, "a", "b", 0.0, None, 1.0, None),
        ("symmetry", "ANT", 2, "a", "b", 0.2, 0.4, 0.01, 0.001),  # in no figure of the paper
    )
    table = claims(rows, {}, MODELS)
    assert counts(table) == [
        ("Figure 4", 6, 6, 5, 3, 3, 1, "3 of 5 survive", "MER a–b, ANT a–b"),
        ("Figure 6a", 1, 0, 0, 0, 0, 0, "no test in the paper's way", ""),
    ]
    assert table["claim"].to_list() == ["soundness: a and b differ", "symmetry@5: a and b differ"]


def test_the_papers_own_comparison_of_people_with_each_model_comes_first():
    rows = compared(
        ("completeness", "HYP", None, "a", "b", 0.2, 0.4, 0.01, 0.001),
        ("soundness", "HYP", None, "humans", "a", 0.7, 0.5, 0.03, 0.0),
        ("soundness", "HYP", None, "b", "humans", -0.7, -0.5, 0.02, 0.0),
        ("soundness", "HYP", None, "annotator", "a", 0.5, 0.5, 0.001, None),  # the paper has no single annotator,
        ("soundness", "HYP", None, "annotator", "humans", 0.2, 0.5, 0.001, 0.0),
        ("soundness", "HYP", None, "majority", "humans", 0.2, 0.5, 0.001, 0.0),  # and no controls
        ("soundness", "HYP", None, "majority", "a", 0.2, 0.5, 0.001, 0.0),
    ).with_columns(family=pl.lit("controls"), p_holm=pl.lit(1.0))
    table = claims(rows, {}, MODELS)
    # Holm's adjustment is over the two pairs of the claim, not over the family of the tests: 2 x 0.02, 0.03.
    assert counts(table) == [
        ("Figure 4", 2, 2, 2, 2, 2, 0, "survives", ""),
        ("Figure 5", 1, 1, 1, 1, 1, 0, "survives", ""),
    ]
    assert table["claim"][0] == "soundness: people differ from each of a and b"


def test_the_adjustment_is_over_the_pairs_of_a_claim():
    rows = compared(
        ("soundness", "HYP", None, "humans", "a", 0.7, 0.5, 0.03, 0.0),
        ("soundness", "HYP", None, "humans", "b", 0.7, 0.5, 0.03, 0.0),  # 2 x 0.03
        ("soundness", "HPO", None, "humans", "b", 0.7, 0.5, 0.03, 0.0),  # alone
    )
    assert counts(claims(rows, {}, MODELS)) == [("Figure 4", 3, 3, 3, 3, 1, 0, "survives", "")]


def test_the_ways_of_asking_one_model_are_not_further_models():
    rows = compared(
        ("soundness", "HYP", None, "a", "b", 0.2, 0.4, 0.01, 0.001),
        ("soundness", "HYP", None, "a", "c", 0.2, 0.4, 0.01, 0.001),
        ("soundness", "HYP", None, "humans", "c", 0.2, 0.4, 0.01, 0.001),
    )
    assert [row[:2] for row in counts(claims(rows, {}, MODELS))] == [("Figure 4", 1)]
    chat = {"b": {"type": "masked"}, **{name: {"type": "causal", "way": "chat true"} for name in "ac"}}
    table = claims(rows, {}, chat)
    assert table["claim"].to_list() == [
        "soundness: people differ from each of a and c (chat true)",
        "soundness: a and c (chat true) differ",
    ]
    assert table["pairs"].to_list() == [1, 1]


def test_many_models_are_counted_and_not_named():
    models = {name: {"type": "causal"} for name in "abcd"}
    rows = compared(("soundness", "HYP", None, "a", "b", 0.2, 0.4, 0.01, 0.001))
    assert claims(rows, {}, models)["claim"].to_list() == ["soundness: 4 models differ"]


def test_a_test_that_the_paper_has_is_not_said_to_be_missing_in_the_paper():
    rows = [("soundness", "HYP", None, "humans", "a", 0.2, None, 0.01, None)]
    table = claims(compared(*rows, paper_note="not testable: values other than 0 and 1"), {}, MODELS)
    said = "no test in the paper's way: values other than 0 and 1"
    assert counts(table) == [("Figure 4", 1, 0, 0, 0, 0, 1, said, "")]
    rows = [("audc", None, None, "a", "b", 2.0, None, 0.01, None)]
    table = claims(compared(*rows, paper_note="no test is known for AuDC (section 7.3)"), {}, MODELS)
    said = "no test in the paper's way: no test is known for AuDC (section 7.3)"
    assert counts(table) == [("Figure 8", 1, 0, 0, 0, 0, 1, said, "")]


def test_tables_of_comparisons_are_counted():
    entropies = pl.DataFrame(
        [("HYP", "ANT", 0.01, 0.02, 0.001), ("HYP", "SYN", 0.5, 0.9, 0.04)],
        schema=["relation", "versus", "p", "p_holm", "paper_p"],
        orient="row",
    )
    best = pl.DataFrame(
        [("soundness", "HYP", "bare", 0.01), ("soundness", "HYP", "shots 3", 0.01), ("audc", None, "bare", 0.01)],
        schema=["metric", "relation", "way", "p"],
        orient="row",
    ).with_columns(p_holm="p", paper_p="p", difference=1.0, paper_effect=0.5)
    variances = pl.DataFrame(
        [("soundness", "HYP", agent, 0.2, 0.2, 0.01) for agent in ("a", "c", "humans", "annotator")],
        schema=["metric", "relation", "agent", "p", "p_holm", "paper_p"],
        orient="row",
    )
    tables = {"entropy_differences": entropies, "best_by_type": best, "prompt_variance": variances}
    assert counts(claims(compared(), tables, MODELS)) == [
        ("Figure 2", 2, 2, 2, 1, 1, 0, "1 of 2 survive", "HYP–SYN"),
        ("Table 7", 1, 1, 1, 1, 1, 0, "survives", ""),
        ("Table F4", 2, 2, 2, 0, 0, 0, "does not survive", "soundness HYP a, soundness HYP humans"),
    ]


def test_a_run_without_models_has_no_claims():
    assert claims(compared(), {}, {}).is_empty()


def test_the_study_says_who_is_right_who_heeds_relation_and_target_and_who_uses_the_relation():
    """Near words tell nothing of the pair, so that the last is said beside the control `nearest` alone."""
    right, depends, uses = study_of("relations").claims
    assert (right.metric, right.verb, right.unit) == ("soundness", "gives a right first answer to", "probes")
    assert right.family == "the primary test of the study, adjusted over nothing"
    assert right.rule.startswith("p is the largest of those beside each control,")
    assert (right.column, right.each, right.sample) == ("relation", "relations", "targets")
    assert right.test == "targets with a common relatum are linked, and prompts are a sample"
    assert depends.verb == "answers by the relation and the target together"
    assert depends.rule == "p is that of the contrast, which is 0 for agents that have seen no relatum"
    assert uses.verb == "uses the relation that it is asked for"
    assert uses.rule == "p is the largest of that of the contrast and those beside each control"
    for claim in (depends, uses):
        assert (claim.metric, claim.unit, claim.column) == ("contrast", "", "relation")
        assert claim.family == "the agent's own tests under all pairs of relations"
    assert (right.needs, depends.needs, uses.needs) == ((), (), ("nearest",))
