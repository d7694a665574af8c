"""A data set folder: its card names the files, and other libraries read them."""

import polars as pl
import pytest
import yaml
from relprobe.export.dataset import dataset


@pytest.fixture
def folder(tmp_path):
    """A data set of averages, and of metrics of two agents."""
    (tmp_path / "metrics").mkdir()
    averages = pl.DataFrame({"agent": ["a", "b"], "value": [0.5, None]})
    averages.write_parquet(tmp_path / "averages.parquet")
    for agent in ("a", "b"):
        rows = [[agent, "x"]] * (1 + (agent == "a"))  # two of a and one of b
        values = pl.DataFrame({"words": rows}, schema={"words": pl.List(pl.Categorical)})
        values.write_parquet(tmp_path / f"metrics/{agent}.parquet")
    agents = sorted((tmp_path / "metrics").glob("*"))
    tables = [tmp_path / "averages.parquet"]
    dataset(tables, tmp_path / "out", study="relations", sources=["wordnet"], agents=agents)
    return tmp_path / "out"


def test_the_card_names_every_file_and_describes_its_columns(folder):
    card = (folder / "README.md").read_text()
    head = yaml.safe_load(card.split("---")[1])
    paths = {entry["config_name"]: entry["data_files"][0]["path"] for entry in head["configs"]}
    assert paths == {"averages": "data/averages.parquet", "metrics": "data/metrics/*.parquet"}
    assert all(list(folder.glob(path)) for path in paths.values())
    assert "| `words` | List(String) |" in card
    assert "## averages\n\n2 rows." in card
    assert "## metrics\n\n3 rows." in card  # of all files
    assert "wordnet" in card


def test_tables_of_agents_have_the_agent_and_texts(folder):
    table = pl.read_parquet(folder / "data/metrics/*.parquet")
    assert table.rows() == [("a", ["a", "x"]), ("a", ["a", "x"]), ("b", ["b", "x"])]
    assert table.schema["words"] == pl.List(pl.String)


def test_the_library_datasets_reads_each_configuration(folder, tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    loaded = datasets.load_dataset(str(folder), "metrics", split="test", cache_dir=str(tmp_path / "cache"))
    assert loaded["agent"][:] == ["a", "a", "b"]


def test_one_file_of_an_agent_is_a_folder_too_and_lacks_no_agent(tmp_path):
    """Metrics have their agent or get it; enumerations are texts, and numbers in lists stay numbers."""
    kinds = {"kind": pl.Enum(["x", "y"]), "numbers": pl.List(pl.Int64), "words": pl.List(pl.Enum(["x", "y"]))}
    table = pl.DataFrame({"kind": ["y"], "numbers": [[1, 2]], "words": [["x"]]}, schema=kinds)
    for name, rows in {
        "metrics/m": table,
        "metrics/metrics": table,  # an agent may be named as the table is
        "answers/m": table.with_columns(agent=pl.lit("m schema")),
        "averages": table,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        rows.write_parquet(tmp_path / f"{name}.parquet")
    agents = [tmp_path / "metrics/m.parquet", tmp_path / "metrics/metrics.parquet"]
    dataset(
        [tmp_path / "averages.parquet"],
        tmp_path / "out",
        study="relations",
        sources=[],
        agents=agents,
        answers=[tmp_path / "answers/m.parquet"],
    )
    found = {path.relative_to(tmp_path / "out/data").as_posix() for path in (tmp_path / "out/data").rglob("*.parquet")}
    assert found == {"averages.parquet", "metrics/m.parquet", "metrics/metrics.parquet", "answers/m.parquet"}
    read = {name: pl.read_parquet(tmp_path / "out/data" / name) for name in found}
    assert read["answers/m.parquet"]["agent"].to_list() == ["m schema"]
    assert read["metrics/m.parquet"].columns == ["agent", *kinds]
    assert read["averages.parquet"].schema == {
        "kind": pl.String(),
        "numbers": pl.List(pl.Int64()),
        "words": pl.List(pl.String()),
    }
    card = (tmp_path / "out/README.md").read_text()
    assert "## Agents\n\nm, metrics\n" in card
    assert "keep their own licences:\nnone. relprobe" in card
    assert yaml.safe_load(card.split("---")[1])["language"] == ["en"]


def test_the_card_of_a_study_without_files_of_agents_names_none_and_its_language(tmp_path):
    pl.DataFrame({"agent": ["m"]}).write_parquet(tmp_path / "averages.parquet")
    language = type("German", (), {"wordfreq": "de"})
    dataset([tmp_path / "averages.parquet"], tmp_path / "out", study="x", sources=["a", "b"], language=language)
    card = (tmp_path / "out/README.md").read_text()
    assert "## Agents\n\nnone\n" in card
    assert "licences:\na, b. relprobe" in card
    assert yaml.safe_load(card.split("---")[1])["language"] == ["de"]
