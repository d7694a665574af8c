"""Chat templates: what stands before a probe, without doubled special tokens, and what a template must have."""

import multiprocessing
import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.child import ChildError
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.writing import Task, write
from relprobe.lm.requests import Sentence, SlotProbe, Variant
from relprobe.lm.words import chat
from relprobe.lm.words.chat import Frame, frame
from relprobe.lm.words.encode import Encoder

from tests.lm.architectures import model
from tests.lm.tokenizers_for_tests import sentence_piece, word_piece

LINES = {"system": "You know words.", "instruction": "Complete it.", "question": "Which word? [PROBE] ___"}
TURNS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endfor %}"
CHATML = TURNS + "{% if add_generation_prompt %}<assistant>{% endif %}"
THINKING = (
    TURNS + "{% if add_generation_prompt %}<assistant>{% if enable_thinking is false %}<think>\n\n</think>\n\n"
    "{% endif %}{% endif %}"
)
OPENS_A_THOUGHT = TURNS + "{% if add_generation_prompt %}<assistant><think>\n{% endif %}"
GPT_OSS = (  # what its template writes of these turns
    "{% for m in messages %}{% if m.role == 'system' %}<|start|>developer<|message|># Instructions\n\n{{ m.content }}<|end|>"
    "{% elif m.role == 'user' %}<|start|>user<|message|>{{ m.content }}<|end|>{% else %}"
    "<|start|>assistant<|channel|>final<|message|>{{ m.content }}<|return|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant{% endif %}"
)
WITHOUT_SYSTEM = (
    "{% for m in messages %}{% if m.role != 'system' %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
LLAMA_2 = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system turn') }}"
    "{% elif m.role == 'user' %}[INST] {{ m.content }} [/INST]{% else %} {{ m.content }}</s>{% endif %}{% endfor %}"
)
USERS_ALONE = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}"
SILENT = "{% for m in messages %}{% if m.role == 'assistant' %}{{ m.content }}{% endif %}{% endfor %}"


@pytest.fixture
def templated(monkeypatch):
    """Give the tokenizer with a BOS token a template."""

    def give(template):
        tokenizer = sentence_piece()
        monkeypatch.setattr(tokenizer, "chat_template", template, raising=False)
        return tokenizer

    return give


@pytest.fixture
def filled_here(monkeypatch):
    """Fill templates that are known to end in this process: to fork the process of all tests takes longer than they do."""

    def fill(call, *arguments):
        try:
            return call(*arguments)
        except Exception as error:
            raise ChildError(f"{type(error).__name__}: {error}") from error

    monkeypatch.setattr(chat, "in_child", fill)


PARTS = (
    "{% for m in messages %}<{{ m.role }}>{% for part in m.content %}{% if part.type == 'text' %}{{ part.text }}{% endif %}"
    "{% endfor %}</{{ m.role }}>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
PARTS_OF_USERS = PARTS.replace(
    "<{{ m.role }}>", "{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}<{{ m.role }}>", 1
)
FIRST_OF_USERS = PARTS.replace("{% if part.type == 'text' %}", "{% if part.type == 'text' and m.role != 'system' %}")
COHERE = (
    "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}<|START_RESPONSE|>{{ m.content }}<|END_RESPONSE|>"
    "{% else %}{{ m.content }}{% endif %}</{{ m.role }}>{% endfor %}"
    "{% if add_generation_prompt %}<assistant><|START_THINKING|>{% endif %}"
)


def opens(words):
    return TURNS + "{% if add_generation_prompt %}<assistant>" + words + "{% endif %}"


BEFORE = "<system>You know words.</system><user>Complete it.</user><assistant>"


@pytest.mark.usefixtures("filled_here")
@pytest.mark.parametrize(
    ("template", "before"),
    [
        (CHATML, BEFORE),
        (THINKING, f"{BEFORE}<think>\n\n</think>\n\n"),
        (OPENS_A_THOUGHT, f"{BEFORE}<think>\n\n</think>\n\n"),
        (LLAMA_2, "<bos>[INST] You know words.\n\nComplete it. [/INST] "),
        (
            GPT_OSS,
            "<|start|>developer<|message|># Instructions\n\nYou know words.<|end|>"
            "<|start|>user<|message|>Complete it.<|end|><|start|>assistant<|channel|>final<|message|>",
        ),
        (WITHOUT_SYSTEM, "<user>You know words.\n\nComplete it.</user><assistant>"),
        (PARTS, BEFORE),
        (PARTS_OF_USERS, "<user>You know words.\n\nComplete it.</user><assistant>"),
        (FIRST_OF_USERS, "<user>You know words.\n\nComplete it.</user><assistant>"),
        (opens("[THINK]"), f"{BEFORE}[THINK][/THINK]"),
        (opens("◁think▷"), f"{BEFORE}◁think▷◁/think▷"),
        (opens("<|begin_of_thought|>\n"), f"{BEFORE}<|begin_of_thought|><|end_of_thought|>"),
        (opens("<seed:think>"), f"{BEFORE}<seed:think>\n\n</seed:think>\n\n"),
        (opens("\n"), f"{BEFORE}\n"),
        (opens("[THINK]so[/THINK]"), f"{BEFORE}[THINK]so[/THINK]"),
        (COHERE, f"{BEFORE}<|START_THINKING|><|END_THINKING|><|START_RESPONSE|>"),
        (opens("<unused94>ponder:"), BEFORE),
        (COHERE.replace("START_THINKING", "START_PONDER"), f"{BEFORE}<|START_RESPONSE|>"),
    ],
    ids=[
        *("chatml", "an empty thought", "an open thought", "llama 2", "gpt-oss", "no system turn"),
        *(
            "parts",
            "parts without a system turn",
            "parts that leave the system out",
            "Mistral",
            "Kimi",
            "in full",
            "Seed",
            "a line break",
        ),
        *("a closed thought", "Cohere", "other words", "other words before a response"),
    ],
)
def test_the_probe_begins_the_answer(templated, template, before):
    assert frame(templated(template), LINES, "true") == Frame(before)


ASKED = "<system>You know words.</system><user>Which word? "
LATER = " ___</user><assistant>"


@pytest.mark.usefixtures("filled_here")
@pytest.mark.parametrize(
    ("template", "after"),
    [
        (CHATML, LATER),
        (THINKING, LATER),
        (OPENS_A_THOUGHT, f"{LATER}<think>\n"),
        (opens("[THINK]"), f"{LATER}[THINK]"),
        (opens("{% if thinking %}<think>{% else %}</think>{% endif %}"), f"{LATER}<think>"),
        (COHERE, f"{LATER}<|START_THINKING|>"),
        (PARTS, LATER),
        (TURNS, LATER),
    ],
    ids=[
        "chatml",
        "the model opens it",
        "an open thought",
        "Mistral",
        "by another name",
        "Cohere",
        "parts",
        "no beginning",
    ],
)
def test_the_thought_of_a_model_that_thinks_is_left_open(templated, template, after):
    assert frame(templated(template), LINES, "thinking") == Frame(ASKED, after)


@pytest.mark.usefixtures("filled_here")
@pytest.mark.parametrize(
    ("template", "why"),
    [
        (opens("<think></think>"), "it closes each thought: leave `thoughts` out"),
        (GPT_OSS, "it marks thoughts in words that are not known: leave `thoughts` out"),
        (opens("<unused94>ponder:"), "it marks thoughts in words that are not known: leave `thoughts` out"),
        (LLAMA_2.replace("[INST]", "[INST]{{ 1 / 0 }}"), "cannot be filled"),
    ],
)
def test_a_template_in_which_no_model_can_think_ends_in_one_sentence(templated, template, why):
    with pytest.raises(ModelError, match=why):
        frame(templated(template), LINES, "thinking")


@pytest.mark.usefixtures("filled_here")
@pytest.mark.parametrize("date", ["{{ strftime_now('%d %b %Y') }}", "{% set d = strftime_now('%-d %B %Y') %}{{ d }}"])
def test_a_model_is_asked_the_same_on_every_day(templated, date):
    """Templates such as Llama 3's write the date, so that answers of two days would be to two questions."""
    before = frame(templated(CHATML.replace("{% for", f"{date}{{% for", 1)), LINES, "true").before
    assert re.match(r"(<\w+>)?26 Jul(y)? 2024", before), before


@pytest.mark.usefixtures("filled_here")
def test_a_question_holds_the_probe_and_the_slot_begins_the_answer(templated):
    asked = frame(templated(CHATML), LINES, "answer")
    assert asked == Frame("<system>You know words.</system><user>Which word? ", " ___</user><assistant>")
    encoder = Encoder.of(templated(CHATML), masked=False, max_length=500, frame=asked)
    text = encoder.whole_text("a robin is a [V]")
    assert text.replace(" ", "") == f"{asked.before}a robin is a{asked.after}".replace(" ", "")


@pytest.mark.usefixtures("filled_here")
@pytest.mark.parametrize(
    ("template", "chat", "sentence"),
    [
        (None, "true", "has no chat template: leave `chat` out"),
        (USERS_ALONE, "true", "has no turn of the assistant"),
        ("{{ raise_exception('no') }}", "true", "cannot be filled"),
        (SILENT, "answer", "leaves out what the user says"),
        (CHATML.replace("m.content", "m.content[:4]"), "true", "leaves out what the user says"),
        (PARTS.replace("part.text", "part.nothing"), "true", "leaves out what the user says"),
        (
            "{{ 'x' * 1_000_000 }}" + CHATML,
            "true",
            r"cannot be filled \(ValueError: it writes 1,000,\d\d\d characters\)",
        ),
    ],
)
def test_a_template_that_does_not_fit_ends_in_one_sentence(templated, template, chat, sentence):
    with pytest.raises(ModelError, match=sentence):
        frame(templated(template), LINES, chat)


@pytest.mark.usefixtures("filled_here")
def test_a_template_may_write_so_many_characters_and_no_more(templated, monkeypatch):
    start = frame(templated(CHATML), LINES, "true")
    monkeypatch.setattr(chat, "LONGEST", len(start.before))
    assert frame(templated(CHATML), LINES, "true") == start
    monkeypatch.setattr(chat, "LONGEST", len(start.before) - 1)
    with pytest.raises(ModelError, match=rf"it writes {len(start.before)} characters"):
        frame(templated(CHATML), LINES, "true")


LOOP, END = "{% for a in range(99999) %}", "{% endfor %}"
ENDLESS = f"{LOOP}{LOOP}{LOOP}{END}{END}{END}"


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        (ENDLESS, "it does not end"),
        ("{{ 9 ** (9 ** 9) }}", "it does not end|it takes too much memory"),
        ("{{ 'x' * 20_000_000_000 }}", "it takes too much memory"),
        ("{{ ['x' * 10_000] * 400_000_000 }}", "it takes too much memory"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "it calls itself without end"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{% for a in range(10 ** 6) %}{% endfor %}", "OverflowError"),
        ("{{ messages[0].content + 1 }}", "TypeError"),
        ("{{ messages[7].content }}", "UndefinedError"),
        ("{{ messages.__class__.__mro__ }}", "SecurityError"),
        ("{% for m in messages %}", "TemplateSyntaxError"),
        ("{{ messages | nothing }}", "TemplateAssertionError|No filter"),
        ("{{ 'x' * 2_000_000 }}<{{ messages[-1].content }}>", "it writes 2,0"),
        ("{" * 100_000, "TemplateSyntaxError|it calls itself|it does not end"),
    ],
)
def test_a_template_that_fails_in_any_way_ends_in_one_sentence(templated, template, reason, request):
    if "it does not end" in reason:  # on a busy machine, another reason may take longer
        request.getfixturevalue("impatient")
    tokenizer = templated(template + CHATML)
    with pytest.raises(ModelError) as caught:
        frame(tokenizer, LINES, "true")
    assert re.fullmatch(
        rf"the chat template of .* cannot be filled \((.*)({reason})(.*)\): leave .*\.", str(caught.value)
    )
    assert not multiprocessing.active_children()


@given(code=st.text("{}%[]()|'\"+*/.,=<>0159abx mesag\n", max_size=40))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_template_is_filled_or_ends_in_a_sentence(templated, code):
    try:
        assert frame(templated(f"{{{{ {code} }}}}{CHATML}"), LINES, "true").before
    except ModelError as error:
        assert "\n" not in str(error)


@pytest.mark.usefixtures("filled_here")
def test_the_bos_token_is_there_once(templated):
    tokenizer = templated(LLAMA_2)
    encoder = Encoder.of(tokenizer, masked=False, max_length=500, frame=frame(tokenizer, LINES, "true"))
    ids = encoder.slot("x", "a robin is a [V]").ids
    assert ids[0] == tokenizer.bos_token_id
    assert ids.count(tokenizer.bos_token_id) == 1


def test_a_masked_model_cannot_chat():
    with pytest.raises(ModelError, match="is a masked model, which cannot chat"):
        Encoder.of(word_piece(), masked=True, max_length=9, frame=Frame("x"))


def in_chat(lm, around):
    tokenizer = lm.encoder.tokenizer
    return replace(lm, encoder=Encoder.of(tokenizer, masked=False, max_length=lm.encoder.max_length, frame=around))


@pytest.mark.parametrize("around", [Frame("say: <s> it<e>"), Frame("what is ", "? it is")])
def test_scores_in_a_chat_are_those_of_the_rendered_text(around):
    lm = in_chat(model("llama"), around)
    probes = [SlotProbe(text, (Variant(f"{text} [V]"),)) for text in ("a robin is a", "a bird is")]
    for probe, response in zip(probes, slot_top_k(lm, probes, 5), strict=True):
        ids = lm.encoder.tokenizer(f"{around.before}{probe.id}{around.after}", add_special_tokens=False).input_ids
        with torch.no_grad():
            expected = lm.net(torch.tensor([ids])).logits[0, -1].log_softmax(-1).topk(5)
        np.testing.assert_allclose(response.logprobs, expected.values, rtol=0, atol=1e-4)


def test_whole_sentences_are_not_asked_in_words():
    lm = in_chat(model("llama"), Frame("what is ", "?"))
    with pytest.raises(ProbeError, match="use `chat: true`"):
        list(pseudo_logprob(lm, [Sentence("x", "a bird sings")]))


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_the_text_before_a_sentence_gets_no_score_and_counts(name):
    lm = model(name)
    whole = next(pseudo_logprob(lm, [Sentence("x", "a bird is a robin. a robin is a bird")]))
    part = next(pseudo_logprob(lm, [Sentence("x", "a robin is a bird", "a bird is a robin. ")]))
    count = len(part.token_ids)
    assert 0 < count < len(whole.token_ids)
    np.testing.assert_array_equal(part.token_ids, whole.token_ids[-count:])
    np.testing.assert_allclose(part.logprobs, whole.logprobs[-count:], rtol=0, atol=1e-4)


def test_a_model_writes_what_generate_writes_after_one_text():
    lm = model("llama")
    tasks = [Task("x", "a robin is a"), Task("y", "the word hippopotamus has a more specific meaning than the")]
    for task, answer in zip(tasks, write(lm, lm.encoder, tasks, tokens=4), strict=True):
        ids = lm.encoder.tokenizer(task.text, return_tensors="pt").input_ids
        alone = lm.net.generate(ids, max_new_tokens=4, do_sample=False, pad_token_id=0)
        assert answer.texts == (lm.encoder.tokenizer.decode(alone[0, ids.shape[1] :], skip_special_tokens=True),)


def test_what_the_network_computes_for_a_written_answer_is_counted():
    lm = model("llama")
    inputs, tokens = lm.inputs, lm.tokens
    task = Task("x", "a robin is a")
    list(write(lm, lm.encoder, [task], tokens=4))
    length = len(lm.encoder.tokenizer(task.text).input_ids)
    assert lm.inputs - inputs == 1
    assert length <= lm.tokens - tokens <= length + 3  # an answer may end early


def test_samples_are_the_same_after_a_restart():
    lm = model("llama")
    tasks = [Task("x", "a robin is a")]
    one, other = (next(write(lm, lm.encoder, tasks, tokens=4, samples=8)) for _ in range(2))
    assert one == other
    assert len(set(one.texts)) > 1


def test_a_masked_model_writes_nothing():
    lm = model("bert")
    with pytest.raises(ModelError, match="A masked model writes no answers"):
        list(write(lm, lm.encoder, [Task("x", "a robin is a")], tokens=4))
