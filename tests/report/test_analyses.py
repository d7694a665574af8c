"""What the analyses of a study make: the functions of its tables, and the files of each agent."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.unmade import UnmadeError, reasons
from relprobe.report import analyses
from relprobe.report.analyses import makers, read_by_agent, tables_by_agent, tables_of, write_by_agent


def test_a_table_is_made_by_the_page_or_by_an_analysis():
    made = makers("definitions", "TABLES", {"overview": len}, ["overview", "leaks"])
    assert list(made) == ["overview", "leaks"]
    assert made["overview"] is len


def test_a_table_that_nothing_makes_ends_in_a_sentence():
    with pytest.raises(DataError, match=r"has a figure moons that nothing makes: add it to FIGURES of the analysis"):
        makers("definitions", "FIGURES", {}, ["moons"])


def test_each_analysis_has_its_file_of_an_agent(tmp_path):
    paths = [tmp_path / name / "tiny.parquet" for name in ("leaks", "depth")]
    write_by_agent({path.parent.name: pl.DataFrame({"of": [path.parent.name]}) for path in paths}, paths)
    assert [pl.read_parquet(path)["of"].item() for path in paths] == ["leaks", "depth"]


def fails(*_):
    raise ZeroDivisionError("float division by zero")


def test_an_analysis_that_fails_costs_its_own_tables_alone(monkeypatch):
    functions = {"good": lambda _: {"halves": pl.DataFrame({"half": [1]})}, "bad": fails}
    monkeypatch.setattr(analyses, "take", lambda *_: functions)
    tables = tables_of("degrees", "tables_of_layers", None, ["halves", "trends", "layers"])
    assert tables["halves"]["half"].item() == 1
    assert set(reasons(tables)) == {"trends", "layers"}
    with pytest.raises(ZeroDivisionError):  # nobody knows which tables it would have made
        tables_of("degrees", "tables_of_layers", None, ["halves"])


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), MemoryError()])
def test_what_the_system_refuses_ends_the_step_of_an_analysis(error, monkeypatch):
    def refuse(_):
        raise error

    monkeypatch.setattr(analyses, "take", lambda *_: {"bad": refuse})
    with pytest.raises(type(error)):
        tables_of("degrees", "tables_of_layers", None, ["halves"])
    with pytest.raises(type(error)):
        tables_by_agent("degrees", None)


def test_what_an_analysis_has_of_no_agent_is_asked_for_in_vain(tmp_path, monkeypatch):
    paths = [tmp_path / name / "tiny.parquet" for name in ("good", "bad")]
    monkeypatch.setattr(analyses, "take", lambda *_: {"good": lambda _: pl.DataFrame({"n": [1]}), "bad": fails})
    write_by_agent(tables_by_agent("degrees", None), paths)
    assert read_by_agent(paths, "good")["tiny"]["n"].item() == 1
    with pytest.raises(UnmadeError, match="bad of tiny could not be made: ZeroDivisionError: float division by zero"):
        read_by_agent(paths, "bad")


def test_tables_of_analyses_are_those_of_the_function_of_the_study(monkeypatch):
    asked = []
    monkeypatch.setattr(analyses, "take", lambda *names: asked.append(names) or {"good": lambda read: {"t": read}})
    assert tables_of("degrees", "tables_of_layers", 7) == {"t": 7}
    assert analyses.tables_by_layer("pairs", 8, ["t"]) == {"t": 8}
    assert asked == [("degrees", "tables_of_layers"), ("pairs", "tables_of_layers")]


def test_what_an_analysis_has_is_read_with_the_agents_name_where_it_is_wanted(tmp_path):
    paths = [tmp_path / name / f"{agent}.parquet" for name in ("good", "other") for agent in ("m", "n")]
    for path in paths:
        write_by_agent({path.parent.name: pl.DataFrame({"n": [len(path.stem)]})}, [path])
    with_name = read_by_agent(paths, "good", with_name=True)
    assert {agent: table.columns for agent, table in with_name.items()} == {"m": ["agent", "n"], "n": ["agent", "n"]}
    assert with_name["n"]["agent"].to_list() == ["n"]
    assert {agent: table.columns for agent, table in read_by_agent(paths, "good").items()} == {"m": ["n"], "n": ["n"]}
    assert read_by_agent(paths, "nothing") == {}
