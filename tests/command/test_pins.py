"""The commits of fetched models come into a configuration, whose other lines stay as they are."""

import pytest
from relprobe.command import doctor
from relprobe.command.pins import entries_of, pin, with_commit
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
    out, err = capsys.readouterr()
    assert (out, f"write them by hand: org/m at main is {COMMIT}" in err) == ("", True)
    assert (study / "config.yaml").read_text() == text


def test_a_configuration_that_is_not_there_is_a_sentence(study, capsys):
    assert doctor.main(["--pin", "nothing.yaml"]) == 1
    assert capsys.readouterr() == ("", "There is no nothing.yaml: name the configuration after --pin.\n")


def test_a_configuration_of_which_no_commit_is_known_is_not_written(study, capsys):
    before = (study / "config.yaml").stat()
    assert pin(study / "config.yaml", study / "resources/fetched") == []
    fetch(study, "models/bert")
    (study / "resources/fetched/models/gpt2.json").write_text("{")  # damaged
    assert doctor.main(["--pin"]) == 0
    after = (study / "config.yaml").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert capsys.readouterr().out == (
        "Not pinned, as no commit is known before `relprobe run` has fetched them: models.bert, models.bert-context, "
        "models.gpt2, encoders.rel.\n"
    )


def test_the_configuration_may_lie_elsewhere_and_names_its_folder_of_resources(study, capsys):
    (study / "config.yaml").unlink()
    assert doctor.main(["--pin"]) == 1
    assert capsys.readouterr().err == "There is no config.yaml here: name the configuration after --pin.\n"
    (study / "own.yaml").write_text(f"pathvars: {{resources: kept}}\n{CONFIG}")
    fetch(study, "models/bert", commit=OTHER)
    (study / "resources").rename(study / "kept")
    assert doctor.main(["--pin", "own.yaml"]) == 0
    assert capsys.readouterr().out.startswith(f"google/bert at main is {OTHER}\nNot pinned, as no")
    assert f"google/bert, revision: {OTHER}}}" in (study / "own.yaml").read_text()
    (study / "own.yaml").write_text("models: {a: {type: causal, path: x}}\n")
    assert doctor.main(["--pin", "own.yaml"]) == 0
    assert capsys.readouterr().out == ("All models of own.yaml are pinned, or come from elsewhere than Hugging Face.\n")


def test_a_commit_is_40_digits_and_other_words_of_the_configuration_stay():
    """A branch may be called as a repository, a number, or the begin of another word."""
    config = {
        "models": {
            "a": {"huggingface": "org/a", "revision": COMMIT},
            "b": {"huggingface": "org/b", "revision": COMMIT[1:]},
            "c": {"huggingface": "org/c", "revision": 7},
            "d": {"huggingface": "org/d"},
            "e": {"path": "x", "revision": "main"},
            "f": {"huggingface": "org/f", "revision": f"{COMMIT}0"},
        },
        "encoders": None,
    }
    assert [name for _, name, _ in entries_of(config)] == ["b", "c", "f"]
    text = "a: {huggingface: org/a, revision: main2}\nb: {huggingface: org/ab, revision: main}\n"
    assert with_commit(text, "org/a", "main", "7f") == text
    both = (
        "a:\n  huggingface: 'org/a'\n  revision: 'main'\nb:\n  revision: main\n  type: causal\n  huggingface: org/a\n"
    )
    assert with_commit(both, "org/a", "main", "7f") == both.replace("'main'", "7f").replace(
        "revision: main", "revision: 7f"
    )
    far = f"a:\n  huggingface: org/a # {'x' * 500}\n  revision: main\n"
    assert with_commit(far, "org/a", "main", "7f") == far


@pytest.mark.parametrize(
    "text",
    ["", "- a\n", "models: [a]\n", "models: {a: , b: text, c: {path: x}}\nencoders:\n", "pathvars: [x]\nmodels: 3\n"],
)
def test_a_configuration_with_faults_has_nothing_to_pin(study, capsys, text):
    """The plan says what is wrong with it."""
    (study / "config.yaml").write_text(text)
    assert doctor.main(["--pin"]) == 0
    assert (study / "config.yaml").read_text() == text
    assert capsys.readouterr().out == (
        "All models of config.yaml are pinned, or come from elsewhere than Hugging Face.\n"
    )
