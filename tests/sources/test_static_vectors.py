import io
import tracemalloc

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.static_vectors import StaticVectors, cosine, read


def text_file(folder, text):
    folder.mkdir(exist_ok=True)
    (folder / "vectors.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def vectors(tmp_path):
    return read(text_file(tmp_path / "v", "robin 1 0\nbird 3 4\nNew 0 2\n"))


def test_a_word_has_its_vector_and_a_phrase_the_mean_of_its_words(vectors):
    assert vectors.of("bird").tolist() == [3, 4]
    assert vectors.of("robin bird").tolist() == [2, 2]
    assert vectors.of("robin_bird").tolist() == vectors.of("robin-bird").tolist() == [2, 2]


def test_a_word_with_a_hyphen_has_its_own_vector_where_there_is_one(tmp_path):
    vectors = read(text_file(tmp_path / "v", "well-known 1 0\nwell 0 4\nknown 0 2\nnew_york 6 6\n"))
    assert vectors.of("well-known").tolist() == vectors.of("Well-Known").tolist() == [1, 0]
    assert vectors.of("New_York").tolist() == [6, 6]
    assert vectors.of("well_known").tolist() == [0, 3]  # split: (0, 4) and (0, 2)
    assert vectors.of("well-known well-done").tolist() == [0.5, 2]  # (1, 0), and of "well-done" (0, 4) alone


def test_vectors_are_scaled_to_length_1(tmp_path):
    vectors = read(text_file(tmp_path / "v", "bird 3 4\nnothing 0 0\n"))
    matrix = vectors.unit(["bird", "nothing", "wug"])
    assert matrix[0] == pytest.approx([0.6, 0.8])
    assert np.isnan(matrix[1:]).all()


def test_a_text_file_is_held_once_in_memory(tmp_path):
    words, width = 2_000, 100
    line = " ".join(["0.25"] * width)
    folder = text_file(tmp_path / "v", "".join(f"w{i} {line}\n" for i in range(words)))
    tracemalloc.start()
    vectors = read(folder)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert vectors.matrix.shape == (words, width)
    assert vectors.matrix.sum() == words * width / 4
    names = 200 * words  # at most, a string and its place in a dictionary
    assert peak < 1.3 * words * width * 4 + names


def test_words_without_a_vector_are_left_out_of_a_phrase(vectors):
    assert vectors.of("big bird").tolist() == [3, 4]
    assert vectors.of("wug") is None


def test_a_word_is_looked_up_as_written_then_in_lower_case(vectors):
    assert vectors.of("New").tolist() == [0, 2]
    assert vectors.of("Robin").tolist() == [1, 0]


def test_a_word2vec_header_and_words_with_blanks_are_understood(tmp_path):
    vectors = read(text_file(tmp_path / "v", "2 3\nrobin 1 0 0\nNew York 0 1 2\n"))
    assert vectors.matrix.shape == (2, 3)
    assert vectors.rows == {"robin": 0, "New York": 1}


@pytest.mark.parametrize("kept", range(5))
@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_file_that_does_not_hold_what_its_header_announces_is_refused(tmp_path, kept, width, blank):
    """As a download that was cut off at the end of a line."""
    rows = [f"word{number} {' '.join(['0.5'] * width)}\n" for number in range(4)]
    folder = text_file(tmp_path / "v", f"{blank}4 3\n{''.join(rows[:kept])}")
    if (kept, width) == (4, 3):
        assert read(folder).of("word3").tolist() == [0.5] * 3
    else:
        said = r"vectors\.txt(: its first line announces 4 words with 3| holds no vectors)"
        with pytest.raises(DataError, match=said):
            read(folder)


def test_a_matrix_and_its_words(tmp_path):
    np.save(tmp_path / "m.npy", np.array([[1, 2], [3, 4]], np.float32))
    pl.DataFrame({"index": ["a", "b"]}).write_parquet(tmp_path / "w.parquet")
    assert read(tmp_path).of("b").tolist() == [3, 4]
    pl.DataFrame({"index": ["a"]}).write_parquet(tmp_path / "w.parquet")
    with pytest.raises(DataError, match=r"\(2, 2\), but .* 1 words"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (np.array([["1", "2"]]), r"m\.npy holds no numbers, but 2 values of <U1"),
        (np.array([[1, 2j]]), r"m\.npy holds no numbers, but 2 values of complex128"),
        (np.array([[1, np.nan]], np.float32), r"m\.npy holds a number that is not finite"),
        (np.array([[1, -np.inf]], np.float32), r"m\.npy holds a number that is not finite"),
        (np.array([[1, 1e300]]), r"m\.npy holds a number that is not finite"),
        (np.empty((1, 0)), r"m\.npy holds no numbers, but 0 values"),
    ],
)
def test_a_matrix_without_finite_numbers_says_so(tmp_path, matrix, sentence):
    np.save(tmp_path / "m.npy", matrix)
    pl.DataFrame({"index": ["a"]}).write_parquet(tmp_path / "w.parquet")
    with pytest.raises(DataError, match=sentence):
        read(tmp_path)


def test_an_archive_in_place_of_a_matrix_says_so(tmp_path):
    pl.DataFrame({"index": ["a"]}).write_parquet(tmp_path / "w.parquet")
    with (tmp_path / "m.npy").open("wb") as file:
        np.savez(file, m=np.array([[1.0, 2.0]]))
    for content in ((tmp_path / "m.npy").read_bytes(), b"PK\x03\x04 junk"):
        (tmp_path / "m.npy").write_bytes(content)
        with pytest.raises(DataError, match=r"cannot be read .* fetch them again"):
            read(tmp_path)


def npy(matrix):
    """The bytes of a `.npy` file."""
    file = io.BytesIO()
    np.save(file, matrix)
    return file.getvalue()


def words_and_matrix(folder, content):
    pl.DataFrame({"index": ["a", "b"]}).write_parquet(folder / "w.parquet")
    (folder / "m.npy").write_bytes(content)
    return folder


def test_a_matrix_that_python_2_wrote_is_read_without_a_warning(tmp_path):
    content = npy(np.array([[1, 2], [3, 4]], np.float32))
    assert b"(2, 2), }  " in content
    old = words_and_matrix(tmp_path, content.replace(b"(2, 2), }  ", b"(2L, 2L), }"))
    assert read(old).matrix.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("cut", [0, 1])
def test_a_header_with_a_line_break_too_many_says_so(tmp_path, cut):
    # numpy takes the end of this header for one that Python 2 wrote, and the numbers begin before their place.
    content = npy(np.array([[1, 2], [3, 4]], np.float32))
    at = content.index(b", }") + 3
    with pytest.raises(DataError, match=r"cannot be read \(there are bytes after the matrix\): fetch them again"):
        read(words_and_matrix(tmp_path, content[:at] + b"\r\n" + content[at + cut :]))


def test_a_list_of_other_things_than_words_says_so(tmp_path):
    np.save(tmp_path / "m.npy", np.array([[1, 2]], np.float32))
    pl.DataFrame({"index": [7]}).write_parquet(tmp_path / "w.parquet")
    with pytest.raises(DataError, match=r"w\.parquet begins with a column of Int64: give a table of words"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["m.npy", "w.parquet"])
def test_a_damaged_matrix_or_list_says_so(tmp_path, name):
    np.save(tmp_path / "m.npy", np.array([[1, 2]], np.float32))
    pl.DataFrame({"index": ["a"]}).write_parquet(tmp_path / "w.parquet")
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:20])
    with pytest.raises(DataError, match=r"cannot be read .* fetch them again") as error:
        read(tmp_path)
    assert "delete" not in str(error.value)  # the remedy for a result, which the user's own file is not


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("robin 1 0\nbird 3 x\n", "line 2: not all of its last 2 fields are numbers"),
        ("robin 1 0\nbird 3\n", "line 2: it has fewer than 2 numbers|line 2: not all"),
        ("robin 1 nan\n", "line 1: a number is not finite"),
        ("\n0\nbird 3 4\n", "line 2: '0' is followed by no numbers"),
        ("", "holds no vectors"),
    ],
)
def test_a_file_that_is_none_says_so(tmp_path, text, sentence):
    with pytest.raises(DataError, match=sentence):
        read(text_file(tmp_path / "v", text))


def test_the_only_file_may_lie_in_a_folder_of_its_own(tmp_path):
    text_file(tmp_path / "glove", "robin 1 0\n")
    assert read(tmp_path).of("robin").tolist() == [1, 0]
    (tmp_path / "README").touch()
    with pytest.raises(DataError, match="it must have one file of vectors, or one"):
        read(tmp_path)


def test_a_folder_without_vectors_says_so(tmp_path):
    with pytest.raises(DataError, match="holds no static vectors"):
        read(tmp_path)


def test_the_cosine():
    assert cosine(np.array([1, 0], np.float32), np.array([3, 4], np.float32)) == pytest.approx(3 / 5)
    assert cosine(np.array([0, 0], np.float32), np.array([3, 4], np.float32)) is None


def test_a_byte_order_mark_hides_no_word(tmp_path):
    for text in ("\ufeffrobin 1 0\nbird 0 1\n", "\ufeff2 2\nrobin 1 0\nbird 0 1\n"):
        assert read(text_file(tmp_path / "v", text)).of("robin").tolist() == [1, 0]


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{DECOMPOSED} 1 0\nbird 0 1\n", [1, 0]),
        (f"{COMPOSED} 1 0\nbird 0 1\n", [1, 0]),
        (f"{DECOMPOSED} 5 5\n{COMPOSED} 1 0\n", [1, 0]),  # the word as it is meant to be written
    ],
)
def test_accents_are_found_however_the_file_and_the_word_write_them(tmp_path, text, expected):
    vectors = read(text_file(tmp_path / "v", text))
    for word in (COMPOSED, DECOMPOSED, COMPOSED.capitalize(), f"{DECOMPOSED}-{COMPOSED}"):
        assert vectors.of(word).tolist() == expected


def test_a_matrix_with_decomposed_words(tmp_path):
    np.save(tmp_path / "m.npy", np.array([[1, 0], [0, 1]], np.float32))
    pl.DataFrame({"word": ["bird", DECOMPOSED]}).write_parquet(tmp_path / "w.parquet")
    assert read(tmp_path).of(COMPOSED).tolist() == [0, 1]


def test_vectors_in_utf_16_have_their_sentence(tmp_path):
    (tmp_path / "vectors.txt").write_text("robin 1 0\n", encoding="utf-16")
    with pytest.raises(DataError, match=r"vectors\.txt is UTF-16: save it as UTF-8"):
        read(tmp_path)


def test_a_vector_with_a_zero_is_scaled_and_one_of_zeros_is_none():
    vectors = StaticVectors({"a": 0, "b": 1}, np.array([[0, 2], [0, 0]], np.float32))
    assert vectors.unit(["a"]).tolist() == [[0, 1]]
    assert np.isnan(vectors.unit(["b"])).all()


def test_numbers_without_a_word_before_them_are_no_line(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\n3 4\n")
    with pytest.raises(DataError, match="line 2: it has fewer than 2 numbers, unlike the first line"):
        read(tmp_path)
    (tmp_path / "v.txt").write_text("a 1 2\nice cream 3 4\n")
    assert read(tmp_path).rows == {"a": 0, "ice cream": 1}
