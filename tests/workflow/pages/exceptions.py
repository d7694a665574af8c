"""What no test runs of the pages, and why. Such a command is only parsed, and noted where a page has it."""

ONLY_PARSED = {
    "pip install": "it downloads from a registry; tests/package/wheel/test_wheel.py builds the wheel and installs it",
    "curl": "it asks a server, of vLLM or in the network",
    "vllm serve": "vLLM is no requirement of the tests, and its model is one of 70 billion parameters",
    "pytest -m slow -s tests/lm/served": "these tests need servers of their own, and are skipped without them",
    "lm_eval": "the harness has an environment of its own; tests/export/test_lm_eval.py runs it in `make test-peers`",
    "every_eval_ever validate": "the package needs Python 3.12; tests/export/test_every_eval_ever.py has its schemas",
    "hf upload": "it writes to the model hub, with the account of whoever does so",
    "python -m build": "the tests do not install build; tests/package/wheel/test_wheel.py calls its backend, hatchling",
    "snakedeploy deploy-workflow": "it takes a published version from an address",
    "python -m benchmarks.": "it computes for minutes or hours, in `make bench`",
    "bash .ci/run": "it runs all tests, of which this is one",
    "relprobe run --ask-anew": "it deletes answers, and cannot be tried; tests/workflow/test_every_option.py runs it",
    "snakemake definitions --rulegraph": "it prints a graph for Graphviz, which is no requirement",
}
"""The beginning of a command -> why it is only parsed."""

PYTHON = {
    (
        "docs/exchange.md",
        "import datasets",
    ): "datasets is no requirement; tests/export/test_dataset.py reads where it is",
    (
        "docs/how-to/write-a-paper.md",
        "trials.parquet",
    ): "a run does not make trials; tests/workflow/test_paper.py makes them and runs the block",
    ("docs/how-to/write-a-paper.md", "\\usepackage"): "LaTeX is no requirement",
    ("docs/how-to/write-a-paper.md", "\\includegraphics"): "LaTeX is no requirement",
    ("docs/how-to/write-a-paper.md", "\\RelationsSoundness"): "LaTeX is no requirement",
    ("docs/how-to/write-a-paper.md", "library(lme4)"): "R is no requirement",
    ("docs/how-to/read-results.md", "library(arrow)"): "R is no requirement",
    ("docs/how-to/read-results.md", "SELECT agent"): "DuckDB is no requirement",
}
