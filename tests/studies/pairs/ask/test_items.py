"""The items as the step makes them: of a lexical resource, with the words of a lexicon, and beside own pairs."""

import polars as pl
from relprobe.core.relation import Links, Relation, Relations
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.probes import items, of_wordnet

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
    found, known = of_wordnet(TinyResource(), UP_AND_DOWN, lexicon, sample)
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
