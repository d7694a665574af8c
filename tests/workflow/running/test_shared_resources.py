"""Two studies that keep what they fetch in one folder: each computes with what its own configuration names."""

import polars as pl
import yaml

from tests.workflow import toy

PROBES = "results/relations/probes.parquet"


def test_two_studies_of_one_folder_run_at_once_and_apart(begun, tmp_path):
    shared = {"resources": str(tmp_path / "shared")}
    studies = {name: begun.copy(tmp_path / name) for name in "ab"}
    for study in studies.values():
        study.only("relations")
        study.configure(pathvars=shared)
    few = "target,relation,relatum\nrobin,HYP,bird\nday,ANT,night\nnight,ANT,day\nbuilding,MER,wall\n"
    (studies["b"].folder / "data/tuples.csv").write_text(few)
    toy.causal_model(studies["b"].folder / "data/causal", seed=9)  # another model of the same name
    lexicon = "results/models/lexicon/tiny-causal.parquet"
    running = [study.start(tmp_path / f"{name}.log", PROBES, lexicon) for name, study in studies.items()]
    assert [run.wait() for run in running] == [0, 0], [log.read_text()[-2000:] for log in tmp_path.glob("*.log")]
    targets = {name: set(pl.read_parquet(study.folder / PROBES)["target"]) for name, study in studies.items()}
    assert targets["b"] == {"robin", "bird", "day", "night", "building", "wall"}
    assert targets["a"] - targets["b"]
    assert len(list((tmp_path / "shared/fetched").glob("*/own_tuples.json"))) == 2
    assert len(list((tmp_path / "shared/fetched/models").glob("*/tiny-causal.json"))) == 2
    assert len(list((tmp_path / "shared/fetched").glob("*/wordnet.json"))) <= 1
    for study in studies.values():
        assert not study.scheduled(PROBES, lexicon)


def test_what_another_study_has_fetched_is_not_fetched_again(begun, tmp_path):
    first, second = (begun.copy(tmp_path / name) for name in "ab")
    for study in (first, second):
        study.only("relations")
        study.configure(pathvars={"resources": str(tmp_path / "shared")})
    first.finish(PROBES)
    config = yaml.safe_load((first.folder / "config.yaml").read_text())
    assert config["resources"]["own_tuples"] == {"path": "data/tuples.csv"}
    assert "inputs_fetch" not in second.scheduled(PROBES)
