"""The items as the step makes them: of a lexical resource, with the words of a lexicon, and beside own pairs."""

import polars as pl
from relprobe.core.relation import Links, Relation, Relations
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.probes import items, wordnet_pairs

from tests.studies.pairs.data.test_items import BIRDS, WORDS


class TinyResource:
    """A lexical resource in which each word has one synset, itself, with the hypernym in BIRDS."""

    def frequent_words(self, parts, number):
        assert list(parts) == ["noun"]
        return {"noun": ["cod", *[word for word in WORDS if word != "cod"]][:number]}

    def synsets(self, word, part, spelling="written"):
        return [word]

    def forms(self, word, part, spelling):
        return {word}

    def names(self, synset):
        return [synset]

    def related_words(self, synset, pointer, forms):
        return []

    def follow(self, synset, pointer):
        upwards = pointer == "hypernym"
        return [b if upwards else a for a, b in BIRDS.items() if synset == (a if upwards else b)]


UP_AND_DOWN = Relations(
    (
        Relation("HYP", "kind", "HPO", wordnet=Links(("hypernym",), tuples=True)),
        Relation("HPO", "example", "HYP", wordnet=Links(("hyponym",))),
    )
)


def test_pairs_of_a_resource_have_words_of_the_lexicon_and_what_it_knows_has_all_that_are_looked_up():
    """The cod is frequent and no word of the lexicon; of ten words, as many as are looked up, no tool is one."""
    lexicon = pl.DataFrame({"word": [word for word in WORDS if word != "cod"]})
    sample = {"words": 10, "targets": {"HYP": 3}, "each": 1, "seed": 1, "shared_relata": False}
    found, known = wordnet_pairs(TinyResource(), UP_AND_DOWN, lexicon, sample)
    assert set(found.filter(kind="right").select("first", "second").rows()) == {
        *[("robin", "bird"), ("oak", "tree"), ("car", "vehicle")],
    }
    assert set(found["set"]) == {"wordnet"}
    assert not {"cod", "saw"} & {*found["first"], *found["second"]}
    assert {("cod", "fish"), ("saw", "tool")} <= set(known.select("target", "relatum").rows())
    whole = items(UP_AND_DOWN, None, TinyResource(), None, None, lexicon, sample=sample)
    assert whole.item_table.equals(found)
    assert whole.known_relata.equals(known)
    assert whole.raters.is_empty()


def test_own_pairs_stand_beside_those_of_a_resource_and_alone():
    judged = [JudgedPair("HYP", "owl", word, right, None, "", "") for word, right in (("bird", True), ("fish", False))]
    alone = items(UP_AND_DOWN, None, judged=judged)
    assert alone.item_table.select("first", "second", "label").rows() == [("owl", "bird", True), ("owl", "fish", False)]
    assert alone.known_relata.is_empty()
    sample = {"words": 99, "targets": {}, "each": 1, "seed": 1, "shared_relata": False}
    both = items(UP_AND_DOWN, None, TinyResource(), None, judged, sample=sample).item_table
    assert both["set"].unique(maintain_order=True).to_list() == ["wordnet", alone.item_table["set"][0]]
    assert "cod" in set(both["first"])  # without a lexicon


def test_pairs_of_hyperlex_stand_between_those_of_a_resource_and_own_ones(tmp_path):
    head = "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES.."
    rated = ["owl bird N hyp-1 5.50 9.17 0.50 5 6", "bird owl N r-hyp-1 1.00 1.67 1.00 0 2", "run go V hyp-1 3 5 1 2 4"]
    (tmp_path / "hyperlex-all.txt").write_text("\n".join([head, *rated]) + "\n")
    judged = [JudgedPair("HYP", "owl", "bird", True, None, "", "")]
    sample = {"words": 99, "targets": {"HYP": 1}, "each": 1, "seed": 1, "shared_relata": False}
    found = items(UP_AND_DOWN, None, TinyResource(), tmp_path, judged, sample=sample)
    assert found.item_table["set"].unique(maintain_order=True).to_list() == ["wordnet", "hyperlex", "own"]
    assert found.raters.select("condition", "first", "rating").rows()[:2] == [
        ("hyperlex nouns", "owl", 5.0),
        ("hyperlex nouns", "owl", 6.0),
    ]
    alone = items(UP_AND_DOWN, None, None, tmp_path)
    assert alone.item_table.equals(found.item_table.filter(set="hyperlex"))
    assert alone.known_relata.is_empty()
    for lacking in ({"sample": sample}, {"wordnet": TinyResource()}):  # a resource is drawn from by a sample
        assert items(UP_AND_DOWN, None, hyperlex=tmp_path, **lacking).item_table.equals(alone.item_table)
    for name, line in zip(("dev", "training", "test"), rated, strict=True):
        (tmp_path / f"hyperlex_{name}_all_lexical.txt").write_text(f"{head}\n{line}\n")
    part = items(UP_AND_DOWN, None, None, tmp_path, split="lexical", part="dev").item_table
    assert part.select("first", "part").rows() == [("owl", "dev")]


class SharedResource(TinyResource):
    """The same with two birds, which share their hypernym."""

    def follow(self, synset, pointer):
        upwards = pointer == "hypernym"
        if upwards and synset == "cod":
            return ["bird"]
        return super().follow(synset, pointer)


def test_two_targets_share_a_right_word_only_if_they_may():
    sample = {"words": 99, "targets": {}, "each": 1, "seed": 1}
    owners = {}
    for shared in (False, True):
        found, _ = wordnet_pairs(SharedResource(), UP_AND_DOWN, None, {**sample, "shared_relata": shared})
        right = found.filter(kind="right", second="bird", relation="HYP")
        owners[shared] = sorted(right["first"])
    assert owners[True] == ["cod", "robin"]
    assert len(owners[False]) == 1


def test_targets_are_drawn_by_the_seed_and_no_other_number():
    sample = {"words": 99, "targets": {"HYP": 2}, "each": 1, "shared_relata": False}

    def drawn(seed, **changed):
        found, _ = wordnet_pairs(TinyResource(), UP_AND_DOWN, None, {**sample, "seed": seed, **changed})
        return found.filter(kind="right")["target"].to_list()

    draws = [tuple(drawn(seed)) for seed in range(8)]
    assert len(set(draws)) > 2
    assert drawn(3, words=98) == drawn(3)
    assert len(set(drawn(1, targets={"HYP": 3}))) == 3
