"""The papers and programs that a run may rest on, as entries of BibTeX; a manuscript gets those that its methods cite."""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from relprobe.core.errors import DataError
from relprobe.core.secrets import public_url
from relprobe.paper.latex import CODE, literal
from relprobe.version import __version__

CITED = re.compile(r"@([A-Za-z][\w.:-]*\w)(?=[;\]])")
"""A key in a citation such as [@cao2024; @kish1965]."""
FILE = Path(__file__).with_name("references.bib")
"""The entries of BibTeX, between blank lines."""


def entries() -> dict[str, str]:
    """Return the entries of the file: key -> entry, with the version of this relprobe.

    >>> entries()["kish1965"].splitlines()[:2]
    ['@book{kish1965,', '  author = {Kish, Leslie},']
    """
    parts = FILE.read_text("utf-8").replace("VERSION", __version__).strip().split("\n\n")
    return {part.partition("{")[2].partition(",")[0]: part for part in parts}


ADDRESS_SIGNS = ":/?#[]@!$&'()*+,;=%~"
"""The signs that an address of an entry has as they are; braces would end its field."""


def model_key(name: str) -> str:
    """Return the key of a model's entry.

    BibTeX takes small letters and capitals for the same, so a name with capitals has some digits of its SHA-256 behind it.

    >>> model_key("gpt2_xl"), model_key("gpt2-xl"), model_key("GPT2-xl")
    ('model-gpt2_xl', 'model-gpt2-xl', 'model-GPT2-xl-970e')
    """
    key = re.sub(r"[^\w.-]", "-", name, flags=re.ASCII)
    return f"model-{key}" if key == name.lower() else f"model-{key}-{sha256(name.encode()).hexdigest()[:4]}"


def model_entry(name: str, entry: Mapping[str, Any]) -> str:
    """Return the entry of a model: where it is from, and which revision of it. `entry`: that of the configuration.

    BibTeX sorts an entry without an author by its key.

    >>> print(model_entry("gpt2", {"huggingface": "openai-community/gpt2", "revision": "607a30d7"}))
    @misc{model-gpt2,
      key = {gpt2},
      title = {openai-community/gpt2},
      howpublished = {Hugging Face, revision 607a30d7},
      url = {https://huggingface.co/openai-community/gpt2},
    }
    """
    where = {"huggingface": "Hugging Face", "pypi": "PyPI", "url": "", "path": "", "endpoint": ""}
    key = next((key for key in where if key in entry), "")
    title = entry.get("name", name) if key in ("endpoint", "path", "") else str(entry[key])
    title = public_url(title) if key == "url" else title
    revision = f"revision {entry['revision']}" if "revision" in entry else ""
    published = ", ".join(filter(None, [where.get(key, ""), revision])) or "language model"
    url = {"huggingface": f"https://huggingface.co/{title}", "url": quote(title, safe=ADDRESS_SIGNS)}.get(key)
    lines = [
        f"  key = {{{literal(name)}}},",
        f"  title = {{{literal(title)}}},",
        f"  howpublished = {{{literal(published)}}},",
    ]
    lines += [f"  url = {{{url}}},"] if url else []
    return "\n".join([f"@misc{{{model_key(name)},", *lines, "}"])


def bibliography(texts: Iterable[str], models: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the entries that some texts cite, in the order of their keys. DataError: there is no such entry.

    `models`: name -> entry of the configuration.
    """
    bibliography_entries = entries() | {model_key(name): model_entry(name, entry) for name, entry in models.items()}
    keys = sorted({key for text in texts for key in CITED.findall(CODE.sub("", text))})
    if missing := [key for key in keys if key not in bibliography_entries]:
        raise DataError(
            f"the methods cite {', '.join(missing)}, of which there is no entry: please report it as a defect."
        )
    return "\n\n".join(bibliography_entries[key] for key in keys) + "\n"
