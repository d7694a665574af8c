import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own import tuples as own_tuples

HEADER = "target,relation,relatum\n"

CODES = ("HYP", "HPO", "HOL", "MER", "ANT", "SYN")


def read(path):
    return own_tuples.read(path, CODES)


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "own.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_a_row_is_a_tuple(tmp_path):
    path = write(tmp_path, f"{HEADER}robin,HYP,bird\nnight, ANT , day\n")
    assert read(path).rows() == [("robin", "HYP", "bird", ["own_tuples"]), ("night", "ANT", "day", ["own_tuples"])]


def test_a_header_alone_is_refused_at_once(tmp_path):
    with pytest.raises(DataError, match=r"own\.csv holds no tuples: add a line such as robin,HYP,bird\.$"):
        read(write(tmp_path, f"{HEADER}\n,,\n"))


def test_empty_lines_and_duplicates_do_not_count(tmp_path):
    assert read(write(tmp_path, f"{HEADER}robin,HYP,bird\n\nrobin,HYP,bird\n\n")).height == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_byte_order_marks_and_windows_line_ends(tmp_path, encoding, newline):
    text = f"{HEADER}café,HYP,place\n".replace("\n", newline)
    assert read(write(tmp_path, text, encoding)).rows() == [("café", "HYP", "place", ["own_tuples"])]


@pytest.mark.parametrize("text", ["", "target,relation\n", "robin,HYP,bird\n", "target|relation|relatum\n"])
def test_another_header_is_refused(tmp_path, text):
    with pytest.raises(
        DataError, match=r"own\.csv: the first line must be target,relation,relatum, but .* has no column "
    ):
        read(write(tmp_path, text))


@pytest.mark.parametrize(
    ("line", "fields", "remedy"), [("robin,HYP", 2, "separate them by commas"), ("robin,HYP,bird,animal", 4, "put a")]
)
def test_a_line_of_another_length_is_refused_by_its_number(tmp_path, line, fields, remedy):
    with pytest.raises(DataError, match=rf"own\.csv, line 4: {fields} fields where 3 are expected: {remedy}"):
        read(write(tmp_path, f"{HEADER}robin,HYP,animal\n\n{line}\n"))


@pytest.mark.parametrize("relation", ["hyp", "IS-A", ""])
def test_an_unknown_relation_is_refused(tmp_path, relation):
    known = "HYP, HPO, HOL, MER, ANT, SYN"
    with pytest.raises(DataError, match=rf"line 2: unknown relation '{relation}'; the relations file has {known}\.$"):
        read(write(tmp_path, f"{HEADER}robin,{relation},bird\n"))


@pytest.mark.parametrize(("target", "relatum"), [("", "bird"), ("robin", " ")])
def test_empty_words_are_refused(tmp_path, target, relatum):
    with pytest.raises(DataError, match="line 2: target and relatum must not be empty: "):
        read(write(tmp_path, f"{HEADER}{target},HYP,{relatum}\n"))


def test_expressions_of_several_words_are_words(tmp_path):
    assert read(write(tmp_path, f"{HEADER}ice  cream,HYP,frozen dessert\n")).rows() == [
        ("ice cream", "HYP", "frozen dessert", ["own_tuples"])
    ]


def test_another_encoding_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"own\.csv is not UTF-8 \(.*\): convert it, for example with iconv\.$"):
        read(write(tmp_path, f"{HEADER}café,HYP,place\n", "latin-1"))
