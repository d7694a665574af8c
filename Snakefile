# Lets `snakemake --cores all` work here; the workflow itself is in workflow/.
include: "workflow/Snakefile"


workflow.default_target = "all"
