"""The looks of agents: the same in every figure of a study, and different from each other."""

from relprobe.report.agent_styles import FAMILY_COLOURS, MARKERS, NO_FAMILY, agent_styles, families
from relprobe.studies import controls

MODELS = {
    "model-10": {"family": "M"},
    "model-2": {"family": "M"},
    "big": {"family": "B", "size": 7e9},
    "small": {"family": "B", "size": 1e8},
    "small-shots": {"model": "small", "family": "B", "size": 1e8, "shots": 3},
}


def test_agents_stand_by_family_and_size_and_by_the_numbers_in_their_names():
    assert list(families(MODELS)) == ["model-2", "model-10", "small", "small-shots", "big"]


def test_an_agent_looks_the_same_in_a_study_of_other_agents():
    run_families = families(MODELS)
    whole = agent_styles(dict.fromkeys(MODELS, "causal"), run_families)
    part = agent_styles({"static": "control", "big": "causal", "model-10": "causal"}, run_families)
    assert list(part) == ["model-10", "big", "static"]
    assert {agent: part[agent] == whole[agent] for agent in ("model-10", "big")} == {"model-10": True, "big": True}


def test_seventeen_agents_of_six_families_differ():
    names = {f"m-{i}": {"family": f"F{i % 6}"} for i in range(17)}
    drawn = agent_styles(dict.fromkeys(names, "masked"), families(names)).values()
    assert len({(look.colour, look.marker) for look in drawn}) == 17


def test_the_thirteenth_agent_of_a_family_has_an_outline():
    names = {f"m-{i}": {"family": "F"} for i in range(13)}
    drawn = list(agent_styles(dict.fromkeys(names, "masked"), families(names)).values())
    assert len(MARKERS) == 12
    assert (drawn[0].hollow, drawn[12].hollow) == (False, True)
    assert {look.colour for look in drawn} == {FAMILY_COLOURS[0]}


def test_a_control_has_one_marker_in_all_studies():
    run_families = families({"m": {"family": "F"}}, controls())
    one = agent_styles({"m": "causal", "static": "control"}, run_families)
    other = agent_styles(
        {"length": "control", "own": "control", "static": "control", "m+control": "control"}, run_families
    )
    assert one["static"] == other["static"]
    assert len({look.marker for look in other.values()}) == 4
    assert {look.family for look in other.values()} == {"control"}
    assert list(one) == ["m", "static"]
    assert one["m"] == agent_styles({"m": "causal"}, families({"m": {"family": "F"}}))["m"]


def test_an_agent_of_a_model_has_the_family_of_that_model():
    assert families({"a": {"family": "F"}, "a-shots": {"model": "a", "shots": 3}}) == {"a": "F", "a-shots": "F"}


def test_people_stand_first_and_are_no_family_and_the_controls_of_a_run_keep_their_places():
    """A control without a place in the run comes behind those of the run, by its name."""
    run_families = {"m": "M", "static": NO_FAMILY, "majority": NO_FAMILY}
    kinds = {"zeta": "control", "m+majority": "control", "m": "causal", "annotator": "humans", "humans": "humans"}
    looks = agent_styles(kinds | {"static": "control", "alpha": "control"}, run_families)
    assert list(looks) == ["annotator", "humans", "m", "alpha", "m+majority", "static", "zeta"]
    families_of = {agent: look.family for agent, look in looks.items()}
    assert families_of == {
        **dict.fromkeys(("annotator", "humans"), "people"),
        "m": "M",
        **dict.fromkeys(("alpha", "m+majority", "static", "zeta"), "control"),
    }
    assert looks["m"].colour == FAMILY_COLOURS[0]
    places = {agent: MARKERS.index(look.marker) for agent, look in looks.items()}
    # Of the run static is the first control, and majority the second; alpha and zeta are the first and the last by name.
    assert [places[agent] for agent in ("static", "m+majority", "alpha", "zeta")] == [0, 1, 2, 5]
    assert [places[agent] for agent in ("annotator", "humans")] == [0, 1]
