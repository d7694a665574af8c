# How the rules call steps: the flags, the digest of the code, and what an entry of the configuration adds to them.
import functools
import itertools
import json
import shlex
from pathlib import Path

from relprobe.studies.asking import lines_of
from relprobe.studies.conversations import read as read_conversation
from relprobe.core.cli import function_of
from relprobe.core.study import parts_of, study_of, table_files
from relprobe.core.digest import digest
from relprobe.core.errors import DataError
from relprobe.core.files import whole_file
from relprobe.core.inside_snakemake import METADATA, is_at_work, is_main, products, rule_inputs
from relprobe.core.manifest import SMALL, move_to_now, files_in, identity, in_future, is_fetched_for, origin_key
from relprobe.core.analyses import by_agent, dotted_names
from relprobe.command.results import forget_undrawn
from relprobe.core.records import (
    mark_out_of_date,
    link_hidden,
    record_file,
    settings_digest,
    restore_times,
    tables_without_record,
)
from relprobe.core.secrets import public
from relprobe.lm.settings import CLIENT
from relprobe.report.shown import page_of
from relprobe.steps import GROUPS
from relprobe.studies.examples import read as read_examples


def step(group, name, /, also=None, pages=None, unrecorded=None, parallel=False, **settings):
    """The settings of a step and the digest of its code, which Snakemake compares, and the flags of its command line.

    Settings have the public part of an address alone: command lines are seen by all users of a machine, and kept in logs.
    A flag has the name of an input, an output, a setting or one of COMPUTE_KEYS. Outputs without a name are --out; beside named
    ones, they are made together with them and get no flag. A callable setting takes the wildcards. `also`: of wildcards,
    modules, or definitions in them, that the step imports by name. `pages`: of wildcards, the studies whose pages
    (report/shown.py) it shows. `unrecorded`: of wildcards, settings that re-run nothing. `parallel`: the step takes the number
    of threads, as those with one of COMPUTE_KEYS do.
    """
    home = function_of(GROUPS[group], name)

    @with_signature
    def settings_of(wildcards):
        return public({key: value(wildcards) if callable(value) else value for key, value in settings.items()})

    @with_signature
    def flags(wildcards, input, output, threads, resources):
        compute = {key: resources.get(key) for key in COMPUTE_KEYS if key in resources.keys()}
        if compute or parallel:
            compute["threads"] = threads
        files = dict(output.items()) or {"out": list(output)}
        values = {**dict(input.items()), **settings_of(wildcards), **files, **compute}
        values |= public(unrecorded(wildcards)) if unrecorded else {}
        record = record_of(input, output, settings_of(wildcards), code(wildcards))
        words = itertools.chain.from_iterable(itertools.starmap(words_of, [*values.items(), *record.items()]))
        return shlex.join([group, name, *words])

    @with_signature
    def code(wildcards):
        texts = [repr(page_of(study)) for study in pages(wildcards)] if pages else ()
        return digest(home, also(wildcards) if also else (), texts=texts)

    # One parameter for all settings: Snakemake's planning takes its time by parameter, and by callable most of all.
    depends = any(map(callable, settings.values()))
    return {
        "flags": flags,
        "code": code if also or pages else digest(home),
        "settings": settings_of if depends else public(settings),
    }


def record_of(input, output, settings, code):
    """The flag that says what a step writes into the record of its results (core/records.py); none for other files."""
    first, results = Path(output[0]), Path(locate("<results>"))
    if not first.is_relative_to(results):
        return {}
    record = {
        "file": str(record_file(first, results)),
        "settings": settings_digest(settings),
        "code": code,
        "read": list(dict(input.items())),
        "written": list(dict(output.items())),
        "inputs": without_flags(input),
        "outputs": without_flags(output) if dict(output.items()) else [],
    }
    return {"record": record}


def without_flags(files):
    """Those files of a rule that have no name, and so no flag."""
    named = itertools.chain(*([entry] if isinstance(entry, str) else entry for entry in dict(files.items()).values()))
    return sorted(set(map(str, files)) - set(map(str, named)))


def analysis_parts(study, *names):
    """What a step takes of the further analyses of a study: their definitions of these names (core/analyses.py)."""
    return with_signature(lambda wildcards: dotted_names(study, *names))


def code_of(study):
    """The definitions that say what a study is, which steps of all studies find by their names (core/study.py)."""
    return [*parts_of(study), *dotted_names(study, "headline", "words", "CODE_NAMES", "ADDRESSES", "methods")]


def files_of_study(studies):
    """The inputs of the step that `step_of_study` is about. `studies`: as there."""
    return with_signature(lambda wildcards: studies[wildcards.study].files)


def step_of_study(name, studies, **more):
    """The params of `step` for a step that several studies have, of the study that the wildcard names.

    `studies`: study -> what its step reads (core/study.py). `more`: keywords of `step` for all of them.
    """
    steps = {
        study: step(reading.group or study, name, **more, **reading.settings) for study, reading in studies.items()
    }

    def param(key):
        @with_signature
        def study_value(wildcards):
            value = steps[wildcards.study][key]
            return value(wildcards) if callable(value) else value

        return study_value

    @with_signature
    def flags(wildcards, input, output, threads, resources):
        return steps[wildcards.study]["flags"](wildcards, input, output, threads, resources)

    return {"flags": flags, "code": param("code"), "settings": param("settings")}


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

    def entry_value(key):
        return lambda wildcards: config["models"][wildcards.model].get(key)

    keys = ("type", "dtype", "bos", "context", "device_map", "chat", "thoughts")
    entry = {key: entry_value(key) for key in keys}

    def lines(wildcards):
        agent = config["models"][wildcards.model]
        if not {"chat", "task"} & agent.keys():
            return None
        return {name: conversation(group)[name] for name in ("system", *lines_of(agent, group))}

    return step(
        group,
        name,
        # Digests by model take Snakemake's planning time, so they are taken only where there is a served model.
        also=client_of if any(map(served, MODELS)) else None,
        unrecorded=manner_of,
        served_name=entry_value("name"),
        **entry,
        conversation=lines if group in STUDIES else None,  # a step of models alone says nothing to them
        **settings,
    )


def chat_model_step(group, name, /, **more):
    """The params of `step` for asking an agent that only chats, whose config entry adds what decides the replies."""

    def entry_value(key):
        return lambda wildcards: config["models"][wildcards.model].get(key)

    def lines(wildcards):
        names = ("system", *lines_of(config["models"][wildcards.model], group))
        return {name: conversation(group)[name] for name in names}

    def manner(wildcards):
        entry = config["models"][wildcards.model]
        spending = locate(f"<results>/models/spending/{wildcards.model}.jsonl")
        return manner_of(wildcards) | {"limits": entry.get("limits"), "spending": spending}

    settings = {key: entry_value(key) for key in ("samples", "request", "thoughts")} | more
    return step(group, name, unrecorded=manner, served_name=entry_value("name"), conversation=lines, **settings)


def orders(wildcards):
    """The number of orders in which a chat model sees the options of a choice; None if the step decides."""
    return config["models"][agent_of(wildcards)].get("orders")


def samples(wildcards):
    """The number of answers of an agent with a task to a question; None if there is one."""
    return config["models"][agent_of(wildcards)].get("samples")


def shots(wildcards):
    """The number of solved examples before an agent's probes; None if there are none."""
    return config["models"][wildcards.model].get("shots")


def layers_of(wildcards):
    """The layers after which an agent is asked."""
    return json.dumps(config["models"][wildcards.model]["layers"])


def examples_of(study):
    """The examples of a study for agents with `shots`; an edit of another study's examples re-runs nothing."""

    @with_signature
    def study_examples(wildcards):
        return examples(study) if shots(wildcards) else None

    return study_examples


@functools.cache
def examples(study):
    return read_examples(Path(config["prompting"]["examples"]), study, study_of(study).example)


@functools.cache
def conversation(study):
    """What a study says to a model in a chat."""
    return read_conversation(Path(config["prompting"]["chat"]), study)


def served(model):
    """Return whether a model is behind a server."""
    return "endpoint" in config["models"][model]


def client_of(wildcards):
    """The modules that ask a server, if the model is behind one."""
    return [CLIENT] if served(wildcards.model) else []


def manner_of(wildcards):
    """Return whether stored answers are taken, and where and how a served model is asked."""
    entry = config["models"][wildcards.model]
    keys = {key: entry[key] for key in SERVER_KEYS if key in entry}
    return reuse_of(wildcards) | ({"server": keys} if "endpoint" in entry else {})


def reuse_of(wildcards):
    """Where stored answers are taken from beside the job's own, or that none are."""
    return {"results": locate("<results>")} if config["scoring"]["reuse"] else {"reuse": False}


def needs_weights(wildcards):
    """False for a served model whose weights are not compared with it; None leaves the step's default."""
    entry = config["models"][wildcards.model]
    return False if "endpoint" in entry and not entry.get("compare") else None


@with_signature
def adapter_entry(wildcards):
    """Where an agent's adapter comes from."""
    return config["models"][wildcards.model]["peft"]


@with_signature
def local_adapter(wildcards):
    """The files of an adapter on this machine."""
    return ancient(files_of(config["models"][wildcards.model]["peft"], model=True))


def adapter_identity(wildcards):
    """What these files are, so that a changed one is noticed."""
    return identity_of(config["models"][wildcards.model]["peft"], model=True)


def entry_of(part, keys):
    """The given keys of a config entry, as far as it has them, for the wildcard that `part` (models, …) is named after."""

    @with_signature
    def values(wildcards):
        entry = config[part][wildcards[part.removesuffix("s")]]
        return {key: entry[key] for key in keys if key in entry}

    return values


def local_files(part):
    """The files behind a `path` of the config."""

    @with_signature
    def paths(wildcards):
        return ancient(files_of(config[part][wildcards[part.removesuffix("s")]], model=part in MODEL_PARTS))

    return paths


def local_identity(part):
    """What these files are, so that a changed one is noticed."""

    @with_signature
    def identity(wildcards):
        return identity_of(config[part][wildcards[part.removesuffix("s")]], model=part in MODEL_PARTS)

    return identity


def files_of(entry, model=False):
    """The file, or the files of the folder, that `path` of a config entry names; none for another source.

    Of the folder of a model, those that are loaded.

    Snakemake would take braces in a name for a wildcard, and delete what is made of a file with a time in the future. So it
    does not see such files; `identity_of` counts them.
    """
    files = own_files(entry, model)
    return [str(file) for file in files if not set(str(file)) & set("{}<>") and not in_future(file)]


def own_files(entry, model=False):
    """The file, or the files of the folder, that `path` of an entry names, whatever they are called."""
    if "path" not in entry:
        return []
    path = Path(entry["path"])
    return files_in(path, model=model) if path.is_dir() else [path]


def identity_of(entry, model=False):
    """What the files of an entry are; None if their times count, as in a copy of a study, and `note_origins` watches them."""
    is_watched = not SHARED and not is_module() and any(file.stat().st_size > SMALL for file in own_files(entry, model))
    return identity(entry["path"], model=model) if "path" in entry and not is_watched else None


def take_records():
    """Let this run decide by what lies with the results, and not by the hidden folder of the run that made them.

    Snakemake keeps the settings and code of what it made in its own folder, which copies, archives and Git leave out. So
    this folder leads into the results. The times of files are put right by the records of the steps (core/records.py).
    """
    if not is_main(workflow) or is_module():
        return
    results = Path(locate("<results>"))
    link_hidden(results / "records/snakemake", METADATA)
    if not SHARED:
        note_origins()
    if is_at_work():  # a run makes these files now, and a plan beside it changes none of them
        return
    try:
        forget_undrawn(results)
        restore_times(results)
        sentence = mark_out_of_date(tables_without_record(results))
    except DataError as error:
        raise WorkflowError(str(error)) from None
    if sentence:
        logger.warning(sentence)


def note_origins():
    """Write a file for each entry that something is fetched for, newer than a manifest that is of another entry.

    It is an input of the rule that fetches. Snakemake would notice another entry by what it keeps of the job, which goes with
    the results, and the fetched files may stay when these are deleted.
    """
    for name, key, entry, is_model in fetched_entries():
        file, manifest = origin_file(name), Path(name)
        time = 0.0
        if manifest.is_file():
            time = manifest.stat().st_mtime + (-1 if is_fetched_for(manifest, key, entry, model=is_model) else 1)
        if not (file.is_file() and file.read_text() == key and abs(file.stat().st_mtime - time) < 1e-3):
            with whole_file(file) as partial:
                partial.write_text(key)
                os.utime(partial, (time, time))


def fetched_entries():
    """The manifests of what is fetched, each with the key of its entry of the configuration, this, and whether it is a model."""
    networks = {name: config["models"][name] for name in NETWORKS.values()}
    adapters = {name: config["models"][name]["peft"] for name in ADAPTER_AGENTS}
    parts = {part: config[part] for part in ("resources", "vectors", "encoders")}
    return [
        (
            locate(fetched_as(part, name, entry)),
            origin_key(entry, model=part in MODEL_PARTS),
            entry,
            part in MODEL_PARTS,
        )
        for part, entries in (parts | {"models": networks, "adapters": adapters}).items()
        for name, entry in entries.items()
    ]


def origin_file(manifest):
    """The file that stands for the entry of a manifest."""
    return Path(".snakemake/relprobe/origins", manifest.lstrip("/"))


def with_origin(pattern, files):
    """The inputs of a rule that fetches, which are `files` and the file that stands for its entry."""

    @with_signature
    def inputs(wildcards):
        manifest = locate(expand(pattern, **dict(wildcards))[0])
        return files(wildcards) + ([] if SHARED or is_module() else [str(origin_file(manifest))])

    return inputs


def check_times():
    """Refuse users' own files of a time to come: Snakemake would delete all that is made of them."""
    for file in sorted(file for file in rule_inputs(workflow) if in_future(Path(file)) and not is_made(file)):
        raise WorkflowError(
            f"{file} was changed at a time in the future, and Snakemake would delete all that is made of it: set the "
            f"clock of this machine, or give the file the time of today: touch {shlex.quote(file)}"
        )


@functools.cache
def is_made(file):
    """Return whether a rule makes the file, or all files of its pattern."""
    return "{" in file or any(file.startswith(start) and product.match(file) for start, product in all_products())


@functools.cache
def all_products():
    """What all rules make, each with how its files begin: to compare that first takes a tenth of the time. Call it last."""
    return [*products(workflow)]
