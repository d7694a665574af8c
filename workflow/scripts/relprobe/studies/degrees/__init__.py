"""The degrees study (SemEval-2012 Task 2, Jurgens et al.): how prototypical word pairs are for their relation."""
