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
