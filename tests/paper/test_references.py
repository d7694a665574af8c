"""What the methods cite: every key has an entry, and every entry a sentence that cites it."""

import re

import pytest
import yaml
from relprobe.core.errors import DataError
from relprobe.paper.latex import literal
from relprobe.paper.references import CITED, bibliography, entries, model_entry, model_key
from relprobe.studies import STUDIES

from tests.paths import ROOT, SCRIPTS

SOURCES = [
    SCRIPTS / "relprobe/paper/methods.py",
    *(SCRIPTS / f"relprobe/studies/{one}/methods.py" for one in STUDIES),
]


def test_every_key_that_a_sentence_may_cite_has_an_entry_and_the_other_way_round():
    cited = {key for file in SOURCES for key in CITED.findall(file.read_text("utf-8"))}
    assert cited - {"model"} == set(entries())  # [@model-NAME] is made of the configuration


def test_an_entry_begins_with_its_key_and_its_braces_pair():
    for key, entry in (*entries().items(), ("model-m", model_entry("m", {"path": "data/50%_{of}"}))):
        assert re.match(rf"@\w+\{{{re.escape(key)},\n", entry)
        unescaped = re.sub(r"\\[{}]", "", entry)
        assert unescaped.count("{") == unescaped.count("}")


def test_the_entries_are_those_of_the_citation_file():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert f"title = {{{citation['title']}}}" in entries()["relprobe"]
    plain = {re.sub(r"[{}]", "", entry) for entry in entries().values()}
    for paper in citation["references"]:
        (entry,) = (one for one in plain if f"title = {paper['title']}," in one)
        assert f"year = {paper['year']}" in entry
        first = paper["authors"][0]
        assert f"author = {first['family-names']}, " in entry


def test_no_two_models_share_a_key_also_without_capitals():
    names = ["gpt2_xl", "gpt2-xl", "GPT2-xl", "gpt2.xl", "Gpt2-Xl"]
    text = bibliography([f"[@{model_key(name)}]" for name in names], {name: {"path": "a"} for name in names})
    keys = re.findall(r"^@misc\{(.+),$", text, re.MULTILINE)
    assert len({key.lower() for key in keys}) == len(names)


def test_no_text_of_a_model_closes_its_field():
    wrong = "a}, note = {b\\"
    for entry in ({"endpoint": "http://a/v1", "name": wrong}, {"url": f"https://example.org/{wrong}.zip"}):
        text = model_entry("m", entry)
        assert "note" not in re.findall(r"^  (\w+) = \{.*\},$", text, re.MULTILINE)
        for line in text.splitlines()[1:-1]:
            assert line.count("{") == line.count("}")


def test_the_bibliography_has_what_is_cited_and_nothing_else():
    text = bibliography(
        ["as in [@kish1965; @cao2024], and [@model-m]", "[@kish1965]"], {"m": {"path": "a"}, "n": {"path": "b"}}
    )
    assert re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE) == ["cao2024", "kish1965", "model-m"]
    with pytest.raises(DataError, match="cite nobody2020, of which there is no entry"):
        bibliography(["[@nobody2020]"], {})


@pytest.mark.parametrize(
    ("entry", "title", "published", "url"),
    [
        ({"huggingface": "me/m", "revision": "ab"}, "me/m", "Hugging Face, revision ab", "https://huggingface.co/me/m"),
        ({"pypi": "m==1"}, "m==1", "PyPI", None),
        ({"pypi": "https://me:key@example.org/m"}, "https://me:key@example.org/m", "PyPI", None),
        ({"path": "secret"}, "n", "language model", None),
        ({"endpoint": "http://secret/v1", "name": "llama"}, "llama", "language model", None),
        (
            {"url": "https://me:key@example.org/m n"},
            "https://example.org/m n",
            "language model",
            "https://example.org/m%20n",
        ),
    ],
)
def test_the_entry_of_a_model_says_where_it_is_from(entry, title, published, url):
    assert model_entry("n", entry).splitlines() == [
        "@misc{model-n,",
        "  key = {n},",
        f"  title = {{{literal(title)}}},",
        f"  howpublished = {{{published}}},",
        *([f"  url = {{{url}}},"] if url else []),
        "}",
    ]


def test_entries_stand_in_the_order_of_their_keys_and_end_in_their_braces():
    keys = ["holm1979", "aronow2015", "korn1998", "cao2024", "kish1965"]
    text = bibliography([f"[@{key}]" for key in keys], {})
    assert re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE) == sorted(keys)
    assert all(entry.endswith("\n}") for entry in entries().values())
