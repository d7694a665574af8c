"""What the steps import before they do anything: a light step pays for no library that it does not use."""

from relprobe.core.analyses import steps_of
from relprobe.core.cli import contents_of, function_of
from relprobe.core.digest import SCRIPTS, module_files
from relprobe.report.shown import page_of
from relprobe.report.steps import STEPS as REPORT
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES

from tests.closure import imports

HEAVY = {"torch", "transformers", "nltk", "matplotlib", "scipy", "statsmodels", "inflect"}
"""Libraries that take 0.1 to 4 seconds of the processor to import."""
DRAWN = {
    "report index",
    *(f"report {step}" for step, (home, _) in REPORT.items() if home.startswith("figures.")),
    *(
        f"{group} {step}"
        for group in (*STUDIES, "frame")
        for step in ("show", "figures")
        if step in contents_of(GROUPS[group])
    ),
    *(
        f"{study} {figure.step}"
        for study in STUDIES
        for figure in page_of(study).exhibits
        if figure.folder == "figures" and figure.step in steps_of(study)
    ),
}
EXPECTED = {
    "nltk": set(),
    "matplotlib": DRAWN,
    "scipy": set(),
    "statsmodels": set(),
    "inflect": set(),
}
"""Library -> the steps that import it at once. Steps that ask or train a network import torch, and are not counted."""


def libraries(module: str) -> set[str]:
    """The heavy libraries that a module of the package imports at once, directly or through other modules."""
    todo, seen, found = [*module_files(module)], set(), set()
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        for name in imports(SCRIPTS / file, at_once=True):
            if name.partition(".")[0] in HEAVY:
                found.add(name.partition(".")[0])
            elif name.startswith("relprobe"):
                todo += module_files(name)
    return found


def test_each_step_imports_at_once_what_it_needs_and_nothing_else_that_takes_time():
    steps = {
        f"{group} {step}": libraries(function_of(home, step).rpartition(".")[0])
        for group, home in GROUPS.items()
        for step in contents_of(home)
    }
    light = {step: found for step, found in steps.items() if not found & {"torch", "transformers"}}
    assert len(light) > 90
    assert {name: {step for step, found in light.items() if name in found} for name in EXPECTED} == EXPECTED
