"""Tasks of lm-evaluation-harness: their questions, and that the harness gives the scores of the engine."""

import json
import random

import polars as pl
import pytest
import yaml
from relprobe.core.errors import DataError
from relprobe.core.step import options_of
from relprobe.export.lm_eval import OPTIONS, UTILS, blind_accuracy, commonness, lm_eval, questions, write
from relprobe.sources.language import Articles
from relprobe.studies.relations.schemas import PROBES, TUPLES

from tests.workflow.toy_models import causal_model

WITHIN = 1e-4


ARTICLES = Articles({"a": 0.75, "an": 0.25}, lambda word: "an" if word[0] in "aeiou" else "a")


def asked(probes, relata, seed=1):
    return list(questions(probes, relata, ARTICLES, seed))


def test_a_question_has_one_right_choice_and_others_that_no_set_of_the_target_holds(probes, relata):
    hot, robin = asked(probes, relata)  # the slot of oak is not the end, and the last is a trick
    assert robin["text"] == "a robin is a kind of"
    assert len(robin["choices"]) == OPTIONS
    right = robin["choices"][robin["gold"]]
    assert right in ("a bird", "an animal")
    wrong = {"a tree", "a tool", "an insect", "a game"}  # metal is a meronym of the robin here
    assert set(robin["choices"]) - {right} <= wrong
    assert hot["choices"][hot["gold"]] == "cold"
    others = {"bird", "animal", "tree", "tool", "insect", "metal", "game"}  # no other antonym is there
    assert set(hot["choices"]) - {"cold"} <= others


def test_the_seed_decides_and_nothing_else(probes, relata):
    assert asked(probes, relata) == asked(probes[::-1], relata[::-1])
    assert len({str(asked(probes, relata, seed)) for seed in range(20)}) > 10


def skewed(seed, commonest):
    """Probes and relata of 300 targets: each has some of 40 words, of which `commonest` decides how unequal they are."""
    draw = random.Random(seed)
    weights = [1 / (place + 1) ** commonest for place in range(40)]
    sets = {f"t{i:03}": {*draw.choices(range(40), weights, k=draw.randint(1, 4))} for i in range(300)}
    probes = [(f"hyp:{t}", "HYP", t, "hyp", "main", f"a {t} is a [V]", []) for t in sets]
    relata = [(t, "HYP", f"w{word:02}", ["own"]) for t, words in sets.items() for word in words]
    return pl.DataFrame(probes, schema=PROBES, orient="row"), pl.DataFrame(relata, schema=TUPLES, orient="row")


@pytest.mark.parametrize("commonest", [0, 0.5, 1])
def test_a_blind_agent_gets_what_guessing_gets(commonest):
    """One that takes the word which most targets have; equal weights of all words give it up to .6 of these."""
    accuracies = [blind_accuracy(asked(*skewed(seed, commonest), seed)) for seed in range(5)]
    assert sum(accuracies) / 5 == pytest.approx(1 / OPTIONS, abs=0.04)


def test_the_folder_says_what_a_blind_agent_gets(probes, relata, tmp_path, caplog):
    caplog.set_level("INFO", logger="relprobe")
    write(asked(*skewed(1, 1)), tmp_path)
    task = yaml.safe_load((tmp_path / "relprobe_hyp.yaml").read_text().replace("!function ", ""))
    questions_of = list(map(json.loads, (tmp_path / "HYP.jsonl").read_text().splitlines()))
    assert task["metadata"]["blind_accuracy"] == pytest.approx(blind_accuracy(questions_of), abs=0.0005)
    assert f"HYP: who takes the commonest choice is right in {blind_accuracy(questions_of):.3f}" in caplog.text


def test_a_study_without_a_question_is_an_error(probes, relata, tmp_path):
    with pytest.raises(DataError, match="3 words must be no relata"):
        write(asked(probes, relata.head(1)), tmp_path)


def test_the_folder_has_a_task_per_relation_and_their_candidates(probes, relata, tmp_path):
    write(asked(probes, relata), tmp_path)
    text = (tmp_path / "relprobe_hyp.yaml").read_text().replace("!function ", "")
    assert yaml.safe_load(text)["dataset_kwargs"] == {"relation": "HYP"}
    assert yaml.safe_load((tmp_path / "relprobe.yaml").read_text())["task"] == ["relprobe_ant", "relprobe_hyp"]
    table = pl.read_csv(tmp_path / "candidates.csv").filter(relation="HYP")
    (question,) = map(json.loads, (tmp_path / "HYP.jsonl").read_text().splitlines())
    assert table["candidate"].to_list() == question["choices"]
    assert table["right"].arg_true().to_list() == [question["gold"]]


@pytest.mark.filterwarnings("ignore")
def test_the_harness_gives_the_scores_of_the_engine(probes, relata, tmp_path, monkeypatch):
    """Each choice within WITHIN, and so the same accuracy."""
    harness_package = pytest.importorskip("lm_eval")
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager
    from relprobe import load

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    targets = [f"thing{i}" for i in range(8)]
    more = probes.filter(pl.col("prompt_id") == "hyp-kind").head(1)
    probes = pl.concat([more.with_columns(probe_id=pl.lit(f"p:{name}"), target=pl.lit(name)) for name in targets])
    relata = pl.concat([relata.head(1).with_columns(target=pl.lit(n), relatum=pl.lit(n[::-1])) for n in targets])
    write(asked(probes, relata), tmp_path / "tasks")
    causal_model(tmp_path / "model", seed=1, more=["kind", "of", *relata["relatum"].unique()])
    model = load(tmp_path / "model", progress=False)
    harness = HFLM(pretrained=model.engine.net, tokenizer=model.engine.encoder.tokenizer, device="cpu")
    manager = TaskManager(include_path=str(tmp_path / "tasks"), include_defaults=False)
    result = harness_package.simple_evaluate(harness, tasks=["relprobe_hyp"], task_manager=manager, bootstrap_iters=0)
    table = pl.read_csv(tmp_path / "tasks/candidates.csv")
    ours = model.score(table["text"], [[one] for one in table["candidate"]])
    table = table.with_columns(ours["logprob"])
    theirs = [
        float(answer[0])
        for sample in sorted(result["samples"]["relprobe_hyp"], key=lambda one: one["doc"]["probe_id"])
        for answer in sample["filtered_resps"]
    ]
    assert table["logprob"].to_list() == pytest.approx(theirs, abs=WITHIN)
    best = table.sort("logprob", descending=True).unique("probe_id", keep="first")
    assert result["results"]["relprobe_hyp"]["acc,none"] == best["right"].mean()


def test_a_target_without_relata_or_with_too_few_other_words_has_no_question_and_the_next_has(probes, relata):
    """By hand: a pool of three other words is large enough, of two it is the words of all relations, which are too few."""
    rows = [(f"p{i}", "HYP", target, "hyp", "main", f"a {target} is a [V]", []) for i, target in enumerate("ztabuv")]
    asked_of = pl.DataFrame(rows, schema=probes.schema, orient="row")
    tuples = [("a", "HYP", "w1"), ("b", "HYP", "w2"), ("c", "HYP", "w3"), ("d", "HYP", "w4"), ("t", "ANT", "w1")]
    own = pl.DataFrame([(*row, ["own"]) for row in tuples], schema=relata.schema, orient="row")
    assert [one["probe_id"] for one in asked(asked_of, own)] == ["p2", "p3"]
    assert {one["choices"][one["gold"]] for one in asked(asked_of, own)} == {"w1", "w2"}
    assert all(sorted(one["choices"]) == ["w1", "w2", "w3", "w4"] for one in asked(asked_of, own))
    assert [one["targets"] for one in asked(asked_of, own)] == [[1] * 4] * 2
    further = pl.concat([own[:3], own[3:4].with_columns(relation=pl.lit("MER"))])
    assert [one["probe_id"] for one in asked(asked_of, further)] == [
        "p2",
        "p3",
    ]  # the fourth word is of another relation
    assert asked(asked_of, own[:3]) == []


def test_a_word_of_several_rows_is_counted_once_per_target():
    rows = pl.DataFrame([("a", "x"), ("a", "x"), ("b", "x"), ("c", "y")], ["target", "relatum"], orient="row")
    assert {word: tuple(one) for word, one in commonness(rows).items()} == {"x": (2, 6.0), "y": (1, 1.5)}


def test_the_step_draws_with_its_seed_and_writes_what_the_harness_runs(probes, relata, tmp_path, caplog):
    caplog.set_level("INFO", logger="relprobe")
    own = relata.with_columns(pl.col("relatum").replace({"bird": "größer"}))
    language = type("English", (), {"articles": ARTICLES})
    assert {option.name: option.default for option in options_of(lm_eval)}["seed"] == 1
    lm_eval(probes, own, language, tmp_path / "out", seed=5)
    lines = (tmp_path / "out/HYP.jsonl").read_text("utf-8").splitlines()
    assert list(map(json.loads, lines)) == [one for one in asked(probes, own, 5) if one["relation"] == "HYP"]
    assert "größer" in lines[0] or "größer" in (tmp_path / "out/ANT.jsonl").read_text("utf-8")
    assert (tmp_path / "out/utils.py").read_text() == UTILS
    assert "who guesses in 0.250" in caplog.text
    rows = pl.read_csv(tmp_path / "out/candidates.csv").filter(relation="HYP")
    assert rows["text"].unique().to_list() == ["a robin is a kind of"]
