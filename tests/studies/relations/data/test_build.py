import polars as pl
from relprobe.core.relation import TUPLES, Relation, Relations, in_lexicon
from relprobe.sources.lexical.resource import LINKED
from relprobe.studies.relations.method import relata, united_tuples
from relprobe.studies.relations.schemas import RELATA
from relprobe.studies.relations.tuples import targets_of

from tests.studies.relations.six import SIX


def gold(*texts, source="own"):
    return pl.DataFrame([(*text.split(), [source]) for text in texts], schema=TUPLES, orient="row")


def wordnet(*texts):
    return pl.DataFrame([(*text.split(), 1) for text in texts], schema=LINKED, orient="row")


def words(text):
    return pl.DataFrame({"word": text.split()})


def said(table):
    return {" ".join(row) for row in table.select("target", "relation", "relatum").rows()}


def test_the_sources_are_united_and_augmented():
    united = united_tuples([gold("building MER wall", source="norms"), gold("wall HOL building", "hot ANT cold")], SIX)
    assert united.rows() == [
        ("building", "MER", "wall", ["norms", "own"]),
        ("cold", "ANT", "hot", ["own"]),
        ("hot", "ANT", "cold", ["own"]),
        ("wall", "HOL", "building", ["norms", "own"]),
    ]


def test_a_word_is_no_relatum_of_itself():
    assert united_tuples([gold("robin SYN robin", "robin HYP bird")], SIX).height == 2


def test_both_words_of_a_tuple_must_be_in_the_lexicon():
    pairs = gold("robin HYP bird", "robin HYP animal", "bird HPO robin")
    assert said(in_lexicon(pairs, words("robin animal"))) == {"robin HYP animal"}


def test_relata_are_the_tuples_and_what_wordnet_adds_to_their_targets():
    found = relata(
        gold("robin HYP bird"),
        wordnet("robin HYP bird", "robin HYP animal", "robin MER wing", "bird HYP animal"),
        words("robin bird animal wing"),
        relations=SIX,
    )
    assert found.schema == RELATA
    assert found.rows() == [
        ("robin", "HYP", "animal", ["wordnet"]),
        ("robin", "HYP", "bird", ["own", "wordnet"]),
        ("robin", "MER", "wing", ["wordnet"]),
    ]


def test_relata_are_in_the_lexicon():
    found = relata(gold("robin HYP bird"), wordnet("robin HYP chordate"), words("robin bird"), SIX)
    assert said(found) == {"robin HYP bird"}


def test_a_target_none_of_whose_tuples_is_in_the_lexicon_has_no_relata():
    found = relata(
        gold("robin HYP bird", "city SYN town"),
        wordnet("robin HYP animal"),
        words("robin animal city town"),
        relations=SIX,
    )
    assert said(found) == {"city SYN town"}


def test_an_ambiguous_word_is_dropped_from_both_relations():
    found = relata(
        gold("ending SYN conclusion", "ending SYN finish", "start ANT ending"),
        wordnet("ending HPO conclusion", "ending HPO finale"),
        words("ending conclusion finish finale start"),
        relations=SIX,
    )
    assert said(found) == {"ending SYN finish", "ending HPO finale", "start ANT ending"}


def test_a_word_ambiguous_for_one_target_stays_for_another():
    found = relata(gold("a SYN c", "b SYN c"), wordnet("a HYP c"), words("a b c"), relations=SIX)
    assert said(found) == {"b SYN c"}


def test_the_target_is_no_relatum_of_itself():
    assert said(relata(gold("a SYN b"), wordnet("a HYP a"), words("a b"), SIX)) == {"a SYN b"}


def test_relations_that_may_share_words_keep_them():
    adjectives = Relations(
        (
            Relation("SIM", "similarity", "SIM", "adjective", shares_words_with=("ASY",)),
            Relation("ASY", "synonymy", "ASY", "adjective"),
            Relation("AAN", "antonymy", "AAN", "adjective"),
        )
    )
    gold_tuples = gold("big SIM huge", "big ASY huge", "big SIM tall", "big AAN tall", "big AAN small", "big SIM big")
    sets = relata(gold_tuples, wordnet(), words("big huge tall small"), adjectives)
    assert said(sets) == {"big SIM huge", "big ASY huge", "big AAN small"}


def test_a_target_is_looked_up_as_the_parts_of_speech_of_its_relations():
    relations = Relations(
        (Relation("SIM", "s", "SIM", "adjective"), Relation("HYP", "h", "HPO"), Relation("HPO", "h", "HYP"))
    )
    tuples_of_hot = gold("hot SIM warm", "robin HYP bird")
    assert targets_of(tuples_of_hot, relations) == {"adjective": ["hot"], "noun": ["robin"]}
