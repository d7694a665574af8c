import numpy as np
import polars as pl
import pytest
from relprobe.errors import DataError
from relprobe.sources.static_vectors import cosine, read


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


def test_a_matrix_and_its_words(tmp_path):
    np.save(tmp_path / "m.npy", np.array([[1, 2], [3, 4]], np.float32))
    pl.DataFrame({"index": ["a", "b"]}).write_parquet(tmp_path / "w.parquet")
    assert read(tmp_path).of("b").tolist() == [3, 4]
    pl.DataFrame({"index": ["a"]}).write_parquet(tmp_path / "w.parquet")
    with pytest.raises(DataError, match=r"\(2, 2\), but .* 1 words"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["m.npy", "w.parquet"])
def test_a_damaged_matrix_or_list_says_so(tmp_path, name):
    np.save(tmp_path / "m.npy", np.array([[1, 2]], np.float32))
    pl.DataFrame({"index": ["a"]}).write_parquet(tmp_path / "w.parquet")
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:20])
    with pytest.raises(DataError, match=r"cannot be read .* fetch them again"):
        read(tmp_path)


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


def test_a_folder_without_vectors_says_so(tmp_path):
    with pytest.raises(DataError, match="holds no static vectors"):
        read(tmp_path)


def test_the_cosine():
    assert cosine(np.array([1, 0], np.float32), np.array([3, 4], np.float32)) == pytest.approx(3 / 5)
    assert cosine(np.array([0, 0], np.float32), np.array([3, 4], np.float32)) is None
