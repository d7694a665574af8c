"""A study whose free texts are what a page, a manuscript, a spreadsheet or a terminal may take for a command of its own.

Each address has a password and a signature, and each text is one that a program could obey. The study runs once, with its
manuscript and its exports; then no file and no line of the terminal has a secret, and no file a text in a form that obeys.
"""

import hashlib
import http.server
import json
import re
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.workflow import toy, toy_data
from tests.workflow.toy_models import masked_model

SECRETS = ("open-sesame-7", "c0ffee-signature")
"""The password and the signature of an address."""
ESCAPE = "\x1b[2J"
NAME = "=1+1<img src=x onerror=alert(1)></script>{{7*7}} https://a}\\input{/etc/passwd} [@x}\\input{y}{] $\\evil$ `a [@zz]`"
"""A name of a family of models."""
TITLE = '<b>T</b>"><script>alert(2)</script> {{8*8}} =1+1'
PROMPT = "=1+1 [DET] [W] <img src=x onerror=alert(3)> is }\\input{z} of [DET] [V]"
TOKENS = ("=1+1", ESCAPE, "<img src=x>", "\x9b2J")
"""Words of a model's vocabulary: what is the likeliest word stands on pages and in tables."""
BINARY = (".png", ".parquet", ".pdf", ".arrow", ".safetensors", "asked")
"""The ends of files that no terminal shows."""
OBEYED = {
    (".html", ".svg", ".md"): ("<img", "<script>alert", ">49<", ">64<"),
    (".tex", ".bib"): ("\\input", "\\evil"),
    (".md",): ("[@x", "[@zz"),
}
"""The ends of files -> what is not in them."""


@pytest.fixture(scope="module")
def listener():
    """An address that gives the toy's tuples."""
    content = "\n".join(["target,relation,relatum", *map(",".join, toy_data.TUPLES)]).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield web.server_port, hashlib.sha256(content).hexdigest()
        web.shutdown()


@pytest.fixture
def canary(begun, listener):
    """The relations study with canaries in all its free texts."""
    port, sha256 = listener
    password, signature = SECRETS
    begun.only("relations")
    config = begun.config
    config["title"] = TITLE
    config["models"]["tiny-masked"] |= {"family": NAME, "size": 1e6}
    config["models"]["tiny-causal"] |= {"family": NAME.removeprefix("=1+1"), "size": 2e6}
    address = f"http://me:{password}@127.0.0.1:{port}/tuples.csv?X-Amz-Signature={signature}"
    config["resources"]["own_tuples"] = {"url": address, "sha256": sha256}
    begun.configure(**config)
    prompts = {**toy_data.PROMPTS, "HYP": [*toy_data.PROMPTS["HYP"], {"id": "hyp-strange", "text": PROMPT}]}
    (begun.folder / "data/relations.yaml").write_text(json.dumps(prompts))
    masked_model(begun.folder / "data/masked", seed=1, more=[*toy_data.MASKED_WORDS, *TOKENS])
    return begun


def texts(study: toy.Study) -> dict[Path, str]:
    """The files that a run has made, with what they hold."""
    made = [study.results, study.folder / "resources/fetched", study.folder / ".snakemake"]
    files = [file for folder in made for file in folder.rglob("*") if file.is_file()]
    assert len(files) > 100
    return {file.relative_to(study.folder): file.read_bytes().decode(errors="replace") for file in files}


@pytest.mark.slow("it runs a study, and draws its figures for print")
def test_no_text_of_a_study_is_obeyed_and_no_secret_shown(canary):
    said = ""
    for words in ((), ("paper",), ("export",)):
        done = canary.snakemake(*words, "--printshellcmds")
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    found = texts(canary)
    for secret in SECRETS:
        assert secret not in said
        assert [str(file) for file, text in found.items() if secret in text] == []
    assert "\x1b" not in said
    own = {
        file: text for file, text in found.items() if "fetched" not in file.parts
    }  # files of others stay as they are
    shown = {file: text for file, text in own.items() if not file.name.endswith(BINARY)}
    assert [str(file) for file, text in shown.items() if re.search("[\x1b\x9b]", text)] == []
    for ends, marks in OBEYED.items():
        for file, text in shown.items():
            assert [mark for mark in marks if file.suffix in ends and mark in text] == [], file
    for file, text in shown.items():
        if file.suffix == ".csv":
            assert re.findall(r'(?m)(?:^|,)"?=1.*', text) == [], file
        elif file.suffix == ".svg":
            ElementTree.fromstring(text)
    assert any("'=1+1" in text for file, text in shown.items() if file.suffix == ".csv")


def test_a_failed_download_says_no_secret(begun):
    begun.only("relations")
    password, signature = SECRETS
    address = f"http://me:{password}@127.0.0.1:9/tuples.csv?X-Amz-Signature={signature}"
    begun.configure(
        resources={**begun.config["resources"], "own_tuples": {"url": address, "sha256": "0" * 64}},
    )
    said = begun.error("resources/fetched/own_tuples.json")
    assert "127.0.0.1:9/tuples.csv" in said
    logs = "".join(texts_of_logs(begun))
    assert "cannot be fetched" in logs
    assert [secret for secret in SECRETS if secret in said + logs] == []


def texts_of_logs(study: toy.Study) -> list[str]:
    folders = (study.results / "logs", study.folder / ".snakemake/log", study.folder / ".snakemake/metadata")
    return [file.read_text() for folder in folders for file in folder.rglob("*") if file.is_file()]


def test_a_wrong_address_is_named_without_its_password(begun):
    begun.configure(resources={**begun.config["resources"], "own_tuples": {"url": "ftp://me:open-sesame-7@host/a"}})
    said = begun.error()
    assert "own_tuples.url" in said
    assert "open-sesame-7" not in said


def test_a_control_in_the_configuration_is_refused_by_its_key(begun):
    entry = {**begun.config["models"]["tiny-masked"], "family": f"BERT{ESCAPE}"}
    begun.configure(models={**begun.config["models"], "tiny-masked": entry})
    said = begun.error()
    assert "config: models.tiny-masked.family" in said
    assert "U+001B" in said
    assert "\x1b" not in said


def test_an_escape_in_the_configuration_of_a_model_reaches_no_terminal(begun):
    file = begun.folder / "data/masked/config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "model_type": f"no{ESCAPE}bert"}))
    said = begun.error("results/models/lexicon/tiny-masked.parquet")
    logs = "".join(texts_of_logs(begun))
    assert "\\u001b[2J" in said + logs
    assert "\x1b" not in said + logs
