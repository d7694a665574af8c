"""What a model writes, by hand: settings, batches, and where a thought ends. The writing itself is that of transformers."""

from types import SimpleNamespace

import pytest
import torch
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.primitives import writing
from relprobe.lm.primitives.writing import TAIL, Task, WrittenAnswers, WrittenThought, write
from relprobe.lm.words.thoughts import OPENING

END = 9


class Letters:
    """A tokenizer whose tokens are the letters of a text; the token END is a space."""

    eos_token_id, pad_token_id = END, None

    def decode(self, ids, skip_special_tokens=False):
        return "".join(
            " " if token == END else chr(token) for token in ids if not (skip_special_tokens and token == END)
        )

    def encode(self, text, add_special_tokens):
        assert not add_special_tokens
        return list(map(ord, text))

    def batch_decode(self, rows):
        return [self.decode(row.tolist()) for row in rows]


def letters(text):
    return [END if letter == " " else ord(letter) for letter in text]


class Net:
    """A network that writes `said` after all texts, and keeps what it was given."""

    device = torch.device("cpu")

    def __init__(self, said, ends=None):
        self.said, self.asked = said, []
        self.generation_config = SimpleNamespace(eos_token_id=ends)

    def generate(self, ids, attention_mask, generation_config, stopping_criteria):
        self.asked.append((ids.tolist(), attention_mask.tolist(), generation_config, len(stopping_criteria)))
        rows = ids.repeat_interleave(generation_config.num_return_sequences or 1, 0)
        said = torch.tensor([letters(self.said[: generation_config.max_new_tokens])] * len(rows))
        return torch.cat([rows, said], 1)


def model_of(said, **settings):
    return SimpleNamespace(net=Net(said, **settings), products="torch", inputs=0, tokens=0)


def encoder_of(*, longest=99, closing="", both_sides=False):
    return SimpleNamespace(
        both_sides=both_sides,
        kind_in_words="a masked model",
        tokenizer=Letters(),
        max_length=longest,
        closing=closing,
        slots=lambda texts: [SimpleNamespace(ids=tuple(letters(text.removesuffix(" [V]")))) for _, text in texts],
    )


@pytest.mark.parametrize(
    ("ends", "own", "padding", "expected"),
    [
        (None, 9, None, ([9], 9)),
        (7, 9, None, ([7], 7)),
        ([7, 8], 9, None, ([7, 8], 7)),
        ([7, 8], 9, 5, ([7, 8], 5)),
        ([7, 8], 9, 0, ([7, 8], 0)),
        (None, None, None, ([], 0)),
    ],
)
def test_an_answer_ends_where_the_network_or_its_tokenizer_says(ends, own, padding, expected):
    tokenizer = SimpleNamespace(eos_token_id=own, pad_token_id=padding)
    settings = writing._settings(model_of("", ends=ends), tokenizer, 12, None)
    assert (settings.eos_token_id, settings.pad_token_id) == expected
    assert (settings.max_new_tokens, settings.do_sample) == (12, False)
    drawn = writing._settings(model_of("", ends=ends), tokenizer, 12, 3)
    assert (drawn.do_sample, drawn.temperature, drawn.top_k, drawn.top_p) == (True, 1.0, 0, 1.0)
    assert drawn.num_return_sequences == 3


def test_texts_of_several_lengths_stand_at_the_end_of_their_rows():
    model = model_of("xy ")
    first, second = write(model, encoder_of(), [Task("a", "ab"), Task("b", "abcd")], 3)
    ((ids, seen, _, stops),) = model.net.asked
    assert ids == [[END, END, *letters("ab")], letters("abcd")]
    assert seen == [[0, 0, 1, 1], [1, 1, 1, 1]]
    assert stops == 0
    assert (first, second) == (WrittenAnswers("a", ("xy",), (True,)), WrittenAnswers("b", ("xy",), (True,)))
    assert (model.inputs, model.tokens) == (2, 2 * 6)  # the last token is not read
    (cut,) = write(model_of("xy "), encoder_of(), [Task("a", "ab")], 2)
    assert cut == WrittenAnswers("a", ("xy",), (False,))


@pytest.mark.parametrize(("samples", "batches"), [(None, [32, 8]), (1, [32, 8]), (10, [3] * 13 + [1]), (99, [1] * 40)])
def test_so_many_answers_are_written_together(samples, batches):
    model = model_of("x ")
    answers = list(write(model, encoder_of(), [Task(str(number), "a") for number in range(40)], 2, samples))
    assert [len(ids) for ids, *_ in model.net.asked] == batches
    assert [answer.id for answer in answers] == [str(number) for number in range(40)]
    assert all(answer.texts == ("x",) * (samples or 1) for answer in answers)


def test_the_seed_of_a_batch_comes_from_its_tasks():
    """It is the same in every version, so that a run that was stopped goes on as it would have."""
    seeds, model = [], model_of("x ")
    for tasks in ([Task("a", "ab")], [Task("a", "ac")], [Task("b", "ab")], [Task("a", "ab")]):
        list(write(model, encoder_of(), tasks, 2, 1))
        seeds.append(torch.initial_seed())
    assert seeds[0] == seeds[3] == 39859184671581
    assert len(set(seeds)) == 3


def test_what_reads_on_both_sides_writes_nothing():
    with pytest.raises(ModelError, match="A masked model writes no answers: leave `task` out"):
        next(write(model_of(""), encoder_of(both_sides=True), [Task("a", "a")], 2))


@pytest.mark.parametrize(
    ("row", "opened", "ids", "text", "length", "begun"),
    [
        ("<think>so</think>b", None, "<think>so</think>", "<think>so</think>", 17, ""),
        ("so</think>b", "<think>", "so</think>", "so</think>", 10, ""),
        ("so</think>", "<think>", "so</think>", "so</think>", 10, ""),
        ("<think>so", None, "<think>so\n</think>\n\n", "<think>so\n</think>\n\n", 9, ""),
        ("so", "<think>", "so\n</think>\n\n", "so\n</think>\n\n", 2, ""),
        ("[THINK]so", None, "[THINK]so[/THINK]", "[THINK]so[/THINK]", 9, ""),
        ("so x</think>", "<think>", "so\n</think>\n\n", "so\n</think>\n\n", 2, ""),  # it had ended before it closed
        ("bird x", None, "bird ", "", 0, "bird "),
        ("birds and more", None, "birds ", "", 0, "birds "),
        ("birdsandmorebirds", None, "birdsandmore", "", 0, "birdsandmore"),
    ],
)
def test_where_a_thought_ends_and_an_answer_begins(row, opened, ids, text, length, begun):
    opening = OPENING.match(opened) if opened else None
    thought = writing._thought(Letters(), letters(row), opening, [END], 12)
    assert thought == WrittenThought(letters(ids), text, length, letters(begun))


def test_the_end_of_a_thought_is_looked_for_in_its_last_tokens():
    criterion = writing._Closed(Letters(), 3)
    assert TAIL == 24
    for text, closed in (
        ("abc</think>", True),
        ("</think>abc", False),  # before what is written
        ("abc</think>" + "x" * 16, True),  # 24 tokens have been written
        ("abc</think>" + "x" * 17, False),
        ("abcso</think", False),
    ):
        assert criterion(torch.tensor([letters(text)]), None).tolist() == [closed]


@pytest.mark.parametrize(("longest", "right"), [(2 + 5 + TAIL + 3, True), (2 + 5 + TAIL + 2, False)])
def test_a_question_a_thought_and_an_answer_fit_into_the_model(longest, right):
    asked = write(model_of("x "), encoder_of(longest=longest), [Task("a", "ab")], 3, None, 5)
    if right:
        assert len(list(asked)) == 1
    else:
        with pytest.raises(ProbeError, match=rf"takes up to {longest + 1} tokens, but the model takes {longest}"):
            list(asked)


def test_a_thought_may_be_closed_by_the_first_token():
    """As the template has opened it, and the mark that closes it is one token."""
    tokenizer = SimpleNamespace(decode=lambda ids: "".join("</think>" if token == 7 else chr(token) for token in ids))
    thought = writing._thought(tokenizer, [7, *letters("ab")], OPENING.match("<think>"), [END], 5)
    assert thought == WrittenThought([7], "</think>", 1, [])


def test_an_answer_that_is_begun_in_place_of_a_thought_goes_on_up_to_its_length():
    model = model_of("birds")
    (answer,) = write(model, encoder_of(), [Task("a", "ab")], 7, None, 3)
    assert [settings.max_new_tokens for *_, settings, _ in model.net.asked] == [7, 7]  # the same object: the last is 7
    assert [stops for *_, stops in model.net.asked] == [1, 0]
    assert answer == WrittenAnswers("a", ("birbird",), (False,), ("",), (0,))
    (ended,) = write(model_of("b x"), encoder_of(), [Task("a", "ab")], 7, None, 3)
    assert ended == WrittenAnswers("a", ("b",), (True,), ("",), (0,))


def test_each_of_several_thoughts_has_one_answer():
    model = model_of("<think>so</think>")
    (answer,) = write(model, encoder_of(), [Task("a", "ab")], 17, 3, 17)
    assert [(len(ids), settings.num_return_sequences) for ids, _, settings, _ in model.net.asked] == [(1, 3), (3, 1)]
    assert (answer.thoughts, answer.lengths) == (("<think>so</think>",) * 3, (17,) * 3)
    assert len(answer.texts) == len(answer.complete) == 3
