"""Every command on the pages runs in a toy study; what would take long is planned only, and exceptions.py has the rest."""

import re
import shutil

import pytest

from tests.package.pages_of_docs import FENCE, blocks, pages
from tests.workflow.pages.exceptions import ONLY_PARSED
from tests.workflow.pages.ledger import name, ours
from tests.workflow.pages.reader import PROGRAMS, Reader
from tests.workflow.toy import Study

BLOCKS = list(ours("sh"))
PLANNED = ("This was a dry-run", "Nothing to be done", "Report created")
"""What Snakemake says at the end, if it has read the workflow and computed nothing."""
LONG = ("relprobe run", "--snakefile path/to", "chromium", "benchmarks.categories")
"""Parts of commands that take seconds: `relprobe run` does without the server of the tests (warm/server.py)."""
BROWSER = "chromium"
INLINE = re.compile(
    r"(?<!`)`((?:relprobe|snakemake|make|pip|python|hf|cmake|bash|snakedeploy|scontrol|PYTHONPATH=[^\s`]+) [^`]+)`(?!`)"
)
NAMES = {
    **dict.fromkeys(
        ("relprobe score", "relprobe init", "relprobe init --answers", "relprobe ask"), "it is a name, without options"
    ),
    "relprobe init sounds --pairs pairs.csv": "its table is the reader's; docs/how-to/own-pairs.md has one that is there",
    "python docs/run_manual.py": "it reads a default study, and this one is a toy",
    "relprobe run --sdm conda": "it plans as without the option, and conda is not here",
}
"""What the text has of a command, without being one to type as it is -> why."""
MADE = {
    "--screenshot=answers.png": "answers.png",
    "--out form.csv": "form.csv",
    "--out /tmp/scores.parquet": "scores.parquet",
    "--page compare.html": "compare.html",
    "--by-agent sensitivity/static.parquet": "sensitivity/static.parquet",
    "--out scores.parquet": "scores.parquet",
    "--out data/analogies.csv": "data/analogies.csv",
    "--dictionary data/dictionary.csv": "data/dictionary.csv",
    "--relations data/relations.yaml": "data/graded.yaml",
    "--out data/hyponyms.csv": "data/hyponyms.csv",
    "--out data/ranks.csv": "data/questionnaire.csv",
}
"""A part of a command -> the file that it writes."""


def cost(commands):
    return (
        [pytest.mark.slow("it starts commands of the pages in interpreters of their own")]
        if any(word in commands for word in LONG)
        else []
    )


def noted(command):
    """The beginning of a command that is only parsed, if this is one."""
    return next((beginning for beginning in ONLY_PARSED if command.startswith(beginning)), None)


def inline():
    """The commands inside the text of the pages, each once, as (page, command)."""
    found = {}
    for page in pages():
        for command in INLINE.findall(FENCE.sub("", page.read_text("utf-8"))):
            words = " ".join(command.split())
            if "…" not in words and words not in NAMES and not noted(words):
                found.setdefault(words, page)
    return found


@pytest.fixture(scope="module")
def reader(finished, once, tmp_path_factory):
    exported = once("exported", lambda folder: finished.copy(folder / "study").finish("results/export/lm_eval"))
    return Reader(tmp_path_factory.mktemp("reader"), Study(exported / "study", finished.environment), ONLY_PARSED)


def check(commands, reader):
    """Run commands; each of them is one that runs, or has its reason not to."""
    done = reader.type(commands)
    assert done.status == 0, done.printed
    assert done.commands
    assert reader.changed() == []
    assert [one for one in done.commands if one.split()[0] not in PROGRAMS and not noted(one)] == []
    if any(one.startswith(("relprobe run", "snakemake")) for one in done.commands):
        assert any(end in done.printed for end in PLANNED)
    return done


@pytest.mark.parametrize("block", [pytest.param(one, marks=cost(one.text)) for one in BLOCKS], ids=name)
def test_the_commands_of_a_block_run(block, reader):
    if BROWSER in block.text and not shutil.which(BROWSER):
        pytest.skip("there is no Chromium here")
    check(block.text, reader)
    made = [file for part, file in MADE.items() if part in block.text]
    assert [file for file in made if not (reader.place(block.text) / file).stat().st_size] == []


@pytest.mark.slow("it starts commands of the pages in interpreters of their own")
@pytest.mark.parametrize("command", sorted(inline()))
def test_a_command_in_the_text_runs(command, reader):
    check(command, reader)


def test_every_reason_has_its_command():
    """A command that no page has any more needs no reason."""
    texts = [block.text.replace("\\\n", " ") for page in pages() for block in blocks(page, "sh")]
    texts += [page.read_text("utf-8") for page in pages()]
    assert [beginning for beginning in ONLY_PARSED if not any(beginning in text for text in texts)] == []


def test_a_wrong_option_ends_a_block(reader):
    with pytest.raises(AssertionError, match="unrecognized arguments"):
        check("PYTHONPATH=workflow/scripts python -m relprobe analogies template --out x.csv --colour red", reader)
