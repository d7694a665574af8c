import pytest
from relprobe.core.series import (
    compared_agents,
    interval_phrase,
    members,
    model_properties,
    series_by_axis,
    series_of,
    short_number,
    sizes_of,
    step_of,
    tokens_of,
)


def test_a_series_has_its_members_in_order_and_the_last_stands_for_it():
    entries = {name: {"series": "m", "step": step} for name, step in (("c", 3), ("a", 1), ("b", 2))}
    entries |= {"other": {"series": "n", "step": 1}, "plain": {"type": "causal"}}
    assert {name: list(places) for name, places in series_of(entries).items()} == {"m": ["a", "b", "c"]}
    assert compared_agents(entries) == ["c", "other", "plain"]


@pytest.mark.parametrize(
    ("revision", "step"),
    [
        ("step101000-tokens424B", 101000),
        ("step0-tokens0B", 0),
        ("stage2-ingredient1-step30000-tokens64B", 30000),
        ("checkpoint-500-of-9000", 9000),
        ("1M", 1000000),
        ("step_20k", 20000),
        ("step12kittens3", 12),
        ("main", None),
    ],
)
def test_the_step_of_a_revision(revision, step):
    assert step_of(revision) == step


@pytest.mark.parametrize(
    ("revision", "tokens"),
    [
        ("step101000-tokens424B", 424 * 10**9),
        ("stage1-step7-tokens20M", 20 * 10**6),
        ("step1000", None),
        ("main", None),
    ],
)
def test_the_tokens_of_a_revision(revision, tokens):
    assert tokens_of(revision) == tokens


def trained(**tokens):
    return {f"m-{step[1:]}": {"series": "m", "step": int(step[1:]), "tokens": read} for step, read in tokens.items()}


def test_checkpoints_lie_along_tokens_where_all_say_them_and_differ():
    assert series_by_axis(trained(s1=0, s2=5)) == {"tokens": {"m": {"m-1": 0.0, "m-2": 5.0}}}
    assert series_by_axis(trained(s1=0, s2=0)) == {"step": {"m": {"m-1": 1, "m-2": 2}}}
    silent = {**trained(s1=0, s2=5), "n-1": {"series": "n", "step": 1}, "n-2": {"series": "n", "step": 2}}
    assert list(series_by_axis(silent)) == ["step"]
    assert series_by_axis({"alone": {"type": "causal"}}) == {}


def test_a_series_of_which_one_says_no_tokens_lies_along_its_steps():
    entries = trained(s1=4, s2=5)
    del entries["m-2"]["tokens"]
    assert series_by_axis(entries) == {"step": {"m": {"m-1": 1, "m-2": 2}}}


def test_a_model_without_a_size_or_a_family_is_no_size_of_a_family():
    entries = {
        "a": {"family": "A", "size": 1e8},
        "b": {"family": "A"},
        "c": {"size": 2e8},
        "d": {"family": "A", "size": 3e8},
    }
    assert sizes_of(entries) == {"A": {"a": 1e8, "d": 3e8}}


def test_the_sizes_of_a_family_are_those_of_last_checkpoints_and_first_models():
    family = {"family": "F", "size": 5}
    entries = {
        "one": {**family, "size": 9},
        "twin": {**family, "size": 9},
        "m-1": {**family, "series": "m", "step": 1, "size": 1},
        "m-2": {**family, "series": "m", "step": 2, "size": 1},
        "other": {"family": "G", "size": 3},
    }
    assert sizes_of(entries) == {"F": {"m-2": 1.0, "one": 9.0}}


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1K"),
        (1234, "1.23K"),
        (1e6, "1M"),
        (999_999_999, "1e+03M"),
        (1e9, "1B"),
        (1e12, "1T"),
    ],
)
def test_a_large_number_is_short(number, text):
    assert short_number(number) == text


def test_the_interval_of_an_axis_has_its_unit_before_or_behind_its_numbers():
    assert interval_phrase("layer", 0.0, 1.0) == "between layers 0 and 1"
    assert interval_phrase("tokens", None, 2e9) == "at 2B tokens of training already"
    assert interval_phrase("size", None, 1.35e8) == "at 135M parameters already"
    assert interval_phrase("step", None, 1000.0) == "at training step 1,000 already"


def test_the_properties_of_a_model_are_those_that_comparisons_use_with_its_way():
    entry = {
        "model": "m",
        "type": "causal",
        "family": "F",
        "series": "S",
        "step": 3,
        "size": 5,
        "tokens": 7,
        "revision": "x",
    }
    kept = {"type": "causal", "family": "F", "series": "S", "step": 3, "size": 5, "tokens": 7}
    assert model_properties(entry) == kept
    way = "3 examples, chat"
    asked = kept | {"family": f"F, {way}", "series": f"S, {way}", "way": way}
    assert model_properties(entry | {"shots": 3, "chat": True}) == asked
    trained = {f"m{step}": {"series": "S", "step": step} for step in (1, 9, 4)}
    shots = {f"s{step}": {"series": "S", "step": step, "shots": 2} for step in (4, 5)}
    assert members({**trained, **shots, "n": {}}) == ["m1", "m4", "s4"]
