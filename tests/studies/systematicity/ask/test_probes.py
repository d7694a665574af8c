import itertools
import random

import polars as pl
import pytest
from relprobe.core.errors import ConfigError, DataError
from relprobe.sources.lexical.wordnet import prepare
from relprobe.sources.systematicity import items as released_items
from relprobe.studies.systematicity import contexts as in_contexts
from relprobe.studies.systematicity.contexts import (
    carrier_splits,
    number_contexts,
    pairs_in_carriers,
    training_pool,
)
from relprobe.studies.systematicity.hyponyms import (
    Choice,
    built_items,
    check_categories,
    check_hyponyms,
    hyponyms_of,
    single_sense_hyponyms,
)
from relprobe.studies.systematicity.method import Asking, probes, with_untrue
from relprobe.studies.systematicity.probes import probe_tables
from relprobe.studies.systematicity.prompts import Prompt

from tests.sources.lexical.tiny_wordnet import Synset, reader_of
from tests.sources.lexical.tiny_wordnet import write as write_wordnet
from tests.sources.made.systematicity_data import CATEGORIES, HYPONYMS, write

SYNSETS = {
    "animal": Synset("animal"),
    "bird": Synset("bird", hypernyms="animal"),
    "meat": Synset("bird"),  # its second sense
    "songbird": Synset("songbird songster", hypernyms="bird"),  # holds its category
    "robin": Synset("robin redbreast", hypernyms="songbird"),  # redbreast is not the first of its synset
    "capon": Synset("capon", hypernyms="meat"),
    "heron": Synset("heron", hypernyms="bird"),
    "crane": Synset("crane", hypernyms="bird"),
    "hoist": Synset("crane"),  # a second sense as a noun
    "duck": Synset("duck", hypernyms="bird"),
    "stoop": Synset("duck", pos="v"),  # no sense as a noun
    "phoenix": Synset("Phoenix", hypernyms="bird"),
    "tweety": Synset("tweety", instance_of="bird"),
    "sea_bird": Synset("sea_gull", hypernyms="bird"),
    "quetzalcoatlusoid": Synset("xqzbirb", hypernyms="bird"),  # unknown to wordfreq
    "macaw": Synset("blue_macaw", hypernyms="bird"),
    "finch": Synset("xqz_finch", hypernyms="bird"),
}
PROMPTS = {
    "singular": [Prompt("paper", "[DET] [W] is [DET] [V].", capital=True), Prompt("every", "Every [W] is [DET] [V].")],
    "plural": [Prompt("paper", "[W] are [V]."), Prompt("the", "The [W] are [V].")],
}
ASKING = Asking(PROMPTS)


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    prepare(write_wordnet(folder / "original", SYNSETS), folder / "prepared")
    with reader_of(folder / "prepared") as reader:
        yield reader


def test_hyponyms_are_nouns_of_one_sense_that_are_no_names(wordnet):
    assert single_sense_hyponyms(wordnet, "bird", Choice(0)) == ["capon", "duck", "heron", "robin", "xqzbirb"]


def test_rare_hyponyms_are_left_out(wordnet):
    assert single_sense_hyponyms(wordnet, "bird", Choice(1)) == ["capon", "duck", "heron", "robin"]


def test_a_small_category_gets_its_most_frequent_rarer_hyponyms(wordnet):
    """The zipf frequencies are 4.3 (robin), 4.2 (duck), 3.1 (heron), 2.2 (capon) and 0 (xqzbirb)."""

    def birds(minimum, categories=("bird",)):
        return hyponyms_of(wordnet, {"animals": categories}, Choice(4.3, minimum_hyponyms=minimum))["bird"]

    assert birds(0) == birds(1) == ["robin"]
    assert birds(3) == ["duck", "heron", "robin"]
    assert birds(9) == ["capon", "duck", "heron", "robin", "xqzbirb"]  # WordNet has no more
    # The robin is a songbird as well: it has no single answer, gets no item, and does not count.
    assert birds(3, ("bird", "songbird")) == ["capon", "duck", "heron", "robin"]


def test_phrases_are_taken_where_they_are_wanted_and_their_rarest_word_counts(wordnet):
    """A sea gull, a blue macaw and an xqz finch, of which wordfreq does not know the xqz."""
    words = single_sense_hyponyms(wordnet, "bird", Choice(1, phrases=True))
    assert words == ["blue macaw", "capon", "duck", "heron", "robin", "sea gull"]


def test_a_sense_of_a_category_is_taken_alone(wordnet):
    both = single_sense_hyponyms(wordnet, "bird", Choice(1))
    assert {"capon", "heron"} <= set(both)
    for sense, expected in (("bird.n.01", ["duck", "heron", "robin"]), ("bird.n.02", ["capon"])):
        assert single_sense_hyponyms(wordnet, "bird", Choice(1, senses={"bird": sense})) == expected
    # The word need not be in the synset.
    assert single_sense_hyponyms(wordnet, "poultry", Choice(1, senses={"poultry": "bird.n.02"})) == ["capon"]


@pytest.mark.parametrize("sense", ["bird.n.07", "nonesuch.n.01"])
def test_a_sense_that_wordnet_lacks_is_named_with_those_that_it_has(wordnet, sense):
    with pytest.raises(ConfigError, match=rf"the sense '{sense}', which WordNet lacks: .* bird\.n\.01, bird\.n\.02\)"):
        single_sense_hyponyms(wordnet, "bird", Choice(1, senses={"bird": sense}))


@pytest.mark.parametrize("category", ["robin", "nonesuch"])
def test_a_category_without_hyponyms_is_an_error(wordnet, category):
    found = hyponyms_of(wordnet, {"animals": ["bird", category]}, Choice(1))
    with pytest.raises(ConfigError, match=f"names '{category}', which has no hyponyms of a single sense in WordNet"):
        check_hyponyms(found, built_items(found))


def test_a_category_whose_hyponyms_are_all_of_others_too_is_an_error(wordnet):
    found = hyponyms_of(wordnet, {"animals": ["bird", "songbird"]}, Choice(1))
    assert found["songbird"] == ["robin"]
    with pytest.raises(ConfigError, match="names 'songbird', all of whose hyponyms are in other categories too"):
        check_hyponyms(found, built_items(found))


def test_categories_that_all_have_items_are_none(wordnet):
    found = hyponyms_of(wordnet, {"animals": ["bird"], "meats": ["meat"]}, Choice(1))
    check_hyponyms({"bird": found["bird"]}, built_items(found))


def test_built_items_are_worded_as_the_released_ones():
    items = built_items({"insect": ["ant"], "fish": ["trout"], "bird": ["unicorn"]})
    rows = items.select("hyponym", "category", "hyponym_plural", "category_plural").rows()
    assert rows == [
        ("ant", "insect", "ants", "insects"),
        ("trout", "fish", "trout", "fish"),
        ("unicorn", "bird", "unicorns", "birds"),
    ]
    asked = probes(items, {"animals": ["insect", "fish", "bird"]}, ASKING).filter(pl.col("prompt") == "paper")
    assert asked["text"].to_list() == [
        *("An ant is an [V].", "ants are [V].", "A trout is a [V].", "trout are [V]."),
        *("A unicorn is a [V].", "unicorns are [V]."),
    ]


def test_irregular_plurals_are_those_of_the_configuration():
    irregular = {"octopus": "octopodes", "fish": "fishes"}
    row = built_items({"fish": ["octopus"]}, irregular).row(0, named=True)
    assert (row["hyponym_plural"], row["category_plural"]) == ("octopodes", "fishes")
    asked = probes(
        built_items({"fish": ["octopus"]}, irregular), {"animals": ["fish"]}, Asking(PROMPTS, plurals=irregular)
    )
    assert asked.filter(kind="plural")["candidates"].to_list() == [["fishes"]] * 2


def test_a_hyponym_of_two_categories_is_left_out():
    assert built_items({"tree": ["rose", "oak"], "flower": ["rose"]})["hyponym"].to_list() == ["oak"]


def test_probes_ask_in_three_ways_and_without_a_relation(tmp_path):
    items = released_items(write(tmp_path / "data"))
    robin_probes = probes(items, CATEGORIES, ASKING).filter((pl.col("hyponym") == "robin") & pl.col("main"))
    one = ["bird", "insect", "vehicle", "building", "tool"]
    several = ["birds", "insects", "vehicles", "buildings", "tools"]
    assert robin_probes.select("probe_id", "word", "text", "candidates").rows() == [
        ("diagnostic:singular:robin", "robin", "A robin is a [V].", one),
        ("diagnostic:plural:robin", "robins", "robins are [V].", several),
        ("diagnostic:contextual:robin", "robin", "A [V] perches beside the robin 's nest .", one),
        ("diagnostic:control_singular:robin", "robin", "robin [V]", one),
        ("diagnostic:control_plural:robin", "robins", "robins [V]", several),
    ]
    wren_probes = probes(items, CATEGORIES, ASKING).filter(hyponym="wren")
    assert wren_probes.height == 4 + 2  # it has no contextual sentence, and two more prompts
    assert wren_probes.filter(~pl.col("main")).select("probe_id", "kind", "prompt", "text").rows() == [
        ("extended:singular:wren:every", "singular", "every", "Every wren is a [V]."),
        ("extended:plural:wren:the", "plural", "the", "The wrens are [V]."),
    ]


def test_a_released_sentence_is_that_of_the_papers_prompt_alone(tmp_path):
    items = released_items(write(tmp_path / "data")).with_columns(singular=pl.lit("An unicycle is a [V]."))
    other = {**PROMPTS, "singular": [PROMPTS["singular"][1], PROMPTS["singular"][0]]}
    first = probes(items, CATEGORIES, Asking(other)).filter(hyponym="wren", kind="singular")
    assert first["text"].to_list() == ["Every wren is a [V].", "An unicycle is a [V]."]


def test_a_sentence_that_holds_its_hyponym_twice_has_a_text_per_category(tmp_path):
    """The robin of the miniature perches beside the robin 's nest."""
    items = released_items(write(tmp_path / "data"))
    asked = probes(items, CATEGORIES, ASKING).filter(hyponym="robin", kind="contextual")
    mended, released = asked.iter_rows(named=True)
    assert (mended["main"], released["main"], released["probe_id"]) == (
        True,
        False,
        "diagnostic:contextual:robin:released",
    )
    assert released["texts"] == []
    assert mended["texts"] == [f"A [V] perches beside the {word} 's nest ." for word in mended["candidates"]]
    other = probes(items, CATEGORIES, Asking(PROMPTS, "released")).filter(hyponym="robin", kind="contextual")
    assert other.select("prompt", "main").rows() == [("released", True), ("mended", False)]
    # The ant's article is right, and it occurs once, so both readings are the same.
    assert probes(items, CATEGORIES, ASKING).filter(hyponym="ant", kind="contextual")["prompt"].to_list() == ["mended"]


def test_a_released_item_of_another_category_is_an_error(tmp_path):
    items = released_items(write(tmp_path / "data"))
    assert check_categories(items, CATEGORIES).equals(items)
    with pytest.raises(DataError, match="item 'saw' is of the category 'tool', which"):
        check_categories(items, {"animals": ["bird", "insect"], "objects": ["vehicle", "building"]})


def test_a_released_category_with_another_plural_is_an_error(tmp_path):
    items = released_items(write(tmp_path / "data")).with_columns(pl.col("category_plural").replace("birds", "birdies"))
    with pytest.raises(
        DataError, match=r"'robin' has 'birdies' as the plural of its category 'bird', which is 'birds'"
    ):
        check_categories(items, CATEGORIES)


CARRIERS = ["We saw the [W].", "A [W] was there."]


def pool():
    return pairs_in_carriers(built_items(HYPONYMS), CATEGORIES, CARRIERS, seed=1)


def test_carried_pairs_are_balanced_and_untrue_ones_are_near():
    group = {category: name for name, categories in CATEGORIES.items() for category in categories}
    true = {word: category for category, words in HYPONYMS.items() for word in words}
    rows = pool()
    assert rows.height == 16 * 2 * 2  # hyponyms, carriers, labels
    for hypernym in HYPONYMS:
        assert rows.filter(hypernym=hypernym)["label"].to_list().count(1) == 4 * 2  # its hyponyms, carriers
        assert rows.filter(hypernym=hypernym)["label"].to_list().count(0) == 4 * 2
    for hyponym, hypernym, label in rows.select("hyponym", "hypernym", "label").iter_rows():
        assert (hypernym == true[hyponym]) == (label == 1)
        assert group[hypernym] == group[true[hyponym]]


def test_a_category_larger_than_its_neighbours_together_is_cut(caplog):
    caplog.set_level("INFO", logger="relprobe")
    hyponyms = {"bird": [f"bird{i}" for i in range(7)], "insect": ["ant", "bee"], "fish": ["trout", "pike", "eel"]}
    rows = pairs_in_carriers(built_items(hyponyms), {"animals": [*hyponyms]}, CARRIERS, seed=1)
    assert "2 hyponyms of 'bird' have no pairs" in caplog.text
    labels = rows.group_by("hypernym").agg(pl.len(), true=pl.col("label").sum())
    assert {row[0]: row[1:] for row in labels.iter_rows()} == {"bird": (20, 10), "insect": (8, 4), "fish": (12, 6)}


def test_a_superordinate_category_with_one_filled_category_is_an_error():
    with pytest.raises(ConfigError, match=r"systematicity\.categories\.animals has hyponyms in fewer than two"):
        pairs_in_carriers(built_items({"bird": ["robin", "wren"]}), {"animals": ["bird", "insect"]}, CARRIERS, seed=1)


def test_a_fold_without_a_hyponym_for_each_part_is_an_error():
    hyponyms = {"bird": ["robin"], "insect": ["ant"], "vehicle": ["car"], "building": ["barn"]}
    few = pairs_in_carriers(built_items(hyponyms), CATEGORIES, CARRIERS, seed=1)
    # Four hyponyms in three folds: two, one and one.
    with pytest.raises(ConfigError, match="leaves 1 hyponym to fold 2 with seen hypernyms"):
        carrier_splits(few, CATEGORIES, 3, seed=1)


def test_the_words_of_a_pair_stand_in_different_carriers():
    row = pool().filter(hyponym="robin").row(0, named=True)
    assert (row["hyponym_text"], row["hypernym_text"]) == ("We saw the robin.", "A bird was there.")
    assert row["hyponym_text"][row["hyponym_start"] : row["hyponym_stop"]] == "robin"
    assert row["hypernym_text"][row["hypernym_start"] : row["hypernym_stop"]] == "bird"


def test_contexts_are_numbered_once():
    contexts, pairs = number_contexts(pool())
    assert contexts.height == (16 + 4) * 2  # hyponyms, categories (no hyponym is a tool, so no pair has one), carriers
    text = dict(contexts.select("context", "text").iter_rows())
    assert pairs.height == pool().height
    for old, new in zip(pool().iter_rows(named=True), pairs.iter_rows(named=True), strict=True):
        assert text[new["hyponym_context"]] == old["hyponym_text"]
        assert text[new["hypernym_context"]] == old["hypernym_text"]


@pytest.fixture(scope="module")
def splits():
    return carrier_splits(pool(), CATEGORIES, 3, seed=1)[0]


def of(pairs, part, column):
    return set(pairs.filter(part=part)[column])


def folds(pairs, setting):
    return [rows for _, rows in pairs.filter(setting=setting).group_by("fold", maintain_order=True)]


@pytest.mark.parametrize("setting", ["seen", "unseen"])
def test_no_hyponym_is_in_two_parts_of_a_fold(splits, setting):
    for fold in folds(splits, setting):
        for a, b in itertools.combinations(("train", "dev", "test"), 2):
            assert of(fold, a, "hyponym")
            assert not of(fold, a, "hyponym") & of(fold, b, "hyponym")


def test_unseen_hypernyms_are_in_no_other_part(splits):
    assert len(folds(splits, "unseen")) == 2  # superordinate categories
    for fold in folds(splits, "unseen"):
        assert not of(fold, "train", "hypernym") & (of(fold, "test", "hypernym") | of(fold, "dev", "hypernym"))


def test_seen_hypernyms_are_in_training(splits):
    assert len(folds(splits, "seen")) == 3
    for fold in folds(splits, "seen"):
        assert of(fold, "test", "hypernym") <= of(fold, "train", "hypernym")


@pytest.mark.parametrize("setting", ["seen", "unseen"])
def test_every_hyponym_is_held_out_once(splits, setting):
    away = splits.filter(pl.col("setting") == setting, pl.col("part") != "train")
    held_out = away.select("fold", "hyponym").unique()
    assert sorted(held_out["hyponym"]) == sorted(itertools.chain.from_iterable(HYPONYMS.values()))


def test_tests_have_one_true_and_one_untrue_pair_per_hyponym_and_training_all(splits):
    for (setting, _), fold in splits.group_by("setting", "fold"):
        for part, each in (("train", 2), ("dev", 1), ("test", 1)):
            counts = fold.filter(part=part).group_by("hyponym", "label").len()
            assert set(counts["len"]) == {each}, setting
            assert counts.height == 2 * counts["hyponym"].n_unique()


def test_splits_are_those_of_their_seed(splits):
    assert carrier_splits(pool(), CATEGORIES, 3, seed=1)[0].equals(splits)
    assert not carrier_splits(pool(), CATEGORIES, 3, seed=2)[0].equals(splits)


def test_three_carriers_follow_one_another_and_a_hyponym_has_each_once():
    carriers = ["A [W] .", "The [W] .", "One [W] ."]
    rows = pairs_in_carriers(built_items(HYPONYMS), CATEGORIES, carriers, seed=1).filter(hyponym="robin", label=1)
    assert rows.select("hyponym_text", "hypernym_text").rows() == [
        ("A robin .", "The bird ."),
        ("The robin .", "One bird ."),
        ("One robin .", "A bird ."),
    ]


def test_an_untrue_category_is_that_of_the_hyponym_as_many_places_ahead_as_the_largest_category_has():
    hyponyms = {"bird": ["robin"], "fish": ["eel"], "insect": ["ant"]}
    assert with_untrue(hyponyms, random.Random(1)) == [
        ("robin", "bird", "fish"),
        ("eel", "fish", "insect"),
        ("ant", "insect", "bird"),
    ]


def test_the_pool_of_a_hyponym_is_that_of_its_first_fold_in_training():
    rows = [
        ("ant", "bird", 0, 3, "train"),
        ("ant", "fish", 0, 2, "train"),
        ("ant", "insect", 1, 2, "train"),
        ("ant", "tree", 0, 1, "test"),
        ("bee", "insect", 1, 3, "train"),
    ]
    released = pl.DataFrame(rows, schema=["hyponym", "hypernym", "label", "fold", "part"], orient="row")
    found = training_pool(released)
    assert found.columns == ["hyponym", "hypernym", "label"]
    assert found.rows() == [("ant", "fish", 0), ("ant", "insect", 1), ("bee", "insect", 1)]


def test_released_splits_keep_their_unseen_folds_beside_seen_ones_of_their_training():
    """Released are two folds with unseen hypernyms; the seen ones are made of the pairs in training, in as many folds."""
    pairs = pool().with_columns(fold=pl.lit(1), part=pl.lit("train"))
    released = pl.concat([pairs, pairs.with_columns(fold=pl.lit(2), part=pl.lit("test"))])
    options = {"categories": CATEGORIES, "carriers": ["Never [W] ."], "folds": 3, "seed": 1}
    found = in_contexts.splits(built_items(HYPONYMS), released, **options)
    assert found.pairs.filter(setting="unseen").height == released.height
    expected = carrier_splits(pool(), CATEGORIES, 3, 1)
    assert found.pairs.filter(setting="seen").equals(expected.pairs.filter(setting="seen"))
    assert "Never" not in " ".join(found.contexts["text"])
    built = in_contexts.splits(built_items(HYPONYMS), **options)
    assert set(built.contexts["text"].str.head(5)) == {"Never"}


def test_every_probe_has_all_its_columns_and_a_plural_prompt_the_article_of_its_category():
    prompts = {**PROMPTS, "plural": [Prompt("det", "[W] : [DET] [V]")]}
    found = probes(built_items({"insect": ["wasp"], "tool": ["awl"]}), {"all": ["insect", "tool"]}, Asking(prompts))
    assert sum(found.null_count().row(0)) == 0
    assert found.filter(kind="plural").select("word", "text").rows() == [
        ("wasps", "wasps : an [V]"),
        ("awls", "awls : a [V]"),
    ]
    controls = found.filter(pl.col("kind").str.starts_with("control")).select("prompt", "main").unique().rows()
    assert controls == [("", True)]


def test_a_phrase_is_of_letters_in_lower_case_alone(tmp_path):
    words = ("sea_eagle", "Swiss_eagle", "sea_eagle2", "eagle", "eagle3", "Eagle")
    synsets = {"bird": Synset("bird")} | {f"s{n}": Synset(word, hypernyms="bird") for n, word in enumerate(words)}
    prepare(write_wordnet(tmp_path / "original", synsets), tmp_path / "prepared")
    with reader_of(tmp_path / "prepared") as reader:
        found = {
            phrases: single_sense_hyponyms(reader, "bird", Choice(0, phrases=phrases)) for phrases in (True, False)
        }
    assert found == {True: ["sea eagle"], False: []}  # an eagle is an Eagle as well


def test_the_items_of_a_run_are_a_users_or_the_authors_or_those_of_wordnet(wordnet, tmp_path):
    """Of WordNet every category has an item; the probes are those of the items."""
    choice, categories = Choice(0), {"animals": ["bird"]}
    built = probe_tables(ASKING, choice, wordnet, categories=categories)
    assert built.item_table.equals(built_items(hyponyms_of(wordnet, categories, choice)))
    assert built.probes.equals(probes(built.item_table, categories, ASKING))
    asking = Asking(PROMPTS, plurals={"duck": "ducks of any kind"})
    (duck,) = (
        probe_tables(asking, choice, wordnet, categories=categories).item_table.filter(hyponym="duck").rows(named=True)
    )
    assert duck["hyponym_plural"] == "ducks of any kind"
    with pytest.raises(ConfigError, match="which has no hyponyms of a single sense in WordNet"):
        probe_tables(ASKING, choice, wordnet, categories={"animals": ["bird", "tweety"]})
    with pytest.raises(DataError, match="give one of wordnet, released and own"):
        probe_tables(ASKING, choice, categories=categories)
