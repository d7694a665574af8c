"""The relations study of the toy: what a run leaves, and what its scores are."""

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
    assert page.count("<svg") == 19
    assert "tiny-causal" in page
    averages = finished.table("relations/averages.parquet")
    assert set(averages["agent"]) == {"annotator", "humans", "tiny-masked", "tiny-causal"}
    assert set(averages["metric"]) == METRICS
    kinds = {
        frozenset(row[:2]): row[2]
        for row in finished.table("relations/tests.parquet")[["agent_a", "agent_b", "family"]].rows()
    }
    assert kinds == {
        frozenset(("tiny-masked", "tiny-causal")): "models",
        frozenset(("annotator", "tiny-masked")): "people",
        frozenset(("annotator", "tiny-causal")): "people",
        frozenset(("humans", "annotator")): "controls",
        frozenset(("humans", "tiny-masked")): "controls",
        frozenset(("humans", "tiny-causal")): "controls",
    }


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


def test_answers_may_be_words_of_any_length(relations, tmp_path):
    """No panel is needed, all answers are words of the list, and the other two kinds of answers stand beside them."""
    study = relations.copy(tmp_path / "study")
    study.set("relations", answers="words", word_list={"frequent": 40}, top_words=10)
    study.configure(lexicon=None)
    assert study.scheduled()["relations_words"] == 2
    assert "relations_scores" not in study.scheduled()
    study.finish()
    words = study.table("relations/word_list.parquet")["word"].to_list()
    assert {"the", "robin", "building"} <= set(words)
    for name in ("tiny-masked", "tiny-causal"):
        scores = study.table(f"relations/words/{name}.parquet")
        assert scores.height == study.table("relations/probes.parquet").height
        assert all(0 < len(ids) <= 10 and max(ids) < len(words) for ids in scores["word_ids"])
    choices = study.table("relations/tables/sensitivity.csv").filter(pl.col("agent") == "tiny-causal")["choice"]
    assert {"as configured", "answers: tokens", "answers: lexicon"} <= set(choices)
    overview = study.table("relations/tables/overview.csv")
    assert overview.filter(pl.col("agent") == "tiny-causal")["no_word"].is_between(0, 1).all()


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
