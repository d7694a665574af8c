import pytest
from relprobe.core.errors import DataError
from relprobe.sources import category_norms


def read(path, frequency=1):
    return category_norms.read(path, {"exemplar": "HPO", "part": "MER"}, frequency)


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "norms.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("category", "row"),
    [
        ("metal", ("metal", "HPO", "iron")),
        ("type of fabric", ("fabric", "HPO", "iron")),
        ("kind of money", ("money", "HPO", "iron")),
        ("article of clothing", ("clothing", "HPO", "iron")),
        ("part of a building", ("building", "MER", "iron")),
        ("part of the body", ("body", "MER", "iron")),
        ("part of the human body", ("body", "MER", "iron")),
        ("part of speech", ("speech", "MER", "iron")),
        ("unit of time", ("unit of time", "HPO", "iron")),  # no lexicon holds it
        ("party", ("party", "HPO", "iron")),
    ],
)
def test_what_a_category_stands_for(tmp_path, category, row):
    assert read(write(tmp_path, f"word,catname\niron,{category}\n")).rows() == [(*row, ["category_norms"])]


def test_other_columns_and_another_order_do_not_matter(tmp_path):
    path = write(tmp_path, 'id,catname,total,word\n1,metal,0.9,"iron"\n')
    assert read(path).rows() == [("metal", "HPO", "iron", ["category_norms"])]


def test_blanks_around_the_words_are_dropped(tmp_path):
    assert read(write(tmp_path, "word,catname\n iron , metal \n"))[0, "relatum"] == "iron"


def test_exemplars_that_few_people_named_are_left_out(tmp_path):
    path = write(tmp_path, "word,catname,freq\niron,metal,10\ngold,metal,9\n")
    assert read(path, 10)["relatum"].to_list() == ["iron"]
    assert read(path)["relatum"].to_list() == ["iron", "gold"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("word,catname\niron,metal\n", "has no column freq"),
        ("word,catname,freq\niron,metal,many\n", "line 2: freq should be a whole number, but is 'many'"),
        ("word,catname,freq\niron,metal\n", "line 2: 2 fields where 3 are expected"),
    ],
)
def test_a_file_that_does_not_say_how_many_people_is_refused_when_that_is_asked(tmp_path, text, sentence):
    with pytest.raises(DataError, match=sentence):
        read(write(tmp_path, text), 2)


def test_a_million_people_at_most_named_an_exemplar(tmp_path):
    assert read(write(tmp_path, "word,catname,freq\niron,metal,1000000\n"), 2).height == 1
    with pytest.raises(DataError, match="line 2: freq should be a whole number, but is '1000001'"):
        read(write(tmp_path, "word,catname,freq\niron,metal,1000001\n"), 2)


def test_duplicates_are_read_once(tmp_path):
    assert read(write(tmp_path, "word,catname\niron,metal\niron,metal\n")).height == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_byte_order_marks_and_windows_line_ends(tmp_path, encoding, newline):
    text = "word,catname\niron,metal\n".replace("\n", newline)
    assert read(write(tmp_path, text, encoding)).rows() == [("metal", "HPO", "iron", ["category_norms"])]


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("word,category", "catname"),
        ("exemplar,catname", "word"),
        ("a,b", "word and no catname"),
        ("", "word and no"),
    ],
)
def test_another_header_is_refused(tmp_path, header, missing):
    with pytest.raises(
        DataError, match=rf"norms\.csv: the first line must have word,catname, but .* has no column {missing}"
    ):
        read(write(tmp_path, f"{header}\n"))


@pytest.mark.parametrize("line", [",metal", "iron,", " ,metal"])
def test_an_empty_word_or_category_is_refused_by_its_line(tmp_path, line):
    with pytest.raises(DataError, match=r"norms\.csv, line 3: the word or its category is empty\.$"):
        read(write(tmp_path, f"word,catname\ngold,metal\n{line}\n"))


@pytest.mark.parametrize("rows_before", [0, 20_000], ids=["in the first block", "far down"])
def test_another_encoding_is_refused(tmp_path, rows_before):
    path = write(tmp_path, "word,catname\n" + "iron,metal\n" * rows_before + "café,place\n", "latin-1")
    with pytest.raises(DataError, match=r"is not UTF-8 \(.*\): convert it, for example with iconv\.$"):
        read(path)


def test_rows_of_a_kind_that_no_relation_has_are_left_out(tmp_path):
    path = write(tmp_path, "word,catname\niron,metal\nwing,part of a bird\n")
    assert category_norms.read(path, {"part": "MER"})["relatum"].to_list() == ["wing"]
