# The validated configuration, and what all rules share: how a step is called, and what a job asks of a cluster.
import functools
import gc
import inspect
import itertools
import json
import os
import re
import shlex
import sys
from pathlib import Path

from relprobe.studies.config import check_keys, left_out, line_of, validate
from relprobe.studies.conversations import read as read_conversation
from relprobe.command.process import stopped
from relprobe.core.cli import function_of
from relprobe.core.digest import digest
from relprobe.core.errors import ConfigError
from relprobe.core.series import place, standing
from relprobe.lm.resources import hidden_width, memory_mb, minutes, served_minutes
from relprobe.lm.settings import CLIENT
from relprobe.report.looks import families
from relprobe.report.shown import declared
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES
from relprobe.studies.examples import read as read_examples
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

# Snakemake's plan is a million objects that live to its end. The garbage collector would walk through them hundreds of times,
# a fifth of the time of planning.
gc.set_threshold(200_000, 20, 20)

try:
    check_keys(map(Path, workflow.configfiles))
    validate(config, ROOT)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

# Study -> its agents that do not know what it asks about (docs/controls.md).
CONTROLS = {}

# Study -> name of its MAY_LACK -> whether this run has that: which tables and figures it has (report/shown.py).
HAS = {}

# Study -> the names of the tables and figures on its page, where it does not declare them yet, and whether it has a page of
# answers.
PAGES = {study: {} for study in STUDIES}

LEFT_OUT = left_out(config)
for sentence in LEFT_OUT.values():
    logger.warning(sentence)

RUN_STUDIES = [study for study in STUDIES if study in config and study not in LEFT_OUT]
MODELS = list(config["models"])
# Agent -> the entry whose files it uses: another one's, if it has `model`.
NETWORKS = {name: entry.get("model", name) for name, entry in config["models"].items()}
# The agents with an adapter.
ADAPTER_AGENTS = [name for name, entry in config["models"].items() if "peft" in entry]
# Of all agents: figures of all studies show an agent in the same colour and marker.
FAMILIES = families(config["models"])
STATIC = ["static"] if "static_vectors" in config["resources"] else []
ORIGIN_KEYS = "huggingface revision allow_pickle pypi url path file sha256 member".split()
# How to compute, not what: as resources they re-run nothing.
COMPUTE_KEYS = ("device", "batch_tokens")
# How a served model is reached; this re-runs nothing either.
SERVER_KEYS = ("endpoint", "key_env", "concurrency", "timeout")
ONLINE_STEP = "python -m relprobe {params.flags} --log {log}"
STEP = f"HF_HUB_OFFLINE=1 {ONLINE_STEP}"


wildcard_constraints:
    model="|".join(MODELS),
    resource="|".join(config["resources"]) or "none",
    study="|".join(STUDIES),


def signed(function):
    """The function with its signature: Snakemake reads that of each callable for every job, a tenth of its planning."""
    function.__signature__ = inspect.signature(function)
    return function


def shipped(path):
    """A file of the workflow, as a path from the working directory."""
    return os.path.relpath(ROOT / path)


def agents_of(study):
    """The agents of the config that take part in a study."""
    entries = config["models"].items()
    return [name for name, entry in entries if study in entry.get("studies", STUDIES)]


def models_of(study):
    """The agents that answer the probes of a study; those that write lists are not among them."""
    return [name for name in agents_of(study) if "task" not in config["models"][name]]


def members_of(study):
    """The checkpoints in a study that are not the last of their series: they are not compared with other models."""
    entries = {name: place(config["models"][name]) for name in models_of(study)}
    return [name for name in entries if name not in standing(entries)]


def agent_of(wildcards):
    """The agent that the wildcard `model` or `agent` names."""
    return wildcards.get("model") or wildcards.agent


def for_agents(agents, file):
    """A file that only these agents have: a path, or a function of wildcards."""

    @signed
    def of_wildcard(wildcards):
        if agent_of(wildcards) not in agents:
            return []
        return file(wildcards) if callable(file) else file

    return of_wildcard


def of_network(file):
    """A file of the model behind the agent that the wildcard `model` or `agent` names, such as its manifest."""

    @signed
    def of_wildcard(wildcards):
        return expand(file, model=NETWORKS[agent_of(wildcards)])

    return of_wildcard


@signed
def manifest_of(wildcards):
    """The manifest of an agent's model, or of its adapter, which leads to the model."""
    agent = agent_of(wildcards)
    if "peft" in config["models"][agent]:
        return f"<resources>/fetched/adapters/{agent}.json"
    return f"<resources>/fetched/models/{NETWORKS[agent]}.json"


LEXICON = of_network("<results>/models/lexicon/{model}.parquet")


def step(group, name, /, also=None, unrecorded=None, parallel=False, **settings):
    """The settings of a step and the digest of its code, which Snakemake compares, and the flags of its command line.

    A flag has the name of an input, an output, a setting or one of COMPUTE_KEYS. Outputs without a name are --out; beside named
    ones, they are made together with them and get no flag. A callable setting takes the wildcards. `also`: of wildcards,
    modules that the step imports by name. `unrecorded`: of wildcards, settings that re-run nothing. `parallel`: the step takes
    the number of threads, as those with one of COMPUTE_KEYS do.
    """
    home = function_of(GROUPS[group], name)

    @signed
    def settings_of(wildcards):
        return {key: value(wildcards) if callable(value) else value for key, value in settings.items()}

    @signed
    def flags(wildcards, input, output, threads, resources):
        compute = {key: resources.get(key) for key in COMPUTE_KEYS if key in resources.keys()}
        if compute or parallel:
            compute["threads"] = threads
        files = dict(output.items()) or {"out": list(output)}
        values = {**dict(input.items()), **settings_of(wildcards), **files, **compute}
        values |= unrecorded(wildcards) if unrecorded else {}
        words = itertools.chain.from_iterable(itertools.starmap(words_of, values.items()))
        return shlex.join([group, name, *words])

    # One parameter for all settings: Snakemake's planning takes its time by parameter, and by callable most of all.
    depends = any(map(callable, settings.values()))
    return {
        "flags": flags,
        "code": (lambda wildcards: digest(home, also(wildcards))) if also else digest(home),
        "settings": settings_of if depends else settings,
    }


def words_of(flag, value):
    """The words of a command line that give a flag its value; none for None and for no files."""
    if value is None or (not isinstance(value, str | dict) and value == []):
        return []
    option = f"--{flag.replace('_', '-')}"
    if isinstance(value, dict):
        return [option, json.dumps(value)]
    if isinstance(value, bool):
        return [option, str(value).lower()]
    values = [value] if isinstance(value, str | int | float) else value
    return [option, *map(str, values)]


def model_step(group, name, /, **settings):
    """The params of `step` for scoring or embedding with a model, whose config entry adds what decides the result."""

    def of_entry(key):
        return lambda wildcards: config["models"][wildcards.model].get(key)

    keys = ("type", "dtype", "bos", "context", "device_map", "chat")
    entry = {key: of_entry(key) for key in keys}

    def lines(wildcards):
        agent = config["models"][wildcards.model]
        if not {"chat", "task"} & agent.keys():
            return None
        return {name: conversation(group)[name] for name in ("system", line_of(agent))}

    return step(
        group,
        name,
        # Digests by model take Snakemake's planning time, so they are taken only where there is a served model.
        also=client_of if any(map(served, MODELS)) else None,
        unrecorded=server_of,
        served_name=of_entry("name"),
        **entry,
        conversation=lines,
        **settings,
    )


def shots(wildcards):
    """The number of solved examples before an agent's probes; None if there are none."""
    return config["models"][wildcards.model].get("shots")


def examples_of(study):
    """The examples of a study for agents with `shots`; an edit of another study's examples re-runs nothing."""

    @signed
    def of_wildcard(wildcards):
        return examples(study) if shots(wildcards) else None

    return of_wildcard


@functools.cache
def examples(study):
    return read_examples(Path(config["prompting"]["examples"]), study)


@functools.cache
def conversation(study):
    """What a study says to a model in a chat."""
    return read_conversation(Path(config["prompting"]["chat"]), study)


def served(model):
    """Whether a model is behind a server."""
    return "endpoint" in config["models"][model]


def client_of(wildcards):
    """The modules that ask a server, if the model is behind one."""
    return [CLIENT] if served(wildcards.model) else []


def server_of(wildcards):
    """Where and how a served model is asked."""
    entry = config["models"][wildcards.model]
    keys = {key: entry[key] for key in SERVER_KEYS if key in entry}
    return {"server": keys} if "endpoint" in entry else {}


def needs_weights(wildcards):
    """False for a served model whose weights are not compared with it; None leaves the step's default."""
    entry = config["models"][wildcards.model]
    return False if "endpoint" in entry and not entry.get("compare") else None


@signed
def adapter_entry(wildcards):
    """Where an agent's adapter comes from."""
    return json.dumps(config["models"][wildcards.model]["peft"])


@signed
def local_adapter(wildcards):
    """The files of an adapter on this machine, so that a changed one is noticed."""
    return files_of(config["models"][wildcards.model]["peft"])


def entry_of(part, keys):
    """The given keys of a config entry, as far as it has them, for the wildcard that `part` (models, …) is named after."""

    @signed
    def of_wildcard(wildcards):
        entry = config[part][wildcards[part.removesuffix("s")]]
        return json.dumps({key: entry[key] for key in keys if key in entry})

    return of_wildcard


def local_files(part):
    """The files behind a `path` of the config, so that a changed one is noticed."""

    @signed
    def of_wildcard(wildcards):
        return files_of(config[part][wildcards[part.removesuffix("s")]])

    return of_wildcard


def files_of(entry):
    """The file, or the files of the folder, that `path` of a config entry names; none for another source."""
    if "path" not in entry:
        return []
    inside = sorted(map(str, filter(Path.is_file, Path(entry["path"]).rglob("*"))))
    return inside or entry["path"]


def metrics_of(study, agents):
    """The metrics of all agents of a study."""
    return expand(f"<results>/{study}/metrics/{{agent}}.parquet", agent=agents)


def files_of_models(study, part):
    """The files of a part of a study that belong to agents that are models."""
    agents = RELATIONS_MODELS if study == "relations" else models_of(study)
    return expand(f"<results>/{study}/{part}/{{agent}}.parquet", agent=agents)


def owner_of(wildcards):
    """The agent or, of a model's own control, the model."""
    return RELATIONS_ALONE.get(wildcards.agent, wildcards.agent)


def of_owner(file):
    """A file of the model whose own control the agent is; none for other agents."""
    return lambda wildcards: (
        expand(file, model=RELATIONS_ALONE[wildcards.agent]) if wildcards.agent in RELATIONS_ALONE else []
    )


def lexicon_of_owner(wildcards):
    """The lexicon of the agent or, of a model's own control, of the model."""
    return f"<results>/models/lexicon/{NETWORKS[owner_of(wildcards)]}.parquet"


def of_relations(files):
    """What a function of no arguments returns, where the wildcard `study` is the relations study; else no files."""
    return lambda wildcards: files() if wildcards.study == "relations" else []


def kinds_of(study, controls):
    """Agent of a study -> its type (masked, causal or encoder-decoder) or control."""
    models = {name: config["models"][name]["type"] for name in models_of(study)}
    return dict.fromkeys(controls, "control") | models


def shown(study, folder, step=None):
    """The names of the tables or figures (`folder`) of a study in this run: those that a step makes, or those on its page."""
    every = [one for one in declared(study).available(HAS[study]) if one.folder == folder]
    return [one.name for one in every if (one.step == step if step else one.on_page)]


def figures(study, step):
    """The SVG files of the figures that a step makes, with a caption in `snakemake --report`; PNG files lie beside them."""
    return [reported(study, "figures", f"{name}.svg") for name in names_of(study, "figures", step)]


def prints(study, step):
    """The PNG files beside the SVG files of figures."""
    return expand(f"<results>/{study}/figures/{{name}}.png", name=names_of(study, "figures", step))


def tables(study, step):
    """The CSV files of the tables that a step makes, with a caption in `snakemake --report`."""
    return [reported(study, "tables", f"{name}.csv") for name in names_of(study, "tables", step)]


def names_of(study, folder, step):
    return shown(study, folder, step) if isinstance(step, str) else step


def parquet(study, names):
    """The same tables as Parquet, for the steps that read them; a step writes them with its `tables`."""
    return [f"<results>/{study}/tables/{name}.parquet" for name in names]


def reported(study, part, file):
    name = Path(file).stem
    return report(
        f"<results>/{study}/{part}/{file}",
        caption=caption(study, part, name),
        category=study.capitalize(),
        subcategory=part.capitalize(),
        labels={part.removesuffix("s"): name.replace("_", " ")},
    )


def caption(study, part, name):
    """The file of the caption of a table or figure."""
    return str(Path(workflow.pathvars.apply("<results>/captions")).absolute() / study / part / f"{name}.rst")


def all_reported(wildcards):
    """All tables and figures so marked, as STUDY/PART/NAME."""
    files = [Path(file) for rule in workflow.rules for file in rule.output if "report" in file.flags]
    names = [str(Path(*file.parts[-3:])) for file in files if file.suffix != ".html"]
    return sorted({re.sub("^{study[^}]*}", study, name) for name in names for study in RUN_STUDIES if study not in HAS})


def pages_of_run():
    return workflow.pathvars.apply("<results>/report.html")


def failures(logs):
    """What the failed steps say, as Snakemake's logs name their log files: the last thing that a user sees of a run."""
    text = "".join(Path(log).read_text(errors="replace") for log in logs)
    files = re.findall(r"log: (\S+) \(check log file", text)
    for file in map(Path, dict.fromkeys(files)):
        lines = file.read_text(errors="replace").splitlines() if file.is_file() else []
        errors = [line for line in lines if "Error: " in line or "defect" in line]
        yield f"{file.stem} failed: {errors[-1] if errors else 'it was killed, or did not start'} (log: {file})"


# What a job asks of a cluster, by the size of its model (a billion parameters if the config does not say), the device and
# the attempt. Locally nothing of it is a limit.
def entry_of_job(wildcards):
    entries = {"static": {"size": 1e6}} | config["encoders"] | config["models"]
    name = next(value for key, value in dict(wildcards).items() if key in ("model", "encoder", "agent"))
    return entries[name]


def parameters(wildcards):
    entry = entry_of_job(wildcards)
    here = "endpoint" not in entry or entry.get("compare", False)
    return float(entry.get("size", 1e9)) if here else 0.0


def on_gpu(rulename):
    """Whether the jobs run on a GPU, as the config says so or as they ask for one, like those of the profiles."""
    device = config["scoring"]["device"]
    asks = "gpu" in workflow.get_rule(rulename).resources
    return device.startswith("cuda") or (device == "auto" and asks)


@signed
def model_memory(wildcards, attempt, rulename):
    dtype = entry_of_job(wildcards).get("dtype")
    gpu = on_gpu(rulename)
    return memory_mb(parameters(wildcards), dtype, gpu=gpu, attempt=attempt)


@signed
def model_minutes(wildcards, attempt, rulename):
    if "endpoint" in entry_of_job(wildcards):
        return served_minutes(attempt)
    return minutes(parameters(wildcards), gpu=on_gpu(rulename), attempt=attempt)


@signed
def model_width(wildcards):
    return hidden_width(parameters(wildcards))


def megabytes(least):
    """Memory of a job that no model decides: `least`, and as much again with every attempt."""
    return signed(lambda wildcards, attempt: attempt * least)


VECTORS_MB = megabytes(4000)  # 2,000,000 words in 300 dimensions take 2,700
