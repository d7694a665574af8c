"""Own hyponyms: the file, and its faults."""

from types import SimpleNamespace

import pytest
from relprobe.core.errors import ConfigError, DataError
from relprobe.sources.own import hyponyms as own_hyponyms
from relprobe.studies.systematicity.hyponyms import own_items
from relprobe.studies.systematicity.study import check, embedding_agents, sets

from tests.paths import ROOT

CATEGORIES = {"animals": ["bird", "insect"], "things": ["musical instrument", "pastry"]}  # those of the template

PROMPTS = ROOT / "resources/prompts/systematicity.yaml"
ROWS = ["robin,bird,,A robin sang .", "éclair,pastry,éclairs,", "grand piano,instrument,,"]
CATEGORIES_OF_ROWS = {"animals": ["bird"], "things": ["pastry", "instrument"]}


def file(folder, *more, header="hyponym,category,plural,sentence"):
    path = folder / "own.csv"
    path.write_text("\n".join([header, *ROWS, *more]) + "\n", encoding="utf-8")
    return path


def test_items_have_the_given_plurals_or_those_of_inflect(tmp_path):
    path = file(tmp_path, "ox,animal,oxen,Oxen pull it .")
    items = own_items(
        own_hyponyms.read(path), {**CATEGORIES_OF_ROWS, "beasts": ["animal"]}, path, {"pastry": "pastries!"}
    )
    assert items.select("set", "hyponym", "category", "hyponym_plural", "category_plural", "sentence").rows() == [
        ("own", "grand piano", "instrument", "grand pianos", "instruments", None),
        ("own", "ox", "animal", "oxen", "animals", "Oxen pull it ."),
        ("own", "robin", "bird", "robins", "birds", "A robin sang ."),
        ("own", "éclair", "pastry", "éclairs", "pastries!", None),
    ]


def test_sentences_may_be_left_out(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("hyponym,category,plural\nrobin,bird,\n")
    (one,) = own_hyponyms.read(path)
    assert (one.word, one.sentence, one.line) == ("robin", "", 2)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("wren,bird", "line 5: 2 fields where 4 are expected"),
        ("wren,,wrens,", "line 5: hyponym and category must not be empty"),
        ("robin,bird,robins,", "line 5: the hyponym 'robin' is in line 2 already"),
        ("wren,bird,wrens,A robin sang .", "line 5: the sentence lacks 'wren'"),
        ("wren,bird,wrens,A [V] sang .", r"line 5: a field holds \[V\]"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        own_hyponyms.read(file(tmp_path, row))


def test_the_header_is_checked_and_an_empty_file_is_refused(tmp_path):
    with pytest.raises(DataError, match="the first line must be hyponym,category,plural, and may go on with sentence"):
        own_hyponyms.read(file(tmp_path, header="word,category,plural,sentence"))
    (tmp_path / "none.csv").write_text("hyponym,category,plural\n")
    with pytest.raises(DataError, match="holds no hyponyms: add a line such as robin,bird,robins"):
        own_hyponyms.read(tmp_path / "none.csv")


def configuration(path, categories):
    study = {
        **{"categories": categories, "carriers": ["The [W]."], "patterns": ["[W] is [V]"], "top_k": 5},
        **{"prompts": str(PROMPTS), "plurals": {}},
    }
    return {"systematicity": study, "resources": {"wordnet": {}, "own_hyponyms": {"path": str(path)}}}


def test_a_fault_is_found_before_any_work(tmp_path):
    check(configuration(file(tmp_path), CATEGORIES_OF_ROWS))
    with pytest.raises(ConfigError, match=r"line 5: the category 'fish' is not in systematicity\.categories"):
        check(configuration(file(tmp_path, "trout,fish,,"), CATEGORIES_OF_ROWS))
    with pytest.raises(ConfigError, match="has no hyponym of the category 'tool': add some"):
        check(configuration(file(tmp_path), {**CATEGORIES_OF_ROWS, "objects": ["tool"]}))


def test_prompts_and_patterns_are_checked_before_any_work(tmp_path):
    config = configuration(file(tmp_path), CATEGORIES_OF_ROWS)
    config["systematicity"]["patterns"] = ["[V] such as [W]"]
    with pytest.raises(ConfigError, match=r"patterns holds '\[V\] such as \[W\]', which must have one \[W\]"):
        check(config)
    config = configuration(file(tmp_path), CATEGORIES_OF_ROWS)
    config["systematicity"]["prompts"] = str(tmp_path / "nowhere.yaml")
    with pytest.raises(ConfigError, match="which does not exist: correct it"):
        check(config)
    (tmp_path / "bad.yaml").write_text("singular: []\nplural: []\n")
    config["systematicity"]["prompts"] = str(tmp_path / "bad.yaml")
    with pytest.raises(ConfigError, match="singular must be a list of prompts"):
        check(config)


def test_a_category_with_a_sense_is_named_once(tmp_path):
    config = configuration(tmp_path / "none.csv", {"things": ["bird", {"word": "bird", "sense": "bird.n.02"}]})
    with pytest.raises(ConfigError, match="names 'bird' twice"):
        check(config)


def test_a_plural_of_the_file_goes_before_that_of_the_configuration(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("hyponym,category,plural\nox,bird,oxes\nrobin,bird,\n")
    items = own_items(own_hyponyms.read(path), {"animals": ["bird"]}, path, {"ox": "oxen", "robin": "robinses"})
    assert dict(items.select("hyponym", "hyponym_plural").rows()) == {"ox": "oxes", "robin": "robinses"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"carriers": ["A [W] and a [W] ."]}, r"systematicity\.carriers holds 'A \[W\] and a \[W\] \.'"),
        ({"carriers": ["It ."]}, r"which must have one \[W\]"),
        ({"top_k": 4}, "top_k is below 5, the cut-off"),
    ],
)
def test_carriers_and_the_number_of_first_words_are_checked_before_any_work(tmp_path, change, said):
    config = configuration(file(tmp_path), CATEGORIES_OF_ROWS)
    config["systematicity"] |= change
    with pytest.raises(ConfigError, match=said):
        check(config)


def test_wordnet_is_needed_and_letters_for_the_agents_that_choose_in_this_study(tmp_path):
    many = {"animals": [f"c{number}" for number in range(27)]}
    config = configuration(tmp_path / "none.csv", many)
    models = {"a": {"task": "people", "studies": ["definitions"]}, "b": {}}
    check({**config, "models": models})
    for entry in ({"task": "people"}, {"task": "people", "studies": ["systematicity", "definitions"]}):
        with pytest.raises(ConfigError, match="has 27 categories, but a choice"):
            check({**config, "models": {**models, "c": entry}})
    check(
        {**configuration(tmp_path / "none.csv", {"animals": many["animals"][:26]}), "models": {"c": {"task": "people"}}}
    )
    del config["resources"]["wordnet"]
    with pytest.raises(ConfigError, match=r"systematicity needs resources\.wordnet"):
        check(config)


def test_the_sets_of_a_run_are_those_of_its_resources():
    wordnet, released, own = {"wordnet": {}}, {"systematicity": {}}, {"own_hyponyms": {}}
    assert sets({"resources": wordnet}) == ["wordnet"]
    assert sets({"resources": {**wordnet, **released}}) == ["diagnostic", "extended"]
    assert sets({"resources": {**wordnet, **released, **own}}) == ["own"]


def test_an_agent_with_examples_has_the_classifiers_of_the_agent_without():
    models = {"m": {"type": "masked"}, "m-shots": {"type": "masked", "model": "m", "shots": 3}, "n": {"type": "causal"}}
    roles = SimpleNamespace(models=list(models), vectors=["static"])
    assert embedding_agents({"models": models, "resources": {}}, roles) == ["static", "m", "n"]
