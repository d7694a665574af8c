"""`relprobe init FOLDER`: the few files of a new study. Nothing that exists is written over."""

import argparse
import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from relprobe.command.home import profiles, root, studies
from relprobe.core.errors import RelprobeError
from relprobe.version import __version__

PROMPTS = "resources/prompts/{}.yaml"
CONFIG = "config.yaml"
SCHEMA = "config.schema.json"
"""The schema of the configuration, for editors."""
MODELINE = f"# yaml-language-server: $schema={SCHEMA}\n"
"""The line by which an editor finds the schema: it completes keys, shows what they mean, and marks what is wrong."""
README = """\
# {name}

A study of relprobe {version}: what language models know about words and their relations.

    relprobe run     # computes what is missing; `--dry-run` lists it
    relprobe open    # shows results/report.html; `relprobe open STUDY` the page of a study
    relprobe doctor  # says what is missing, and what a run would take

- `config.yaml`: models, data and studies. A new entry under `models:` computes that model alone. An editor with the language
  server of YAML completes its keys by `config.schema.json`.
- `resources/prompts/`: what the models are asked. Edit it, and what depends on it is computed again.
- `results/` has pages and tables, `resources/fetched/` the downloads; `relprobe run` makes both again.
"""


def main(words: list[str]) -> int:
    """Write the folder of a new study."""
    parser = argparse.ArgumentParser(
        prog="relprobe init",
        description=__doc__,
        epilog=described(studies()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--study", choices=studies(), metavar="STUDY", help="what to begin with (default: default)")
    parser.add_argument(
        "--profile", choices=profiles(), help="also a profile of Snakemake, to put your partitions into"
    )
    parser.add_argument(
        "--pairs", type=Path, metavar="FILE", help="a table of pairs of words: a study of your own relation"
    )
    parser.add_argument("--answers", type=Path, metavar="FILE", help="with --pairs: people's answers, as exported")
    parser.add_argument("--language", metavar="CODE", help="with --pairs: the language of the words (default: en)")
    options = parser.parse_args(words)
    if options.pairs is None and (options.answers or options.language is not None):
        parser.exit(1, "--answers and --language belong to --pairs: add the file of your pairs.\n")
    if options.pairs is not None and options.study:
        parser.exit(1, "--pairs makes a study of its own: leave --study out.\n")
    files: dict[str, Path | str] = {}
    try:
        if options.pairs is None:
            files |= files_of(options.study or "default")
        else:
            files |= own_files(options.pairs, options.answers, "en" if options.language is None else options.language)
        files |= files_of_profile(options.profile)
    except RelprobeError as error:
        parser.exit(1, f"{error}\n")
    names = [*files, SCHEMA, "README.md"]
    existing = [str(options.folder / name) for name in names if (options.folder / name).exists()]
    if existing:
        parser.exit(1, f"{existing[0]} exists, and nothing is written over: name another folder, or edit that file.\n")
    try:
        write(options.folder, files)
    except OSError as error:
        parser.exit(1, f"{options.folder} cannot be written ({error.strerror}): name a folder elsewhere.\n")
    run = f"relprobe run --profile {options.profile}" if options.profile else "relprobe run"
    edit = "" if options.pairs is None else "edit prompts.yaml, the sentences that are asked, then "
    print(f"Wrote {', '.join(names)}.\nNext: {edit}cd {options.folder} && {run}")
    return 0


def own_files(pairs: Path, answers: Path | None, language: str) -> dict[str, str]:
    """Return the files of a study of own pairs, with the two models of the default study. DataError: `own_study.files`."""
    from relprobe.command import own_study
    from relprobe.core.files import read_yaml

    shipped: Any = read_yaml(studies()["default"], as_written=True)
    # Further agents of a model, such as one with layers, may not go with answers of any length.
    models = {name: entry for name, entry in shipped["models"].items() if "model" not in entry}
    available = own_study.languages(root() / "resources/languages")
    return own_study.files(pairs, answers, language, models, available)


def write(folder: Path, files: Mapping[str, Path | str]) -> None:
    """Write files into a folder, copies and texts, with a README and the schema.

    None of them exists before. OSError: the folder cannot be written, and nothing of it stays.
    """
    from relprobe.core.files import write_json
    from relprobe.studies.config import whole_schema

    targets = [folder / name for name in (*files, SCHEMA, "README.md")]
    new = {parent for target in targets for parent in target.parents if not parent.exists()}
    try:
        for name, source in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(source, str):
                target.write_text(source, "utf-8")
            else:
                shutil.copyfile(source, target)  # the permissions of an installed file may be those of an administrator
        config = folder / CONFIG
        config.write_text(MODELINE + config.read_text("utf-8"), "utf-8")
        write_json(whole_schema(root() / "workflow/schemas"), folder / SCHEMA)
        readme = README.format(name=folder.resolve().name, version=__version__)
        (folder / "README.md").write_text(readme, "utf-8")
    except BaseException:
        for path in targets:
            with suppress(OSError):
                path.unlink()
        for path in sorted(new, key=lambda path: len(path.parts), reverse=True):
            with suppress(OSError):
                path.rmdir()
        raise


def described(files: dict[str, Path]) -> str:
    """Return a line for each study: its name, and the first sentence of the comment that its file begins with."""
    width = max(map(len, files))
    return "\n".join(["studies:", *(f"  {name:{width}}  {_first_sentence(file)}" for name, file in files.items())])


def _first_sentence(file: Path) -> str:
    """Return the first sentence of the comment at the head of a file; its paragraph ends at a line without text."""
    comment = re.match(r"(#.*\n)+", file.read_text("utf-8"))
    text = textwrap.dedent(re.sub(r"^#", "", comment[0], flags=re.MULTILINE)) if comment else ""
    return re.split(r"(?<=\.) (?=[A-Z])", " ".join(text.split()), maxsplit=1)[0]


def files_of_profile(profile: str | None) -> dict[str, Path]:
    """Return the file of a profile of Snakemake: path in a new study's folder -> the shipped file."""
    return {} if profile is None else {f"profiles/{profile}/config.yaml": profiles()[profile] / "config.yaml"}


def files_of(study: str) -> dict[str, Path]:
    """Return the files of a new study: path in its folder -> the shipped file.

    The prompts are those that the configuration uses, under the paths that it gives them.
    """
    config = studies()[study]
    text = re.sub(r"#.*", "", config.read_text("utf-8"))
    used = {file for study, file in default_prompts() if re.search(rf"^{study}:", text, re.MULTILINE)}
    used |= set(re.findall(r"resources/prompts/([\w-]+)\.yaml", text))
    used |= {name for name, key in (("examples", "shots"), ("chat", "chat"), ("chat", "task")) if f"{key}:" in text}
    files = {CONFIG: config}
    return files | {PROMPTS.format(name): root() / PROMPTS.format(name) for name in sorted(used)}


def default_prompts() -> Iterator[tuple[str, str]]:
    """Yield the studies whose section need not name a file of prompts, each with the name of its default file.

    >>> sorted(default_prompts())
    [('degrees', 'degrees'), ('pairs', 'pairs'), ('systematicity', 'systematicity')]
    """
    for schema in (root() / "workflow/schemas").glob("*.schema.yaml"):
        study = schema.name.partition(".")[0]
        default = re.search(r"default: resources/prompts/([\w-]+)\.yaml$", schema.read_text("utf-8"), re.MULTILINE)
        if default and study != "config":
            yield study, default[1]
