# The tables and figures of a study as outputs of rules, with their captions, and what a run says at its end.
import itertools
from pathlib import Path

from relprobe.command import results
from relprobe.command.process import failures, go_on, is_command, reason, say_last, stop_message, take_targets
from relprobe.core.inside_snakemake import rule_names
from relprobe.core.errors import DataError
from relprobe.core.analyses import analyses_of, steps_of
from relprobe.core.study import StepInput, study_of
from relprobe.core.words import hint
from relprobe.report.shown import page_of
from relprobe.studies.frame.run import in_run_of

# A page with a fault ends the run here, before it has a rule, in one sentence.
for study in STUDIES:
    try:
        page_of(study)
    except DataError as error:
        raise WorkflowError(str(error)) from None

# Study -> what it says of itself in this run (core/study.py); what it does not say, the frame does.
try:
    IN_RUN = {study: in_run_of(study, config, roles(study)) for study in RUN_STUDIES}
except DataError as error:
    raise WorkflowError(str(error)) from None

# Folder -> the forms of what is in it: the one that people read, and the other one.
FORMS = {"tables": ("csv", "parquet"), "figures": ("svg", "png")}


def shown(study, folder, step=None):
    """The names of the tables or figures (`folder`) of a study in this run: those that a step makes, or those on its page."""
    exhibits = [exhibit for exhibit in page_of(study).available(IN_RUN[study].has) if exhibit.folder == folder]
    return [exhibit.name for exhibit in exhibits if (exhibit.step == step if step else exhibit.on_page)]


def shown_tables(study):
    """The names of the tables of a study: those of its page, and, in the study of the paper, its values compared the run's."""
    exhibits = [exhibit for exhibit in page_of(study).available(IN_RUN[study].has) if exhibit.folder == "tables"]
    compared = ["published"] * bool(IN_RUN[study].has.get("paper"))
    return [exhibit.name for exhibit in exhibits if exhibit.on_page or exhibit.name in compared]


def figures(study, step):
    """The SVG files of the figures that a step makes, with a caption in `snakemake --report`; PNG files lie beside them."""
    return [reported(study, "figures", f"{name}.svg") for name in shown(study, "figures", step)]


def printed(study):
    """The names of the files of the study's own figures for print, which its step `figures` makes (paper.smk)."""
    forms = ["pdf", "png"] if config["paper"]["png"] else ["pdf"]
    names = [name for step in ("show", *steps_of(study)) for name in shown(study, "figures", step)]
    if not config["paper"]["all"]:
        names = [name for name in names if name in page_of(study).front] or names[:1]
    return expand("{name}.{form}", name=names, form=forms)


def prints(study, step):
    """The PNG files beside the SVG files of figures."""
    return expand(f"<results>/{study}/figures/{{name}}.png", name=shown(study, "figures", step))


def tables(study, step):
    """The tables that a step makes: CSV files, with a caption in `snakemake --report`, and Parquet files for later steps."""
    files = [reported(study, "tables", f"{name}.csv") for name in shown(study, "tables", step)]
    return files + parquet(study, step)


def parquet(study, tables):
    """Tables for the steps that read them: those of these names, or all that a step makes."""
    names = shown(study, "tables", tables) if isinstance(tables, str) else tables
    return expand(f"<results>/{study}/tables/{{name}}.parquet", name=names)


def readings_of_analyses(study, readable):
    """The analyses of a study that have a step of their own in this run (core/analyses.py), each with what its step reads.

    `readable`: name of a parameter of its function `make_exhibits` -> the files and settings that it stands for.
    """
    readings = {}
    for analysis in (analysis for analysis in analyses_of(study) if analysis.name in steps_of(study)):
        if not shown(study, "tables", analysis.name):
            continue
        if unknown := [name for name in analysis.reads if name not in readable]:
            raise WorkflowError(
                f"{analysis.path}: make_exhibits has a parameter {unknown[0]!r}, which stands for nothing: {hint(unknown[0], readable)}"
            )
        for_print = IN_RUN[study].drawn.settings.get("names", [])
        if undrawn := [name for name in shown(study, "figures", analysis.name) if name not in for_print]:
            raise WorkflowError(
                f"{analysis.path}: make_exhibits makes a figure {undrawn[0]}, which the step figures of {study} does not draw for print: "
                "write `step: show` into its section, and its function into FIGURES."
            )
        parts = [readable[name] for name in analysis.reads]
        files = {name: files for part in parts for name, files in part.files.items()}
        settings = {name: value for part in parts for name, value in part.settings.items()}
        settings |= {"names": shown(study, "figures", analysis.name)} if "drawing" in analysis.reads else {}
        readings[analysis.name] = StepInput(files, settings)
    return readings


def early(study, folder):
    """The names of the tables or figures on the first page of a study."""
    late = [name for step in IN_RUN[study].late for name in shown(study, folder, step)]
    return [name for name in shown(study, folder) if name not in late]


def outputs_of_analysis(study, name):
    """What the step of an analysis makes: its tables, and its figures, if it has any."""
    drawn = figures(study, name)
    return {"tables": tables(study, name), "figures": drawn} if drawn else {"out": tables(study, name)}


def shown_files(study):
    """All that a study shows: its pages, and each of its tables and figures in both of its forms."""
    exhibits = page_of(study).available(IN_RUN[study].has)
    pages = ["report.html"] + ["answers.html"] * has_answers(study)
    files = pages + [
        f"{exhibit.folder}/{exhibit.name}.{form}" for exhibit in exhibits for form in FORMS[exhibit.folder]
    ]
    return expand(f"<results>/{study}/{{file}}", file=files)


def check_targets():
    """Refuse a word that names no study of this run, no file that it makes, no rule and no file that is there.

    Snakemake would say that a rule is missing. In another workflow that uses this one, the words are that one's own.
    """
    if is_module():
        return
    names = {*rule_names(workflow)}
    for word in take_targets():
        if not (word in names or is_made(os.path.normpath(word)) or Path(word).exists()):
            raise WorkflowError(no_target(word, [*RUN_STUDIES, "export", "all"], names))


def no_target(word, meant, names):
    """The sentence on such a word."""
    if sentence := LEFT_OUT.get(word) or LOST.get(word) or absent(config).get(word):
        return sentence
    files = map(locate, itertools.chain(*map(shown_files, RUN_STUDIES)))
    return f"The run has neither a study nor a file {word!r}: {hint(word, meant, more=[*sorted(names), *files])}"


def reported(study, part, file):
    name = Path(file).stem
    return report(
        f"<results>/{study}/{part}/{file}",
        caption=caption(study, part, name),
        category=study.capitalize(),
        subcategory=part.capitalize(),
        labels={part.removesuffix("s"): name.replace("_", " ")},
    )


def in_all_studies(name, folder="tables"):
    """What is the same in all studies that have it: a table or a figure in both of its forms, the second with the caption.

    A step of the group `report` makes it for the wildcard study, and report/shared.md has its section.
    """
    having = [study for study in RUN_STUDIES if name in shown(study, folder)]
    read, plain = FORMS[folder]
    file = report(
        f"<results>/{{study}}/{folder}/{name}.{read}",
        caption=caption(having[0], folder, name) if having else None,  # it has no wildcards
        category=lambda wildcards: wildcards.study.capitalize(),
        subcategory=folder.capitalize(),
        labels={folder.removesuffix("s"): name.replace("_", " ")},
    )
    return [f"<results>/{{study}}/{folder}/{name}.{plain}", file]


def caption(study, part, name):
    """The file of the caption of a table or figure."""
    return str(Path(locate("<results>/captions")).absolute() / study / part / f"{name}.rst")


def answers_page(study):
    """The page of all agents' answers."""
    return report(f"<results>/{study}/answers.html", category=study.capitalize(), labels={"page": "answers"})


def has_answers(study):
    """Return whether a study has such a page."""
    return "answers" in IN_RUN[study].shown.makes


def notice(study):
    """What every page of a study says first, as this run lacks something (report/shown.py); None without such a sentence."""
    return page_of(study).notice(IN_RUN[study].has) or None
