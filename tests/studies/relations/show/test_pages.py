"""The sections of the study's page: what they say in words."""

import io

import polars as pl
import pytest
from relprobe.report.exhibits import Figure
from relprobe.report.shown import page_of
from relprobe.studies.relations import page as relations_page
from relprobe.studies.relations.addresses import answers

OVERVIEW = """relation,agent,soundness,prototypicality,symmetry@5,targets,tuples,prototypicality_targets
HYP,a,0.5,0.25,,629,,589
HYP,b,0.75,0.5,,629,,589
ANT,a,0.5,,0.125,97,55,
"""


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("soundness", "soundness: HYP (629 targets): b 0.750, a 0.500. ANT (97 targets): a 0.500."),
        ("prototypicality", "prototypicality: HYP (589 targets): b 0.500, a 0.250."),
        ("symmetry", "symmetry@5: ANT (55 tuples): a 0.125."),
        ("overview", "soundness: HYP (629 targets): b 0.750, a 0.500. ANT (97 targets): a 0.500."),
    ],
)
def test_a_figure_in_words_has_the_number_of_its_own_targets(figure, words):
    overview = pl.read_csv(io.StringIO(OVERVIEW))
    assert relations_page.words(figure, {"overview": overview}) == words


def test_a_figure_without_its_table_has_no_words():
    assert relations_page.words("soundness", {}) == ""


def test_figures_follow_from_what_the_run_has():
    page = page_of("relations")
    names = [one.name for one in page.available(dict.fromkeys(page.may_lack, False)) if isinstance(one, Figure)]
    assert not [name for name in names if "prototypicality" in name or "entropy" in name or name.startswith("size_")]
    assert names.index("soundness") < names.index("symmetry") < names.index("frequency_soundness")


def test_codes_that_are_no_words_have_names_on_the_page():
    named = {
        "relata_mean": "mean of the relata",
        "frequency_relata_mean": "mean of the relata",
        "relata_max": "most frequent relatum",
        "frequency_pair_difference": "difference of target and relatum",
        "audc": "AuDC",
        "in_audc": "in AuDC",
    }
    assert named.items() <= relations_page.NAMES.items()
    assert "target" not in relations_page.NAMES  # which is its own name


def test_a_number_of_an_agent_leads_to_its_answers_and_a_count_to_none():
    address = relations_page.ADDRESSES["overview"]
    row = {"agent": "a", "relation": "HYP", "soundness": 0.5, "symmetry@5": 0.2, "targets": 3, "asymmetry@1": None}
    assert address(row, "soundness") == "../answers.html#group=HYP&a=a"
    assert address(row, "symmetry@5") == "../answers.html#group=HYP&a=a&k=5"
    assert [address(row, column) for column in ("targets", "asymmetry@1", "agent")] == [None, None, None]
    assert address({**row, "k": 10}, "soundness") == "../answers.html#group=HYP&a=a&k=10"


def test_a_difference_leads_to_the_probes_that_one_of_the_two_answers_rightly():
    address = relations_page.ADDRESSES["tests"]
    row = {"metric": "soundness", "relation": "HYP", "k": None, "agent_a": "a", "agent_b": "b", "difference": 0.25}
    assert address(row, "difference") == answers("a", "HYP", against="b")
    assert address({**row, "k": 5, "difference": -0.25}, "difference") == answers("b", "HYP", k=5, against="a")
    assert address({**row, "relation": None}, "difference") is None
    assert address(row, "p") is None


def test_a_run_without_an_answer_says_so_in_its_finding_and_its_headline():
    tables = {"overview": pl.DataFrame({"agent": ["m"], "relation": ["HYP"]})}
    for said in (relations_page.finding(tables, ["m"]), relations_page.headline(tables, ["m"])):
        assert said.sentences == (relations_page.NO_ANSWER,)
