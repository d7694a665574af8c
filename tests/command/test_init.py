"""`relprobe init`: the files of a new study."""

import importlib.util
import json
import re
from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from jsonschema import Draft202012Validator
from relprobe.command import home, init
from relprobe.command.home import root, studies
from relprobe.studies.config import validate, whole_schema
from relprobe.version import __version__


@pytest.mark.parametrize("study", ["default", "toy"])
def test_a_new_study_is_valid_and_has_its_prompts(tmp_path, monkeypatch, capsys, study):
    assert init.main([str(tmp_path / "mine"), "--study", study]) == 0
    monkeypatch.chdir(tmp_path / "mine")
    config = yaml.safe_load((tmp_path / "mine/config.yaml").read_text())
    used = [part["prompts"] for part in config.values() if "prompts" in part]
    validate(config, root())
    used += [config["degrees"]["prompts"]] if "degrees" in config else []
    assert used
    assert all((tmp_path / "mine" / file).is_file() for file in used)
    assert f"cd {tmp_path / 'mine'} && relprobe run" in capsys.readouterr().out


def portable(file):
    """A validator by the schema in a file, whose patterns have the meaning that JavaScript gives them, as in editors."""
    return jsonschema_rs.validator_for(json.loads(file.read_text()))


@pytest.mark.parametrize("study", studies())
def test_an_editor_finds_the_schema_and_accepts_what_is_shipped(tmp_path, study):
    assert init.main([str(tmp_path / "mine"), "--study", study]) == 0
    written = (tmp_path / "mine/config.yaml").read_text()
    first, _, rest = written.partition("\n")
    assert rest == studies()[study].read_text()
    schema = tmp_path / "mine" / first.removeprefix("# yaml-language-server: $schema=")
    assert [error.message for error in portable(schema).iter_errors(yaml.safe_load(written))] == []


WRONG = [
    (("models", "m"), {"type": "causl", "path": "a"}),
    (("models", "m\n"), {"type": "causal", "path": "a"}),
    (("models", "humans"), {"type": "causal", "path": "a"}),
    (("models", "m"), {"type": "causal", "path": "a\nb"}),
    (("models", "m"), {"type": "causal", "path": "a\n"}),
    (("resources", "own_tuples"), {"url": "https://example.org/a b"}),
    (("resources", "own_tuples"), {"path": "a", "sha256": "0" * 65}),
    (("relations", "prompt"), "a.yaml"),
]
"""Keys and values that no configuration has."""


@pytest.mark.parametrize(("keys", "value"), WRONG)
def test_the_schema_refuses_with_javascripts_expressions_what_it_refuses_with_pythons(tmp_path, keys, value):
    assert init.main([str(tmp_path / "mine")]) == 0
    config = yaml.safe_load((tmp_path / "mine/config.yaml").read_text())
    section, key = keys
    config[section][key] = value
    schema = tmp_path / "mine/config.schema.json"
    assert not portable(schema).is_valid(config)
    assert not Draft202012Validator(json.loads(schema.read_text())).is_valid(config)


def test_every_expression_is_one_of_javascript():
    """Python alone has \\A, \\Z, (?P<name>…) and flags inside an expression."""
    text = json.dumps(whole_schema(root() / "workflow/schemas"))
    assert text.count('"pattern"') > 15
    assert not re.search(r"\\\\[AZ]|\(\?P|\(\?[a-zA-Z]", text)


def test_a_profile_comes_with_the_study(tmp_path, capsys):
    assert init.main([str(tmp_path), "--study", "toy", "--profile", "slurm"]) == 0
    assert (tmp_path / "profiles/slurm/config.yaml").read_text().startswith("# A SLURM cluster")
    assert "relprobe run --profile slurm" in capsys.readouterr().out


def test_nothing_is_written_over(tmp_path, capsys):
    (tmp_path / "config.yaml").write_text("mine")
    with pytest.raises(SystemExit) as stop:
        init.main([str(tmp_path)])
    assert stop.value.code == 1
    assert capsys.readouterr().err.startswith(f"{tmp_path}/config.yaml exists, and nothing is written over")
    assert [file.name for file in tmp_path.iterdir()] == ["config.yaml"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit):
        init.main([str(tmp_path / "file/study")])
    assert "cannot be written (Not a directory): name a folder elsewhere." in capsys.readouterr().err


def test_help_describes_each_study_in_a_line_of_its_file(capsys):
    with pytest.raises(SystemExit) as end:
        init.main(["--help"])
    assert end.value.code == 0
    lines = capsys.readouterr().out.partition("studies:\n")[2].splitlines()
    described = dict(line.split(maxsplit=1) for line in lines)
    assert list(described) == list(studies())
    for name, sentence in described.items():
        comment = " ".join(studies()[name].read_text("utf-8").replace("\n#", "").split())
        assert comment.startswith(f"# {sentence}")
        assert len(sentence) > 20
        assert sentence.endswith(".")


def test_an_installed_package_has_the_workflow_in_itself_and_the_toy_among_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(home, "PACKAGE", tmp_path / "a/b/c")
    assert home.root() == tmp_path
    shipped = tmp_path / "a/b/c/_workflow"
    for name in ("resources/studies/toy.yaml", "resources/studies/own.yaml", "workflow/profiles/README.md"):
        (shipped / name).parent.mkdir(parents=True, exist_ok=True)
        (shipped / name).touch()
    for name in ("slurm", "laptop", "node", "cluster"):
        (shipped / "workflow/profiles" / name).mkdir()
    assert home.root() == shipped
    assert home.snakefile() == shipped / "workflow/Snakefile"
    assert home.studies() == {
        "default": shipped / "config.yaml",
        **{name: shipped / f"resources/studies/{name}.yaml" for name in ("own", "toy")},
    }
    assert list(home.studies()) == ["default", "own", "toy"]  # the checkout has the toy before the others
    profiles = home.profiles()
    assert profiles == {name: shipped / "workflow/profiles" / name for name in profiles}
    assert list(profiles) == ["cluster", "laptop", "node", "slurm"]
    (shipped / ".test/config").mkdir(parents=True)
    (shipped / ".test/config/config.yaml").touch()
    (shipped / "resources/studies/toy.yaml").unlink()
    assert list(home.studies()) == ["default", "toy", "own"]
    assert home.studies()["toy"] == shipped / ".test/config/config.yaml"


def test_the_package_is_the_same_by_a_link_to_it(tmp_path):
    """As a checkout is told from another one by its path."""
    (tmp_path / "link").symlink_to(home.PACKAGE)
    spec = importlib.util.spec_from_file_location("home_by_a_link", tmp_path / "link/command/home.py")
    by_link = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(by_link)
    assert by_link.root() == root()


def test_the_configuration_of_a_folder_is_the_one_in_it_before_that_in_its_folder_config(tmp_path, monkeypatch):
    assert home.own_config(tmp_path) is None
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").touch()
    assert home.own_config(tmp_path) == tmp_path / "config/config.yaml"
    (tmp_path / "config.yaml").mkdir()  # which is no file
    assert home.own_config(tmp_path) == tmp_path / "config/config.yaml"
    (tmp_path / "config.yaml").rmdir()
    (tmp_path / "config.yaml").touch()
    assert home.own_config(tmp_path) == tmp_path / "config.yaml"
    monkeypatch.chdir(tmp_path)
    assert home.own_config() == Path("config.yaml")


def test_every_shipped_configuration_can_begin_a_study():
    assert {"default", "toy", "paper", "wdlmpro", "degrees"} <= set(studies())


def test_a_folder_that_cannot_be_filled_keeps_what_was_in_it(tmp_path, monkeypatch, capsys):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "resources").mkdir()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("relprobe.core.files.write_json", full)
    with pytest.raises(SystemExit) as end:
        init.main([str(tmp_path), "--study", "toy"])
    assert end.value.code == 1
    assert (
        capsys.readouterr().err == f"{tmp_path} cannot be written (No space left on device): name a folder elsewhere.\n"
    )
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["notes.txt", "resources"]


def test_a_new_study_says_what_was_written_what_comes_next_and_what_it_is(tmp_path, capsys):
    folder = tmp_path / "my study"
    assert init.main([str(folder), "--study", "toy", "--profile", "slurm"]) == 0
    files = "config.yaml, resources/prompts/relations.yaml, profiles/slurm/config.yaml, config.schema.json, README.md"
    assert capsys.readouterr().out == f"Wrote {files}.\nNext: cd {folder} && relprobe run --profile slurm\n"
    assert (folder / "README.md").read_text().startswith(f"# my study\n\nA study of relprobe {__version__}: ")
    (folder / "config.yaml").unlink()
    with pytest.raises(SystemExit):
        init.main([str(folder), "--study", "toy"])
    assert capsys.readouterr().err.startswith(f"{folder}/resources/prompts/relations.yaml exists, and nothing is")
    assert not (folder / "config.yaml").exists()


def test_without_a_word_a_new_study_is_the_default_one(tmp_path, capsys):
    assert init.main([str(tmp_path)]) == 0
    written = (tmp_path / "config.yaml").read_text()
    assert written == init.MODELINE + studies()["default"].read_text()
    assert "Next: cd " in capsys.readouterr().out


def test_a_new_study_has_the_prompts_that_its_configuration_names_or_takes_without_a_word(tmp_path, monkeypatch):
    """What a comment names is not used; a key inside of another section is no study."""
    for text, used in (
        ("degrees:\n  x: 1\n", ["degrees"]),
        ("#degrees:\nx:\n  degrees:\n", []),
        ("relations:\n  prompts: resources/prompts/relations.yaml # or resources/prompts/other.yaml\n", ["relations"]),
        ("relations: {shots: 2}\n", ["examples"]),
        ("a: {chat: x}\n", ["chat"]),
        ("a: {task: list, shots: 1}\n", ["chat", "examples"]),
        ("#a: {task: list, shots: 1}\n", []),
    ):
        file = tmp_path / "study.yaml"
        file.write_text(text)
        monkeypatch.setattr(init, "studies", lambda file=file: {"mine": file})
        shipped = {f"resources/prompts/{name}.yaml": root() / f"resources/prompts/{name}.yaml" for name in used}
        assert init.files_of("mine") == {"config.yaml": file, **shipped}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "# A study of e.g. birds, in\n#   two lines. Another sentence.\nmodels: {}\n",
            "A study of e.g. birds, in two lines.",
        ),
        ("# All. of it\nmodels: {}\n# Not this.\n", "All. of it"),
        ("models: {}\n# Not this.\n", ""),
    ],
)
def test_the_first_sentence_of_a_comment_describes_a_study(tmp_path, text, sentence):
    (tmp_path / "a.yaml").write_text(text)
    assert init.described({"a": tmp_path / "a.yaml", "long": tmp_path / "a.yaml"}) == (
        f"studies:\n  a     {sentence}\n  long  {sentence}"
    )
