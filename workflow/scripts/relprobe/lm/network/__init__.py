"""The forward pass: a network, the batches and token tries that it computes, and the check that their results are right."""
