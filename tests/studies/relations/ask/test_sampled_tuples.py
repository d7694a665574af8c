"""Probes about a sample of a WordNet of a few synsets, and the solved examples that may stand before them."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.manifest import write_manifest
from relprobe.sources.lexical import wordnet
from relprobe.sources.lexical.wordnet import prepare
from relprobe.studies.examples import DRAWS
from relprobe.studies.relations.method import probes
from relprobe.studies.relations.probes import probe_tables
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.shots import examples
from relprobe.studies.relations.tuples import SampleFrame, lexical_resource, read, resource_relata

from tests.patched import Patch
from tests.sources.lexical import tiny_wordnet
from tests.studies.relations.data.test_build import gold, said
from tests.studies.relations.six import ENGLISH, SIX

FREQUENT = ["the", "time", "day", "home", "house", "can", "night", "wall", "animal", "bird", "wing", "robin", "goose"]


@pytest.fixture(scope="module")
def princeton(tmp_path_factory):
    """The manifest of a WordNet of a few synsets, and the resource: a robin is a bird, and a bird an animal."""
    home = tmp_path_factory.mktemp("wordnet")
    prepare(tiny_wordnet.write(home / "original"), home / "nltk_wordnet")
    manifest = write_manifest(home / "nltk_wordnet")
    with tiny_wordnet.reader_of(home / "nltk_wordnet") as reader, Patch.context() as patched:
        patched.setattr(wordnet, "load", lambda _: reader)
        patched.setattr(wordnet, "by_frequency", lambda **_: FREQUENT)  # all 300,000 words take seconds
        yield manifest, lexical_resource(manifest, ENGLISH)


HELD = pl.DataFrame({"word": ["robin", "bird", "animal", "day", "night"]})


def drawn(princeton, frame, size=2, **options):
    manifest, _ = princeton
    settings = {"words": 100, "seed": 1, "tuples": {"HYP": size}, "shared_relata": True, "several_relations": False}
    return read(manifest, SIX, ENGLISH, 1, settings | options, frame)


def test_tuples_of_wordnet_are_drawn_among_the_words_that_may_be_answers(princeton):
    table = drawn(princeton, SampleFrame(HELD))
    assert said(table) == {"robin HYP bird", "bird HYP animal"}
    assert table["sources"].to_list() == [["wordnet"]] * 2
    with pytest.raises(DataError, match="only 2 HYP tuples are there, but the config asks for 3"):
        drawn(princeton, SampleFrame(HELD), 3)
    assert drawn(princeton, SampleFrame(), 3).height == 3  # of all words
    with pytest.raises(DataError, match="only 0 HYP tuples"):
        drawn(princeton, SampleFrame(HELD), words=2)  # the two most frequent nouns are time and day


def test_targets_that_share_a_relatum_of_the_expansion_are_not_drawn_together(princeton):
    """The robin is an animal, too, but no tuple says so."""
    assert drawn(princeton, SampleFrame(HELD), shared_relata=False).height == 2
    with pytest.raises(DataError, match="HYP"):
        drawn(princeton, SampleFrame(HELD, princeton[1]), shared_relata=False)
    assert drawn(princeton, SampleFrame(None, princeton[1]), 1, shared_relata=False).height == 1


def test_the_sample_of_a_study_is_drawn_from_its_lexicon_and_expansion(princeton):
    sample = {"words": 100, "seed": 1, "tuples": {"HYP": 2}, "shared_relata": True, "several_relations": False}
    prompts = [Prompt("is", "HYP", "[W] is [V]", "")]
    options = {"exemplar_frequency": 1, "wordnet_sample": sample}
    made = probe_tables([princeton[0]], prompts, SIX, ENGLISH, HELD, princeton[1], **options)
    assert said(made.raw_tuples) == {"robin HYP bird", "bird HYP animal"}
    assert set(made.out["probe_id"]) == {"is:robin", "is:bird", "is:animal"}
    with pytest.raises(DataError, match="HYP"):
        probe_tables(
            *([princeton[0]], prompts, SIX, ENGLISH, HELD, princeton[1]),
            **{**options, "wordnet_sample": {**sample, "shared_relata": False}},
        )


def test_what_a_resource_knows_of_all_words_is_in_the_lexicon(princeton):
    table = resource_relata(HELD, SIX, ENGLISH, princeton[1])
    assert said(table) == {
        *("robin HYP bird", "robin HYP animal", "bird HYP animal", "night ANT day", "day ANT night"),
        *("bird HPO robin", "animal HPO robin", "animal HPO bird"),
    }
    with_forms = pl.DataFrame({"word": [*HELD["word"], "birds", "robins"]})
    assert said(resource_relata(with_forms, SIX, ENGLISH, princeton[1])) == said(table)


EXAMPLES = "relations:\n  HYP:\n  - [oak, tree]\n  - [wren, animal]\n  - [sparrow, bird]\n  - [robin, pet]\n"


def test_no_example_holds_a_word_that_is_related_to_the_target_in_a_tuple_or_in_the_resource(princeton, tmp_path):
    file = tmp_path / "examples.yaml"
    file.write_text(EXAMPLES)
    tuples = gold("robin HYP bird", "bird HPO robin")
    prompts = [Prompt("is", "HYP", "[W] is [V]", ""), Prompt("such", "HPO", "[W] such as [V]", "")]
    asked = probes(tuples, prompts, ENGLISH.articles, SIX)
    plain = examples(asked, prompts, tuples, SIX, ENGLISH, file)
    related = examples(asked, prompts, tuples, SIX, ENGLISH, file, princeton[1])

    def texts(table, probe, draw=1):
        return set(*table.filter(probe_id=probe, draw=draw)["texts"])

    assert texts(plain, "is:robin") == {"oak is tree", "wren is animal"}
    assert texts(related, "is:robin") == {"oak is tree"}
    # those of the reverse, turned round; "bird" is a target, and the robin its relatum
    assert texts(plain, "such:bird") == {"tree such as oak", "animal such as wren"}
    assert texts(related, "such:bird") == {"tree such as oak"}
    assert sorted(plain["draw"].unique()) == list(range(1, DRAWS + 1))
    assert texts(plain, "is:robin", DRAWS) == texts(plain, "is:robin")
