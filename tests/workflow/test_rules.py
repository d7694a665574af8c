"""The rules, as Snakemake understands them: their flags, their environments, and their places on a cluster."""

import importlib
import os
import re
import shlex
from collections import defaultdict
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from relprobe.core.cli import arguments_of, function_of
from relprobe.paper.steps import STEPS as PAPER
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES, studies_with

from tests.facts import WHOLE
from tests.package.test_follow_page import STOPS
from tests.paths import ROOT

STEPS_OF_RULES = {
    "analogies_snapshot": ("models", "snapshot"),  # of encoders
    "report_first": ("report", "study"),  # of what does not wait for layers
    **{f"{study}_scores_alone": (study, "scores") for study in STUDIES},  # of agents that repeat another one in a part
}
"""Rules that do not have the name of their step: rule -> group and step."""
PROFILE, WORKSTATION = (
    yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text()) for name in ("slurm", "workstation")
)


@pytest.fixture(scope="module")
def steps(rules):
    """The rules that run a step; those without output are `all`, and what others are made of with `use rule`."""
    return {name: rule for name, rule in rules.items() if rule["output"]}


@pytest.fixture(scope="module")
def scoring(steps):
    """The rules that run a model: they ask for a device."""
    return {name: rule for name, rule in steps.items() if "device" in rule["asks_for"]}


@pytest.fixture(scope="module")
def plan(finished, once):
    """What Snakemake prints of all jobs of the toy before it runs them."""

    def write(folder):
        done = finished.snakemake("--dry-run", "--forceall", "--printshellcmds")
        assert done.returncode == 0, done.stderr
        (folder / "plan.txt").write_text(done.stdout + done.stderr)

    return (once("plan", write) / "plan.txt").read_text()


@pytest.fixture(scope="module")
def commands(plan):
    """Rule -> the command lines of its jobs, of all jobs of the toy."""
    commands = defaultdict(list)
    job = r"^(?:local)?rule (\w+):\n(?:    .*\n)+?Shell command: .*python -m relprobe (.*)$"
    for rule, words in re.findall(job, plan, re.MULTILINE):
        commands[rule].append(shlex.split(words))
    return commands


def test_no_step_reads_a_csv_table_that_another_step_wrote(plan):
    """CSV keeps no types: of a column without values it does not say that its values are numbers."""
    steps = re.sub(r"^(?:local)?rule all:\n    input: .*\n", "", plan, flags=re.MULTILINE)  # asks for what pages show
    files = [file for line in re.findall(r"^    input: (.*)$", steps, re.MULTILINE) for file in line.split(", ")]
    assert [file for file in files if file.startswith("results/") and file.endswith(".parquet")]
    assert {file for file in files if file.startswith("results/") and file.endswith(".csv")} == set()


def test_everything_that_pages_show_is_asked_for(plan, finished):
    """So a page, table or figure that was deleted is made again."""
    asked = re.search(r"rule all:\n    input: (.*)\n", plan)[1].split(", ")
    linked = {
        os.path.normpath(page.parent / unquote(address))
        for page in finished.results.rglob("*.html")
        for address in re.findall(r'(?:href|src)="([^"#:$]+)(?:#[^"]*)?"', page.read_text())
    }
    assert len(linked) > 200
    assert {os.path.relpath(file, finished.folder) for file in linked} - set(asked) == set()


def test_the_toy_runs_every_rule_but_those_of_other_answers_and_languages(steps, commands):
    """Other tests run them: relations, layers, languages, exports, papers, adapters, participants, agents with examples."""
    answers = {"relations_candidates", "relations_candidate_scores"}
    layers = {"models_layer_text", "models_layer_map", "relations_layer_scores"}
    layers |= {
        "degrees_layer_scores",
        "systematicity_layer_embeddings",
        "analogies_layer_embeddings",
        "pairs_layer_scores",
    }
    with_layers = set(studies_with(lambda study: study.layers)) & set(WHOLE)
    layers |= {f"{study}_layer_metrics" for study in with_layers} | {"report_first"}
    chatting = {"relations_replies", "relations_reply_lists", "report_ledger"}
    with_people = (study for study in WHOLE if study != "relations")  # the toy itself writes lists
    chatting |= {f"{study}_{step}" for study in with_people for step in ("replies", "writing", "task_metrics")}
    elsewhere = {*answers, *layers, *chatting, "relations_norm_metrics", "inputs_wn_lmf", "models_adapter"}
    elsewhere |= {rule for rule in steps if rule.endswith("_scores_alone")}  # of agents with examples
    exports = {"export_every_eval_ever", "export_dataset", "export_lm_eval"}
    paper = {"trials", "paper_figures", *(f"paper_{step}" for step in PAPER)}
    assert set(steps) - set(commands) == elsewhere | exports | paper
    assert set(commands) <= set(steps)


def test_the_jobs_of_the_first_page_come_before_those_of_the_others(plan):
    """And what several studies need, such as models, comes before both: so that the first page can be read early."""
    priorities = defaultdict(set)
    for rule, about in re.findall(r"^(?:local)?rule (\w+):\n((?:    .*\n)+)", plan, re.MULTILINE):
        study = re.search(r"^    wildcards: study=(\w+)$", about, re.MULTILINE)
        priority = re.search(r"^    priority: (\d+)$", about, re.MULTILINE)
        priorities[study[1] if study else rule.partition("_")[0]].add(int(priority[1]) if priority else 0)
    assert {"relations", "definitions", "inputs", "models"} <= set(priorities)
    needed, first = priorities.pop("inputs") | priorities.pop("models"), priorities.pop(STUDIES[0])
    assert min(needed) > max(first)
    assert min(first) > max(set.union(*priorities.values()))


def test_a_rule_has_the_name_of_its_step(commands):
    for rule, lines in commands.items():
        for words in lines:
            assert tuple(words[:2]) == STEPS_OF_RULES.get(rule, tuple(rule.split("_", maxsplit=1))), rule


def test_the_flags_of_every_job_fit_the_signature_of_its_step(commands):
    for rule, lines in commands.items():
        for group, name, *flags in lines:
            module, _, function = function_of(GROUPS[group], name).rpartition(".")
            step = getattr(importlib.import_module(module), function)
            parser = arguments_of(step)
            parser.prog = f"rule {rule}: {group} {name}"  # what an error begins with
            parser.parse_args(flags)


def test_no_order_of_the_files_of_rules_loses_anything(study):
    """What studies say of themselves is known before any of their rules: methods, trials, figures, and what is exported."""
    targets = ("all", "paper", "export")
    before = study.planned(*targets)
    snakefile = study.folder / "workflow/Snakefile"
    text = snakefile.read_text()
    study_includes = 'for study in RUN_STUDIES:\n\n    include: f"rules/{study}.smk"\n\n\n'
    last = re.search(r"(?:^include: .*\n)+(?=\n\ncheck_times)", text, re.MULTILINE)[0]
    assert study_includes in text
    assert 'include: "rules/paper.smk"' in last
    snakefile.write_text(
        text.replace(study_includes, "").replace(last, "".join(reversed(last.splitlines(True))) + study_includes)
    )
    assert study.planned(*targets) == before
    assert {"trials", "paper_figures", "paper_study_methods", "export_dataset"} <= {rule for rule, _ in before}


def test_every_rule_names_an_environment_that_there_is(steps):
    assert [name for name, rule in steps.items() if rule["conda"] is None or not Path(rule["conda"]).is_file()] == []


def test_every_rule_is_local_or_scores_or_is_in_a_group(steps, scoring):
    places = {
        name: [rule["local"], name in scoring, rule["group"] is not None].count(True) for name, rule in steps.items()
    }
    assert {name: count for name, count in places.items() if count != 1} == {}


def test_scoring_asks_for_a_gpu_and_for_what_the_model_needs(scoring):
    assert scoring
    for name, rule in scoring.items():
        assert {"mem_mb", "runtime", "threads"} <= rule["asks_for"].keys(), name


@pytest.mark.parametrize(
    ("cores", "small", "large"),
    [("1", 1, 1), ("2", 1, 2), ("5", 2, 5), ("16", 8, 8), ("64", 8, 8), ("8 --mode remote", 8, 8)],
)
def test_two_jobs_of_small_models_share_the_cores_of_a_machine(cores, small, large, begun):
    """A model whose size the config does not say may be a large one, and takes them all, as a job on a cluster does."""
    begun.only("relations")
    models = begun.config["models"]
    begun.configure(
        models={**models, "tiny-masked": {**models["tiny-masked"], "size": 4.9e8}}, scoring={"device": "cpu"}
    )
    words = ["--dry-run", "--printshellcmds", "--forceall", "--max-threads", "99", "--cores", *cores.split()]
    done = begun.snakemake(*words, *(f"results/relations/scores/tiny-{kind}.parquet" for kind in ("masked", "causal")))
    commands = re.findall(r"relations scores --model .*tiny-(\w+)\.json .*--threads (\d+)", done.stdout + done.stderr)
    assert dict(commands) == {"masked": str(small), "causal": str(large)}


def test_a_large_model_on_a_gpu_asks_for_what_sites_grant(relations, tmp_path):
    study = relations.copy(tmp_path / "study")
    models = study.config["models"]
    study.configure(models={**models, "tiny-causal": {**models["tiny-causal"], "size": 70e9}})
    words = ["--dry-run", "--force", "results/relations/scores/tiny-causal.parquet"]
    runs = [study.snakemake(*words), study.snakemake(*words, "--set-resources", "relations_scores:gpu=1")]
    demands = [re.findall(r"runtime=\d+|mem_mb=\d+", run.stdout + run.stderr) for run in runs]
    assert demands == [["runtime=8460", "mem_mb=283000"], ["runtime=170", "mem_mb=23000"]]


def test_converting_a_gguf_file_asks_for_its_weights_in_float32(begun):
    begun.only("relations")
    (begun.folder / "data/folder").mkdir()
    (begun.folder / "data/both").mkdir()
    for file in ("words.gguf", "folder/words.gguf", "both/words.gguf", "both/model.safetensors"):
        (begun.folder / "data" / file).touch()
    paths = {"file": "data/words.gguf", "folder": "data/folder", "plain": "data/causal", "both": "data/both"}
    entries = {name: {"type": "causal", "path": path, "size": 7e9} for name, path in paths.items()}
    begun.configure(models={**begun.config["models"], **entries})
    done = begun.snakemake("--dry-run", *(f"resources/fetched/models/{name}.json" for name in paths))
    memory = re.findall(
        r"wildcards: model=(\w+)\n(?:    .*\n)*?    resources: .*mem_mb=(\d+)", done.stdout + done.stderr
    )
    assert dict(memory) == {"file": "45000", "folder": "45000", "plain": "31000", "both": "31000"}


@pytest.mark.parametrize(("untrained", "memory"), [(True, 59000), (False, 31000)])
def test_a_job_of_layers_asks_for_the_memory_of_the_untrained_network_too(begun, untrained, memory):
    begun.only("relations")
    models = begun.config["models"]
    layers = {"targets": 20, "top_k": 10, "map": "wordnet", "untrained": untrained}
    begun.configure(
        models={**models, "tiny-causal": {**models["tiny-causal"], "size": 7e9, "layers": "all"}},
        relations={**begun.config["relations"], "layers": layers},
    )
    files = ("models/layer_map/tiny-causal.safetensors", "relations/layer_scores/tiny-causal.parquet")
    done = begun.snakemake("--dry-run", "--forceall", *(f"results/{file}" for file in files))
    text = done.stdout + done.stderr
    for rule in ("models_layer_map", "relations_layer_scores"):
        assert re.findall(rf"rule {rule}:\n(?:.+\n)*?.*mem_mb=(\d+)", text) == [str(memory)], text[-3000:]
    assert re.findall(r"rule models_snapshot:\n(?:.+\n)*?.*mem_mb=(\d+)", text).count("59000") == 0


def test_the_scoring_steps_of_a_model_share_a_job_as_docs_scale_says(finished):
    page = (ROOT / "docs/scale.md").read_text()
    lines = yaml.safe_load(re.search(r"```yaml\n(groups:.*?)```", page, re.DOTALL)[1])
    words = [f"{rule}={group}" for rule, group in lines["groups"].items()]
    count = [f"{group}={n}" for group, n in lines["group-components"].items()]
    done = finished.snakemake("--dry-run", "--forceall", "--groups", *words, "--group-components", *count)
    groups = re.findall(r"Group job scores_(\S+) .*\n((?:\n?    .*\n|\n|    rule .*\n)*)", done.stdout + done.stderr)
    rules = {model: sorted(set(re.findall(r"rule (\w+_scores)", jobs))) for model, jobs in groups}
    assert rules["tiny-causal"] == sorted(lines["groups"])


def test_the_profiles_name_no_rule_and_the_groups_that_there_are(steps):
    """So a new rule or study needs no line in them."""
    for profile in ("slurm", "workstation"):
        text = (ROOT / f"workflow/profiles/{profile}/config.yaml").read_text()
        assert {name for name in steps if re.search(rf"\b{name}\b", text)} == set()
    assert set(PROFILE["group-components"]) == {rule["group"] for rule in steps.values()} - {None}


@pytest.mark.parametrize("name", ["slurm", "workstation"])
def test_the_jobs_that_run_a_model_ask_for_what_the_profile_says_of_them(name, finished, scoring, plan):
    """And no other job does. Without a profile none asks for a GPU."""
    words = ["--dry-run", "--forceall", "--set-resource-scopes", "gpu=local"]
    done = finished.snakemake(*words, "--workflow-profile", f"workflow/profiles/{name}")
    assert done.returncode == 0, done.stderr
    jobs = re.findall(r"^ *(?:local)?rule (\w+):\n((?: .*\n|\n(?= ))*)", done.stdout + done.stderr, re.MULTILINE)
    asks = {rule for rule, about in jobs if re.search(r"resources: .*\bgpu=1\b", about)}
    assert asks == set(scoring) & {rule for rule, _ in jobs}
    assert len(asks) > 8
    partitions = {rule: re.search(r"slurm_partition=(\w+)", about) for rule, about in jobs}
    gpu = {rule for rule, found in partitions.items() if found and found[1] == "gpu"}
    assert gpu == (asks if name == "slurm" else set())
    assert not re.search(r"resources: .*\bgpu=", plan)


def test_what_needs_the_network_runs_where_snakemake_does(steps):
    assert all(
        steps[name]["local"] for name in ("inputs_fetch", "models_snapshot", "analogies_snapshot", "inputs_vectors")
    )


def test_every_step_is_told_to_stay_offline_but_those_that_fetch_models(steps):
    online = {name for name, rule in steps.items() if not rule["shell"].startswith("HF_HUB_OFFLINE=1 ")}
    assert online == {"models_snapshot", "models_adapter", "analogies_snapshot"}


def test_one_scoring_job_at_a_time_is_on_the_gpu_of_a_workstation():
    assert WORKSTATION["resources"] == {"gpu": 1}


def test_what_a_rule_asks_for_grows_with_the_attempt(steps):
    for name, rule in steps.items():
        for key in {"mem_mb", "runtime"} & rule["asks_for"].keys():
            assert "attempt" in rule["asks_for"][key], (name, key)


@pytest.mark.parametrize("key", ["mem_mb", "runtime"])
def test_what_the_other_rules_ask_for_grows_with_the_attempt(key):
    assert PROFILE["default-resources"][key].endswith(" * attempt")


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.step)
def test_the_file_of_each_stop_of_the_follow_page_is_an_output_of_its_rule(steps, stop):
    outputs = steps[f"relations_{stop.step}"]["output"]
    patterns = [re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(output)) for output in outputs]
    assert any(re.fullmatch(pattern, stop.file) for pattern in patterns), outputs
