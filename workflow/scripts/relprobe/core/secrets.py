"""Secrets: what stands in no log. A key is noted when it is read, and then every log line and quotation is free of it."""

import html
import json
import logging
from urllib.parse import quote

_SECRETS: set[str] = set()
MASK = "***"


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


class MaskingFormatter(logging.Formatter):
    """The form of log lines, tracebacks included, without any noted secret."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return mask(super().format(record))
