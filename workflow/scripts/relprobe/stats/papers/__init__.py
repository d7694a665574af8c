"""The tests that the papers themselves use, which take all values as independent."""
