"""Links between words in any resource: a closure of steps takes each synset once."""

from relprobe.core.relation import Links, Relation
from relprobe.sources.lexical.resource import linked_words


class Tiny:
    """A resource whose pointers are given: synset -> the synsets that it points to. A synset has its name for a word."""

    def __init__(self, pointers, more=(), senses=()):
        self.pointers, self.more, self.senses = pointers, dict(more), dict(senses)

    def synsets(self, word, part, spelling="written"):
        return self.senses.get(word, [word])

    def forms(self, word, part, spelling="written"):
        return {word}

    def names(self, synset):
        return [synset, *self.more.get(synset, [])]

    def follow(self, synset, pointer):
        return self.pointers.get(synset, [])

    def related_words(self, synset, pointer, forms):
        return []


def reached(resource, word, depth, senses="all"):
    relation = Relation("ANT", "antonymy", "ANT", "adjective", Links(("similar",), depth=depth, senses=senses))
    table = linked_words(resource, {"adjective": [word]}, [relation])
    return dict(table.select("relatum", "steps").iter_rows())


def test_a_pointer_both_ways_leads_to_no_word_of_the_own_synset():
    both_ways = Tiny({"hot": ["cold"], "cold": ["hot"]}, {"hot": ["warm"]})
    assert reached(both_ways, "hot", 2) == {"cold": 1}


def test_a_word_has_its_fewest_steps_and_none_is_taken_beyond_the_depth():
    chain = Tiny({"a": ["b", "c"], "b": ["c"], "c": ["d"], "d": ["e"]})
    assert reached(chain, "a", 1) == {"b": 1, "c": 1}
    assert reached(chain, "a", 2) == {"b": 1, "c": 1, "d": 2}


def test_a_circle_ends():
    assert reached(Tiny({"a": ["b"], "b": ["c"], "c": ["a"]}), "a", 9) == {"b": 1, "c": 2}


def test_a_word_of_two_senses_has_the_fewest_steps_of_both_and_is_no_relatum_of_itself():
    """A second sense of hot leads to cold in one step, and the first one in two; one of them leads back to hot itself."""
    pointers = {"hot 1": ["tepid"], "tepid": ["cold", "hot"], "hot 2": ["cold"]}
    resource = Tiny(pointers, senses={"hot": ["hot 1", "hot 2"]})
    assert reached(resource, "hot", 3) == {"tepid": 1, "cold": 1}
    assert reached(resource, "hot", 3, senses="first") == {"tepid": 1, "cold": 2}
