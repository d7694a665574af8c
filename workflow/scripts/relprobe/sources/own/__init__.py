"""A user's own data, from CSV files."""
