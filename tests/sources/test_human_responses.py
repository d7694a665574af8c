import json
import re

import pytest
from relprobe.core.errors import DataError
from relprobe.sources import human_responses

from tests.studies.relations.six import SIX


def read(path):
    return human_responses.read(path, SIX.answer_keys)


def write(tmp_path, content, encoding="utf-8"):
    path = tmp_path / "answers.json"
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_bytes(text.encode(encoding))
    return path


def test_every_word_is_a_row_with_annotator_and_rank(tmp_path):
    path = write(tmp_path, {"robin": {"hyp": {"a robin is a [V]": [["bird", "animal"], [], ["bird"]]}}})
    prompt = "a robin is a [V]"
    assert read(path).rows() == [
        ("robin", "HYP", prompt, 1, "1", 1, "bird"),
        ("robin", "HYP", prompt, 1, "1", 2, "animal"),
        ("robin", "HYP", prompt, 3, "3", 1, "bird"),
    ]


@pytest.mark.parametrize(
    ("key", "relation"),
    [("hyp", "HYP"), ("rhyp", "HPO"), ("holo", "HOL"), ("mero", "MER"), ("ant", "ANT"), ("syn", "SYN")],
)
def test_the_keys_of_the_published_file(tmp_path, key, relation):
    assert read(write(tmp_path, {"w": {key: {"p": [["v"]]}}}))["relation"].to_list() == [relation]


def test_an_unknown_relation_keeps_its_name(tmp_path):
    assert read(write(tmp_path, {"robin": {"CAU": {"p": [["v"]]}}}))["relation"].to_list() == ["CAU"]


def test_the_code_of_a_relation_is_a_key_as_well(tmp_path):
    assert read(write(tmp_path, {"robin": {"HPO": {"p": [["v"]]}}}))["relation"].to_list() == ["HPO"]


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ([], "the file should be a JSON object, but is list"),
        ({"robin": ["bird"]}, "robin should be a JSON object, but is list"),
        ({"robin": {"hyp": [["bird"]]}}, "robin/hyp should be a JSON object, but is list"),
        ({"robin": {"hyp": None}}, "robin/hyp should be a JSON object, but is NoneType"),
        ({"robin": {"hyp": {"p": None}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": "bird"}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": ["bird", "animal"]}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": {"1": ["bird"]}}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": [["bird", 7]]}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": [["bird", None]]}}}, "robin/hyp"),
    ],
    ids=str,
)
def test_another_shape_is_refused(tmp_path, content, where):
    with pytest.raises(DataError, match=where):
        read(write(tmp_path, content))


@pytest.mark.parametrize("text", ["", "robin: bird", '{"robin": '])
def test_what_is_no_json_is_refused(tmp_path, text):
    with pytest.raises(DataError, match=r"answers\.json is no valid JSON \(.*\): get it anew\.$"):
        read(write(tmp_path, text))


def test_another_encoding_is_refused(tmp_path):
    with pytest.raises(DataError, match="is not UTF-8"):
        read(write(tmp_path, {"café": {"hyp": {"p": [["place"]]}}}, "latin-1"))


def test_an_answer_in_json_that_is_no_word_is_named(tmp_path):
    with pytest.raises(DataError, match=r"answers\.json, robin/hyp: the answer 'NA' stands for no answer"):
        read(write(tmp_path, {"robin": {"hyp": {"p": [["bird", "NA"]]}}}))


@pytest.mark.parametrize("blank", ["", " ", "\u00a0\n"])
def test_a_blank_in_json_is_no_answer_and_moves_no_rank(tmp_path, blank):
    answers = read(write(tmp_path, {"robin": {"hyp": {"p": [["bird", blank, "animal"], [blank]]}}}))
    assert answers.select("annotator", "rank", "word").rows() == [(1, 1, "bird"), (1, 3, "animal")]
    with pytest.raises(DataError, match="holds no answers"):
        read(write(tmp_path, {"robin": {"hyp": {"p": [[blank]]}}}))


def test_windows_line_ends(tmp_path):
    text = json.dumps({"robin": {"hyp": {"p": [["bird"]]}}}, indent=1).replace("\n", "\r\n")
    assert read(write(tmp_path, text))["word"].to_list() == ["bird"]


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"answers\.json is missing"):
        read(tmp_path / "answers.json")


HEADER = "target,relation,prompt,participant,rank,answer\n"


def write_csv(tmp_path, text):
    path = tmp_path / "answers.csv"
    path.write_text(text)
    return path


def test_a_row_of_a_csv_file_is_an_answer(tmp_path):
    rows = "robin,HYP,is,anna,2,animal\nrobin,HYP,is,anna,1,bird\nday,ANT,not,ben,1,night\nday,ANT,not,anna,1,dark\n"
    assert read(write_csv(tmp_path, HEADER + rows)).rows() == [
        ("day", "ANT", "not", 1, "anna", 1, "dark"),  # anna is 1 everywhere
        ("day", "ANT", "not", 2, "ben", 1, "night"),
        ("robin", "HYP", "is", 1, "anna", 1, "bird"),
        ("robin", "HYP", "is", 1, "anna", 2, "animal"),
    ]


def test_other_columns_another_order_and_empty_answers_do_not_matter(tmp_path):
    header = "answer,question,rank,participant,prompt,relation,target\n"
    rows = "bird,a robin is ___,1,7,is,hyp,robin\n,x,2,7,is,hyp,robin\n"
    assert read(write_csv(tmp_path, header + rows)).rows() == [("robin", "HYP", "is", 1, "7", 1, "bird")]


def test_answers_are_normalised_as_stated(tmp_path):
    decomposed = "caf" + "e\u0301"
    path = write_csv(tmp_path, f"{HEADER}robin,HYP, is  a ,anna,1,  {decomposed}   bar \n")
    row = read(path).row(0, named=True)
    assert (row["word"], row["prompt"]) == ("caf\u00e9 bar", "is a")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "target,relation,prompt,rank\n",
            "the first line must have target,relation,.* has no column participant and no answer",
        ),
        (f"{HEADER}robin,HYP,is,anna,1\n", "line 2: 5 fields where 6 are expected"),
        (f"{HEADER}robin,HYP,is,,1,bird\n", "line 2: there is an answer without a participant: name the participant"),
        (f"{HEADER}robin,HYP,is,NA,1,bird\n", "line 2: there is an answer without a participant: name the participant"),
        (
            f"{HEADER}robin,HYP,is,anna,first,bird\n",
            "line 2: rank should be a whole number from 1 to 60000, but is 'first'",
        ),
        (f"{HEADER}robin,HYP,is,anna,0,bird\n", "line 2: rank should be a whole number from 1 to 60000, but is '0'"),
    ],
)
def test_what_is_no_csv_file_of_answers_is_refused(tmp_path, text, sentence):
    with pytest.raises(DataError, match=sentence):
        read(write_csv(tmp_path, text))


@pytest.mark.parametrize(
    ("answer", "word"), [("a bird", "bird"), ("The bird", "bird"), ("an", "an"), ("a red bird", "red bird")]
)
def test_an_article_at_the_beginning_of_an_answer_is_dropped(tmp_path, answer, word):
    path = write_csv(tmp_path, f"{HEADER}robin,HYP,is,anna,1,{answer}\n")
    assert human_responses.read(path, {}, ("a", "an", "the"))["word"].to_list() == [word]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            "robin,HYP,is,anna,1,bird\nrobin,HYP,is,ben,1,bird\nrobin,HYP,is,anna,1,bird\n",
            "line 4: 'anna' gives rank 1 to",
        ),
        ("robin,HYP,is,anna,1,bird\nrobin,HYP,is,anna,1,fish\n", "line 3: 'anna' gives rank 1 .* in line 2 already"),
        ("robin,HYP,is,anna,1,bird\nrobin,hyp, is,anna ,01,fish\n", "line 3: 'anna' gives rank 1"),
    ],
)
def test_rows_that_come_twice_are_refused(tmp_path, rows, sentence):
    with pytest.raises(DataError, match=sentence):
        read(write_csv(tmp_path, HEADER + rows))


def test_an_answer_that_a_participant_gives_again_counts_once(tmp_path, caplog):
    rows = "robin,HYP,is,anna,1,bird\nrobin,HYP,is,anna,2,animal\nrobin,HYP,is,anna,3,bird\nrobin,HYP,is,ben,3,bird\n"
    words = read(write_csv(tmp_path, HEADER + rows)).select("participant", "rank", "word").rows()
    assert words == [("anna", 1, "bird"), ("anna", 2, "animal"), ("ben", 3, "bird")]
    assert [line for line in caplog.messages if "answers are given by one participant to one prompt again" in line]


PROMPTS = {
    ("HYP", "hyp-kind"): "hyp-kind",
    ("HYP", "[W] is a kind of [V]"): "hyp-kind",
    ("HYP", "hyp-call"): "hyp-call",
}


def check(tmp_path, rows):
    human_responses.check_prompts(write_csv(tmp_path, HEADER + rows), SIX, PROMPTS)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("HYP,hyp-kidn", "'hyp-kidn' is no prompt of HYP in this study: did you mean 'hyp-kind'?"),
        ("hyp,hyp-kidn", "'hyp-kidn' is no prompt of HYP in this study: did you mean 'hyp-kind'?"),
        ("HYP,zzz", "'zzz' is no prompt of HYP in this study: correct it, or delete its rows."),
        ("HYP,", "'' is no prompt of HYP in this study: correct it, or delete its rows."),
        ("HYPP,hyp-kind", f"unknown relation 'HYPP'; the relations file has {', '.join(SIX.codes)}"),
        ("Hyp,hyp-kind", f"unknown relation 'Hyp'; the relations file has {', '.join(SIX.codes)}"),
    ],
)
@pytest.mark.parametrize("line", [2, 50, 101])
def test_one_answer_of_a_hundred_to_an_unknown_prompt_or_relation_is_refused(tmp_path, wrong, sentence, line):
    rows = [f"robin,HYP,hyp-kind,p{n},1,bird\n" for n in range(100)]
    rows[line - 2] = f"robin,{wrong},p,1,bird\n"
    with pytest.raises(DataError, match=re.escape(f"line {line}: {sentence}")):
        check(tmp_path, "".join(rows))


def test_it_is_said_how_many_answers_are_to_unknown_prompts(tmp_path):
    with pytest.raises(
        DataError, match=r"line 3: 'b' is .*\. 2 more lines have such a fault, the next one in line 5\."
    ):
        check(
            tmp_path,
            "".join(f"robin,HYP,{p},{n},1,bird\n" for n, p in enumerate(["hyp-kind", "b", "hyp-call", "c", "b"])),
        )


def test_a_rank_that_is_given_twice_under_two_names_of_a_prompt_is_refused(tmp_path):
    with pytest.raises(
        DataError, match="line 3: 'a' gives rank 1 to the prompt hyp-kind and this target in line 2 already"
    ):
        check(tmp_path, "robin,HYP,hyp-kind,a,1,bird\nrobin,HYP,[W] is a kind of [V],a,1,fish\n")


def test_answers_without_prompts_in_the_study_empty_ones_and_catch_items_may_have_any_prompt(tmp_path):
    check(tmp_path, "robin,HPO,zzz,a,1,bird\nrobin,HYP,zzz,a,1,\nsun,catch,zzz,a,1,sun\nrobin,HYP,hyp-kind,a,1,bird\n")


@pytest.mark.parametrize("other", ["Anna", "ANNA", "aNNa"])
def test_a_participant_has_one_name(tmp_path, other):
    """As two of them, one would have answered a part of the probes, and people would agree less."""
    rows = f"robin,HYP,is,anna,1,bird\nrobin,HYP,is,ben,1,bird\nduck,HYP,is,{other},1,bird\n"
    with pytest.raises(DataError, match=f"line 4: the participant '{other}' is 'anna' in line 2: write one of them"):
        read(write_csv(tmp_path, HEADER + rows))


@pytest.mark.parametrize("rows", ["", "robin,HYP,is,anna,1,\n", ",,,,,\n"])
def test_a_file_without_answers_is_refused(tmp_path, rows):
    with pytest.raises(DataError, match="holds no answers: fill in the column answer"):
        read(write_csv(tmp_path, HEADER + rows))


@pytest.mark.parametrize("content", ["{}", '{"robin": {}}', '{"robin": {"hyp": {"is": [[], []]}}}'])
def test_a_json_file_without_answers_is_refused(tmp_path, content):
    (tmp_path / "answers.json").write_text(content)
    with pytest.raises(DataError, match=r"answers\.json holds no answers"):
        human_responses.read(tmp_path / "answers.json", {})


@pytest.mark.parametrize(
    "rank", ["²", "+1", "1.0", "1_0", "-1", "0", "٠", "1e1", "0" * 9 + "1" * 5000, "nan", "", "60001"]
)
def test_ranks_are_whole_numbers_also_of_catch_items(tmp_path, rank):
    with pytest.raises(DataError, match="line 2: rank should be a whole number from 1 to 60000, but is"):
        read(write_csv(tmp_path, f"{HEADER}robin,HYP,is,anna,{rank},bird\n"))
    read(write_csv(tmp_path, f"{HEADER}robin,HYP,is,anna,1,bird\nsun,catch,is,anna,{rank},sun\n"))


def test_of_a_catch_item_the_filled_answer_of_the_lowest_rank_counts_whatever_the_order_of_the_rows(tmp_path):
    given = {"anna": [(2, "sun"), (1, "moon")], "bert": [(2, "moon"), (1, "sun")], "cleo": [(1, ""), (2, "sun")]}
    rows = "".join(
        f"robin,HYP,is,{who},1,bird\n" + "".join(f"sun,catch,earth,{who},{rank},{word}\n" for rank, word in answers)
        for who, answers in given.items()
    )
    assert read(write_csv(tmp_path, HEADER + rows))["participant"].to_list() == ["bert", "cleo"]


def test_a_key_that_is_in_an_object_twice_is_refused(tmp_path):
    text = '{"robin": {"hyp": {"p": [["bird"]]}}, "duck": {}, "robin": {"hyp": {"q": [["bird"]]}}}'
    with pytest.raises(DataError, match="the key 'robin' is in one object twice"):
        read(write(tmp_path, text))


@pytest.mark.parametrize("sign", ["\u200b", "\u00ad", "\ufeff", "\x07"])
@pytest.mark.parametrize("place", ["robin", "hyp", "a robin is", "bird"])
@pytest.mark.parametrize("escaped", [True, False])
def test_a_character_that_cannot_be_seen_is_named_in_json_too(tmp_path, sign, place, escaped):
    content = json.dumps({"robin": {"hyp": {"a robin is": [["bird"]]}}}).replace(place, place[:2] + "SIGN" + place[2:])
    path = tmp_path / "answers.json"
    path.write_text(content.replace("SIGN", json.dumps(sign)[1:-1] if escaped or sign == "\x07" else sign), "utf-8")
    with pytest.raises(DataError, match=r"answers\.json.* holds .*which cannot be seen: delete it"):
        read(path)


FURTHER = human_responses.Layout.of({"further": {"ms": "rt", "device": {"column": "log", "key": "d"}}})


def further(tmp_path, rows, layout=FURTHER):
    path = write_csv(tmp_path, f"{HEADER.strip()},rt,log\n{rows}")
    return human_responses.further_columns(path, {"hyp": "HYP"}, ("a",), layout)


def test_further_columns_are_those_of_the_first_answer_of_a_participant_to_a_prompt(tmp_path):
    """Whatever the order of the rows. Anna is 1 and ben 2; who fails a catch item has no number, and no row here."""
    log = '"{""d"": ""%s""}"'
    rows = [
        f"robin,hyp,is,ben,2,animal,90,{log % 'x'}",
        f"robin,hyp,is,ben,1,,10,{log % 'x'}",
        f"robin,hyp,is,ben,3,pet,30,{log % 'y'}",
        f"robin,ANT,not,anna,3,cat,70,{log % 'é'}",
        f"robin,ANT,not,anna,2,dog,80,{log % 'u'}",
        f"“robin”,HYP,is,anna,1,bird,50,{log % 'w'}",
        f"sun,catch,earth,anna,1,sun,60,{log % 'v'}",
        f"sun,catch,earth,cleo,1,moon,61,{log % 'v'}",
        f"robin,hyp,is,cleo,1,bird,62,{log % 'v'}",
    ]
    table = further(tmp_path, "\n".join(rows) + "\n")
    assert table.schema == human_responses.FURTHER
    assert table.rows() == [
        ("robin", "HYP", "is", 2, '{"ms": "90", "device": "x"}'),
        ("robin", "ANT", "not", 1, '{"ms": "80", "device": "u"}'),
        ("robin", "HYP", "is", 1, '{"ms": "50", "device": "w"}'),
    ]


@pytest.mark.parametrize("layout", [None, human_responses.Layout.of({"columns": {"participant": 4}})])
def test_without_further_columns_nothing_is_read(tmp_path, layout):
    assert further(tmp_path, "no table at all\n", layout).is_empty()


def test_the_answers_of_who_fails_a_catch_item_are_told_with_the_reason(tmp_path):
    rows = (
        "robin,hyp,is,anna,1,a bird\nsun,catch,earth,anna,1,moon\nrobin,hyp,is,ben,1,fish\nsun,catch,earth,ben,1,sun\n"
    )
    path = write_csv(tmp_path, HEADER + rows)
    assert human_responses.failed_answers(path, {"hyp": "HYP"}, ("a",)) == [
        (
            ("robin", "HYP", "is", "anna", 1, "bird"),
            "the participant answered 'moon' to 'earth', a catch item",
        )
    ]
    assert human_responses.failed_answers(write_csv(tmp_path, f"{HEADER}robin,hyp,is,ben,1,fish\n"), {}) == []
    assert human_responses.failed_answers(write(tmp_path, {"robin": {"hyp": {"p": [["bird"]]}}}), {}) == []


@pytest.mark.parametrize(
    ("name", "content", "table"),
    [
        ("a.csv", "{", True),
        ("a.CSV", "{", True),
        ("a.json", "target", False),
        ("a.JSON", "target", False),
        ("a.txt", "target,", True),
        ("a.txt", " \n{", False),
        ("a.txt", "\ufeff{", False),
        ("a.txt", "", True),
    ],
)
def test_a_file_of_answers_is_told_by_its_name_or_else_by_its_beginning(tmp_path, name, content, table):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert human_responses.is_table(tmp_path / name) is table
