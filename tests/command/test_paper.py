"""`relprobe paper`: which studies it takes, and which rules may run."""

import json
import os

import pytest
from relprobe.command import paper, run
from relprobe.core.errors import DataError
from relprobe.core.missing import FOLLOWS, Missing
from relprobe.core.missing import write as write_missing
from relprobe.studies import STUDIES


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A folder with one finished study of two."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text("relations: {}\ndegrees: {}\n")
    (tmp_path / "results/relations").mkdir(parents=True)
    (tmp_path / "results/relations/report.html").touch()
    monkeypatch.setenv(FOLLOWS, "0")  # it sets this for the process that it becomes
    calls = []
    monkeypatch.setattr(run, "main", lambda words: calls.append(words) or 0)
    return calls


def test_the_finished_studies_are_taken_and_the_others_named(study, capsys):
    assert paper.main([]) == 0
    assert capsys.readouterr().err == "Left out, as not finished: degrees.\n"
    (words,) = study
    assert words[:4] == ["paper", "--configfile", "config.yaml", str(paper.ADDED)]
    assert added() == {"studies": ["relations"]}


def test_the_words_of_the_configuration_are_taken_as_a_run_takes_them(study, tmp_path):
    (tmp_path / "config.yaml").write_text("relations: {people: no}\npaper: {png: yes}\n")
    assert paper.main([]) == 0
    assert added()["studies"] == ["relations"]


def added():
    """What the options add to the configuration."""
    return json.loads(paper.ADDED.read_text())["paper"]


def test_configurations_of_the_user_come_before_what_the_options_say(study):
    assert paper.main(["--png", "--cores", "2", "--configfile", "own.yaml", "other.yaml", "--dry-run"]) == 0
    assert study[0][:5] == ["paper", "--configfile", "own.yaml", "other.yaml", str(paper.ADDED)]
    assert study[0][-3:] == ["--cores", "2", "--dry-run"]
    assert added() == {"png": True, "studies": ["relations"]}


def test_options_of_snakemake_stand_behind_the_rules(study):
    """--allowed-rules takes all words up to the next option."""
    assert paper.main(["relations", "--cores", "2"]) == 0
    assert study[0][-2:] == ["--cores", "2"]
    assert set(study[0][5:-2]) >= {"paper", "paper_trials", "paper_figures", "trials"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["relatons"], "There is no study 'relatons': did you mean 'relations'?"),
        (["degrees"], "degrees is not finished in {folder}: `relprobe run degrees` computes it."),
        (
            ["degrees", "analogies"],
            "degrees and analogies are not finished in {folder}: `relprobe run degrees analogies` computes them.",
        ),
    ],
)
def test_an_unknown_or_unfinished_study_is_one_sentence(study, capsys, tmp_path, words, sentence):
    assert paper.main(words) == 1
    assert capsys.readouterr().err == sentence.format(folder=tmp_path / "results") + "\n"
    assert study == []


def test_a_folder_without_results_says_what_computes_them(study, capsys, tmp_path):
    (tmp_path / "results/relations/report.html").unlink()
    assert paper.main([]) == 1
    assert "relations and degrees are not finished in" in capsys.readouterr().err
    (tmp_path / "config.yaml").write_text("")
    assert paper.main([]) == 1
    assert capsys.readouterr().err == f"No study is finished in {tmp_path}/results: `relprobe run` computes them.\n"


def test_widths_and_png_go_to_the_configuration(study):
    assert paper.main(["relations", "--width", "8.4cm", "--width", "120 mm", "--png", "--all"]) == 0
    assert added() == {
        "widths": ["8.4cm", "120mm"],
        "png": True,
        "all": True,
        "studies": ["relations"],
    }


def test_a_bad_width_is_one_sentence(study, capsys):
    assert paper.main(["--width", "8.4"]) == 1
    assert capsys.readouterr().err == (
        "'8.4' is no width: write a number with its unit, such as 8.4cm, 84mm or 3.3in.\n"
    )
    assert study == []


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize(
    "entry", ["{type: masked}", "{type: masked, studies: [degrees]}", "{model: n}", "{endpoint: x}"]
)
def test_a_model_without_its_manifest_is_one_sentence(study, capsys, tmp_path, entry, there):
    needed = entry == "{type: masked}"
    (tmp_path / "config.yaml").write_text(f"relations: {{}}\nmodels: {{m: {entry}}}\npathvars: {{resources: kept}}\n")
    if there:
        (tmp_path / "kept/fetched/models").mkdir(parents=True)
        (tmp_path / "kept/fetched/models/m.json").touch()
    assert paper.main([]) == (1 if needed and not there else 0)
    said = capsys.readouterr().err
    sentence = "m.json is missing, which says what files m has: `relprobe run paper` fetches them."
    assert (sentence in said) == (needed and not there)


def test_a_second_manuscript_takes_the_place_of_the_settings_of_the_first(study):
    for words, settings in ((["relations", "--png"], {"png": True}), (["relations", "--cores", "2"], {})):
        assert paper.main(words) == 0
        assert added() == {"studies": ["relations"], **settings}
        before = ["paper", "--configfile", "config.yaml", str(paper.ADDED), "--allowed-rules"]
        assert study[-1] == [*before, *paper.RULES, *words[2 if "--png" in words else 1 :]]


def test_a_folder_without_a_configuration_names_none(study, tmp_path):
    (tmp_path / "config.yaml").unlink()
    assert paper.main([]) == 0
    assert study == [["paper", "--allowed-rules", *paper.RULES]]
    assert not paper.ADDED.exists()


def test_what_the_run_went_on_without_is_no_part_of_a_manuscript(study, tmp_path, capsys):
    """Its manifest is missing, and so is that of another model, which no job has failed for."""
    (tmp_path / "config.yaml").write_text("relations: {}\nmodels: {m: {type: masked}}\n")
    write_missing(tmp_path / "results", [Missing("relations", "m", "was not fetched", "no route")])
    assert paper.main([]) == 0
    assert os.environ[FOLLOWS] == "1"
    assert capsys.readouterr().out == f"Into {tmp_path / 'results/paper'}: relations.\n"
    (tmp_path / "config.yaml").write_text("relations: {}\nmodels: {m: {type: masked}, n: {type: masked}}\n")
    assert paper.main([]) == 1
    assert "n.json is missing" in capsys.readouterr().err


def test_studies_are_taken_in_the_order_of_the_command_or_of_the_project(study, tmp_path, capsys):
    (tmp_path / "results/degrees").mkdir()
    (tmp_path / "results/degrees/report.html").touch()
    for words, studies in ((["degrees", "relations"], ["degrees", "relations"]), (["degrees"], ["degrees"])):
        assert paper.finished_studies(words, tmp_path / "results", ["relations"]) == studies
    assert paper.finished_studies([], tmp_path / "results", ["degrees"]) == [
        study for study in STUDIES if study in ("relations", "degrees")
    ]
    assert capsys.readouterr().err == ""
    first, second = [study for study in STUDIES if study not in ("relations", "degrees")][:2]
    assert paper.finished_studies([], tmp_path / "results", ["degrees", first, second])
    assert capsys.readouterr().err == f"Left out, as not finished: {first}, {second}.\n"


@pytest.mark.parametrize(
    ("models", "needed"),
    [
        ({"m": {"type": "masked", "studies": ["degrees", "relations"]}}, True),
        ({"m": {"type": "masked", "studies": ["relations"]}}, False),
        ({"m": {"type": "masked", "studies": []}}, False),
        ({"m": {"type": "causal", "model": "n"}, "n": {"endpoint": "x"}}, False),
        ({"m": None, "n": "text", "o": {"studies": None}}, False),  # the plan says what is wrong
    ],
)
def test_only_models_of_the_studies_that_are_taken_need_their_manifests(tmp_path, models, needed):
    if needed:
        with pytest.raises(DataError, match=r"m\.json is missing"):
            paper.check_models(models, ["degrees"], tmp_path)
    else:
        paper.check_models(models, ["degrees"], tmp_path)


@pytest.mark.parametrize("models", ["", "[a]", "text"])
def test_a_fault_among_the_models_is_left_to_the_plan(study, tmp_path, models):
    (tmp_path / "config.yaml").write_text(f"relations: {{}}\nmodels: {models}\n")
    assert paper.main([]) == 0
    assert len(study) == 1


def test_the_begin_of_an_option_is_left_to_snakemake(study):
    assert paper.main(["relations", "--pn"]) == 0
    assert added() == {"studies": ["relations"]}
    assert study[0][-1] == "--pn"
