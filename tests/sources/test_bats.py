import pytest
from relprobe.core.errors import DataError
from relprobe.sources.bats import read

from tests import paths

DATA = paths.DATA / "bats"


def write(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(text.encode())


def test_files_of_all_folders_are_read_in_the_order_of_their_codes(tmp_path):
    write(tmp_path / "3", "E01 [country - capital].txt", "paris\tfrance\nrome\titaly\n")
    write(tmp_path / "2", "D01 [noun+less_reg].txt", "arm\tarmless\n")
    write(tmp_path / "2", "README.txt", "nothing")
    table = read(tmp_path)
    assert table.select("relation", "name", "head").rows() == [
        ("D01", "noun+less_reg", "arm"),
        ("E01", "country - capital", "paris"),
        ("E01", "country - capital", "rome"),
    ]


@pytest.mark.parametrize(
    "name", ["X01 [things].txt", "E01[country].txt", "E01.txt", "E1 [country].txt", "[country].txt"]
)
def test_a_file_that_is_named_almost_like_a_relation_is_refused(tmp_path, name):
    write(tmp_path, "E01 [country - capital].txt", "paris\tfrance\n")
    write(tmp_path, name, "thing\tother\n")
    with pytest.raises(
        DataError, match=r"has no name like .*: rename it, or give relations of other groups as a CSV"
    ) as caught:
        read(tmp_path)
    assert name in str(caught.value)


def test_answers_are_parted_at_slashes_and_underscores_are_blanks(tmp_path):
    # BATS has CRLF in two files, a slash at the end of a line, and answers that come twice.
    write(tmp_path, "L01 [hypernyms - animals].txt", "sea_cow\tliving_thing/animal/animal/\r\n \r\ncat\tfeline\r\n")
    assert read(tmp_path).select("head", "answers").rows() == [
        ("sea cow", ["living thing", "animal"]),
        ("cat", ["feline"]),
    ]


@pytest.mark.parametrize("text", ["", "\n \r\n"])
def test_a_file_without_pairs_does_not_vanish(tmp_path, text):
    write(tmp_path, "E01 [country - capital].txt", text)
    write(tmp_path, "E02 [country - language].txt", "france\tfrench\n")
    with pytest.raises(DataError, match=r"E01 .*\.txt holds no pairs: get it anew, or remove it"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("_\tfrance\n", "line 1: '_\\tfrance' is no head, tab and answers"),
        ("paris\t_/ _\n", "line 1: "),
        ("paris france\n", "line 1: 'paris france' is no head, tab and answers"),
        ("paris\tfrance\nrome\t/\n", "line 2: "),
        ("paris\tfrance\nparis\ttexas\n", "line 2: the head 'paris' comes a second time: unite its answers."),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path, text, said):
    write(tmp_path, "E01 [country - capital].txt", text)
    with pytest.raises(DataError, match="country - capital") as caught:
        read(tmp_path)
    assert said in str(caught.value)


def test_a_folder_of_other_files_is_named(tmp_path):
    with pytest.raises(DataError, match=r"holds no file like .* give the folder of BATS 3\.0"):
        read(tmp_path)


def test_two_files_of_one_relation_are_refused(tmp_path):
    write(tmp_path / "a", "E01 [country - capital].txt", "paris\tfrance\n")
    write(tmp_path / "b", "E01 [capitals].txt", "rome\titaly\n")
    with pytest.raises(DataError, match="several files of the relation E01"):
        read(tmp_path)


@pytest.mark.skipif(not DATA.is_dir(), reason="BATS is not at hand")
def test_bats_has_forty_relations_of_fifty_pairs():
    table = read(DATA)
    sizes = table.group_by("relation").len()
    assert (table.height, sizes.height, set(sizes["len"])) == (2000, 40, {50})
    assert not any("\r" in answer for answers in table["answers"] for answer in answers)
