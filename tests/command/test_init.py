"""`relprobe init`: the files of a new study."""

import pytest
import yaml
from relprobe.command import init
from relprobe.command.home import root, studies
from relprobe.studies.config import validate


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


def test_every_shipped_configuration_can_begin_a_study():
    assert {"default", "toy", "paper", "wdlmpro", "degrees"} <= set(studies())
