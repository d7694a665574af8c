"""A table has one reading, however a person, a spreadsheet or another program writes it; or it is refused in one sentence.

The readers of users' files are found in the code, so that a new one cannot be forgotten here.
"""

import ast
import csv
import functools
import gzip
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relprobe.core.csv_schema import CsvSchema, read_rows, whole_number
from relprobe.core.errors import DataError
from relprobe.library import answers
from relprobe.lm.maps import layer_text
from relprobe.sources import category_norms, human_responses, hyperlex, language, relations, static_vectors
from relprobe.sources.own import (
    analogies,
    definition_answers,
    definitions,
    hyponyms,
    judged_pairs,
    norms,
    pairs,
    ratings,
    tuples,
    word_counts,
)
from relprobe.studies import conversations, examples
from relprobe.studies.definitions import patterns as definitions_prompts
from relprobe.studies.degrees import relations as degrees_relations
from relprobe.studies.pairs import prompts as pairs_prompts
from relprobe.studies.relations import prompts as relations_prompts
from relprobe.studies.relations import tuples as relations_tuples
from relprobe.studies.systematicity import prompts as systematicity_prompts

from tests.paths import ROOT, SCRIPTS
from tests.sources.test_readers_fuzz import PACKAGES
from tests.trees import tree_of

PACKAGE = SCRIPTS / "relprobe"
RESOURCES = ROOT / "resources"
CODES = ("HYP", "HPO")


@dataclass(frozen=True)
class Case:
    """A reader of tables, and a good table with accents and several rows. `as_written`: blanks count in its cells."""

    read: Callable[[Path], object]
    rows: tuple[tuple[str, ...], ...]
    as_written: bool = False
    long: bool = False
    name: str = "own.csv"


def read_article_table(path: Path) -> object:
    file = path.parent / "language.yaml"
    before = f"{{default: une, table: {path.name}}}"
    file.write_text(f"name: x\nwordfreq: fr\narticles: {{before_slot: [un, une], before_word: {before}}}\n")
    article = language.read(file).articles.before
    assert article is not None
    return [article(word) for word in ("café", "forêt", "clé")]


def rows(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split(",")) for line in text.split())


PAIRS = "\n".join(f"sizes,things,é{n},gros/énorme" for n in range(6))
TABLES = {
    "sources.own.tuples": Case(
        partial(tuples.read, codes=CODES),
        rows("target,relation,relatum\ncafé,HYP,lieu\néclair,HYP,pâte\nlieu,HPO,café"),
    ),
    "sources.own.ratings": Case(
        ratings.read,
        rows("relation,pair,rating,rater\noutil,outil:clé,6.5,anna\noutil,outil:clé,3,rené\noutil,é:a,1,anna"),
    ),
    "sources.own.judged_pairs": Case(
        judged_pairs.read,
        rows(
            "relation,target,candidate,label,rating,kind,rater\noutil,clé,métal,no,1.5,foil,anna\n"
            "outil,clé,outil,yes,6,,anna\noutil,clé,outil,yes,5,,rené"
        ),
    ),
    "sources.own.pairs": Case(pairs.read, rows("target,relation,relatum\ncafé,lieu,forêt\néclair,pâte,blé")),
    "sources.own.word_counts": Case(word_counts.read, rows("word,count\ncafé,57\nforêt,3")),
    "sources.own.hyponyms": Case(
        hyponyms.read, rows("hyponym,category,plural,sentence\némeu,oiseau,émeus,un.émeu.chante\nmoineau,oiseau,,")
    ),
    "sources.own.definitions": Case(
        definitions.read,
        rows("word,part_of_speech,definition,group,count\nforêt,noun,lieu.planté,lieux,7\ncafé,noun,lieu.à.thé,lieux,"),
        long=True,
    ),
    "sources.own.definition_answers": Case(
        definition_answers.read,
        rows("task,group,participant,candidate,rank\nw2d,é,anna,forêt,1\nw2d,é,anna,café,2\nw2d,é,rené,café,1"),
        long=True,
    ),
    "sources.own.analogies": Case(
        analogies.read, rows(f"relation,group,head,tails,marks\n{PAIRS.replace('orme', 'orme,many')}")
    ),
    "sources.own.norms": Case(norms.associations, rows("cue,R1,R2,R3\ncafé,thé,NA,noir\nforêt,vert,,")),
    "sources.own.norms (features)": Case(
        norms.feature_norms, rows("concept,feature,pf\ncafé,a_thé,3\nforêt,has_clé,4")
    ),
    "sources.category_norms": Case(
        partial(category_norms.read, codes={"exemplar": "HPO"}, frequency=2),
        rows("word,catname,freq\ncafé,thé,4\nblé,grain,2"),
    ),
    "sources.human_responses": Case(
        partial(human_responses.read, codes={}, articles=["un"]),
        rows(
            "target,relation,prompt,participant,rank,answer\ncafé,HYP,é-is,rené,1,thé\ncafé,HYP,é-is,anna,1,lieu\né,HYP,a,b,2,"
        ),
    ),
    "sources.language": Case(read_article_table, rows("word,article\ncafé,un\nforêt,la")),
    "studies.relations.tuples": Case(
        partial(relations_tuples.read_candidates, codes=CODES),
        rows("relation,candidate,target\nHYP,thé,café\nHYP,clé,\nHPO,lieu,"),
        as_written=True,
    ),
    "library.answers": Case(
        answers.read_probes, rows("text,candidate\nun.café,noir\nune.forêt,verte"), as_written=True, long=True
    ),
}
LINES = {
    "studies.relations.tuples": (relations_tuples.read_words, "café\nforêt\npâte brisée\n"),
    "library.answers": (answers.read_words, "café\nforêt\npâte brisée\n"),
    "sources.hyperlex": (
        partial(hyperlex.read, relations=relations.read(RESOURCES / "relations/english-nouns.yaml").entries),
        "WORD1 WORD2 POS TYPE\nrobin bird N hyp-1\ncafé lieu N hyp-2\n",
    ),
    "sources.human_responses": (partial(human_responses.read, codes={}), json.dumps(
        {"café": {"é": {"un [W] é": [["thé", "lieu"], ["clé"]]}}}, ensure_ascii=False
    )),
    "sources.static_vectors": (lambda path: vectors_of(path, ["café", "forêt", "CAFÉ"]), "café 1 0\nforêt 0 1\n"),
    "lm.maps.layer_text": (
        lambda path: layer_text.layer_text(file=path, sentences=200), "".join(f"le café n° {n}\n" for n in range(120))
    ),
    "sources.relations": (relations.read, "É1:\n  name: éé\n  symmetric: true\n"),
    "sources.language": (language.read, "name: français é\nwordfreq: fr\narticles:\n"),
    "studies.examples": (partial(examples.read, study="relations", width=2), "relations:\n  HYP:\n  - [café, lieu]\n"),
    "studies.conversations": (
        lambda path: conversations.read(path, "relations"), "relations:\n  system: é\n  instruction: Complète !\n"
    ),
    "studies.relations.prompts": (relations_prompts.read, "HYP:\n- {id: é-is, text: 'un [W] est é [V]'}\n"),
    "studies.definitions.patterns": (definitions_prompts.read, (RESOURCES / "prompts/definitions.yaml").read_text()),
    "studies.degrees.relations": (
        lambda path: degrees_relations.read_descriptions(path, ["1a"]), "1a: 'a [X] est é [Y]'\n"
    ),
    "studies.pairs.prompts": (pairs_prompts.read, (RESOURCES / "prompts/pairs.yaml").read_text()),
    "studies.systematicity.prompts": (
        systematicity_prompts.read, (RESOURCES / "prompts/systematicity.yaml").read_text()
    ),
}  # fmt: skip
FOLDERS = {"sources.bats": "bats", "sources.semeval2012": "semeval2012", "sources.semeval2012_ratings": "semeval2012",
           "sources.systematicity": "systematicity"}  # fmt: skip
OTHERS = {
    "core.csv_schema",
    "core.files",
    "core.content",
    "studies.config",
    "studies.sections",
    "report.shown",
    "sources.exported",  # tests/sources/test_exported.py
}
"""The reader itself; what takes the bytes of what it cannot read; the configuration, which has a test of its own;
and the pages of studies, which are of the package."""
PACKAGED = {"report.published"}
"""What reads tables of the package and none of a user."""
PAGES = "report.shown"
"""What reads the documents of the package, which tell of the studies' pages."""


def vectors_of(path: Path, words: list[str]) -> object:
    vectors = static_vectors.read(path.parent)
    return [None if (vector := vectors.of(word)) is None else vector.tolist() for word in words]


@functools.cache
def used() -> dict[str, set[str | None]]:
    """Module of the package -> the names that it calls, and what it imports, as "import csv"."""
    return {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts): set(names_in(tree_of(file.read_text("utf-8"))))
        for file in PACKAGE.rglob("*.py")
    }


def names_in(tree: ast.AST) -> Iterator[str | None]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", getattr(node.func, "attr", None))
        elif isinstance(node, ast.Import):
            yield from (f"import {one.name}" for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"import {node.module}"


def modules_with(*names: str) -> set[str]:
    """The modules of the package that call or import one of these."""
    return {module for module, own in used().items() if own & set(names)}


def test_every_reader_of_users_files_is_tried_here():
    tables = {name.partition(" ")[0] for name in TABLES}
    assert modules_with("CsvSchema") == tables
    texts = modules_with("read_own_text", "read_yaml", "read_rows") - OTHERS
    own = {name for name in texts if not name.startswith("command.") and "score_files" not in name}
    assert own - {PAGES} <= {*LINES, *FOLDERS}


def test_there_is_no_other_reader_of_tables():
    assert modules_with("import csv") == {"core.content", "core.csv_schema"}  # of which the first only compares
    assert modules_with("read_csv", "scan_csv", "loadtxt", "genfromtxt") == PACKAGED
    raw = modules_with("read_text") - {name for name in modules_with("read_text") if name.startswith("command.")}
    ours = {name for name in raw if name.startswith(("sources.", "studies.", "library."))}
    assert ours == {"sources.lexical.glosses", "sources.lexical.wordnet_synsets"}  # files of WordNet itself


def plain(value: object) -> object:
    """A value that a reader returns, in a form that can be compared, whatever the order and the lines of its rows."""
    if isinstance(value, pl.DataFrame):
        return sorted(map(repr, value.select(sorted(value.columns)).rows()))
    if isinstance(value, dict):
        return sorted((repr(key), plain(one)) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return sorted((plain(one) for one in value), key=repr)
    if is_dataclass(value):
        return [(one.name, plain(getattr(value, one.name))) for one in fields(value) if one.name != "line"]
    return repr(value) if not callable(value) else ""


@dataclass(frozen=True)
class Writing:
    """How a table is written."""

    mark: bool
    newline: str
    separator: str
    quoted: bool
    decomposed: bool
    blank_names: str  # what stands around the names of columns
    joint: str  # what stands between the words of such a name
    case: Callable[[str], str]
    blank_rows: int
    unnamed: bool  # an empty column without a name at the end, as spreadsheets write it
    told: bool  # whether a line for Excel tells the separator


WRITINGS = st.builds(
    Writing,
    mark=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    separator=st.sampled_from([",", ";"]),
    quoted=st.booleans(),
    decomposed=st.booleans(),
    blank_names=st.sampled_from(["", " ", "  ", "\u00a0"]),
    joint=st.sampled_from(["_", " ", "-", ""]),
    case=st.sampled_from([str, str.upper, str.capitalize]),
    blank_rows=st.integers(0, 3),
    unnamed=st.booleans(),
    told=st.booleans(),
)


def written(table: list[list[str]], how: Writing) -> bytes:
    """A table as a person, a spreadsheet or another program writes it."""
    names = [how.case(name).replace("_", how.joint) for name in table[0]]
    header = [f"{how.blank_names}{name}{how.blank_names}" for name in names]
    lines = [header, *table[1:], *([""] * len(header) for _ in range(how.blank_rows))]
    if how.unnamed:
        lines = [[*line, ""] for line in lines]
    buffer = io.StringIO()
    quoting = csv.QUOTE_ALL if how.quoted else csv.QUOTE_MINIMAL
    csv.writer(buffer, delimiter=how.separator, quoting=quoting, lineterminator=how.newline).writerows(lines)
    told = f"sep={how.separator}{how.newline}" if how.told else ""
    text = told + buffer.getvalue() + how.newline * how.blank_rows
    if how.decomposed:
        text = unicodedata.normalize("NFD", text)
    return text.encode("utf-8-sig" if how.mark else "utf-8")


def cells(case: Case) -> list[list[str]]:
    """The rows of a case; a point stands for a blank where the table is in one line here."""
    return [[cell if cell[:1].isdigit() else cell.replace(".", " ") for cell in row] for row in case.rows]


DRAWN = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_the_same_however_it_is_written(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    table = cells(case)
    plainly = Writing(False, "\n", ",", False, False, "", "_", str, 0, False, False)
    path.write_bytes(written(table, plainly))
    expected = plain(case.read(path))

    @DRAWN
    @given(how=WRITINGS, data=st.data())
    def attempt(how, data):
        columns = data.draw(st.permutations(range(len(table[0]))))
        order = [0, *data.draw(st.permutations(range(1, len(table))))]
        path.write_bytes(written([[table[row][column] for column in columns] for row in order], how))
        assert plain(case.read(path)) == expected

    attempt()


@pytest.mark.parametrize(
    "name",
    [
        *("sources.own.hyponyms", "sources.own.definitions", "sources.own.ratings", "sources.human_responses"),
        *("studies.relations.tuples", "sources.own.judged_pairs"),
    ],
)
def test_what_is_read_does_not_hang_on_the_order_of_rows(tmp_path, name):
    """Draws and numbers of later steps are of places. The steps sort own tuples and analogies themselves."""
    case, path = TABLES[name], tmp_path / TABLES[name].name
    header, *lines = cells(case)
    said = []
    for order in (lines, lines[::-1], lines[1:] + lines[:1]):
        path.write_text("\n".join(map(",".join, [header, *order])) + "\n")
        found = case.read(path)
        said.append(found.rows() if isinstance(found, pl.DataFrame) else [plain(one) for one in found])
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize("name", TABLES)
def test_a_quote_that_is_opened_and_not_closed_is_named_wherever_it_is(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    table = cells(case)

    @DRAWN
    @given(data=st.data(), separator=st.sampled_from([",", ";"]))
    def attempt(data, separator):
        row = data.draw(st.integers(0, len(table) - 1))
        column = data.draw(st.integers(0, len(table[0]) - 1))
        lines = [list(line) for line in table]
        lines[row][column] = f'"{lines[row][column]}'
        path.write_text("\n".join(map(separator.join, lines)) + "\n")
        with pytest.raises(DataError) as caught:
            case.read(path)
        assert f"{path}, line {row + 1}: a field that begins with a quote is not closed" in str(caught.value)

    attempt()


@pytest.mark.parametrize("name", [name for name, case in TABLES.items() if not case.long])
def test_two_quotes_that_open_fields_swallow_no_row(tmp_path, name):
    """The second one closes the first: what is between them would be one field of several lines."""
    case, path = TABLES[name], tmp_path / TABLES[name].name
    table = [list(row) for row in cells(case)]
    table[1][0], table[2][-1] = f'"{table[1][0]}', f'{table[2][-1]}"'
    path.write_text("\n".join(map(",".join, table)) + "\n")
    with pytest.raises(DataError, match="line 2: "):
        case.read(path)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [lines[0], f"{lines[1]},more"], "line 2: .* fields where .* are expected: put a field"),
        (lambda lines: [lines[0], lines[1].rpartition(",")[0]], "line 2: .* fields? where .* are expected: separate"),
        (lambda lines: [f"{lines[0]},{lines[0].split(',')[0].upper()}", f"{lines[1]},x"], "names the column .* twice"),
        (lambda lines: [lines[0], f"{lines[1]}\0"], "line 2: it holds NUL"),
        (lambda lines: [lines[0], lines[1], f"\ufeff{lines[0]}"], "line 3: it holds a byte-order mark"),
        (lambda lines: [lines[0].replace(",", "|"), lines[1]], "the first line must .* has no column"),
        (
            lambda lines: [lines[0].replace(",", ";", 1), lines[1]],
            "commas and semicolons|must be|must have|1 field where 2 are expected",
        ),
        (lambda lines: [f"{lines[0]},", f"{lines[1]},7"], "line 2: column .* has '7', but no name in the first line"),
    ],
)
def test_a_damaged_table_is_named(tmp_path, name, damage, said):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    path.write_text("\n".join(damage(list(map(",".join, cells(case))))) + "\n")
    with pytest.raises(DataError, match=said) as caught:
        case.read(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("name", TABLES)
def test_utf_16_has_its_sentence(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    path.write_text("\n".join(map(",".join, cells(case))), encoding="utf-16")
    with pytest.raises(DataError, match="is UTF-16: save it as UTF-8"):
        case.read(path)


@pytest.mark.parametrize("name", [name for name in TABLES if "norms" not in name or "category" in name])
def test_tabs_are_named_where_it_is_not_told_whether_quotes_are_text(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    path.write_text("\n".join(map("\t".join, cells(case))))
    with pytest.raises(DataError, match=r"tabs separate the columns.*: save it as CSV"):
        case.read(path)


def test_quotes_are_text_between_tabs(tmp_path):
    path = tmp_path / "swow.csv"
    path.write_text('cue\tresponse\tR1\nscreen\t"wide\t3\ninch\t5"\t2\nrose\t"flower"\t8\n')
    assert norms.associations(path).select("target", "word", "people").rows() == [
        ("screen", '"wide', 3), ("inch", '5"', 2), ("rose", '"flower"', 8)
    ]  # fmt: skip


UNSEEN = [
    "\u200b",
    "\xad",
    "\u200e",
    "\u200f",
    "\u2060",
    "\u202a",
    "\u2068",
    "\u2028",
    "\x07",
    "\x1b",
    "\x0c",
    "\x7f",
    "\x92",
]


@pytest.mark.parametrize("name", [name for name in TABLES if "own.norms" not in name])
def test_a_character_that_cannot_be_seen_makes_no_other_word(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name

    @DRAWN
    @given(data=st.data())
    def attempt(data):
        table = [list(row) for row in cells(case)]
        line, column = (data.draw(st.integers(0, len(one) - 1)) for one in (table, table[0]))
        cell = table[line][column]
        at, sign = data.draw(st.integers(0, len(cell))), data.draw(st.sampled_from([*UNSEEN, "\ufffd"]))
        table[line][column] = f"{cell[:at]}{sign}{cell[at:]}"
        path.write_text("\n".join(map(",".join, table)) + "\n")
        with pytest.raises(DataError, match=rf"line {line + 1}: it holds (U\+{ord(sign):04X}|\ufffd)"):
            case.read(path)

    attempt()


@pytest.mark.parametrize("sign", UNSEEN)
@pytest.mark.parametrize("name", ["studies.relations.tuples", "library.answers", "sources.hyperlex"])
def test_a_character_that_cannot_be_seen_makes_no_other_word_of_a_line(tmp_path, name, sign):
    read, text = LINES[name]
    (tmp_path / "own.txt").write_text(text.replace("café", f"ca{sign}fé"), newline="\n")
    with pytest.raises(DataError, match=rf"own.txt, line \d: it holds U\+{ord(sign):04X}"):
        read(tmp_path / "own.txt")


@pytest.mark.parametrize("word", ["می\u200cخواهم", "ភាសា\u200bខ្មែរ", "ภาษา\u200bไทย", "👩\u200d🔬", "क्\u200dष"])
def test_joiners_and_the_spaces_of_scripts_without_blanks_are_letters(tmp_path, word):
    (tmp_path / "own.csv").write_text(f"word,count\n{word},3\n")
    assert word_counts.read(tmp_path / "own.csv") == {word: 3}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("case_of", [str, str.upper])
def test_a_first_line_that_comes_again_is_no_row(tmp_path, name, case_of):
    """As in two files that were joined."""
    case, path = TABLES[name], tmp_path / TABLES[name].name
    header, *lines = map(",".join, cells(case))
    path.write_text("\n".join([header, *lines, case_of(header), *lines[:1]]) + "\n")
    with pytest.raises(DataError, match=f"line {len(lines) + 2}: the names of the columns come again"):
        case.read(path)


@pytest.mark.parametrize(
    "name", [name for name in TABLES if name not in ("sources.category_norms", "sources.language")]
)
def test_a_table_without_rows_is_refused(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    path.write_text(",".join(case.rows[0]) + "\n")
    with pytest.raises(DataError, match=r"holds no |has no row|there are no pairs"):
        case.read(path)


@pytest.mark.parametrize("name", TABLES)
def test_what_git_keeps_in_the_place_of_a_large_file_has_its_sentence(tmp_path, name):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
    with pytest.raises(DataError, match="is a pointer of Git LFS in the place of the file"):
        case.read(path)


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04\x14\x00\x06\xb5\xe5", gzip.compress(b"word,count\n", mtime=0), b"\xd0\xcf\x11\xe0\xa1\xb1"]
)
@pytest.mark.parametrize("name", TABLES)
def test_a_spreadsheet_or_a_compressed_file_has_its_sentence(tmp_path, name, content):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    path.write_bytes(content)
    with pytest.raises(DataError, match="is a compressed file, or one of a spreadsheet, and no text"):
        case.read(path)


@pytest.mark.parametrize(
    ("name", "column"),
    [("sources.own.ratings", 0), ("sources.own.ratings", 3), ("sources.own.hyponyms", 1), ("sources.own.definitions", 3),
     ("sources.own.definition_answers", 2), ("sources.own.analogies", 0), ("sources.own.analogies", 1),
     ("sources.human_responses", 3), ("sources.own.judged_pairs", 0), ("sources.own.judged_pairs", 6)],
)  # fmt: skip
def test_a_name_that_many_rows_share_has_one_spelling(tmp_path, name, column):
    """With another one, some of its rows would be those of another participant, category or group."""
    case, path = TABLES[name], tmp_path / TABLES[name].name
    table = [list(row) for row in cells(case)]
    own = table[1][column]
    other = (
        next(line for line in range(2, len(table)) if table[line][column] == own)
        if name != "sources.human_responses"
        else 2
    )
    table[other][column] = own.upper()
    path.write_text("\n".join(map(",".join, table)) + "\n")
    with pytest.raises(
        DataError, match=f"line {other + 1}: the .* {own.upper()!r} is {own!r} in line 2: write one of them"
    ):
        case.read(path)


@pytest.mark.parametrize("number", ["1_0", "²", "5 %", "1,5", "0x1", "nan", "inf", "-inf", "1e999", "½", "True"])
@pytest.mark.parametrize(
    ("name", "row"),
    [("sources.own.ratings", "a,a:b,{},x"), ("sources.own.word_counts", "a,{}"), ("sources.category_norms", "a,b,{}"),
     ("sources.own.norms (features)", "a,a_b,{}"), ("sources.own.definition_answers", "w2d,é,zoé,x,{}"),
     ("sources.own.definitions", "a,noun,b,lieux,{}")],
)  # fmt: skip
def test_what_is_no_number_is_refused(tmp_path, name, row, number):
    case, path = TABLES[name], tmp_path / TABLES[name].name
    cell = f'"{number}"' if "," in number else number
    path.write_text("\n".join([*map(",".join, cells(case)), row.format(cell)]) + "\n")
    with pytest.raises(DataError, match=rf"line {len(case.rows) + 1}: .*{re.escape(repr(number))}"):
        case.read(path)


def test_a_quote_inside_a_field_is_text_and_a_blank_before_one_is_not_guessed(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text('word,count\n5" pipe,3\n"say ""hm""", 4\n')
    assert word_counts.read(path) == {'5" pipe': 3, 'say "hm"': 4}
    path.write_text('text,candidate\na robin is a, "bird"\n')
    with pytest.raises(DataError, match="line 2: a blank stands before the quote"):
        answers.read_probes(path)


def test_a_field_of_several_lines_is_refused_where_none_is_needed(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text('word,count\n\nforest,1\n"say\nit",3\n')
    with pytest.raises(DataError, match="line 4: the field word goes on in the next line"):
        word_counts.read(path)
    path.write_text(
        'word,part_of_speech,definition,group\nforest,noun,"a place\nof trees",places\nx,noun,y,"places\n"\n'
    )
    with pytest.raises(DataError, match="line 4: the field group goes on"):
        definitions.read(path)
    path.write_text(path.read_text().replace('"places\n"', "places"))
    assert definitions.read(path)[0].definition == "a place of trees"


def test_the_sentence_of_a_first_line_says_what_must_stand_there(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("word,size\nforest,1\n")
    with pytest.raises(DataError, match="the first line must be word,count, but 'word,size' has no column count"):
        CsvSchema(("word", "count")).read(path)
    with pytest.raises(DataError, match="the first line must have word,count, but 'word,size' has no column count"):
        CsvSchema(("word", "count"), other_columns=True).read(path)
    path.write_text("word,count,size\n")
    with pytest.raises(DataError, match="must be word,count, but has the column 'size', too: delete it"):
        CsvSchema(("word", "count")).read(path)


def test_the_sentence_of_a_first_line_names_what_may_follow(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("size\nforest\n")
    with pytest.raises(DataError, match=r"must be word, and may go on with group and list, but .size. has no column"):
        CsvSchema(("word",), optional=("group", "list")).read(path)
    with pytest.raises(DataError, match="the first line must have word, but 'size' has no column word"):
        CsvSchema(("word",), optional=("group", "list"), other_columns=True).read(path)
    path.write_text("")
    with pytest.raises(DataError, match="must be word, but the file is empty and has no column word: correct it"):
        CsvSchema(("word",)).read(path)


def test_the_names_of_rows_that_r_writes_are_passed_over_and_stand_there_once(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(',word\n"1",forest\n"2",tree\n')
    assert [row.cells for row in CsvSchema(("word",)).read(path).rows] == [{"word": "forest"}, {"word": "tree"}]
    path.write_text(',word\n"1",forest\n"1",tree\n')
    with pytest.raises(DataError, match="line 3: '1', in the first column without a name, is in line 2 already: "):
        [*CsvSchema(("word",)).read(path).rows]
    path.write_text("word,\nforest,3\n")
    with pytest.raises(DataError, match="line 2: column 2 has '3', but no name in the first line: name it there"):
        [*CsvSchema(("word",)).read(path).rows]


def test_a_field_that_has_no_end_is_named_with_its_line(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text('word\nforest\n"' + "x" * (csv.field_size_limit() + 1) + '"\n')
    with pytest.raises(DataError, match="line 3: a field has more than 131,072 characters: is a quote not closed"):
        [*CsvSchema(("word",)).read(path).rows]


def test_blanks_in_a_column_without_a_name_are_nothing(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(",word, ,count\n ,forest,  ,1\n,tree,,2\n")
    found = CsvSchema(("word", "count")).read(path)
    assert [row.cells for row in found.rows] == [{"word": "forest", "count": "1"}, {"word": "tree", "count": "2"}]


def test_the_largest_number_is_one_of_those_that_are_taken():
    assert [whole_number(text, 90) for text in ("89", "90", "090", "91")] == [89, 90, 90, None]


def test_the_line_of_a_row_is_the_one_in_which_it_begins(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text('\n\nA,B\n1,"x\ny"\n\n ,\n2,z\n')
    found = CsvSchema(("a", "b"), long=("b",), as_written=True).read(path)
    assert [(row.line, row.cells) for row in found.rows] == [(4, {"a": "1", "b": "x\ny"}), (8, {"a": "2", "b": "z"})]


@pytest.mark.parametrize("mark", [False, True])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("name", LINES)
def test_a_text_says_the_same_however_it_is_written(tmp_path, name, mark, newline, form):
    read, text = LINES[name]
    path = tmp_path / "own.json"
    path.write_text(text, encoding="utf-8")
    expected = plain(read(path))
    other = unicodedata.normalize(form, text).replace("\n", newline)
    path.write_bytes(other.encode("utf-8-sig" if mark else "utf-8"))
    assert plain(read(path)) == expected


ACCENTED = {"bats": ("france", "fränçe"), "semeval2012": ("apple", "äpplé"), "systematicity": ("wren", "wrén")}
"""A word of each published folder, and what is written in its place."""


@pytest.mark.parametrize("name", sorted(set(FOLDERS.values())))
def test_published_files_say_the_same_however_they_are_saved(tmp_path, name):
    """With accents in one of their words: composed at first, then decomposed, with CR LF and a byte-order mark."""
    word, accented = ACCENTED[name]
    PACKAGES[name].write(tmp_path)
    files = {file: file.read_text("utf-8").replace(word, accented) for file in tmp_path.rglob("*.t*")}
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")
    expected = plain(PACKAGES[name].read(tmp_path))
    assert accented in repr(expected)
    for file, text in files.items():
        saved = unicodedata.normalize("NFD", text).replace("\r\n", "\n").replace("\n", "\r\n")
        file.write_bytes(saved.encode("utf-8-sig"))
    assert plain(PACKAGES[name].read(tmp_path)) == expected


@pytest.mark.parametrize(
    ("schema", "cells"),
    [
        (CsvSchema(("word", "count"), tabs=True), [('"robin"', "1"), ('"', "2")]),
        (CsvSchema(("word", "count")), [("robin", "1"), ("a b", "2")]),
    ],
    ids=["published", "own"],
)
def test_between_tabs_quotes_are_text_in_published_data_and_enclose_cells_in_a_users_own(schema, cells, tmp_path):
    second = '"' if schema.tabs else '"a\tb"'
    (tmp_path / "own.tsv").write_text(f'word\tcount\n"robin"\t1\n{second}\t2\n')
    assert [(row.cells["word"], row.cells["count"]) for row in schema.read(tmp_path / "own.tsv").rows] == cells
    (tmp_path / "own.csv").write_text('word,count\n"robin, a bird",1\n')
    (row,) = schema.read(tmp_path / "own.csv").rows
    assert row.cells["word"] == "robin, a bird"  # between commas they enclose cells in both


def test_rows_have_quotes_and_no_blanks_before_a_field_unless_it_is_said_otherwise():
    def rows(text, **options):
        return list(read_rows(Path("own.csv"), text, ",", **options))

    assert rows('a, "b, c"\n\nd,  e \n') == [(1, ["a", "b, c"]), (3, ["d", "e "])]
    assert rows("a,  e \n", blanks=True) == [(1, ["a", "  e "])]
    assert rows('a, "b, c"\n', quotes=False) == [(1, ["a", ' "b', ' c"'])]
