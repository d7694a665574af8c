# What a job asks of a cluster, by the size of its model (a billion parameters if the config does not say), the device and
# the attempt. Locally only the threads of it are a limit.
from relprobe.core.inside_snakemake import default_resources, is_main, resource_names, shared_cores, submitted_groups
from relprobe.lm.resources import (
    conversion_mb,
    gpu_is_used,
    hidden_width,
    memory_mb,
    minutes,
    served_minutes,
    threads,
    weight_bytes,
)

# What a profile says of jobs that run a model: its default resource model_NAME is their resource NAME.
MODEL_RESOURCES = {
    name.removeprefix("model_"): value
    for name, value in default_resources(workflow).items()
    if name.startswith("model_")
}


def together(group):
    """The group of jobs that are submitted together, if the profile says how many (group-components); else none.

    A group without that would put "Group job" into every plan, also where nothing is submitted.
    """
    return with_signature(lambda wildcards: group if group in submitted_groups(workflow) else None)


def entry_of_job(wildcards):
    entries = dict.fromkeys(VECTORS, {"size": 1e6}) | config["encoders"] | config["models"]
    name = next(value for key, value in dict(wildcards).items() if key in ("model", "encoder", "agent"))
    return entries[name]


def parameters(wildcards):
    entry = entry_of_job(wildcards)
    is_local = "endpoint" not in entry or entry.get("compare", False)
    return float(entry.get("size", 1e9)) if is_local else 0.0


# The cores that jobs share. None on a cluster, where each job has its own, with a GPU, as two jobs would share its memory, and
# where a run has one agent in one study, so that no other job runs a model.
SHARED_CORES = (
    shared_cores(workflow)
    if is_main(workflow)
    and not gpu_is_used(config["scoring"]["device"])
    and sum(len(agents_of(study)) for study in IN_RUN) > 1
    else None
)


@with_signature
def model_threads(wildcards):
    return threads(parameters(wildcards), SHARED_CORES)


def on_gpu(rulename):
    """Return whether the jobs run on a GPU, as the config says so or as they ask for one, like those of the profiles."""
    device = config["scoring"]["device"]
    asks = "gpu" in resource_names(workflow, rulename)
    return device.startswith("cuda") or (device == "auto" and asks)


def has_untrained(rulename):
    """Return whether the jobs ask an untrained network of the same shape, too, as a control of the maps of layers."""
    return rulename in ("models_layer_map", "relations_layer_scores") and bool(MAPPED) and LAYERS["untrained"]


@with_signature
def model_memory(wildcards, attempt, rulename):
    dtype = entry_of_job(wildcards).get("dtype")
    job = {"gpu": on_gpu(rulename), "untrained": has_untrained(rulename)}
    return memory_mb(parameters(wildcards), dtype, attempt=attempt, **job)


@with_signature
def snapshot_memory(wildcards, attempt, rulename):
    entry = entry_of_job(wildcards)
    names = [*(entry.get(key, "") for key in ("path", "url", "file", "member")), *files_of(entry)]
    endings = {Path(name).suffix for name in names}
    if ".gguf" in endings and ".safetensors" not in endings:  # which go before it
        return conversion_mb(parameters(wildcards), attempt)
    return model_memory(wildcards, attempt, rulename)


@with_signature
def snapshot_disk(wildcards):
    """Megabytes that a model's files take: none if they are linked, and those of a tokenizer do not count."""
    entry = entry_of_job(wildcards)
    linked = "path" in entry and Path(entry["path"]).is_dir()
    return 0 if linked else round(weight_bytes(parameters(wildcards), entry.get("dtype")) / 1e6)


@with_signature
def model_minutes(wildcards, attempt, rulename):
    if "endpoint" in entry_of_job(wildcards):
        return served_minutes(attempt)
    networks = 2 if has_untrained(rulename) else 1
    return minutes(parameters(wildcards), gpu=on_gpu(rulename), attempt=attempt, networks=networks)


@with_signature
def model_width(wildcards):
    return hidden_width(parameters(wildcards))


def megabytes(least):
    """Memory of a job that no model decides: `least`, and as much again with every attempt."""
    return with_signature(lambda wildcards, attempt: attempt * least)


VECTORS_MB = megabytes(4000)  # 2,000,000 words in 300 dimensions take 2,700
