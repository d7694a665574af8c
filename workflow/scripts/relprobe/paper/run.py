"""What the methods of a manuscript say of a study: its results and its part of the configuration, in one place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from relprobe.core.secrets import public_url
from relprobe.core.sums import ordered_sum
from relprobe.core.words import amount, enumeration


@dataclass(frozen=True)
class Run:
    """A finished study, as its module methods reads it.

    `section`: the study's section of the configuration. `has`: name of its page's `may_lack` -> whether the run has
    that. `tables`: those of its page. `trials`: those that the averages count (TRIALS). `averages`: those of the study.
    `tests`: those between its agents. `resources`: name -> entry of the configuration. `controls`: the agents that do not
    know what is asked.
    """

    study: str
    section: Mapping[str, Any]
    has: Mapping[str, bool]
    tables: Mapping[str, pl.DataFrame]
    trials: pl.DataFrame
    averages: pl.DataFrame
    tests: pl.DataFrame
    resources: Mapping[str, Any] = field(default_factory=dict)
    controls: tuple[str, ...] = ()

    @property
    def metrics(self) -> list[str]:
        """The metrics that an agent has a value of."""
        return sorted(set(self.averages.drop_nulls("value")["metric"]))


def source_of(entry: Mapping[str, Any]) -> str:
    """Return where a model, an adapter or vectors are from, as a manuscript may say it. `entry`: of the configuration.

    A path on a machine and the address of a server are nobody's business; of a URL, neither are a password and a key.

    >>> source_of({"pypi": "glove==1.0"}), source_of({"path": "/home/me/secret"})
    ('`glove==1.0`', 'files of our own')
    >>> source_of({"endpoint": "http://10.0.0.7:8000/v1", "name": "llama"})
    '`llama` behind a server'
    >>> source_of({"url": "https://me:password@example.org/m.zip?key=7", "revision": "607a30d7"})
    '`https://example.org/m.zip`, revision 607a30d7'
    """
    revision = f", revision {entry['revision']}" if "revision" in entry else ""
    if "endpoint" in entry:
        return f"{code(entry['name'])} behind a server"
    if "url" in entry:
        return f"`{public_url(entry['url'])}`{revision}"
    named = next((str(entry[key]) for key in ("huggingface", "pypi") if key in entry), None)
    return "files of our own" if named is None else f"`{named}`{revision}"


def plain(text: str) -> str:
    r"""Return a text of the configuration as Markdown shows it: no sign of it is a mark, a citation or code.

    >>> print(plain("a_b [@x] <img>"))
    a\_b \[\@x\] &lt;img\>
    """
    return re.sub(r"([\\`*_{}\[\]>@#$~^|&])", r"\\\1", text).replace("<", "&lt;")


def code(text: str) -> str:
    """Return a text of the configuration as code of Markdown; a backtick, which would end the code, is an apostrophe.

    >>> code("a`b")
    "`a'b`"
    """
    return f"`{text.replace('`', chr(39))}`"


def losses(table: pl.DataFrame, kind: str, reason: str, number: str) -> str:
    """Return what was left out, as an enumeration: the column `number` by kind and reason; "" where nothing was.

    >>> rows = [("target", "too rare", 2), ("target", "too rare", 1), ("tuple", "twice", 0)]
    >>> losses(pl.DataFrame(rows, ["kind", "why", "lost"], orient="row"), "kind", "why", "lost")
    '3 targets (too rare)'
    """
    sums = table.group_by(kind, reason, maintain_order=True).agg(ordered_sum(number)).filter(pl.col(number) > 0)
    parts = [
        f"{amount(lost, noun, 'relata' if noun == 'relatum' else '')} ({why})" for noun, why, lost in sums.iter_rows()
    ]
    return enumeration(parts) if parts else ""
