"""The options that a study gives its steps, in the commands of a dry run."""

import re
import shlex

from relprobe.core.cli import arguments_of, function_of
from relprobe.core.outline import outline
from relprobe.steps import GROUPS

NEXT_JOB = r"\n(?=\[\w{3} \w{3} [ \d]\d |Job stats:|Would remove temporary output )"  # an option may have several lines


def check(study, page):
    """Parse each command for a page as its step will, and return the steps: a missing or wrong option ends the test."""
    done = study.snakemake("--dry-run", "--forceall", "--printshellcmds", page)
    assert done.returncode == 0, done.stderr
    commands = re.findall(rf"python -m relprobe (.*?){NEXT_JOB}", done.stdout + done.stderr, re.DOTALL)
    assert "Exception" not in done.stdout + done.stderr
    assert len(commands) > 10
    for group, step, *options in map(shlex.split, commands):
        arguments_of(outline(function_of(GROUPS[group], step))).parse_args(options)
    return {(group, step) for group, step, *_ in map(shlex.split, commands)}
