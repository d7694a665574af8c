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
