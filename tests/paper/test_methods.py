"""The methods of a manuscript: sentences from the configuration and the results, and only those of this run."""

import json
from typing import get_args

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.files import write_json
from relprobe.paper import methods
from relprobe.paper.methods import network
from relprobe.paper.run import Run, losses
from relprobe.paper.trials import as_trials
from relprobe.stats.schemas import AVERAGES, TESTS
from relprobe.studies.definitions import methods as definitions_methods
from relprobe.studies.definitions.schemas import SIZES
from relprobe.studies.degrees import methods as degrees_methods
from relprobe.studies.pairs import methods as pairs_methods
from relprobe.studies.relations.calibration import Calibration
from relprobe.studies.relations.methods import CALIBRATED

from tests.steps import run_step

SIZE = {"groups_of": "the benchmark", "condition": "noun", "groups": 4, "families": 2}
SECTION = {"sample": {"noun": 3, "seed": 7}, "choices": {"ties": "drawn"}}


def table(schema, *entries):
    return pl.DataFrame([{name: entry.get(name) for name in schema} for entry in entries], schema=schema)


@pytest.fixture
def files(tmp_path):
    """A definitions study of one model, with a control and three answers."""
    (tmp_path / "tables").mkdir()
    table(SIZES, SIZE).write_parquet(tmp_path / "tables/data.parquet")
    about = {"metric": "W2D P@1", "condition": "noun", "value": 0.5}
    table(AVERAGES, {"agent": "m", **about}, {"agent": "random", **about}).write_parquet(tmp_path / "averages.parquet")
    family = {"metric": "W2D P@1", "condition": "noun", "agent_a": "random", "agent_b": "m", "family": "controls"}
    table(TESTS, family | {"p": 0.5}, family).write_parquet(tmp_path / "tests.parquet")
    rows = pl.DataFrame({"agent": ["m", "m", "random"], "target": ["a", "b", "a"], "item": ["w2d:a", "w2d:b", "w2d:a"]})
    as_trials(rows, study="definitions", counted=1).write_parquet(tmp_path / "trials.parquet")
    write_json({"finding": "m is right in 50 of 100 cases.", "statistics": "p = 0.5."}, tmp_path / "card.json")
    return tmp_path


def part(files, *, own=False, **changes):
    """The paragraph of the study; `own`: its dictionary is the user's."""
    page = ("paper", "wordnet", "people", "targets", "static", "task_agents", "large", "chat_models")
    options = {
        **{name: files / f"{name}.parquet" for name in ("trials", "averages", "tests")},
        **{
            "tables": [files / "tables/data.parquet"],
            "study": "definitions",
            "section": SECTION,
            "inference": "linked",
        },
        **{
            "has": dict.fromkeys(page, False) | {"paper": not own, "wordnet": not own},
            "resources": {},
            "controls": ["random", "length"],
        },
        **{"models": {"m": {"type": "causal"}}, "card": files / "card.json", "out": files / "methods.json"},
    }
    run_step("manuscript", "study_methods", **options | changes)
    return json.loads((files / "methods.json").read_text())["text"]


def test_the_numbers_are_those_of_the_run(files):
    text = part(files)
    for sentence in (
        "The groups of candidates are from WordNet [@miller1995].",
        "The benchmark keeps those with enough different words and definitions: 4 noun groups in 2 families.",
        "The sample was drawn at random (seed 7).",
        "Candidates of equal score stand in an order that was drawn.",
        "The metrics are precision at 1 (P@1) (section 2.4 of [@senel2021]).",
        "The agent is `m`.",
        "The control, which does not know what the study asks about, is `random`.",
        "The averages count 2 answers of these agents to 2 questions about 2 targets.",
        "by family, controls (1 test).",
        "Significant is what our test finds with an adjusted p below 0.05.",
    ):
        assert sentence in text


def test_a_study_of_own_data_has_no_word_of_the_papers_data(files):
    text = part(files, own=True)
    assert "our own dictionary" in text
    assert "WordNet" not in text
    assert "miller1995" not in text


def test_a_run_without_tests_says_so_and_cites_none(files):
    table(TESTS).write_parquet(files / "tests.parquet")
    text = part(files)
    assert "No two agents could be compared by a test." in text
    assert "holm1979" not in text
    assert "Significant" not in text


def test_an_agent_that_is_asked_in_another_way_and_layer_by_layer(files):
    models = {"m": {"shots": 3, "chat": True}, "deep": {"layers": "all"}}
    text = part(files, models=models)
    assert "The agent is `m` (3 examples, chat). Asked after each of its layers is `deep`." in text


ORIGINS = {
    "path": {"path": "/home/me/m.gguf"},
    "url": {"url": "https://me:sesame@example.org/m.zip?token=sesame", "sha256": "0" * 64},
    "endpoint": {"endpoint": "https://me:sesame@10.0.0.7/v1", "name": "llama", "key_env": "KEY"},
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_manuscript_has_no_path_address_or_password_of_its_author(files, origin):
    entry, vectors = {"type": "causal", **ORIGINS[origin]}, {"path": "/home/me/vectors"}
    adapter = {"model": "m", "peft": ORIGINS["path" if origin == "endpoint" else origin]}
    part(files, models={"m": entry, "m-lora": adapter}, resources={"static_vectors": vectors}, controls=["static"])
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    run_step("manuscript", "methods", parts=[files / "methods.json"], models={"m": entry, "m-lora": adapter}, **out)
    said = "".join(file.read_text() for file in out.values())
    assert "`m-lora` has an adapter: " in said
    assert not [one for one in ("/home", "sesame", "10.0.0.7", "token") if one in said]


def test_each_model_has_the_versions_that_it_was_asked_with(files):
    part(files)
    written = json.loads((files / "methods.json").read_text())
    written["computed"] = {
        name: {"libraries": {"torch": version}} for name, version in (("m", "2.13.0"), ("n", "2.14.0"))
    }
    (files / "methods.json").write_text(json.dumps(written | {"agents": ["m", "n"]}))
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    models = {name: {"type": "causal", "huggingface": f"me/{name}", "revision": "ab"} for name in ("m", "n")}
    run_step("manuscript", "methods", parts=[files / "methods.json"], manifests=[], models=models, **out)
    text = (files / "m.md").read_text()
    assert "`me/m`, revision ab, asked with torch 2.13.0" in text
    assert "`me/n`, revision ab, asked with torch 2.14.0" in text
    assert "(torch" not in text


def test_models_are_named_with_revision_digest_and_number_format(files):
    part(files)
    written = json.loads((files / "methods.json").read_text())
    written["computed"] = {"m": {"dtype": "bfloat16", "libraries": {"torch": "2.13.0"}}}
    (files / "methods.json").write_text(json.dumps(written))
    (files / "m.json").write_text(json.dumps({"files": {"config.json": "0" * 64, "model.safetensors": "abcdef" * 11}}))
    entry = {"type": "causal", "size": 1.5e9, "huggingface": "me/m_1", "revision": "607a30d7"}
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    models = {"m": entry, "unused": {"type": "masked", "path": "x"}}
    run_step(
        "manuscript", "methods", parts=[files / "methods.json"], manifests=[files / "m.json"], models=models, **out
    )
    text = (files / "m.md").read_text()
    assert (
        "`m` [@model-m] is a causal model: 1,500 million parameters, `me/m_1`, revision 607a30d7, SHA-256 of "
        "model.safetensors abcdefabcdef…, computed in bfloat16." in text
    )
    assert "(torch 2.13.0)" in text
    assert "unused" not in text
    latex = (files / "m.tex").read_text()
    assert r"\texttt{m} \cite{model-m} is a causal model: " in latex
    assert r"\texttt{me/m\_1}" in latex
    assert "url = {https://huggingface.co/me/m_1}" in (files / "m.bib").read_text()


def test_people_and_agents_that_are_no_language_models_are_named_with_their_answers(files):
    assert "people" not in part(files)
    rows = pl.DataFrame(
        {"agent": ["m", "humans", "humans", "encoder", "random"], "target": "a", "item": [f"w2d:{i}" for i in range(5)]}
    )
    as_trials(rows, study="definitions", counted=1).write_parquet(files / "trials.parquet")
    text = part(files)
    assert (
        "The averages count 1 answer of these agents to 1 question about 1 target. Of people, they count 2 answers."
        in text
    )
    assert "Beside these agents stands `encoder` (1 answer)." in text


def test_of_a_served_model_the_paragraph_says_that_its_weights_are_not_known(files):
    part(files)
    out = {"markdown": files / "m.md", "latex": files / "m.tex", "bib": files / "m.bib"}
    models = {"m": {"type": "causal", "endpoint": "http://10.0.0.7/v1", "name": "llama"}}
    run_step("manuscript", "methods", parts=[files / "methods.json"], models=models, **out)
    text = (files / "m.md").read_text()
    assert "`m` [@model-m] is a causal model: `llama` behind a server." in text
    assert "The weights of `m` and its number format are known to its server alone." in text
    assert "SHA-256" not in text and "10.0.0.7" not in text


def test_a_ratio_that_ranks_the_answers_is_told():
    assert set(CALIBRATED) == set(get_args(Calibration)) - {"none"}


def test_an_agent_that_the_configuration_has_lost_is_an_error():
    assert network("m-shots", {"m-shots": {"model": "m"}}) == "m"
    with pytest.raises(DataError, match="m is no model of this run: run the study again"):
        network("m", {})


def test_what_came_out_is_said_as_on_the_page_and_who_is_missing(files):
    part(files, missing={"gone": "gone is not here: it could not be fetched (no_such name). The next run takes it up."})
    about = json.loads((files / "methods.json").read_text())
    assert about["found"] == "m is right in 50 of 100 cases. p = 0.5."
    assert "gone is not here: it could not be fetched (no\\_such name)." in about["text"]
    names = {name: files / f"methods.{name}" for name in ("markdown", "latex", "bib")}
    run_step("manuscript", "methods", parts=[files / "methods.json"], models={"m": {"type": "causal"}}, **names)
    assert "\n\nm is right in 50 of 100 cases. p = 0.5.\n" in names["markdown"].read_text()


def run_of(study, measured, *, agents=("m",), tests=None, trials=None, **fields):
    """A run whose agents have values of some metrics, and no value of all others."""
    values = [{"agent": agent, "metric": metric, "value": 0.5} for agent in agents for metric in measured]
    every = [{"agent": agents[0], "metric": metric.name} for metric in methods.study_of(study).metrics()]
    averages = table(AVERAGES, *values, *every)
    tested = table(TESTS, *(tests or []))
    return Run(study, {}, {}, {}, as_trials(pl.DataFrame(trials or {"agent": []})), averages, tested, **fields)


CLUSTERS = (
    "tests flip the signs of clusters (all patterns of up to 15 that differ, else 10,000 random ones), and the interval of "
    "a difference comes from 2,000 resamples of them [@hesterberg2015]. The seed is 1."
)
WILSON = (
    "The interval of a mean of shares is Wilson's, with as many trials as independent values would vary as much "
    "[@korn1998]."
)


def test_the_sentences_on_tests_are_those_of_the_metrics_that_have_values():
    none = "No two agents could be compared by a test."
    ((begin, *rest), link_sentences) = (
        list(methods._test_sentences(run_of(*what), "linked"))
        for what in (("relations", ["soundness", "asymmetry"]), ("pairs", ["rho"]))
    )
    assert begin == ("The values of an item are averaged first; items are targets and tuples. Intervals are of 95 %.")
    assert rest[0] == WILSON
    assert rest[1].startswith("Items that share a relatum and a word are linked: ")
    assert rest[2:] == [none]
    assert len(link_sentences) == 3  # no share, and no clusters
    assert link_sentences[1].startswith("Items that share a word are linked: ")
    assert list(methods._test_sentences(run_of("relations", ["soundness", "outside"]), "linked"))[3] == (
        f"In other metrics clusters are targets: {CLUSTERS}"
    )
    assert list(methods._test_sentences(run_of("analogies", ["supervised random"]), "linked"))[1:] == [
        WILSON,
        f"Clusters are families of tuples, or relations: {CLUSTERS}",
        none,
    ]
    shares = list(methods._test_sentences(run_of("definitions", ["W2D P@1", "W2D RS"]), "linked"))
    assert shares[1] == WILSON  # one of the two metrics is of shares
    kinds = list(methods._test_sentences(run_of("pairs", ["ap", "rho", "direction", "rr"]), "linked"))
    assert "items are pairs and targets." in kinds[0]
    assert "that share a right word and a word are" in kinds[2]


def test_the_families_of_tests_are_named_in_the_order_of_their_names():
    names = ["z", "controls", "models", "b", "models"]
    tests = [{"metric": "W2D P@1", "family": name, "p": 0.5} for name in names] + [{"family": "without"}]
    *_, last = methods._test_sentences(run_of("definitions", ["W2D P@1"], tests=tests), "paper")
    assert (
        "by family, b (1 test), controls (1 test), models (2 tests) and z (1 test). Significant is what the test"
        in last
    )


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        (["m"], []),
        (
            ["m", "frequency"],
            ["The control, which does not know what the study asks about, is `frequency`.", "wordfreq"],
        ),
        (["m", "static"], ["The control, which does not know what the study asks about, is `static`.", "GloVe"]),
        (
            ["m", "neighbours", "random"],
            ["The controls, which do not know what the study asks about, are `random` and `neighbours`.", "GloVe"],
        ),
        (["m", "typical"], ["The control, which does not know what the study asks about, is `typical`.", "GloVe"]),
        (["m", "random"], ["The control, which does not know what the study asks about, is `random`."]),
    ],
)
def test_controls_are_named_with_what_they_rest_on(agents, expected):
    controls = ("random", "frequency", "static", "neighbours", "typical", "length")
    run = run_of(
        "definitions",
        ["W2D P@1"],
        agents=agents,
        resources={"static_vectors": {"pypi": "my-GloVe==1"}},
        controls=controls,
    )
    first, *said = methods._agent_sentences(run, {"m": {}})
    assert first == "The agent is `m`."
    kinds = {
        "wordfreq": "The frequencies of words are those of wordfreq [@speer2022].",
        "GloVe": "Static vectors are GloVe [@pennington2014], `my-GloVe==1`.",
    }
    assert said == [kinds.get(text, text) for text in expected]


def test_vectors_of_another_name_are_no_glove_and_a_run_without_vectors_names_none():
    controls, models = ("static",), {"deep": {"layers": "all"}, "deeper": {"layers": "all"}}
    for resources, said in ({"static_vectors": {"pypi": "others"}}, ["Static vectors are `others`."]), ({}, []):
        run = run_of("definitions", ["W2D P@1"], agents=["static"], resources=resources, controls=controls)
        layered, _control, *rest = methods._agent_sentences(run, models)
        assert layered == "Asked after each of their layers are `deep` and `deeper`."
        assert rest == said


def test_answers_questions_targets_and_prompts_are_counted_of_the_models_alone():
    trials = {
        "agent": ["m", "m", "rater 1 m", "m rater", "random", "annotator", "humans", "z", "b"],
        "item": list("abcbabcab"),
        "target": list("xxxyxyxyx"),
        "prompt": ["p", "q", "r", "p", "p", None, None, None, None],
    }
    run = run_of("degrees", ["rho"], trials=trials, controls=("random",))
    assert list(methods._trial_sentences(run, {"m": {}})) == [
        "The averages count 3 answers of these agents to 2 questions about 2 targets under 2 prompts."
    ]
    assert list(methods._trial_sentences(run, {"n": {}})) == []
    people, others = methods._other_sentences(run, {"m": {}})
    assert people == "Of people, they count 2 answers."
    assert others == "Beside these agents stand `b` (1 answer), `rater 1 m` (1 answer) and `z` (1 answer)."
    assert list(methods._other_sentences(run_of("relations", ["soundness"], trials={"agent": ["humans"]}), {})) == []
    assert list(methods._other_sentences(run_of("degrees", ["rho"], trials={"agent": ["m"]}), {"m": {}})) == []


def test_a_model_is_said_with_its_family_size_number_format_and_versions():
    models = {
        "m": {"type": "encoder-decoder", "family": "T_5", "size": 1.2345e8, "path": "x", "dtype": "float32"},
        "n": {"type": "masked", "path": "x", "dtype": "float32"},
        "o": {"path": "x"},
    }
    computed = {
        "m": {"dtype": None, "libraries": {"torch": "2", "numpy": "1"}},
        "n": {"dtype": "bfloat16", "libraries": {"torch": "1"}},
        "o": {"libraries": None},
    }
    files = {"m": {"b.bin": "b" * 64, "a.safetensors": "a" * 64, "config.json": "0"}}
    assert list(methods._model_sentences(models, files, computed)) == [
        f"All was computed with relprobe {methods.__version__} [@relprobe].",
        "`m` [@model-m] is an encoder-decoder model: of the family T\\_5, 123.5 million parameters, files of our own, "
        "SHA-256 of a.safetensors aaaaaaaaaaaa…, of 2 files, computed in float32, asked with torch 2, numpy 1.",
        "`n` [@model-n] is a masked model: files of our own, computed in bfloat16, asked with torch 1.",
        "`o` [@model-o] is a model: files of our own.",
    ]
    first, *_ = methods._model_sentences(models, {}, {"m": computed["m"], "n": computed["m"], "o": {}})
    assert first.endswith(" [@relprobe] (torch 2, numpy 1).")
    *_, exact = methods._model_sentences({"m": {"path": "x", "size": 999_500}}, {}, {})
    assert exact.endswith("is a model: 0.9995 million parameters, files of our own.")
    kinds = {kind: "an" if kind[0] in "aeiou" else "a" for kind in ("auto", "ear", "ice", "over", "up", "bert", "chat")}
    said = list(methods._model_sentences({kind: {"type": kind, "path": "x"} for kind in kinds}, {}, {}))
    assert [text.split(" is ")[1].split(" model")[0] for text in said[1:]] == [
        f"{a} {kind}" for kind, a in kinds.items()
    ]


def test_what_a_run_lost_is_counted_by_noun_and_reason():
    rows = [("relatum", "rare", 1), ("target", "twice", 1), ("relatum", "rare", 1), ("tuple", "twice", 0)]
    lost = pl.DataFrame(rows, ["kind", "why", "lost"], orient="row")
    assert losses(lost, "kind", "why", "lost") == "2 relata (rare) and 1 target (twice)"
    assert losses(lost[3:], "kind", "why", "lost") == ""


def test_the_metrics_of_a_run_are_those_with_a_value_by_name():
    assert run_of("pairs", ["rr", "ap", "rho", "auc"]).metrics == ["ap", "auc", "rho", "rr"]


def test_only_counted_trials_are_counted_and_agents_are_written_by_name(files):
    rows = pl.DataFrame({"agent": ["m", "m"], "target": ["a", "b"], "item": ["x", "y"], "counted": [1, 0]})
    as_trials(rows, study="definitions").write_parquet(files / "trials.parquet")
    text = part(files, models={name: {"type": "causal"} for name in ("m", "z", "b", "k")}, controls=None)
    assert "count 1 answer of these agents to 1 question about 1 target." in text
    assert "The control" not in text
    assert json.loads((files / "methods.json").read_text())["agents"] == ["b", "k", "m", "z"]


def run_on_data(study, section, data, averages=(), **has):
    """A finished study with a table of its data, and with metrics that an agent has a value of, and one that none has."""
    values = pl.DataFrame({"metric": [*averages, "none"], "value": [*[0.5] * len(averages), None]})
    return Run(study, section, has, {"data": data}, pl.DataFrame(), values, pl.DataFrame())


BLESS_SENTENCE = "The pairs of WordNet [@miller1995] have foils as those of BLESS [@baroni2011]."
HYPERLEX_SENTENCE = "The ratings from 0 to 6 are those of HyperLex [@vulic2017]."
OWN_SENTENCE = "Other pairs are our own."
PRECISION = "average precision of the pairs of a target"
CURVE = "the area under the ROC curve of all pairs"
RANKS = "Spearman's rank correlation with people's ratings"


@pytest.mark.parametrize(
    ("rows", "counts", "sources", "metrics"),
    [
        (
            [("HYP", "right", 2), ("HYP", "random", 3), ("MER", "right", 4)],
            "9 pairs, of which 6 are related",
            [BLESS_SENTENCE],
            {"ap": PRECISION, "auc": CURVE, "rho": RANKS},
        ),
        (
            [("hyperlex nouns", "right", 1000), ("hyperlex verbs", "unrelated", 1)],
            "1,001 pairs, of which 1,000 are related",
            [HYPERLEX_SENTENCE],
            {"rho": RANKS},
        ),
        ([("own HYP", "unlabelled", 1)], "1 pair, of which 0 are related", [OWN_SENTENCE], {"auc": CURVE}),
        (
            [("HYP", "right", 1), ("hyperlex nouns", "right", 1), ("own HYP", "right", 1)],
            "3 pairs, of which 3 are related",
            [BLESS_SENTENCE, HYPERLEX_SENTENCE, OWN_SENTENCE],
            {},
        ),
    ],
    ids=["WordNet", "HyperLex", "own pairs", "all"],
)
def test_the_methods_of_pairs_say_which_pairs_there_are_and_how_they_are_measured(rows, counts, sources, metrics):
    data = pl.DataFrame(rows, schema=["condition", "kind", "pairs"], orient="row")
    found = [*pairs_methods.sentences(run_on_data("pairs", {"judges": ["embedding"]}, data, metrics))]
    texts = [*metrics.values()]
    joined = " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
    control, ties = found[3 + len(sources)], found[-1]
    assert found == [
        "The study of pairs asks whether, and how much, the two words of a pair are related.",
        *[f"It has {counts}.", *sources, "A model judges a pair by the cosine of their hidden states.", control],
        *([f"The metrics are {joined}."] if metrics else []),
        ties,
    ]
    assert control.startswith("As controls of its own")
    assert ties.startswith("Equal scores")


DEGREES = {"pairs": 12, "subcategories": 3, "training subcategories": 1, "reversed pairs": 0, "MaxDiff questions": 5}


@pytest.mark.parametrize(
    ("numbers", "has", "said", "unsaid"),
    [
        (
            {},
            ["questions"],
            ["those of the task: 12 pairs in 3 subcategories (1 for training)", "5 MaxDiff"],
            "reverse",
        ),
        ({"reversed pairs": 4}, [], ["our own ratings: 12", "Of the pairs, 4 reverse the words"], "MaxDiff"),
        ({"subcategories": 1, "pairs": 1}, [], ["1 pair in 1 subcategory (1 for training)"], "MaxDiff"),
    ],
)
def test_the_methods_of_degrees_say_which_pairs_there_are_and_how_they_are_measured(numbers, has, said, unsaid):
    data = pl.DataFrame([*(DEGREES | numbers).items()], schema=["quantity", "value"], orient="row", strict=False)
    section = {"raters": ["schema", "pmi"], "seed": 9}
    run = run_on_data("degrees", section, data.cast({"value": pl.Float64}), questions="questions" in has)
    text = " ".join(degrees_methods.sentences(run))
    for part_said in (
        *said,
        "a sentence of the pair and the pointwise mutual information",
        "Random ratings have seed 9.",
    ):
        assert part_said in text
    assert unsaid not in text


KEPT = "The benchmark keeps those with enough different words and definitions"
SAMPLED = "The groups that were asked are a sample of these"
P_AT_1 = "precision at 1 (P@1)"
RANK_SCORE = "the rank score RS = (L − k)/(L − 1) for the rank k of the right one among L candidates"


@pytest.mark.parametrize(
    ("sample", "ties", "metrics", "own", "said"),
    [
        (
            {"noun": 0, "verb": 2, "seed": 7},
            "expected",
            ["W2D P@1", "W2D RS"],
            False,
            [
                "The groups of candidates are from WordNet [@miller1995].",
                f"{KEPT}: 8 noun groups in 1 family and 1 verb group in 2 families.",
                f"{SAMPLED}: 3 verb groups in 1 family.",
                "The sample was drawn at random (seed 7).",
                "An answer is right if the candidate of the target is ranked first.",
                "Candidates of equal score count by their expected value over all orders.",
                f"The metrics are {P_AT_1} and {RANK_SCORE} (section 2.4 of [@senel2021]).",
            ],
        ),
        (
            None,
            "drawn",
            ["D2W RS"],
            True,
            [
                "The groups of candidates are from our own dictionary.",
                f"{KEPT}: 8 noun groups in 1 family and 1 verb group in 2 families.",
                f"{SAMPLED}: 3 verb groups in 1 family.",
                "An answer is right if the candidate of the target is ranked first.",
                "Candidates of equal score stand in an order that was drawn.",
                f"The metrics are {RANK_SCORE} (section 2.4 of [@senel2021]).",
            ],
        ),
    ],
    ids=["a sample of WordNet", "all of an own dictionary"],
)
def test_the_methods_of_definitions_in_full(sample, ties, metrics, own, said):
    rows = [("the benchmark", "noun", 8, 1), ("the benchmark", "verb", 1, 2), ("the benchmark", "noun, rare", 5, 1)]
    rows += [("this run's sample", "noun", 0, 0), ("this run's sample", "verb", 3, 1)]
    sizes = pl.DataFrame(rows, schema=["groups_of", "condition", "groups", "families"], orient="row")
    section = {"sample": sample, "choices": {"ties": ties}}
    found = [*definitions_methods.sentences(run_on_data("definitions", section, sizes, metrics, paper=not own))]
    assert found[1:] == said
    assert found[0].startswith("The study of definitions follows [@senel2021]")
    none_drawn = run_on_data(
        "definitions", {**section, "sample": {"noun": None, "verb": 0, "seed": 7}}, sizes, metrics, paper=True
    )
    assert not any("seed" in sentence for sentence in definitions_methods.sentences(none_drawn))
    other = sizes.head(1).with_columns(groups_of=pl.lit("at least 5 synsets"))
    (group_sentence,) = (
        one
        for one in definitions_methods.sentences(run_on_data("definitions", section, other, metrics, paper=True))
        if "synsets" in one
    )
    assert group_sentence == "Groups of at least 5 synsets: 8 noun groups in 1 family."
