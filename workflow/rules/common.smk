# The validated configuration, and which agents take part in what.
import functools
import gc
import os
import re
from pathlib import Path

from relprobe.command.events import FILE, PLANNED, EventLog
from relprobe.command.forecast import SCORING
from relprobe.studies.config import check_keys, validate
from relprobe.studies.sections import absent, left_out, remarks, stand_ins
from relprobe.core.errors import ConfigError
from relprobe.core.inside_snakemake import (
    configuration_files,
    end_display,
    failed_jobs,
    first_folder,
    goes_on,
    runs_elsewhere,
    is_dry_run,
    is_main,
    local_rules,
    planned_jobs,
    raise_priorities,
    with_signature,
)
from relprobe.core import inside_snakemake, missing
from relprobe.core.manifest import ORIGIN_KEYS, origin_key
from relprobe.core.room import SCORES_HERE
from relprobe.core.secrets import pass_addresses
from relprobe.core.series import members
from relprobe.core.study import Roles, reply_files
from relprobe.report.agent_styles import families
from relprobe.studies import STUDIES, controls
from relprobe.studies.asking import takes_task
from relprobe.studies.duplicates import duplicate_agents, sentences as sentences_on_duplicates
from relprobe.studies.entries import addresses, is_chat_model
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

# Snakemake's plan is a million objects that live to its end. The garbage collector would walk through them hundreds of times,
# a fifth of the time of planning.
gc.set_threshold(200_000, 20, 20)

try:
    check_keys(configuration_files(workflow))
    validate(config, ROOT)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

pass_addresses(addresses(config))

LEFT_OUT = left_out(config)
for sentence in (*LEFT_OUT.values(), *stand_ins(config).values(), *remarks(config)):
    logger.warning(sentence)

# The title of the run on its pages; without one it is the name of the folder, which may be moved.
TITLE = config.get("title")
# Returns a path of a rule, such as <results>/report.html, as the functions beside the rules need it.
locate = functools.partial(inside_snakemake.locate, workflow)
# What failed in the run that this one goes on for (core/missing.py). Any other run takes it up, and so do its jobs.
RESULTS = Path(locate("<results>"))
MISSING = missing.read(RESULTS) if missing.FOLLOWS in os.environ or not (is_main(workflow) or is_module()) else []
MODELS = list(config["models"])
# The agents that only chat: they have no files here.
CHAT_MODELS = [name for name, entry in config["models"].items() if is_chat_model(entry)]
# Agent -> the entry whose files it uses: another one's, if it has `model`.
NETWORKS = {name: entry.get("model", name) for name, entry in config["models"].items() if name not in CHAT_MODELS}
# The agents with an adapter.
ADAPTER_AGENTS = [name for name, entry in config["models"].items() if "peft" in entry]
STATIC = ["static"] if "static_vectors" in config["resources"] else []
# A folder of resources that several studies share may hold two resources of one name: what each is comes before its name.
SHARED = locate("<resources>") != "resources"
KEYED = "{key}/" if SHARED else ""
# The parts of the configuration whose entries are models, of whose folders some files are loaded.
MODEL_PARTS = ("models", "encoders", "adapters")
# The manifests that are made of other ones.
MADE_OF = {"nltk_wordnet": "wordnet", "wn_database": "wn_lmf"}


def written_once(file):
    """A manifest that a rule makes. Snakemake deletes no shared one before its job, as another run may read it."""
    return update(file) if SHARED else file


def fetched(name):
    """The manifest of a resource, or of what is made of one. Rules may name a resource that a configuration lacks."""
    return fetched_as("resources", name, config["resources"].get(MADE_OF.get(name, name), {}))


def prepared(name):
    """The manifest of a resource as steps read it: of what is made of its files, where these are not read as they are."""
    return fetched(next((made for made, source in MADE_OF.items() if source == name), name))


def fetched_model(name):
    """The manifest of a model."""
    entry = config["models"][name]
    return fetched_as("models", name, entry, weights="endpoint" not in entry or entry.get("compare", False))


def fetched_adapter(agent):
    """The manifest of an agent's adapter, which is one of its network."""
    return fetched_as("adapters", agent, config["models"][agent]["peft"], base=fetched_model(NETWORKS[agent]))


def fetched_as(kind, name, entry, **more):
    """The manifest of an entry of the configuration; `more`: what else decides which files it has."""
    key = f"{origin_key(entry, model=kind in MODEL_PARTS, **more)}/" if SHARED else ""
    return f"<resources>/fetched/{'' if kind == 'resources' else f'{kind}/'}{key}{name}.json"


# The sets of static vectors that are baselines of definitions and systematicity, and where they lie.
VECTORS = {
    **{name: fetched_as("vectors", name, config["vectors"][name]) for name in config["vectors"]},
    **dict.fromkeys(STATIC, fetched("static_vectors")),
}
# By how much jobs of the first page come before others, as priorities of Snakemake: more than any rule has.
FIRST_PAGE = 1000
# How to compute, not what: as resources they re-run nothing.
COMPUTE_KEYS = ("device", "batch_tokens")
# How a served model is reached; this re-runs nothing either.
SERVER_KEYS = ("endpoint", "key_env", "concurrency", "timeout")
ONLINE_STEP = "python -m relprobe {params.flags} --log {log}"
STEP = f"HF_HUB_OFFLINE=1 {ONLINE_STEP}"


def one_of(names):
    """The pattern of a wildcard that is one of these names; without names it is no value, where "" would be any."""
    return "|".join(map(re.escape, names)) or "(?!)"


wildcard_constraints:
    key="[0-9a-f]{12}",
    model=one_of(MODELS),
    resource=one_of(config["resources"]),
    study=one_of(STUDIES),


def shipped(path):
    """A file of the workflow, as a path from the working directory."""
    return os.path.relpath(ROOT / path)


@functools.cache
def configured_for(study):
    """The agents that the config names for a study; those with a task, in the studies that have it."""
    return [
        name
        for name, entry in config["models"].items()
        if (takes_task(entry, study) if "task" in entry else study in entry.get("studies", STUDIES))
    ]


def named_for(study):
    """Those of them that this run has (core/missing.py)."""
    gone = missing.missing_agents(MISSING, study)
    return [name for name in configured_for(study) if name not in gone]


# Study -> why it is missing, as it failed or as no agent of it is left.
LOST = {
    study: "No agent of this study is here: the next run takes them up."
    for study in STUDIES
    if missing.missing_agents(MISSING, study) and not named_for(study)
} | missing.whole_studies(MISSING)
RUN_STUDIES = [study for study in STUDIES if study in config and not {study} & (LEFT_OUT.keys() | LOST.keys())]


@functools.cache
def agents_of(study):
    """The agents that take part in a study: those that the config names for it, without copies of another one."""
    repeated = duplicate_agents(config, study, named_for(study))
    return [name for name in named_for(study) if name not in repeated]


@functools.cache
def families_of(study):
    """Agent of a study -> its family, which decide how it looks: an agent of another study changes no figure of this one."""
    return families(config["models"], controls(), agents_of(study))


def is_gone(agent):
    """Return whether no study has the agent, as it failed in all that ask it."""
    asking = [study for study in STUDIES if study in config and agent in configured_for(study)]
    return bool(asking and MISSING) and not any(agent in named_for(study) for study in asking)


def models_here():
    """The models whose files the front page and a manuscript name: those of agents that are here."""
    return [*dict.fromkeys(model for agent, model in NETWORKS.items() if not is_gone(agent))]


def adapters_here():
    """Those of these agents that have an adapter."""
    return [agent for agent in ADAPTER_AGENTS if not is_gone(agent)]


def own_in(study, part):
    """The agents that answer the probes of a study and, in this part of it, do not repeat another one."""
    repeated = repeating_in(study, part)
    return [name for name in models_of(study) if name not in repeated]


def repeating_in(study, part):
    """The agents that answer the probes of a study and, in this part of it, would repeat another one."""
    return list(duplicate_agents(config, study, models_of(study), part))


def models_of(study):
    """The agents that answer the probes of a study; not those that take people's task, or that are asked layer by layer."""
    return [name for name in agents_of(study) if not {"task", "layers"} & set(config["models"][name])]


def task_agents_of(study):
    """The agents that take the task that people took in a study."""
    return [name for name in agents_of(study) if "task" in config["models"][name]]


def chat_models_of(study):
    """Those of them that only chat."""
    return [name for name in task_agents_of(study) if name in CHAT_MODELS]


def reply_file(study):
    """The file with the replies of the agent that the wildcard `agent` names."""
    return with_signature(lambda wildcards: reply_files(study, [wildcards.agent], CHAT_MODELS))


def layered_of(study):
    """The agents that are asked after each of their layers."""
    return [name for name in agents_of(study) if "layers" in config["models"][name]]


def have_same_states(agent, other_agent):
    """Return whether two agents read the same states: agents of a network share its type, format and BOS, but not an adapter."""
    adapters = [config["models"][name].get("peft") for name in (agent, other_agent)]
    return NETWORKS[agent] == NETWORKS[other_agent] and adapters[0] == adapters[1]


def types_of(agents):
    """Agent -> its type: masked, causal or encoder-decoder."""
    return {name: config["models"][name]["type"] for name in agents}


def members_of(study):
    """The checkpoints in a study that are not the last of their series: they are not compared with other models."""
    return members({name: config["models"][name] for name in models_of(study)})


def agent_of(wildcards):
    """The agent that the wildcard `model` or `agent` names."""
    return wildcards.get("model") or wildcards.agent


def for_agents(agents, file):
    """A file that only these agents have: a path, or a function of wildcards."""

    @with_signature
    def paths(wildcards):
        if agent_of(wildcards) not in agents:
            return []
        return file(wildcards) if callable(file) else file

    return paths


def network_file(file):
    """A file of the model behind the agent that the wildcard `model` or `agent` names, such as its manifest."""

    @with_signature
    def paths(wildcards):
        return expand(file, model=NETWORKS[agent_of(wildcards)])

    return paths


@with_signature
def manifest_of(wildcards):
    """The manifest of an agent's model, or of its adapter, which leads to the model."""
    agent = agent_of(wildcards)
    return fetched_adapter(agent) if "peft" in config["models"][agent] else fetched_model(NETWORKS[agent])


@with_signature
def base_of(wildcards):
    """The manifest of the model that an agent's adapter was trained on."""
    return fetched_model(NETWORKS[wildcards.model])


LEXICON = network_file("<results>/models/lexicon/{model}.parquet")


def metrics_of(study, agents):
    """The metrics of all agents of a study."""
    return expand(f"<results>/{study}/metrics/{{agent}}.parquet", agent=agents)


def layout_of(resource, *also):
    """The setting of steps that says where a table which a program of experiments has exported has people's answers.

    `also`: further keys; columns that only trials have change no other step.
    """
    entry = config["resources"].get(resource, {})
    layout = {key: entry[key] for key in ("columns", "questions", "rows", *also) if key in entry}
    return {"layout": layout} if layout else {}


def with_further(study_run):
    """What the step `trials` of a study reads: with people's table, if the configuration names further columns of it."""
    if "further" not in config["resources"].get(study_run.people, {}):
        return study_run.trials
    files = {**study_run.trials.files, "answers": fetched(study_run.people)}
    settings = {**study_run.trials.settings, **layout_of(study_run.people, "further")}
    return study_run.trials._replace(files=files, settings=settings)


def exported(*names):
    """What a study exports of these names, beside its averages and tests; nothing where it does not say so."""

    @with_signature
    def exported_files(wildcards):
        files = IN_RUN[wildcards.study].exported
        return [file for name in names for file in files.get(name, [])]

    return exported_files


@with_signature
def exported_metrics(wildcards):
    """The metrics of a study's models; a study with others says which."""
    return exported("metrics")(wildcards) or metrics_of(wildcards.study, models_of(wildcards.study))


def roles(study):
    """Which agents take part in a study."""
    models, task_agents = models_of(study), task_agents_of(study)
    types, layered = types_of(models + task_agents), types_of(layered_of(study))
    return Roles(models, task_agents, chat_models_of(study), [*VECTORS], types, families_of(study), layered)


def first_page_first():
    """Let the page of the first study be there as soon as possible: all its jobs come before those of the other studies.

    What several studies need, such as models and their lexicons, comes before both. What is asked layer by layer, which the
    first page does without, and the other studies run side by side, the long jobs of each before the short ones.
    """
    first = RUN_STUDIES[0]
    late = [f"{first}_{step}" for step in IN_RUN[first].late]

    def more(name, wildcards):
        if "_layer_" in name or name in late:
            return 0
        if name.startswith(("inputs_", "models_")):
            return 2 * FIRST_PAGE
        if name.startswith("report_") and "study" in wildcards:
            return with_signature(lambda wildcards: FIRST_PAGE * (wildcards.study == first))
        return FIRST_PAGE if name.startswith(f"{first}_") else 0

    raise_priorities(workflow, more)


# What this process hears of the run. A dry run leaves its events only where its caller wants them.
EVENTS = EventLog(
    Path(os.environ.get(PLANNED, FILE)),
    lambda: planned_jobs(workflow),
    lambda: local_rules(workflow),
    cluster=lambda: runs_elsewhere(workflow),
    follows=missing.FOLLOWS in os.environ,
)
if is_main(workflow) and (PLANNED in os.environ or not is_dry_run(workflow)):
    logger.addHandler(EVENTS)


def follow_run():
    """Show what can be read, and what is still computed, until the front page is made; not in a run that makes none."""
    if "report_index" not in EVENTS.run.counts:
        return
    from relprobe.command.running import Follower, RunningPage

    results = Path(locate("<results>"))
    template = Path(shipped("workflow/report/page.html.j2"))
    follower = Follower(RunningPage(results, template, TITLE or "", RUN_STUDIES, EVENTS.run))
    follower.write(follower.page.write)
    EVENTS.followers.append(follower)
    logger.info(f"What can be read, and what is still computed: {follower.page.file} (relprobe open)")


def note_failures():
    """Note which agents and studies lack values as jobs failed; say whether there are some that were not known."""
    noted = {(loss.study, loss.agent) for loss in MISSING}
    new = {
        pair: missing.Missing(*pair, missing.event(job.name.rule), reason(job.logs))
        for job in failed_jobs(workflow)
        for pair in missing.losses(job, RUN_STUDIES, dict.fromkeys(MODELS) | NETWORKS)
        if pair not in noted
    }
    missing.write(RESULTS, [*MISSING, *new.values()])
    return bool(new)


def go_on_without():
    """Make what can be made without what has failed, and say what is missing; nothing where jobs do not go on.

    A process plans once. So others plan without it, until one of them makes all that it has planned, or fails for a reason
    that has been noted before, or no study is left.
    """
    if not goes_on(workflow) or is_module() or not is_command() or not note_failures() or missing.FOLLOWS in os.environ:
        return
    before, asked = [], {study: configured_for(study) for study in RUN_STUDIES}
    while (gone := missing.read(RESULTS)) != before and missing.studies_left(gone, asked):
        status = go_on(first_folder(workflow), [loss.study for loss in gone if not loss.agent])
        # Tables that could not be made end a run with an error, too, though all else is there.
        if status == 0 or (missing.read(RESULTS) == gone and any(results.undrawn(RESULTS))):
            end_display(workflow)
            say_last(missing.summary(gone, MODELS, asked))
            return
        before = gone


def check_drawn():
    """End with an error if figures could not be drawn: all else is there. WorkflowError: a sentence on each study."""
    if sentences := [*results.undrawn(RESULTS)]:
        raise WorkflowError("\n".join(sentences))


DUPLICATES = sentences_on_duplicates(config, {study: named_for(study) for study in RUN_STUDIES})
for sentence in DUPLICATES:
    logger.warning(sentence)
