"""What the study of definitions may say of an agent, as declared claims."""

from relprobe.core.claim import Claim

CLAIMS = tuple(
    Claim(
        f"{task} {measure}",
        verb=verb,
        unit=unit,
        each="parts of speech",
        test=f"{test}families",
        sample="families of words",
        primary=(task, measure) == ("W2D", "RS"),
    )
    for measure, unit, test, verbs in (
        (
            "RS",
            "",
            "a test over ",
            {
                "W2D": "ranks a word's definition with a mean rank score of",
                "D2W": "ranks a definition's word with a mean rank score of",
            },
        ),
        (
            "P@1",
            "tasks",
            "sign flips over ",
            {"W2D": "finds a word's definition in", "D2W": "finds a definition's word in"},
        ),
    )
    for task, verb in verbs.items()
)
"""What the page says of agents. The rank score comes first: it is twice as sharp as P@1 of the same answers."""
