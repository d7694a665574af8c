"""What was answered, and the values that follow from it, unit by unit."""
