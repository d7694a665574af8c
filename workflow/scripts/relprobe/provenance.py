"""Which modules an entry point is made of, so that a workflow can depend on them."""

import ast
from pathlib import Path


def modules(entry: Path) -> list[Path]:
    """Return the entry point and every module of this package that it imports, directly or through others, sorted.

    Found by reading the import statements; nothing is run.
    """
    root = Path(__file__).parent.parent
    found: set[Path] = set()
    todo = [entry.resolve()]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += _imported(path, root)
    return sorted(found)


def _imported(path: Path, root: Path) -> list[Path]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    files = (root / f"{name.replace('.', '/')}.py" for name in names if name.startswith("relprobe"))
    return [file for file in files if file.is_file()]
