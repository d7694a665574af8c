"""What happens on real machines: jobs killed at any moment, full disks, other batch sizes and thread counts."""

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Collection

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.workflow import toy

KILLS = int(os.environ.get("RELPROBE_KILLS", "5"))
"""Kills in the test: a few by default, 8 on each commit, 50 in `make nightly`."""
STAGES = {
    "fetching": {"inputs_fetch", "inputs_wordnet", "models_snapshot"},
    "scoring": {"relations_scores"},
    "metrics": {"relations_metrics"},
    "figures": {"relations_show"},
}
"""What 50 kills must have hit."""
LOCKED = "Directory cannot be locked"
TOLERANCE = 1e-4
"""Of log-probabilities between batch sizes and thread counts (float32)."""


def killed_after(study: toy.Study, seconds: float, first: Collection[str] = ()) -> set[str] | None:
    """Start the study and kill all its processes; return the rules that were running, None if it had ended before.

    The seconds count from the start of one of the rules in `first`, if there are any. Where Snakemake finds the lock of a
    run that was killed, it must say how to remove it.
    """
    log = study.folder.with_name("said.log")
    run = study.start(log, "--rerun-incomplete")
    while first and run.poll() is None and not started(log.read_text()).keys() & set(first):
        time.sleep(0.05)
    try:
        run.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        study.kill(run)
        return running(log.read_text())
    said = log.read_text()
    if LOCKED in said:
        assert "--unlock" in said
        assert study.snakemake("--unlock").returncode == 0
        return killed_after(study, seconds, first)
    assert run.returncode == 0, said
    return None


def started(said: str) -> Counter[str]:
    """The rules that Snakemake says it has started, and how often."""
    return Counter(re.findall(r"^(?:local)?rule (\w+):$", said, re.MULTILINE))


def running(said: str) -> set[str]:
    """The rules that Snakemake says it has started, but not that they finished."""
    finished = Counter(re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)$", said, re.MULTILINE))
    return set(started(said) - finished)


def all_files_are_whole(study: toy.Study) -> None:
    """No file that a rule would read is partial: Parquet and JSON files can be read."""
    for root in ("results", "resources/fetched"):
        for path in (study.folder / root).rglob("*"):
            if any(part.startswith(".") for part in path.relative_to(study.folder).parts):
                continue  # what is being made
            if path.suffix == ".parquet":
                pl.read_parquet(path)
            elif path.suffix == ".json":
                json.loads(path.read_text())


@pytest.mark.slow("it runs studies that are killed or disturbed")
def test_a_study_that_was_killed_at_any_moment_ends_as_an_undisturbed_one(relations, tmp_path):
    """At last steps have interpreters of their own, so that the undisturbed run, which has none, checks them as well."""
    study = toy.make(tmp_path / "study", ["relations"], relations.environment)
    moments = random.Random(1)
    stages_hit: set[str] = set()
    for number in range(KILLS):
        if number % 2:  # in each stage in its turn, as a slow machine would else never get to the last
            stage = list(STAGES.values())[number // 2 % len(STAGES)]
            rules = killed_after(study, moments.uniform(0, 1.5), stage)
        else:
            rules = killed_after(study, moments.uniform(0.5, 6))
        if rules is None:  # through: from the start again
            shutil.rmtree(study.results)
            shutil.rmtree(study.folder / "resources/fetched")
        stages_hit |= rules or set()
        all_files_are_whole(study)
    if KILLS >= 50:
        assert [stage for stage, rules in STAGES.items() if not rules & stages_hit] == [], stages_hit
    study.snakemake("--unlock")
    toy.Study(study.folder).finish("--rerun-incomplete")
    study.assert_ends_as(relations)
    assert study.left_behind() == []


@pytest.mark.slow("it runs studies that are killed or disturbed")
def test_batch_sizes_and_thread_counts_change_no_metric(finished, study):
    study.configure(scoring={"batch_tokens": 16, "reuse": False})
    study.finish("--max-threads", "2", "--forcerun", "relations_scores", "--", "results/relations/tests.parquet")
    there, here = study.tables(), finished.tables()
    assert there.keys() == here.keys()
    changed = {name for name in here if not there[name].equals(here[name])}
    agents = ("tiny-masked", "tiny-causal", "tiny-few")
    # Beside the scores, three tables hold probabilities: the responses, the first words, and what is no word of the lexicon.
    # The averages hold those of the last one.
    assert changed <= {"relations/averages.parquet"} | {
        f"relations/{step}/{name}.parquet"
        for step in ("scores", "without_target", "responses", "top_words", "metrics")
        for agent in agents
        for name in (agent, f"{agent}+without-target")
    }
    counted = pl.col("metric") != "outside"
    averages = [table["relations/averages.parquet"] for table in (there, here)]
    assert_frame_equal(*averages, rel_tol=0, abs_tol=TOLERANCE)
    assert_frame_equal(*(table.filter(counted) for table in averages), check_exact=True)
    for model in agents:
        a, b = (table[f"relations/scores/{model}.parquet"]["logprobs"].explode().to_numpy() for table in (there, here))
        assert np.abs(a - b).max() < TOLERANCE
        for step in ("top_words", "metrics"):
            one, other = (table[f"relations/{step}/{model}.parquet"] for table in (there, here))
            assert_frame_equal(one, other, rel_tol=0, abs_tol=TOLERANCE)
        one, other = (table[f"relations/metrics/{model}.parquet"] for table in (there, here))
        assert one.filter(counted).equals(other.filter(counted))


@pytest.mark.slow("it runs studies that are killed or disturbed")
def test_a_full_disk_ends_in_one_sentence_and_leaves_nothing_half_written(finished, study, small_disk):
    folder, target = study.results / "relations", "results/relations/averages.parquet"
    shutil.rmtree(folder)
    folder.symlink_to(small_disk)
    done = study.snakemake(target)
    assert done.returncode != 0
    assert "the disk is full" in done.stderr
    assert "free some space and run again" in done.stderr
    assert "defect in relprobe" not in done.stderr
    all_files_are_whole(study)
    folder.unlink()  # a larger disk
    study.finish("--rerun-incomplete", target)
    there, here = study.tables(), finished.tables()
    assert "relations/metrics/tiny-causal.parquet" in there
    assert [name for name, table in there.items() if not table.equals(here[name])] == []


def test_a_damaged_table_is_named_with_the_way_out(study):
    table = toy.own(study.results / "relations/scores/tiny-causal.parquet")
    table.write_bytes(table.read_bytes()[:1000])
    (study.results / "relations/metrics/tiny-causal.parquet").unlink()
    error = study.error("results/relations/averages.parquet")
    assert "scores/tiny-causal.parquet is not the file that was computed" in error
    assert "delete it and run again" in error
