"""A secret stands in no log line and no quotation, in whatever form a library or a server writes it."""

import base64
import html
import json
import logging
import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core import secrets
from relprobe.core.errors import DataError
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


def test_a_key_is_hidden_whole_as_python_and_json_write_it():
    note_secret(key := """it's "/open\\sesame" now""")
    assert mask(f"Python {key!r}, JSON {json.dumps(key)}.") == "Python '***', JSON \"***\"."
    assert mask(json.dumps(key).replace("/", "\\/")) == '"***"'


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


URL = "https://me:p%40ss-word@example.org/n.zip?file=17&X-Signature=c0ffee#part"


@pytest.mark.parametrize("form", FORMS)
def test_the_parts_of_an_address_are_secret_in_any_form(form):
    secrets.note_addresses({"a": [{"url": URL}]})
    for part in ("p%40ss-word", "p@ss-word", "me:p%40ss-word", "file=17&X-Signature=c0ffee", "c0ffee", "part"):
        assert part not in mask(form(f"before {part} after"))
    assert "example.org/n.zip" in mask(URL)


def test_short_values_hide_no_letters_of_other_words():
    secrets.note_addresses({"url": "https://a:b@example.org/n.zip?dl=1"})
    assert mask("a bird has 1 beak, dl=1") == "a bird has 1 beak, ***"


def test_user_and_password_are_secret_in_the_form_of_a_header_too():
    secrets.note_addresses({"url": URL})
    header = base64.b64encode(b"me:p@ss-word").decode()
    assert mask(f"Authorization: Basic {header}") == "Authorization: Basic ***"


def test_an_address_that_cannot_be_parsed_is_secret_behind_its_scheme():
    secrets.note_addresses(["https://[me:pass-word@half"])
    assert mask("it is https://[me:pass-word@half, and [me:pass-word@half") == "it is https://***, and ***"


def test_a_text_that_is_no_address_has_nothing_secret():
    text = "which word fits here?sparrow#robin"
    secrets.note_addresses({"prompt": text, "texts": [text]})
    assert mask(text) == text
    assert secrets.public({"prompts": [text, URL, 3]}) == {"prompts": [text, "https://example.org/n.zip", 3]}


def test_a_step_gets_the_whole_address_by_a_file_that_nobody_else_reads(monkeypatch):
    monkeypatch.delenv(secrets.ADDRESSES, raising=False)
    leave = []
    monkeypatch.setattr(secrets.atexit, "register", lambda call, **options: leave.append(lambda: call(**options)))
    secrets.pass_addresses({"resources.nouns": URL, "resources.plain": "https://example.org/n.zip"})
    file = Path(os.environ[secrets.ADDRESSES])
    assert file.stat().st_mode & 0o777 == 0o600
    assert "plain" not in file.read_text()
    assert secrets.whole_url("resources.nouns", "https://example.org/n.zip") == URL
    assert secrets.whole_url("resources.nouns", "https://example.org/other.zip") == "https://example.org/other.zip"
    assert secrets.whole_url("resources.plain", "https://example.org/n.zip") == "https://example.org/n.zip"
    leave[0]()
    assert not file.exists()
    leave[0]()  # another one has deleted it
    assert secrets.whole_url("resources.nouns", "https://example.org/n.zip") == "https://example.org/n.zip"


def test_the_sentence_of_an_error_has_no_secret_and_no_control():
    note_secret("sesame-open-7")
    assert str(DataError("a.csv, line 2: \x1b[2J sesame-open-7\x9b is no word: delete it.")) == (
        "a.csv, line 2: \\u001b[2J ***\\u009b is no word: delete it."
    )


def test_addresses_without_secrets_are_not_passed_on(monkeypatch):
    monkeypatch.delenv(secrets.ADDRESSES, raising=False)
    secrets.pass_addresses({"nouns": "https://example.org/n.zip"})
    secrets.pass_addresses({})
    assert secrets.ADDRESSES not in os.environ
    assert secrets.whole_url("nouns", "https://example.org/n.zip") == "https://example.org/n.zip"
