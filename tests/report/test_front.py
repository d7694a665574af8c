import json
import re

import polars as pl
import pytest
from relprobe.report.front import (
    Files,
    Outputs,
    Settings,
    card,
    columns_of,
    draw,
    front,
    names_of,
    pages,
    picture_sections,
    published_figures,
)
from relprobe.report.origins import ORIGINS
from relprobe.report.page import write
from relprobe.report.page_words import PageWords, words_of
from relprobe.report.picture import PALE, picture
from relprobe.report.published import compare_published, figures, read
from relprobe.report.shown import page_of
from relprobe.studies import STUDIES

from tests.paths import ROOT, TEMPLATE

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'
LINK = '<a xlink:href="../answers.html#a=m" target="_blank"><path id="x"/></a>'
SAID = {
    "finding": "m is best.",
    "notice": "",
    "names": {"HYP": "hypernymy"},
    "figure": "bars",
    "words": "m 0.5.",
    "answers": True,
}
SOURCES = pl.DataFrame({"name": ["bert"]})
HEADER = "where,page,quantity,condition,agent,value,low,high,note,source\n"
PRINTED = (
    "Section 8.1,,soundness,HYP,humans,,0.63,0.75,,v1\nTable 1,,prompts,HYP,,7,,,,v1\n"
    "Table 9,,soundness,ANT,opt,0.5,,,,v1\n"
)


def study(folder, name="relations", **said):
    (folder / name / "figures").mkdir(parents=True)
    (folder / name / "figures/bars.svg").write_text(SVG.format(LINK))
    (folder / name / "card.json").write_text(json.dumps({**SAID, **said}))
    return folder / name / "card.json"


def published(folder, ours, printed=PRINTED):
    """Write relations/tables/published.parquet: the printed figures beside `ours` (quantity, condition, agent, ours)."""
    (folder / "paper.csv").write_text(HEADER + printed)
    table = compare_published(
        read(folder / "paper.csv"),
        figures(pl.DataFrame(ours, schema=["quantity", "condition", "agent", "ours"], orient="row")),
    )
    path = folder / "relations/tables/published.parquet"
    path.parent.mkdir(parents=True)
    table.write_parquet(path)
    return path


def tables_of(path):
    return {"relations": pl.read_parquet(path)}


def test_a_card_has_the_question_the_finding_its_figure_and_where_to_read_on(tmp_path):
    shown = card(study(tmp_path))
    assert (shown.title, shown.caption, shown.words) == (page_of("relations").title, "m is best.", "m 0.5.")
    assert list(shown.links.values()) == [
        "relations/report.html",
        "relations/answers.html",
        "relations/tables/overview.csv",
    ]
    assert 'xlink:href="relations/answers.html#a=m"' in shown.svg.element
    assert 'id="' not in shown.svg.element  # as nothing refers to one


def test_a_card_may_lack_answers_and_a_figure_and_says_what_the_study_lacks(tmp_path):
    shown = card(study(tmp_path, "degrees", answers=False, figure=None, notice="This is a demonstration."))
    assert list(shown.links.values()) == ["degrees/report.html", "degrees/tables/overview.csv"]
    assert (shown.svg, shown.notice) == (None, "This is a demonstration.")


def test_the_front_page_ends_with_what_was_left_out_and_with_the_origins(tmp_path):
    parts = front([study(tmp_path)], SOURCES, {}, ["A note."], published=True, compared=True)
    assert [one.id for one in parts] == ["relations", "published", "compared", "left-out", "sources"]
    assert parts[-2].items == ["A note."]
    assert (parts[-1].table, parts[-1].data, bool(parts[-1].part)) == (SOURCES, "sources.csv", True)


def test_a_study_that_does_not_run_has_a_card_that_says_how_its_data_are_had(tmp_path):
    parts = front([study(tmp_path)], SOURCES, {"degrees": "Degrees needs ratings."}, [])
    cards = [(one.id, one.caption, one.link) for one in parts if one.card]
    assert cards == [("relations", "m is best.", "relations/report.html"), ("degrees", "Degrees needs ratings.", None)]
    assert parts[-2].items == []


def test_no_page_of_published_figures_is_named_where_it_is_empty(tmp_path):
    parts = front([study(tmp_path)], SOURCES, {"degrees": "The study degrees is not here."}, [])
    assert "published.html" not in [one.link for one in parts]


OURS = [
    ("soundness", "HYP", "m", 0.25),
    ("soundness", "HYP", "humans", 0.7),
    ("prompts", "HYP", None, 7),
    ("soundness", "SYN", "m", 0.1),
]


def test_the_published_figures_are_a_picture_and_then_those_that_both_have(tmp_path):
    path, cards = published(tmp_path, OURS), [study(tmp_path, "definitions"), study(tmp_path / "x")]
    names = {"relations": {"HYP": "hypernymy"}}
    files = {"relations": tmp_path / "published/relations.svg"}
    words = draw(tables_of(path), names, {"relations": {"m": "M"}}, files)
    assert words == {"relations": "Soundness, hypernymy: paper humans 0.63 to 0.75; this run humans 0.70, m 0.25."}
    pictures = picture_sections(words, files)
    picture, both, alone = published_figures(tables_of(path), pictures, names)
    assert picture.svg.element.startswith("<svg")
    assert "hypernymy" in picture.svg.element
    assert 'data-agent="m"' in picture.svg.element
    assert both.table.select("quantity", "ours").rows() == [("soundness", 0.7), ("prompts", 7.0)]
    assert (both.code_names, both.part) == ({"HYP": "hypernymy"}, "")
    assert alone.table["quantity"].to_list() == ["soundness"]
    assert alone.part
    assert names_of(cards)["definitions"] == {"HYP": "hypernymy"}


def test_there_is_no_picture_of_what_the_paper_and_the_run_do_not_share(tmp_path):
    path = published(tmp_path, [("soundness", "SYN", "m", 0.1)])
    file = tmp_path / "published/relations.svg"
    assert draw(tables_of(path), {}, {}, {"relations": file}) == {}
    assert "no figure of the agents and data that the papers print" in file.read_text()
    assert file.with_suffix(".png").is_file()
    (alone,) = published_figures(tables_of(path), {}, {})
    assert alone.table.height == 3


def test_bounds_of_published_figures_share_a_column(tmp_path):
    (both, *_) = published_figures(tables_of(published(tmp_path, OURS)), {}, {})
    assert both.table["range"].to_list() == ["0.63 to 0.75", None]


def test_a_study_of_own_data_has_no_published_figures(tmp_path):
    assert published_figures(tables_of(published(tmp_path, OURS, "")), {}, {}) == []


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_has_what_its_page_needs(study):
    about = page_of(study)
    assert about.title.endswith("?")
    assert len(about.lead) > 100
    assert isinstance(words_of(study), PageWords)
    assert about.front
    assert bool(about.quantities) == (ROOT / f"resources/published/{study}.csv").is_file()


def test_published_numbers_have_the_decimals_of_the_paper(tmp_path):
    printed = "Table 2,,soundness,HYP,bert,0.7,,,,v1\nTable 2,,soundness,ANT,bert,0.66,,,,v1\n"
    rows = pl.read_parquet(published(tmp_path, [("soundness", "HYP", "bert", -0.12345)], printed))
    rows = rows.with_columns(ours_low=pl.lit(-0.5), ours_high=pl.lit(0.2))
    (both, _) = published_figures({"relations": rows}, {}, {})
    write("T", "", [both], TEMPLATE, tmp_path / "p.html")
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", (tmp_path / "p.html").read_text())
    assert {"0.70", "−0.12", "−0.50 to 0.20", "−0.82"} <= set(cells)


def test_controls_of_this_run_are_outlines_and_no_grey_of_the_paper(tmp_path):
    ours = [("soundness", "ANT", "m", 0.25), ("soundness", "ANT", "majority", 0.2)]
    path = published(tmp_path, ours, PRINTED.splitlines()[-1])
    drawn_picture = picture(tables_of(path)["relations"], {"soundness": "Soundness"}, {"m": "M"}, {})
    (axis,) = drawn_picture.axes
    looks = {line.get_xdata()[0]: (line.get_color(), line.get_markerfacecolor()) for line in axis.get_lines()}
    assert looks[0.2] == ("#444444", "white")
    assert looks[0.5] == (PALE, PALE)
    texts = [text.get_text() for legend in drawn_picture.legends for text in legend.get_texts()]
    assert texts == ["paper: model or baseline", "m", "majority (control)"]  # the paper prints nothing of people here


def test_the_columns_of_origins_and_of_published_figures_have_meanings(tmp_path):
    path = published(tmp_path, OURS)
    tables = [*published_figures(tables_of(path), {}, {}), *front([], pl.DataFrame(schema=ORIGINS), {}, [])]
    said = columns_of(tables)
    assert {"range", "ours", "difference", "used_as", "sha256"} <= set(said)
    assert all(said.values())


def test_the_pages_and_the_descriptions_of_a_run_are_written(tmp_path):
    """Of the paper the run has one figure; without any, no page leads to that of published figures."""
    for ours, shown in ((OURS, True), ([("soundness", "SYN", "m", 0.1)], False)):
        folder = tmp_path / str(shown)
        path, cards = published(folder_of(folder), ours), [study(folder)]
        outputs = Outputs(
            **{name: folder / f"{name}.html" for name in ("index", "published_index")},
            sources=folder / "sources.csv",
            captions=folder / "captions",
            configuration_out=folder / "config.json",
            package=folder / "datapackage.json",
            ro_crate=folder / "ro-crate-metadata.json",
            pictures=[folder / "published/relations.svg"],
        )
        settings = Settings(
            has={"relations": dict.fromkeys(page_of("relations").may_lack, True)},
            models={name: {"huggingface": f"org/{name}", "type": "masked"} for name in ("m", "n")},
            adapter_entries={"n": {"path": "lora"}},
            resources={"wordnet": {"url": "https://x"}},
            families={"relations": {"m": "M"}},
            missing={"degrees": "Degrees needs ratings."},
            notes=["A note."],
            compared=True,
            configuration={"a": 1},
            run="My run",
        )
        manifest = {name: folder / f"{name}.json" for name in ("m", "n")}
        for name, file in manifest.items():
            file.write_text(json.dumps({"files": {"model.safetensors": "aa", f"{name}.json": "bb"}}))
        files = Files(cards, TEMPLATE, [path], manifests=[*manifest.values()], adapters=[manifest["n"]], tables=[path])
        pages(files, outputs, settings)
        html = outputs.index.read_text()
        assert [text in html for text in ("My run", "A note.", "Degrees needs ratings.", "compare.html")] == [True] * 4
        assert ("published.html" in html) is shown
        assert ("Soundness, hypernymy" in html) is shown
        assert "My run" in outputs.published_index.read_text()
        assert ("prompts" in outputs.published_index.read_text()) is shown
        assert json.loads(outputs.configuration_out.read_text()) == {"a": 1}
        assert pl.read_csv(outputs.sources).select("name", "used_as").unique(maintain_order=True).rows() == [
            *(("m", "masked model"), ("n", "masked model"), ("n", "adapter"), ("wordnet", "resource")),
        ]
        assert "The models m and n have the same weights (SHA-256)" in html
        package = json.loads(outputs.package.read_text())
        assert (package["title"], [one["path"] for one in package["resources"]]) == (
            "My run",
            ["relations/tables/published.parquet"],
        )
        graph = json.loads(outputs.ro_crate.read_text())["@graph"]
        assert [one["@id"] for one in graph if one["@type"] == "File"] == [
            *("relations/tables/published.parquet", "published/relations.svg"),
            *("index.html", "published_index.html", "sources.csv", "config.json", "datapackage.json"),
        ]
        assert [one["@id"] for one in graph if one["@id"].startswith("#model")] == ["#model-m", "#model-n"]
        assert [*outputs.captions.iterdir()]


def folder_of(folder):
    folder.mkdir()
    return folder


def test_no_page_of_published_figures_is_named_beside_a_picture_of_them(tmp_path):
    files = {"relations": tmp_path / "published/relations.svg"}
    words = draw(tables_of(published(tmp_path, OURS)), {}, {}, files)
    parts = front([study(tmp_path)], SOURCES, {}, [], picture_sections(words, files), published=True)
    assert [one.id for one in parts] == ["relations", "relations-published", "left-out", "sources"]


def test_a_run_without_models_resources_and_figures_has_its_pages(tmp_path):
    names = ("index", "published_index", "sources", "captions", "configuration_out", "package", "ro_crate")
    outputs = Outputs(**{name: tmp_path / name for name in names})
    pages(Files([study(tmp_path)], TEMPLATE), outputs, Settings({}, {}, {}, {}))
    assert "published.html" not in outputs.index.read_text()
    assert json.loads(outputs.configuration_out.read_text()) == {}
    assert json.loads(outputs.package.read_text())["resources"] == []
    assert pl.read_csv(outputs.sources).is_empty()
