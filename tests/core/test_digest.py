"""The digest of a step's code: which edits change it, and which do not."""

import ast
import errno
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from relprobe.core import digest as module
from relprobe.core.cli import contents_of, function_of
from relprobe.core.digest import digest, modules
from relprobe.steps import GROUPS

from tests.paths import SCRIPTS

STEPS = '''"""The steps of a toy."""

from pathlib import Path

LIMIT = 3
"""Words of an answer."""
OTHER = 4


def answers(out: Path) -> None:
    """Write answers."""
    from relprobe.toy.model import answer

    out.write_text(shorten(answer("robin")))


def shorten(text: str) -> str:
    return text[:LIMIT]


def tables(out: Path) -> None:
    """Write tables."""
    from relprobe.toy import text  # a module, not a name in one

    out.write_text(f"{text.upper('x'):>{OTHER}}")
'''
MODEL = '''"""A model."""

from typing import TYPE_CHECKING

from relprobe.toy.text import upper

if TYPE_CHECKING:
    from relprobe.toy.types import Word


def answer(word: "Word") -> str:
    """Answer a word."""
    return upper(word)  # loud
'''
TEXT = "def upper(text):\n    return text.upper()\n"


@pytest.fixture
def scripts(tmp_path):
    """Write a toy package: a module of steps, two modules that it imports, and two that it does not."""
    toy = tmp_path / "relprobe/toy"
    toy.mkdir(parents=True)
    (toy.parent / "__init__.py").touch()
    files = {"__init__": "", "steps": STEPS, "model": MODEL, "text": TEXT, "types": "Word = str\n", "unused": "A = 1\n"}
    for name, text in files.items():
        (toy / f"{name}.py").write_text(text)
    return tmp_path


def forget_files():
    """Let the next digest read the files anew, as another process would."""
    for function in (module._code_of, module._files, module._listing, module._neighbours, module._tree):
        function.cache_clear()


def digests(scripts):
    forget_files()
    return {step: digest(f"relprobe.toy.steps.{step}", scripts=scripts) for step in ("answers", "tables")}


def changed_steps(scripts, file, old, new):
    """Replace `old` by `new` in a file; return the steps whose digest changes."""
    before = digests(scripts)
    path = scripts / f"relprobe/toy/{file}.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    after = digests(scripts)
    return {step for step in before if before[step] != after[step]}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("model", "  # loud", ""),
        ("model", '"""Answer a word."""', '"""Answer a word aloud."""'),
        ("model", '    """Answer a word."""\n', ""),
        ("model", "return upper(word)", "return upper(\n        word,\n    )"),
        ("model", "import Word", "import Word, Other"),
        ("types", "str", "bytes"),
        ("unused", "1", "2"),
        ("steps", '"""Words of an answer."""', '"""Letters of an answer."""'),
        ("steps", "\n\n\ndef tables", "\n\n# The tables follow.\n\n\ndef tables"),
    ],
)
def test_comments_docstrings_layout_and_types_change_nothing(scripts, file, old, new):
    assert changed_steps(scripts, file, old, new) == set()


@pytest.mark.parametrize(
    ("file", "old", "new", "steps"),
    [
        ("text", "text.upper()", "text.lower()", {"answers", "tables"}),
        ("model", "upper(word)", "upper(word) * 2", {"answers"}),
        ("steps", "text[:LIMIT]", "text[LIMIT:]", {"answers"}),  # of a function that the step calls
        ("steps", "LIMIT = 3", "LIMIT = 5", {"answers"}),
        ("steps", "OTHER = 4", "OTHER = 5", {"tables"}),
        ("steps", "upper('x')", "upper('y')", {"tables"}),
        ("steps", "{OTHER}", "{OTHER + 1}", {"tables"}),  # inside an f-string
        ("__init__", "", "X = 1\n", {"answers", "tables"}),  # Python runs a package before its modules
    ],
)
def test_a_changed_statement_changes_the_steps_that_use_it(scripts, file, old, new, steps):
    assert changed_steps(scripts, file, old, new) == steps


@pytest.mark.parametrize(
    "statement",
    [
        "import relprobe.toy.unused",
        "import relprobe.toy.unused as u",
        "from relprobe.toy import unused",
        "from relprobe.toy.unused import A",
        "def f():\n    from relprobe.toy.unused import A",
    ],
)
def test_every_form_of_import_is_seen(scripts, statement):
    with (scripts / "relprobe/toy/text.py").open("a") as file:
        file.write(statement + "\n")
    assert changed_steps(scripts, "unused", "1", "2") == {"answers", "tables"}


def test_a_parameter_with_the_name_of_another_step_is_not_that_step(scripts):
    with (scripts / "relprobe/toy/steps.py").open("a") as file:
        file.write("\n\ndef lengths(answers: Path, out: Path) -> None:\n    out.write_text(str(len(answers.name)))\n")
    before = digest("relprobe.toy.steps.lengths", scripts=scripts)
    changed_steps(scripts, "steps", 'answer("robin")', 'answer("wall")')
    assert digest("relprobe.toy.steps.lengths", scripts=scripts) == before


def test_a_module_that_importlib_imports_counts_if_also_names_it(scripts):
    name = ["relprobe.toy.unused"]
    before = digest("relprobe.toy.steps.tables", name, scripts)
    (scripts / "relprobe/toy/unused.py").write_text("A = 2\n")
    forget_files()
    assert digest("relprobe.toy.steps.tables", name, scripts) != before


def test_other_texts_that_a_step_shows_are_a_part_of_its_digest(scripts):
    step = "relprobe.toy.steps.tables"
    one, other, both, none = (digest(step, scripts=scripts, texts=texts) for texts in (["a"], ["b"], ["a", "b"], []))
    assert len({one, other, both, none}) == 4
    assert none == digest(step, scripts=scripts)


def test_what_a_run_read_from_a_file_is_kept_until_the_file_changes(scripts, tmp_path, monkeypatch):
    (tmp_path / "study/.snakemake").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "study")
    before = digests(scripts)
    parsed = []
    monkeypatch.setattr(module, "_parsed", lambda source, _: parsed.append(source))
    assert digests(scripts) == before
    assert parsed == []
    (scripts / "relprobe/toy/text.py").write_text("def upper(text):\n    return text.title()\n")
    with pytest.raises(TypeError):
        digests(scripts)
    assert parsed == [b"def upper(text):\n    return text.title()\n"]


@pytest.fixture
def kept(scripts, tmp_path, monkeypatch):
    """The folder of a study in which the digests of the toy package are kept."""
    (tmp_path / "study/.snakemake").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "study")
    return tmp_path / "study" / module.KEPT


DAMAGES = ["", "{", "[]", "7", "null", "{}", '{"imports": 3, "text": "x"}', '{"imports": []}', "\udcff"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_of_what_is_kept_is_made_again(scripts, kept, damage):
    before = digests(scripts)
    whole = {file: file.read_bytes() for file in kept.iterdir()}
    assert whole
    for file in whole:
        file.write_bytes(damage.encode(errors="surrogateescape"))
    assert digests(scripts) == before
    assert {file: file.read_bytes() for file in kept.iterdir()} == whole


@pytest.mark.parametrize("name", ["mkdir", "write_text", "replace"])
def test_nothing_is_kept_where_the_disk_is_full_and_the_digests_are_the_same(scripts, kept, monkeypatch, name):
    real, expected = getattr(Path, name), digests(scripts)
    shutil.rmtree(kept)

    def full(self, *arguments, **options):
        if kept.name in self.parts and name == "write_text":
            real(self, "{", **options)  # a part of it is written
        if kept.name in self.parts:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
        return real(self, *arguments, **options)

    monkeypatch.setattr(Path, name, full)
    assert digests(scripts) == expected
    assert [file for file in kept.parent.rglob("*") if file.is_file()] == []


def test_the_digest_is_the_same_on_every_python(scripts):
    """The expected digests were computed on Python 3.11."""
    assert digests(scripts) == {"answers": "61db9b95cde3", "tables": "8fe05a914179"}


@pytest.mark.parametrize("python", ["python3.12", "python3.13", "python3.14"])
def test_other_pythons_on_this_machine_agree(python, scripts):
    if (
        shutil.which(python) is None
        or subprocess.run([python, "--version"], capture_output=True, check=False).returncode
    ):
        pytest.skip(f"there is no {python} on this machine")
    program = (
        "import sys; from pathlib import Path; from relprobe.core.digest import digest\n"
        "print(*[digest(f'relprobe.toy.steps.{step}', scripts=Path(sys.argv[1])) for step in ('answers', 'tables')])\n"
        "print(*[digest(name) for name in sys.argv[2:]])"
    )
    names = [f"{GROUPS['models']}.lexicon", function_of(GROUPS["degrees"], "scores")]
    command = [python, "-c", program, str(scripts), *names]
    output = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=True).stdout
    assert output.split() == [*digests(scripts).values(), *map(digest, names)]


def steps():
    """Yield the dotted names of all steps."""
    for group in GROUPS.values():
        yield from (function_of(group, name) for name in contents_of(group))


def closure(step):
    """The files of the modules that a step imports, directly or through others; its own is not one of them."""
    imports = module._step(step, SCRIPTS)["imports"]
    return {path.relative_to(SCRIPTS / "relprobe").as_posix() for path in modules(imports)}


def test_scores_do_not_depend_on_gold_data_metrics_or_reports():
    files = closure("relprobe.studies.relations.ask.scoring.scores")
    assert {"lm/primitives/slots.py", "studies/relations/ask/requests.py"} <= files
    later = {"metrics", "analyses", "stats", "page", "figures", "pages", "responses", "schemas", "build", "relation"}
    assert not {file.rpartition("/")[2].removesuffix(".py") for file in files} & later
    assert not any(
        file.startswith(("sources/", "report/")) for file in files - {"sources/__init__.py", "sources/cache.py"}
    )


def test_metrics_depend_on_the_metrics_but_not_on_the_engine():
    files = closure("relprobe.studies.relations.compare.agent_tables.agent_metrics")
    assert "studies/relations/measure/metrics.py" in files
    assert "lm/primitives/slots.py" not in files


@pytest.mark.parametrize("step", sorted(steps()))
def test_every_step_has_a_digest(step):
    assert len(digest(step)) == 12


@pytest.mark.parametrize("path", sorted((SCRIPTS / "relprobe").rglob("*.py")), ids=lambda path: path.stem)
def test_no_module_imports_in_a_way_that_the_digest_misses(path):
    imports = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports if node.level] == []


def test_a_step_that_no_module_defines_is_refused():
    with pytest.raises(ValueError, match="there is no function lexica"):
        digest("relprobe.lm.words.lexicon.lexica")
