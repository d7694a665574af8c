"""The demonstration of this project's own: ten relations of twenty pairs, which the study can build probes of."""

import pytest
import yaml
from relprobe.sources.own.analogies import read
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.method import Split
from relprobe.studies.analogies.probes import build
from relprobe.studies.analogies.relations import read_own

from tests.paths import ROOT

CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text())["analogies"]
FILE = ROOT / CONFIG["demonstration"]
PAIRS = {relation: rows.select("head", "answers").rows() for (relation,), rows in read(FILE).group_by("relation")}


def test_it_has_ten_relations_of_twenty_pairs_with_the_groups_of_bats_in_other_words():
    assert {relation: len(pairs) for relation, pairs in PAIRS.items()} == dict.fromkeys(
        ["plural", "comparative", "past tense", "un-", "opposite", "part", "capital", "young animal", "sound", "maker"],
        20,
    )
    marked = read_own(FILE).select("relation", "marks").unique().filter(marks="†")
    assert marked["relation"].to_list() == ["opposite"]  # a reversed pair of opposites is as right


@pytest.mark.parametrize("relation", sorted(PAIRS))
def test_no_word_of_a_relation_comes_twice_so_that_training_tells_nothing_of_the_test(relation):
    words = [word for head, tails in PAIRS[relation] for word in (head, *tails)]
    assert len(set(words)) == len(words) == 40
    assert all(word == word.strip().lower() and word.isalpha() for word in words)


def test_the_default_study_can_build_its_probes_of_it():
    sample = {f"sample_{name}": size for name, size in CONFIG["sample"].items()}
    table, instances = build(read_own(FILE), Split(0.5, 1, **CONFIG["split"]), Choices(), **sample)
    assert table["relation"].n_unique() == 10
    assert instances["relation"].n_unique() == 10
    right = {(head, tail) for pairs in PAIRS.values() for head, (tail,) in pairs}
    both_ways = {(tail, head) for head, (tail,) in PAIRS["opposite"]}
    negatives = {(row["negative_head"], row["negative_tail"]) for row in instances.iter_rows(named=True)}
    assert negatives & right == set()
    assert negatives & both_ways  # the reverse probe of opposites, which the mark † warns of
