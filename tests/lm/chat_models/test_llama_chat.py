"""The chat endpoints of llama.cpp's servers beside `generate` on the same weights: the same questions, the same answers.

They need the variables that tests/lm/served/test_llama_cpp.py names; docs/how-to/ask-chat-models.md has what was measured.
"""

import os
from pathlib import Path

import pytest
from relprobe.lm.chat_models.client import ChatClient
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.chat_models.interview import Question
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.lm.chat_models.spending import Spending
from relprobe.lm.settings import ModelSettings
from relprobe.studies.conversations import OPTIONS, PROBE, read

from tests.lm.served.servers import GGUF, NAME, NOUNS, started
from tests.lm.served.test_llama_cpp import SERVERS
from tests.paths import ROOT

pytestmark = pytest.mark.slow("it loads a real model into a server of llama.cpp")
TOKENS = 32
PLAIN = {"repeat_penalty": 1.0}
"""llama-cpp-python makes repetitions less likely by 1.1 where a request does not say so."""
LINES = ROOT / "resources/prompts/chat.yaml"


@pytest.fixture(scope="module", params=SERVERS)
def endpoint(request):
    one = SERVERS[request.param]
    if not (GGUF and os.environ.get(one.variable)):
        pytest.skip(f"no {request.param}: {one.variable} names no command, or RELPROBE_GGUF no file")
    with started(os.environ[one.variable], *one.words, "--model", GGUF) as address:
        yield address


def questions():
    """Lists of words, and choices among the ten nouns, as the studies ask them."""
    lists, choice = read(LINES, "relations")["list"], read(LINES, "definitions")["d2w"]
    options = "\n".join(f"{letter}. {noun}" for letter, noun in zip("ABCDEFGHIJ", NOUNS, strict=True))
    for noun in NOUNS:
        yield "relations", Question(f"list {noun}", lists.replace(PROBE, f"a {noun} is a kind of a"))
        yield "relations", Question(f"other {noun}", lists.replace(PROBE, f"the word {noun} has the same meaning as"))
        chosen = choice.replace(PROBE, f"what is usually called a {noun}").replace(OPTIONS, options)
        yield "definitions", Question(f"choice {noun}", chosen)


def test_greedy_answers_are_mostly_those_of_the_same_weights_here(endpoint, smollm2, tmp_path):
    texts, ours = {}, {}
    for study in ("relations", "definitions"):
        system = read(LINES, study)["system"]
        asked = [question for asking_study, question in questions() if asking_study == study]
        who = ChatModel(NAME, {"endpoint": endpoint}, {"system": system}, tmp_path / "spending.jsonl")
        with ChatClient(endpoint, None, NAME, Spending(who.spending, study), more=PLAIN) as client:
            for one in asked:
                texts[one.id] = client.reply(who.messages(one.text), TOKENS, 0.0).text
        here = ModelSettings(Path(smollm2), "causal", chat="true", conversation={"system": system, "instruction": ""})
        scoring = write_replies(here, asked, TOKENS, None)
        rows = scoring.table(list(scoring.answer(scoring.requests)))
        ours |= dict(zip(rows["question_id"].to_pylist(), rows["text"].to_pylist(), strict=True))
    same = [texts[name].strip() == ours[name].strip() for name in texts]
    print(*(f"{name}: {text!r}, here {ours[name]!r}" for name, text in texts.items()), sep="\n")
    print(f"the same text: {sum(same)} of {len(same)}")
    assert sum(same) >= len(same) / 2
