"""Write what the pages say of the default study: `python docs/run_manual.py [RESULTS]`, after `make run`.

README.md and some pages of docs hold passages between `<!-- run: NAME -->` and `<!-- end -->`. Each is a
function of this file that reads the results, so that no number and no conclusion of these pages is older than a run. The
picture of README is a figure of the run. With `--check` nothing is written, and the exit status says whether all passages
and the picture are those of the results.
"""

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.image import imread

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *(
        ROOT / f"docs/{name}.md"
        for name in ("default-study", "follow", "controls", "studies/definitions", "how-to/layers")
    ),
]
PASSAGE = re.compile(r"([ ]*<!-- run: ([\w-]+) -->\n).*?([ ]*<!-- end -->)", re.DOTALL)
MODEL, SHOTS, CHAT, MASKED = "smollm2-135m", "smollm2-135m-shots", "smollm2-135m-chat", "splade-tiny"
AGENTS = [MODEL, SHOTS, CHAT, MASKED]
NAMES = {
    "HYP": "hypernymy",
    "HPO": "hyponymy",
    "HOL": "holonymy",
    "MER": "meronymy",
    "ANT": "antonymy",
    "SYN": "synonymy",
}
PICTURES = {ROOT / "docs/images/overview.png": "relations/figures/overview.png"}
"""The pictures of the pages that are figures of a run."""
NEAR = 0.02
"""The mean difference of the colours of two pictures, from 0 to 1, that fonts of another version make."""
TARGET = "pony"
"""The target of docs/follow.md, of whose hypernyms the model names some."""

Row = dict[str, Any]


class Results:
    """The tables of a study of a run, of relations where none is named."""

    def __init__(self, folder: Path, study: str = "relations") -> None:
        self.folder = folder / study

    def of(self, study: str) -> "Results":
        """Return the tables of another study of the run."""
        return Results(self.folder.parent, study)

    def table(self, name: str, **where: object) -> pl.DataFrame:
        """Return those rows of a table whose columns have these values."""
        table = pl.read_parquet(self.folder / f"{name}.parquet")
        return table.filter(True, *(pl.col(column).eq_missing(value) for column, value in where.items()))

    def row(self, name: str, **where: object) -> Row:
        """Return the row of a table whose columns have these values. LookupError: there is not exactly one."""
        table = self.table(name, **where)
        if table.height != 1:
            raise LookupError(f"{name} has {table.height} rows with {where}")
        return table.row(0, named=True)

    def share(self, agent: str, relation: str, metric: str = "soundness") -> float:
        """Return the average of an agent in a relation."""
        return float(self.row("averages", agent=agent, relation=relation, metric=metric, k=None)["value"])


def table(head: str, rows: Iterable[Iterable[object]], right: int = 1) -> str:
    """Return a table in Markdown, with `right` columns of words before those of numbers."""
    names = head.split(" | ")
    line = "|".join("---" if number < right else "---:" for number in range(len(names)))
    return "\n".join([f"| {head} |", f"|{line}|", *(f"| {' | '.join(map(str, row))} |" for row in rows)]) + "\n"


def with_sign(value: object) -> str:
    """Return a difference with its sign, with two digits: −0.16."""
    return f"{round(float(str(value)), 2) + 0.0:+.2f}".replace("-", "−").replace("+0.00", "0.00")


def interval(row: Row, low: str = "low", high: str = "high") -> str:
    """Return the interval of a row in words."""
    return " to ".join(with_sign(row[end]).replace("+", "") for end in (low, high))


def p_value(value: object) -> str:
    """Return p with two digits that count; "< 0.0001" below that."""
    number = float(str(value))
    return "< 0.0001" if number < 1e-4 else f"{number:.2g}"


def words_of(relations: list[str], none: str = "no relation") -> str:
    """Return the names of relations as a list in words."""
    names = [NAMES[relation] for relation in relations]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else none


def percent(value: object) -> int:
    """Return a share as a number of 100."""
    return round(100 * float(str(value)))


def by_holm(results: Results, agent: str, claim: str) -> list[str]:
    """Return the relations in which a claim of an agent's soundness holds after adjustment over its relations."""
    rows = results.table("tables/controls", agent=agent, metric="soundness", claim=claim)
    relations_found = rows.filter(pl.col("p_holm_all") < 0.05)["relation"]
    return [relation for relation in NAMES if relation in set(relations_found)]


def readme_finding(results: Results) -> str:
    """Return the first paragraph below README's picture."""
    card = json.loads((results.folder / "card.json").read_text("utf-8"))
    best = results.row("tables/controls", agent=SHOTS, metric="soundness", relation="ANT")
    return (
        f"The page of the study says first: “{card['finding']}” Relation by relation, the model with examples is ahead of "
        f"every control in {words_of(by_holm(results, SHOTS, 'ahead of every control'))}; of antonyms it names "
        f"{percent(best['value'])} of 100, and the best control {percent(best['control_value'])}.\n"
    )


def readme_picture(results: Results) -> str:
    """Return what README says of its picture."""
    plain, hypernyms = (
        results.share(MODEL, "ANT"),
        results.row("tables/controls", agent=SHOTS, metric="soundness", relation="HYP"),
    )
    return (
        f"For antonyms, {percent(plain)} % of the first answers are right when the model is asked directly, and "
        f"{percent(results.share(SHOTS, 'ANT'))} % with examples. For hypernyms, "
        f"{percent(hypernyms['value'])} % are right with "
        f"examples, and {percent(hypernyms['control_value'])} % of those of the control `{hypernyms['control']}`.\n"
    )


def probes(results: Results) -> str:
    """Return the first sentences of docs/default-study.md."""
    kinds = dict(results.table("probes").group_by("kind").len().iter_rows())
    targets = results.table("averages", agent=MODEL, metric="soundness", k=None)
    counts = "; ".join(
        f"{row['relation']} {row['units']}"
        + (f", which count as {row['effective_n']:.0f}" * (row["effective_n"] < row["units"]))
        for row in targets.iter_rows(named=True)
    )
    return (
        f"The default study asks {sum(kinds.values()):,} probes of relations ({kinds['main']:,} main probes, "
        f"and {kinds['trick']:,} "
        f"trick probes for asymmetry), such as “a pony is a kind of a …” about frequent nouns of WordNet. "
        f"Targets of a relation share "
        f"no right answer, so that they count as what they are ({counts}). Each is asked with a third of its "
        f"relation's prompts.\n"
    )


def soundness(results: Results) -> str:
    """Return the table of right first answers, with the control that the agent with examples exceeds least."""
    rows = []
    for relation in NAMES:
        best = results.row("tables/controls", agent=SHOTS, metric="soundness", relation=relation)
        values = [f"{results.share(agent, relation):.3f}" for agent in AGENTS]
        rows.append([relation, *values, f"{best['control_value']:.3f}, {best['control']}"])
    return table(f"relation | {' | '.join(AGENTS)} | best control", rows)


def conclusions(results: Results) -> str:
    """Return what the tests say of the soundness of the model, in words that follow from them."""
    pooled = [results.row("tables/primary", agent=agent) for agent in AGENTS]
    rows = [
        [
            row["agent"], f"{row['value']:.3f}", f"{row['control_value']:.3f}, {row['control']}",
            with_sign(row["difference"]),
            interval(row), p_value(row["p"]), row["claim"],
        ]
        for row in pooled
    ]  # fmt: skip
    ahead, behind = (by_holm(results, SHOTS, claim) for claim in ("ahead of every control", "behind some control"))
    plain = by_holm(results, MODEL, "ahead of every control")
    spaces = results.table("tables/overview", agent=MODEL)["no_word"].mean()
    return (
        "The primary test pools all relations, with prompts and targets as samples:\n\n"
        + table("agent | soundness | its control | difference | 95 % interval | p | claim", rows)
        + "\nRelation by relation, adjusted over the agent's six relations, the model with examples is ahead of every "
        f"control in {words_of(ahead)}, and behind some control in {words_of(behind)}; without examples it is ahead in "
        f"{words_of(plain)}. "
        f"In the other relations the data leave it open. Without examples {percent(spaces)} % of the first "
        f"answers are no word, but for "
        "example a quote.\n"
    )


def examples(results: Results) -> str:
    """Return what three solved examples change in soundness."""
    rows = []
    for relation in NAMES:
        pairs = results.table("tests", metric="soundness", relation=relation, k=None).filter(
            pl.concat_list("agent_a", "agent_b").list.sort() == [MODEL, SHOTS]
        )
        row = pairs.row(0, named=True)
        sign = 1 if row["agent_a"] == SHOTS else -1
        ends = sorted([sign * row["low"], sign * row["high"]])
        rows.append(
            [
                relation, with_sign(sign * row["difference"]), interval({"low": ends[0], "high": ends[1]}),
                row["clusters"],
                f"{row['effective_n']:.0f}", p_value(row["p_holm"]),
                f"{row['detectable']:.2f}" if row["detectable"] else "",
                row["units"], p_value(row["paper_p"]),
            ]
        )  # fmt: skip
    return table(
        "relation | difference | 95 % interval | targets | count as | p_holm | detectable | units "
        "of the paper's test | its p",
        rows,
    )


def contrast(results: Results) -> str:
    """Return whether agents use the relation for the target that they are asked about."""
    where = {"measure": "for this target", "relation": None, "versus": None}
    rows, beyond = [], []
    for agent in AGENTS:
        row = results.row("tables/relation_use", agent=agent, **where)
        beyond += [agent] if row["beyond"] > 0 and row["beyond_p_holm"] < 0.05 else []
        rows.append(
            [
                agent, with_sign(row["contrast"]), interval(row), p_value(row["p_holm"]),
                f"{with_sign(row['beyond'])}, {row['control']}",
                interval(row, "beyond_low", "beyond_high"), p_value(row["beyond_p_holm"]),
            ]
        )  # fmt: skip
    for control in ("nearest", "typical", "majority"):
        row = results.row("tables/relation_use", agent=control, **where)
        rows.append([control, with_sign(row["contrast"]), interval(row), "", "", "", ""])
    some = results.row("tables/relation_use", agent=MODEL, **where)
    shown = f"Only for {' and '.join(beyond)}" if beyond else "For no agent"
    return (
        table(
            "agent | for this target | 95 % interval | p (Holm) | beyond the best control | 95 % interval | p (Holm)",
            rows,
        )
        + f"\n{some['targets']} targets are asked about several relations, and count as {some['effective_n']:.0f}. "
        f"{shown} do the data show "
        "that the answers use the relation more than a look-up of similar words in WordNet does.\n"
    )


def audc(results: Results) -> str:
    """Return the sum of the distances between relations."""
    values = {row["agent"]: row["value"] for row in results.table("averages", metric="audc").iter_rows(named=True)}
    listed = ", ".join(
        f"{values[agent]:.1f} for {agent}".replace("-", "−", 1 * (values[agent] < 0))
        for agent in [*AGENTS, "typical", "nearest"]
    )
    return f"AuDC, the sum of the distances between relations, is {listed}.\n"


def layers(results: Results) -> str:
    """Return in which layer half of what the last layer gets is reached, where that can be told."""
    half_rows = results.table("tables/halves").filter(pl.col("half").is_not_null()).iter_rows(named=True)
    sentences = [
        f"Read by {row['reader']}, half of the last layer's {row['metric']} of {NAMES[row['relation']]} "
        f"({row['value_last']:.2f}) is "
        f"reached {row['half']} (95 % interval {row['low']:.0f} to {row['high']:.0f}, {row['units']} targets)."
        for row in half_rows
    ]
    return "\n".join(sentences or ["On so few targets no metric shows where."]) + "\n"


def layer_halves(results: Results) -> str:
    """Return the table of docs/how-to/layers.md: what the last layer has right, the map at its best, and where half is."""
    rows, targets = [], set()
    mapped = results.table("tables/halves", metric="soundness").filter(pl.col("reader").str.contains("map"))
    for row in mapped.iter_rows(named=True):
        targets.add(str(row["clusters"]))
        last, highest, control = (f"{row[column]:.2f}" for column in ("value_last", "value_highest", "control_value"))
        best = f"{highest} (layer {row['highest_at']:.0f})"
        rows.append([NAMES[row["relation"]], last, best, f"{control} ({row['control']})", row["half"] or "not shown"])
    number = sum(row[-1] != "not shown" for row in rows)
    none = "No relation has a half: no last layer is shown to be above each control." if not number else ""
    head = "relation | last layer | by a linear map, at its best | best control | half of the last layer's value"
    caption = f"Shares of right first answers, over {' or '.join(sorted(targets))} targets of a relation."
    return f"{caption} {none}".rstrip() + f"\n\n{table(head, rows)}"


def _about(results: Results, name: str, columns: list[str], rows: int = 3, **where: object) -> str:
    """Return three rows of a file about the target of docs/follow.md."""
    shown_rows = results.table(name, **where).select(columns).head(rows)
    return table(" | ".join(columns), shown_rows.rows(), right=len(columns))


def follow_tuples(results: Results) -> str:
    """Return the tuples of the target, and their reverse."""
    pairs = results.table("tuples", target=TARGET, relation="HYP")["relatum"]
    rows = [[TARGET, "HYP", relatum] for relatum in pairs] + [[relatum, "HPO", TARGET] for relatum in pairs]
    return table("target | relation | relatum", rows, right=3)


def follow_relata(results: Results) -> str:
    """Return what counts as right."""
    number = results.table("relata", target=TARGET, relation="HYP").height
    rows = _about(results, "relata", ["target", "relation", "relatum"], target=TARGET, relation="HYP")
    return f"{number} words are left: what counts as right. Three of them:\n\n{rows}"


def _probe_ids(results: Results) -> list[str]:
    return results.table("probes", target=TARGET, relation="HYP", kind="main")["probe_id"].to_list()


def follow_probes(results: Results) -> str:
    """Return what the model is asked."""
    columns = ["probe_id", "relation", "target", "prompt_id", "kind", "text"]
    rows = _about(results, "probes", columns, target=TARGET, relation="HYP", kind="main")
    return f"*{TARGET}* is put into {len(_probe_ids(results))} of the prompts of hypernymy:\n\n{rows}"


def follow_scores(results: Results) -> str:
    """Return the tokens that the model gives, with the natural logarithms of their probabilities."""
    scores, asked = results.table(f"scores/{MODEL}"), _probe_ids(results)[:3]
    rows = []
    for probe in asked:
        row = scores.row(by_predicate=pl.col("probe_id") == probe, named=True)
        numbers = (f"{value:.3f}" for value in row["logprobs"][:3])
        rows.append([probe, ", ".join([*map(str, row["token_ids"][:3]), "…"]), ", ".join([*numbers, "…"])])
    return table("probe_id | token_ids | logprobs", rows, right=3)


def follow_responses(results: Results) -> str:
    """Return the answers as ranked words."""
    responses, rows = results.table(f"responses/{MODEL}", choice="as configured"), []
    for probe in _probe_ids(results)[:3]:
        row = responses.row(by_predicate=pl.col("probe_id") == probe, named=True)
        numbers = (f"{value:.3f}" for value in row["weights"][:3])
        rows.append(
            [row["kind"], row["choice"], probe, ", ".join([*row["words"][:3], "…"]), ", ".join([*numbers, "…"])]
        )
    return table("kind | choice | probe_id | words | weights", rows, right=5)


def follow_values(results: Results) -> str:
    """Return the value of each probe, and that of the target."""
    values = results.table(f"metrics/{MODEL}", metric="soundness", relation="HYP", target=TARGET)
    rows = [
        [*row[:-1], f"{row[-1]:.0f}"]
        for row in values.select("metric", "relation", "target", "prompt_id", "value").rows()
    ]
    right, asked = values["value"].sum(), values.height
    return (
        f"{table('metric | relation | target | prompt_id | value', rows, right=4)}\n{right:.0f} of the "
        f"{asked} probes are right: the "
        f"soundness of *{TARGET}* is {right:.0f}/{asked} = {right / asked:.3f}.\n"
    )


def follow_averages(results: Results) -> str:
    """Return the average over targets, with its interval."""
    values = results.table(f"metrics/{MODEL}", metric="soundness", relation="HYP", target=TARGET)["value"]
    mean = results.row("averages", agent=MODEL, metric="soundness", relation="HYP", k=None)
    rows = []
    for agent in (MODEL, SHOTS, "majority"):
        row = results.row("averages", agent=agent, metric="soundness", relation="HYP", k=None)
        numbers = [f"{row[name]:.3f}" for name in ("value", "low", "high")]
        rows.append([agent, "soundness", "HYP", *numbers, row["units"], f"{row['effective_n']:.1f}"])
    return (
        f"The values of a target are averaged over its prompts, and the {mean['units']} targets of hypernymy "
        f"after that. *{TARGET}* adds "
        f"{values.mean():.3f} / {mean['units']} = {values.mean() / mean['units']:.4f} to the {mean['value']:.3f}:\n\n"
        + table("agent | metric | relation | value | low | high | units | effective_n", rows, right=3)
    )


def follow_overview(results: Results) -> str:
    """Return the same numbers on the page."""
    rows = []
    for agent in (MODEL, SHOTS, "majority"):
        row = results.row("tables/overview", relation="HYP", agent=agent)
        rows.append(["HYP", agent, f"{row['soundness']:.3f}", f"{row['completeness']:.3f}", row["targets"]])
    return table("relation | agent | soundness | completeness | targets", rows, right=2)


CONTROLS = ("majority", "neighbours", "typical", "nearest", "frequency")


def control_shares(results: Results) -> str:
    """Return the table of what the controls of relations have right."""
    rows = []
    for relation, name in NAMES.items():
        averages = results.table("averages", relation=relation, metric="soundness", k=None)
        values = {row["agent"]: row for row in averages.iter_rows(named=True)}
        shares = [f"{values[control]['value']:.3f}".removeprefix("0") for control in CONTROLS]
        rows.append([name, values[CONTROLS[0]]["units"], *shares])
    return table(f"relation | targets | {' | '.join(CONTROLS)}", rows)


def similar_hyponyms(results: Results) -> str:
    """Return what the agents of systematicity have right, beside the control that looks similar words up."""
    averages = results.of("systematicity").table("averages", condition="wordnet")
    cells = []
    for agent in ("nearest", "static", MODEL):
        values = {row["metric"]: row for row in averages.filter(agent=agent).iter_rows(named=True)}
        singular, numbers = (values[metric] for metric in ("singular", "singular_plural"))
        cells.append(
            f"  `{agent}` {singular['value']:.2f} of {singular['units']} and {numbers['value']:.2f} of {numbers['units']}"
        )
    return (
        "  In the default study these are right in the singular, and in both numbers at once:\n"
        + ",\n".join(cells)
        + ".\n"
    )


def small_groups(results: Results) -> str:
    """Return how many groups of definitions have up to ten candidates."""
    groups = results.of("definitions").table("groups")
    small = groups.filter(pl.max_horizontal(pl.col("w2d").list.len(), pl.col("d2w").list.len()) <= 10).height
    return (
        f"The default study has {small} groups of up to ten candidates, so that `--each` is at most {small} there; a larger "
        "`sample` has more.\n"
    )


WRITERS: list[Callable[[Results], str]] = [
    readme_finding, readme_picture, probes, soundness, conclusions, examples, contrast, audc,
    layers, layer_halves, follow_tuples, follow_relata, follow_probes, follow_scores, follow_responses,
    follow_values, follow_averages, follow_overview,
    control_shares, similar_hyponyms, small_groups,
]  # fmt: skip
"""The functions that write passages, each under its name."""


def passages(text: str) -> list[str]:
    """Return the names of the passages of a page."""
    return [name for _, name, _ in PASSAGE.findall(text)]


def with_passages(text: str, results: Results) -> str:
    """Return a page with the passages of these results."""
    writers = {writer.__name__.replace("_", "-"): writer for writer in WRITERS}
    return PASSAGE.sub(lambda match: match[1] + writers[match[2]](results) + match[3], text)


def same_picture(picture: Path, another: Path) -> bool:
    """Return whether two pictures show the same, but for the edges of letters."""
    first, second = map(imread, (picture, another))
    return first.shape == second.shape and float(abs(first - second).mean()) < NEAR


def main(words: list[str]) -> int:
    """Write the passages and pictures of all pages, or compare them; return the exit status."""
    folders = [word for word in words if word != "--check"]
    results = Results(Path(folders[0]) if folders else ROOT / "results")
    texts = {page: page.read_text("utf-8") for page in PAGES}
    new = {page: with_passages(text, results) for page, text in texts.items()}
    drawn = {picture: results.folder.parent / figure for picture, figure in PICTURES.items()}
    if "--check" in words:
        old = [page for page, text in texts.items() if text != new[page]]
        old += [picture for picture, figure in drawn.items() if not same_picture(picture, figure)]
        names = ", ".join(str(path.relative_to(ROOT)) for path in old)
        print(f"not of these results: {names}" if old else "all passages and pictures are those of these results")
        return int(bool(old))
    for page, text in new.items():
        page.write_text(text, "utf-8")
    for picture, figure in drawn.items():
        shutil.copyfile(figure, picture)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
