"""fastText's models with subwords and word2vec's binary files, written by hand."""

import gzip
import unicodedata

import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_vectors
from relprobe.core.errors import DataError
from relprobe.sources import binary_vectors
from relprobe.sources.binary_vectors import Subwords, gram_hash
from relprobe.sources.static_vectors import read

from tests.sources.made.vector_files import fasttext, word2vec

WIDTH = 2


def test_the_hash_is_fnv_1a_with_signed_bytes():
    assert gram_hash("foobar") == 0xBF9CF968  # the published test vector of FNV-1a
    # "ü" is the bytes c3 bc; signed, they are ffffffc3 and ffffffbc.
    first = ((2166136261 ^ 0xFFFFFFC3) * 16777619) % 2**32
    assert gram_hash("ü") == ((first ^ 0xFFFFFFBC) * 16777619) % 2**32


def test_subwords_are_of_characters_and_include_the_marks():
    subwords = Subwords(words=0, smallest=3, largest=4, buckets=10)
    assert subwords.grams("für") == ["<fü", "<für", "für", "für>", "ür>"]
    assert Subwords(0, 1, 1, 10).grams("ab") == ["a", "b"]  # a lone mark is no n-gram
    assert Subwords(0, 0, 0, 0).rows("ab") == []
    assert subwords.rows("</s>") == []


@pytest.fixture
def model(tmp_path):
    """The word ant has the row (8, 0); each of 4 buckets b has (0, b). The n-grams of three characters are <an, ant, nt>."""
    rows = [(8, 0), *((0, b) for b in range(4))]
    fasttext(tmp_path / "m.bin", ["ant"], rows, smallest=3, largest=3, buckets=4)
    return read(tmp_path)


def test_a_word_has_the_mean_of_its_own_row_and_its_subwords(model):
    buckets = [gram_hash(gram) % 4 for gram in ("<an", "ant", "nt>")]
    assert model.of("ant") == pytest.approx([8 / 4, sum(buckets) / 4])
    # A word outside the vocabulary has subwords alone, and is not put into lower case.
    other = [gram_hash(gram) % 4 for gram in ("<An", "Ant", "nt>")]
    assert model.of("Ant") == pytest.approx([0, sum(other) / 3])


def test_a_text_has_the_mean_of_its_words_not_of_all_their_subwords(model):
    one, two = model.of("ant"), model.of("ants")  # 4 rows, and 4 n-grams
    assert model.of("ant ants") == pytest.approx((one + two) / 2)


def test_words_have_the_vectors_that_gensim_gives_them(tmp_path):
    words = ["ant", "bee", "Käfer", "naïve", "日本"]
    rows = np.random.default_rng(1).normal(size=(len(words) + 50, 8)).astype(np.float32)
    path = fasttext(tmp_path / "m.bin", words, rows.tolist(), smallest=3, largest=6, buckets=50)
    ours, theirs = read(tmp_path), load_facebook_vectors(path)
    for word in [*words, "ants", "beetle", "Ameise", "蟻塚", "élan"]:
        np.testing.assert_allclose(ours.of(word), theirs.get_vector(word), rtol=1e-5, atol=1e-6)


def test_a_word2vec_file_has_the_vectors_that_gensim_reads(tmp_path):
    path = word2vec(tmp_path / "v.bin", {"robin": (1, 0), "New_York": (3, 4), "für": (0, 2)})
    ours, theirs = read(tmp_path), KeyedVectors.load_word2vec_format(str(path), binary=True)
    assert ours.rows == theirs.key_to_index
    np.testing.assert_array_equal(ours.matrix, theirs.vectors)


def test_the_matrix_stays_on_the_disk(model):
    assert isinstance(model.matrix, np.memmap)


def test_a_word_too_short_for_any_subword_has_none(tmp_path):
    fasttext(tmp_path / "m.bin", ["ant"], [(8, 0), (0, 1)], smallest=5, largest=5, buckets=1)
    assert read(tmp_path).of("a") is None
    assert read(tmp_path).of("ant").tolist() == [4, 0.5]  # "<ant>" is its one n-gram of five


def test_a_pruned_model_has_the_buckets_that_it_kept(tmp_path):
    kept = gram_hash("<an") % 4
    rows = [(8, 0), (0, 6)]
    fasttext(tmp_path / "m.bin", ["ant"], rows, smallest=3, largest=3, buckets=4, pruned={kept: 0})
    hits = [gram_hash(gram) % 4 for gram in ("<an", "ant", "nt>")].count(kept)
    assert read(tmp_path).of("ant") == pytest.approx([8 / (1 + hits), 6 * hits / (1 + hits)])


def test_an_old_classifier_has_no_subwords(tmp_path):
    fasttext(tmp_path / "m.bin", ["ant"], [(8, 0), (0, 1)], smallest=3, largest=3, buckets=1, version=11, model=3)
    assert read(tmp_path).of("ant").tolist() == [8, 0]
    assert read(tmp_path).of("bee") is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"version": 9}, "of version 9"),
        ({"quantised": True}, r"quantised fastText model: get the model itself"),
    ],
)
def test_models_of_other_kinds_say_so(tmp_path, options, sentence):
    fasttext(tmp_path / "m.bin", ["ant"], [(8, 0), (0, 1)], smallest=3, largest=3, buckets=1, **options)
    with pytest.raises(DataError, match=sentence):
        read(tmp_path)


@pytest.mark.parametrize("size", [20, 70, 95, 110, 120])
def test_a_damaged_model_says_so(tmp_path, size):
    path = fasttext(tmp_path / "m.bin", ["ant"], [(8, 0), (0, 1)], smallest=3, largest=3, buckets=1)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DataError, match="no whole fastText model"):
        read(tmp_path)


def test_a_number_of_pruned_n_grams_that_no_file_holds_says_so(tmp_path):
    path = fasttext(tmp_path / "m.bin", ["ant"], [(8, 0), (0, 1)], smallest=3, largest=3, buckets=2, pruned={1: 0})
    head = 64 + 3 * 4 + 8  # what stands before the number
    content = path.read_bytes()
    path.write_bytes(content[:head] + (2**62).to_bytes(8, "little") + content[head + 8 :])
    with pytest.raises(DataError, match="pruned n-grams do not fit in"):
        read(tmp_path)


def test_a_number_that_is_not_finite_says_so(tmp_path):
    fasttext(tmp_path / "m.bin", ["ant"], [(np.nan, 0), (0, 1)], smallest=3, largest=3, buckets=1)
    with pytest.raises(DataError, match="'ant' a number that is not finite"):
        read(tmp_path).of("ant")


@pytest.mark.parametrize("breaks", [False, True])
def test_a_binary_file_of_word2vec(tmp_path, breaks):
    word2vec(tmp_path / "v.bin", {"robin": (1, 0), "New_York": (3, 4), "für": (0, 2)}, breaks=breaks)
    vectors = read(tmp_path)
    assert vectors.matrix.tolist() == [[1, 0], [3, 4], [0, 2]]
    assert vectors.rows == {"robin": 0, "New_York": 1, "für": 2}
    assert vectors.of("robin New_York").tolist() == [2, 2]


@pytest.mark.parametrize("cut", [1, 9, 15])
def test_a_damaged_word2vec_file_says_so(tmp_path, cut):
    path = word2vec(tmp_path / "v.bin", {"robin": (1, 0), "bird": (3, 4)})
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(DataError, match=r"v\.bin ends"):
        read(tmp_path)


def test_a_compressed_file_says_so(tmp_path):
    (tmp_path / "v.bin.gz").write_bytes(gzip.compress(b"robin 1 0\n"))
    with pytest.raises(DataError, match="is compressed: unpack it"):
        read(tmp_path)


@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_word_with_an_accent_has_its_own_vector_however_it_is_written(tmp_path, form, asked):
    """A word of fastText has the n-grams of its spelling in the file, as the model was trained with them."""
    word, question = (unicodedata.normalize(one, "für") for one in (form, asked))
    for kind in ("word2vec", "fasttext"):
        (tmp_path / kind).mkdir()
    word2vec(tmp_path / "word2vec/v.bin", {"fur": (5, 5), word: (3, 4)})
    rows = [(5, 5), (8, 0), *((0, b) for b in range(4))]
    fasttext(tmp_path / "fasttext/m.bin", ["fur", word], rows, smallest=3, largest=3, buckets=4)
    assert read(tmp_path / "word2vec").of(question) == pytest.approx([3, 4])
    grams = [gram_hash(gram) % 4 for gram in Subwords(2, 3, 3, 4).grams(word)]
    expected = [8 / (1 + len(grams)), sum(grams) / (1 + len(grams))]
    assert read(tmp_path / "fasttext").of(question) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["word2vec", "fasttext"])
def test_a_word_that_is_written_in_both_ways_has_the_vector_of_the_composed_one(tmp_path, kind):
    words = [unicodedata.normalize(form, "für") for form in ("NFD", "NFC")]
    if kind == "word2vec":
        word2vec(tmp_path / "v.bin", dict(zip(words, [(1, 1), (3, 4)], strict=True)))
    else:
        fasttext(tmp_path / "v.bin", words, [(1, 1), (3, 4)], smallest=0, largest=0, buckets=0)
    for word in words:
        assert read(tmp_path).of(word) == pytest.approx([3, 4])


def test_the_labels_of_a_classifier_behind_the_words_of_its_dictionary_are_no_words():
    entry = bytes(9)  # a count and a kind
    dictionary = b"a\0" + entry + b"b\0" + entry + b"__label__c\0" + entry
    assert binary_vectors._entries(dictionary, 0, 3, 2) == ({"a": 0, "b": 1}, len(dictionary))
    assert binary_vectors._entries(dictionary, 11, 1, 1) == ({"b": 0}, 22)


@pytest.mark.parametrize(
    ("version", "model", "subwords"), [(11, 3, False), (12, 3, True), (11, 1, True), (11, 2, True)]
)
def test_only_a_classifier_of_the_old_version_has_no_subwords(tmp_path, version, model, subwords):
    rows = [(8, 0), (0, 1)]
    fasttext(tmp_path / "m.bin", ["ant"], rows, smallest=3, largest=3, buckets=1, version=version, model=model)
    assert (read(tmp_path).of("bee") is not None) is subwords


def test_several_buckets_that_a_pruned_model_kept_stand_before_its_matrix(tmp_path):
    rows = [(8, 0), (0, 6), (0, 2)]
    pruned = {gram_hash("<an") % 4: 0, (gram_hash("<an") + 1) % 4: 1}
    fasttext(tmp_path / "m.bin", ["ant"], rows, smallest=3, largest=3, buckets=4, pruned=pruned)
    places = [pruned[gram_hash(gram) % 4] for gram in ("<an", "ant", "nt>") if gram_hash(gram) % 4 in pruned]
    expected = [8, *(0 for _ in places)], [0, *((6, 2)[place] for place in places)]
    assert read(tmp_path).of("ant") == pytest.approx([np.mean(column) for column in expected])


@pytest.mark.parametrize("missing", [1, 4])
def test_a_file_whose_matrix_ends_early_or_is_of_another_width_says_so(tmp_path, missing):
    path = fasttext(tmp_path / "m.bin", ["ant"], [(8, 0), (0, 1)], smallest=3, largest=3, buckets=1)
    whole = path.read_bytes()
    assert read(tmp_path).of("ant") is not None
    path.write_bytes(whole[:-missing])
    with pytest.raises(DataError, match="a matrix of 2 rows of 2 numbers does not fit in"):
        read(tmp_path)
    path.write_bytes(whole[:8] + (3).to_bytes(4, "little") + whole[12:])
    with pytest.raises(DataError, match="a matrix of 2 rows of 2 numbers does not fit in"):
        read(tmp_path)


def test_the_first_of_a_word_and_a_line_break_before_it_count_and_an_announced_size_must_fit(tmp_path):
    path = word2vec(tmp_path / "v.bin", {"a": (1, 0), "b": (3, 4)})
    assert binary_vectors.read_word2vec(path)[1].tolist() == [[1, 0], [3, 4]]
    records = path.read_bytes().split(b"\n", 1)[1]
    for header in (b"2 0\n", b"9 2\n", b"2 9\n"):
        path.write_bytes(header + records)
        with pytest.raises(DataError, match=r"ends before its . vectors of . numbers do"):
            binary_vectors.read_word2vec(path)
    (tmp_path / "v.bin").write_bytes(b"2 1\na \0\0\x80?a \0\0\0@")  # the shortest words: a letter, a blank, a number
    rows, matrix = binary_vectors.read_word2vec(path)
    assert (rows, matrix.tolist()) == ({"a": 0}, [[1], [2]])
