"""Records: what they notice, and what times they give to files."""

import json
import os
import platform
import random
import shutil
import time
from pathlib import Path
from typing import Annotated

import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core import records
from relprobe.core.cli import arguments_of, run
from relprobe.core.files import Csv, Parquet, parquet, write_json, write_parquet
from relprobe.core.records import DamagedRecordError, check_inputs, digest_of, read_record, restore_times, write_record
from relprobe.version import __version__

HOUR_NS = 3600 * records.SECOND_NS


def made(folder: Path, prompts: str = "a: 1\n") -> dict[str, Path]:
    """A study of two jobs: prompts -> probes -> values."""
    files = {name: folder / "results" / f"{name}.parquet" for name in ("probes", "values")} | {
        "prompts": folder / "prompts.yaml"
    }
    files["prompts"].write_text(prompts)
    for name, inputs in (("probes", [files["prompts"]]), ("values", [files["probes"]])):
        write_parquet(pl.DataFrame({"word": [name, "robin"], "value": [0.5, 0.25]}), files[name])
        about = {"step": f"relprobe.{name}", "settings": "ab", "code": "cd"}
        write_record(
            records.record_file(files[name], folder / "results"), inputs=inputs, outputs=[files[name]], **about
        )
    return files


def set_time(path: Path, hours: float) -> None:
    os.utime(path, ns=(0, time.time_ns() + int(hours * HOUR_NS)))


def times(files: dict[str, Path]) -> dict[str, int]:
    return {name: path.stat().st_mtime_ns for name, path in files.items()}


def test_no_flipped_bit_of_a_table_is_silent(tmp_path):
    files = made(tmp_path)
    whole = files["probes"].read_bytes()
    chosen = random.Random(1).sample(range(8 * len(whole)), 408)
    silent = []
    for bit in chosen:
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        files["probes"].write_bytes(damaged)
        try:
            check_inputs([files["probes"]])
            silent.append(bit)
        except DamagedRecordError:
            pass
    assert silent == []
    files["probes"].write_bytes(whole)
    check_inputs([files["probes"]])


def test_a_step_reads_no_damaged_result_and_writes_nothing(tmp_path, capsys):
    files = made(tmp_path)
    content = bytearray(files["probes"].read_bytes())
    content[30] ^= 1
    files["probes"].write_bytes(content)

    def words(probes: Parquet) -> Csv:
        return probes

    out = tmp_path / "results/words.csv"
    options = arguments_of(words).parse_args(["--probes", str(files["probes"]), "--out", str(out)])
    assert run(words, options, "tests.words") == 1
    assert f"{files['probes']} is not the file that was computed" in capsys.readouterr().err
    assert not out.exists()


def test_a_result_that_was_edited_stops_the_plan_in_a_sentence(tmp_path):
    files = made(tmp_path)
    write_parquet(pl.DataFrame({"word": ["wren"], "value": [1.0]}), files["probes"])
    with pytest.raises(
        DamagedRecordError, match=r"probes\.parquet is not the file that was computed.*delete it and run again"
    ):
        restore_times(tmp_path / "results")


def test_results_may_be_moved(tmp_path):
    files = made(tmp_path)
    (tmp_path / "results").rename(tmp_path / "elsewhere")
    moved = {name: Path(str(path).replace("/results/", "/elsewhere/")) for name, path in files.items()}
    set_time(moved["probes"], 1)
    restore_times(tmp_path / "elsewhere")
    assert times(moved)["probes"] <= times(moved)["values"]
    moved["probes"].write_bytes(b"PAR1")
    with pytest.raises(DamagedRecordError, match=r"elsewhere/probes\.parquet"):
        check_inputs([moved["probes"]])


@pytest.mark.parametrize("hours", [(0, -1, -2), (-1, 0, -2), (-2, -1, 0), (0, 0, 0)])
def test_results_of_inputs_as_they_were_are_never_older_than_these(tmp_path, hours):
    files = made(tmp_path)
    for name, hour in zip(("prompts", "probes", "values"), hours, strict=True):
        set_time(files[name], hour)
    restore_times(tmp_path / "results")
    after = times(files)
    assert after["prompts"] <= after["probes"] <= after["values"]
    restore_times(tmp_path / "results")
    assert times(files) == after


@pytest.mark.parametrize("hours", [(-1, -3), (-3, -1)])
def test_a_result_of_several_inputs_is_never_older_than_the_newest(tmp_path, hours):
    results, table = tmp_path / "results", tmp_path / "results/values.parquet"
    inputs = [tmp_path / "words.csv", tmp_path / "pairs.csv"]
    write_parquet(pl.DataFrame({"word": ["robin"]}), table)
    for path in inputs:
        path.write_text(path.name)
    about = {"step": "relprobe.values", "settings": "ab", "code": "cd"}
    write_record(records.record_file(table, results), inputs=inputs, outputs=[table], **about)
    for path, hour in zip(inputs, hours, strict=True):
        set_time(path, hour)
    set_time(table, -2)
    restore_times(results)
    assert table.stat().st_mtime_ns == max(path.stat().st_mtime_ns for path in inputs)


def test_a_result_that_is_newer_than_its_inputs_keeps_its_time(tmp_path):
    files = made(tmp_path)
    for name, hour in zip(files, (-2, -1, -3), strict=True):
        set_time(files[name], hour)
    before = times(files)
    restore_times(tmp_path / "results")
    assert times(files) == before


def test_the_record_of_other_results_stays_as_it_is(tmp_path):
    files = made(tmp_path)
    records_of = {name: records.record_file(files[name], tmp_path / "results") for name in ("probes", "values")}
    before = {name: file.read_bytes() for name, file in records_of.items()}
    records.remove_outputs([files["values"]])
    assert records_of["probes"].read_bytes() == before["probes"]
    assert not records_of["values"].exists()


def test_a_comment_leaves_results_as_they_are_and_a_changed_value_does_not(tmp_path):
    files = made(tmp_path)
    files["prompts"].write_text("# A comment.\na:   1\n")
    set_time(files["prompts"], 1)
    restore_times(tmp_path / "results")
    assert times(files)["probes"] >= times(files)["prompts"]
    files["prompts"].write_text("a: 2\n")
    set_time(files["prompts"], -9)  # as after mv, cp -p, rsync -a or unzip
    restore_times(tmp_path / "results")
    assert times(files)["probes"] < times(files)["prompts"]


def test_a_result_as_old_as_its_changed_input_is_made_older_as_snakemake_looks_for_a_newer_input_alone(tmp_path):
    files = made(tmp_path)
    files["prompts"].write_text("a: 2\n")
    now = files["prompts"].stat().st_mtime_ns
    for path in files.values():
        os.utime(path, ns=(now, now))
    restore_times(tmp_path / "results")
    assert files["probes"].stat().st_mtime_ns < now


def test_a_file_of_another_size_is_another_one_though_it_has_the_time_of_the_one_that_was_read(tmp_path):
    """An editor that keeps times, or a copy with cp -p: what a record says of time and size only spares reading."""
    files = made(tmp_path)
    was = files["prompts"].stat().st_mtime_ns
    files["prompts"].write_text("a: 22\n")
    os.utime(files["prompts"], ns=(was, was))
    restore_times(tmp_path / "results")
    assert times(files)["probes"] < times(files)["prompts"]


def test_what_is_fetched_elsewhere_is_the_same_if_its_files_are(tmp_path):
    manifest = tmp_path / "wordnet.json"
    manifest.write_text(json.dumps({"files": {"data.noun": "ab"}}))
    before = digest_of("wordnet.json", manifest)
    manifest.write_text(json.dumps({"source": "elsewhere", "files": {"data.noun": "ab"}}))
    assert digest_of("wordnet.json", manifest) == before
    manifest.write_text(json.dumps({"files": {"data.noun": "cd"}}))
    assert digest_of("wordnet.json", manifest) != before


def test_files_that_another_study_shares_keep_their_times(tmp_path):
    files = made(tmp_path)
    other = tmp_path / "other.parquet"
    other.hardlink_to(files["probes"])
    set_time(files["prompts"], 1)
    before = other.stat().st_mtime_ns
    restore_times(tmp_path / "results")
    assert other.stat().st_mtime_ns == before < files["probes"].stat().st_mtime_ns


def test_a_folder_is_as_old_as_the_file_that_snakemake_writes_into_it(tmp_path):
    page, folder = tmp_path / "page.yaml", tmp_path / "results/captions"
    page.write_text("a: 1")
    folder.mkdir(parents=True)
    (folder / "precision.rst").write_text("Precision.")
    file = tmp_path / "results/records/files/captions.json"
    write_record(file, step="relprobe.index", settings="ab", code="cd", inputs=[page], outputs=[folder])
    (folder / ".snakemake_timestamp").touch()
    set_time(page, 1)
    restore_times(tmp_path / "results")
    assert (folder / ".snakemake_timestamp").stat().st_mtime_ns == page.stat().st_mtime_ns


def test_a_plan_beside_a_run_takes_no_result_for_damaged_that_a_job_writes(tmp_path, monkeypatch):
    files = made(tmp_path)
    record, fits = tmp_path / "results/records/files/probes.parquet.json", records.FileState.fits

    def written_now(state, name, path):
        if path == files["probes"] and record.is_file():
            record.unlink()
            path.write_bytes(b"new")
        return fits(state, name, path)

    monkeypatch.setattr(records.FileState, "fits", written_now)
    restore_times(tmp_path / "results")


def test_a_folder_where_a_step_looks_for_files_is_no_input(tmp_path):
    files = made(tmp_path)
    record = tmp_path / "results/records/files/values.parquet.json"
    about = {"step": "relprobe.values", "settings": "ab", "code": "cd"}
    write_record(record, inputs=[tmp_path / "results"], outputs=[files["values"]], **about)
    assert read_record(record).inputs == {}
    files["probes"].write_bytes(b"PAR1")
    check_inputs([tmp_path / "results"])


def test_what_is_missing_is_left_to_snakemake(tmp_path):
    files = made(tmp_path)
    files["prompts"].unlink()
    before = times({"values": files["values"]})
    files["probes"].unlink()
    restore_times(tmp_path / "results")
    assert times({"values": files["values"]}) == before


def test_a_record_that_is_deleted_meanwhile_or_of_another_file_stops_no_job(tmp_path):
    files, results = made(tmp_path), tmp_path / "results"
    records._remove_from(results / records.FOLDER / "gone.json", ["<results>/values.parquet"])
    table = results / "tables/words.csv"
    write_json({}, table)
    record, other = (records.record_file(table.with_name(name), results) for name in ("words.csv", "other.csv"))
    write_record(record, step="relprobe.show", settings="ab", code="cd", inputs=[files["values"]], outputs=[table])
    other.write_text("{")
    records.remove_outputs([table])
    assert not record.exists()
    assert other.read_text() == "{"


@pytest.mark.parametrize("name", ["forêt.csv", 'a "quoted" name.csv', "a\\b.csv", "鳥.csv"])
def test_a_record_is_found_by_an_output_whose_name_json_writes_otherwise(name, tmp_path):
    """Beside the first output of its job, so that the record has another name."""
    first, output = tmp_path / "results/tables/first.csv", tmp_path / "results/tables" / name
    first.parent.mkdir(parents=True)
    for file in (first, output):
        file.write_text("word\n")
    record = records.record_file(first, tmp_path / "results")
    write_record(record, step="relprobe.show", settings="ab", code="cd", inputs=[], outputs=[first, output])
    assert records.find_record(output) == (record, read_record(record))
    records.remove_outputs([output])
    assert list(read_record(record).outputs) == ["<results>/tables/first.csv"]


def test_results_that_a_job_is_at_work_on_keep_their_times(tmp_path, monkeypatch):
    files, results = made(tmp_path), tmp_path / "results"
    before = {name: file.stat().st_mtime_ns for name, file in files.items()}

    def gone(*_):
        raise FileNotFoundError

    monkeypatch.setattr(records.FileState, "fits", gone)
    restore_times(results)
    assert {name: file.stat().st_mtime_ns for name, file in files.items()} == before


def test_tables_without_a_record_are_older_than_all_that_they_can_be_of(tmp_path):
    """What models have answered lies in hidden folders, and stays as it is."""
    files, results = made(tmp_path), tmp_path / "results"
    assert records.tables_without_record(results) == [] and records.mark_out_of_date([]) is None
    records.record_file(files["values"], results).unlink()
    stored = results / ".values.parquet.store/answers.parquet"
    stored.parent.mkdir()
    stored.write_bytes(b"")
    before = stored.stat().st_mtime_ns
    found = records.tables_without_record(results)
    assert found == [files["values"]]
    sentence = records.mark_out_of_date(found)
    assert sentence.startswith(f"Nothing says of what 1 table was computed, such as {files['values']}:")
    assert files["values"].stat().st_mtime < files["probes"].stat().st_mtime
    assert stored.stat().st_mtime_ns == before
    shutil.rmtree(results / "records")
    assert records.tables_without_record(results) == sorted([files["probes"], files["values"]])


def test_a_step_that_is_killed_leaves_no_record_that_does_not_fit(tmp_path):
    files = made(tmp_path)

    def words(probes: Parquet) -> Parquet:
        raise KeyboardInterrupt

    record = tmp_path / "results/records/files/values.parquet.json"
    assert record.is_file()
    options = arguments_of(words).parse_args(["--probes", str(files["probes"]), "--out", str(files["values"])])
    with pytest.raises(KeyboardInterrupt):
        run(words, options, "tests.words")
    assert not record.exists()


def test_a_file_is_that_of_the_job_that_wrote_it_last(tmp_path):
    """A job of another configuration had another first output, whose name its record has."""
    files, results = made(tmp_path), tmp_path / "results"
    figure, folder = results / "figures/old.svg", results / "captions"
    former = records.record_file(figure, results)
    folder.mkdir(parents=True)
    figure.parent.mkdir()
    for path in (figure, folder / "one.rst", results / "figures/shared.svg"):
        path.write_text("before")
    about = {"step": "relprobe.show", "settings": "ab", "code": "cd", "inputs": [files["values"]]}
    write_record(former, outputs=[figure, results / "figures/shared.svg", folder], **about)
    shared = results / "figures/shared.svg"
    assert [*read_record(former).folders] == ["<results>/captions"]
    records.remove_outputs([shared, folder])
    assert list(read_record(former).outputs) == ["<results>/figures/old.svg"]
    assert [*read_record(former).folders] == []
    shared.write_text("after")
    (folder / "one.rst").write_text("after")
    write_record(records.record_file(shared, results), outputs=[shared, folder], **about)
    check_inputs([figure, shared, folder / "one.rst"])
    restore_times(results)
    records.remove_outputs([figure])
    assert not former.exists()
    assert records.record_file(shared, results).exists()


def test_what_is_left_of_a_job_is_not_older_than_its_inputs_though_a_folder_of_it_is_gone(tmp_path):
    page, made_in = tmp_path / "page.yaml", tmp_path / "results/front"
    figure, folders = made_in / "a.svg", [made_in / "b", made_in / "c"]
    page.write_text("a: 1")
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "one.rst").write_text("words")
    figure.write_text("figure")
    file = records.record_file(figure, tmp_path / "results")
    write_record(file, step="relprobe.index", settings="ab", code="cd", inputs=[page], outputs=[figure, *folders])
    records.remove_outputs(folders[:1])
    shutil.rmtree(folders[0])
    set_time(page, 1)
    restore_times(tmp_path / "results")
    assert figure.stat().st_mtime_ns == folders[1].stat().st_mtime_ns == page.stat().st_mtime_ns


def test_a_file_that_the_rule_does_not_name_is_no_input(tmp_path):
    """What was spent on an agent changes with each job that asks it, and re-runs none."""
    files = made(tmp_path)
    spending = tmp_path / "spending.jsonl"
    spending.write_text("{}")

    def words(probes: Parquet, *, spending: Path) -> Csv:
        return probes

    out = tmp_path / "results/words.csv"
    record = records.record_file(out, tmp_path / "results")
    about = {
        "file": str(record),
        "settings": "ab",
        "code": "cd",
        "read": ["probes"],
        "written": [],
        "inputs": [],
        "outputs": [],
    }
    options = ["--probes", str(files["probes"]), "--spending", str(spending), "--out", str(out)]
    parsed = arguments_of(words).parse_args([*options, "--record", json.dumps(about)])
    run(words, parsed, "tests.words")
    assert (list(read_record(record).inputs), list(read_record(record).outputs)) == (
        ["<results>/probes.parquet"],
        ["<results>/words.csv"],
    )


def test_files_of_a_job_that_no_option_names_are_in_its_record_too(tmp_path):
    """Its files count, and so does what is written beside; an input of the rule need be no option of the step."""
    files = made(tmp_path)
    results = tmp_path / "results"
    for name in ("read.csv", "beside.csv"):
        (results / name).write_text("word\n")

    def words(probes: Parquet) -> Csv:
        (results / "beside.csv").write_text("other\n")
        return probes

    out = results / "words.csv"
    record = records.record_file(out, results)
    about = {"file": str(record), "settings": "ab", "code": "cd", "read": ["probes", "names"], "written": []}
    about |= {"inputs": [str(results / "read.csv")], "outputs": [str(results / "beside.csv")]}
    options = ["--probes", str(files["probes"]), "--out", str(out), "--record", json.dumps(about)]
    assert run(words, arguments_of(words).parse_args(options), "tests.words") == 0
    known = read_record(record)
    assert sorted(known.inputs) == ["<results>/probes.parquet", "<results>/read.csv"]
    assert sorted(known.outputs) == ["<results>/beside.csv", "<results>/words.csv"]
    assert (known.step, known.settings, known.code) == ("tests.words", "ab", "cd")


def test_a_file_that_a_step_writes_itself_is_an_output_of_its_record(tmp_path):
    files = made(tmp_path)
    results = tmp_path / "results"

    def words(probes: Parquet, beside: Path) -> Csv:
        beside.write_text("word\n")
        return probes

    out = results / "words.csv"
    record = records.record_file(out, results)
    about = {"file": str(record), "settings": "ab", "code": "cd", "read": ["probes"], "written": ["out", "beside"]}
    about |= {"inputs": [], "outputs": []}
    options = ["--probes", str(files["probes"]), "--beside", str(results / "beside.csv"), "--out", str(out)]
    parsed = arguments_of(words).parse_args([*options, "--record", json.dumps(about)])
    assert run(words, parsed, "tests.words") == 0
    assert list(read_record(record).inputs) == ["<results>/probes.parquet"]
    assert sorted(read_record(record).outputs) == ["<results>/beside.csv", "<results>/words.csv"]


@pytest.mark.parametrize("recorded", [True, False])
def test_a_parquet_file_says_its_version_and_the_digest_of_its_settings(tmp_path, recorded):
    """The digest is that of the record: a key of another step changes no byte."""
    files = made(tmp_path)

    schema = pl.Schema({"word": pl.String(), "value": pl.Float64()})

    def words(probes: Parquet) -> Annotated[pl.DataFrame, parquet(schema)]:
        return probes

    out = tmp_path / "results/words.parquet"
    record = records.record_file(out, tmp_path / "results")
    about = {"file": str(record), "settings": "ab", "code": "cd", "read": ["probes"], "written": []}
    options = ["--probes", str(files["probes"]), "--out", str(out)]
    options += ["--record", json.dumps({**about, "inputs": [], "outputs": []})] if recorded else []
    assert run(words, arguments_of(words).parse_args(options), "tests.words") == 0
    said = json.loads(pq.read_metadata(out).metadata[b"relprobe"])
    assert said == {"version": __version__, **({"configuration": "ab"} if recorded else {})}
    if recorded:
        assert said["configuration"] == read_record(record).settings
    assert pl.read_parquet(out).equals(pl.read_parquet(files["probes"]))


def test_a_record_of_a_later_version_and_a_damaged_one_are_refused(tmp_path):
    made(tmp_path)
    file = tmp_path / "results/records/files/values.parquet.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, "format": 99}))
    with pytest.raises(DamagedRecordError, match="record of a newer relprobe"):
        read_record(file)
    for text in ("", "{", "[]", '{"format": 1}'):
        file.write_text(text)
        with pytest.raises(DamagedRecordError, match=r"values\.parquet\.json.* is damaged: delete it and the result"):
            restore_times(tmp_path / "results")


def test_a_hidden_folder_leads_to_the_results_and_what_it_held_is_moved(tmp_path):
    hidden, folder = tmp_path / ".snakemake/metadata", tmp_path / "results/records/snakemake"
    hidden.mkdir(parents=True)
    (hidden / "both").write_text("hidden")
    (hidden / "@deep/er").mkdir(parents=True)
    (hidden / "@deep/er/old").write_text("hidden")
    folder.mkdir(parents=True)
    (folder / "both").write_text("results")
    for _ in range(2):
        records.link_hidden(folder, hidden)
        assert hidden.is_symlink()
        found = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}
        assert found == {"both": "results", "@deep/er/old": "hidden"}
    shutil.move(tmp_path / "results", tmp_path / "elsewhere")
    records.link_hidden(tmp_path / "elsewhere/records/snakemake", hidden)
    assert (hidden / "both").read_text() == "results"


def test_a_hidden_folder_that_leads_there_already_is_left_as_it_is(tmp_path):
    hidden, folder = tmp_path / ".snakemake/metadata", tmp_path / "results/records/snakemake"
    records.link_hidden(folder, hidden)
    before = hidden.lstat()
    records.link_hidden(folder, hidden)
    assert (hidden.lstat().st_ino, hidden.lstat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_hidden_folder_that_leads_to_other_results_leads_to_these_and_the_others_keep_their_files(tmp_path):
    hidden = tmp_path / ".snakemake/metadata"
    folders = [tmp_path / name / "records/snakemake" for name in ("results", "others")]
    for folder in folders:
        records.link_hidden(folder, hidden)
        (hidden / "job").write_text(folder.parts[-3])
    assert [(folder / "job").read_text() for folder in folders] == ["results", "others"]
    assert hidden.resolve() == folders[1].resolve()
    assert [*hidden.parent.iterdir()] == [hidden]


def test_a_record_has_the_times_of_its_files_after_a_look_at_them(tmp_path):
    """The next plan need not read a file whose time and size are those of the record."""
    files = made(tmp_path)
    record = records.record_file(files["values"], tmp_path / "results")
    set_time(files["probes"], 1)
    restore_times(tmp_path / "results")
    states = read_record(record)
    for name, of in (("probes", states.inputs), ("values", states.outputs)):
        (state,) = of.values()
        assert (state.mtime_ns, state.size) == (files[name].stat().st_mtime_ns, files[name].stat().st_size)
    before = record.stat().st_mtime_ns
    restore_times(tmp_path / "results")
    assert record.stat().st_mtime_ns == before


def test_a_file_of_its_own_stays_the_file_that_it_is(tmp_path):
    files = made(tmp_path)
    before = {name: path.stat().st_ino for name, path in files.items()}
    set_time(files["prompts"], 1)
    restore_times(tmp_path / "results")
    assert {name: path.stat().st_ino for name, path in files.items()} == before


def test_the_record_of_a_further_output_is_that_of_the_first_in_a_folder_above(tmp_path):
    files, results = made(tmp_path), tmp_path / "results"
    first, second = results / "degrees/page.md", results / "degrees/figures/rho.svg"
    for path in (first, second):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    about = {"step": "relprobe.show", "settings": "ab", "code": "cd", "inputs": [files["values"]]}
    record = records.record_file(first, results)
    write_record(record, outputs=[first, second], **about)
    assert records.find_record(second) == records.find_record(first) == (record, read_record(record))
    assert records.find_record(results / "degrees/figures/other.svg") is None
    assert records.find_record(tmp_path / "elsewhere/rho.svg") is None
    untouched = record.stat().st_mtime_ns
    records.remove_outputs([results / "degrees/figures/other.svg"])
    assert record.stat().st_mtime_ns == untouched
    records.remove_outputs([second])
    assert list(read_record(record).outputs) == ["<results>/degrees/page.md"]


def test_what_was_computed_with_other_versions_is_counted(tmp_path):
    made(tmp_path)
    assert records.other_versions(tmp_path / "results") == {}
    assert records.other_versions(tmp_path / "nowhere") == {}
    file = tmp_path / "results/records/files/values.parquet.json"
    about = json.loads(file.read_text())
    old = {"relprobe": "0.0.1", "python": "2.7.0", "polars": "0.1", "gone-library": "1"}
    file.write_text(json.dumps({**about, "versions": old}))
    (tmp_path / "results/copy.json").write_text(file.read_text())  # which is no record there
    now = records.versions()
    assert (now["relprobe"], now["python"]) == (__version__, platform.python_version())
    assert records.other_versions(tmp_path / "results") == {
        ("relprobe", "0.0.1", __version__): 1,
        ("python", "2.7.0", platform.python_version()): 1,
        ("polars", "0.1", pl.__version__): 1,
    }


def test_a_json_file_that_is_no_manifest_counts_by_what_it_holds(tmp_path):
    file = tmp_path / "own.json"
    digests = []
    for text in ('{"files": {"a": "ab"}}', '{"files": ["a"]}', '["a"]', '{"files": ["b"]}', "no JSON"):
        file.write_text(text)
        digests.append(digest_of("own.json", file))
    assert len(set(digests)) == 5
    table = tmp_path / "own.csv"  # which a manifest never is
    table.write_text('{"files": {"a": "ab"}}')
    assert digest_of("own.csv", table) != digests[0]


def test_a_record_that_another_job_deletes_after_it_was_listed_stops_nobody(tmp_path):
    """A link that leads nowhere is what such a file looks like: it is in the folder's list, and cannot be read."""
    files, results = made(tmp_path), tmp_path / "results"
    first, second = results / "tables/first.csv", results / "tables/second.csv"
    first.parent.mkdir()
    for path in (first, second):
        path.write_text("word\n")
    about = {"step": "relprobe.show", "settings": "ab", "code": "cd", "inputs": [files["values"]]}
    write_record(records.record_file(first, results), outputs=[first, second], **about)
    folder = results / records.FOLDER
    for listed in (folder / "tables/a.csv.json", folder / "a.html.json"):  # which come first where files are sorted
        listed.symlink_to("deleted")
    check_inputs([second])
    record = records.record_file(first, results)
    assert records.find_record(second) == (record, read_record(record))
    (folder / "tables/second.csv.json").symlink_to("deleted")
    check_inputs([second])
    restore_times(results)
    assert records.tables_without_record(results) == []
    assert records.other_versions(results) == {}
    records.remove_outputs([second])
    assert list(read_record(record).outputs) == ["<results>/tables/first.csv"]


@pytest.mark.parametrize("moment", range(4))
def test_a_file_that_another_run_deletes_while_times_are_restored_is_left_to_it(moment, tmp_path, monkeypatch):
    """The four moments: before the output and the input of the first job are compared, and those of the second one."""
    files = made(tmp_path)
    fits, compared = records.FileState.fits, []

    def deletes(state, name, path):
        if len(compared) == moment:
            path.unlink()
        compared.append(path)
        return fits(state, name, path)

    monkeypatch.setattr(records.FileState, "fits", deletes)
    restore_times(tmp_path / "results")
    assert compared[moment] in files.values()
    assert not compared[moment].exists()


def test_a_record_that_was_deleted_meanwhile_is_not_written_again(tmp_path, monkeypatch):
    """Its job deletes it before it writes its outputs: a copy of it would say of new outputs what the old ones held."""
    files, results = made(tmp_path), tmp_path / "results"
    record = records.record_file(files["values"], results)
    set_time(files["values"], 3)
    has_time = records.FileState.has_time

    def deletes(state, path):
        record.unlink(missing_ok=True)
        return has_time(state, path)

    monkeypatch.setattr(records.FileState, "has_time", deletes)
    restore_times(results)
    assert not record.exists()
