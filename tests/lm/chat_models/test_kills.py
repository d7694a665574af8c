"""A job that is killed again and again asks no question twice whose reply it has stored; the server counts."""

import os
import random
import subprocess
import sys
import time

import polars as pl
import pytest
from relprobe.lm.chat_models.spending import Spending
from relprobe.lm.score_files.answers import questions_in, whole_files
from relprobe.lm.score_files.store import digest_of, folder_of

from tests.lm.chat_models.faulty import Faulty
from tests.lm.chat_models.interviewer import CONCURRENCY
from tests.paths import ROOT, SCRIPTS

QUESTIONS, KILLS = 400, 20


def stored(path):
    """The texts of the questions whose replies are stored."""
    keys = {
        bytes(key.tobytes())
        for folder in folder_of(path).glob("*/")
        for file in whole_files(folder)
        for key in questions_in(file)
    }
    texts = [f"question {number}" for number in range(QUESTIONS)]
    return {text for text in texts if digest_of(repr((text, 1))) in keys}


def start(server, folder):
    words = [sys.executable, "-m", "tests.lm.chat_models.interviewer", server.endpoint, str(folder), str(QUESTIONS)]
    return subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(SCRIPTS)})


@pytest.mark.slow("it kills a process 20 times")
def test_no_stored_reply_is_asked_for_again_after_twenty_kills(tmp_path):
    path, draws = tmp_path / "replies.parquet", random.Random(1)
    with Faulty(delay_s=0.05) as server:
        known = set()
        for _ in range(KILLS):
            job, before, answers = start(server, tmp_path), server.requests, draws.randint(1, 15)
            while server.requests < before + answers:
                assert job.poll() is None
                time.sleep(0.01)
            time.sleep(draws.uniform(0, 0.05))
            job.kill()
            job.wait()
            asked = {body["messages"][-1]["content"] for body in server.bodies[before:]}
            assert not asked & known
            known |= stored(path)
        assert KILLS < len(known) < QUESTIONS
        before = server.requests
        assert start(server, tmp_path).wait() == 0
        assert server.requests - before == QUESTIONS - len(known)
        assert server.requests <= QUESTIONS + KILLS * CONCURRENCY
        noted = len(Spending(tmp_path / "agent.jsonl", "relations").requests())  # before it is sent
        assert server.requests <= noted <= server.requests + KILLS * CONCURRENCY
    assert pl.read_parquet(path).height == QUESTIONS
