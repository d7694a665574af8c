# The validated configuration, and what the rules ask of it.
import functools
import os
import shlex

sys.path.insert(0, str(Path(workflow.basedir) / "workflow" / "scripts"))

from relprobe.config import STUDIES, left_out, validate
from relprobe.errors import ConfigError
from relprobe.provenance import modules
from snakemake.logging import logger

# The interpreter that runs Snakemake runs its scripts too, whether its environment is activated or not; and the
# libraries' progress bars, which would fill log files with carriage returns, give way to the scripts' own lines.
os.environ.update(
    PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.getenv('PATH')}",
    TQDM_DISABLE="1",
)

try:
    validate(
        config, Path(workflow.basedir) / "workflow" / "schemas" / "config.schema.yaml"
    )
except ConfigError as error:
    raise WorkflowError(str(error)) from None

LEFT_OUT = left_out(config)
for sentence in LEFT_OUT.values():
    logger.warning(sentence)

ASKED = [study for study in STUDIES if study in config and study not in LEFT_OUT]
ORIGIN_KEYS = (
    "huggingface revision allow_pickle pypi url path file sha256 member".split()
)


wildcard_constraints:
    model="|".join(config["models"]),
    resource="|".join(config["resources"]) or "none",


@functools.cache
def code(script):
    """The entry point and all modules it imports: they define a result as much as the data do."""
    return [
        os.path.relpath(path)
        for path in modules(Path(workflow.basedir) / f"workflow/scripts/{script}.py")
    ]


def origin(part):
    """The keys of a config entry that say where it comes from, as JSON, for the wildcard `part` names."""

    def of_entry(wildcards):
        entry = config[f"{part}s"][wildcards[part]]
        return json.dumps({key: entry[key] for key in ORIGIN_KEYS if key in entry})

    return of_entry


def local_files(part):
    """The files behind a `path` of the config, so that a changed one is noticed."""

    def of_entry(wildcards):
        path = config[f"{part}s"][wildcards[part]].get("path")
        if path is None:
            return []
        inside = sorted(map(str, filter(Path.is_file, Path(path).rglob("*"))))
        return inside or path

    return of_entry


def model_flags(wildcards):
    """The flags by which a scoring script is told what of its model decides the result, as one line of shell."""
    entry = config["models"][wildcards.model]
    flags = [f"--type={entry['type']}"]
    for key in ("dtype", "bos", "context", "device_map"):
        if key in entry:
            flags.append(f"--{key.replace('_', '-')}={entry[key]}")
    return shlex.join(flags)


def encoder_flags(wildcards):
    """The flags by which an encoder's script is told its template and pooling, as far as the config names them."""
    entry = config["encoders"][wildcards.encoder]
    return shlex.join(
        f"--{key}={entry[key]}" for key in ("template", "pooling") if key in entry
    )


# What a job asks of a cluster, by the size of its model (a billion parameters if the config does not say) and the
# attempt: a job that was killed for its memory or time is tried again with more. Locally nothing of it is a limit.
def parameters(wildcards):
    known = {"static": {"size": 1e6}} | config["encoders"] | config["models"]
    name = next(
        value
        for key, value in dict(wildcards).items()
        if key in ("model", "encoder", "agent")
    )
    return float(known[name].get("size", 1e9))


def model_memory(wildcards, attempt):
    """Megabytes: the weights, in float32 at worst and once more while they are read, and what every job needs."""
    return attempt * (3000 + round(parameters(wildcards) * 8 / 1e6))


def model_width(wildcards):
    """The width of the hidden states as it goes with the size: 2,200 at a billion parameters, 4,200 at seven."""
    return round((10.7 * parameters(wildcards)) ** (1 / 3))


def classifier_memory(wildcards, attempt):
    """Megabytes of training on one relation's embeddings, of four words in each of some 6,000 sentences."""
    return attempt * (2000 + model_width(wildcards))


def classifier_minutes(wildcards, attempt):
    """Minutes of training all relations' classifiers, generous."""
    return attempt * (30 + model_width(wildcards) // 64)


def megabytes(least):
    """Memory of a job that no model decides: `least`, and as much again with every attempt."""
    return lambda wildcards, attempt: attempt * least


def model_minutes(wildcards, attempt):
    """Minutes of scoring, generous: a model of a billion parameters takes one or two on a GPU, some hundred on a CPU."""
    return attempt * (60 + round(parameters(wildcards) * 120 / 1e9))


def vectors_memory(wildcards, attempt):
    """Megabytes: static vectors of two million words in 300 dimensions take 2,700, their words included."""
    return attempt * 4000


def reported(files):
    """Mark files of a study's figures and tables for `snakemake --report`, which captions them with the page's words."""
    return [_reported(file) for file in files]


def _reported(file):
    _, study, part, name = Path(file).parts
    captions = Path(workflow.pathvars.apply("<results>/captions")).absolute()
    return report(
        file,
        caption=str(captions / study / part / f"{Path(name).stem}.rst"),
        category=study.capitalize(),
        subcategory=part.capitalize(),
        labels={part.removesuffix("s"): Path(name).stem.replace("_", " ")},
    )


def all_reported(wildcards):
    """All files so marked, as STUDY/PART/NAME."""
    files = [
        file
        for rule in workflow.rules
        for file in rule.output
        if "report" in file.flags
    ]
    return ["/".join(Path(file).parts[-3:]) for file in files]
