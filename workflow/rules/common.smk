# The validated configuration, and what the rules ask of it.
import functools
import os
import shlex

sys.path.insert(0, str(Path(workflow.basedir) / "workflow" / "scripts"))

from relprobe.config import STUDIES, validate
from relprobe.errors import ConfigError
from relprobe.provenance import modules

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

ASKED = [study for study in STUDIES if study in config]
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
        return sorted(map(str, Path(path).iterdir())) if Path(path).is_dir() else path

    return of_entry


def model_flags(wildcards):
    """The flags by which a scoring script is told what of its model decides the result, as one line of shell."""
    entry = config["models"][wildcards.model]
    flags = [f"--type={entry['type']}"]
    for key in ("dtype", "bos", "context", "device_map"):
        if key in entry:
            flags.append(f"--{key.replace('_', '-')}={entry[key]}")
    return shlex.join(flags)


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
