import ast
from pathlib import Path

import pytest
import relprobe
from relprobe.provenance import modules

SCRIPTS = Path(relprobe.__file__).parent.parent


def closure(script):
    return {str(path.relative_to(SCRIPTS)) for path in modules(SCRIPTS / script)}


def test_an_entry_point_is_made_of_itself_and_what_it_imports_through_others(tmp_path):
    (tmp_path / "entry.py").write_text("import os\nfrom relprobe import manifest\n")
    found = modules(tmp_path / "entry.py")
    assert found == sorted(
        [
            tmp_path.resolve() / "entry.py",
            *(SCRIPTS / f"relprobe/{name}.py" for name in ("errors", "files", "manifest")),
        ]
    )


@pytest.mark.parametrize(
    "statement",
    [
        "import relprobe.stats",
        "import relprobe.stats as s",
        "from relprobe import stats",
        "from relprobe.stats import holm",
        "def f():\n    from relprobe.stats import holm",
    ],
)
def test_every_form_of_import_is_seen(tmp_path, statement):
    (tmp_path / "entry.py").write_text(statement)
    assert SCRIPTS / "relprobe/stats.py" in modules(tmp_path / "entry.py")


def test_scores_do_not_hang_on_gold_data_metrics_or_reports():
    found = closure("relations_scores.py")
    assert {"relations_scores.py", "relprobe/lm/scoring.py", "relprobe/relations/requests.py"} <= found
    later = ("metrics", "analyses", "stats", "report", "figures", "pages", "responses", "schemas", "build", "relation")
    assert not {Path(name).stem for name in found} & set(later)
    assert not any(name.startswith("relprobe/sources/") for name in found)


def test_metrics_hang_on_the_metrics_but_not_on_the_engine():
    found = closure("relations_metrics.py")
    assert {"relprobe/relations/metrics.py", "relprobe/relation.py"} <= found
    assert "relprobe/lm/scoring.py" not in found


@pytest.mark.parametrize("script", sorted(path.name for path in SCRIPTS.glob("*.py")))
def test_no_module_imports_in_a_way_that_the_closure_misses(script):
    for path in modules(SCRIPTS / script):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path}: relative import"
