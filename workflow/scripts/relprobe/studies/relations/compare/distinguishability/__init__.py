"""Which relations an agent tells apart: AuDC and its tests, what is reached by chance, and the use of the relation."""
