"""Results in the forms of others: Every Eval Ever, a data set folder of Hugging Face, tasks of lm-evaluation-harness."""
