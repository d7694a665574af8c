"""The paragraphs at the top of the studies' pages: they read the right numbers and tests of their tables."""

import polars as pl
import pytest
from relprobe.core.study import study_of
from relprobe.report.page_words import words_of
from relprobe.report.shown import page_of
from relprobe.report.study import sections
from relprobe.stats.schemas import CONTROLS, TESTS
from relprobe.studies.analogies.page import finding as finding_of_analogies
from relprobe.studies.definitions.page import _claims as claims_of_definitions
from relprobe.studies.degrees.page import RHO

from tests.facts import WHOLE, facts_by_study
from tests.studies.relations.compare.test_relation_used import use_rows

OVERVIEWS = {
    "relations": "relation,targets,soundness,own_targets",
    "definitions": "part_of_speech,W2D P@1,D2W P@1,own_groups",
    "systematicity": "set,singular,singular_plural,own_hyponyms",
    "analogies": "group,supervised reverse,unsupervised reverse,own_tuples",
    "pairs": "condition,ap,rho,own",
    "degrees": "from,rho,rho_without_reversals,subcategories",
}
"""Study -> the columns of its overview beside the agents."""
EMPTY = {
    "tests": "metric,relation,condition,k,agent_a,agent_b,difference,low,high,p_holm,p_holm_all",
    "relation_use": "agent,measure,relation,versus,targets,contrast,low,high,p_holm,beyond_p_holm",
    "controls": "agent,metric,relation,condition,k,control,control_value,difference,low,high,p_holm,p_holm_all",
    "relation_pairs": "relation,versus,targets,asked_for_both,counted",
    "data": "relation,name,prompts,candidate_targets,targets,targets_without_relata",
}


WORDS = {"agent", "agent_a", "agent_b", "control", "metric", "relation", "versus", "condition", "name"}
WORDS |= {"part_of_speech", "set", "group", "from", "measure"}


def saying(study):
    """What a headline says in sentences, in the order of the page."""
    return lambda tables, models: words_of(study).headline(tables, models).text


analogies_words, definitions_words = saying("analogies"), saying("definitions")
degrees_words = saying("degrees")
relations_words, systematicity_words = saying("relations"), saying("systematicity")


def empty(columns):
    kinds = {name: pl.String() if name in WORDS else pl.Float64() for name in columns}
    return pl.DataFrame(schema=kinds | ({"counted": pl.Boolean()} if "counted" in columns else {}))


def data(*rows):
    return pl.DataFrame(rows, schema=EMPTY["data"].split(","), orient="row")


def empty_tables(study):
    columns = {**EMPTY, "overview": f"agent,{facts_by_study([study], OVERVIEWS, __file__)[study]}"}
    if study == "pairs":
        columns["data"] = "condition,name,kind,pairs"
    return {name: empty(words.split(",")) for name, words in columns.items()}


def differences(*rows, column="condition"):
    names = ["metric", "condition", "agent_a", "agent_b", "difference", "low", "high", "p_holm_all"]
    table = pl.DataFrame(rows, schema={name: TESTS[name] for name in names}, orient="row")
    return table.rename({"condition": column})


def beyond(*rows, column="condition"):
    names = ["metric", "condition", "agent", "control", "control_value", "difference", "low", "high", "p_holm_all"]
    table = pl.DataFrame(rows, schema={name: CONTROLS[name] for name in names}, orient="row")
    table = table.with_columns(p_holm="p_holm_all")
    return table.rename({"condition": column})


def test_relations_stand_by_their_names():
    overview = [("HYP", "m", 0.3, False), ("ANT", "m", 0.5, False), ("HYP", "annotator", 0.7, False)]
    overview += [("ANT", "annotator", 0.9, False), ("HYP", "humans", 0.6, False), ("ANT", "humans", 0.8, False)]
    tables = {
        "overview": pl.DataFrame(
            overview, schema=["relation", "agent", "soundness", "own_targets"], orient="row"
        ).with_columns(targets=pl.when(relation="ANT").then(9).otherwise(10)),
        "relation_pairs": pl.DataFrame({"counted": [True, False]}),
        "tests": differences(("soundness", "HYP", "m", "annotator", -0.4, -0.5, -0.3, 0.01), column="relation"),
        "controls": beyond(
            ("soundness", "HYP", "m", "majority", 0.2, 0.1, 0.05, 0.15, 0.01),
            ("soundness", "ANT", "m", "neighbours", 0.2, 0.3, -0.1, 0.7, 0.5),
            ("soundness", "HYP", "annotator", "majority", 0.2, 0.5, 0.4, 0.6, 0.01),
            column="relation",
        ),
        "data": data(("HYP", "hypernymy", 7, 20, 10, 1), ("ANT", "antonymy", 9, 12, 10, 0)),
        "relation_use": use_rows(("m", 0.3, 0.01, "typical", 0.1, 0.01), nearest=True),
    }
    assert relations_words(tables, ["m"]) == (
        "m gives a right first answer to 40 of 100 probes on average, from 30 (hypernymy) to 50 (antonymy); one "
        "person to 80. "
        "m uses the relation that it is asked for (contrast for this target 0.30, 95 % interval 0.20 to 0.40; +0.20, 95 % "
        "interval 0.15 to 0.25, over its best control, typical). "
        "Few targets: antonymy has 9. What so few show may be chance. AuDC is over 1 of 2 pairs of relations. "
        "m is ahead of its best control in 1 of 2 relations (targets with a common relatum are linked, and prompts "
        "are a sample: "
        "p < 0.05 after Holm's adjustment over all relations): "
        "hypernymy over majority +0.10 (95 % interval 0.05 to 0.15). The data leave the others open. "
        "m is behind one person in this comparison (targets with a common relatum are linked, and prompts are a sample: "
        "p < 0.05 after Holm's adjustment over all relations): "
        "hypernymy −0.40 (95 % interval −0.50 to −0.30). "
        "All agents are averaged over the probes that people answered, in the relations that people answered; two models "
        "are compared on all probes that both have answered. "
        "m uses the relation that it is asked for: relata of a relation come earlier when it is asked for than when another "
        "one is, and more so than in its answers about other targets (contrast for this target 0.30, 95 % interval 0.20 to "
        "0.40, 40 targets, which count as 8.0 if all that share a relatum are alike; +0.20, 95 % interval 0.15 to "
        "0.25, over "
        "its best control, typical; p < 0.05). The plain contrast, which common relata "
        "have whatever the target is, is 0.50, 95 % interval 0.40 to 0.60, for m and 0.10 for its best control, typical."
    )


def test_relations_say_which_agent_has_no_value():
    overview = [("HYP", "m", 0.3, False), ("HYP", "list", None, None)]
    notes = [("list", "HYP", "no value, as …"), ("list", "ANT", "no value, as …"), ("other-list", "HYP", None)]
    tables = {
        "overview": pl.DataFrame(
            overview, schema=["relation", "agent", "soundness", "own_targets"], orient="row"
        ).with_columns(targets=10),
        "tests": differences(column="relation"),
        "controls": beyond(column="relation"),
        "data": data(("HYP", "hypernymy", 7, 10, 10, 0)),
        "relation_use": use_rows(("m", 0.1, 0.1, None, None, None)).clear(),
        "relation_pairs": pl.DataFrame({"counted": [True]}),
        "writing": pl.DataFrame(notes, schema=["agent", "relation", "note"], orient="row"),
    }
    said = relations_words(tables, ["m", "list"])
    assert said == "m gives a right first answer to 30 of 100 probes. list has no value, as …."


def test_controls_of_definitions_are_no_models_and_the_guess_is_named():
    agents = {"m": 0.4, "length": 0.5, "static": 0.3, "random": 0.2, "humans": 0.9}
    rows = [("noun", agent, value, 0.1, agent == "humans") for agent, value in agents.items()]
    columns = ["part_of_speech", "agent", "W2D P@1", "D2W P@1", "own_groups"]
    tables = {"overview": pl.DataFrame(rows, schema=columns, orient="row"), "tests": differences()}
    tables["controls"] = beyond(("W2D P@1", "noun", "m", "length", 0.5, -0.1, -0.3, 0.1, 0.4))
    assert definitions_words(tables, ["m"]).startswith(
        "The data do not show that m is ahead of its best control: it finds a word's definition in 40 of 100 tasks, and its "
        "best control, length, in 50; people in 90 of the tasks "
        "that they answered (guessing: 20 of 100 tasks). m finds a definition's word in 10 of 100 tasks;"
    )
    assert (
        "The data leave open whether m differs from its best control (sign "
        "flips over families: p ≥ 0.05 after Holm's adjustment over all parts of speech)."
    ) in definitions_words(tables, ["m"])


def test_systematicity_says_whether_the_plural_follows_the_singular():
    agents = {"m": (0.6, 0.5), "m+control": (0.1, 0.0), "majority": (0.2, 0.1)}
    rows = [("wordnet", agent, *values, False) for agent, values in agents.items()]
    columns = ["set", "agent", "singular", "singular_plural", "own_hyponyms"]
    about = {"set": "wordnet", "agent": "m", "both": 0.5, "singular_only": 0.1, "plural_only": 0.1, "neither": 0.3}
    about |= {"right_singulars": 60, "plural_if_singular": 5 / 6, "phi": 0.57, "phi_low": 0.4, "phi_high": 0.7}
    about |= {"plural_if_singular_low": 0.72, "plural_if_singular_high": 0.91}
    tables = {
        "overview": pl.DataFrame(rows, schema=columns, orient="row"),
        "tests": differences(("singular", "wordnet", "m", "majority", 0.4, 0.3, 0.5, 0.01)),
        "controls": beyond(
            ("singular", "wordnet", "m", "majority", 0.2, 0.4, 0.3, 0.5, 0.01),
            ("singular_plural", "wordnet", "m", "m+control", 0.1, 0.4, None, None, None),
        ),
        "consistency": pl.DataFrame([about]),
    }
    assert systematicity_words(tables, ["m"]) == (
        "m chooses the right category in the singular for 60 of 100 hyponyms, and its best control, majority, for 20. "
        "The data do not show that m is ahead of its best control: it chooses the right category in the singular and in the "
        "plural for 50 of 100 hyponyms, and its best control, m+control, for 10. "
        "m is ahead of its best control in this comparison (sign flips over categories: p < 0.05 after Holm's "
        "adjustment over all sets): "
        "over majority +0.40 (95 % interval 0.30 to 0.50). "
        "Of the 60 hyponyms that m has right in the singular, 83 of 100 are right in the plural (95 % interval 72 to 91); "
        "of the others, 25 of 100 are (phi 0.57, 95 % interval 0.40 to 0.70)."
    )


def consistent(*rows):
    """The table of consistency: agent, phi and the bounds of the share that is right in the plural, too."""
    shares = {"set": "wordnet", "both": 0.2, "singular_only": 0.0, "plural_only": 0.0, "neither": 0.8}
    shares |= {"right_singulars": 20, "plural_if_singular": 1.0, "phi_low": None, "phi_high": None}
    names = ("agent", "phi", "plural_if_singular_low", "plural_if_singular_high")
    return pl.DataFrame([shares | dict(zip(names, row, strict=True)) for row in rows], infer_schema_length=None)


def consistency_of_systematicity(*rows):
    overview = pl.DataFrame({"set": ["wordnet"], "agent": ["m"], "open@1": [0.5]})
    return systematicity_words(
        {**empty_tables("systematicity"), "overview": overview, "consistency": consistent(*rows)}, ["m"]
    )


def test_an_agent_that_names_one_category_is_no_more_consistent_than_its_control():
    """It is right in both numbers for all hyponyms of one category, and wrong for all others, so that its phi is 1."""
    said = consistency_of_systematicity(
        ("m", 1.0, 0.5, 1.0), ("majority", 1.0, None, None), ("n+control", 1.0, 0.5, 1.0)
    )
    assert said == (
        "Of the 20 hyponyms that m has right in the singular, 100 of 100 are right in the plural (95 % interval 50 to 100); "
        "of the others, 0 of 100 are (phi 1.00). That is no sign of knowledge by itself: the control majority, which does "
        "not know the answer, has phi 1.00."
    )
    assert "the control m+control, which" in consistency_of_systematicity(
        ("m", 0.3, 0.5, 1.0), ("m+control", 0.45, 0.5, 1.0), ("majority", 0.1, None, None)
    )


def test_hyponyms_of_one_category_have_a_consistency_without_an_interval():
    said = consistency_of_systematicity(("m", 1.0, None, None))
    assert "100 of 100 are right in the plural; of the others" in said


@pytest.mark.parametrize("study", WHOLE)
def test_a_study_without_answers_has_no_finding(study):
    own = words_of(study)
    assert own.finding is not None
    assert own.finding(empty_tables(study), ["m"]).text.startswith("No ")


def test_degrees_test_the_best_agent_against_its_best_control():
    columns = ["agent", "from", "rho", RHO, f"{RHO}_low", f"{RHO}_high", "subcategories"]
    rows = [("m schema", "this run", 0.45, 0.4, 0.3, 0.5, 69), ("m pmi", "this run", 0.6, 0.1, 0.0, 0.2, 69)]
    rows += [("static", "this run", 0.2, 0.2, 0.1, 0.3, 69), ("noise ceiling", "people", 0.82, None, None, None, None)]
    row = (RHO, "m", "m schema", "static", 0.2, 0.2, 0.1, 0.3, 0.001)
    tables = {
        "overview": pl.DataFrame(rows, schema=columns, orient="row"),
        "controls": beyond(row, (*row[:2], "m pmi", *row[3:])),
    }
    assert degrees_words(tables, ["m"]) == (
        "The ratings of m schema agree best with people's: Spearman's ρ without the reversed pairs, which show "
        "direction only, "
        "is 0.40 (95 % interval 0.30 to 0.50) on average over 69 subcategories. Its best control, static, reaches 0.20. m "
        "schema is ahead of its best control in this comparison (sign flips over subcategories: p < 0.05 after "
        "adjustment for "
        "the choice of the best of 2 raters): over static +0.20 (95 % interval 0.10 to "
        "0.30). With "
        "the reversed pairs it is 0.45. Ratings of all pairs without noise would reach 0.82, as people do not agree fully."
    )


def test_people_whose_agreement_cannot_be_computed_are_not_mentioned():
    columns = ["agent", "from", "rho", RHO, f"{RHO}_low", f"{RHO}_high", "subcategories"]
    rows = [("m schema", "this run", 0.45, 0.4, 0.3, 0.5, 69), ("noise ceiling", "people", *[None] * 5)]
    tables = {"overview": pl.DataFrame(rows, schema=columns, orient="row"), "controls": beyond().clear()}
    assert degrees_words(tables, ["m"]).endswith("With the reversed pairs it is 0.45.")


def test_ratings_that_a_control_may_match_are_not_praised():
    columns = ["agent", "from", "rho", RHO, f"{RHO}_low", f"{RHO}_high", "subcategories"]
    rows = [("m schema", "this run", 0.2, 0.2, 0.1, 0.3, 69), ("static", "this run", 0.2, 0.2, 0.1, 0.3, 69)]
    tables = {
        "overview": pl.DataFrame(rows, schema=columns, orient="row"),
        "controls": beyond((RHO, "m", "m schema", "static", 0.2, 0.0, -0.1, 0.1, 0.9)),
    }
    assert degrees_words(tables, ["m"]).startswith(
        "The data do not show that the ratings of m schema agree better with people's than its best control: Spearman's "
        "ρ without the reversed pairs"
    )


def rated_by(*rows, controls=()):
    """The tables of the degrees page: agent, rho with and without reversed pairs; `controls`: as of `beyond`."""
    columns = ["agent", "rho", RHO]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    bounds = {f"{RHO}_{end}": pl.lit(None, pl.Float64) for end in ("low", "high")}
    here = table.with_columns(**{"from": pl.lit("this run"), "subcategories": pl.lit(3), **bounds})
    paper = here.head(1).with_columns(**{"agent": pl.lit("m paper"), "from": pl.lit("the paper"), RHO: pl.lit(0.99)})
    return {
        "overview": pl.concat([here, paper]),
        "controls": beyond(*controls) if controls else empty_tables("degrees")["controls"],
    }


def test_degrees_go_by_the_best_rater_of_each_model_without_reversed_pairs():
    """The paper's systems, agents without a value and other models' raters are no agents of the page."""
    rows = [("m schema", 0.9, 0.1), ("n schema", 0.3, 0.4), ("m pmi", 0.5, 0.3), ("o schema", 0.9, None)]
    tables = rated_by(*rows, ("p schema", 0.9, 0.95))
    found = words_of("degrees").headline(tables, ["m", "n", "o"])
    assert found.text == (
        "The ratings of n schema agree best with people's: Spearman's ρ without the reversed pairs, which show direction "
        "only, is 0.40 on average over 3 subcategories. With the reversed pairs it is 0.30."
    )
    assert found.verdicts["agent"].to_list() == ["n schema", "m pmi"]
    finding = words_of("degrees").finding(tables, ["m", "n", "o"]).text
    assert "n schema" in finding
    assert "0.40" in finding
    assert words_of("degrees").headline(tables, ["o"]).text == "No model has rated the pairs of this study."
    assert words_of("degrees").finding(tables, ["o"]).text == "No model has rated the pairs of this study."


def test_a_rater_that_is_ahead_of_one_of_its_controls_is_praised_and_each_control_has_its_value():
    row = (RHO, "m", "m schema", "static", 0.2, 0.3, 0.1, 0.5, 0.001)
    tables = rated_by(("m schema", 0.5, 0.5), controls=[row])
    ahead = degrees_words(tables, ["m"])
    assert ahead.startswith("The ratings of m schema agree best with people's: ")
    assert "Its best control, static, reaches 0.20." in ahead


def test_definitions_have_a_claim_of_each_metric_beside_what_a_guess_gets():
    """The chance is the mean of the guess over the parts of speech; other conditions, and the guess itself, take no part."""
    columns = ["part_of_speech", "agent", "W2D P@1", "D2W RS", "own_groups"]
    rows = [("noun", "m", 0.5, 0.7, False), ("noun", "random", 0.25, 0.5, False), ("verb", "m", 0.3, 0.9, True)]
    rows += [("verb", "random", 0.125, 0.5, False), ("noun, rare", "m", 0.9, 0.9, False)]
    overview = pl.DataFrame(rows, schema=columns, orient="row")
    claims = claims_of_definitions({"overview": overview})
    assert [claim.metric for claim, _ in claims] == ["D2W RS", "W2D P@1"]
    (ranks, rank_rows), (precision, precision_rows) = claims
    assert (ranks.chance, precision.chance) == (0.5, 0.1875)
    assert rank_rows.select("condition", "agent", "value", "own").rows() == [
        ("noun", "m", 0.7, False),
        ("verb", "m", 0.9, True),
    ]
    assert precision_rows["value"].to_list() == [0.5, 0.3]
    assert claims_of_definitions({"overview": overview.filter(pl.col("agent") != "random")})[0][0].chance is None
    tables = {
        "overview": overview,
        "tests": empty_tables("definitions")["tests"],
        "controls": empty_tables("definitions")["controls"],
    }
    finding, headline = (
        words_of("definitions").finding(tables, ["m"]).text,
        words_of("definitions").headline(tables, ["m"]).text,
    )
    assert "0.80" in finding  # the first claim, over nouns and verbs
    assert "40 of 100 tasks" in headline
    none = {**tables, "overview": overview.drop("W2D P@1", "D2W RS")}
    unsaid = "No model has an answer to the probes of this study."
    assert (
        words_of("definitions").finding(none, ["m"]).text
        == words_of("definitions").headline(none, ["m"]).text
        == unsaid
    )


QUERIES = ("right_query", "swapped_query", "difference", "low", "high", "p_holm")


def analogies(swapped, agents=("m", "n")):
    """The tables of the analogies page: all agents choose 9 of 10; `swapped`: agent -> right, swapped query, p_holm."""
    about = {"setting": "unsupervised", "probe": "reverse", "condition": "All"}
    names = {**dict.fromkeys([*about, "agent"], pl.String()), **dict.fromkeys(QUERIES, pl.Float64())}
    rows = [
        {**about, "agent": agent, "right_query": right, "swapped_query": other, "difference": right - other}
        | {"low": right - other - 0.1, "high": right - other + 0.1, "p_holm": p}
        for agent, (right, other, p) in swapped.items()
    ]
    overview = [("All", agent, 0.9, False) for agent in (*agents, "static")]
    columns = ["group", "agent", "unsupervised reverse", "own_tuples"]
    above = [("unsupervised reverse", "All", agent, "static", 0.5, 0.4, 0.3, 0.5, 0.01) for agent in agents]
    return {
        "overview": pl.DataFrame(overview, schema=columns, orient="row"),
        "swapped": pl.DataFrame(rows, schema=names),
        "tests": differences(),
        "controls": beyond(*above),
    }


def test_an_accuracy_that_a_swapped_query_has_too_is_no_analogy():
    """It is above guessing and above static vectors, and p_holm is small, but the query is not what makes it so."""
    tables = analogies({"m": (0.88, 0.904, 0.19), "n": (0.7, 0.6, 0.06), "static": (0.9, 0.5, 0.001)})
    assert analogies_words(tables, ["m", "n"]) == (
        "For no model do the data show that it uses the query to choose between a pair and a reversed one: n is right "
        "in 70 of 100 choices between a pair and a reversed one, and in 60 of the same choices with a query of two "
        "other tuples (+0.10, 95 % interval 0.00 to 0.20; p = 0.06 after Holm's adjustment)."
    )
    assert finding_of_analogies(tables, ["m", "n"]).text == (
        "n is right in 70 of 100 choices with the query, and in 60 with another query: the data do not show that any of 2 "
        "models uses it. It has more than its best control, static (50)."
    )


def test_the_small_table_of_analogies_has_the_claims_first_and_then_the_largest_uses_of_the_query():
    agents = [f"m{number}" for number in range(8)]
    swapped = {agent: (0.5 + number / 100, 0.4, 0.001) for number, agent in enumerate(agents)}
    found = words_of("analogies").headline(analogies(swapped, agents), agents).verdicts
    assert found.select("agent", "best control").rows() == [
        *((agent, "static") for agent in agents),
        *((agent, "a query of two other tuples") for agent in ("m7", "m6", "m5", "m4")),
    ]


def test_an_open_use_of_the_query_says_how_large_a_difference_would_have_been_found():
    tables = analogies({"m": (0.88, 0.86, 0.4)})
    tables["swapped"] = tables["swapped"].with_columns(detectable=0.08)
    said = "; a test of this size finds a difference of 0.08 in 80 of 100 studies."
    assert said in analogies_words(tables, ["m"])
    tables["swapped"] = tables["swapped"].with_columns(error=0.1, freedom=1e6)
    assert finding_of_analogies(tables, ["m"]).sentences[2] == "About 32 times as many relations would tell."


def test_a_swapped_query_that_does_better_is_no_use_of_the_query():
    said = analogies_words(analogies({"m": (0.5, 0.9, 0.001)}), ["m", "n"])
    assert said.startswith("For no model do the data show")
    assert "(−0.40, 95 % interval −0.50 to −0.30; p = 0.001 after Holm's adjustment)" in said


def test_models_that_use_the_query_stand_before_their_accuracies():
    tables = analogies({"m": (0.9, 0.9, 0.9), "n": (0.8, 0.5, 0.01), "o": (0.7, 0.5, 0.02)}, agents=("m", "n", "o"))
    said = analogies_words(tables, ["m", "n", "o"])
    assert said.startswith(
        "n chooses, without training, the pair in the right order in 90 of 100 choices, and its best control, "
    )
    assert (
        "n is ahead of its best control in this comparison (sign flips over relations: p < 0.05 after adjustment"
        in said
    )
    assert (
        " n uses the query to choose between a pair and a reversed one: it is right in 80 of 100 choices between a "
        "pair and a "
        "reversed one, and in 50 of the same choices with a query of two other tuples (+0.30, 95 % interval 0.20 to 0.40; p "
        "= 0.01 after Holm's adjustment); so does o."
    ) in said
    assert "m " not in said  # its accuracy is as high, and does not come from the query


def test_a_model_that_uses_the_query_and_is_behind_static_vectors_is_said_to_be_behind_first():
    tables = analogies({"m": (0.9, 0.5, 0.001)}, agents=("m",))
    behind = beyond(("unsupervised reverse", "All", "m", "static", 0.95, -0.22, -0.3, -0.1, 0.01))
    said = analogies_words({**tables, "controls": behind}, ["m"])
    assert said.startswith("m is behind its best control: it chooses, without training, ")
    assert "m uses the query" not in said
    found = finding_of_analogies({**tables, "controls": behind}, ["m"])
    assert found.sentences[1:] == (
        "Its best control, static, has more (95).",
        "With a query of two other tuples it is right in 50, not 90: its choices depend on the query.",
    )


def test_a_study_without_swapped_queries_says_so():
    said = analogies_words(analogies({}), ["m", "n"])
    assert said.startswith("m chooses, without training, the pair in the right order in 90 of 100 choices, ")
    assert "nothing says whether the query is read." in said
    headline = words_of("analogies").headline(analogies({}), ["m", "n"])
    assert headline.sentences[1].endswith("nothing says whether the query is read.")


@pytest.mark.parametrize("study", WHOLE)
def test_a_page_of_empty_tables_says_that_there_is_nothing(study):
    own = words_of(study)
    tables = empty_tables(study)
    assert own.headline(tables, ["m"]).text.startswith("No ")
    assert sections(page_of(study).exhibits, tables, {}, own) == []


LINKED = "are linked, and prompts are a sample"
RESTS_ON = {
    "analogies": {
        f"{setting} reverse": ("sign flips over relations", "relations", "choices", 0.5)
        for setting in ("supervised", "unsupervised")
    },
    "definitions": {
        **{f"{task} RS": ("a test over families", "families of words", "", None) for task in ("W2D", "D2W")},
        **{f"{task} P@1": ("sign flips over families", "families of words", "tasks", None) for task in ("W2D", "D2W")},
    },
    "degrees": {RHO: ("sign flips over subcategories", "subcategories", "", None)},
    "pairs": {
        "ap": (f"targets with a common right word {LINKED}", "targets", "", None),
        "rho": (f"pairs with a common word {LINKED}", "pairs", "", None),
    },
    "systematicity": dict.fromkeys(
        ("singular", "singular_plural"), ("sign flips over categories", "categories", "hyponyms", None)
    ),
}
"""Study -> the metric of a claim -> what its p rests on, what more of would tell more, what its shares are of, chance."""
PRIMARY = {"analogies": "unsupervised reverse", "definitions": "W2D RS", "degrees": RHO, "pairs": "ap"}
PRIMARY |= {"systematicity": "singular_plural"}


@pytest.mark.parametrize("study", RESTS_ON)
def test_the_claims_of_a_study_say_what_their_tests_rest_on(study):
    """In the words of the page, as the tests of the study are made: over clusters, or over what is linked."""
    claims = study_of(study).claims
    said = {claim.metric: (claim.test, claim.sample, claim.unit, claim.chance) for claim in claims}
    assert list(said.items()) == list(RESTS_ON[study].items())
    assert [claim.metric for claim in claims if claim.primary] == [PRIMARY[study]]
