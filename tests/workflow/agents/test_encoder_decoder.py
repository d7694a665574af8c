"""An encoder-decoder model as an agent of all studies: a T5 is added to the finished toy, and only its jobs run."""

import json

import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from transformers import AutoTokenizer, T5ForConditionalGeneration

from tests.workflow import toy, toy_data
from tests.workflow.toy_models import encoder_decoder_model

pytestmark = pytest.mark.slow("it adds an agent to all studies of the toy")
WORDS = [word for word in toy_data.MASKED_WORDS if not word.startswith("##")]


@pytest.fixture(scope="module")
def extended(finished, once):
    """The toy of all studies with a T5 as two agents, and as an encoder of pairs."""
    place = once("t5", lambda folder: extend(finished.copy(folder / "study")))
    return toy.Study(place / "study", finished.environment)


def extend(study):
    """Add the T5 to a study, and finish it."""
    encoder_decoder_model(study.folder / "data/t5", seed=4, more=WORDS)
    agents = {
        "tiny-t5": {"type": "encoder-decoder", "path": "data/t5"},
        "tiny-t5-few": {"model": "tiny-t5", "shots": 2},
    }
    study.configure(
        models={**study.config["models"], **agents},
        encoders={**study.config["encoders"], "t5-encoder": {"path": "data/t5"}},
    )
    study.set("relations", word_sample={"targets": 2, "models": ["tiny-causal", "tiny-t5"]})
    study.finish()


def values(study, table, agent):
    """How many values of each metric an agent has in a table of averages: metric -> number."""
    own = study.table(table).filter(pl.col("agent") == agent, pl.col("value").is_not_null())
    return dict(own.group_by("metric").len().iter_rows())


READERS = {
    "degrees": ("schema", "analogy", "pmi", "hidden"),
    "pairs": ("statement", "sentence", "pmi", "verification", "embedding"),
}
"""Study -> what reads a model's answers, each an agent."""


@pytest.mark.parametrize("name", toy.STUDIES)
def test_it_has_the_values_of_a_masked_model_in_every_study(extended, name):
    averages = f"{name}/averages.parquet"
    for end in [f" {reader}" for reader in READERS.get(name, ())] or [""]:
        expected = values(extended, averages, f"tiny-masked{end}")
        assert expected
        for agent in ("tiny-t5", "tiny-t5-few"):
            own = values(extended, averages, f"{agent}{end}")
            missing = expected.keys() - own.keys()
            assert missing == (out_of_reach(name, end, expected) if agent == "tiny-t5-few" else set())


def out_of_reach(name, end, metrics):
    """The metrics of a study that no solved example changes: an agent with examples would repeat another one."""
    starts = {"analogies": "supervised", "systematicity": "detection"}
    if name in READERS:
        return set(metrics) if end in (" analogy", " hidden", " embedding") else set()
    return {metric for metric in metrics if metric.startswith(starts.get(name, "?"))}


def test_nobody_elses_scores_change(extended, finished):
    kinds = ("relations/scores", "definitions/scores", "systematicity/scores", "analogies/scores")
    files = [f"{kind}/{name}.parquet" for kind in kinds for name in ("tiny-masked", "tiny-causal")]
    assert [file for file in files if not extended.table(file).equals(finished.table(file))] == []


def test_it_is_asked_the_texts_of_masked_models(extended):
    sent = dict(extended.table("relations/tables/sent.csv").select("agent", "text").iter_rows())
    assert sent["tiny-t5"] == "the word animal has a more general meaning than the word<extra_id_0></s>"
    patterns = [
        set(extended.table(f"definitions/scores/{name}.parquet")["pattern"]) for name in ("tiny-t5", "tiny-masked")
    ]
    assert patterns[0] == patterns[1]
    scores = extended.table("systematicity/scores/tiny-t5.parquet")
    assert set(scores["method"]) == {"open", "slot"}
    about = json.loads(pq.read_schema(extended.results / "degrees/scores/pmi/tiny-t5.parquet").metadata[b"relprobe"])
    assert (about["type"], about["path"]) == ("encoder-decoder", "grouped")


def test_its_answers_are_those_of_the_plain_network(extended):
    folder = extended.folder / "data/t5"
    net, tokenizer = T5ForConditionalGeneration.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    probes = extended.table("relations/probes.parquet").join(
        extended.table("relations/scores/tiny-t5.parquet"), on="probe_id"
    )
    sentinel = tokenizer.convert_tokens_to_ids("<extra_id_0>")
    for variants, ids, logprobs in probes.select("variants", "token_ids", "logprobs").iter_rows():
        mixed = torch.zeros(len(tokenizer))
        for variant in variants:
            source = tokenizer(variant["text"].replace("[V]", "<extra_id_0>"), return_tensors="pt").input_ids
            with torch.no_grad():
                logits = net(input_ids=source, decoder_input_ids=torch.tensor([[0, sentinel]])).logits[0, -1]
            mixed += variant["weight"] * logits.softmax(-1)
        best = mixed.log().topk(len(ids))
        assert logprobs == pytest.approx(best.values.tolist(), abs=1e-4)
        assert logprobs == pytest.approx(mixed.log()[ids].tolist(), abs=1e-4)


def test_words_of_any_length_are_its_answers_on_the_sample(extended):
    assert set(extended.table("relations/tables/answer_spaces.csv")["agent"]) == {"tiny-causal", "tiny-t5"}
    scores = extended.table("relations/words/tiny-t5.parquet")
    assert scores["word_ids"].list.len().is_between(1, 10).all()
    assert scores["outside"].is_between(0, 1).all()


def test_the_tables_say_what_it_is_and_where_it_takes_no_part(extended):
    left_out = extended.table("relations/tables/left_out.csv")
    reason = "tiny-t5 and tiny-t5-few: neither masked nor causal, so not compared by type."
    assert set(left_out.filter(reason=reason)["table"]) == {"best_by_type", "wins_by_type"}
    used_as = extended.table("sources.csv").filter(pl.col("name") == "tiny-t5")["used_as"]
    assert set(used_as) == {"encoder-decoder model"}
    overview = extended.table("systematicity/tables/overview.csv").filter(pl.col("agent") == "tiny-t5")
    assert overview["singular"].is_not_null().all()
    assert overview["singular_sentence"].is_null().all()
    assert values(extended, "analogies/averages.parquet", "t5-encoder")
