"""The commits of fetched models come into a configuration, whose other lines stay as they are."""

import pytest
from relprobe.command import doctor
from relprobe.command.pins import pin
from relprobe.core.errors import DataError
from relprobe.core.files import write_json

COMMIT, OTHER = "a" * 40, "b" * 40
CONFIG = """\
# my models
models:
  bert: {type: masked, huggingface: google/bert, revision: main} # the small one
  bert-context:
    type: masked
    revision: "main"
    huggingface: google/bert
  gpt2:
    type: causal
    huggingface: openai/gpt2 # a model
    revision: v1
  here: {type: causal, path: data/main}
  done: {type: causal, huggingface: org/done, revision: OTHER}
encoders:
  rel: {huggingface: org/rel, revision: main}
""".replace("OTHER", OTHER)


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(CONFIG)
    return tmp_path


def fetch(study, name, **keys):
    file = study / "resources/fetched" / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json({"files": {}, **keys}, file)


def test_each_entry_of_a_repository_gets_the_commit_that_was_fetched(study, capsys):
    fetch(study, "models/bert", commit=COMMIT)
    fetch(study, "models/gpt2")  # by an earlier relprobe
    assert doctor.main(["--pin"]) == 0
    pinned = CONFIG.replace("bert, revision: main", f"bert, revision: {COMMIT}").replace('"main"', COMMIT)
    assert (study / "config.yaml").read_text() == pinned
    out = capsys.readouterr().out
    assert f"google/bert at main is {COMMIT}\n" in out
    assert "Not pinned, as no commit is known before `relprobe run` has fetched them: models.gpt2, encoders.rel." in out
    fetch(study, "models/gpt2", commit=OTHER)
    fetch(study, "encoders/rel", commit=OTHER)
    assert doctor.main(["--pin", "config.yaml"]) == 0
    assert (study / "config.yaml").read_text().count(OTHER) == 3
    assert doctor.main(["--pin"]) == 0
    assert "All models of config.yaml are pinned" in capsys.readouterr().out


def test_an_entry_that_is_written_otherwise_is_left_to_the_user(study, capsys):
    text = "base: &base {revision: main}\nmodels:\n  m: {<<: *base, type: causal, huggingface: org/m}\n"
    (study / "config.yaml").write_text(text)
    fetch(study, "models/m", commit=COMMIT)
    with pytest.raises(DataError, match=f"write them by hand: org/m at main is {COMMIT}"):
        pin(study / "config.yaml", study / "resources/fetched")
    assert doctor.main(["--pin"]) == 1
    assert (study / "config.yaml").read_text() == text


def test_a_configuration_that_is_not_there_is_a_sentence(study, capsys):
    assert doctor.main(["--pin", "nothing.yaml"]) == 1
    assert "There is no nothing.yaml" in capsys.readouterr().err
