"""A served model answers as the network behind its server does on this machine, and its faults end in one sentence."""

import contextlib
import socket
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from relprobe.core.errors import ConfigError, ModelError, ProbeError
from relprobe.lm.connect import _served_facts, _takes_ids
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, Query, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.served import validation
from relprobe.lm.served.client import Client
from relprobe.lm.served.dialect import TopList
from relprobe.lm.served.model import LENGTHS, ServedModel
from relprobe.lm.words.encode import Encoder

MIXED = SlotProbe("mixed", (Variant("a robin is a kind of a [V]", 0.75), Variant("a robin is a kind of an [V]", 0.25)))
PROBES = [SlotProbe("one", (Variant("it is [V]"),)), MIXED, SlotProbe("again", (Variant("it is [V]"),))]
CONTINUATIONS = [
    Continuation("c", "a robin is a kind of [V]", ("bird", "hippopotamus", "ice cream")),
    Continuation("d", "it is [V]", ("hot",)),
]
SENTENCES = [Sentence("s", "a robin is a kind of bird"), Sentence("t", "it is hot and cold")]


@pytest.fixture(scope="module")
def local(small):
    net, tokenizer = small
    return fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=511), budget=1024)


def fault(act, kind=ModelError):
    with pytest.raises(kind) as caught:
        act()
    text = str(caught.value)
    assert text.endswith("."), text
    assert "\n" not in text
    return text


def answers(model, k=120):
    return list(slot_top_k(model, PROBES, k))


def test_slots_have_the_tokens_and_numbers_of_the_local_engine(stub, connected, local):
    stub.max_logprobs = 10_000
    for one, other in zip(answers(connected()), answers(local), strict=True):
        assert one.id == other.id
        assert one.token_ids.tolist() == other.token_ids.tolist()
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4)
        assert (one.token_ids.dtype, one.logprobs.dtype) == (np.int32, np.float32)


def test_continuations_have_the_numbers_of_the_local_engine(connected, local):
    served = connected()
    for method in (None, "chain", "first_token"):
        pairs = zip(
            continuation_logprob(served, CONTINUATIONS, method),
            continuation_logprob(local, CONTINUATIONS, method),
            strict=True,
        )
        for one, other in pairs:
            assert one.id == other.id
            for ids, expected in zip(one.token_ids, other.token_ids, strict=True):
                assert ids.tolist() == expected.tolist()
            assert one.sums() == pytest.approx(other.sums(), abs=1e-4)


@pytest.mark.parametrize("settings", [{}, {"bos": False}, {"context": "a day is long."}], ids=str)
def test_sentences_have_the_numbers_of_the_local_engine(connected, small, settings):
    net, tokenizer = small
    local = fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=511, **settings), budget=1024)
    pairs = zip(pseudo_logprob(connected(**settings), SENTENCES), pseudo_logprob(local, SENTENCES), strict=True)
    for one, other in pairs:
        assert one.token_ids.tolist() == other.token_ids.tolist()
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4, nan_ok=True)


@pytest.mark.parametrize("form", ["echo", "by_text", "texts"])
def test_other_forms_of_requests_and_answers_give_the_same(stub, connected, local, form):
    """Without vLLM's `prompt_logprobs`, with tokens named by their texts, and with prompts as texts."""
    stub.prompt_logprobs, stub.by_text, stub.takes_ids = False, form == "by_text", form != "texts"
    served = connected(**({"bos": False} if form == "texts" else {}))
    if form == "texts":
        assert isinstance(stub.bodies[-1]["prompt"], str)
        local = fastest_model(
            local.net, Encoder.of(local.encoder.tokenizer, masked=False, max_length=511, bos=False), 1024
        )
    for one, other in zip(
        continuation_logprob(served, CONTINUATIONS), continuation_logprob(local, CONTINUATIONS), strict=True
    ):
        assert one.sums() == pytest.approx(other.sums(), abs=1e-4)


def test_a_token_whose_text_is_not_its_own_is_left_out(stub, connected, local):
    """The parts of characters have no text of their own: what the server means is not known."""
    stub.by_text, stub.max_logprobs = True, 10_000
    served = connected()
    (one,), (other,) = (list(slot_top_k(model, PROBES[:1], 200)) for model in (served, local))
    known = [token for token in other.token_ids.tolist() if served.names.id_of(stub.label(token)) == token]
    assert 0 < len(known) < 200
    assert one.token_ids.tolist() == known


def test_what_a_server_says_of_prompts_is_checked_before_the_first_answer_and_not_again(connected, monkeypatch):
    served, check, checked = connected(), validation.check_prompt_logprobs, []

    def failing(_):
        raise ModelError("it is wrong")

    monkeypatch.setattr(validation, "check_prompt_logprobs", failing)
    for _ in range(2):
        with pytest.raises(ModelError, match="it is wrong"):
            list(pseudo_logprob(served, SENTENCES))
    monkeypatch.setattr(validation, "check_prompt_logprobs", lambda model: checked.append(model) or check(model))
    first, again = (list(pseudo_logprob(served, SENTENCES)) for _ in range(2))
    assert len(checked) == 1
    assert [answer.logprobs[1:].tolist() for answer in again] == [answer.logprobs[1:].tolist() for answer in first]


def test_what_cannot_be_asked_is_refused_before_it_is_sent(stub, connected, monkeypatch):
    """A question without candidates, and tokens that no text has, where the server takes texts alone."""
    served = connected()
    monkeypatch.setattr(served, "takes_ids", False)
    monkeypatch.setattr(served, "can_send", lambda ids: False)
    stub.bodies.clear()
    text = fault(lambda: list(continuation_logprob(served, [Continuation("c", "it is [V]", ())])), ProbeError)
    assert text == "probe 'c' has no candidates."
    assert "takes texts only, and '" in fault(lambda: served.ask_top((1, 2), 5), ProbeError)
    assert stub.bodies == []


def test_controls_have_the_longest_list_of_those_that_are_asked_together(connected, monkeypatch):
    served, lengths, controls = connected(), [], validation.list_controls
    monkeypatch.setattr(validation, "list_controls", lambda model, k: lengths.append(k) or controls(model, k))
    prompts = [served.encoder.slot("p", f"{text} [V]").ids for text in ("it is", "a robin is")]
    first, second = served._lists(prompts, [21, 30])
    assert (len(first.ids), len(second.ids), lengths) == (21, 30, [30])


def test_equal_prompts_are_asked_once_and_requests_go_out_together(stub, connected):
    stub.max_logprobs = 10_000
    served = connected()
    stub.bodies.clear()
    served.top_lists([(1, 2), (1, 3), (1, 2)], 5)
    assert sorted(body["prompt"] for body in stub.bodies if body["prompt"][0] == 1) == [[1, 2], [1, 3]]
    assert (served.prompts, served.tokens, served.controls) == (2, 4, 1)
    served.top_lists([(1, 4, 5)], 5)
    assert (served.prompts, served.tokens, served.controls) == (3, 7, 2)
    stub.bodies.clear()
    assert (served.top_lists([], 5), stub.bodies) == ([], [])
    stub.most_at_once, stub.faults = 0, ["slow"] * 8
    served.top_lists([(1, i) for i in range(8)], 5)
    assert stub.most_at_once == 4  # `concurrency`


def test_excluded_tokens_are_no_answers_and_leave_room_for_others(stub, connected, local):
    stub.max_logprobs = 10_000
    best = answers(local)[0].token_ids[:2].tolist()
    one = next(slot_top_k(connected(), PROBES[:1], 20, best))
    assert len(one.token_ids) == 20
    assert one.token_ids.tolist() == next(slot_top_k(local, PROBES[:1], 20, best)).token_ids.tolist()


@pytest.mark.parametrize("faulty", [[429, 500, 503], [408, 425, 504], ["cut"], [429, "cut", 502]], ids=str)
def test_what_may_pass_is_tried_again(stub, connected, local, faulty):
    stub.max_logprobs = 10_000
    served = connected()
    stub.faults = list(faulty)
    assert answers(served)[0].token_ids.tolist() == answers(local)[0].token_ids.tolist()


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_request_that_may_pass_is_sent_again_as_it_was(stub, status):
    """A list that a busy server does not give is asked again, and not a shorter one in its place."""
    waits, body = [], {"prompt": [1, 2], "logprobs": 5}
    stub.faults = [status]
    Client(stub.endpoint, sleep=waits.append).post("/completions", body)
    assert (len(waits), stub.bodies) == (1, [body, body])


def test_a_server_is_given_the_time_that_it_asks_for(stub):
    waits = []
    stub.faults, stub.retry_after = [429], "7"
    Client(stub.endpoint, sleep=waits.append).post("/completions", {"prompt": [1, 2], "logprobs": 5})
    assert waits == [7.0]


def test_a_server_that_stays_away_is_named_with_the_way_out(stub, connected):
    served = connected()
    stub.faults = [500] * 30
    text = fault(lambda: served.top_lists([(1, 2)], 5))
    assert (
        f"the server at {stub.endpoint} was asked 8 times and did not answer (status 500: fault 500 for None)" in text
    )
    assert "run again to continue" in text


def test_an_answer_that_takes_too_long_is_asked_for_again(stub, connected):
    served = replace(connected(), client=Client(stub.endpoint, timeout_s=2))
    stub.faults = ["silent"]
    stub.bodies.clear()
    assert len(served.ask_top((1, 2), 5).ids) == 5
    assert len(stub.bodies) == 2


@pytest.mark.parametrize(
    ("faulty", "words"),
    [
        ("nan", "toy at {} gives nan as a log-probability, after "),
        ("fewer", "toy at {} gives 4 of the 5 likeliest tokens that it is asked for, after "),
        ("empty", "toy at {} ended its answer before the first token"),
    ],
)
def test_a_wrong_answer_is_no_result(stub, connected, faulty, words):
    served = connected()
    stub.faults = [faulty]
    assert words.format(stub.endpoint) in fault(lambda: served.ask_top((1, 2), 5))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"html": True}, "answers with a page of HTML, not with JSON: correct `endpoint`, which ends in /v1"),
        ({"name": "other"}, "has no model 'toy': it has 'other'; correct `name`"),
        ({"key": "sesame"}, "(status 401: invalid key None): name the variable that holds your key as `key_env`."),
        ({"extra_bos": True}, "tokens of a prompt that has"),
        ({"constant": True}, "sum to 20, and no distribution exceeds 1, after '<bos>a robin is a kind of a'"),
        ({"noise": 0.5}, "gives other log-probabilities among others than alone"),
        ({"wrong_first": True}, "at temperature 0, but"),
    ],
    ids=str,
)
def test_a_server_that_cannot_be_trusted_is_refused_with_the_finding(stub, connected, change, words):
    for key, value in change.items():
        setattr(stub, key, value)
    assert words in fault(connected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shift": True}, "as if they were those of another position"),
        ({"shift": True, "prompt_logprobs": False}, "as if they were those of another position"),
        (
            {"echo": False, "prompt_logprobs": False},
            "gives no log-probabilities of a prompt, which this study needs",
        ),
    ],
    ids=str,
)
def test_wrong_log_probabilities_of_prompts_are_refused_where_they_are_needed(stub, connected, change, words):
    stub.max_logprobs = 10_000
    for key, value in change.items():
        setattr(stub, key, value)
    served = connected()
    assert len(answers(served)) == 3  # what needs none of them goes on
    assert words in fault(lambda: list(continuation_logprob(served, CONTINUATIONS)))
    assert words in fault(lambda: list(pseudo_logprob(served, SENTENCES)))


def test_a_limit_on_lists_ends_in_a_sentence_with_the_flag(stub, connected):
    text = fault(lambda: answers(connected(), k=101))
    assert "gives no list of the 101 likeliest tokens" in text
    assert "greater than max allowed: 100" in text
    assert "start it with --max-logprobs 101 (vLLM)" in text


def likeliest(served):
    return list(served.likeliest(PROBES[:1], 120, []))


def continuations(served):
    return list(continuation_logprob(served, CONTINUATIONS))


REMEDIES = {
    301: "correct `endpoint`",
    401: "name the variable that holds your key",
    402: "correct the entry of the model",
    403: "name the variable that holds your key",
    404: "correct `endpoint`",
    405: "correct `endpoint`",
    413: "correct the entry of the model",
    429: "run again to continue",
    503: "run again to continue",
}


@pytest.mark.parametrize(
    ("ask", "status"),
    [
        *((answers, status) for status in REMEDIES),
        *((ask, status) for ask in (likeliest, continuations, None) for status in (401, 404, 429)),
    ],
)
def test_a_refusal_that_is_not_of_the_request_is_no_limit_of_the_server(stub, connected, ask, status):
    """No shorter list, other form or text is asked for in its place, also not where it begins (`ask` is None)."""
    served = connected() if ask else None
    stub.faults, before = [status] * 30, len(stub.bodies)
    said = "it sends on to no address" if status == 301 else f"fault {status} for None"
    text = fault(lambda: ask(served) if ask else connected())
    assert f"(status {status}: {said}): " in text
    assert REMEDIES[status] in text
    assert len({str(body) for body in stub.bodies[before:]}) == 1


@pytest.mark.parametrize("ask", [answers, likeliest])
@pytest.mark.parametrize("faulty", [400, 422, 501, "fewer"])
def test_a_list_is_too_long_only_if_a_short_one_is_given(stub, connected, ask, faulty):
    """A gateway may say with status 400 that a budget is spent."""
    served = connected()
    stub.faults = [faulty] * 30
    text = fault(lambda: ask(served))
    assert "max-logprobs" not in text
    assert "gives no list" not in text
    assert (
        f"refuses a request (status {faulty}: " in text
        if faulty != "fewer"
        else "19 of the 20 likeliest tokens" in text
    )


@pytest.mark.parametrize("ask", [answers, likeliest])
def test_a_refusal_that_passes_shortens_no_list(stub, connected, ask):
    stub.max_logprobs = 10_000
    served, other = connected(), connected()
    stub.faults = [400]
    assert [one.token_ids.tolist() for one in ask(served)] == [one.token_ids.tolist() for one in ask(other)]
    assert served._width == other._width


@pytest.mark.parametrize(
    "words", [(400, "Bad Request"), (422, "Input should be at most 100"), (400, ""), (501, "no"), (500, "no")], ids=str
)
def test_a_list_that_is_too_long_is_known_whatever_the_server_says(stub, connected, words):
    stub.too_long = words
    served = connected()
    assert served.longest_lists(2000) == 100
    assert served._mixed_size(50) == 100
    assert "start it with --max-logprobs 101 (vLLM)" in fault(lambda: served._mixed_size(101))


@pytest.mark.parametrize(
    "probe",
    [lambda served: served._declines(20), lambda served: served._echo_form(), _takes_ids],
    ids=["list", "echo", "ids"],
)
def test_what_a_server_can_do_is_asked_for_five_times_at_most(stub, connected, probe):
    served = connected()
    stub.bodies.clear()
    stub.faults = [503] * 6
    with contextlib.suppress(ModelError):
        probe(served)
    assert len(stub.bodies) == 5


@pytest.mark.parametrize(("most", "given"), [(20, 20), (50, 50), (999, 500)])
def test_the_longest_lists_are_those_that_a_server_gives_of_the_usual_lengths(stub, connected, most, given, caplog):
    served = connected()
    stub.max_logprobs = most
    caplog.set_level("INFO")
    assert served.longest_lists(2000) == given
    refused = [int(line.split()[2]) for line in caplog.messages if line.startswith("lists of ")]
    assert refused == [
        length for length in (2000, *LENGTHS) if given < length <= 2000
    ]  # each is logged with its reason


def test_a_mixture_of_short_lists_is_refused(stub, connected):
    stub.max_logprobs = 20
    assert "answers of probe 'mixed' are certain, as the lists" in fault(lambda: answers(connected(), k=20))


def test_there_are_no_embeddings(connected):
    served = connected()
    assert "gives no hidden states" in fault(lambda: embeddings(served, [SpanText("x", "a robin", ((2, 7),))], -1))


def test_a_masked_method_is_refused(connected):
    served = connected()
    assert "is no method for a causal model" in fault(lambda: next(continuation_logprob(served, [], "all_masks")))


def test_a_probe_that_is_too_long_is_named(connected):
    served = connected()
    probe = SlotProbe("long", (Variant(f"{'a robin ' * 400}[V]"),))
    assert "probe 'long' is" in fault(lambda: list(slot_top_k(served, [probe], 5)), ProbeError)


@pytest.mark.parametrize(
    ("facts", "longest"),
    [
        ({"max_model_len": 30}, 29),
        ({"meta": {"n_ctx_train": 30}}, 29),  # llama-server
        ({"max_model_len": 40, "meta": {"n_ctx_train": 30}}, 39),
        ({"max_model_len": 0}, 10**9 - 1),
        ({"max_model_len": "30"}, 10**9 - 1),
        ({"meta": "small"}, 10**9 - 1),
        ({}, 10**9 - 1),
    ],
    ids=str,
)
def test_the_longest_input_is_what_the_server_says_less_the_token_that_is_written(stub, facts, longest):
    """The snapshot of its tokenizer says nothing of it here; 10⁹ is no limit."""
    stub.facts = facts
    assert _served_facts(Client(stub.endpoint), "toy")["length"] - 1 == longest


def test_another_model_in_the_middle_is_noticed(stub, connected):
    served = connected()
    served.top_lists([(1, 2)], 5)
    stub.net = type(stub.net)(stub.net.config).eval()
    text = fault(lambda: served.top_lists([(1, 3), (1, 4)], 5))
    assert "gives other log-probabilities now than at the start" in text


def test_an_answer_that_names_another_model_of_the_list_is_refused(stub, connected):
    stub.others, stub.answers_as = ("toy-large",), "toy-large"
    text = fault(connected)
    assert "toy at http" in text
    assert "answers as 'toy-large', which is another model of its list" in text
    assert "write `name: toy-large`" in text


@pytest.mark.parametrize("before", [None, "/models/toy.gguf"], ids=["by its own name", "by a path"])
@pytest.mark.parametrize("ask", ["lists", "prompts"])
def test_a_server_that_changes_its_model_is_noticed(stub, connected, before, ask):
    stub.answers_as = before
    served = connected()
    stub.answers_as = "toy-large"
    text = fault(
        lambda: served.top_lists([(1, 2)], 5) if ask == "lists" else list(continuation_logprob(served, CHOICES[:1]))
    )
    assert f"answers as 'toy-large', but was {before or 'toy'!r} before" in text


@pytest.mark.parametrize(("name", "warned"), [("/models/toy.gguf", True), ("toy", False), ("", False)])
def test_a_name_of_the_servers_own_is_said_once(stub, connected, caplog, name, warned):
    """llama-cpp-python, for one, answers with the path of its file."""
    stub.answers_as = name
    served = connected()
    assert len(list(slot_top_k(served, MANY, 5))) == len(MANY)
    assert caplog.text.count("answers as") == warned


MANY = [SlotProbe(str(i), (Variant(f"it is {i} and {i % 7} hot and [V]"),)) for i in range(120)]
CHOICES = [Continuation(probe.id, probe.variants[0].text, ("hot", "cold")) for probe in MANY]


@pytest.mark.parametrize("says_prompt", [False, True], ids=["prompts are not echoed", "prompts are echoed"])
@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("zeros", ["likeliest tokens whose probabilities sum to 20, and no distribution exceeds 1"]),
        ("missing", ["lacks likely tokens", "gives other log-probabilities now than at the start"]),
        ("swapped", ["now than at the start", "it answers another prompt", "gives the answer to"]),
        ("previous", ["now than at the start", "it answers another prompt", "gives the answer to"]),
    ],
)
def test_a_server_that_lies_later_on_gives_no_lists(stub, connected, lie, words, says_prompt):
    stub.says_prompt = says_prompt
    served = connected()
    assert len(list(slot_top_k(served, MANY, 20))) == len(MANY)
    stub.start_to_lie(lie)
    text = fault(lambda: list(slot_top_k(served, MANY, 20)))
    assert any(part in text for part in words), text


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("zeros", ["gives 0 as the log-probability of every token of the prompt"]),
        ("swapped", ["gives no log-probability of a token of the prompt", "it answers another prompt"]),
        ("previous", ["gives no log-probability of a token of the prompt", "it answers another prompt"]),
    ],
)
def test_a_server_that_lies_later_on_gives_no_log_probabilities_of_prompts(stub, connected, lie, words):
    served = connected()
    assert len(list(continuation_logprob(served, CHOICES))) == len(CHOICES)
    stub.start_to_lie(lie)
    text = fault(lambda: list(continuation_logprob(served, CHOICES)))
    assert any(part in text for part in words), text


def test_known_prompts_are_asked_at_random_and_after_the_last_one(stub, connected):
    """A lie about the last prompts alone is found before their answers are returned."""
    served = connected()
    known = set(map(tuple, (body["prompt"] for body in stub.bodies)))
    stub.bodies.clear()
    list(slot_top_k(served, MANY, 20))
    asked = [tuple(body["prompt"]) for body in stub.bodies if body["logprobs"] == 20]
    places = [i for i, prompt in enumerate(asked) if prompt in known]
    assert len(places) == served.controls == 3  # one for each 50 of 120, and the last one
    assert len(asked) - 4 <= places[-1]  # four are under way at once
    stub.bodies.clear()
    list(slot_top_k(served, MANY, 20))
    again = [i for i, body in enumerate(stub.bodies) if tuple(body["prompt"]) in known]
    assert len(again) == 3


def test_a_list_out_of_order_is_no_list(stub, connected):
    served = connected()
    stub.faults = ["shuffled"]
    assert "gives a list of likely tokens that is not in their order" in fault(lambda: served.ask_top((1, 2), 5))


def test_the_written_token_may_stand_anywhere_in_a_list(stub, connected, local):
    """Servers add it after the others or before them."""
    served = connected()
    stub.faults = ["first is last"]
    assert served.ask_top((1, 2), 5).ids.tolist() == served.ask_top((1, 2), 5).ids.tolist()


def test_an_answer_that_drips_is_bounded_as_a_whole(stub):
    stub.faults = ["drip"]
    client = Client(stub.endpoint, timeout_s=0.5)
    text = fault(lambda: client.post("/completions", {"prompt": [1, 2], "logprobs": 20}, attempts=1))
    assert "its answer is not whole after 0.5 s" in text


def test_a_wrong_port_is_said_at_once(connected):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    text = fault(lambda: connected(endpoint=endpoint))
    assert text == f"there is no server at {endpoint} (Connection refused): start it, or correct `endpoint`."
    waits = []
    client = Client(endpoint, sleep=waits.append)
    assert fault(lambda: client.get("/models", first=True)) == text
    assert client.get_from_root("/version") is None  # what a server need not have is asked for once
    assert not waits


def test_the_key_comes_from_the_environment_and_goes_nowhere_else(stub, connected, monkeypatch, caplog):
    stub.key = "sesame-open-7"
    assert "the environment variable TOY_KEY, which `key_env` names, is not set" in fault(
        lambda: connected(key_env="TOY_KEY"), ConfigError
    )
    monkeypatch.setenv("TOY_KEY", stub.key)
    caplog.set_level("DEBUG")
    served = connected(key_env="TOY_KEY")
    stub.faults = [500] * 30  # whose message repeats the header
    text = fault(lambda: served.top_lists([(1, 2)], 5))
    assert "fault 500 for Bearer ***" in text
    assert stub.key not in text + caplog.text + repr(served) + str(served.facts)


def test_a_wrong_key_is_named_without_the_key(stub, connected, monkeypatch):
    stub.key = "sesame-open-7"
    monkeypatch.setenv("TOY_KEY", "a-wrong-key")
    text = fault(lambda: connected(key_env="TOY_KEY"))
    assert "invalid key Bearer ***" in text
    assert "check the key" in text


def test_provenance_names_the_model_and_the_server(connected):
    assert {key: connected().facts[key] for key in ("name", "server")} == {"name": "toy", "server": "vllm 0.99.0"}


def test_another_tokenizer_is_noticed(stub, connected):
    from tests.lm.tokenizers_for_tests import byte_level

    stub.tokenizer = byte_level()
    assert "but the named tokenizer makes" in fault(connected)


def test_the_log_says_how_much_mixed_lists_may_be_off_and_nothing_where_no_lists_were_mixed(stub, connected, caplog):
    caplog.set_level("INFO")
    served = connected()
    list(slot_top_k(served, [PROBES[0]], 30))
    served.log_work()
    assert "are off by up to" not in caplog.text
    list(slot_top_k(served, [MIXED], 30))
    served.log_work()
    assert "are off by up to" in caplog.text
    assert "as lists of 60 tokens were mixed" in caplog.text


def test_the_longest_lists_answer_with_what_is_allowed_and_the_log_counts_the_texts_that_have_less(caplog):
    """Of the list 4 3 2 1, the tokens 3 and 9 are excluded: two words, where two or three are asked for."""
    top_list = TopList(np.array([4, 3, 2, 1], np.int32), np.log([0.4, 0.3, 0.2, 0.1]).astype(np.float32), 4, None)
    asked = []

    def top_lists(prompts, size):
        asked.append((prompts, size))
        return [top_list] * len(prompts)

    slots = lambda texts: [Query(tuple(map(ord, text)), (0,)) for _, text in texts]  # noqa: E731
    encoder = SimpleNamespace(token_ids=frozenset(range(1, 10)), slots=slots)
    fake = SimpleNamespace(encoder=encoder, longest_lists=lambda size: size, top_lists=top_lists)
    probes = [SlotProbe(name, (Variant(name),)) for name in "ab"]
    first, second = ServedModel.likeliest(fake, probes, 2, [3, 9])
    assert asked == [([(97,), (98,)], 4)]
    assert (first.id, second.id) == ("a", "b")
    assert first.token_ids.tolist() == [4, 2]
    assert np.exp(first.logprobs) == pytest.approx([0.4, 0.2])
    assert "fewer" not in caplog.text
    assert [len(response.token_ids) for response in ServedModel.likeliest(fake, probes, 4, [3, 9])] == [3, 3]
    assert "lists 6 tokens, so 2 of 2 texts have fewer than 4 words, the fewest 3" in caplog.text


@pytest.mark.parametrize(("answers", "shorter"), [(frozenset(range(1, 5)), [2]), (frozenset((1, 4)), [])])
def test_a_response_that_ends_before_all_answers_is_counted_as_shorter(answers, shorter):
    """Of a list of four tokens two are answers; three are asked for."""
    top_list = TopList(np.array([4, 9, 8, 1], np.int32), np.log([0.4, 0.3, 0.2, 0.1]).astype(np.float32), 4, None)
    encoder = SimpleNamespace(token_ids=frozenset(range(1, 20)))
    fake = SimpleNamespace(encoder=encoder, _shorter=[], _error=0.0)
    response = ServedModel._slot_response(fake, SlotProbe("x", (Variant("x"),)), [top_list], 3, answers)
    assert (response.token_ids.tolist(), fake._shorter, fake._error) == ([4, 1], shorter, 0.0)
    ServedModel._slot_response(fake, SlotProbe("x", (Variant("x"),)), [top_list], 2, answers)
    assert fake._shorter == shorter


def test_the_most_by_which_a_returned_number_of_a_mixture_may_be_off_is_kept():
    """Half of two lists that end at 0.001: what one of them lacks is off by a half of 0.0005, of 0.15 and of 0.1."""
    parts = {7: 0.6, 9: 0.3, 5: 0.001}, {7: 0.5, 8: 0.2, 6: 0.001}
    lists = [
        TopList(np.array([*part], np.int32), np.log([*part.values()]).astype(np.float32), 3, None) for part in parts
    ]
    probe = SlotProbe("x", (Variant("x", 0.5), Variant("y", 0.5)))
    fake = SimpleNamespace(encoder=SimpleNamespace(token_ids=frozenset(range(1, 20))), _shorter=[], _error=0.0)
    for k, answers, error in ((1, {7, 8, 9}, 0.0), (2, {7, 9}, 0.00025 / 0.15), (3, {7, 8, 9}, 0.00025 / 0.1)):
        response = ServedModel._slot_response(fake, probe, lists, k, frozenset(answers))
        assert response.token_ids.tolist() == [7, 9, 8][:k]
        assert fake._error == pytest.approx(np.log1p(error), rel=1e-3)
    ServedModel._slot_response(fake, probe, lists, 1, frozenset({7}))
    assert fake._error == pytest.approx(np.log1p(0.0025), rel=1e-3)
    # Lists of the whole vocabulary leave nothing open.
    whole = SimpleNamespace(encoder=SimpleNamespace(token_ids=frozenset((5, 6, 7))), _shorter=[], _error=0.0)
    assert ServedModel._slot_response(whole, probe, lists, 5, frozenset(range(10))).token_ids.tolist() == [
        7,
        9,
        8,
        5,
        6,
    ]
    assert whole._error == 0.0


def test_the_log_counts_what_was_asked_and_the_responses_that_are_too_short(caplog):
    caplog.set_level("INFO")
    facts = {"prompts": 1234, "tokens": 56789, "controls": 1007, "_width": 60}
    ServedModel.log_work(SimpleNamespace(**facts, _error=0.0, _shorter=[]))
    (line,) = caplog.messages
    assert line.endswith(" answered 1,234 prompts of 56,789 tokens, and 1,007 times the same as at the start")
    ServedModel.log_work(SimpleNamespace(**facts, _error=0.256, _shorter=[9, 4, 7]))
    *_, off, shorter = caplog.messages
    assert "are off by up to 0.26 at late ranks, as lists of 60 tokens were mixed; the first 10 are certain" in off
    assert shorter.startswith("3 responses have fewer tokens than the study asks for, the shortest 4: ")


def test_the_end_of_a_words_probability_is_not_asked_of_a_server():
    served = SimpleNamespace(encoder=None)
    with pytest.raises(ModelError, match="does not say how likely a word ends: ask without `word_boundary`"):
        pseudo_logprob(served, SENTENCES, word_boundary=True)
