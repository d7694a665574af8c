"""The tables of benchmarks/simulated.md are what their commands make, up to chance; docs/simulations.md has their worst."""

import pytest

from tests.manuals import manual_of

simulations = manual_of("simulations")
FILE = simulations.FILE.read_text("utf-8")
TABLES = simulations.tables(FILE)
STUDIES = 40


def test_each_table_of_the_file_is_a_simulation_with_its_command():
    heads = [line for line in FILE.splitlines() if line.startswith("|---")]
    blind = 1  # tests/workflow/test_blind_agents.py compares it
    assert len(TABLES) == len(heads) - blind
    assert all(table.rows for table in TABLES)
    assert all(table.studies >= 100 for table in TABLES)


def test_the_page_shows_the_worst_rates_of_the_file():
    shown = simulations.WORST.findall(simulations.PAGE.read_text("utf-8"))
    assert shown == [simulations.worst(TABLES), simulations.praise_rates(FILE)]
    for summary in simulations.SUMMARIES:
        assert any(summary.command in f"{table.command} " for table in TABLES)
        for name in (*summary.different, *summary.holds, *summary.independent):
            assert simulations.rates(TABLES, summary, (name,))


def test_the_worst_of_a_table_are_its_largest_error_and_its_smallest_coverage():
    heads = "agents | pairs | p < 0.05 | its interval holds | that of the difference holds 0 | sign flips < 0.05"
    rows = ["10 targets | 24 | 0.040 | 0.960 | 0.950 | 0.300", "1 target | 24 | 0.900 | 0.100 | 0.100 | 0.900"]
    rows.append("10 targets | 25 | 0.020 | 0.980 | 0.930 | 0.100")
    table = simulations.Table("benchmarks.audc results", "\n".join(f"| {row} |" for row in [heads, "---", *rows]))
    summary = next(summary for summary in simulations.SUMMARIES if summary.command == "audc results")
    line = f"| {summary.title} | 2 | 0.030 | 0.040 | 0.955 | 0.930 | 0.300 |"
    assert line in simulations.worst([table]).splitlines()


def test_a_rate_that_is_not_of_the_command_is_found():
    command = "benchmarks.linked --studies 1000"
    table = simulations.Table(command, "| items | n | flips |\n|---|---:|---:|\n| A | 6 | 0.050 |\n| B | 6 | 0.950 |")
    fewer = simulations.Table("benchmarks.linked --studies 40", table.text.replace("0.950", "0.900"))
    assert list(simulations.differences(table, fewer)) == []
    other = simulations.Table(fewer.command, fewer.text.replace("0.050", "0.350").replace("B | 6", "B | 7"))
    assert list(simulations.differences(table, other)) == [
        f"{command}: A, 6: flips is 0.050 in the file and 0.350 of 40 studies",
        f"{command}: the row B, 6 is only in the file",
        f"{command}: the row B, 7 is only in what the command makes now",
    ]


def test_a_number_that_too_few_studies_make_is_not_compared():
    table = simulations.Table(
        "benchmarks.x --studies 400", "| n | found | holds |\n|---|---|---|\n| 3 | 0.020 | 0.900 |"
    )
    fewer = simulations.Table("benchmarks.x --studies 40", table.text.replace("0.900", ""))
    assert list(simulations.differences(table, fewer)) == []
    assert (
        len([*simulations.differences(table, simulations.Table(fewer.command, fewer.text.replace("0.020", "0.900")))])
        == 1
    )


def test_columns_of_one_name_are_told_apart():
    table = simulations.Table("x --studies 9", "| n | holds | holds |\n|---|---|---|\n| 3 | 0.100 | 0.200 |")
    assert table.rows == [{"n": "3", "holds": "0.100", "holds 2": "0.200"}]


@pytest.mark.slow("it simulates studies")
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.command.removeprefix("benchmarks."))
def test_a_table_is_what_its_command_makes(table):
    if not simulations.can_run(table):
        pytest.skip("it reads the results of a default study: python docs/simulations.py --check 40, after make run")
    assert list(simulations.differences(table, table.smaller(STUDIES))) == []
