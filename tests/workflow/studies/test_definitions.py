"""The definitions study of the toy: what a run leaves, and what its scores are."""

import shutil

import pytest
import torch
from relprobe.studies.definitions.dictionary import template
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from tests.workflow.toy_data import PATTERNS

AGENTS = ["humans", "random", "length", "frequency", "tiny-vectors", "static", "tiny-masked", "tiny-causal"]
VERBS = 7
"""The synsets of the verbs' only group; the nouns have one, of the goose."""


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    page = (finished.results / "definitions/report.html").read_text()
    assert page.count("<svg") == 4
    assert "no static baseline" not in page
    overview = finished.table("definitions/tables/overview.csv")
    assert overview.filter(part_of_speech="verb")["agent"].to_list() == AGENTS
    assert overview["groups"].to_list() == [1] * 8 + [1] + [VERBS] * 7  # people answered one group of each
    guess = overview.filter(agent="random", part_of_speech="verb").row(0, named=True)
    # W2D: five groups of six definitions, and two (nod) of five.
    assert guess["W2D P@1"] == pytest.approx((5 / 6 + 2 / 5) / 7)
    assert guess["W2D RS"] == guess["D2W RS"] == 0.5
    tests = finished.table("definitions/tables/tests.csv")
    assert set(tests.select("metric", "paper_test").rows()) == {
        *(("W2D P@1", "McNemar"), ("D2W P@1", "McNemar")),
        *(("W2D RS", "Wilcoxon"), ("D2W RS", "Wilcoxon")),
    }
    assert set(tests["clusters"]) == {1}
    assert tests["p"].min() > 0.05  # one family of verbs and one of nouns show nothing
    tasks = finished.table("definitions/tables/tasks.csv")
    assert set(tasks.select("agent", "metric", "condition").rows()) == {
        (agent, metric, pos) for agent in AGENTS for metric in ("P@1", "RS") for pos in ("noun", "verb")
    }
    confused = finished.table("definitions/tables/confusions.csv")
    assert set(confused["agent"]) <= set(AGENTS) - {"random"}
    assert (confused["rank"] > 1).all()


def test_people_stand_beside_models_on_the_groups_that_they_answered(finished):
    table = finished.table("definitions/tables/people.csv")
    nouns = {row["agent"]: row for row in table.filter(condition="noun").iter_rows(named=True)}
    assert set(nouns) == set(AGENTS)
    # Of the six definitions of the goose, Anna ranks the right one first. Ben ranks another first, so that the right one has
    # the ranks 2 to 6, on average 4: (6 - 4) / 5.
    assert nouns["humans"]["W2D P@1"] == 1 / 2
    assert nouns["humans"]["W2D RS"] == pytest.approx((1 + 2 / 5) / 2)
    assert nouns["humans"]["D2W RS"] == pytest.approx((6 - 2) / 5)
    small = table.filter(condition="groups of up to 10 candidates")
    assert small["groups"].to_list() == [2] * len(AGENTS)
    published = finished.table("definitions/tables/published.csv").filter(where="Table 8", agent="humans")
    assert published["ours"].null_count() == 0


def test_named_targets_leaks_and_frequencies_are_in_tables(finished):
    targets = finished.table("definitions/tables/targets.csv")
    assert set(targets["word"]) == {"nod"}
    assert set(targets["agent"]) == set(AGENTS) - {"random"}
    told = finished.table("definitions/tables/told.csv")
    assert told.select("part_of_speech", "groups").rows() == [("noun", 1), ("verb", VERBS)]
    bands = finished.table("definitions/tables/frequency.csv").filter(agent="static")
    # The goose has 50 uses. Of the verbs nod (two groups) has 300, warm up 12, beckon 5, and the file lacks the others.
    assert dict(bands.select("condition", "groups").iter_rows()) == {
        **{"noun, medium": 1, "verb, rare": 4, "verb, medium": 1, "verb, frequent": 2}
    }


def test_the_choices_stand_in_one_table_with_their_effects(finished):
    table = finished.table("definitions/tables/sensitivity.csv")
    read = table.filter(choice="D2W reads of a word")
    causal, masked = (set(read.filter(agent=name)["other"]) for name in ("tiny-causal", "tiny-masked"))
    assert causal == {"all tokens", "the mean token", "all tokens and the word's end"}
    assert masked == {"all tokens"}
    assert set(table.filter(choice="average over the patterns")["agent"]) == {"tiny-masked"}
    everyone = set(AGENTS) - {"humans", "random"}
    assert set(table.filter(choice="equal scores")["agent"]) == everyone
    assert (table["other_value"] - table["value"] - table["effect"]).drop_nulls().abs().max() < 1e-12


def test_a_larger_sample_asks_only_what_is_new(study):
    """The scores of the pairs that a smaller sample asked for are the stored ones, bit by bit."""
    study.only("definitions")
    scores = "results/definitions/scores/tiny-causal.parquet"
    study.set("definitions", sample={"noun": 1, "verb": 2, "seed": 1})
    shutil.rmtree(study.results / "definitions/scores")
    study.finish(scores)
    log = study.results / "logs/definitions/scores/tiny-causal.log"
    first = pairs_of(study)
    study.set("definitions", sample={"noun": 1, "verb": 5, "seed": 1})
    study.finish(scores)
    second = pairs_of(study)
    new = len(second) - len(first)
    assert f"{len(first)} questions were stored, and {new} were asked" in log.read_text()
    assert first.keys() < second.keys()
    assert all(second[key] == values for key, values in first.items())
    whole = study.copy(study.folder.parent / "whole")
    shutil.rmtree(whole.results / "definitions/scores")
    whole.finish(scores)
    other = pairs_of(whole)
    assert other.keys() == second.keys()
    assert all(other[key] == pytest.approx(values, abs=1e-4) for key, values in second.items())


def pairs_of(study):
    """Definition, pattern and word -> the values of a pair."""
    probes = {row["probe_id"]: row for row in study.table("definitions/probes.parquet").iter_rows(named=True)}
    return {
        (probes[row["probe_id"]]["definition"], row["pattern"], word): values
        for row in study.table("definitions/scores/tiny-causal.parquet").iter_rows(named=True)
        for word, *values in zip(
            probes[row["probe_id"]]["words"], row["logprobs"], row["first"], row["tokens"], row["whole"], strict=True
        )
    }


def test_other_counts_ask_no_model(study):
    study.only("definitions")
    (study.folder / "data/counts.csv").write_text("word,count\nnod,7\n")
    scheduled = study.scheduled()
    assert scheduled["definitions_properties"] == 1
    assert sum(count for rule, count in scheduled.items() if rule.endswith("metrics")) == len(AGENTS)
    assert not {"definitions_probes", "definitions_scores"} & scheduled.keys()


@pytest.mark.slow("it runs one more study to its page")
def test_an_own_dictionary_needs_no_wordnet(study):
    study.only("definitions")
    (study.folder / "data/own_dictionary.csv").write_text(template().dictionary)
    resources = {"own_definitions": {"path": "data/own_dictionary.csv"}}
    study.configure(resources=resources, encoders=None, vectors=None)
    study.set("definitions", targets=["beckon"])
    study.finish()
    overview = study.table("definitions/tables/overview.csv")
    assert overview.select("part_of_speech", "groups").unique(maintain_order=True).rows() == [("noun", 5), ("verb", 5)]
    bands = study.table("definitions/tables/frequency.csv").filter(agent="length")
    assert dict(bands.select("condition", "groups").iter_rows())["noun, rare"] == 1  # a pair of pliers has 4 uses
    assert study.table("definitions/tables/published.csv").is_empty()
    page = (study.results / "definitions/report.html").read_text()
    assert 'id="depth"' not in page
    assert "<dt>Results by depth</dt><dd>It needs WordNet" in page


@pytest.mark.parametrize("name", ["tiny-masked", "tiny-causal"])
def test_stored_scores_equal_a_plain_forward_of_transformers(finished, name):
    folder = finished.folder / "data" / name.removeprefix("tiny-")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    masked = name == "tiny-masked"
    net = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder).eval()
    probes = {row["probe_id"]: row for row in finished.table("definitions/probes.parquet").iter_rows(named=True)}
    unknown = 0
    for row in finished.table(f"definitions/scores/{name}.parquet").iter_rows(named=True):
        probe = probes[row["probe_id"]]
        pattern = PATTERNS["masked" if masked else "causal"][probe["pos"]][row["pattern"]]
        text = pattern.replace("[DEF]", probe["definition"])
        for i, word in enumerate(probe["words"]):
            logprobs = (masked_logprobs if masked else causal_logprobs)(net, tokenizer, text, word)
            if logprobs is None:
                unknown += 1
                assert row["logprobs"][i] is row["first"][i] is row["tokens"][i] is None
                continue
            assert row["tokens"][i] == len(logprobs)
            assert row["logprobs"][i] == pytest.approx(sum(logprobs), abs=1e-3)
            assert row["first"][i] == pytest.approx(logprobs[0], abs=1e-3)
    assert (unknown > 0) == masked  # "owl"


def masked_logprobs(net, tokenizer, text, word):
    """The log-probability of each token of a word, with as many masks as it has tokens; None for an unknown word."""
    ids = tokenizer(word, add_special_tokens=False).input_ids
    if tokenizer.unk_token_id in ids:
        return None
    inputs = tokenizer(text.replace("[V]", " ".join(["[MASK]"] * len(ids))), return_tensors="pt").input_ids
    places = (inputs[0] == tokenizer.mask_token_id).nonzero()[:, 0]
    assert len(places) == len(ids)
    with torch.no_grad():
        logprobs = net(input_ids=inputs).logits[0].log_softmax(-1)
    return [float(logprobs[place, token]) for place, token in zip(places, ids, strict=True)]


def causal_logprobs(net, tokenizer, text, word):
    """The log-probability of each token of a word by the chain rule."""
    start = tokenizer(text.removesuffix(" [V]")).input_ids
    ids = tokenizer(f" {word}", add_special_tokens=False).input_ids
    with torch.no_grad():
        logprobs = net(input_ids=torch.tensor([start + ids])).logits[0].log_softmax(-1)
    return [float(logprobs[len(start) - 1 + i, token]) for i, token in enumerate(ids)]


def test_the_log_says_how_many_inputs_were_saved(finished):
    log = (finished.results / "logs/definitions/scores/tiny-masked.log").read_text()
    # Verbs, one pattern: W2D and D2W have 40 candidates each. The goose, two patterns: 6 and 6.
    # Six definitions of verbs have words of one token and of two (warm up). Six definitions of nouns, in two patterns: those
    # of other birds and pets have the goose alone as a candidate (two tokens), its own has all six words.
    assert "model inputs answered 104 questions" in log
    assert f"{12 + 2 * (5 + 2)} model inputs" in log
    assert "'owl'" in log
