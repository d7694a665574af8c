"""The key of a server: blanks around it are no part of it, and what cannot be sent is refused without being shown."""

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from relprobe.core.errors import ConfigError
from relprobe.core.secrets import mask
from relprobe.lm.chat_models.client import ChatClient
from relprobe.lm.served.client import Client
from relprobe.lm.served.key import checked_key, key_of

from tests.patched import Patch

SERVER = {"endpoint": "http://127.0.0.1:9/v1", "key_env": "OUR_KEY"}
WRONG = st.characters(max_codepoint=31) | st.characters(min_codepoint=127, exclude_categories=["Cs"])


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", " ", "\t"])
def test_blanks_and_line_ends_around_a_key_are_no_part_of_it(monkeypatch, end):
    monkeypatch.setenv("OUR_KEY", f" sesame-open-7{end}")
    assert key_of(SERVER) == "sesame-open-7"


@given(letter=WRONG)
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(letter):
    assume(letter != "\0")  # no variable of the environment holds it
    with Patch.context() as patch:
        patch.setenv("OUR_KEY", f"sesame{letter}open")
        with pytest.raises(ConfigError, match="OUR_KEY holds no key that can be sent: its character 7 of 11") as error:
            key_of(SERVER)
    assert "sesame" not in str(error.value)
    assert "open" not in str(error.value)


@pytest.mark.parametrize(
    "client",
    [
        lambda key: Client("http://127.0.0.1:9/v1", key),
        lambda key: ChatClient("http://127.0.0.1:9/v1", key, "chatty", None),
    ],
)
def test_a_client_refuses_such_a_key_before_it_sends_anything(client):
    with pytest.raises(ConfigError, match="holds no key that can be sent") as error:
        client("sesame\nopen")
    assert "sesame" not in str(error.value)


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch):
    monkeypatch.setenv("OUR_KEY", " \n")
    with pytest.raises(ConfigError, match="OUR_KEY, which `key_env` names, is not set: export it"):
        key_of(SERVER)


@pytest.mark.parametrize("key", ["sesame-open-8", "sesame\u2028open-9"])
def test_a_key_is_noted_as_a_secret_whether_it_can_be_sent_or_not(key):
    with suppress(ConfigError):
        checked_key(key, "OUR_KEY")
    assert key not in mask(f"sent {key} away")
