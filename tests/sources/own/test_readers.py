"""Files of one's own, whole and with each fault: what is read of them, and the sentence on what cannot be."""

import pytest
from relprobe.core.errors import DataError
from relprobe.sources.exported import Layout
from relprobe.sources.own import analogies, definition_answers, definitions, hyponyms, pairs, ratings, word_counts
from relprobe.sources.own.pairs import code_of

PAIRS = "target,relatum,relation\n"
RATINGS = "relation,pair,rating,rater\n"
COUNTS = "word,count\n"
DEFINITIONS = "word,part_of_speech,definition,group,language,count\n"
ANALOGIES = "relation,group,head,tails,marks\n"
RANKS = "task,group,participant,candidate,rank\n"
HEADS = "".join(f"tool,use,h{number},t{number},\n" for number in range(6))


@pytest.mark.parametrize(
    ("reader", "text", "sentence"),
    [
        (pairs, PAIRS, "holds no pairs: add a line with two words"),
        (pairs, PAIRS + "saw,,tool\n", "line 2: a pair has two words: complete or delete the line"),
        (pairs, PAIRS + ",wood,tool\n", "line 2: a pair has two words"),
        (pairs, PAIRS + "saw,wood,\n", "line 2: the relation must not be empty: name it"),
        (pairs, PAIRS + "saw,wood,a [V]\n", "is named with [V], a mark of prompts: rename it"),
        (pairs, PAIRS + "saw,wood,Tool\nsaw,oak,tool\n", "the relation"),
        (pairs, "target,Target,relatum\na,b,c\n", "names the column 'target' twice"),
        (pairs, "one,two,three\na,b,c\n", "names 3 and has no column target and relatum"),
        (pairs, "target,two,three\na,b,c\n", "names 3 and has no column relatum"),
        (ratings, RATINGS, "holds no ratings: add a line such as tool,tool:hammer,6.5"),
        (ratings, RATINGS + ",saw:wood,1,\n", "line 2: the relation '' must be a name without blanks"),
        (ratings, RATINGS + "a b,saw:wood,1,\n", "line 2: the relation 'a b' must be a name without blanks"),
        (
            ratings,
            RATINGS + "tool,saw,1,\n",
            "expected two words with a colon between them, such as tool:hammer, not 'saw'",
        ),
        (ratings, RATINGS + "tool,saw:,1,\n", "expected two words with a colon"),
        (ratings, RATINGS + "tool,a:b:c,1,\n", "expected two words with a colon"),
        (ratings, RATINGS + "tool,a: :c,1,\n", "as tool:hammer, not 'a: :c'"),
        (ratings, RATINGS + "tool,a:b,many,\n", "the rating 'many' is not a number"),
        (
            ratings,
            RATINGS + "tool,a:b,1,\ntool,a:b,2,\n",
            "'a:b' is rated in line 2 already: remove one of them, or name",
        ),
        (
            ratings,
            RATINGS + "tool,a:b,1,ann\ntool,a:b,2,ann\n",
            "'a:b' is rated by 'ann' in line 2 already: remove one of them.",
        ),
        (word_counts, COUNTS, "holds no counts: add a line such as beckon,57"),
        (word_counts, COUNTS + ",5\n", "line 2: expected a word and a whole number, not '' and '5'"),
        (word_counts, COUNTS + "nod,-1\n", "expected a word and a whole number, not 'nod' and '-1'"),
        (word_counts, COUNTS + "nod,1\nnod,2\n", "'nod' is in line 2 already: add up its counts"),
        (definitions, DEFINITIONS, "holds no definitions: add a line such as nod,verb"),
        (definitions, DEFINITIONS + "nod,verb,,g,,\n", "line 2: definition is empty: fill it in"),
        (definitions, DEFINITIONS + "nod,verb,lower,,,\n", "line 2: group is empty: fill it in"),
        (
            definitions,
            DEFINITIONS + "nod,odd,lower,g,,\n",
            "line 2: unknown part of speech 'odd'; known are noun, verb",
        ),
        (definitions, DEFINITIONS + "nod,verb,lower,g,,many\n", "line 2: the count 'many' is no whole number"),
        (
            definitions,
            DEFINITIONS + "nod,verb,a,g,,1\nnod,verb,b,g,,2\n",
            "the count of the word 'nod' is 2, but 1 in line 2",
        ),
        (
            definitions,
            DEFINITIONS + "nod,verb,a,g,,\nowl,noun,b,g,,\n",
            "the part of speech of the group 'g' is noun, but verb",
        ),
        (definitions, DEFINITIONS + "nod,verb,a,g,,\nrun,verb,b,g,de,\n", "the language is de, but en in line 2"),
        (analogies, ANALOGIES, "there are no pairs, but a relation needs 6"),
        (analogies, ANALOGIES + "tool,use,saw,wood,\n", "tool has 1 pairs, but a relation needs 6"),
        (analogies, ANALOGIES + "tool,use,saw,,\n", "relation, group, head and tails must not be empty"),
        (analogies, ANALOGIES + "tool,tool,saw,wood,\n", "relation and group must differ, and none of them may be All"),
        *(
            (analogies, ANALOGIES + f"{name},use,a,b,\n", "none of them may be All or unmarked")
            for name in ("All", "unmarked")
        ),
        *(
            (analogies, ANALOGIES + f"tool,{name},a,b,\n", "none of them may be All or unmarked")
            for name in ("All", "unmarked")
        ),
        (analogies, ANALOGIES + "tool,use,saw,wood,odd\n", "unknown mark 'odd'; known are"),
        (analogies, ANALOGIES + "tool,use,a,b,\ntool,other,c,d,\n", "tool is in the group 'use' above, not 'other'"),
        (analogies, ANALOGIES + "tool,use,a,b,\ntool,use,a,c,\n", "the head 'a' of tool is in line 2 already: unite"),
        (definition_answers, RANKS, "holds no ranks: fill in the column rank"),
        (definition_answers, RANKS + "w2d,g,ann,a,\n", "holds no ranks: fill in the column rank"),
        (
            definition_answers,
            RANKS + "w2d,g,ann,a,1\nw2d,g,ann,b,1\n",
            "'ann' has the rank or the candidate in line 2, too",
        ),
        (
            definition_answers,
            RANKS + "w2d,g,ann,a,1\nw2d,g,ann,a,2\n",
            "'ann' has the rank or the candidate in line 2, too",
        ),
        (definition_answers, RANKS + "w2d,g,ann,a,1\nw2d,g,ann,b,3\n", "line 3"),
        (definition_answers, RANKS + "odd,g,ann,a,1\n", "odd"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, reader, text, sentence):
    (tmp_path / "own.csv").write_text(text)
    with pytest.raises(DataError) as caught:
        reader.read(tmp_path / "own.csv")
    assert sentence in str(caught.value)


def read(reader, folder, text, name="own.csv"):
    (folder / name).write_text(text)
    return reader.read(folder / name)


def test_own_pairs_have_codes_of_three_letters_and_those_of_one_relation_share_theirs(tmp_path):
    """A relation without its column is that of the file or, of two columns, of their names."""
    rows = read(pairs, tmp_path, PAIRS + "saw,wood,tool\nwren,bird,kind\noak,nail,tooth\nsaw,oak,tool\n")
    assert rows.relations == {
        "TOO": ("tool", "inverse of tool"),
        "KIN": ("kind", "inverse of kind"),
        "TOO2": ("tooth", "inverse of tooth"),
    }
    assert rows.rows == [
        ("saw", "TOO", "wood"),
        ("wren", "KIN", "bird"),
        ("oak", "TOO2", "nail"),
        ("saw", "TOO", "oak"),
    ]
    without = read(pairs, tmp_path, "target,relatum\nsaw,wood\n", "use.csv")
    assert without == pairs.Pairs({"USE": ("use", "inverse of use")}, [("saw", "USE", "wood")])
    assert read(pairs, tmp_path, "saw,wood\noak,elm\n").relations == {"WOO": ("wood", "saw")}


def test_ratings_stand_by_relation_pair_and_rater(tmp_path):
    text = RATINGS + "tool,saw:wood,2.5,bob\ntool,saw:wood,1,ann\nsize,big:small,-3,\n"
    assert [
        tuple(vars(rating).values()) if hasattr(rating, "__dict__") else tuple(rating)
        for rating in read(ratings, tmp_path, text)
    ] == [
        ("size", "big:small", -3.0, ""),
        ("tool", "saw:wood", 1.0, "ann"),
        ("tool", "saw:wood", 2.5, "bob"),
    ]


def test_definitions_stand_by_word_and_the_senses_of_a_word_in_their_order(tmp_path):
    text = DEFINITIONS + "run,verb,z,g,,7\nnod,verb,lower,g,,0\nrun,verb,a,g,en,7\n"
    entries = read(definitions, tmp_path, text)
    assert [(one.word, one.definition, one.group, one.language, one.count) for one in entries] == [
        ("nod", "lower", "g", "en", 0),
        ("run", "z", "g", "en", 7),
        ("run", "a", "g", "en", 7),
    ]


def test_a_definition_and_a_candidate_may_have_several_lines_and_other_cells_have_one(tmp_path):
    """As spreadsheets break them."""
    (entry,) = read(definitions, tmp_path, f'{DEFINITIONS}nod,verb,"lower\nthe head",g,,\n')
    assert entry.definition.split() == ["lower", "the", "head"]
    (rank,) = read(definition_answers, tmp_path, f'{RANKS}w2d,g,ann,"lower\nthe head",1\n')
    assert rank.candidate == entry.definition
    for reader, text in (
        (definitions, f'{DEFINITIONS}"nod\noff",verb,lower,g,,\n'),
        (definition_answers, f'{RANKS}w2d,g,"ann\nb",lower,1\n'),
    ):
        with pytest.raises(DataError, match=r"line 2: the field .* goes on in the next line"):
            read(reader, tmp_path, text)


def test_tails_and_marks_of_analogies_are_listed_once(tmp_path):
    mark, other = sorted(analogies.MARKS)[:2]
    table = read(analogies, tmp_path, ANALOGIES + HEADS + f"tool,use,x,a/b/ /a,{other} {mark}\n")
    assert table.height == 7
    assert table.row(6) == ("tool", "tool", "x", ["a", "b"], "use", [mark, other])


@pytest.mark.parametrize(("count", "right"), [(10**15, True), (10**15 + 1, False)])
def test_a_count_may_be_that_of_the_largest_corpora(tmp_path, count, right):
    for reader, text in (
        (word_counts, f"{COUNTS}nod,{count}\n"),
        (definitions, f"{DEFINITIONS}nod,verb,a,g,,{count}\n"),
    ):
        if right:
            assert str(count) in str(read(reader, tmp_path, text))
        else:
            with pytest.raises(DataError, match="whole number"):
                read(reader, tmp_path, text)


def test_a_participant_may_rank_many_candidates(tmp_path):
    """A million at most."""
    ranked = read(definition_answers, tmp_path, RANKS + "".join(f"w2d,g,ann,c{n},{n}\n" for n in range(20, 0, -1)))
    assert [(one.candidate, one.rank, one.line) for one in ranked[:2]] == [("c20", 20, 2), ("c19", 19, 3)]
    with pytest.raises(DataError, match="line 2: the rank '1000001' is no whole number from 1 on"):
        read(definition_answers, tmp_path, f"{RANKS}w2d,g,ann,a,1000001\n")
    with pytest.raises(DataError, match="line 2: 'ann' gives rank 1000000 in w2d of 'g', but not all ranks before it"):
        read(definition_answers, tmp_path, f"{RANKS}w2d,g,ann,a,1000000\n")


def test_a_count_of_0_is_a_count(tmp_path):
    assert read(word_counts, tmp_path, COUNTS + "nod,0\nwarm up,12\n") == {"nod": 0, "warm up": 12}


def test_the_first_line_of_a_file_of_counts_is_looked_at_alone(tmp_path):
    (tmp_path / "own.csv").write_text(f"{COUNTS}nod,many\n")
    word_counts.check_header(tmp_path / "own.csv")
    (tmp_path / "own.csv").write_text("word,uses\nnod,1\n")
    with pytest.raises(DataError, match="has no column count"):
        word_counts.check_header(tmp_path / "own.csv")


def test_a_category_is_written_in_one_way(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("hyponym,category,plural\nrobin,bird,\nwren,Bird,\n")
    with pytest.raises(DataError, match="the category"):
        hyponyms.read(path)


def test_a_sentence_holds_the_hyponym_or_its_plural_as_a_whole_word(tmp_path):
    head = "hyponym,category,plural,sentence\n"
    rows = "wren,bird,,\nmouse,animal,mice,Two mice ran off.\nrobin,bird,robins,A  Robin sang.\n"
    mouse, robin, wren = read(hyponyms, tmp_path, head + rows)
    assert [mouse.sentence, robin.sentence, wren.sentence] == ["Two mice ran off.", "A Robin sang.", ""]
    assert [one.line for one in (mouse, robin, wren)] == [3, 4, 2]
    for wrong in ("mouse,animal,mice,Dormice ran off.", "mouse,animal,,Two mice ran off."):
        with pytest.raises(DataError, match="line 2: the sentence lacks 'mouse': correct it, or leave it empty"):
            read(hyponyms, tmp_path, f"{head}{wrong}\n")


@pytest.mark.parametrize(
    "row",
    ["[V],bird,,", "robin,a [V],,", "robin,bird,[V]s,", "robin,bird,,A [V] sang.", "robin,bird,,A robin saw a [V]."],
)
def test_no_field_of_a_hyponym_holds_a_slot(tmp_path, row):
    with pytest.raises(DataError, match=r"line 2: a field holds \[V\]: write the hyponym there"):
        read(hyponyms, tmp_path, f"hyponym,category,plural,sentence\n{row}\n")


def test_further_columns_of_ratings_stand_beside_them_in_the_order_of_the_file(tmp_path):
    (tmp_path / "own.csv").write_text("relation,pair,rating,rt\ntool,saw:wood,2.5,512\nsize,big:small,-3,80\n")
    rows = list(ratings.read_further(tmp_path / "own.csv", "own_ratings", Layout.of({"further": {"ms": "rt"}})))
    assert [(rating.pair, rating.rating, more) for rating, more in rows] == [
        ("saw:wood", 2.5, {"ms": "512"}),
        ("big:small", -3.0, {"ms": "80"}),
    ]


def test_a_code_goes_past_those_that_are_taken_and_their_inverses():
    taken = {"TAT": 1, "TAT2": 1, "TAT3": 1}
    assert code_of("Tätigkeit", taken) == "TAT4"
    assert code_of("a b", {}) == "AB"
    assert code_of("x", dict.fromkeys(["X", *(f"X{number}" for number in range(2, 999))])) == "X999"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nod,verb,lower the head,gesture,,\nbow,verb,bend,Gesture,,\n", "the group"),
        ("nod,verb,lower the head,gesture,,\nnod,verb,lower the head,gesture,,\n", "the same is"),
        (
            "nod,verb,lower the head,gesture,,\nbow,noun,a bend,gesture,,\n",
            "the part of speech of the group 'gesture' is",
        ),
        ("nod,verb,lower the head,gesture,en,\nbow,verb,bend,gesture,de,\n", "the language is"),
        (
            "nod,verb,lower the head,gesture,,3\nnod,verb,sleep,rest,,4\n",
            "the count of the word 'nod' is 4, but 3 in",
        ),
    ],
)
def test_definitions_that_do_not_agree_are_named(tmp_path, text, sentence):
    path = tmp_path / "own.csv"
    path.write_text(DEFINITIONS + text)
    with pytest.raises(DataError, match=sentence):
        definitions.read(path)
