"""Closed lists: which words are candidates, what they limit, and what a model is asked."""

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.closed_lists import slot_candidates
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.score_files.words import candidate_table
from relprobe.lm.words.lexicon import WORDS
from relprobe.sources.lexical import wordnet
from relprobe.sources.lexical.wordnet import prepare
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import (
    PREMISES,
    closed_probes,
    in_all_words,
    in_list_order,
    lists_of,
    premise,
    premises_of,
)
from relprobe.studies.relations.prompts import Prompt, read
from relprobe.studies.relations.relata import relata
from relprobe.studies.relations.schemas import PROBES
from relprobe.studies.relations.tuples import CANDIDATES, lexical_resource

from tests.patched import Patch
from tests.paths import ROOT
from tests.sources.lexical import tiny_wordnet
from tests.steps import run_step
from tests.studies.relations.six import ENGLISH, FILE, SIX

LANGUAGE = ROOT / "resources/languages/english.yaml"
OWN = "relation,candidate,target\nHYP,bird,\nHYP,animal,\nHYP,beast,robin\nHYP,wild bird,robin\nANT,day,\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The files of two studies up to the relatum sets: one with the default lists, and one with lists of its own."""
    home = tmp_path_factory.mktemp("candidates")
    prepare(tiny_wordnet.write(home / "original"), home / "nltk_wordnet")
    write_manifest(home / "nltk_wordnet")
    (home / "own_tuples").mkdir()
    (home / "own_tuples/own.csv").write_text("target,relation,relatum\nrobin,HYP,wild bird\nnight,ANT,day\n")
    write_manifest(home / "own_tuples")
    (home / "prompts.yaml").write_text(
        "HYP:\n- {id: is, text: '[DET] [W] is [DET] [V]'}\n- {id: none, text: '[W]: [V]'}\n"
    )
    (home / "own.csv").write_text(OWN)
    given, tuples = home / "given.parquet", home / "tuples.parquet"
    about = {"relations": FILE, "language": LANGUAGE}
    files = {
        "raw_tuples": given,
        "tuples": tuples,
        "out": home / "probes.parquet",
        "premises": home / "premises.parquet",
    }
    inputs = {"sources": [home / "own_tuples.json"], "prompts": home / "prompts.yaml"}
    run_step("relations", "probes", **inputs, **about, **files, exemplar_frequency=1)
    about["wordnet"] = home / "nltk_wordnet.json"
    with tiny_wordnet.reader_of(home / "nltk_wordnet") as reader, Patch.context() as patched:
        patched.setattr(wordnet, "load", lambda _: reader)
        for name, own in (("default", None), ("own", home / "own.csv")):
            (home / name).mkdir()
            lists = {one: home / name / f"{one}.parquet" for one in ("lists", "listed", "words")}
            run_step("relations", "candidates", tuples=tuples, **about, list_file=own, **lists)
            before, after, words, own_lists = map(pl.read_parquet, (given, tuples, lists["words"], lists["lists"]))
            resource = lexical_resource(about["wordnet"], ENGLISH)
            sets = relata(before, after, words, SIX, resource, candidates=own_lists)
            sets.out.write_parquet(home / name / "relata.parquet")
            sets.losses.write_parquet(home / name / "losses.parquet")
    return home


def words(table, **where):
    """The words of some lists or sets."""
    return set(table.filter(**where)["word" if "word" in table.columns else "relatum"])


def test_by_default_all_relata_of_a_relation_are_its_candidates(home):
    lists = pl.read_parquet(home / "default/lists.parquet")
    assert lists["target"].null_count() == lists.height
    # the tuple's wild bird, and two steps up from the robin, the night and the day (of which the time is one step up)
    assert words(lists, relation="HYP") == {"wild bird", "bird", "animal", "beast", "time"}
    assert words(lists, relation="ANT") == {"day", "night"}
    sets = pl.read_parquet(home / "default/relata.parquet")
    assert words(sets, target="robin", relation="HYP") == {"wild bird", "bird", "animal", "beast"}
    assert pl.read_parquet(home / "default/listed.parquet").equals(pl.read_parquet(home / "tuples.parquet"))


def test_own_lists_limit_the_relata_and_a_target_has_its_own(home):
    sets = pl.read_parquet(home / "own/relata.parquet")
    assert words(sets, target="robin", relation="HYP") == {"wild bird", "beast"}
    assert sets.filter(target="night", relation="HYP").is_empty()  # time is no candidate
    listed = pl.read_parquet(home / "own/listed.parquet").select("target", "relation", "relatum").rows()
    assert listed == [("night", "ANT", "day"), ("robin", "HYP", "wild bird")]
    lost = pl.read_parquet(home / "own/losses.parquet")
    reasons = set(
        lost.filter(reason="not in the list of candidates").select("kind", "relation", "target", "word").rows()
    )
    assert {("relatum", "HYP", "robin", "animal"), ("tuple", "ANT", "day", "night")} <= reasons
    gone = lost.filter(kind="target").select("relation", "target", "reason").rows()
    assert ("ANT", "day", "none of its tuples is in the list of candidates") in gone
    assert set(lost.filter(pl.col("reason").str.contains("list of candidates"))["step"]) == {"lexicon"}


def test_a_premise_is_the_prompt_without_its_target():
    def text(prompt):
        return premise(Prompt("p", "HYP", prompt, ""))

    assert text("[DET] [W] is a kind of [DET] [V]") == "is a kind of [DET] [V]"
    assert text("[DET] [W], such as [DET] [V]") == "such as [DET] [V]"
    assert text("my favorite [W] is [DET] [V]") == "my favorite is [DET] [V]"
    assert text("[W]: [V]") is None
    assert all(premise(shipped) for shipped in read(ROOT / "resources/prompts/relations.yaml"))


PROBABILITIES = {
    "robin": {"bird": 0.5, "animal": 0.25, "wing": 0.25},
    "ant": {"bird": 0.1, "animal": 0.4, "wing": 0.5},
    "is": {"bird": 0.8, "animal": 0.1, "wing": 0.1},
}
"""What follows the last word; a premise ends with "is"."""
LISTS = [("HYP", None, "bird"), ("HYP", None, "animal"), ("MER", None, "wing"), ("MER", "robin", "bird")]
ALL = pl.DataFrame({"word": ["animal", "bird", "wing"]}, schema=WORDS)


def probe(prompt_id, relation, target):
    text = f"is {target} [V]"
    return (f"{prompt_id}:{target}", relation, target, prompt_id, "main", text, [{"text": text, "weight": 1.0}])


PROBE_ROWS = [
    probe("hyp", "HYP", "ant"),
    probe("mer", "MER", "ant"),
    probe("hyp", "HYP", "robin"),
    probe("mer", "MER", "robin"),
]
PROBE_TABLE = pl.DataFrame([*PROBE_ROWS, probe("syn", "SYN", "ant")], schema=PROBES, orient="row")


def write_scores(folder):
    """Write the score file of a model whose probabilities are PROBABILITIES; only hyp has a premise."""
    model = bigram_model(PROBABILITIES)
    lists = lists_of(pl.DataFrame(LISTS, schema=CANDIDATES, orient="row"), ALL, "en")
    asked = in_list_order(PROBE_TABLE, lists.numbers)
    premise_rows = [("hyp", [{"text": "is [V]", "weight": 1.0}]), ("mer", [])]
    premises = premises_of(pl.DataFrame(premise_rows, schema=PREMISES, orient="row"))
    todo = list(closed_probes(requests(asked), asked, premises))
    answers = list(in_all_words(slot_candidates(model, todo, lists.words), todo, lists))
    pq.write_table(candidate_table(answers), folder / "candidates.parquet")


def test_every_probe_is_asked_the_words_of_its_list_with_its_premise(tmp_path):
    write_scores(tmp_path)
    table = pl.read_parquet(tmp_path / "candidates.parquet")
    rows = {
        name: dict(zip(ids, np.round(np.exp(logprobs), 3).tolist(), strict=True))
        for name, ids, logprobs in table.select("probe_id", "word_ids", "logprobs").rows()
    }
    assert rows == {  # 0 animal, 1 bird, 2 wing; a probe without a list is not there
        "hyp:robin": {1: 0.5, 0: 0.25},
        "hyp:ant": {0: 0.4, 1: 0.1},
        "mer:ant": {2: 0.5},
        "mer:robin": {1: 0.5},
    }
    premises = dict(table.select("probe_id", "premise").rows())
    assert np.exp(premises["hyp:robin"]).round(3).tolist() == [0.8, 0.1]
    assert np.exp(premises["hyp:ant"]).round(3).tolist() == [0.1, 0.8]
    assert premises["mer:ant"] is premises["mer:robin"] is None
    outside = dict(table.select("probe_id", "outside").rows())
    assert outside["hyp:robin"] == pytest.approx(0.25, abs=1e-5)


def test_what_stands_before_a_probe_stands_before_its_premise():
    probes = pl.DataFrame({"probe_id": ["p:robin"], "prompt_id": ["p"], "list": [0]})
    asked, shown = [SlotProbe("p:robin", (Variant("x [V]"),))], {"p:robin": "an owl is a bird. "}
    (one,) = closed_probes(asked, probes, {"p": [Variant("is a [V]")]}, shown)
    assert [variant.text for variant in one.premise.variants] == ["an owl is a bird. is a [V]"]
    (bare,) = closed_probes(asked, probes, {"p": [Variant("is a [V]")]})
    assert [variant.text for variant in bare.premise.variants] == ["is a [V]"]
