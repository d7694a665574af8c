"""Secrets and strange signs: what stands in no log, on no page and on no terminal.

A key is noted when it is read, and so are the password, the query and the fragment of an address; then every log line,
sentence and quotation is free of them. Results show the public part of an address (`public`), and a step gets the whole
one by a private file (`pass_addresses`). Controls are written as escapes wherever a text is shown (`visible`).
"""

import atexit
import base64
import html
import json
import logging
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

_SECRETS: set[str] = set()
MASK = "***"
ADDRESSES = "RELPROBE_ADDRESSES"
"""The variable that names the private file of a run: name of an entry -> its whole address."""
SHORT = 4
"""A part of an address that is shorter is noted with its key alone: it would hide letters of other words."""
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Signs that a terminal obeys, that turn the direction of a text, or that XML and UTF-8 do not have."""


def note_secret(secret: str) -> None:
    """Note a secret, so that `mask` hides it from now on."""
    if secret:
        _SECRETS.add(secret)


def mask(text: str) -> str:
    r"""Return a text with *** for each noted secret, also where it is written as in JSON, Python, an address or HTML.

    >>> note_secret('open"sesame')
    >>> mask('{"Authorization": "Bearer open\\"sesame"}')
    '{"Authorization": "Bearer ***"}'
    """
    for form in sorted({form for secret in _SECRETS for form in _forms(secret)}, key=len, reverse=True):
        text = text.replace(form, MASK)
    return text


def _forms(secret: str) -> set[str]:
    inner = json.dumps(secret)[1:-1]
    return {
        secret,
        inner,
        inner.replace("/", "\\/"),
        repr(secret)[1:-1],
        quote(secret),
        quote(secret, safe=""),
        html.escape(secret),
    }


def visible(text: str) -> str:
    r"""Return a text with an escape for each control, as JSON writes it; line breaks and tabs stay.

    >>> visible("a\x1b[2Jb")
    'a\\u001b[2Jb'
    """
    return CONTROLS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def safe_text(text: str) -> str:
    """Return a text as a terminal, a log or a sentence may show it: without noted secrets, and with controls as escapes."""
    return visible(mask(text))


class MaskingFormatter(logging.Formatter):
    """The form of log lines, tracebacks included, without any noted secret and any control."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return safe_text(super().format(record))


def public_url(url: str) -> str:
    """Return a URL without user, password, query and fragment; what is no URL stays.

    >>> public_url("https://me:password@example.org/m.zip?key=7#part"), public_url("https://[half")
    ('https://example.org/m.zip', 'https://')
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # such as half of an IPv6 address
        return url.partition("//")[0] + "//"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def public(value: Any) -> Any:
    """Return a part of the configuration as results may hold it: the public part of each address (`public_url`).

    >>> public({"nouns": {"url": "https://me:password@example.org/n.zip", "sha256": "01"}})
    {'nouns': {'url': 'https://example.org/n.zip', 'sha256': '01'}}
    """
    if isinstance(value, dict):
        return {key: public(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [public(inner) for inner in value]
    return public_url(value) if isinstance(value, str) and ADDRESS.fullmatch(value) else value


def note_addresses(value: Any) -> None:
    """Note what is secret in the addresses of a configuration or a part of it (`note_secret`)."""
    if isinstance(value, dict):
        for inner in value.values():
            note_addresses(inner)
    elif isinstance(value, list):
        for inner in value:
            note_addresses(inner)
    elif isinstance(value, str) and ADDRESS.fullmatch(value) and public_url(value) != value:
        for part in _secret_parts(value):
            note_secret(part)


def _secret_parts(url: str) -> set[str]:
    """Return what of a URL is secret: its user with the password, its query and fragment, and their longer values."""
    try:
        parts = urlsplit(url)
        user, _, password = parts.netloc.rpartition("@")[0].partition(":")
        values = [value for _, value in parse_qsl(parts.query)]
    except ValueError:
        return {url.partition("//")[2]}
    credentials = {parts.netloc.rpartition("@")[0], parts.query, parts.fragment}
    if password:
        pair = f"{unquote(user)}:{unquote(password)}"
        credentials.add(base64.b64encode(pair.encode()).decode())  # the form of a header
    single = {user, password, *values, *parts.query.split("&")}
    return {part for part in credentials | single | set(map(unquote, single)) if len(part) >= SHORT}


def pass_addresses(addresses: Mapping[str, str]) -> None:
    """Pass the whole addresses of entries, name -> address, to child processes, where the public part is not all.

    They stand in a file that this user alone can read; it goes when this process ends. A command line would be seen by all
    users of the machine, and kept in Snakemake's logs.
    """
    private = {name: url for name, url in addresses.items() if public_url(url) != url}
    if not private:
        return
    number, name = tempfile.mkstemp(prefix="relprobe-", suffix=".json")
    atexit.register(Path(name).unlink, missing_ok=True)
    with os.fdopen(number, "w", encoding="utf-8") as file:
        json.dump(private, file)
    os.environ[ADDRESSES] = name


def whole_url(name: str, url: str) -> str:
    """Return the whole address of an entry, whose public part may be all that a step was given (`pass_addresses`)."""
    file = Path(os.environ.get(ADDRESSES, os.devnull))
    handed: Mapping[str, str] = json.loads(file.read_text("utf-8") or "{}") if file.exists() else {}
    address = handed.get(name, url)
    return address if public_url(address) == url else url
