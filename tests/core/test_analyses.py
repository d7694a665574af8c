"""The files of analyses: what is read of them, and what is refused."""

import ast
import importlib
import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from math import inf

import pytest
from relprobe.core.analyses import NAMES_OF_SOME_STUDIES, STEP, analyses_of, dotted_names, facts_of, read, steps_of
from relprobe.core.cli import contents_of, function_of
from relprobe.core.errors import DataError
from relprobe.core.former_names import ANALYSIS_NAMES
from relprobe.core.study import Roles, study_of
from relprobe.report.documents import read_sections
from relprobe.report.shown import STUDIES as FOLDERS
from relprobe.report.shown import page_of, read_page
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES
from relprobe.studies.definitions.schemas import POS

from tests.closure import statements
from tests.paths import ROOT, SCRIPTS
from tests.trees import tree_of

ROLES = Roles(["gpt2"], [], [], [], {}, {})
EVERY = [(study, analysis) for study in STUDIES for analysis in analyses_of(study)]
SECTION = '## Words\n\n```yaml\ntable: words\n```\n\nThe words.\n"""\n'


def written(tmp_path, text):
    file = tmp_path / "words.py"
    file.write_text(text)
    return file


def test_the_first_paragraph_is_the_code_and_the_rest_the_page(tmp_path):
    file = written(tmp_path, f'# A comment.\n"""What it is.\n\n{SECTION}PLACE = 2\nTABLES, FIGURES = {{}}, {{}}\n')
    analysis = read(file, "plurals")
    assert (analysis.line, analysis.position) == (4, 2)
    assert analysis.page.startswith("## Words")
    assert {"PLACE", "TABLES", "FIGURES"} == analysis.names
    assert analysis.module == "relprobe.studies.plurals.analyses.words"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("TABLES = {}\n", "words.py says nothing of itself: begin it"),
        ('"""What', r"words.py is no Python \(.*\): correct it"),
        ('"""What."""\nPLACE = "first"\n', "PLACE is no number: write one, such as PLACE = 2, or 2.5"),
        ('"""What."""\nPLACE = True\n', "PLACE is no number"),
        ('"""What."""\nhas = lambda config, roles: {}\n', "has is no function of the file: write `def has"),
        ('"""What."""\nTABLES_READ = ["overview"]\n', "TABLES_READ is no tuple of names: write one, such as"),
        ('"""What."""\nTABLES_READ = ("overview", 3)\n', "TABLES_READ is no tuple of names"),
        ('"""What."""\nTABLES_READ = tuple(SOME)\n', "TABLES_READ is no tuple of names"),
    ],
)
def test_what_is_no_analysis_is_refused(tmp_path, text, sentence):
    with pytest.raises(DataError, match=sentence):
        read(written(tmp_path, text))


@pytest.mark.parametrize("former", ANALYSIS_NAMES)
def test_a_former_name_is_refused_with_the_one_that_a_study_takes(former, tmp_path):
    """Nothing would take it, and the tables of the file would be missing without a word."""
    name = ANALYSIS_NAMES[former]
    assert name in {*NAMES_OF_SOME_STUDIES, STEP}
    with pytest.raises(DataError, match=f"words.py: what was {former} in an analysis is {name} now: rename it"):
        read(written(tmp_path, f'"""What."""\n{former} = 1\n'))


def test_the_page_begins_two_lines_below_a_first_paragraph_of_any_length(tmp_path):
    analysis = read(written(tmp_path, f'"""What it is,\nand what\nit holds.\n\n{SECTION}'), "plurals")
    assert (analysis.line, analysis.says) == (5, "What it is, and what it holds.")


def test_the_tables_and_the_parameters_are_those_that_the_file_names(tmp_path):
    text = (
        '"""What."""\nimport math\n\nTABLES = {}\nTABLES_READ = ("overview", "words")\n\n\n'
        'class Files:\n    """What is read."""\n\n    lists: int\n    SOME = 3\n\n    def of_list(self): ...\n\n\n'
        "def other(nothing): ...\n\n\ndef make_exhibits(tests, files: Files, *, drawing: str): ...\n"
    )
    analysis = read(written(tmp_path, text), "plurals")
    assert analysis.tables == ("overview", "words")
    assert analysis.reads == ("tests", "lists", "drawing")
    without = read(written(tmp_path, '"""What."""\n\n\ndef other(nothing): ...\n'), "plurals")
    assert (without.tables, without.reads) == ((), ())


def test_a_mistake_in_a_section_is_said_with_its_line(tmp_path):
    file = written(tmp_path, '"""What it is.\n\n' + SECTION.replace("table: words", "table: words\nplce: 1"))
    with pytest.raises(DataError, match=r"words.py, line 3: a table has no key 'plce'"):
        read_page(FOLDERS / "degrees/page.md", lambda: study_of("degrees").metrics(), [read(file)])


def test_text_between_the_code_and_the_sections_is_refused(tmp_path):
    file = written(tmp_path, f'"""What it is.\n\nMore.\n\n{SECTION}')
    with pytest.raises(DataError, match=r"words.py, line 3: between the first paragraph and the first section"):
        read_page(FOLDERS / "degrees/page.md", lambda: study_of("degrees").metrics(), [read(file)])


@pytest.mark.parametrize(("study", "gone"), EVERY, ids=[f"{study} {analysis.path.stem}" for study, analysis in EVERY])
def test_a_page_does_without_each_analysis(study, gone):
    def page(analyses):
        return read_page(FOLDERS / study / "page.md", lambda: study_of(study).metrics(), analyses)

    every = {exhibit.title for exhibit in page(analyses_of(study)).exhibits}
    left = page([analysis for analysis in analyses_of(study) if analysis is not gone]).exhibits
    assert {exhibit.title for exhibit in left} < every


def test_an_analysis_stands_between_two_without_a_change_of_theirs(tmp_path):
    places = ["1", "2", "1.5"]
    files = [written(tmp_path, f'"""What."""\nPLACE = {place}\n').rename(tmp_path / f"{place}.py") for place in places]
    assert sorted(map(read, files), key=lambda analysis: analysis.position)[1].position == 1.5


@pytest.mark.parametrize("study", STUDIES)
def test_no_two_analyses_of_a_study_have_the_same_place(study):
    """Their names would decide which comes first on the page."""
    positions = [analysis.position for analysis in analyses_of(study)]
    assert len(set(positions)) == len(positions)


HAS = '"""What it is."""\n\nLIMIT = 3\n\n\ndef has(config: Config, roles: Roles) -> dict[str, bool]:\n    '


def with_functions(monkeypatch, tmp_path, *bodies):
    """Let a study have an analysis with each of these bodies of `has`."""
    files = []
    for number, body in enumerate(bodies):
        (tmp_path / str(number)).mkdir()
        files.append(read(written(tmp_path / str(number), HAS + body)))
    monkeypatch.setattr("relprobe.core.analyses.analyses_of", lambda _: tuple(files))


def test_what_a_run_has_is_said_by_the_file_which_is_not_run(tmp_path, monkeypatch):
    body = (
        "import math\n    return {'long': config['limit'] > math.inf, 'models': bool(roles.models)}\nimport missing\n"
    )
    with_functions(monkeypatch, tmp_path, body, "return {'models': True}\n")
    assert facts_of("plurals", {"limit": 3}, ROLES) == {"long": False, "models": True}


def test_an_analysis_that_says_nothing_of_a_run_and_has_no_step_is_not_asked(tmp_path, monkeypatch):
    analysis = read(written(tmp_path, '"""What."""\nTABLES = {}\n'), "plurals")
    monkeypatch.setattr("relprobe.core.analyses.analyses_of", lambda _: (analysis,))
    assert facts_of("plurals", {}, ROLES) == steps_of("plurals") == {}


@pytest.mark.parametrize(
    ("bodies", "sentence"),
    [
        (["return {'long': config['limit'] > LIMIT}\n"], "words.py: the function has uses LIMIT of its file, which is"),
        (["return {'long': config['limit']}\n"], "words.py: its function has fails .'limit'.: correct it"),
        (
            ["return {'long': True}\n", "return {'long': False}\n"],
            "1/words.py: has says of long what another analysis of",
        ),
        (["return {'long': 3}\n"], r"words.py: has returns {'long': 3}: let it return names with True or False"),
        (["return {'long': True, 'models': 3}\n"], "words.py: has returns {'long': True, 'models': 3}: let it"),
        (["pass\n"], "words.py: has returns None: let it return names"),
    ],
    ids=["a name of its file", "a key that is missing", "two that differ", "a number", "a number, too", "nothing"],
)
def test_what_a_run_has_ends_in_a_sentence_where_it_cannot_be_known(bodies, sentence, tmp_path, monkeypatch):
    with pytest.raises(DataError, match=sentence):
        with_functions(monkeypatch, tmp_path, *bodies)
        facts_of("plurals", {}, ROLES)


@pytest.mark.parametrize("study", STUDIES)
def test_what_an_analysis_alone_may_lack_its_file_says(study):
    """What page.md and report/shared.md name, the study and the agents say; deleting the file leaves none of the rest."""
    page_conditions = {
        *read_page(FOLDERS / study / "page.md", lambda: study_of(study).metrics()).may_lack,
        *ROLES.facts(),
    }
    for analysis in analyses_of(study):
        begin, *_ = read_sections(analysis.page, analysis.path, analysis.line)
        if {*begin.block.get("may_lack", ())} - page_conditions:
            assert "has" in analysis.names, analysis.path


@pytest.mark.parametrize("study", STUDIES)
def test_each_analysis_of_a_study_has_a_place_of_its_own_on_the_page(study):
    """So that a page has one order; analyses without a place come last."""
    places = [analysis.position for analysis in analyses_of(study) if analysis.position < inf]
    assert len(set(places)) == len(places)


ROOT_OF_STUDIES = ROOT / "workflow/scripts/relprobe/studies"
NOT_OF_AN_ANALYSIS = {
    *("relations/first_related", "relations/outside"),  # metrics
    "definitions/large_groups",  # a key of the configuration
    *("relations/top_words", "relations/writing", "relations/series"),  # files, or kinds of these
    *(f"{study}/series" for study in STUDIES),  # which the engine's steps make where agents have layers
}
"""Names of tables that something else in the study has, too."""


def names_elsewhere(study, analysis):
    """Return where other files of a study name the file of an analysis, or look up a table of it (but in TABLES_READ)."""
    own = [exhibit.name for exhibit in page_of(study).exhibits if exhibit.location.startswith(str(analysis.path))]
    names = [name for name in own if f"{study}/{name}" not in NOT_OF_AN_ANALYSIS]
    either = "|".join(map(re.escape, names)) or "(?!)"
    with_underscore = "|".join(re.escape(name) for name in names if "_" in name) or "(?!)"  # no word of other meanings
    patterns = [
        rf"\banalyses[./]{analysis.name}\b",  # an import, or a path
        rf"tables/(?:{either})\.\w",  # a file
        rf"""tables\w*(?:\[|\.get\()["'](?:{either})["']|["'](?:{either})["'] (?:not )?in \w*tables""",
        rf"""\bname (?:==|!=) ["'](?:{either})["']|^ *["'](?:{either})["']: _\w+_address""",
        rf"""rows \+= \[\(["'](?:{either})["']""",
        rf"""["'](?:{with_underscore})["']""",
    ]
    declared = [
        other.path for other in analyses_of(study) if {*other.tables} & {*own}
    ]  # it reads them if they are there
    files = [file for file in (ROOT_OF_STUDIES / study).rglob("*.py") if file not in (analysis.path, *declared)]
    for file in [*files, ROOT_OF_STUDIES / study / "page.md", ROOT / f"workflow/rules/{study}.smk"]:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if any(re.search(pattern, line) for pattern in patterns):
                yield f"{file.relative_to(ROOT)}:{number}: {line.strip()}"


@pytest.mark.parametrize(("study", "analysis"), EVERY, ids=[f"{study} {analysis.name}" for study, analysis in EVERY])
def test_no_other_file_of_the_study_names_an_analysis_or_its_tables(study, analysis):
    """What belongs to an analysis stands in its file, so that deleting this leaves nothing."""
    assert list(names_elsewhere(study, analysis)) == []


def test_what_names_an_analysis_is_found(tmp_path, monkeypatch):
    """Each way in which a file of a study has named a table of an analysis."""
    (tmp_path / "workflow/rules").mkdir(parents=True)
    folder = tmp_path / "definitions"
    folder.mkdir()
    lines = [
        'if "leaks" not in tables:',
        'notes = run.tables["leaks"]',
        "from relprobe.studies.definitions.analyses.leaks import told",
        '    "leaks": _task_address,',
        'behind = "leaks" if name == "leaks" else "overview"',
        'rows += [("leaks", NO_LEAKS)]',
    ]
    (folder / "page.py").write_text("\n".join([*lines, "leaks = 1  # no table"]))
    (folder / "page.md").write_text("")
    (tmp_path / "workflow/rules/definitions.smk").write_text("x = '<results>/definitions/tables/leaks.parquet'\n")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "ROOT_OF_STUDIES", tmp_path)
    (leaks,) = (analysis for analysis in analyses_of("definitions") if analysis.name == "leaks")
    assert len(list(names_elsewhere("definitions", leaks))) == len(lines) + 1


def conditions_of(analysis):
    """Return the conditions that an analysis adds to those of the study, and the columns that it describes items with.

    Each is in the parts between its commas, without those that other conditions have, too, such as a part of speech.
    """
    module = importlib.import_module(analysis.module)
    subsets = getattr(module, "SUBSETS", None)
    names = [] if subsets is None else [*subsets.across, *(name for pos in POS for name in subsets.pos_conditions(pos))]
    columns = [*module.COLUMNS] if "describe" in analysis.names else []
    return {part for name in [*names, *columns] for part in name.split(", ") if part not in POS}


@cache
def texts_of(file):
    """Return the line and the text of each string of a module, but of its docstrings; of an f-string the fixed parts."""
    tree = ast.parse(file.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in said)
    return [(node.lineno, node.value) for node in constants if isinstance(node.value, str)]


def conditions_elsewhere(study, analysis):
    """Return where other files of a study name a condition, or a column, that is an analysis' own, or begin such a name."""
    parts = conditions_of(analysis)
    for file in (ROOT_OF_STUDIES / study).rglob("*.py"):
        for line, text in texts_of(file) if file != analysis.path else ():
            words = [word for word in text.split(", ") if len(word) > 3 and word not in POS]
            begun = [word for word in words if word.endswith(" ")]
            if parts & {*words} or any(part.startswith(word) for word in begun for part in parts):
                yield f"{file.relative_to(ROOT_OF_STUDIES)}:{line}: {text}"


@pytest.mark.parametrize(("study", "analysis"), EVERY, ids=[f"{study} {analysis.name}" for study, analysis in EVERY])
def test_no_other_file_of_the_study_names_the_conditions_of_an_analysis(study, analysis):
    """Another analysis shows them through what this one declares (`Subsets`)."""
    assert list(conditions_elsewhere(study, analysis)) == []


def test_what_names_a_condition_is_found(tmp_path, monkeypatch):
    """Each way in which a file of the study has named one, and what is no such name."""
    (tmp_path / "definitions").mkdir()
    lines = [
        'deep = table["condition"].str.starts_with("noun, depth ")',
        'renamed = {f"{pos}, leak-free": pos for pos in POS}',
        'BANDS = [f"{pos}, {band}" for band in ("rare", "medium")]',
        'has = "leak" in properties.columns',
    ]
    others = ['"""A noun, rare or not."""', 'x = ["noun", ", ", "depth of the noun\'s synset"]']
    (tmp_path / "definitions/page.py").write_text("\n".join([*others, *lines]))
    monkeypatch.setitem(globals(), "ROOT_OF_STUDIES", tmp_path)
    found = [
        line for study, analysis in EVERY if study == "definitions" for line in conditions_elsewhere(study, analysis)
    ]
    assert sorted({int(line.split(":")[1]) for line in found}) == [3, 4, 5, 6]


TAKEN = r'(?:take|analysis_parts|tables_of|dotted_names)\("{study}", ((?:"\w+"(?:, )?)+)'
SHARED = {"tables_by_layer": "tables_of_layers", "tables_by_agent": "agent_table"}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_says_what_it_takes_of_its_analyses(study):
    """What its own files and rules ask analyses for, and what the steps of all studies ask through its files."""
    files = [*(ROOT_OF_STUDIES / study).rglob("*.py"), ROOT / f"workflow/rules/{study}.smk"]
    text = "\n".join(file.read_text("utf-8") for file in files)
    asked = {name for names in re.findall(TAKEN.format(study=study), text) for name in re.findall(r"\w+", names)}
    asked |= {name for function, name in SHARED.items() if f'{function}("{study}"' in text}
    asked |= {"TABLES_READ"} if "DERIVED_TABLES" in asked else set()
    assert asked & NAMES_OF_SOME_STUDIES == {*study_of(study).takes}


def test_what_a_study_does_not_take_is_refused_and_not_passed_over(tmp_path, monkeypatch):
    file = read(written(tmp_path, '"""What."""\n\nagent_table = None\nTABLES = {}\n'))
    monkeypatch.setattr("relprobe.report.shown.analyses_of", lambda study: (file,))
    sentence = (
        "words.py: pairs takes no agent_table of its analyses (it takes tables_of_layers and published): leave it out"
    )
    with pytest.raises(DataError, match=re.escape(sentence)):
        page_of.__wrapped__("pairs")
    page_of.__wrapped__("degrees")  # it takes one
    monkeypatch.setattr("relprobe.report.shown.study_of", lambda study: replace(study_of(study), takes=()))
    with pytest.raises(DataError, match="pairs takes no agent_table of its analyses: leave it out"):
        page_of.__wrapped__("pairs")


FINDERS = ("take", "tables_of", "makers")
"""Functions that find what analyses define under a name, their second argument; no digest sees what they find."""


@cache
def found_by():
    """What functions of the package find of analyses: file and function -> names."""
    found = defaultdict(set)
    for path in sorted((SCRIPTS / "relprobe").rglob("*.py")):
        file = path.relative_to(SCRIPTS / "relprobe").as_posix()
        for statement in tree_of(path.read_text("utf-8")).body:
            for call in ast.walk(statement):
                match call:
                    case ast.Call(func=ast.Name(id=finder), args=[_, ast.Constant(value=name), *_]) if (
                        finder in FINDERS
                    ):
                        found[file, statement.name].add(name)
    return found


def found_of_analyses(study, step, also):
    """What a step finds of its study's analyses. `also`: the names of definitions that count as its code."""
    code = statements(function_of(GROUPS[study], step), dotted_names(study, *also))
    return {name for file, part in code for function in part["defines"] for name in found_by()[file, function]}


def named_by_rules():
    """What the rules name of analyses for a step: study and step -> names. The last steps are those of all studies."""
    text = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "workflow/rules").rglob("*.smk")))
    settings = re.compile(r"^([A-Z_]+) = \{(.*?)\}$", flags=re.MULTILINE | re.DOTALL)
    shared = dict(settings.findall(text))
    last = ast.literal_eval(f"{{{shared['ANALYSIS_NAMES']}}}")
    named = {(study, step): {*names} for study in STUDIES for step, names in last.items()}
    for rule in re.split(r"^ *(?:use )?rule[ :]", settings.sub("", text), flags=re.MULTILINE):
        written = re.sub(r"\*\*([A-Z_]+)", lambda match: shared.get(match[1], ""), rule)
        step = re.search(r'\*\*step(?:_of_study)?\(\s*(?:"(\w+)",\s*)?"(\w+)"', written)
        names = re.search(r'(?:analysis_parts\("\w+"|dotted_names\(wildcards\.study), (.*?)\)', written)
        for study in ([step[1]] if step[1] else STUDIES) if step and names else ():
            named[study, step[2]] = {*re.findall(r'"(\w+)"', names[1])}
    return named


def test_the_rule_of_a_step_names_all_that_the_step_finds_of_analyses():
    """So an analysis that is edited, added or deleted runs these steps again, and no other ones."""
    named, last = named_by_rules(), defaultdict(set)
    for study in STUDIES:
        for step in contents_of(GROUPS[study]):
            names = named.get((study, step), set())
            found = found_of_analyses(study, step, names)
            if step in ("compare", "show", "figures"):
                assert found <= names, (study, step)
                last[step] |= found
            else:
                assert found == names, (study, step)
    assert last == {step: named["relations", step] for step in last}


def test_an_analysis_that_reads_tokens_of_agents_is_told_which_of_them_were_asked_in_a_chat():
    """The tokens of their replies are other words (`token_words`)."""
    reading = [analysis for analysis in analyses_of("relations") if any("lexicons" in name for name in analysis.reads)]
    assert {analysis.name for analysis in reading} >= {"shots", "spaces"}
    assert not [analysis.name for analysis in reading if "chat_agents" not in analysis.reads]
