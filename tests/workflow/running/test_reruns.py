"""What reruns when: every change, and the jobs that the next run does because of it, by rule and number."""

import ast
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import yaml
from relprobe.command.costs import SCORING
from relprobe.report.steps import STEPS

from tests.paths import ROOT
from tests.sources.made.tiny_semeval import PACKAGE
from tests.workflow import toy
from tests.workflow.toy import STUDIES, Study

AGGREGATES = dict.fromkeys(STUDIES, "compare show")
AGGREGATES["relations"] = "compare use show"
"""What follows the metrics of a study."""


REPORT_STEPS = ("ledger", "study", "index", "compare")
"""The steps of the group `report` that do not follow the tables of each study."""


def jobs(**steps: str) -> dict[str, int]:
    """The jobs of some studies: steps as "scores*2 metrics", after which `...` stands for the aggregates; then the pages.

    The tables of a page are followed by what all studies show of them alike, such as a figure of their controls.

    >>> jobs(degrees="metrics*5 show")
    {'degrees_metrics': 5, 'degrees_show': 1, 'report_study': 1, 'report_index': 1}
    """
    counts = Counter()
    for study, words in steps.items():
        for word in words.replace("...", AGGREGATES.get(study, "")).split():
            step, _, number = word.partition("*")
            counts[f"{study}_{step}"] += int(number or 1)
    pages = {"report_study": len(steps.keys() & set(STUDIES)), "report_index": 1}
    return {**counts, **pages, **alike(sum(counts[f"{study}_show"] for study in steps))}


def alike(studies: int) -> dict[str, int]:
    """The jobs of what so many studies show alike of their tables."""
    steps = [f"report_{step}" for step in STEPS if step not in REPORT_STEPS]
    return dict.fromkeys(steps, studies) if studies else {}


def edit(*modules: str, text: str = "assert True") -> Callable[[Study], None]:
    """An edit of modules of relprobe; {study} stands for each of all. MODULE:FUNCTION is an edit of a function."""
    names = [module.format(study=study) for module in modules for study in (STUDIES if "{" in module else ("",))]

    def change(study: Study) -> None:
        for name in names:
            module, _, function = name.partition(":")
            study.edit(module, "" if function else text)
            if function:
                edit_function(study.folder / "workflow/scripts/relprobe" / module, function)

    return change


def replace(file: str, old: str, new: str) -> Callable[[Study], None]:
    """An edit of the words of a file of relprobe, such as the page of a study."""

    def change(study: Study) -> None:
        path = toy.own(study.folder / "workflow/scripts/relprobe" / file)
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")

    return change


def edit_function(file: Path, name: str) -> None:
    """Add a statement to a function, which changes nothing."""
    function = next(node for node in ast.parse(file.read_text()).body if getattr(node, "name", None) == name)
    lines = file.read_text().splitlines(keepends=True)
    lines.insert(function.body[-1].lineno - 1, "    assert True\n")
    file.write_text("".join(lines))


def settings(**changes: dict) -> Callable[[Study], None]:
    """Other settings of studies, or of `scoring` and `lexicon`."""
    return lambda study: study.configure(**{key: {**study.config.get(key, {}), **new} for key, new in changes.items()})


def entry(agent: str, **keys: object) -> Callable[[Study], None]:
    """Other keys of an agent."""

    def change(study: Study) -> None:
        models = study.config["models"]
        study.configure(models={**models, agent: {**models[agent], **keys}})

    return change


def edit_comment(study: Study) -> None:
    file = study.folder / "data/relations.yaml"
    file.write_text(f"# Edited.\n{file.read_text()}")


def other_lines(study: Study) -> None:
    lines = yaml.safe_load((study.folder / "resources/prompts/chat.yaml").read_text())
    lines["relations"]["system"] = "You are a dictionary."
    (study.folder / "data/chat.yaml").write_text(yaml.safe_dump(lines))
    study.configure(prompting={"chat": "data/chat.yaml"})


def together(*changes: Callable[[Study], None]) -> Callable[[Study], None]:
    def change(study: Study) -> None:
        for one in changes:
            one(study)

    return change


def more_answers_of_people(study: Study) -> None:
    file = study.folder / f"data/semeval/{PACKAGE}/Testing/Phase2Answers/Phase2Answers-4a.txt"
    file.write_text(file.read_text() + file.read_text().splitlines()[1] + "\n")
    study.finish("results/degrees/gold.parquet", "results/degrees/probes.parquet")


def other_gold_categories(study: Study) -> None:
    """The items change and the probes do not."""
    for number, end in (("singular", ""), ("plural", "s")):
        path = next((study.folder / "data").rglob(f"LM-Diagnostic-Extended/{number}.tsv"))
        path.write_text(path.read_text().replace(f"\tvehicle{end}", f"\tbuilding{end}"))
    study.finish("results/systematicity/pairs.parquet")


def direct_hyponyms_only(study: Study) -> None:
    """The relatum sets change; the tuples and the probes do not."""
    file = study.folder / "resources/relations/english-nouns.yaml"
    relations = yaml.safe_load(file.read_text())
    relations["HPO"]["wordnet"]["depth"] = 1
    file.write_text(yaml.safe_dump(relations, sort_keys=False))
    study.finish(
        *(f"results/relations/{name}.parquet" for name in ("relata", "probes", "examples")),
        *(f"results/pairs/{name}.parquet" for name in ("known", "probes")),
    )


def another_file_of_bats(study: Study) -> None:
    file = study.folder / "data/bats/nested/E01 [country - capital].txt"
    file.write_text(file.read_text().replace("peru", "france"))


SCORES = {
    "relations": "scores*3 draws shots spaces metrics*6 ...",
    "definitions": "scores*2 metrics*2 ...",
    "systematicity": "scores*2 detections*2 metrics*2 control_metrics*2 ...",
    "analogies": "scores*2 supervised*2 metrics*2 ...",
    "degrees": "scores*2 metrics*2 ...",
    "pairs": "scores*2 metrics*2 ...",
}
"""What follows when both models score again."""

TABLE: dict[str, tuple[Callable[[Study], None], dict[str, int]]] = {
    # One dry run for what changes nothing, and one for changes of different studies, none of which hides another's jobs.
    "nothing; comments, docstrings, broken lines of a page; another device and batch size": (
        together(
            edit_comment,
            replace(
                "studies/degrees/page.md", "as most and as least illustrative", "as most\nand as least illustrative"
            ),
            edit("lm/primitives/slots.py", "lm/network/model.py", "stats/averages.py", text="# Edited."),
            edit(
                "lm/primitives/slots.py",
                "studies/{study}/page.py",
                "studies/{study}/steps.py",
                text='"""Edited."""',
            ),
            settings(scoring={"device": "cpu", "batch_tokens": 64}),
        ),
        {},
    ),
    # Models.
    "one more model runs its own chain and the aggregates": (
        Study.add_model,
        jobs(
            models="snapshot lexicon",
            relations="scores metrics*2 ...",
            definitions="scores metrics ...",
            systematicity="scores detections metrics control_metrics ...",
            analogies="scores supervised metrics ...",
            degrees="scores metrics ...",
            pairs="scores metrics ...",
        ),
    ),
    "another number of examples scores one agent": (
        entry("tiny-few", shots=1),
        jobs(relations="scores draws shots metrics*2 ..."),
    ),
    "an agent with examples has no classifiers of its own: they would be those of the agent without": (
        entry("tiny-few", studies=["relations", "analogies"]),
        jobs(analogies="scores_alone metrics ..."),
    ),
    "other samples of a model that writes lists": (
        entry("tiny-list", samples=3),
        jobs(relations="writing metrics ..."),
    ),
    "another line of the chat is sent to those that chat": (
        other_lines,
        jobs(relations="writing metrics ..."),
    ),
    "a comparison with another run is one job": (
        lambda study: study.configure(compare={"before": str(study.results)}),
        {"report_compare": 1, "report_index": 1},
    ),
    "a smaller panel asks about the words that it adds": (
        settings(lexicon={"panel": ["tiny-masked"]}),
        jobs(
            models="shared_lexicon",
            relations="probes examples scores*3 draws writing words resource_relata gold control_metrics*5 metrics*7 "
            "people_metrics*2 shots spaces ceiling ...",
        ),
    ),
    # The engine.
    "an edited primitive scores all that uses it, and fetches nothing": (
        edit("lm/primitives/slots.py"),
        jobs(relations=SCORES["relations"], systematicity=SCORES["systematicity"]),
    ),
    "another edited primitive": (
        edit("lm/primitives/continuation.py"),
        jobs(**{**SCORES, "relations": "words spaces"}),
    ),
    "an edited network computes everything of every model": (
        edit("lm/network/model.py"),
        jobs(
            **{
                **SCORES,
                "relations": "scores*3 draws shots writing words spaces metrics*7 ...",
            }
        ),
    ),
    # What follows the scores.
    "an edited metric scores and trains nothing": (
        edit(
            "studies/relations/method.py:soundness",
            "studies/definitions/conditions.py:metrics",
            "studies/systematicity/method.py:values",
            "studies/analogies/method.py:values",
            "studies/degrees/method.py:correlation",
            "studies/pairs/method.py:target_values",
        ),
        jobs(
            relations="metrics*7 control_metrics*5 people_metrics*2 shots spaces ...",
            definitions="metrics*2 control_metrics*5 people_metrics ...",
            systematicity="metrics*4 control_metrics*4 ...",
            analogies="metrics*2 control_metrics*2 vectors ...",
            degrees="metrics*2 control_metrics*4 ...",
            pairs="metrics*2 control_metrics*5 people_metrics ...",
        ),
    ),
    "an edited figure draws and reports": (
        edit("studies/{study}/figures.py"),
        jobs(**dict.fromkeys(STUDIES, "show")),
    ),
    "relations: an edited page; definitions: an edited ranking; analogies: another template": (
        together(
            edit("studies/relations/page.py:finding", "studies/definitions/method.py:rank_candidates"),
            settings(analogies={"template": "{h1} is to {t1} what {h2} is to {t2}"}),
        ),
        jobs(
            relations="",
            definitions="metrics*2 control_metrics*5 people_metrics ...",
            analogies="probes scores*2 supervised*2 metrics*2 ...",
        ),
    ),
    "a caption: the study's page, and the captions of the report": (
        replace(
            "studies/degrees/page.md", "as most and as least illustrative", "as the most and as the least illustrative"
        ),
        jobs(degrees=""),
    ),
    "a caption that pages share: the pages of all studies": (
        replace("report/shared.md", "What is not above 0 is\nno sign", "What is below 0 is\nno sign"),
        jobs(**dict.fromkeys(STUDIES, "")),
    ),
    # Settings.
    "relations: more tokens; definitions: a capital for one model; classifiers; degrees: another layer": (
        settings(
            relations={"top_k": 29},
            definitions={"capitals": ["tiny-masked", "tiny-causal"]},
            systematicity={"training": {"hidden": 5, "epochs": 2}},
            analogies={"supervised": {"seeds": [2], "epochs": 3, "hidden": [4]}},
            degrees={"layer": 1},
        ),
        jobs(
            relations="scores*3 draws shots spaces control_metrics*5 metrics*6 ...",
            definitions="scores metrics ...",
            systematicity="detections*4 metrics*4 ...",
            analogies="supervised*4 metrics*2 control_metrics*2 ...",
            degrees="scores*2 metrics*2 ...",
        ),
    ),
    "relations: answers of the lexicon, divided by their prior, need no model": (
        settings(relations={"answers": "lexicon", "calibrate": "prior"}),
        jobs(relations="metrics*6 ..."),
    ),
    # Data.
    "answers of more people, other gold categories, another file of relations: no model runs": (
        together(more_answers_of_people, other_gold_categories, direct_hyponyms_only),
        jobs(
            relations="resource_relata control_metrics*5 metrics*7 people_metrics*2 shots spaces ceiling ...",
            degrees="metrics*2 control_metrics*4 ...",
            systematicity="metrics*4 control_metrics*4 occurrences ...",
            pairs="show",
        ),
    ),
}


def table_of_costs() -> str:
    """The table of docs/scale.md: each change, the jobs that load a model, and the others."""
    lines = ["| change | jobs that run a model | other jobs |", "|---|---:|---:|"]
    for change, (_, expected) in TABLE.items():
        loading = sum(number for rule, number in expected.items() if SCORING.search(rule))
        lines.append(f"| {change} | {loading} | {sum(expected.values()) - loading} |")
    return "\n".join(lines)


def test_the_page_on_costs_says_what_each_change_runs():
    """`python -m tests.workflow.running.test_reruns` prints the table."""
    assert table_of_costs() in (ROOT / "docs/scale.md").read_text("utf-8")


@pytest.mark.parametrize("change", TABLE)
def test_a_change_reruns_what_depends_on_it(change, study):
    make, expected = TABLE[change]
    make(study)
    assert study.scheduled() == expected


@pytest.mark.slow("it plans every change once more")
@pytest.mark.parametrize("change", TABLE)
def test_a_change_reruns_the_same_without_hidden_files(change, study):
    """As after a copy without hidden files, a checkout or an archive: Snakemake's own folder is gone."""
    make, expected = TABLE[change]
    shutil.rmtree(study.folder / ".snakemake")
    make(study)
    assert study.scheduled() == expected


def test_a_copy_of_all_that_can_be_seen_goes_on(relations, tmp_path):
    """All its files are as old as the copy, and were written in another order."""
    study = toy.Study(tmp_path / "study", relations.environment)
    shutil.copytree(
        relations.folder, study.folder, ignore=shutil.ignore_patterns(".snakemake"), copy_function=shutil.copy
    )
    for number, file in enumerate(sorted(study.results.rglob("*.parquet"))):
        os.utime(file, (0, time.time() - number))
    assert study.scheduled() == {}
    edit_comment(study)
    assert study.scheduled() == {}
    tuples = study.folder / "data/tuples.csv"
    tuples.write_text(tuples.read_text().replace("building,MER,wall", "building,MER,wing"))
    os.utime(tuples, (0, 10**9))
    scheduled = study.scheduled()
    assert scheduled["inputs_fetch"] == scheduled["relations_probes"] == scheduled["report_index"] == 1
    assert scheduled["relations_scores"] == 3
    assert "models_snapshot" not in scheduled


def test_results_without_records_are_computed_anew_and_a_sentence_says_so(begun, finished):
    """As those of an earlier version are, or a copy without them. Before, nothing ran, whatever had changed."""
    shutil.copytree(finished.results, begun.results)
    shutil.rmtree(begun.results / "records")
    done = begun.snakemake("--dry-run", "--quiet", "rules")
    said = done.stdout + done.stderr
    assert "Nothing says of what" in said and "computed anew with the stored answers" in said
    scheduled = begun.scheduled()
    assert scheduled["relations_probes"] == scheduled["report_index"] == 1
    assert scheduled["relations_scores"] == 3


def test_a_plan_beside_a_run_changes_no_result(study):
    """It would delete what stands in place of a figure that could not be drawn, which the run's next job may read."""
    card, figure = study.results / "degrees/card.json", study.results / "degrees/figures/rho.svg"
    written = json.loads(card.read_text())
    card.write_text(json.dumps({**written, "undrawn": ["rho"]}))
    gold = study.results / "degrees/gold.parquet"
    toy.own(gold)
    os.utime(gold)
    states = {path: path.stat().st_mtime_ns for path in study.results.rglob("*") if path.is_file()}
    lock = study.folder / ".snakemake/locks/0.output.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text("results/definitions/report.html\n")
    study.scheduled("degrees")
    assert figure.is_file()
    assert {path: path.stat().st_mtime_ns for path in study.results.rglob("*") if path.is_file()} == states


def test_files_that_stay_when_the_results_go_are_those_of_the_configuration(study):
    """What Snakemake keeps of the jobs that fetched them lies with the results."""
    study.only("relations")
    shutil.rmtree(study.results)
    assert "inputs_fetch" not in study.scheduled()
    shutil.copy(study.folder / "data/tuples.csv", study.folder / "data/other.csv")
    resources = study.config["resources"]
    study.configure(resources={**resources, "own_tuples": {"path": "data/other.csv"}})
    assert "inputs_fetch" not in study.scheduled()  # the same file in another place
    (study.folder / "data/other.csv").write_text("target,relation,relatum\nrobin,HYP,bird\n")
    assert study.scheduled()["inputs_fetch"] == 1


def test_an_agent_of_one_study_draws_no_other_study(study):
    entry = {"model": "tiny-causal", "shots": 1, "studies": ["relations"]}
    study.configure(models={**study.config["models"], "tiny-more": entry})
    assert study.scheduled() == jobs(relations="scores draws shots metrics*2 ...")


def test_a_damaged_result_stops_the_plan_in_a_sentence(begun, finished):
    shutil.copytree(finished.results, begun.results)
    table = begun.results / "relations/relata.parquet"
    content = bytearray(table.read_bytes())
    content[len(content) // 2] ^= 1
    table.write_bytes(content)
    done = begun.snakemake("--dry-run")
    assert done.returncode == 1
    assert f"{table.relative_to(begun.folder)} is not the file that was computed" in done.stdout + done.stderr


def test_a_changed_model_runs_its_chain(study):
    """A model of the panel: whether its lexicon changes is not known beforehand, so that all agents' metrics are planned."""
    toy.causal_model(study.folder / "data/causal", seed=9)
    scheduled = study.scheduled()
    assert scheduled["models_snapshot"] == scheduled["models_lexicon"] == scheduled["models_shared_lexicon"] == 1
    assert scheduled["relations_scores"] == 3  # a panel decides what is asked, so that all are planned
    assert scheduled["definitions_scores"] == scheduled["analogies_scores"] == 1
    assert scheduled["degrees_scores"] == 1
    assert sum(scheduled[f"relations_{kind}metrics"] for kind in ("", "control_", "people_")) == 14


def test_a_changed_revision_of_a_model_outside_the_panel_runs_that_models_chain(study):
    """The place that a model comes from is a parameter of its snapshot alone."""
    study.configure(lexicon={"panel": ["tiny-masked"]})
    before = study.planned()
    models = study.config["models"]
    study.configure(models={**models, "tiny-causal": {"type": "causal", "path": str(study.folder / "data/causal")}})
    more = study.planned() - before
    assert {wildcards.rpartition("=")[2] for _, wildcards in more} <= {
        "tiny-causal",
        "tiny-causal+control",
        "tiny-few",
        "tiny-list",
        *STUDIES,
        "",
    }
    assert more["models_snapshot", "model=tiny-causal"] == more["definitions_scores", "model=tiny-causal"] == 1


def test_a_checkpoint_before_the_last_runs_its_chain_and_the_trend(study):
    study.add_model()
    models = study.config["models"]
    steps = {"tiny-causal": 9, "tiny-new": 1}
    series = {name: {**models[name], "series": "tiny", "step": step} for name, step in steps.items()}
    study.configure(models={**models, **series})
    scheduled = study.scheduled()
    assert scheduled["relations_scores"] == scheduled["relations_series"] == 1
    assert scheduled["relations_metrics"] == 2  # of the checkpoint, and of its own control


@pytest.mark.slow("it runs a study with two more models to its page")
def test_a_third_checkpoint_runs_its_own_jobs_and_the_aggregates(study):
    study.only("relations")
    study.add_model()
    models = study.config["models"]
    first, last = (
        {**models["tiny-new"], "series": "tiny", "step": step, "family": "T", "size": 2e6} for step in (1, 9)
    )
    small = {**models["tiny-masked"], "family": "T", "size": 1e6}
    ordered = {**models, "tiny-new": first, "tiny-last": last, "tiny-masked": small}
    study.configure(models=ordered)
    study.finish()
    table = pl.read_csv(study.results / "relations/tables/series.csv")
    assert set(table.filter(pl.col("axis") == "step", pl.col("variant") == "raw")["agent"]) == {"tiny-new", "tiny-last"}
    assert set(table.filter(pl.col("axis") == "size", pl.col("variant") == "raw")["agent"]) == {
        "tiny-masked",
        "tiny-last",
    }
    assert set(pl.read_csv(study.results / "relations/tables/halves.csv")["axis"]) == {"step", "size"}
    page = (study.results / "relations/report.html").read_text()
    for figure in ("training_soundness", "training_distinguishability", "size_completeness"):
        assert f'id="{figure}"' in page
    assert not study.scheduled()
    study.configure(models={**ordered, "tiny-third": {**first, "step": 5}})
    planned = study.planned()
    planned_agents = {wildcards.rpartition("=")[2] for _, wildcards in planned} - {"", "relations"}
    assert planned_agents == {"tiny-third", "tiny-third+without-target"}
    assert planned["relations_scores", "model=tiny-third"] == 1
    scheduled = study.scheduled()
    assert scheduled["relations_series"] == scheduled["relations_show"] == 1
    assert scheduled["relations_metrics"] == 2  # of the checkpoint, and of its own control


def test_a_changed_file_of_a_resource_is_noticed(study):
    another_file_of_bats(study)
    scheduled = study.scheduled()
    assert scheduled["inputs_fetch"] == scheduled["analogies_instances"] == 1


def test_what_was_deleted_is_made_again_and_nothing_else(study):
    deleted = {
        "definitions/figures/precision.png": "definitions_show",
        "degrees/tables/overview.csv": "degrees_show",
        "systematicity/answers.html": "systematicity_show",
        "published/analogies.svg": "report_index",
        "relations/report.html": "report_study",
    }
    for file in deleted:
        (study.results / file).unlink()
    expected = {**dict.fromkeys(deleted.values(), 1), "report_study": 4, **alike(3)}
    assert study.scheduled() == expected
    study.finish()
    assert [file for file in deleted if not (study.results / file).is_file()] == []
    assert not study.scheduled()


def test_fifty_models_are_planned_in_seconds(study):
    models = study.config["models"]
    many = {f"model-{i}": {"type": "causal", "path": "data/causal"} for i in range(50)}
    study.configure(models={**models, **many})
    scheduled = study.scheduled()
    assert scheduled["relations_scores"] == 50
    assert scheduled["degrees_scores"] == 50
    assert scheduled["relations_compare"] == 1


if __name__ == "__main__":
    print(table_of_costs())
