"""Every block of the README and of docs: its commands have the options that they show, and its code and files are valid.

tests/workflow/pages runs the blocks; these tests take no study, and also see what runs in slow tests alone."""

import csv
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from relprobe.command import init
from relprobe.core.cli import arguments_of, function_of
from relprobe.core.outline import outline
from relprobe.steps import COMMANDS, GROUPS, PROGRAMS
from snakemake.cli import get_argument_parser

from tests.package.pages_of_docs import Block, blocks, pages
from tests.paths import ROOT

VARIABLE = re.compile(r"[A-Z_]+=")


def commands() -> Iterator[tuple[Block, list[str]]]:
    """The commands of relprobe, Snakemake and make on all pages, without variables before them."""
    for page in pages():
        for block in blocks(page, "sh"):
            for line in block.text.replace("\\\n", " ").splitlines():
                for command in line.partition(" #")[0].split("&&"):
                    words = shlex.split(command.strip(), comments=True)
                    while words and VARIABLE.match(words[0]):
                        del words[0]
                    if words[:3] == ["python", "-m", "relprobe"]:
                        words = ["relprobe", *words[3:]]
                    if words and words[0] in ("relprobe", "snakemake", "make"):
                        yield block, words


ALL = list(commands())


def refused(parse, words, block):
    """Fail with the name of the block if a parser refuses the words."""
    try:
        return parse(words)
    except SystemExit:
        pytest.fail(f"{block.place}: {shlex.join(words)}")


def of(*programs):
    chosen = [(block, words[1:]) for block, words in ALL if words[0] in programs]
    assert chosen
    return chosen


def test_the_commands_of_the_pages_are_commands():
    for block, words in of("relprobe"):
        assert words[0] in {**PROGRAMS, **COMMANDS, **GROUPS}, block.place


def test_the_steps_of_the_pages_have_the_options_that_they_show():
    steps = [(block, words) for block, words in of("relprobe") if words[0] not in PROGRAMS]
    assert len(steps) > 8
    for block, words in steps:
        name = COMMANDS.get(words[0]) or function_of(GROUPS[words[0]], words[1])
        rest = words[1:] if words[0] in COMMANDS else words[2:]
        refused(arguments_of(outline(name)).parse_args, rest, block)


def test_the_new_studies_of_the_pages_are_made(tmp_path, monkeypatch, capsys):
    made = {shlex.join(words): words for _, words in of("relprobe") if words[0] == "init"}
    assert len(made) >= 3
    for place, words in enumerate(made.values()):
        folder = tmp_path / str(place)
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert init.main(words[1:]) == 0
        assert (folder / words[1] / "config.yaml").is_file()


def test_the_options_of_snakemake_on_the_pages_are_its_options():
    parser = get_argument_parser()
    chosen = [(block, words[1:]) for block, words in ALL if words[:2] == ["relprobe", "run"]]
    for block, words in [*of("snakemake"), *((block, words[1:]) for block, words in chosen)]:
        options = refused(parser.parse_args, words, block)
        for file in options.configfile or []:
            assert not str(file).startswith("resources/") or (ROOT / file).is_file(), block.place


def test_the_targets_of_make_on_the_pages_are_in_the_makefile():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        (page.relative_to(ROOT).as_posix(), target)
        for page in pages()
        for target in re.findall(r"(?:^|`)make ([\w-]+)(?=`| \w+=| +#|$)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 10
    assert [(page, target) for page, target in sorted(named) if target not in targets] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_code_and_the_files_of_a_page_can_be_read(page: Path):
    for block in blocks(page, "python"):
        rules = block.text.startswith(("module ", "use rule ", "# workflow/rules/"))  # Snakemake's language
        if ">>>" not in block.text and not rules:
            compile(block.text, block.place, "exec")
    for block in blocks(page, "csv"):
        rows = list(csv.reader(block.text.splitlines()))
        assert {len(row) for row in rows} == {len(rows[0])}, block.place
    for block in blocks(page, "yaml"):
        yaml.safe_load(block.text)
