"""The modules that `make mutants` changes. Its program needs an environment of its own, so that it is read, and not run."""

import ast

from tests.paths import ROOT, SCRIPTS


def test_every_module_that_mutants_are_made_of_exists():
    program = ast.parse((ROOT / "benchmarks" / "mutants.py").read_text())
    assigned = {
        target.id: node.value
        for node in program.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    patterns = eval(compile(ast.Expression(assigned["VALUES"]), "mutants.py", "eval"))
    files = {pattern: [*(SCRIPTS / "relprobe").glob(pattern)] for pattern in patterns}
    assert [pattern for pattern, found in files.items() if not found] == []
    assert len(set().union(*files.values())) > 60
