"""The relations study of the toy: what a run leaves, and what its scores are."""

import itertools
import re

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

METRICS = {
    *("soundness", "completeness", "symmetry", "asymmetry", "prototypicality", "distinguishability", "audc"),
    *("first_related", "unrelated", "misses", "audc_printed", "no_word", "outside"),
}


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    page = (finished.results / "relations/report.html").read_text()
    assert page.count("<svg") == len(list((finished.results / "relations/figures").glob("*.svg"))) > 10
    assert "tiny-causal" in page
    averages = finished.table("relations/averages.parquet")
    models = {"tiny-masked", "tiny-causal", "tiny-few", "tiny-list"}
    controls = {"majority", "neighbours", "typical", "nearest", "frequency"}
    alone = {model: f"{model}+without-target" for model in ("tiny-masked", "tiny-causal", "tiny-few")}
    assert set(averages["agent"]) == {"annotator", "humans", *models, *controls, *alone.values()}
    assert set(averages["metric"]) == METRICS
    kinds = {
        frozenset(row[:2]): row[2]
        for row in finished.table("relations/tests.parquet")[["agent_a", "agent_b", "family"]].rows()
    }
    models -= {"tiny-list"}  # no answer of its random network can be read, so it has no values
    assert kinds == {
        **{frozenset(pair): "models" for pair in itertools.combinations(models, 2)},
        **{frozenset(("annotator", model)): "people" for model in models},
        **{frozenset(("humans", agent)): "pooled people" for agent in ("annotator", *models)},
        **{
            frozenset((control, agent)): "controls"
            for control in controls
            for agent in ("annotator", "humans", *models)
        },
        **{frozenset(pair): "controls" for pair in alone.items()},
    }


def test_every_agent_has_a_contrast_between_the_relations_that_its_targets_are_asked_for(finished):
    both = pl.read_csv(finished.results / "relations/tables/relation_use.csv").filter(pl.col("relation").is_null())
    assert both["measure"].to_list() == ["for this target"] * (both.height // 2) + ["plain"] * (both.height // 2)
    table = both.filter(measure="plain")
    agents = ["annotator", "humans", "tiny-masked", "tiny-causal", "tiny-few", "tiny-list"]
    alone = [f"{model}+without-target" for model in ("tiny-masked", "tiny-causal", "tiny-few")]
    assert table["agent"].to_list() == [*agents, "majority", "neighbours", "typical", "nearest", "frequency", *alone]
    families = dict(table.select("agent", "family").rows())
    assert (families["humans"], families["frequency"]) == ("pooled people", "controls")
    assert all(note or p is not None for note, p in table.select("note", "p").rows())


def test_the_humans_get_what_their_answers_say(finished):
    averages = finished.table("relations/averages.parquet").filter(agent="humans")
    value = {
        (metric, relation, k): value
        for metric, relation, k, value in averages.select("metric", "relation", "k", "value").rows()
    }
    assert value["soundness", "ANT", None] == 1
    assert value["soundness", "HYP", None] == 1
    assert value["symmetry", "ANT", 1] == 1
    assert ("prototypicality", "ANT", None) not in value  # the pooled humans are not compared with themselves
    assert not any(metric == "asymmetry" for metric, _, _ in value)


@pytest.mark.parametrize("name", ["tiny-masked", "tiny-causal"])
def test_stored_scores_equal_a_plain_forward_of_transformers(finished, name):
    folder = finished.folder / "data" / name.removeprefix("tiny-")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    masked = name == "tiny-masked"
    net = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder).eval()
    probes = finished.table("relations/probes.parquet")
    scores = pq.read_table(finished.results / f"relations/scores/{name}.parquet").to_pylist()
    variants_of = dict(probes.select("probe_id", "variants").iter_rows())
    assert len(scores) == probes.height
    for row in scores:
        p = torch.zeros(net.config.vocab_size)
        for variant in variants_of[row["probe_id"]]:
            text = variant["text"].replace("[V]", "[MASK]") if masked else variant["text"].removesuffix(" [V]")
            ids = tokenizer(text, return_tensors="pt").input_ids
            place = int((ids[0] == tokenizer.mask_token_id).nonzero()) if masked else -1
            with torch.no_grad():
                p += variant["weight"] * net(input_ids=ids).logits[0, place].softmax(-1)
        best = p.log().topk(5)
        assert torch.allclose(best.values, torch.tensor(row["logprobs"][:5]), atol=1e-4)
        assert row["token_ids"][:5] == best.indices.tolist()


def test_no_example_holds_a_word_of_the_probe_or_of_its_answers(finished):
    probes = finished.table("relations/probes.parquet")
    examples = finished.table("relations/examples.parquet").join(probes, on="probe_id")
    answers = {}
    for name in ("tuples", "relata"):
        for target, relatum in finished.table(f"relations/{name}.parquet").select("target", "relatum").iter_rows():
            answers.setdefault(target, {target}).add(relatum)
    assert examples.height == 3 * probes.height
    for target, texts in examples.select("target", "texts").iter_rows():
        assert len(texts) >= 2
        assert answers[target].isdisjoint(" ".join(texts).split()), target


def test_what_was_sent_stands_in_a_table(finished):
    sent = dict(finished.table("relations/tables/sent.csv").select("agent", "text").iter_rows())
    assert sent["tiny-causal"] == "the word animal has a more general meaning than the word"
    assert sent["tiny-masked"] == "[CLS] the word animal has a more general meaning than the word [MASK] [SEP]"
    first, second, probe = sent["tiny-few"].split("\n")
    assert probe == "a day is the opposite of a"
    assert first != second
    assert all(" is the opposite of a" in example for example in (first, second))
    assert sent["tiny-list"].count("<s>") == 1
    assert sent["tiny-list"].endswith("than the word ___\nassistant:")


def test_agents_of_one_model_share_its_files(finished):
    fetched = {path.stem for path in (finished.folder / "resources/fetched/models").glob("*.json")}
    assert fetched == {path.stem for path in (finished.results / "models/lexicon").iterdir()}
    assert fetched == {"tiny-masked", "tiny-causal"}


def test_the_draws_of_examples_are_compared(finished):
    table = finished.table("relations/tables/shots_draws.csv")
    assert set(table["agent"]) == {"tiny-few"}
    assert table.group_by("relation").len()["len"].to_list() == [3] * 6


def test_a_sample_is_answered_with_words_of_any_length(finished):
    scores = finished.table("relations/words/tiny-causal.parquet")
    probes = finished.table("relations/probes.parquet").join(scores, on="probe_id", how="semi")
    assert set(probes["kind"]) == {"main"}
    assert probes.group_by("relation").agg(pl.col("target").n_unique())["target"].max() == 2
    table = finished.table("relations/tables/answer_spaces.csv")
    assert set(table["agent"]) == {"tiny-causal"}
    assert table.group_by("relation").agg("answers")["answers"].to_list() == [["tokens", "lexicon", "words"]] * 6


def test_lists_are_pooled_as_those_of_people(finished):
    writing = finished.table("relations/writing/tiny-list.parquet")
    main = finished.table("relations/probes.parquet").filter(kind="main")
    assert sorted(set(writing["probe_id"])) == sorted(main["probe_id"])
    assert set(writing["sample"]) == {1, 2}
    counts = finished.table("relations/tables/writing.csv")
    assert counts["answers"].sum() == writing.height
    entropies = finished.table("relations/tables/writing_entropy.csv")
    assert entropies["responses"][-1] == writing.filter(pl.col("words").list.len() > 0)["probe_id"].n_unique()
    # What a random network writes cannot be read, but for a few letters.
    assert counts["note"].str.contains(r"^no value, as (9\d|100) %").all()
    assert finished.table("relations/metrics/tiny-list.parquet").is_empty()


@pytest.mark.slow("it runs one more study to its page")
def test_answers_may_be_words_of_any_length(relations, tmp_path):
    """No panel is needed, all answers are words of the list, and the other two kinds of answers stand beside them."""
    study = relations.copy(tmp_path / "study")
    study.unset("relations", "word_sample")
    study.set("relations", answers="words", calibrate="prior")
    study.configure(lexicon=None)
    assert study.scheduled()["relations_words"] == 3
    study.finish()
    # More targets can be counted, so that there are more probes; what was asked before is stored.
    log = (study.results / "logs/relations/scores/tiny-causal.log").read_text()
    assert re.search(r" [1-9]\d* questions were stored", log), log
    words = study.table("relations/word_list.parquet")["word"].to_list()
    assert {"the", "robin", "building"} <= set(words)
    for name in ("tiny-masked", "tiny-causal"):
        scores = study.table(f"relations/words/{name}.parquet")
        assert scores.height == study.table("relations/probes.parquet").height
        assert all(0 < len(ids) <= 10 and max(ids) < len(words) for ids in scores["word_ids"])
    choices = study.table("relations/tables/sensitivity.csv").filter(pl.col("agent") == "tiny-causal")["choice"]
    assert {"as configured", "answers: tokens", "answers: lexicon", "calibrate: none"} <= set(choices)
    overview = study.table("relations/tables/overview.csv")
    assert overview.filter(pl.col("agent") == "tiny-causal")["no_word"].is_between(0, 1).all()
    (study.folder / "data/own.txt").write_text("steering wheel\n")
    study.set("relations", word_list={"frequent": 40, "path": "data/own.txt"})
    sets = "results/relations/relata.parquet"
    assert study.finish(sets).scheduled(sets) == {}
    assert "steering wheel" in study.table("relations/word_list.parquet")["word"]
    (study.folder / "data/own.txt").write_text("steering wheel\nice cream\n")
    assert study.scheduled(sets) == {"relations_word_list": 1, "relations_probes": 1, "relations_gold": 1}


@pytest.mark.slow("it runs one more study to its page")
def test_answers_may_be_closed_lists(relations, tmp_path):
    """Every word of a probe's list has a score; lists touch no scores of tokens, and a new model touches no other."""
    study = relations.copy(tmp_path / "study")
    codes = ("HYP", "HPO", "HOL", "MER", "ANT", "SYN")
    lists = {code: ["bird", "animal", "steering wheel", "home", "day", "wing"] for code in codes}
    file = study.folder / "data/candidates.csv"
    rows = [f"{code},{word}," for code, words in lists.items() for word in words]
    file.write_text("\n".join(["relation,candidate,target", *rows, "HYP,bird,robin", "HYP,flock of birds,robin", ""]))
    study.unset("relations", "word_sample")
    study.set("relations", answers="candidates", candidates={"path": "data/candidates.csv"}, calibrate="premise")
    study.configure(lexicon=None)
    parts = ["sensitivity/tiny-causal", "metrics/tiny-masked", "metrics/annotator", "losses"]
    wanted = [f"results/relations/{part}.parquet" for part in parts]
    assert study.scheduled(*wanted) == {
        "relations_probes": 1,  # of more targets: a list has words of any length
        "relations_candidates": 1,
        "relations_gold": 1,
        "relations_scores": 2,
        "relations_candidate_scores": 2,
        "relations_metrics": 2,
        "relations_people_metrics": 1,
    }
    study.finish(*wanted)
    probes, words = (study.table(f"relations/{name}.parquet") for name in ("probes", "candidate_words"))
    for name in ("tiny-masked", "tiny-causal"):
        scores = study.table(f"relations/candidate_scores/{name}.parquet").join(probes, on="probe_id")
        assert scores.height == probes.height  # also about targets of several tokens
        for relation, target, ids, logprobs, premise in scores.select(
            "relation", "target", "word_ids", "logprobs", "premise"
        ).iter_rows():
            held = {"bird", "flock of birds"} if (relation, target) == ("HYP", "robin") else set(lists[relation])
            answers = set(words["word"].gather(ids))
            assert (
                answers <= held if name == "tiny-masked" else answers == held
            )  # a small vocabulary cannot spell "flock"
            assert len(ids) == len(logprobs) == len(premise)
    # What a model was not asked is that of these answers, and not of its likeliest tokens.
    table = "results/relations/tables/attrition.parquet"
    plan = study.snakemake("--dry-run", "--printshellcmds", "--forcerun", "relations_show", "--", table)
    asked = set(re.search(r"relations show .*--counted (.*?) --", plan.stdout + plan.stderr)[1].split())
    models = ("tiny-masked", "tiny-causal", "tiny-few")
    assert asked == {f"results/relations/candidate_scores/{name}.parquet" for name in models}
    choices = set(study.table("relations/sensitivity/tiny-causal.parquet")["choice"])
    assert {"as configured", "answers: tokens", "calibrate: none", "calibrate: prior"} <= choices
    robin_scores = scores.filter(pl.col("probe_id") == "hyp-kind:robin")
    gains = np.subtract(*(robin_scores[name][0].to_numpy() for name in ("logprobs", "premise")))
    best = words["word"][robin_scores["word_ids"][0][int(np.argmax(gains))]]
    metrics = study.table("relations/metrics/tiny-causal.parquet")
    value = metrics.filter(metric="soundness", relation="HYP", target="robin")["value"].item()
    assert value == (best == "bird")  # its only relatum among its candidates
    # The pages have the shares among the candidates of a probe, whatever ranks the words.
    for name in ("tiny-masked", "tiny-causal"):
        probe_scores = study.table(f"relations/candidate_scores/{name}.parquet").filter(probe_id="hyp-kind:robin")
        odds = np.exp(probe_scores["logprobs"][0].to_numpy() - probe_scores["logprobs"][0].max())
        shares = dict(zip(words["word"].gather(probe_scores["word_ids"][0]), odds / odds.sum(), strict=True))
        shown = study.table(f"relations/top_words/{name}.parquet").filter(probe_id="hyp-kind:robin")
        assert dict(shown.select("word", "weight").iter_rows()) == pytest.approx(shares, rel=1e-4)
    study.add_model()
    new = "results/relations/metrics/tiny-new.parquet"
    assert study.scheduled(*wanted, new) == {
        "models_snapshot": 1,
        "models_lexicon": 1,
        "relations_scores": 1,
        "relations_candidate_scores": 1,
        "relations_metrics": 1,
    }
    file.write_text(file.read_text().replace("SYN,bird,\n", ""))
    assert study.scheduled(*wanted) == {
        "relations_candidates": 1,
        "relations_gold": 1,
        "relations_candidate_scores": 2,
        "relations_metrics": 2,
        "relations_people_metrics": 1,
    }


def test_a_model_can_be_an_agent_twice_with_and_without_examples(study):
    models = study.config["models"]
    examples = "- a wall is a part of a building; a day isn't a night"
    study.configure(models={**models, "few-shot": {**models["tiny-causal"], "context": examples}})
    study.finish("results/relations/scores/few-shot.parquet")
    without, few = (study.table(f"relations/scores/{name}.parquet") for name in ("tiny-causal", "few-shot"))
    assert without["probe_id"].equals(few["probe_id"])
    assert not without["logprobs"].equals(few["logprobs"])


def test_scores_do_not_depend_on_the_batches(study, finished):
    study.configure(scoring={"batch_tokens": 7})
    name = "relations/scores/tiny-causal.parquet"
    study.finish("--force", f"results/{name}")
    for one, other in zip(
        finished.table(name).iter_rows(named=True), study.table(name).iter_rows(named=True), strict=True
    ):
        assert one["probe_id"] == other["probe_id"]
        assert one["logprobs"] == pytest.approx(other["logprobs"], abs=1e-4)
