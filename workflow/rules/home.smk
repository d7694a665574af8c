# Where the workflow's own files are. It may be another's module, or lie in the installed package (as its folder _workflow), or
# run with --directory: its files are found from this one.
import os
import sys
from pathlib import Path

ROOT = Path(workflow.current_basedir).resolve().parents[1]
SCRIPTS = ROOT / "workflow" / "scripts"
# Absolute, as Snakemake looks for a relative one from the file of each rule that is made of another; it compares what an
# environment holds, and not where it lies.
ENVS = ROOT / "envs"


def is_module():
    """Return whether another workflow uses this one."""
    from relprobe.core.inside_snakemake import main_snakefile

    entry_points = {ROOT / "Snakefile", ROOT / "workflow/Snakefile"}
    return main_snakefile(workflow).resolve() not in {file.resolve() for file in entry_points}


def link(name, target):
    """A link to a folder, in Snakemake's own folder of the working directory; another process may make it at this moment."""
    path = Path(".snakemake", "relprobe", name)
    if not path.is_symlink() or path.readlink() != target:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.symlink_to(target)
        new.replace(path)
    return path


# The package lies among all that is installed with it; the steps of a conda environment must find the package alone.
if not (SCRIPTS / "relprobe").is_dir():
    SCRIPTS = link("package/relprobe", ROOT.parent).parent.absolute()

# Outside this folder, shipped files have the same paths wherever it lies: a path that changes, as it does with every new
# environment or Python, would re-run its jobs and, after them, all models.
if ROOT != Path.cwd():
    ROOT = link("shipped", ROOT)

sys.path.insert(0, str(SCRIPTS))

# Steps run in the interpreter that runs Snakemake, whether its environment is activated or not; they find the package, and
# no module of the working directory stands before another. The libraries' progress bars would fill log files with carriage
# returns; the steps log lines of their own.
os.environ.update(
    PATH=os.pathsep.join([str(Path(sys.executable).parent), os.getenv("PATH", "")]),
    PYTHONPATH=os.pathsep.join(filter(None, [str(SCRIPTS), os.getenv("PYTHONPATH")])),
    PYTHONSAFEPATH="1",
    TQDM_DISABLE="1",
)
