"""Only what is new is scored: after kills and changed prompts, the results are those of a fresh run."""

import os
import random
import re
import shutil
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
import yaml

from tests.workflow import toy

KILLS = int(os.environ.get("RELPROBE_KILLS", "5"))
"""Kills in the test: a few by default, 8 on each commit, 50 in `make nightly`."""
TOLERANCE = 1e-4
"""Of log-probabilities between batches (float32)."""
AGENTS = ("tiny-masked", "tiny-causal", "tiny-few")
TARGETS = [f"results/relations/{step}/{agent}.parquet" for step in ("scores", "without_target") for agent in AGENTS]


@pytest.fixture
def relations_study(relations, tmp_path):
    """A copy of the toy's relations study."""
    return relations.copy(tmp_path / "study")


def change_prompt(study, relation, text):
    """Give the first prompt of a relation another text."""
    file = study.folder / "data/relations.yaml"
    prompts = yaml.safe_load(file.read_text())
    prompts[relation][0]["text"] = text
    file.write_text(yaml.safe_dump(prompts))


def log_of(study, agent):
    return (study.results / f"logs/relations/scores/{agent}.log").read_text()


def asked(log):
    """The numbers of stored and asked questions that a log names: those of the scores, then those without targets."""
    return [tuple(map(int, pair)) for pair in re.findall(r"(\d+) questions were stored, and (\d+) were asked", log)]


def texts(study):
    """Probe -> the texts of its variants."""
    rows = study.table("relations/probes.parquet").select("probe_id", "variants").iter_rows()
    return {probe_id: [one["text"] for one in variants] for probe_id, variants in rows}


def assert_scores_equal(study, other):
    """The same probes, and for each of their likeliest tokens the same log-probability, within TOLERANCE."""
    for agent in AGENTS:
        one, two = (s.table(f"relations/scores/{agent}.parquet") for s in (study, other))
        assert one["probe_id"].to_list() == two["probe_id"].to_list()
        a, b = (table["logprobs"].explode().to_numpy() for table in (one, two))
        assert np.abs(a - b).max() < TOLERANCE


@pytest.mark.slow("it runs studies again after changes and kills")
def test_a_changed_prompt_asks_its_probes_and_no_others(relations_study):
    study, before = relations_study, texts(relations_study)
    change_prompt(study, "MER", "[DET] [W] always has [DET] [V]")
    study.finish(*TARGETS)
    after = texts(study)
    scored = study.table("relations/scores/tiny-causal.parquet")["probe_id"]
    new = sum(after[one] != before.get(one) for one in scored)
    (stored, number), *_ = asked(log_of(study, "tiny-causal"))
    assert 0 < number == new
    assert stored == len(scored) - new
    fresh = study.copy(study.folder.parent / "fresh")
    fresh.configure(scoring={"reuse": False})
    fresh.finish("--forcerun", "relations_scores", "--", *TARGETS)
    assert "questions were stored" not in log_of(fresh, "tiny-causal")
    assert list((fresh.results / "relations/scores").glob(".*.store")) == []
    assert_scores_equal(study, fresh)


def new_words(study):
    """Give the three other studies a changed prompt and a changed word each."""
    data = study.folder / "data"
    schemas = yaml.safe_load((data / "degrees.yaml").read_text())
    (data / "degrees.yaml").write_text(yaml.safe_dump(schemas | {"1a": "[Y] is one kind of [X]"}))
    prompts = study.folder / "resources/prompts/systematicity.yaml"
    prompts.write_text(prompts.read_text().replace("The [W] is [DET] [V].", "the [W] is [DET] [V]."))
    for file in (data / "systematicity").rglob("*"):
        if file.is_file() and "Paradigmatic" in file.parts:
            file.write_text(file.read_text().replace("bike", "van"))
    (pairs,) = (data / "bats").rglob("E01*.txt")
    pairs.write_text(pairs.read_text().replace("lima\tperu", "lima\tegypt"))


@pytest.mark.slow("it runs studies again after changes and kills")
def test_a_changed_prompt_or_word_of_the_other_studies_asks_what_is_new_and_no_more(finished, study):
    agent = "tiny-causal"
    kinds = ("schema", "analogy", "pmi", "hidden")
    new_words(study)
    steps = ["systematicity/scores", "systematicity/embeddings", "analogies/scores", "analogies/embeddings"]
    files = [*(f"{step}/{agent}" for step in steps), "analogies/pairs/tiny-encoder"]
    files += [f"degrees/scores/{kind}/{agent}" for kind in kinds]
    study.finish(*(f"results/{file}.parquet" for file in files))

    def new(table, *columns, **where):
        one, other = (s.table(f"{table}.parquet").filter(**where) for s in (study, finished))
        return one.select(columns).unique().join(other.select(columns).unique(), on=columns, how="anti").height

    def answers(file):
        """The stored and the asked questions of a file, whose line in the log comes after theirs; a log is of several."""
        study_name, step, *_, name = file.split("/")
        log = f"{study_name}/{'scores' if step == 'embeddings' else step}/{name}.log"
        lines = (study.results / "logs" / log).read_text().partition(f"wrote results/{file}.parquet")[0]
        return asked(lines)[-1]

    expected = {
        "systematicity/scores": new("systematicity/probes", "probe_id", "text"),
        "systematicity/embeddings": new("systematicity/contexts", "text", "start", "stop"),
        "analogies/scores": new("analogies/probes", "text"),
        "analogies/embeddings": new("analogies/probes", "relation", "text"),
    }
    for step, number in expected.items():
        stored, count = answers(f"{step}/{agent}")
        assert (step, count) == (step, number)
        assert 0 < number < stored
    changed = study.table("degrees/probes.parquet").filter(subcategory="1a")
    rated = changed.filter(pl.col("analogy").is_not_null())
    firsts = rated.with_columns(first=pl.col("text").str.split(" ").list.first())["first"].n_unique()
    assert answers(f"degrees/scores/schema/{agent}")[1] == rated.height
    assert answers(f"degrees/scores/hidden/{agent}")[1] == changed.height
    assert answers(f"degrees/scores/pmi/{agent}")[1] == firsts
    assert answers(f"degrees/scores/analogy/{agent}")[1] == 0
    pairs = {
        (row["relation"], row["head"], row["tail"])
        for row in study.table("analogies/pairs/tiny-encoder.parquet").iter_rows(named=True)
    }
    before = {
        (row["relation"], row["head"], row["tail"])
        for row in finished.table("analogies/pairs/tiny-encoder.parquet").iter_rows(named=True)
    }
    assert answers("analogies/pairs/tiny-encoder") == (len(pairs & before), len(pairs - before))


@pytest.mark.slow("it runs studies again after changes and kills")
def test_an_agent_that_was_renamed_and_whose_files_have_moved_is_asked_nothing_again(relations_study):
    study = relations_study
    (study.folder / "data/causal").rename(study.folder / "data/moved")
    models = {("new-2.1" if name == "tiny-causal" else name): entry for name, entry in study.config["models"].items()}
    for entry in models.values():
        if entry.get("model") == "tiny-causal":
            entry["model"] = "new-2.1"
    models["new-2.1"]["path"] = "data/moved"
    study.configure(models=models, lexicon={"panel": ["tiny-masked", "new-2.1"]})
    study.set("relations", word_sample={"targets": 2, "models": ["new-2.1"]})
    before = study.table("relations/scores/tiny-causal.parquet")
    study.finish(*(f"results/relations/{step}/new-2.1.parquet" for step in ("scores", "without_target")))
    assert asked(log_of(study, "new-2.1"))[0] == (before.height, 0)
    assert study.table("relations/scores/new-2.1.parquet").equals(before)
    study.finish("results/relations/scores/tiny-few.parquet")  # its network has another name now
    assert asked(log_of(study, "tiny-few"))[0][1] == 0


@pytest.mark.slow("it runs studies again after changes and kills")
def test_what_is_dropped_is_what_no_study_asks_any_more(relations_study):
    study = relations_study
    change_prompt(study, "MER", "[DET] [W] always has [DET] [V]")
    study.finish(*TARGETS)
    models = {name: entry for name, entry in study.config["models"].items() if name != "tiny-few"}
    study.configure(models=models)
    work = "import sys; from relprobe.command.store import main; sys.exit(main(sys.argv[1:]))"

    def store(*words):
        environment = {**os.environ, "PYTHONPATH": str(study.folder / "workflow/scripts")}
        command = [sys.executable, "-c", work, *words]
        done = subprocess.run(command, cwd=study.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)

    listed, dropped = store(), store("--drop")
    for agent in AGENTS[:2]:
        unasked = int(re.search(r"did not ask for (\d+)", listed[f"relations/scores/{agent}"])[1])
        assert unasked > 0
        assert dropped[f"relations/scores/{agent}"].endswith("did not ask for 0")
    assert "the configuration does not have it any more" in dropped["relations/scores/tiny-few"]
    assert not list((study.results / "relations").glob("*/.tiny-few.parquet.store/*/*.arrow"))
    change_prompt(study, "MER", "[DET] [W] never has [DET] [V]")
    assert "nothing is dropped, as a scoring job is due" in store("--drop")["relations/scores/tiny-causal"]
    change_prompt(study, "MER", "[DET] [W] always has [DET] [V]")
    study.finish("--forcerun", "relations_scores", "--", *TARGETS[:2])
    assert asked(log_of(study, "tiny-causal"))[0][1] == 0


@pytest.mark.slow("it runs studies again after changes and kills")
def test_a_statement_asks_a_sample_again_and_everything_if_it_changes_a_score(relations_study):
    study, before = relations_study, relations_study.table("relations/scores/tiny-causal.parquet")
    study.edit("lm/primitives/slots.py", "# a comment")
    assert "relations_scores" not in study.scheduled(*TARGETS)
    study.edit("lm/primitives/slots.py")
    study.finish(*TARGETS)
    log = log_of(study, "tiny-causal")
    assert log.count("code changed, but the stored answers are taken") == 2
    assert [number for _, number in asked(log)] == [0, 0]
    assert study.table("relations/scores/tiny-causal.parquet").equals(before)
    study.finish("--forcerun", "relations_scores", "--", *TARGETS)
    assert log_of(study, "tiny-causal").count("no network was loaded, as all answers were stored") == 2
    study.edit(
        "lm/primitives/slots.py",
        "_real_mixture = mixture\ndef mixture(*parts):\n    return _real_mixture(*parts) * 1.01",
    )
    study.finish(*TARGETS)
    log = log_of(study, "tiny-causal")
    assert log.count("the stored answers cannot be taken, and all questions are asked again: code changed") == 2
    assert asked(log) == []


@pytest.mark.slow("it runs studies again after changes and kills")
def test_a_comment_in_a_prompts_file_and_a_text_in_a_model_run_nothing(relations_study):
    study = relations_study
    file = study.folder / "data/relations.yaml"
    file.write_text(f"# of the paper\n{file.read_text()}")
    (study.folder / "data/causal/README.md").write_text("# A model\n")
    assert study.scheduled(*TARGETS) == {}


@pytest.mark.slow("it runs studies again after changes and kills")
def test_prompts_in_another_order_load_no_network(relations_study):
    study = relations_study
    file = study.folder / "data/relations.yaml"
    prompts = yaml.safe_load(file.read_text())
    file.write_text(yaml.safe_dump(dict(reversed(prompts.items())), sort_keys=False))
    study.finish(*TARGETS)
    for agent in AGENTS:
        log = log_of(study, agent)
        assert [number for _, number in asked(log)] == [0, 0]
        assert log.count("no network was loaded") == 2


@pytest.mark.slow("it runs studies again after changes and kills")
def test_kills_that_are_followed_by_changed_prompts_end_as_a_fresh_run(server, tmp_path):
    study = toy.make(tmp_path / "study", ["relations"], server.environment)
    study.finish("results/relations/probes.parquet", *[f"resources/fetched/models/{one}.json" for one in AGENTS[:2]])
    moments = random.Random(1)
    for number in range(KILLS):
        run = study.start(tmp_path / "said.log", "--rerun-incomplete", *TARGETS)
        try:
            run.wait(timeout=moments.uniform(0.5, 8))
        except subprocess.TimeoutExpired:
            study.kill(run)
        shutil.rmtree(study.folder / ".snakemake/locks", ignore_errors=True)  # as --unlock does, which takes seconds
        words = ["surely", "often", "always", "never", "perhaps"]
        change_prompt(study, "HYP", f"[DET] [W] is {words[number % 5]} a kind of [DET] [V]")
    study.finish("--rerun-incomplete", *TARGETS)
    fresh = toy.make(tmp_path / "fresh", ["relations"], server.environment)
    (fresh.folder / "data/relations.yaml").write_text((study.folder / "data/relations.yaml").read_text())
    fresh.finish(*TARGETS)
    assert_scores_equal(study, fresh)
    assert pl.read_parquet(study.results / "relations/probes.parquet").equals(
        pl.read_parquet(fresh.results / "relations/probes.parquet")
    )
