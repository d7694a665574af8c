"""The digest of a step's code: which edits change it, and which do not."""

import ast
import copy
import errno
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from relprobe.core import digest as module
from relprobe.core.cli import contents_of, function_of
from relprobe.core.digest import digest
from relprobe.core.scopes import defined_names, module_names
from relprobe.steps import GROUPS

from tests.closure import statements
from tests.paths import SCRIPTS
from tests.trees import tree_of

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
    for function in vars(module).values():
        if hasattr(function, "cache_clear"):
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
        ("text", "return text.upper()", "return upper.__name__", {"answers", "tables"}),
        ("steps", "{OTHER}", "{OTHER + 1}", {"tables"}),  # inside an f-string
        ("__init__", "", "print(1)\n", {"answers", "tables"}),  # Python runs a package before its modules
        ("__init__", "", "X = 1\n", set()),
        ("text", "def upper", "WORDS = 1\n\n\ndef upper", {"tables"}),  # which imports the module in its function
        ("model", "def answer", "WORDS = 1\n\n\ndef answer", set()),
        ("model", "def answer", "print(1)\n\n\ndef answer", {"answers"}),
        ("model", "def answer", "for name in 'ab':\n    print(name)\n\n\ndef answer", {"answers"}),
        ("model", "def answer", "@answer.register\ndef _(word): ...\n\n\ndef answer", {"answers"}),
        ("model", "def answer", "@upper.register\ndef _(word): ...\n\n\ndef answer", {"answers"}),
        ("model", "def answer", "@len\ndef other(word): ...\n\n\ndef answer", set()),
        ("model", "def answer", "import relprobe.toy.unused\n\n\ndef answer", {"answers"}),  # for what it does
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
        "from relprobe.toy.unused import A\nupper.limit = A",
        "def upper(text):\n    from relprobe.toy.unused import A",
    ],
)
def test_every_form_of_import_is_seen(scripts, statement):
    with (scripts / "relprobe/toy/text.py").open("a") as file:
        file.write(statement + "\n")
    assert changed_steps(scripts, "unused", "1", "2") == {"answers", "tables"}


@pytest.mark.parametrize(
    ("line", "use", "steps"),
    [
        ("from relprobe.toy import unused", "unused.B", set()),
        ("from relprobe.toy import unused", "unused.A", {"tables"}),
        ("from relprobe.toy import unused as u", "u.B", set()),
        ("from relprobe.toy import unused as u", "u.A.real", {"tables"}),
        ("import relprobe.toy.unused as u", "u.B", set()),
        ("import relprobe.toy.unused as u", "vars(u)", {"tables"}),
        ("from relprobe.toy import unused", "getattr(unused, 'B')", {"tables"}),
        ("import relprobe.toy.unused", "relprobe.toy.unused.B", {"tables"}),  # as a whole: relprobe is no module of it
    ],
)
def test_of_a_module_that_a_name_stands_for_what_is_used_counts(scripts, line, use, steps):
    """`tables` uses the module unused in `use`; then its A changes."""
    (scripts / "relprobe/toy/unused.py").write_text("A = 1\nB = 1\n")
    text = STEPS.replace("from pathlib import Path\n", f"from pathlib import Path\n\n{line}\n").replace(
        "{OTHER}", f"{{{use}}}"
    )
    (scripts / "relprobe/toy/steps.py").write_text(text)
    assert changed_steps(scripts, "unused", "A = 1", "A = 2") == steps


@pytest.mark.parametrize(("line", "steps"), [("", set()), ("print(A)\n", {"answers", "tables"})])
def test_an_import_that_its_module_does_not_use_counts_for_what_it_does(scripts, line, steps):
    with (scripts / "relprobe/toy/text.py").open("a") as file:
        file.write("from relprobe.toy.unused import A\n")
    with (scripts / "relprobe/toy/unused.py").open("a") as file:
        file.write(f"B = 1\n{line}")
    assert changed_steps(scripts, "unused", "A = 1", "A = 2") == steps | {
        "tables"
    }  # which takes all of the module text


def test_an_import_beside_others_changes_what_uses_it_alone(scripts):
    with (scripts / "relprobe/toy/model.py").open("a") as file:
        file.write("\n\ndef other():\n    return A\n")
    line = "from relprobe.toy.text import upper"
    assert changed_steps(scripts, "model", line, f"from relprobe.toy.unused import A\n{line}") == set()
    assert changed_steps(scripts, "model", f"{line}\n", f"{line}, lower\n") == set()  # nobody here uses lower


def test_a_statement_that_is_moved_changes_nothing(scripts):
    before = digests(scripts)
    toy = scripts / "relprobe/toy"
    (toy / "deep").mkdir()
    (toy / "deep/__init__.py").touch()
    (toy / "deep/limits.py").write_text('"""Limits."""\n\nLIMIT = 3\n')  # a constant, from the module of steps
    (toy / "deep/words.py").write_text(TEXT)  # a whole module
    (toy / "text.py").unlink()
    (toy / "deep/answers.py").write_text(MODEL.replace("toy.text", "toy.deep.words"))  # one that imports it
    (toy / "model.py").write_text("from relprobe.toy.deep.answers import answer\n\n__all__ = ['answer']\n")  # again
    steps = STEPS.replace("LIMIT = 3\n", "").replace(
        "from relprobe.toy import text", "from relprobe.toy.deep import words"
    )
    steps = steps.replace("from pathlib", "from relprobe.toy.deep.limits import LIMIT\nfrom pathlib")
    (toy / "steps.py").write_text(
        steps.replace("toy.model", "toy.deep.answers").replace("words  #", "words as text  #")
    )
    assert digests(scripts) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from math import log2 as log", "from math import log10 as log"),
        ("from math import log2 as log", "from numpy import log2 as log"),
        ("from math import log", "from relprobe.toy.unused import log"),
        ("from relprobe.toy.unused import log", "from relprobe.toy.types import log"),
        ("from relprobe.toy.unused import log", "from relprobe.toy.unused import exp as log"),
        ("import math as m\nlog = m.log", "import numpy as m\nlog = m.log"),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_a_name_that_stands_for_something_else_changes_what_uses_it(scripts, inside, old, new):
    """All that the old and the new import lead to counts in both cases, so only what the name stands for differs."""
    toy = scripts / "relprobe/toy"
    (toy / "unused.py").write_text("def log(x): return 1\ndef exp(x): return 2\n")
    (toy / "types.py").write_text("def log(x): return 3\n")
    both = "from relprobe.toy import types, unused\nTABLES = vars(types), vars(unused)\n"
    lines, indented = old, old.replace("\n", "\n    ")
    body = f"{both}def upper(text):\n    {indented}\n    return log(text), TABLES\n"
    (toy / "text.py").write_text(body if inside else f"{both}{lines}\ndef upper(text):\n    return log(text), TABLES\n")
    new = new.replace("\n", "\n    ") if inside else new
    assert changed_steps(scripts, "text", indented if inside else lines, new) == {"answers", "tables"}


def test_a_parameter_with_the_name_of_another_step_is_not_that_step(scripts):
    with (scripts / "relprobe/toy/steps.py").open("a") as file:
        file.write("\n\ndef lengths(answers: Path, out: Path) -> None:\n    out.write_text(str(len(answers.name)))\n")
    before = digest("relprobe.toy.steps.lengths", scripts=scripts)
    changed_steps(scripts, "steps", 'answer("robin")', 'answer("wall")')
    assert digest("relprobe.toy.steps.lengths", scripts=scripts) == before


def test_a_field_of_a_class_with_the_name_of_a_function_is_not_that_function(scripts):
    with (scripts / "relprobe/toy/steps.py").open("a") as file:
        file.write(
            "\n\nclass Both:\n    shorten: int = OTHER\n\n\ndef fields(out: Path) -> None:\n    out.write_text(str(Both))\n"
        )
    before = digest("relprobe.toy.steps.fields", scripts=scripts)
    changed_steps(scripts, "steps", "text[:LIMIT]", "text[1:LIMIT]")
    assert digest("relprobe.toy.steps.fields", scripts=scripts) == before
    changed_steps(scripts, "steps", "OTHER = 4", "OTHER = 5")
    assert digest("relprobe.toy.steps.fields", scripts=scripts) != before


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


def test_a_module_that_a_rule_names_and_is_not_there_is_refused(scripts):
    with pytest.raises(ValueError, match=r"^there is no relprobe\.toy\.unuse, which the rule of .*tables names"):
        digest("relprobe.toy.steps.tables", ["relprobe.toy.unuse"], scripts)


def test_what_a_run_read_from_a_file_is_kept_until_the_file_changes(scripts, tmp_path, monkeypatch):
    (tmp_path / "study/.snakemake").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "study")
    before = digests(scripts)
    parsed = []
    monkeypatch.setattr(module, "_parsed", parsed.append)
    assert digests(scripts) == before
    assert parsed == []
    (scripts / "relprobe/toy/text.py").write_text("def upper(text):\n    return text.title()\n")
    with pytest.raises(TypeError):
        digests(scripts)
    assert parsed == [b"def upper(text):\n    return text.title()\n"]


def test_what_earlier_runs_took_digests_of_is_not_looked_at_again(scripts, kept, monkeypatch):
    texts = {text: digest("relprobe.toy.steps.tables", scripts=scripts, texts=[text]) for text in ("a", "b")}
    named = digest("relprobe.toy.steps.tables", ["relprobe.toy.unused"], scripts)
    before = digests(scripts)
    looked = []
    monkeypatch.setattr(module, "_closure", lambda *call: looked.append(call) or [])
    assert digests(scripts) == before
    assert {text: digest("relprobe.toy.steps.tables", scripts=scripts, texts=[text]) for text in texts} == texts
    assert digest("relprobe.toy.steps.tables", ["relprobe.toy.unused"], scripts) == named
    assert looked == []
    (scripts / "relprobe/toy/unused.py").write_text("A = 2\n")
    digests(scripts)
    assert len(looked) == 2


@pytest.fixture
def kept(scripts, tmp_path, monkeypatch):
    """The folder of a study in which the digests of the toy package are kept."""
    (tmp_path / "study/.snakemake").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "study")
    return tmp_path / "study" / module.CACHE


DAMAGES = [
    "",
    "{",
    "[]",
    "7",
    "null",
    "{}",
    '{"digests": {"x": 3}}',
    '{"digests": [0]}',
    '{"statements": 3}',
    '{"statements": [{"defines": []}]}',
    "\udcff",
]


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
    assert digests(scripts) == {"answers": "49f84d7f614a", "tables": "379e9d8f1283"}


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


MOVED = "relprobe.core.moved"
"""How the name of a module begins that holds a moved definition."""


def move(scripts, file, name, number):
    """Move a definition of the package into a module of its own, from which its former module imports it."""
    path = scripts / file
    tree = ast.parse(path.read_text())
    statement = next(one for one in tree.body if name in defined_names(one))
    imports = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    known = {one for each in imports for one in defined_names(each)}
    own = {one for each in tree.body for one in defined_names(each)} - known
    used = sorted(({one.partition(".")[0] for one in module_names(statement)} & own) - {name})
    former, module = file.removesuffix(".py").replace("/", "."), f"{MOVED}{number}"
    names = ast.parse(f"from {former} import {', '.join(used)}").body if used else []
    (scripts / f"{module.replace('.', '/')}.py").write_text(with_used_imports([*imports, *names, statement]))
    tree.body[tree.body.index(statement)] = ast.parse(f"from {module} import {name}").body[0]
    moved = [one for one in tree.body if isinstance(one, ast.ImportFrom) and str(one.module).startswith(MOVED)]
    path.write_text(with_used_imports(tree.body, *(alias.name for one in moved for alias in one.names)))


def with_used_imports(body, *kept):
    """The text of a module without the imports that nothing in it uses, as a linter would leave it."""
    body = copy.deepcopy(body)
    imports = [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]
    used = {name.partition(".")[0] for one in body if one not in imports for name in module_names(one)} | {*kept}
    for one in imports:
        one.names = [alias for alias in one.names if (alias.asname or alias.name.partition(".")[0]) in used]
    return ast.unparse(ast.Module([one for one in body if one not in imports or one.names], []))


def test_any_definition_of_the_package_may_be_moved(tmp_path):
    """Twenty definitions that steps use, drawn at random; each use of one is an import from its new module in between."""
    shutil.copytree(
        SCRIPTS / "relprobe", tmp_path / "relprobe", ignore=shutil.ignore_patterns("__pycache__", "_workflow")
    )
    names = sorted(set(steps()))
    used = {
        (f"relprobe/{file}", one["defines"][0])
        for name in names
        for file, one in statements(name)
        if len(one["defines"]) == 1
        and one["text"]
        and f"{file[:-3].replace('/', '.')}.{one['defines'][0]}" not in names
    }
    used -= {(file, name) for file, name in used if any(step.endswith(f".{name}") for step in names)}
    for number, (file, name) in enumerate(random.Random(1).sample(sorted(used), 20)):
        move(tmp_path, file, name, number)
    assert {name: digest(name, scripts=tmp_path) for name in names} == {name: digest(name) for name in names}


def definitions(step):
    """The definitions that a step needs, by the folder or study of their files: relations -> what, lm -> what, …"""
    found = {}
    for file, statement in statements(step):
        found.setdefault(file.removeprefix("studies/").partition("/")[0], set()).update(statement["defines"])
    return found


def test_scores_do_not_depend_on_gold_data_metrics_or_reports():
    found = definitions("relprobe.studies.relations.scoring.scores")
    assert "slot_top_k" in found["lm"]
    assert {"scores", "requests", "premise_requests", "PROBES"} <= found["relations"]
    assert not {"GoldStandard", "TUPLES", "METRICS", "Prompt", "closed_probes", "words"} & found["relations"]
    assert not {"stats", "report", "sources"} & found.keys()


def test_metrics_depend_on_the_metrics_but_not_on_the_engine():
    step = "relprobe.studies.relations.agents.model_metrics"
    found = definitions(step)
    assert {"soundness", "GoldStandard"} <= found["relations"]
    assert "slot_top_k" not in found.get("lm", ())


@pytest.mark.parametrize("step", sorted(steps()))
def test_every_step_has_a_digest(step):
    assert len(digest(step)) == 12


@pytest.mark.parametrize("path", sorted((SCRIPTS / "relprobe").rglob("*.py")), ids=lambda path: path.stem)
def test_no_module_imports_in_a_way_that_the_digest_misses(path):
    imports = [node for node in ast.walk(tree_of(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports if node.level] == []


def test_a_step_that_no_module_defines_is_refused():
    with pytest.raises(ValueError, match="there is no function lexica"):
        digest("relprobe.lm.words.lexicon.lexica")
