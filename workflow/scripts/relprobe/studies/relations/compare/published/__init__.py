"""What the paper prints beside what this run has."""
