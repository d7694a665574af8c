"""The version has one place, and the files that people cite and read agree with it."""

import re
import subprocess

import pytest
import relprobe
import yaml
from matplotlib.image import imsave

from tests.manuals import manual_of
from tests.paths import ROOT


def test_the_citation_and_the_changes_have_the_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## (\S+) \((\S+)\)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert (citation["version"], str(citation["date-released"])) == newest.groups()
    assert citation["version"] == relprobe.__version__


def test_the_version_stands_in_no_other_file_of_the_package():
    pattern = f'"{re.escape(relprobe.__version__)}"'
    files = [ROOT / "pyproject.toml", *(ROOT / "workflow").rglob("*.py")]
    assert [file.name for file in files if re.search(pattern, file.read_text("utf-8"))] == ["version.py"]


def test_the_citation_has_the_keys_that_its_format_requires():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= reference.keys()


def test_the_commits_of_the_changes_are_in_the_history():
    commits = re.findall(r"commit ([0-9a-f]{7})\)", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    for commit in commits:
        known = subprocess.run(["git", "cat-file", "-e", commit], cwd=ROOT, check=False, capture_output=True)
        if known.returncode:
            pytest.skip("this is no clone with the whole history")
    assert len(commits) == 3


def test_the_manual_of_the_configuration_is_that_of_the_schemas():
    manual = manual_of("config_manual")
    assert manual.page() == manual.PAGE.read_text("utf-8"), "run `python docs/config_manual.py`"


def test_each_passage_on_the_default_study_is_written_from_a_run():
    """`python docs/run_manual.py --check` compares the numbers, after a run of that study (by night)."""
    manual = manual_of("run_manual")
    named = [name for page in manual.PAGES for name in manual.passages(page.read_text("utf-8"))]
    assert named == [*dict.fromkeys(named)]
    assert sorted(named) == sorted(writer.__name__.replace("_", "-") for writer in manual.WRITERS)
    assert manual.with_sign(-0.004) == "0.00" and manual.with_sign(-0.155) in ("−0.15", "−0.16")
    assert manual.words_of(["HYP", "ANT", "SYN"]) == "hypernymy, antonymy and synonymy"
    assert manual.words_of([]) == "no relation"
    assert manual.table("agent | value", [["a", 1]]) == "| agent | value |\n|---|---:|\n| a | 1 |\n"
    (picture,), other = manual.PICTURES, ROOT / "docs/images/answers.png"
    assert manual.same_picture(picture, picture)
    assert not manual.same_picture(picture, other)


def test_the_picture_of_readme_is_old_where_a_bar_moves(tmp_path):
    manual = manual_of("run_manual")
    pixels = manual.imread(picture := next(iter(manual.PICTURES)))
    edges, moved = pixels.copy(), pixels.copy()
    edges[::40, ::40] = 0.5  # as letters of another font
    moved[:, 40:] = pixels[:, :-40]
    for name, changed in (("edges", edges), ("moved", moved)):
        imsave(tmp_path / f"{name}.png", changed)
    assert manual.same_picture(picture, tmp_path / "edges.png")
    assert not manual.same_picture(picture, tmp_path / "moved.png")


def keys_without_description(schema, defs, place):
    """The keys of a schema, and of the keys in it, that nobody describes."""
    for key, part in schema.get("properties", {}).items():
        names = part.get("$ref", "").removeprefix("#/$defs/").split("/")
        target = {"properties": defs} if names == [""] else defs
        for name in filter(None, names):
            target = target[name]
        if "description" not in part and "description" not in target:
            yield f"{place}.{key}"
        yield from keys_without_description(part, defs, f"{place}.{key}")


def test_every_key_of_every_schema_has_a_description():
    schemas = {path.name.partition(".")[0]: path for path in (ROOT / "workflow/schemas").glob("*.yaml")}
    read = {name: yaml.safe_load(path.read_text("utf-8")) for name, path in schemas.items()}
    defs = read["config"]["$defs"]
    parts = {**read, **{f"$defs.{name}": part for name, part in defs.items()}}
    assert [key for name, part in parts.items() for key in keys_without_description(part, defs, name)] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md"])
def test_the_links_of_a_page_outside_the_site_lead_to_files_and_sections(name):
    """Sphinx checks those of the site."""
    page = ROOT / name
    for target, section in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", page.read_text("utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        if section:
            titles = re.findall(r"^#+ (.*)", file.read_text("utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert section in anchors, (target, section)
