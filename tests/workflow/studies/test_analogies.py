"""The analogies study of the toy: what a run leaves, and what its scores are."""

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

AGENTS = ["tiny-masked", "tiny-causal", "tiny-encoder", "static"]


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    page = (finished.results / "analogies/report.html").read_text()
    assert page.count("<svg") == 4
    assert all(agent in page for agent in AGENTS)
    overview = finished.table("analogies/tables/overview.csv").filter(group="All")
    assert overview["agent"].to_list() == AGENTS
    swapped = [column for column in overview.columns if column.endswith(", swapped query")]
    assert len(swapped) == 6
    # The swapped query is of the same relation, whose words the agent knows as well as those of the query.
    assert overview.drop("group", "agent").null_count().sum_horizontal().item() == 0
    assert {"contrast", "p_holm", "difference"} <= set(finished.table("analogies/tables/contrasts.csv").columns)
    assert "need not be scored again" in (finished.results / "logs/analogies/probes.log").read_text()


def test_the_tables_say_how_many_words_of_the_test_training_has_seen_and_which_test_decides(finished):
    assert set(finished.table("analogies/tables/data.csv")["draws"]) == {2}
    assert finished.table("analogies/tables/relations.csv")["tails_seen"].is_between(0, 1).all()
    assert set(finished.table("analogies/tables/frequency_summary.csv")["test"]) == {
        "permutation of families of tuples"
    }


def test_words_without_a_static_vector_are_counted_not_guessed(finished):
    table = finished.table("analogies/tables/unjudged.csv")
    counts = {(agent, setting): missing for agent, setting, _, missing in table.iter_rows()}
    assert counts["static", "unsupervised"] > 0  # the synonyms have none
    assert counts["tiny-masked", "unsupervised"] == counts["tiny-encoder", "unsupervised"] == 0


@pytest.mark.parametrize("name", ["tiny-masked", "tiny-causal"])
def test_stored_scores_equal_a_plain_forward_of_transformers(finished, name):
    folder = finished.folder / "data" / name.removeprefix("tiny-")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    masked = name == "tiny-masked"
    net = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder).eval()
    for row in finished.table(f"analogies/scores/{name}.parquet").head(6).iter_rows(named=True):
        ids = tokenizer(row["text"], return_tensors="pt").input_ids[0]
        places = range(1, len(ids) - 1 if masked else len(ids))  # not the special tokens; nothing predicts a first one
        total = 0.0
        for place in places:
            inputs = ids.clone() if masked else ids[:place]
            if masked:
                inputs[place] = tokenizer.mask_token_id
            with torch.no_grad():
                logits = net(input_ids=inputs[None]).logits[0]
            total += float(logits[place if masked else -1].log_softmax(-1)[ids[place]])
        assert row["logprob"] == pytest.approx(total, abs=1e-3)
        assert row["tokens"] == len(places)
