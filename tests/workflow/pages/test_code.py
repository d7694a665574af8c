"""Every block of Python and of rules on the pages runs, on the results of the toy study where it reads any."""

import re

import matplotlib.pyplot as plt
import pytest

from benchmarks.blind import AGENTS
from tests.package.pages_of_docs import blocks
from tests.paths import ROOT
from tests.workflow.pages.ledger import find, ours, page_of
from tests.workflow.pages.reader import replaced
from tests.workflow.toy import Study, own

MODULE = ("docs/how-to/another-workflow.md", "module relprobe:")
RULE = ("docs/adding.md", "use rule preparing as relations_frequent")
RULES = (MODULE, RULE)
"""Blocks in the language of Snakemake."""
CODE = [block for block in ours("python") if block not in [find(*one) for one in RULES]]


@pytest.mark.parametrize("page", sorted({page_of(block) for block in CODE}))
def test_the_code_of_a_page_runs(page, finished, monkeypatch):
    """The blocks of a page follow each other, in one namespace. A blind agent that a page adds is gone after it."""
    monkeypatch.chdir(finished.folder)
    for study, agents in AGENTS.items():
        monkeypatch.setitem(AGENTS, study, dict(agents))
    everything = {}
    for block in CODE:
        if page_of(block) == page:
            exec(compile(replaced(block.text), block.place, "exec"), everything)
    plt.close("all")


@pytest.mark.slow("it plans the study of the page's module")
def test_another_workflow_uses_the_module_of_the_page(finished, tmp_path):
    """Planned only: tests/workflow/running/test_elsewhere.py runs such a workflow."""
    (tmp_path / "path/to").mkdir(parents=True)
    (tmp_path / "path/to/relprobe").symlink_to(finished.folder)
    (tmp_path / "data").symlink_to(finished.folder / "data")
    (tmp_path / "config.yaml").write_text((finished.folder / "config.yaml").read_text())
    (tmp_path / "Snakefile").write_text(f'configfile: "config.yaml"\n\n\n{find(*MODULE).text}')
    importer = Study(tmp_path, finished.environment)
    assert importer.scheduled("results/degrees/report.html")["degrees_metrics"] > 1


STEP = """
from relprobe.studies.relations.schemas import ANSWERS, Answers, Probes
import polars as pl

def frequent(probes: Probes) -> Answers:
    return pl.DataFrame(schema=ANSWERS)
"""
"""The page shows the rule of an agent; its step may be any that has the inputs of the rule."""


def test_the_rule_of_an_agent_runs_its_step(study):
    scripts = study.folder / "workflow/scripts/relprobe/studies/relations"
    (scripts / "frequent.py").write_text(STEP)
    steps = own(scripts / "steps.py")
    line = '    "frequent": ("frequent:frequent", "Answer with frequent words."),'
    steps.write_text(steps.read_text().replace("STEPS = {\n", f"STEPS = {{\n{line}\n"))
    with own(study.folder / "workflow/rules/relations.smk").open("a") as rules:
        rules.write(f"\n\n{find(*RULE).text}")
    study.finish("results/relations/responses/frequent.parquet")
    assert study.table("relations/responses/frequent.parquet").is_empty()


def test_our_side_of_every_comparison_with_other_libraries_runs(finished, monkeypatch):
    """Both sides run in `make test-peers`, where their numbers are compared."""
    monkeypatch.chdir(finished.folder)
    everything = {}
    for block in blocks(ROOT / "docs/compared.md", "python"):
        if re.search(r"^here = ", block.text, re.MULTILINE):
            code = block.text.replace('"gpt2"', '"data/causal"').replace('"bert-base-uncased"', '"data/masked"')
            exec(compile(code, block.place, "exec"), everything)
            assert everything["here"]
