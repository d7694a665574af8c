import json
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.0")


# A study given with --configfile stands alone: it does not add to the default one.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/resources.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/report.smk"


if "relations" in ASKED:

    include: "workflow/rules/relations.smk"
    include: "workflow/rules/relations_tables.smk"
    include: "workflow/rules/relations_report.smk"


if "definitions" in ASKED:

    include: "workflow/rules/definitions.smk"
    include: "workflow/rules/definitions_report.smk"


if "systematicity" in ASKED:

    include: "workflow/rules/systematicity.smk"
    include: "workflow/rules/systematicity_report.smk"


if "analogies" in ASKED:

    include: "workflow/rules/analogies.smk"
    include: "workflow/rules/analogies_report.smk"


if "degrees" in ASKED:

    include: "workflow/rules/degrees.smk"
    include: "workflow/rules/degrees_report.smk"


rule all:
    default_target: True
    input:
        "<results>/report.html",
