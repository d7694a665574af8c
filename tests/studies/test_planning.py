"""Snakemake reads the rules at the start of every run, and in every job on a cluster: that takes no library of seconds."""

import re
import subprocess
import sys

from relprobe.studies import STUDIES

from tests.paths import ROOT

SLOW = {"torch", "transformers", "nltk", "scipy", "statsmodels", "matplotlib", "wordfreq", "inflect", "sklearn"}


def test_the_rules_import_no_library_that_takes_long():
    rules = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "workflow/rules").rglob("*.smk")))
    modules = {
        *re.findall(r"from (relprobe[.\w]*) import", rules),
        *(f"relprobe.studies.{one}.study" for one in STUDIES),
    }
    assert {"relprobe.studies.config", "relprobe.core.digest"} <= modules
    code = f"import sys, {', '.join(sorted(modules))}; print(*sys.modules)"
    scripts = ROOT / "workflow/scripts"
    done = subprocess.run([sys.executable, "-c", code], cwd=scripts, capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in done.stdout.split()} & SLOW == set()


def parents(code):
    """Rule -> the rule that it takes its parts from, in a file of rules."""
    return {
        name: parent
        for parent, name in re.findall(r"^ *use rule (\w+)(?: from \w+)? as (\w+) with", code, re.MULTILINE)
    }


def inheriting_twice(files):
    """The rules that take their parts from one that takes its own from a third."""
    all_parents = {name: parent for code in files for name, parent in parents(code).items()}
    return sorted(name for name, parent in all_parents.items() if parent in all_parents)


def test_a_rule_is_read_with_the_one_that_it_inherits_from_and_no_other():
    """Who reads a rule sees all files that it has, and one base beside it."""
    assert inheriting_twice(["use rule a as b with:\n    input:\n", "    use rule b as c with:\n"]) == ["c"]
    files = [file.read_text("utf-8") for file in (ROOT / "workflow/rules").glob("*.smk")]
    assert inheriting_twice(files) == []
    assert len(parents("\n".join(files))) > 50
