"""The steps that write results in the forms of others. No other step reads them."""

STEPS = {
    "every_eval_ever": (
        "every_eval_ever:every_eval_ever",
        "Write the averages of a study as records of Every Eval Ever.",
    ),
    "dataset": ("dataset:dataset", "Write tables of a study as a data set folder of Hugging Face."),
    "lm_eval": ("lm_eval:lm_eval", "Write the probes of the relations study as tasks of lm-evaluation-harness."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
