"""Entries and sections by themselves: what each check of them says, and which of several things it names."""

from types import SimpleNamespace

import pytest
from relprobe.core.errors import ConfigError
from relprobe.core.files import exists
from relprobe.studies import STUDIES, config, entries, sections

from tests.paths import ROOT

CHAT = {"endpoint": "http://h/v1", "name": "big", "task": "list"}


def said(check, *arguments):
    with pytest.raises(ConfigError) as caught:
        check(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("where", "entry", "sentence"),
    [
        ("models.m", {}, "config: models.m has no source: give exactly one of huggingface, path, pypi, url."),
        ("resources.wordnet", {}, "config: resources.wordnet has no source: give exactly one of path, pypi, url."),
        ("vectors.glove", {}, "config: vectors.glove has no source: give exactly one of path, pypi, url."),
        (
            "models.resources.x",
            {"path": "a", "url": "b"},
            "config: models.resources.x has the sources path and url: give exactly one of huggingface, path, pypi, url.",
        ),
        (
            "models.m",
            {"pypi": "m==1", "file": "m.whl"},
            "config: models.m has 'pypi' without 'sha256': add it, so that the source is pinned.",
        ),
        (
            "models.m",
            {"pypi": "m==1"},
            "config: models.m has 'pypi' without 'file': add it, so that the source is pinned.",
        ),
        (
            "models.m",
            {"path": "no/where", "get_from": "its page"},
            "config: models.m.path names no/where (from its page), which does not exist: get it, or correct the path.",
        ),
        (
            "models.m",
            {"path": "no/where"},
            "config: models.m.path names no/where, which does not exist: correct it.",
        ),
    ],
)
def test_a_source_that_is_wrong(where, entry, sentence):
    assert said(entries.check_origin, where, entry, {"models.n"}) == sentence
    if "path" in entry and len(entry) < 3 and "url" not in entry:
        entries.check_origin(where, entry, {where})  # it may lack


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"limits": {}}, "has 'limits', which is for served models: add `endpoint` or delete it."),
        ({"timeout": 1, "name": "x"}, "has 'name', which is for served models: add `endpoint` or delete it."),
        (
            {"endpoint": "h", "limits": {}, "request": {}},
            "has 'limits', which needs a `task`: add it, or leave 'limits' out.",
        ),
        ({"endpoint": "h", "request": {}}, "has 'request', which needs a `task`: add it, or leave 'request' out."),
        ({"endpoint": "h"}, "has an endpoint without 'name': add the server's name of the model."),
        (
            {"endpoint": "h", "name": "x", "type": "masked"},
            "is masked, but servers of completions have causal models only: delete its endpoint, or correct `type`.",
        ),
        (
            {"endpoint": "h", "name": "x", "type": "causal", "allow_pickle": True, "device_map": "auto"},
            "has 'device_map', which the server decides: delete it.",
        ),
        (
            {"endpoint": "h", "name": "x", "type": "causal", "allow_pickle": True, "compare": False},
            "has 'allow_pickle', which the server decides: delete it.",
        ),
    ],
)
def test_keys_of_a_served_model_that_do_not_fit(entry, sentence):
    assert said(entries.check_server, "models.m", entry) == f"config: models.m {sentence}"


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {**CHAT, "type": "causal", "limits": {}, "request": {}},
        {"endpoint": "h", "name": "x", "type": "causal", "dtype": "float32", "compare": True},
    ],
)
def test_keys_of_a_served_model_that_fit(entry):
    entries.check_server("models.m", entry)


def test_a_variable_of_a_key_is_set(monkeypatch):
    entry = {"endpoint": "h", "name": "x", "type": "causal", "key_env": "RELPROBE_TEST_KEY"}
    monkeypatch.delenv("RELPROBE_TEST_KEY", raising=False)
    assert "key_env names the environment variable RELPROBE_TEST_KEY, which is not set" in said(
        entries.check_server, "models.m", entry
    )
    monkeypatch.setenv("RELPROBE_TEST_KEY", "x")
    entries.check_server("models.m", entry)


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        ({"m": {}}, "config: models.m has no 'type': add it."),
        ({"m": {"model": "n"}}, "names 'n', which is no entry of models: name an entry that has a source."),
        (
            {"m": {"type": "causal"}, "n": {"model": "m"}, "o": {"model": "n"}},
            "config: models.o.model names 'n', which shares another entry's model itself: name an entry",
        ),
        ({"m": dict(CHAT), "n": {"model": "m"}}, "config: models.n shares the model 'm', which only chats"),
        (
            {"m": {"type": "causal", "path": "x"}, "n": {"model": "m", "type": "masked", "path": "y"}},
            "config: models.n has 'type' beside `model`, which decides it: leave it out.",
        ),
        (
            {"m": {"type": "causal", "path": "x"}, "n": {"model": "m", "type": "causal", "path": "y"}},
            "config: models.n has 'path' beside `model`, which decides it: leave it out.",
        ),
    ],
)
def test_an_agent_that_shares_a_model_in_a_wrong_way(models, sentence):
    assert sentence in said(entries.agents, models)


def test_what_agents_of_one_model_share():
    base = {
        "type": "causal",
        "endpoint": "h",
        "name": "x",
        "size": 7,
        "dtype": "float32",
        "huggingface": "a",
        "timeout": 3,
    }
    found = entries.agents({"m": base, "few": {"model": "m", "shots": 3}, "list": {"model": "m", "task": "list"}})
    assert found["few"] == {
        **{"model": "m", "shots": 3, "type": "causal", "endpoint": "h", "name": "x", "size": 7},
        **{"dtype": "float32", "timeout": 3},
    }
    assert found["list"] == {"model": "m", "task": "list", "type": "causal", "endpoint": "h", "name": "x", "timeout": 3}
    assert entries.agents({"m": dict(CHAT)})["m"]["type"] == "causal"
    here = entries.agents({"m": {"type": "causal", "size": 7}, "list": {"model": "m", "task": "list"}})
    assert here["list"]["size"] == 7  # of a model here all is known


@pytest.mark.parametrize(
    ("second", "clash"),
    [
        ({"step": 1}, True),
        ({"step": 2}, False),
        ({"step": 1, "series": "t"}, False),
        ({"step": 1, "shots": 2}, False),
        ({"step": None}, False),
    ],
)
def test_members_of_a_series_that_are_asked_alike_have_different_steps(second, clash):
    models = {"a": {"series": "s", "step": 1.0}, "b": {"series": "s", **second}}
    models["b"] = {key: value for key, value in models["b"].items() if value is not None}
    if clash:
        assert "config: a and b are both step 1 of the series s" in said(entries._check_series, models)
    else:
        entries._check_series(models)


def test_the_addresses_are_those_of_all_entries_and_adapters():
    peft = {"url": "https://b"}
    found = {
        "models": {"m": {"url": "https://a", "peft": peft}, "n": {"path": "x"}},
        "resources": {"r": {"url": "https://c"}},
        "vectors": {"v": {"pypi": "x"}},
        "encoders": {"e": {"url": "https://d"}},
    }
    assert entries.addresses(found) == {
        **{
            "models.m": "https://a",
            "models.m.peft": "https://b",
            "resources.r": "https://c",
            "encoders.e": "https://d",
        },
    }
    entries.check_adapter("models.m", {})
    assert "a server adds adapters itself" in said(entries.check_adapter, "models.m", {"peft": {}, "endpoint": "h"})
    assert said(entries.check_adapter, "models.m", {"peft": peft}).startswith("config: models.m.peft has 'url' without")


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ([["m", "x"]], "names [m, x], but x is no agent of `models`"),
        ([["x", "y"]], "names [x, y], but x is no agent of `models`"),
        ([["m", "d"]], "names [m, d], but no study asks both"),
        ([["m", "p"]], "names [m, p], but no study asks both"),
        ([["m", "m"]], "names [m, m], which is one agent twice"),
        ([["m", "n"], ["n", "m"]], "names [n, m] twice: leave it out once"),
    ],
)
def test_declared_comparisons_that_are_wrong(pairs, sentence):
    models = {"m": {"studies": ["relations"]}, "n": {}, "d": {"studies": ["definitions"]}, "p": {"studies": ["pairs"]}}
    whole = {"models": models, "relations": {}, "definitions": {}, "comparisons": [["m", "n"], ["n", "d"]]}
    entries._check_comparisons(whole)
    assert sentence in said(entries._check_comparisons, whole | {"comparisons": pairs})


def test_a_panel_names_models_by_themselves():
    models = {"m": {}, "n": {"model": "m"}}
    entries.check_panel({"models": models, "lexicon": {"panel": ["m"]}})
    entries.check_panel({"models": models})
    assert "names 'n', whose words are those of 'm'" in said(
        entries.check_panel, {"models": models, "lexicon": {"panel": ["m", "n"]}}
    )


def test_texts_are_composed_in_lists_and_mappings_and_files_keep_their_names(tmp_path):
    split, whole = "e\u0301", "é"
    (tmp_path / split).write_text("x")
    value = {split: [split, {"a": str(tmp_path / split)}, 7], "b": str(tmp_path / "none" / split)}
    assert config._compose(value) == {
        whole: [whole, {"a": str(tmp_path / split)}, 7],
        "b": str(tmp_path / "none" / whole),
    }
    message = said(config._compose, {"b": 1, split: 2, whole: 3})
    assert message == f"config: the key {whole!r} is there twice, with accents written in two ways: delete one."


def test_only_texts_that_name_no_file_are_looked_at_for_signs(tmp_path):
    odd = tmp_path / "a\u200bb"
    odd.write_text("x")
    assert exists(str(odd))
    config._check_signs({"a": [{"b": str(odd)}], "c": 7})
    assert config._without_files({"a": [{"b": str(odd)}, "d"]}) == {"a": [{"b": None}, "d"]}
    assert "'a\\u200bb'" in said(config._check_signs, {"a": ["a\u200bb"]})


def test_the_first_of_several_faults_of_a_configuration_is_the_outermost_unknown_key():
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": ["a", "b"],
        "properties": {
            "a": {"type": "object", "additionalProperties": False, "properties": {"inner": {}}},
            "b": {"enum": [1, 2]},
            "c": {"propertyNames": {"pattern": "^x"}},
            "d": {"pattern": "^x", "description": "words with x"},
            "e": {"minimum": 3},
        },
    }
    for value, sentence in (
        ({"a": {"z": 1}, "b": 3, "y": 1, "x": 2}, "config: unknown key 'x' in the configuration: "),
        ({"a": {"z": 1, "inmer": 1}, "b": 3}, "config: unknown key 'inmer' in a: did you mean 'inner'?"),
        ({"a": {}, "b": 3}, "config: b is 3, but must be one of 1, 2."),
        ({"a": {"inmer": 1}, "b": 1}, "config: unknown key 'inmer' in a: "),
        ({"a": {}}, "config: the configuration has no 'b': add it."),
        ({"b": 1}, "config: the configuration has no 'a': add it."),
        ({"a": {}, "b": 1, "c": {"y": 1}}, "config: c holds 'y', where only other characters will do."),
        ({"a": {}, "b": 1, "d": "y"}, "config: d holds 'y', where only words with x will do."),
        ({"a": {}, "b": 1, "e": 2}, "config: e: 2 is less than the minimum of 3: correct it."),
    ):
        assert said(config.parse, value, schema).startswith(sentence)


def test_the_schema_has_a_section_for_each_study_and_an_agent_may_name_each():
    schema = config.whole_schema(ROOT / "workflow/schemas")
    assert schema["$defs"]["model"]["properties"]["studies"]["items"] == {"enum": list(STUDIES)}
    assert set(STUDIES) <= schema["properties"].keys()


@pytest.fixture
def needs(monkeypatch):
    """Three studies: one needs no data of its user, one needs some, and one may have others in their place."""
    stand_in = SimpleNamespace(key="demonstration", resource="demo", lacking="the data of c")
    needs_by_study = {
        "a": None,
        "b": SimpleNamespace(resource="data", substitute="own", stand_in=None, remedy="get the data of b"),
        "c": SimpleNamespace(resource="more", substitute="own", stand_in=stand_in, remedy="get the data of c"),
    }
    sizes = {"a": (3, sections.MANY + 1), "b": (2, sections.MANY), "c": None}
    monkeypatch.setattr(sections, "STUDIES", list(needs_by_study))
    monkeypatch.setattr(
        sections,
        "study_of",
        lambda study: SimpleNamespace(
            needs=needs_by_study[study], size=lambda _: sizes[study], hidden_states=lambda _: study == "b"
        ),
    )


def test_data_are_there_if_a_study_needs_none_or_has_them_or_others(needs):
    for found, right in (
        ({"a": {}, "b": {}}, True),
        ({"b": {}}, False),
        ({"b": {}, "c": {}}, False),
        ({"c": {"demonstration": "x"}}, True),
        ({"b": {"demonstration": "x"}}, False),
        ({"b": {}, "resources": {"own": {}}}, True),
        ({"b": {}, "resources": {"data": {}}}, True),
        ({"b": {}, "resources": {"data": {"path": "no/where"}}}, False),
    ):
        assert sections.have_data({"resources": {}, **found}) is right
    assert sections.resources_of_users() == {"data", "more"}


def test_what_is_said_of_studies_without_their_data(needs):
    whole = {"a": {}, "b": {}, "c": {}, "resources": {"demo": {}}}
    assert sections.left_out(whole) == {
        "b": "The study b is left out, as the config has no resources.data: get the data of b."
    }
    first = (
        "C: a small demonstration set is used, as the data of c is not here (the config has no resources.more); this is"
    )
    (plain,) = sections.stand_ins(whole).values()
    assert plain == f"{first} fine for a first run."
    assert sections.stand_ins(whole, remedies=True)["c"] == (
        f"{plain} It is a demonstration and no benchmark: for one, get the data of c."
    )
    begin = "The study {0} is not in this configuration: add a section `{0}` to have it."
    assert sections.absent({"c": {}}) == {
        "a": begin.format("a"),
        "b": begin.format("b") + " For its data, get the data of b.",
    }


def test_a_large_study_is_named_before_a_run(needs, monkeypatch):
    monkeypatch.setattr(sections, "_guessed_articles", lambda config: ["articles"])
    many, articles = sections.remarks({"a": {}, "b": {}, "c": {}})
    assert many.startswith("The study a asks each model for 10,000,001 answers, to 3 probes, which takes long")
    assert articles == "articles"


@pytest.mark.parametrize(
    ("entry", "refused"),
    [
        ({"endpoint": "h"}, True),
        ({"endpoint": "h", "task": "list"}, False),
        ({"endpoint": "h", "studies": ["a"]}, False),
        ({"path": "x"}, False),
    ],
)
def test_a_served_model_has_no_hidden_states(needs, monkeypatch, entry, refused):
    monkeypatch.setattr(sections, "STUDIES", ["a", "b"])
    whole = {"models": {"n": {"path": "x"}, "m": entry}}
    sections._check_embeddings(whole, ["a"])
    if refused:
        assert "config: models.m is served" in said(sections._check_embeddings, whole, ["a", "b"])
    else:
        sections._check_embeddings(whole, ["a", "b"])


def test_a_shipped_file_is_found_unless_there_is_one_here(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "root/x").mkdir(parents=True)
    (tmp_path / "root/x/a.yaml").write_text("a")
    (tmp_path / "root/b.yaml").write_text("a")
    (tmp_path / "here/b.yaml").write_text("b")
    monkeypatch.chdir(tmp_path / "here")
    section = {"prompts": "x/a.yaml", "language": "b.yaml", "relations": "none.yaml"}
    for key in (*section, "chat"):
        sections.find_shipped(section, key, tmp_path / "root")
    assert section == {"prompts": "../root/x/a.yaml", "language": "b.yaml", "relations": "none.yaml"}
