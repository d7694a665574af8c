"""`relprobe store`: what is stored, and that nothing that is asked is dropped."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from relprobe.command import init, store, stores
from relprobe.core.words import amount
from relprobe.lm.score_files.store import ASKED, folder_of, lock

from tests.lm.score_files.test_store import run


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study with an agent that has asked other questions since its first run, and with one that was taken out."""
    init.main([str(tmp_path), "--study", "toy"])
    monkeypatch.chdir(tmp_path)
    (agent,) = yaml.safe_load((tmp_path / "config.yaml").read_text())["models"]
    bert, gone = (tmp_path / f"results/relations/scores/{name}.parquet" for name in (agent, "gone"))
    run(bert, range(5), about="old code")
    run(bert, range(10))
    run(bert, [0, 1, 4, 7, 20])
    run(gone, range(3))
    return bert


def test_the_list_says_what_is_stored_and_what_is_not_asked_any_more(study, capsys):
    assert store.main([]) == 0
    gone, bert, total = capsys.readouterr().out.splitlines()
    assert "relations/scores/" in bert
    assert ": 16 answers, " in bert
    assert bert.endswith("of which the last job did not ask for 11")
    assert gone.endswith("the configuration does not have it any more")
    assert total.endswith("MB in 2 stores")


def test_every_store_is_listed_at_any_depth(study, plan, capsys):
    """The scores of degrees have a folder of each kind."""
    results = study.parents[2]
    deep = {place: results / place for place in ("degrees/scores/cloze/gone.parquet", "degrees/a/b/c/gone.parquet")}
    for number, path in enumerate(deep.values(), 1):
        run(path, range(number))
    assert store.main([]) == 0
    *listed, total = capsys.readouterr().out.splitlines()
    for number, place in enumerate(deep, 1):
        name = place.removesuffix(".parquet")
        assert [line for line in listed if line.startswith(f"{name}: {amount(number, 'answer')}, ")], listed
    assert total.endswith("MB in 4 stores")
    assert store.main(["--drop"]) == 0
    assert [path for path in deep.values() if folder_of(path).exists()] == []
    assert folder_of(study).exists()


def test_a_file_that_a_job_at_work_deletes_meanwhile_is_not_counted(study, capsys):
    """A link that leads nowhere is what such a file looks like: it is in the folder's list, and cannot be read."""
    assert store.main([]) == 0
    before = capsys.readouterr().out
    for folder in [path for path in folder_of(study).iterdir() if path.is_dir()]:
        (folder / "000099-00000000.arrow").symlink_to("deleted")
    (folder_of(study) / "older").mkdir()
    (folder_of(study) / "older" / ASKED).symlink_to("deleted")
    assert store.main([]) == 0
    assert capsys.readouterr().out == before


def test_a_damaged_file_is_not_counted_and_not_touched(study, capsys):
    for file in folder_of(study).glob("*/*.arrow"):
        file.write_bytes(file.read_bytes()[:-9])
    assert store.main([]) == 0
    assert ": 0 answers, " in capsys.readouterr().out
    assert len(list(folder_of(study).glob("*/*.arrow"))) > 0


@pytest.fixture
def plan(study, monkeypatch):
    """What a planned run says of the agent's score file: it is up to date, unless a test says otherwise."""
    files = {study.relative_to(study.parents[3]).as_posix(): True}
    monkeypatch.setattr(store, "planned_files", lambda variables: files)
    return files


def test_what_is_asked_stays_and_the_rest_goes(study, plan, capsys):
    assert store.main(["--drop"]) == 0
    gone, bert, *_ = capsys.readouterr().out.splitlines()
    assert ": 5 answers, " in bert
    assert bert.endswith("of which the last job did not ask for 0")
    assert ": 0 answers, " in gone
    assert gone.endswith("; the configuration does not have it any more")
    assert not (study.parent / ".gone.parquet.store").exists()
    assert run(study, [0, 1, 4, 7, 20]) == []
    assert run(study, range(10)) == [2, 3, 5, 6, 8, 9]


def test_what_was_freed_and_what_is_left_are_counted_apart(study, plan, capsys, monkeypatch):
    """The first store had 9 MB and has 4 now, the other had 3 and has none: 8 are gone, and 4 are left."""
    sizes = iter([9e6, 4e6, 3e6, 0])
    monkeypatch.setattr(store, "size_below", lambda folder: next(sizes))
    assert store.main(["--drop"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["4.0 MB in 2 stores", "8.0 MB were freed"]


def test_what_a_killed_job_has_left_stays_after_a_change_of_the_model_as_well(study, plan, capsys):
    with pytest.raises(KeyboardInterrupt):
        run(study, range(30, 40), about="new model", stop_at="37")
    plan.update(dict.fromkeys(plan, False))  # as the killed job is due
    assert store.main(["--drop"]) == 0
    assert "nothing is dropped, as a scoring job is due" in capsys.readouterr().out
    assert run(study, range(30, 40), about="new model") == [36, 37, 38, 39]
    assert run(study, range(10)) == []


def test_nothing_of_a_store_that_is_written_is_dropped(study, plan, capsys):
    with lock(folder_of(study)):
        assert store.main(["--drop"]) == 0
    assert "in use by process" in capsys.readouterr().out
    assert run(study, range(10)) == []


def test_nothing_is_dropped_where_no_run_can_be_planned(study, monkeypatch, capsys):
    monkeypatch.setattr(store, "planned_files", lambda variables: "MissingInputException")
    assert store.main(["--drop"]) == 1
    assert "Nothing is dropped, as no run can be planned here: MissingInputException" in capsys.readouterr().err
    assert run(study, range(10)) == []


def test_of_what_snakemake_says_the_last_line_tells_why_no_run_can_be_planned(monkeypatch):
    failed = SimpleNamespace(returncode=1, stdout="", stderr="Traceback:\n  a place\nWorkflowError: no rule\n\n")
    monkeypatch.setattr(store.subprocess, "run", lambda command, **options: failed)
    assert store.planned_files({}) == "WorkflowError: no rule"
    failed.stderr = ""  # it was killed
    assert store.planned_files({}) == "Snakemake ended with status 1 and said nothing"


def test_of_what_snakemake_plans_each_file_is_up_to_date_or_not(monkeypatch):
    rows = ["Building DAG", "file\tdate\trule\tlog\tstatus\tplan", "a\t-\tr\t\tok\tno update", "b\t-\tr\t\tok\tupdate"]
    planned = SimpleNamespace(returncode=0, stdout="\n".join(rows), stderr="")
    monkeypatch.setattr(store.subprocess, "run", lambda command, **options: planned)
    assert store.planned_files({}) == {"a": True, "b": False}


def test_nothing_is_dropped_while_a_run_is_at_work(study, capsys):
    locks = study.parents[3] / ".snakemake/locks"
    locks.mkdir(parents=True)
    (locks / "0.input.lock").touch()
    assert store.main(["--drop"]) == 1
    assert "A run is at work in this folder" in capsys.readouterr().err
    assert run(study, range(10)) == []


def test_ask_anew_deletes_what_models_have_answered_and_no_replies(study, capsys):
    replies, one = (study.with_name(f"{name}.parquet") for name in ("gpt", "one"))
    run(replies, range(2))
    run(one, range(7))
    for file in folder_of(one).glob("*/depends.json"):
        file.write_text('{"model_files": {"model.safetensors": "1a"}}')
    assert stores.forget(study.parents[3]) == "Deleted: 7 stored answers of 1 score file; all of them are asked again."
    assert not folder_of(one).exists()
    assert not one.exists()
    assert replies.is_file()
    assert folder_of(replies).is_dir()


def test_ask_anew_deletes_what_a_killed_first_job_has_left_as_well(study):
    """It has a store, and no score file yet."""
    for file in study.parent.glob("*/*/depends.json"):
        file.write_text('{"model_files": {}}')
    study.unlink()
    assert stores.forget(study.parents[3]).startswith("Deleted: 19 stored answers of 2 score files;")
    assert [path.name for path in study.parent.iterdir() if path.name.endswith(".parquet")] == []


def test_ask_anew_is_refused_where_nothing_may_be_deleted(study, capsys):
    from relprobe.command import run as command

    assert command.main(["--ask-anew", "--dry-run"]) == 1
    assert "--ask-anew deletes answers, so it cannot be tried" in capsys.readouterr().err
    run(study, range(3))
    for file in folder_of(study).glob("*/depends.json"):
        file.write_text('{"model_files": {}}')
    with lock(folder_of(study)):
        assert command.main(["--ask-anew"]) == 1
    assert "is in use by process" in capsys.readouterr().err
    assert study.is_file()


def test_the_stores_of_a_study_elsewhere_are_those_of_its_own_configuration(study, monkeypatch, tmp_path_factory):
    """Its paths lead from its folder, and its results may lie in another place than here."""
    folder = study.parents[3]
    (folder / "results").rename(folder / "kept")
    (folder / "mine.yaml").write_bytes((folder / "resources/prompts/relations.yaml").read_bytes())
    config = yaml.safe_load((folder / "config.yaml").read_text())
    config["relations"]["prompts"] = "mine.yaml"
    (folder / "config.yaml").write_text(yaml.safe_dump({**config, "pathvars": {"results": "kept"}}))
    here = tmp_path_factory.mktemp("here")
    monkeypatch.chdir(here)
    (here / "config.yaml").write_text("models: {}\n")
    found = [(entry.agent, entry.study, entry.configured) for entry in stores.stores_of(folder)]
    assert found == [("gone", "relations", False), (study.stem, "relations", True)]
    assert Path.cwd() == here


def test_an_agent_takes_part_if_the_configuration_has_it_and_its_study(study):
    """Without a configuration nobody knows; static vectors and encoders are agents, too."""
    results = study.parents[2]
    for place in (
        f"pairs/scores/{study.stem}",
        *(f"relations/scores/{name}" for name in ("static", "sentences")),
    ):
        run(results / f"{place}.parquet", [1])
    folder = study.parents[3]
    config = yaml.safe_load((folder / "config.yaml").read_text())
    config["encoders"] = {"sentences": {"huggingface": "lab/e", "revision": "main"}}
    (folder / "config.yaml").write_text(f"{yaml.safe_dump(config)}paper: {{png: yes}}\n")
    configured = [(entry.study, entry.agent, entry.configured) for entry in stores.stores_of(folder)]
    assert configured == [
        ("pairs", study.stem, False),
        ("relations", "gone", False),
        ("relations", "sentences", True),
        ("relations", study.stem, True),
        ("relations", "static", True),
    ]
    (folder / "config.yaml").unlink()
    assert [entry.configured for entry in stores.stores_of(folder)] == [True] * 5


def test_a_configuration_with_a_fault_is_a_sentence(study, capsys):
    (study.parents[3] / "config.yaml").write_text("modles: {}\n")
    assert store.main([]) == 1
    assert "unknown key 'modles'" in capsys.readouterr().err


def test_a_run_is_planned_by_snakemakes_summary_in_the_environment_of_a_run(monkeypatch):
    asked = []
    row = "x\t-\tr\t\tok\tno update"

    def process(command, **options):
        asked.append((command, options))
        return SimpleNamespace(returncode=0, stdout=f"one\ttab\n{row}\n{row}", stderr="")

    monkeypatch.setattr(store.subprocess, "run", process)
    assert store.planned_files({"X": "1"}) == {"x": True}
    ((command, options),) = asked
    assert command[1:3] == ["-m", "relprobe.command.process"]
    assert command[-3:] == ["--summary", "--cores", "1"]
    assert "--logger" not in command
    assert options["env"]["X"] == "1"
    assert options["env"]["PYTHONSAFEPATH"] == "1"
    assert (options["capture_output"], options["text"]) == (True, True)


def test_a_store_is_told_by_its_place_in_the_results_and_its_size_by_its_files(study, capsys):
    (folder_of(study) / "more/deep").mkdir(parents=True)
    with (folder_of(study) / "more/deep/file").open("wb") as file:
        file.truncate(12_300_000)
    assert store.main([]) == 0
    _, bert, total = capsys.readouterr().out.splitlines()
    assert bert.startswith(
        f"relations/scores/{study.stem}: 16 answers, 12.3 MB, of which the last job did not ask for 11"
    )
    assert total == "12.3 MB in 2 stores"


def test_what_is_listed_alone_is_no_matter_of_a_run_at_work(study, capsys):
    locks = study.parents[3] / ".snakemake/locks"
    locks.mkdir(parents=True)
    (locks / "0.input.lock").touch()
    assert store.main([]) == 0
    assert capsys.readouterr().err == ""
