"""A secret stands in no log line and no quotation, in whatever form a library or a server writes it."""

import html
import json
import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core import secrets
from relprobe.core.secrets import MaskingFormatter, mask, note_secret

KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8)
FORMS = [str, json.dumps, repr, quote, html.escape, lambda key: f"Bearer {key}", lambda key: str({"a": [key]})]


@pytest.fixture(autouse=True)
def no_secrets(monkeypatch):
    monkeypatch.setattr(secrets, "_SECRETS", set())


@given(key=KEYS, form=st.sampled_from(FORMS))
def test_no_form_of_a_key_is_left(key, form):
    secrets._SECRETS.clear()
    note_secret(key)
    written = form(key)
    inner = written.strip("'\"")
    assert inner not in mask(f"before {written} after") or inner in "before *** after"


def test_a_key_that_begins_as_another_one_is_hidden_whole():
    note_secret("sesame")
    note_secret("sesame-open")
    assert mask("it is sesame-open") == "it is ***"


def test_a_traceback_in_the_log_is_free_of_the_key():
    note_secret("sesame-open-7")
    try:
        raise ValueError("Invalid header value b'Bearer sesame-open-7'")
    except ValueError as error:
        record = logging.LogRecord(
            "x", 40, "", 0, "it ended with sesame-open-7", (), (type(error), error, error.__traceback__)
        )
    text = MaskingFormatter("%(message)s").format(record)
    assert "Traceback" in text
    assert "sesame" not in text
