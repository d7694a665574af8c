"""A model behind a server is an agent like any other: its scores, resuming after a kill, and what re-runs."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.lm.served.stub import Stub
from tests.workflow import toy

SCORES = "results/relations/scores/tiny-served.parquet"
TOP_K = 300
"""So many tokens that lists four times as long hold the whole vocabulary, and mixtures are exact."""


@pytest.fixture
def stub(finished):
    """A server of the toy's causal model, whose probabilities differ so much that first answers are certain."""
    folder = finished.folder / "data/causal"
    net = AutoModelForCausalLM.from_pretrained(folder).eval()
    with Stub(net, AutoTokenizer.from_pretrained(folder), key="sesame-open-7", max_logprobs=5000) as server:
        yield server


@pytest.fixture
def served(relations, stub, tmp_path):
    """The relations study with one more agent, tiny-served; its parts have five requests."""
    study = relations.copy(tmp_path / "study")
    study.set("relations", top_k=TOP_K)
    study.edit("lm/score_files/parts.py", "SERVED_PART = 5")
    study.edit("lm/score_files/pace.py", "FIRST = 1")
    entry = {"type": "causal", "endpoint": stub.endpoint, "name": "toy", "key_env": "TOY_KEY", "path": "data/causal"}
    study.configure(models={**study.config["models"], "tiny-served": entry})
    return toy.Study(study.folder, {**study.environment, "TOY_KEY": stub.key})


def tokens(study, name):
    return study.table(f"relations/scores/{name}.parquet")


@pytest.mark.slow("it runs a study with a served model")
def test_a_served_model_has_the_scores_of_its_weights_and_goes_through_the_study(served, stub):
    served.finish("results/relations/averages.parquet")
    one, other = tokens(served, "tiny-served"), tokens(served, "tiny-causal")
    assert one["probe_id"].equals(other["probe_id"])
    for ids, expected, p, q in zip(
        one["token_ids"], other["token_ids"], one["logprobs"], other["logprobs"], strict=True
    ):
        assert p.to_list() == pytest.approx(q.to_list(), abs=1e-4)
        assert ids[:5].to_list() == expected[:5].to_list()
    assert "tiny-served" in served.table("relations/averages.parquet")["agent"].to_list()
    folder = served.folder / "resources/fetched/models/tiny-served"
    assert (folder / "tokenizer.json").is_file()
    assert not (folder / "model.safetensors").exists()
    files = [path for root in ("results", "resources", ".snakemake") for path in (served.folder / root).rglob("*")]
    assert [path for path in files if path.is_file() and stub.key.encode() in path.read_bytes()] == []

    models = served.config["models"]
    models["tiny-served"] |= {"endpoint": "http://127.0.0.1:9/v1", "concurrency": 2, "timeout": 9}
    served.configure(models=models)
    assert "relations_scores" not in served.scheduled("--", SCORES)
    served.edit("lm/served/client.py")
    assert served.scheduled("--", SCORES, "results/relations/scores/tiny-causal.parquet") == {"relations_scores": 1}
    models["tiny-served"]["name"] = "another"
    served.configure(models=models)
    assert served.scheduled("--", SCORES) == {"relations_scores": 1}


@pytest.mark.slow("it runs a study with a served model")
def test_a_killed_job_continues_and_does_not_mix_two_models(served, stub):
    served.finish("results/models/lexicon/tiny-served.parquet", "results/relations/probes.parquet")
    stub.faults = [None] * 40 + ["slow"] * 200  # the check, then two parts, then what takes time
    job = scoring(served, stub)
    parts = served.results / "relations/scores/.tiny-served.parquet.store"
    while len(list(parts.glob("*/*.arrow"))) < 2:
        assert job.poll() is None
        time.sleep(0.02)
    os.killpg(job.pid, signal.SIGKILL)
    job.wait()
    whole = len(list(parts.glob("*/*.arrow")))
    first = [body["prompt"] for body in stub.bodies if body["logprobs"] > 100]
    assert not (served.folder / SCORES).exists()

    stub.faults, net = [], stub.net
    stub.net = type(net)(net.config).eval()
    error = served.error(SCORES)
    assert ".tiny-served.parquet.store/" in error
    assert "holds scores of another model than the server has now" in error

    stub.net = net
    stub.bodies.clear()
    served.finish(SCORES)
    log = (served.results / "logs/relations/scores/tiny-served.log").read_text()
    assert f"{5 * whole} questions were stored, and " in log
    again = [body["prompt"] for body in stub.bodies if body["logprobs"] > 100]
    assert first[3] not in again


def scoring(study, stub):
    """The job of the served model's scores, in a process of its own."""
    server = json.dumps({"endpoint": stub.endpoint, "key_env": "TOY_KEY"})
    words = ["relations", "scores", "--served-name", "toy", "--server", server, "--type", "causal"]
    files = {
        "model": "resources/fetched/models/tiny-served.json",
        "probes": "results/relations/probes.parquet",
        "premises": "results/relations/premises.parquet",
        "lexicon": "results/models/lexicon/tiny-served.parquet",
        "without-target": "results/relations/without_target/tiny-served.parquet",
        "out": SCORES,
    }
    for name, path in files.items():
        words += [f"--{name}", path]
    words += ["--top-k", str(TOP_K), "--special-tokens", "keep"]
    environment = {**os.environ, "TOY_KEY": stub.key, "PYTHONPATH": str(study.folder / "workflow/scripts")}
    return subprocess.Popen(
        [sys.executable, "-m", "relprobe", *words],
        cwd=study.folder,
        env=environment,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def test_what_a_server_lacks_ends_in_one_sentence(served, stub):
    stub.max_logprobs = 20
    assert f"start it with --max-logprobs {TOP_K} (vLLM)" in served.error(SCORES)
    assert "names the environment variable TOY_KEY, which is not set" in toy.Study(
        served.folder, {key: value for key, value in served.environment.items() if key != "TOY_KEY"}
    ).error(SCORES)
