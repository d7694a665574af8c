"""`relprobe doctor`: what is installed, on what machine, what can be reached, and whether the study here can run."""

import argparse
import concurrent.futures
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relprobe.command import costs
from relprobe.command.home import folder_in, own_config, root
from relprobe.core.files import size_below
from relprobe.core.progress import duration
from relprobe.core.room import memory
from relprobe.core.secrets import public_url, safe_text
from relprobe.core.words import amount
from relprobe.sources.cache import cache_folder
from relprobe.sources.fetch import missing_pip
from relprobe.version import __version__

if TYPE_CHECKING:
    from relprobe.core.study import Targets

WAIT_S = 8
HUB = "https://huggingface.co"
TIMED_PRODUCT = (576, 1536)
"""The product of SmolLM2's layers whose rate is shown."""
Line = tuple[bool | None, str]  # good, bad, or None for what only informs


def main(words: list[str]) -> int:
    """Print a line for each finding; return 1 if one of them keeps a study from running."""
    parser = argparse.ArgumentParser(prog="relprobe doctor", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--pin",
        nargs="?",
        const="",
        metavar="CONFIG",
        help="write the commits of fetched models into config.yaml, or into this file, and look at nothing else",
    )
    options = parser.parse_args(words)
    if options.pin is not None:
        return pin_models(options.pin)
    parts: list[Callable[[], Iterator[Line]]] = [software, machine, network, study]
    good_so_far = True
    with concurrent.futures.ThreadPoolExecutor() as pool:
        lines_of_parts = pool.map(lambda part: list(part()), parts)
        for lines in (*lines_of_parts, at_hub()):  # which imports transformers, what no two threads may do at a time
            for good, text in lines:
                print(f"{ {True: ' ok ', False: ' !! ', None: '    '}[good] } {text}", flush=True)
                good_so_far = good_so_far and good is not False
    return int(not good_so_far)


def pin_models(name: str) -> int:
    """Write the commits of fetched models into a configuration, and return the status. `name`: "" for config.yaml."""
    from relprobe.command.pins import entries_of, pin
    from relprobe.core.errors import DataError
    from relprobe.core.files import read_yaml

    file = Path(name) if name else own_config()
    if file is None or not file.is_file():
        print(f"There is no {name or 'config.yaml here'}: name the configuration after --pin.", file=sys.stderr)
        return 1
    try:
        lines = pin(file, Path(folder_in(read_yaml(file, as_written=True), "resources"), "fetched"))
        names = [f"{part}.{name}" for part, name, _ in entries_of(read_yaml(file, as_written=True))]
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    if names:
        print(f"Not pinned, as no commit is known before `relprobe run` has fetched them: {', '.join(names)}.")
    elif not lines:
        print(f"All models of {file} are pinned, or come from elsewhere than Hugging Face.")
    return 0


def software() -> Iterator[Line]:
    """Yield which versions are installed, and which of them are not those of the project's tests."""
    yield True, f"relprobe {__version__} with Python {platform.python_version()}; its workflow is in {root()}"
    tested = dict(re.findall(r"^([\w.-]+)==(\S+)", (root() / "envs/requirements.txt").read_text("utf-8"), re.MULTILINE))
    versions = {name: _version(name) for name in tested}
    missing = [name for name, version in versions.items() if version is None]
    if missing:
        yield False, f"not installed: {', '.join(missing)}. pip install relprobe"
    differing = [
        f"{name} {versions[name]} (tested: {version})" for name, version in tested.items() if versions[name] != version
    ]
    differing = [text for text in differing if " None " not in text]
    if differing:
        constraints = root() / "envs/constraints.txt"
        yield None, f"other versions than tested: {', '.join(differing)}. pip install -c {constraints} relprobe"
    else:
        yield True, f"all {len(tested) - len(missing)} packages have the versions of the tests"


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


def machine() -> Iterator[Line]:
    """Yield what this machine has: cores, memory, disk and GPUs."""
    free = shutil.disk_usage(".").free / 1e9
    yield None, f"{cores()} cores, {memory() / 1e9:.0f} GB of memory, {free:.0f} GB free on this disk"
    try:
        import torch
    except ImportError as error:
        yield False, f"torch does not load: {error}"
        return
    gpus = [torch.cuda.get_device_properties(i) for i in range(torch.cuda.device_count())]
    names = [f"{gpu.name} ({gpu.total_memory / 1e9:.0f} GB)" for gpu in gpus]
    nvidia = shutil.which("nvidia-smi") is not None
    if nvidia and not gpus:
        yield False, f"there is a GPU, but torch {torch.__version__} does not see it: install torch for your CUDA"
    else:
        yield None, f"GPUs: {', '.join(names) or 'none'} (torch {torch.__version__})"
    yield None, products()
    downloads = cache_folder() / "downloads"
    yield None, f"downloads that all studies share: {size_below(downloads) / 1e9:.1f} GB in {downloads}"
    if shutil.which("sbatch"):
        yield None, "SLURM: relprobe init FOLDER --profile slurm, then relprobe run --profile slurm"


def products() -> str:
    """Yield how fast a core computes products of matrices in float32, and by which library models are computed."""
    from relprobe.lm.network.products import choice, rates

    measured = rates(*TIMED_PRODUCT)
    lines = [
        f"{rate / 1e9:.0f} Gflop/s by {'torch itself' if name == 'torch' else name}" for name, rate in measured.items()
    ]
    if not lines:
        return "products in float32: torch is set to round them here, and no model will be loaded"
    taken = "oneDNN computes" if choice(measured) == "oneDNN" else "torch itself computes"
    return f"products in float32, a core: {', '.join(lines)}; {taken} the models"


def network() -> Iterator[Line]:
    """Return whether the two places that models and data come from answer. A cluster's nodes need neither."""
    yield index()
    hub = public_url(os.environ.get("HF_ENDPOINT", HUB))
    if reason := silence_of_hub():
        yield None, f"{hub} does not answer ({reason}): models with `huggingface:` must be in its cache"
    else:
        yield True, f"{hub} answers"


def silence_of_hub() -> str:
    """Return why Hugging Face does not answer; "" if it does."""
    hub = os.environ.get("HF_ENDPOINT", HUB)
    try:
        with urllib.request.urlopen(f"{hub}/api/models?limit=1", timeout=WAIT_S):  # noqa: S310 (the user's own setting)
            return ""
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def at_hub() -> Iterator[Line]:
    """Yield which models of this study cannot be fetched from Hugging Face: wrong names, gated ones, or without room.

    Those that are fetched are not asked for, and none is where Hugging Face does not answer. Of a configuration with a fault
    nothing is said.
    """
    from relprobe.core.errors import RelprobeError, SourceError
    from relprobe.core.files import read_yaml
    from relprobe.core.manifest import is_fetched
    from relprobe.studies.config import validate

    if (file := own_config()) is None:
        return
    try:
        config = read_yaml(file, as_written=True)
        validate(config, root())
    except RelprobeError:
        return
    fetched = Path(folder_in(config, "resources"), "fetched")
    asked = [
        (f"{part}.{name}", entry)
        for part in ("models", "encoders")
        for name, entry in config.get(part, {}).items()
        if "huggingface" in entry and not is_fetched(fetched / part, name)
    ]
    if not asked or silence_of_hub():
        return
    from relprobe.lm.loading.snapshot import check_at_hub

    def fault(where: str, entry: dict[str, Any]) -> str:
        try:
            check_at_hub(where, entry, weights="endpoint" not in entry or bool(entry.get("compare")))
        except SourceError as error:
            return str(error)
        return ""

    with concurrent.futures.ThreadPoolExecutor() as pool:
        yield from ((False, sentence) for sentence in pool.map(lambda item: fault(*item), asked) if sentence)


def index() -> Line:
    """Return whether pip, which fetches models and data from PyPI, is here and reaches its index."""
    if reason := missing_pip():
        return False, f"{reason}."
    command = [sys.executable, "-m", "pip", "index", "versions", "wn", "--retries", "0", "--timeout", str(WAIT_S)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3 * WAIT_S)  # noqa: S603
    except subprocess.TimeoutExpired:
        return False, f"PyPI, or the index that pip is set to, does not answer within {3 * WAIT_S} s"
    if done.returncode == 0:
        return True, "PyPI, or the index that pip is set to, answers"
    messages = [*filter(None, map(str.strip, (done.stderr or "").splitlines()))]
    why = f": pip says {safe_text(messages[-1])!r}" if messages else ""
    return False, f"PyPI, or the index that pip is set to, does not answer{why}"


def study() -> Iterator[Line]:
    """Return whether the configuration of this folder is valid, and which of its studies are left out."""
    file = own_config()
    if file is None:
        yield None, "no study in this folder: relprobe init FOLDER"
        return
    try:
        from relprobe.core.errors import RelprobeError
        from relprobe.core.files import read_yaml
        from relprobe.studies import STUDIES
        from relprobe.studies.config import validate
        from relprobe.studies.sections import left_out, remarks
    except ImportError as error:
        yield False, f"{file} cannot be checked: {error}"
        return
    try:
        config = read_yaml(file, as_written=True)
        validate(config, root())
    except RelprobeError as error:
        yield False, str(error)
        return
    sentences = left_out(config)
    studied = [name for name in STUDIES if name in config and name not in sentences]
    yield True, f"{file} is valid: {amount(len(config['models']), 'agent')} in {', '.join(studied)}"
    for sentence in (*sentences.values(), *remarks(config)):
        yield None, sentence
    yield from other_versions(Path(folder_in(config, "results")))
    yield from detectable_differences(config, studied)
    yield from takes(config)


def other_versions(results: Path) -> Iterator[Line]:
    """Yield which results were computed with other versions than are installed now; nothing runs again for that."""
    from relprobe.core import records
    from relprobe.core.errors import DataError

    try:
        differences = records.other_versions(results)
    except DataError as error:
        yield False, str(error)
        return
    for (name, version, now), count in sorted(differences.items()):
        yield (
            None,
            f"{amount(count, 'result was', 'results were')} computed with {name} {version}, and {now} is installed: "
            f"{'it stays as it is' if count == 1 else 'they stay as they are'}; "
            "`relprobe run --forceall` computes all anew",
        )


def detectable_differences(config: dict[str, Any], studies: Sequence[str]) -> Iterator[Line]:
    """Yield how small a difference between two agents these studies find, where their targets are known: a table of each.

    The row `all` is that of the primary test, which is pooled over the parts; these count as the sum of theirs.
    """
    from relprobe.core.study import Targets
    from relprobe.stats.families import power_of
    from relprobe.studies.sections import targets

    for study, parts in targets(config).items():
        if study not in studies or not parts:
            continue
        part = min(parts, key=lambda part: parts[part].effective)
        fewest = f"{study}: {part} has the fewest units, {parts[part].number:,}{_count(parts[part])}"
        yield None, f"{fewest}: {_smallest_difference(parts[part].effective)}"
        numbers, effective = (sum(column) for column in zip(*parts.values(), strict=True))
        yield None, f"{'':10} {'units':>6} {'count as':>9} {'detectable':>11} {f'power at {SIZE}':>14}"
        for name, row in {**parts, "all": Targets(int(numbers), effective)}.items():
            least = _least(DIFFERING, row.effective)
            power = power_of(SIZE, (DIFFERING / row.effective) ** 0.5, row.effective)
            shown = "too few" if least is None else f"{least:.2f}"
            yield None, f"{name:10} {row.number:>6,} {row.effective:>9.1f} {shown:>11} {power:>14.2f}"


DIFFERING = 0.2
"""The share of units on which two agents are taken to differ."""
SIZE = 0.1
"""The difference whose power is said."""


def _count(targets: "Targets") -> str:
    """Yield as how many independent units some count, where these are fewer."""
    return "" if targets.effective == targets.number else f", which count as {targets.effective:.1f}"


def _least(share: float, units: float) -> float | None:
    """Return the smallest difference that a comparison over so many units finds (`families.detectable`), or None.

    The agents differ on this share of the units, or on as many as the difference takes: d of a difference d, if each favours
    the same agent. So its variance is the larger of share - d² and d - d², over the units.

    >>> [round(_least(0.2, units), 2) for units in (90, 22, 6)], _least(0.2, 5)
    ([0.13, 0.28, 0.67], None)
    """
    from relprobe.stats.families import ALPHA, detectable

    errors = detectable(1.0, units, 1)
    if errors is None or 2.0 ** (1 - units) >= ALPHA:  # no signs of so few units are significant
        return None
    ratio = errors**2 / units
    least = float((share * ratio / (1 + ratio)) ** 0.5)
    return least if least <= share else ratio / (1 + ratio)


def _smallest_difference(units: float) -> str:
    """Return in words which difference of a share, such as that of right first answers, so many units show.

    >>> _smallest_difference(40)[:88]
    'two agents that differ on 1 of 5 are told apart from a difference of 0.18 on, on half of'
    >>> _smallest_difference(12)
    'two agents are told apart from a difference of 0.44 on, if each unit on which they differ favours the same one (in 80 \
of 100 studies; several tests together need more)'
    >>> _smallest_difference(5)
    'too few to tell two agents apart'
    """
    few, many = _least(DIFFERING, units), _least(0.5, units)
    if few is None or many is None:
        return "too few to tell two agents apart"
    studies = "(in 80 of 100 studies; several tests together need more)"
    if few > DIFFERING:
        return (
            f"two agents are told apart from a difference of {few:.2f} on, if each unit on which they differ favours the "
            f"same one {studies}"
        )
    return (
        f"two agents that differ on 1 of 5 are told apart from a difference of {few:.2f} on, on half of them from "
        f"{many:.2f} {studies}"
    )


def takes(config: dict[str, Any]) -> Iterator[Line]:
    """Yield what a run would compute, about how long that takes and how much disk it needs. `config`: a validated one."""
    planned = costs.plan_here(os.environ)
    if isinstance(planned, str):
        yield False, f"the run cannot be planned: {planned}"
        return
    plan = planned.jobs
    for sentence in costs.work(planned):
        yield None if plan else True, sentence
    if not plan:
        return
    from relprobe.studies import STUDIES
    from relprobe.studies.sections import sizes

    studies = [study for study in STUDIES if study in config]
    probe_counts = costs.known_sizes(studies, Path(folder_in(config, "results")), sizes(config))
    time = duration(costs.seconds(plan, config["models"], cores(), probe_counts))
    asked = [
        f"{amount(probes, 'probe')} with {amount(answers, 'answer')} in {study}"
        for study, (probes, answers) in probe_counts.items()
    ]
    if len(probe_counts) < len(studies):
        study = "another study" if probe_counts else "a study"
        asked.append(f"{costs.PROBES:,} probes in {study}, as in the paper on relations")
    yield (
        None,
        f"at most about {time} on {cores()} cores, if a model gets {', and '.join(asked)}, and a core computes "
        f"{costs.CORE_FLOPS / 1e9:.0f} Gflop/s; GPUs were not measured",
    )
    yield from room(config)
    needed = costs.disk(plan, config["models"], Path(folder_in(config, "resources"), "fetched/models"), probe_counts)
    free = shutil.disk_usage(".").free
    yield needed < free, f"at most about {needed / 1e9:.1f} GB of disk, and {free / 1e9:.0f} GB are free"


def room(config: dict[str, Any]) -> Iterator[Line]:
    """Yield which models have no room in the memory of this machine. `config`: a validated one."""
    import torch

    gpus = [torch.cuda.get_device_properties(i).total_memory for i in range(torch.cuda.device_count())]
    device = config.get("scoring", {}).get("device", "auto")
    for sentence in costs.too_large(config["models"], memory(), gpus, device):
        yield False, f"{sentence}: leave it out, or run it on a machine that has them, such as a node of a cluster"


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
