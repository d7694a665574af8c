"""The definitions study of the toy: what a run leaves, and what its scores are."""

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from tests.workflow.toy_data import PATTERNS

VERBS = 7
"""The synsets of the verbs' only group; the nouns have one, of the goose."""


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    page = (finished.results / "definitions/report.html").read_text()
    assert page.count("<svg") == 4
    assert "no static baseline" not in page
    overview = finished.table("definitions/tables/overview.csv")
    agents = ["random", "static", "tiny-masked", "tiny-causal"]
    assert overview.filter(part_of_speech="verb")["agent"].to_list() == agents
    assert overview["groups"].to_list() == [1] * 4 + [VERBS] * 4
    tests = finished.table("definitions/tables/tests.csv")
    assert set(tests.select("metric", "paper_test").rows()) == {
        *(("W2D P@1", "McNemar"), ("D2W P@1", "McNemar")),
        *(("W2D RS", "Wilcoxon"), ("D2W RS", "Wilcoxon")),
    }
    assert set(tests.select("clusters", "p").rows()) == {(1, 1.0)}  # one family of verbs and one of nouns show nothing
    tasks = finished.table("definitions/tables/tasks.csv")
    assert set(tasks.select("agent", "metric", "condition").rows()) == {
        (agent, metric, pos) for agent in agents for metric in ("P@1", "RS") for pos in ("noun", "verb")
    }
    confused = finished.table("definitions/tables/confusions.csv")
    assert set(confused["agent"]) == set(agents) - {"random"}
    assert (confused["rank"] > 1).all()


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
            logprobs = (of_masked if masked else of_causal)(net, tokenizer, text, word)
            if logprobs is None:
                unknown += 1
                assert row["logprobs"][i] is row["first"][i] is row["tokens"][i] is None
                continue
            assert row["tokens"][i] == len(logprobs)
            assert row["logprobs"][i] == pytest.approx(sum(logprobs), abs=1e-3)
            assert row["first"][i] == pytest.approx(logprobs[0], abs=1e-3)
    assert (unknown > 0) == masked  # "owl"


def of_masked(net, tokenizer, text, word):
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


def of_causal(net, tokenizer, text, word):
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
