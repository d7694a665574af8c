"""What a model is asked, and the judgments of every judge, with scores written by hand."""

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import relprobe
from relprobe.core.errors import DataError
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.requests import SLOT, Continuation, Sentence, SpanResponse, SpanText
from relprobe.studies.pairs import scoring
from relprobe.studies.pairs.method import (
    judgments,
    probes,
    questions,
    scores_of_judge,
    sentences,
    spans,
    statements,
    whole_question,
)
from relprobe.studies.pairs.prompts import Prompt, fill, read
from relprobe.studies.pairs.schemas import JUDGMENTS, PROBES, SCORES
from relprobe.studies.pairs.scoring import (
    ask,
    layer_scores,
    sentence_scores,
    statement_scores,
    states,
    verification_scores,
)
from relprobe.studies.pairs.shots import question_prefixes, statement_prefixes
from relprobe.studies.pairs.study import STUDY
from relprobe.studies.pairs.study import judges as judges_of
from transformers import GPT2Config

from tests.lm import naive
from tests.paths import ROOT
from tests.studies.pairs.made import PROMPTS, ROBIN, article, items
from tests.workflow.toy_models import causal_model

ASKED = probes(ROBIN.filter(kind="right"), PROMPTS, article)
EXAMPLES = {"HYP": [("rose", "flower"), ("oak", "tree"), ("cod", "fish"), ("robin", "animal")]}


def probe(name):
    return ASKED.filter(probe_id=name).row(0, named=True)


def scores(values):
    return pl.DataFrame(list(values.items()), schema=SCORES, orient="row")


def test_a_pair_is_asked_whole_and_with_a_word_left_out():
    assert ASKED.schema == PROBES
    assert ASKED.filter(prompt="is")["probe_id"].to_list() == ["is robin:bird", "is robin:", "is :bird", "is :"]
    one = probe("is robin:bird")
    assert (one["statement"], one["candidate"]) == ("a robin is a [V]", "bird")
    assert one["question"] == "Is a robin a bird?"
    assert one["sentence"][one["first_start"] : one["first_stop"]] == "robin"
    assert one["sentence"][one["second_start"] : one["second_stop"]] == "bird"
    nothing = probe("is :")
    assert (nothing["statement"], nothing["candidate"]) == ("something is [V]", "something")
    assert nothing["question"] == "Is something something?"


def test_requests_have_the_texts_of_the_probes():
    assert next(statements(ASKED, {})) == Continuation("kind robin:bird", "a robin is a kind of [V]", ("bird",))
    assert next(sentences(ASKED, {})) == Sentence("kind robin:bird", "a robin is a kind of bird")
    assert next(spans(ASKED)) == SpanText("kind robin:bird", "a robin is a kind of bird", ((2, 7), (21, 25)))
    first, second, *_ = questions(ASKED, PROMPTS, {})
    assert first == Continuation(
        "kind robin:bird 0", "Answer yes or no. Is a robin a kind of bird? It is [V]", ("yes", "no")
    )
    assert second.text.startswith("Answer no or yes.")


def test_examples_are_solved_alike_and_hold_no_word_of_the_probe():
    prefixes = statement_prefixes(ASKED, PROMPTS, article, EXAMPLES, 2)
    text = prefixes["kind robin:bird"]
    assert text.count("is a kind of") == 2
    assert "robin" not in text
    solved = question_prefixes(ASKED, PROMPTS, article, EXAMPLES, 2)["kind robin:bird"]
    assert ["It is yes" in solved, "It is no" in solved] == [True, True]
    assert statement_prefixes(ASKED, PROMPTS, article, EXAMPLES, 0) == {}
    with pytest.raises(DataError, match="needs 4 examples"):
        statement_prefixes(ASKED, PROMPTS, article, EXAMPLES, 4)


@pytest.mark.parametrize("prefixes_of", [statement_prefixes, question_prefixes])
def test_examples_may_be_those_of_a_step_which_has_lists_from_json(prefixes_of):
    from_json = json.loads(json.dumps(EXAMPLES))
    assert prefixes_of(ASKED, PROMPTS, article, from_json, 2) == prefixes_of(ASKED, PROMPTS, article, EXAMPLES, 2)


STATEMENTS = {"robin:bird": -1.0, "robin:": -4.0, ":bird": -3.0, ":": -2.0}


def prompt_scores(values):
    return scores({f"{prompt} {pair}": found for prompt in ("kind", "is") for pair, found in values.items()})


def by_agent(table):
    one = table.filter(prompt="kind")
    return dict(one.select("agent", "score").iter_rows())


def test_a_statement_is_judged_by_the_whole_word_and_its_controls_by_one_word():
    found = judgments(
        [prompt_scores({pair: [one / 2, one / 2] for pair, one in STATEMENTS.items()})],
        ASKED,
        model="m",
        judges=["statement"],
    )
    assert found.schema == JUDGMENTS
    assert by_agent(found) == {"m statement": -1.0, "m statement+candidate": -3.0, "m statement+target": -4.0}


def test_mutual_information_is_what_the_first_word_adds():
    found = judgments(
        [prompt_scores({pair: [one] for pair, one in STATEMENTS.items()})], ASKED, model="m", judges=["pmi"]
    )
    assert by_agent(found) == {"m pmi": 2.0, "m pmi+candidate": -3.0, "m pmi+target": -2.0}


def test_a_sentence_is_judged_by_its_tokens_that_something_precedes():
    values = {"robin:bird": [None, -1.0, -2.0], "robin:": [None, -1.5], ":bird": [None, -2.5], ":": [None, -9.0]}
    found = judgments([prompt_scores(values)], ASKED, model="m", judges=["sentence"])
    assert by_agent(found) == {"m sentence": -3.0, "m sentence+candidate": -2.5, "m sentence+target": -1.5}


def test_yes_is_calibrated_by_the_question_about_nothing():
    odds = {"robin:bird": (2.0, 4.0), "robin:": (1.0, 1.0), ":bird": (0.5, 1.5), ":": (1.0, 1.0)}
    values = {
        f"{prompt} {pair} {order}": [-1.0, -1.0 - one]
        for prompt in ("kind", "is")
        for pair, pair_odds in odds.items()
        for order, one in enumerate(pair_odds)
    }
    found = judgments([scores(values)], ASKED, model="m", judges=["verification"])
    assert by_agent(found) == pytest.approx(
        {"m verification": 2.0, "m verification+candidate": 0.0, "m verification+target": 0.0}
    )
    probability = found.filter(agent="m verification", prompt="kind")["probability"].item()
    assert probability == pytest.approx(1 / (1 + math.exp(-2)))


def test_states_are_compared_by_their_cosine():
    values = {
        "robin:bird": [3.0, 4.0, 4.0, 3.0],
        "robin:": [1.0, 0.0, 0.0, 1.0],
        ":bird": [1.0, 0.0, 2.0, 0.0],
        ":": [0.0] * 4,
    }
    found = judgments([prompt_scores(values)], ASKED, model="m", judges=["embedding"])
    assert by_agent(found) == pytest.approx(
        {"m embedding": 0.96, "m embedding+candidate": 1.0, "m embedding+target": 0.0}
    )


@pytest.mark.parametrize("judge", ["statement", "sentence", "pmi", "embedding"])
def test_a_text_that_the_tokenizer_cannot_write_has_no_judgment(judge):
    table = scores_of_judge(
        judge, ASKED, prompt_scores({**{pair: [-1.0, -1.0] for pair in STATEMENTS}, "robin:bird": [None, None]})
    )
    assert table.filter(probe_id="kind robin:bird")["score"].to_list() == [None]


@pytest.mark.parametrize("judge", ["statement", "sentence", "pmi", "verification", "embedding"])
def test_a_tokenizer_that_can_write_no_text_leaves_judgments_without_a_score(judge):
    endings = (" 0", " 1") if judge == "verification" else ("",)
    unwritten = {f"{pair}{end}": [None, None] for pair in STATEMENTS for end in endings}
    found = judgments([prompt_scores(unwritten)], ASKED, model="m", judges=[judge])
    assert found.schema == JUDGMENTS
    assert found["score"].null_count() == found.height == 2 * 3


def test_a_question_that_the_tokenizer_cannot_write_has_no_judgment():
    """Its score is missing, and no number that is none; and so is that of any pair if the question about nothing is it."""
    pairs = ("robin:bird", "robin:", ":bird", ":")

    def judged(lost):
        values = {
            f"{prompt} {pair} {order}": [None, None] if pair == lost else [-1.0, -2.0]
            for prompt in ("kind", "is")
            for pair in pairs
            for order in (0, 1)
        }
        found = judgments([scores(values)], ASKED, model="m", judges=["verification"]).filter(agent="m verification")
        return set(found.select("score", "probability").rows())

    assert judged("robin:bird") == {(None, None)}
    assert judged(":") == {(None, None)}
    assert judged("robin:") == {(0.0, 0.5)}


def test_the_log_odds_are_those_of_a_plain_forward(tmp_path):
    """Of yes and no at the end of each question, by the network itself in one forward of the whole text."""
    causal_model(tmp_path, seed=1)
    model = relprobe.load(tmp_path, "causal", device="cpu")
    net, tokenizer = model.engine.net, model.engine.encoder.tokenizer
    requests = list(questions(ASKED, PROMPTS, {}))
    table = scores({one.id: one.sums().tolist() for one in continuation_logprob(model.engine, requests)})
    found = scores_of_judge("verification", ASKED, table).filter(probe_id="kind robin:bird")["score"].item()

    def plain(first, second, order):
        text = whole_question(PROMPTS, f"Is {first} a kind of {second}?", order)
        yes, no = (sum(naive.chain(net, tokenizer, text, word)) for word in ("yes", "no"))
        return yes - no

    asked, nothing = (
        sum(plain(*words, order) for order in (0, 1)) / 2 for words in (("a robin", "bird"), ("something", "something"))
    )
    assert found == pytest.approx(asked - nothing, abs=1e-4)
    assert abs(found) > 1e-3


def test_the_shipped_prompts_fit_and_read_well():
    prompts = read(ROOT / "resources/prompts/pairs.yaml")
    assert {"HYP", "HPO", "HOL", "MER", "ANT", "SYN", "HYP-V"} == set(prompts.relation_prompts)
    for relation_prompts in prompts.relation_prompts.values():
        for prompt in relation_prompts:
            text = fill(prompt.question, "owl", "bird", prompts.nothing, article).text
            assert text.endswith("?")
            assert "[" not in text
            assert SLOT not in whole_question(prompts, text, 0).removesuffix(SLOT)


def test_an_agent_has_the_judges_that_its_way_of_asking_changes():
    """Examples stand before no sentence whose states are read, and a server gives no states."""
    models = {
        "m": {"type": "causal", "path": "."},
        "few": {"model": "m", "shots": 2},
        "served": {"type": "causal", "endpoint": "http://localhost/v1"},
    }
    config = {"models": models, "pairs": {"judges": ["pmi", "embedding"]}}
    assert judges_of(config, list(models)) == {"m": ["pmi", "embedding"], "few": ["pmi"], "served": ["pmi"]}
    assert judges_of(config | {"pairs": {"judges": ["embedding"]}}, list(models)) == {"m": ["embedding"]}
    assert not STUDY.hidden_states(config)
    assert STUDY.hidden_states({"pairs": {"judges": ["embedding"]}})


ENGLISH = SimpleNamespace(articles=SimpleNamespace(chooser=article))


@pytest.mark.parametrize("shots", [0, 1])
def test_each_kind_of_judge_asks_its_requests(shots):
    """An example about another pair stands before statements and questions, and before no sentence whose states are read."""
    model = SimpleNamespace(encoder=SimpleNamespace(masked=False), conversation=None)
    asked = ask(model, ASKED, PROMPTS, ENGLISH, layer=3, shots=shots, examples=EXAMPLES if shots else None)
    texts = statement_prefixes(ASKED, PROMPTS, article, EXAMPLES, shots)
    solved = question_prefixes(ASKED, PROMPTS, article, EXAMPLES, shots)
    assert bool(texts) is bool(solved) is bool(shots)
    assert asked.statement.requests == [*statements(ASKED, texts)]
    assert asked.sentence.requests == [*sentences(ASKED, texts)]
    assert asked.verification.requests == [*questions(ASKED, PROMPTS, solved)]
    assert asked.states.requests == [*spans(ASKED)]
    kinds = [one.kind for one in asked]
    assert kinds == ["pairs statement", "pairs sentence", "pairs verification", "pairs states"]
    assert asked.states.answer.keywords == {"layer": 3}


def test_after_each_layer_the_states_of_both_words_of_each_statement_are_asked():
    """Of three layers of a choice of the first, the embeddings and the last are asked as well."""
    model = SimpleNamespace(encoder=SimpleNamespace(masked=False), config=GPT2Config(n_layer=3))
    asked = layer_scores(model, ASKED, layers=[1])
    assert [*asked.requests()] == [*spans(ASKED)]
    assert (asked.kind, asked.what, asked.count) == ("pairs layers", "requests", len([*spans(ASKED)]))
    response = SpanResponse("is robin:bird", np.arange(6, dtype=np.float32).reshape(3, 2, 1))
    assert [(row["layer"], row["values"]) for row in asked.table([response]).to_pylist()] == [
        *((0, [0, 1]), (1, [2, 3]), (3, [4, 5])),
    ]


@pytest.mark.parametrize(("masked", "method"), [(False, None), (True, "within_word_l2r")])
def test_a_masked_model_reads_a_word_from_left_to_right(masked, method):
    model = SimpleNamespace(encoder=SimpleNamespace(masked=masked))
    for scores_of in (statement_scores, verification_scores):
        assert scores_of(model, ASKED, PROMPTS, ENGLISH).answer.keywords == {"method": method}


def test_answers_become_a_row_of_numbers_each():
    """Of a sentence the first token has no probability; of two answers to a question there are two sums."""
    bigrams = bigram_model({"a": {"robin": 0.5, "wren": 0.5}, "robin": {"sings": 0.25, "is": 0.75}})
    said = sentence_scores(SimpleNamespace(), ASKED, PROMPTS, ENGLISH)
    rows = said.table([*said.answer(bigrams, [Sentence("p", "a robin sings")])]).to_pylist()
    assert rows == [{"probe_id": "p", "values": [None, pytest.approx(math.log(0.5)), pytest.approx(math.log(0.25))]}]
    stated = statement_scores(SimpleNamespace(encoder=bigrams.encoder), ASKED, PROMPTS, ENGLISH)
    (row,) = stated.table([*stated.answer(bigrams, [Continuation("q", "a robin [V]", ("is", "sings"))])]).to_pylist()
    assert row == {"probe_id": "q", "values": pytest.approx([math.log(0.75), math.log(0.25)])}


def test_solved_questions_have_both_answers_in_both_orders_of_the_options():
    """Of two questions in one order the second takes its second word from the first, and the answer is no."""
    examples = {
        "HYP": [("rose", "flower"), ("oak", "tree"), ("cod", "fish"), ("van", "car"), ("ant", "bug"), ("saw", "tool")]
    }
    text = question_prefixes(ASKED, PROMPTS, article, examples, 6)["kind robin:bird"]
    found = re.findall(r"Answer ([^.]+)\. Is an? (\w+) a kind of (\w+)\? It is (\w+)", text)
    second_words = dict(examples["HYP"])
    assert [(answer, right == second_words[first]) for _, first, right, answer in found] == [
        ("yes", True),
        ("no", False),
    ] * 3
    assert [right for _, _, right, _ in found] == [second_words[found[place][1]] for place in (0, 0, 2, 2, 4, 4)]
    assert [options for options, *_ in found] == ["yes or no"] * 2 + ["no or yes"] * 2 + ["yes or no"] * 2


def test_a_pair_that_several_sets_have_is_asked_once_and_so_is_a_word_of_several_pairs():
    """Three words: robin:bird and robin:animal of one set, and robin:bird and wren:bird of another one."""
    first = items(("robin", "robin", "bird", "right"), ("robin", "robin", "animal", "right"))
    second = items(("bird", "robin", "bird", "right"), ("bird", "wren", "bird", "right"), set_name="own")
    asked = probes(pl.concat([first, second]), PROMPTS, article).filter(prompt="is")
    assert asked.select("first", "second").rows() == [
        *[("robin", "bird"), ("robin", "animal"), ("wren", "bird")],
        *[("robin", ""), ("wren", ""), ("", "bird"), ("", "animal"), ("", "")],
    ]


def test_a_step_without_further_words_asks_without_examples_and_in_the_last_layer():
    model = SimpleNamespace(encoder=SimpleNamespace(masked=False), conversation=None)
    plain, explicit = ask(model, ASKED, PROMPTS, ENGLISH), ask(model, ASKED, PROMPTS, ENGLISH, layer=-1, shots=0)
    assert [one.requests for one in plain] == [one.requests for one in explicit]
    assert plain.states.answer.keywords == {"layer": -1}
    for scores_of, name in (
        (statement_scores, "statement"),
        (sentence_scores, "sentence"),
        (verification_scores, "verification"),
    ):
        assert scores_of(model, ASKED, PROMPTS, ENGLISH).requests == getattr(plain, name).requests
    assert states(model, ASKED).answer.keywords == {"layer": -1}


def test_a_model_writes_about_each_pair_in_one_order_of_the_options_if_no_more_are_asked_for(monkeypatch):
    monkeypatch.setattr(scoring, "write_replies", lambda kind, model, questions, tokens, samples: (questions, samples))
    model = SimpleNamespace(conversation={"judge": "[PROBE] [OPTIONS]"})
    given = model, items(("robin", "robin", "bird", "right")), PROMPTS, ENGLISH
    plain, samples = scoring.writing(*given, scale=[0, 6], tasks=["judge"])
    assert [(one.id, one.text) for one in plain] == [("judge HYP robin:bird 1", "Is a robin a kind of bird? yes, no")]
    assert samples is None
    twice, samples = scoring.writing(*given, scale=[0, 6], tasks=["judge"], orders=2, samples=3)
    assert [one.text.rpartition("? ")[2] for one in twice] == ["yes, no", "no, yes"]
    assert samples == 3


TWO_PROMPTS = replace(
    PROMPTS, relation_prompts={**PROMPTS.relation_prompts, "MER": (Prompt("has", "[W] has [V]", "Has [W] [V]?"),)}
)
"""Prompts of two relations."""


def asked_of_two(part):
    """Probes about the robin and the bird as its kind, and a word as its part."""
    part_items = items(("robin", "robin", part, "right"), condition="MER", relation="MER")
    return probes(pl.concat([ROBIN.filter(kind="right"), part_items]), TWO_PROMPTS, article)


def test_the_examples_before_a_probe_are_in_its_own_prompt_and_of_its_own_relation():
    """Of two relations with the same examples, and of two prompts of one relation."""
    asked = asked_of_two("wing")
    same = {relation: [("rose", "flower"), ("oak", "tree")] for relation in ("HYP", "MER")}
    phrases = {
        statement_prefixes: {
            "kind": "a rose is a kind of flower",
            "is": "a rose is a flower",
            "has": "rose has flower",
        },
        question_prefixes: {"kind": "Is a rose a kind of flower", "is": "Is a rose a flower", "has": "Has rose flower"},
    }
    for prefixes_of, said in phrases.items():
        prefixes = prefixes_of(asked, TWO_PROMPTS, article, same, 2)
        assert prefixes.keys() == {*asked["probe_id"]}
        for probe_id, text in prefixes.items():
            assert said[probe_id.split()[0]] in text
    other = {**same, "MER": [("car", "wheel"), ("cat", "tail")]}
    prefixes = statement_prefixes(asked, TWO_PROMPTS, article, other, 2)
    assert ["wheel" in text for text in prefixes.values()] == [name.startswith("has") for name in prefixes]


def test_the_same_word_in_two_relations_has_a_judgment_of_each():
    """The scores of each prompt are those of the first one, times a number."""
    asked, factors = asked_of_two("bird"), {"kind": 1.0, "is": 2.0, "has": 4.0}
    parts = {"robin:bird": 1.0, "robin:": 10.0, ":bird": 100.0, ":": 1000.0}
    given = scores({f"{prompt} {pair}": [n * m] for prompt, n in factors.items() for pair, m in parts.items()})
    table = judgments([given, given], asked, model="m", judges=["statement", "pmi"])
    relation_of = {"kind": "HYP", "is": "HYP", "has": "MER"}
    counts_by_judge = {"statement": (1, 100, 10), "pmi": (1 - 100, 100, 10 - 1000)}
    assert sorted(table.select("agent", "relation", "prompt", "score").rows()) == sorted(
        (f"m {judge}{ending}", relation_of[prompt], prompt, n * m)
        for prompt, n in factors.items()
        for judge, judge_counts in counts_by_judge.items()
        for ending, m in zip(("", "+candidate", "+target"), judge_counts, strict=True)
    )
