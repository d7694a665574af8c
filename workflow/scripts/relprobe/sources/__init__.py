"""Readers of the published resources, one module each, and the pinned fetching of all of them."""
