"""The degrees study (SemEval-2012 Task 2, Jurgens et al.): prototypicality of word pairs for their relation."""
