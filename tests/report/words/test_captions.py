from relprobe.report.exhibits import Figure, Page, Table
from relprobe.report.words import captions
from relprobe.report.words.captions import caption, write_captions

PAGE = Page(
    "Title?",
    "Lead.",
    (
        Figure("symmetry", "Symmetry, k = 5", "w & v, or |Y| < 3."),
        Figure("ceiling", "People", "How well they agree.", needs=("people",)),
        Table("tests", "Tests", "McNemar*", without={"people": "Nobody answered."}),
    ),
    {},
    {"people": "answers of people"},
)


def test_a_caption_escapes_the_characters_of_markup():
    assert caption(Table("tests", "Tests", "a*b_ |c|")) == r"**Tests.** a\*b\_ \|c\|" + "\n"


def test_every_table_and_figure_of_a_run_gets_its_caption(tmp_path, monkeypatch):
    monkeypatch.setattr(captions, "page_of", {"relations": PAGE, "degrees": PAGE}.__getitem__)
    write_captions({"relations": {"people": False}, "degrees": {"people": True}}, tmp_path)
    assert {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.rst")} == {
        "relations/figures/symmetry.rst": "**Symmetry, k = 5.** w & v, or \\|Y\\| < 3.\n",
        "relations/tables/tests.rst": "**Tests.** McNemar\\* Nobody answered.\n",
        "degrees/figures/symmetry.rst": "**Symmetry, k = 5.** w & v, or \\|Y\\| < 3.\n",
        "degrees/figures/ceiling.rst": "**People.** How well they agree.\n",
        "degrees/tables/tests.rst": "**Tests.** McNemar\\*\n",
    }
