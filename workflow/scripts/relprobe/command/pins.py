"""The commits of fetched models, and how they come into a configuration: `relprobe doctor --pin` writes them there."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from relprobe.core.errors import DataError, SourceError
from relprobe.core.files import read_yaml, write_text
from relprobe.core.manifest import read_manifest

COMMIT = re.compile("[0-9a-f]{40}")
PARTS = ("models", "encoders")
"""The parts of a configuration whose entries name repositories of Hugging Face."""
NEAR = 400
"""The most characters between the name of a repository and its revision in an entry."""


def entries_of(config: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the part, the name and the content of each entry that names a revision that is no commit.

    `config`: as it is written, whether it is valid or not.
    """
    for part in PARTS:
        entries = config.get(part) if isinstance(config, dict) else None
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            named = isinstance(entry, dict) and {"huggingface", "revision"} <= entry.keys()
            if named and not COMMIT.fullmatch(str(entry["revision"])):
                yield part, name, entry


def commits(config: Any, fetched: Path) -> dict[tuple[str, str], str]:
    """Return the commits that are known: repository and revision -> the commit that was fetched for them.

    `fetched`: the folder of what was fetched.
    """
    fetched_commits: dict[tuple[str, str], str] = {}
    for part, name, entry in entries_of(config):
        manifest = fetched / part / f"{name}.json"
        try:
            commit = read_manifest(manifest).get("commit") if manifest.is_file() else None
        except (SourceError, DataError):
            commit = None
        if commit:
            fetched_commits.setdefault((str(entry["huggingface"]), str(entry["revision"])), str(commit))
    return fetched_commits


def pin(file: Path, fetched: Path) -> list[str]:
    """Write the commits of fetched models into a configuration in the place of their revisions; return what was written.

    All else in the file stays as it is. DataError: the file is not valid, or an entry is written in another way.
    """
    text, config = file.read_text("utf-8"), read_yaml(file, as_written=True)
    commit_of, wanted = commits(config, fetched), copy.deepcopy(config)
    for (repository, revision), commit in commit_of.items():
        text = with_commit(text, repository, revision, commit)
    for _, _, entry in entries_of(wanted):
        entry["revision"] = commit_of.get((str(entry["huggingface"]), str(entry["revision"])), entry["revision"])
    lines = [f"{repository} at {revision} is {commit}" for (repository, revision), commit in commit_of.items()]
    if yaml.safe_load(text) != yaml.safe_load(yaml.safe_dump(wanted)):
        raise DataError(f"{file}: the revisions cannot be found in its text: write them by hand: {'; '.join(lines)}.")
    if lines:
        write_text(text, file)
    return lines


def with_commit(text: str, repository: str, revision: str, commit: str) -> str:
    r"""Return the text of a configuration with a commit in the place of the revision of a repository, in each entry of it.

    >>> print(with_commit("a: {huggingface: org/a, revision: main}", "org/a", "main", "7f3c"))
    a: {huggingface: org/a, revision: 7f3c}
    >>> print(with_commit("revision: main\nhuggingface: org/a # large", "org/a", "main", "7f3c"))
    revision: 7f3c
    huggingface: org/a # large
    """
    name, old = (rf"[\"']?{re.escape(word)}[\"']?(?=[\s,}}]|$)" for word in (repository, revision))
    between = rf"(?:(?!huggingface:|revision:)[\s\S]){{0,{NEAR}}}?"
    changed = re.sub(rf"(huggingface:\s*{name}{between}\brevision:\s*){old}", rf"\g<1>{commit}", text)
    return re.sub(rf"(\brevision:\s*){old}({between}huggingface:\s*{name})", rf"\g<1>{commit}\g<2>", changed)
