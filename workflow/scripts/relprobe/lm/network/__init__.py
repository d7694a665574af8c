"""The forward pass: a network, the batches and token tries it computes, and the check that they are right."""
