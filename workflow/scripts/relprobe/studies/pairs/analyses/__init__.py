"""The further analyses of the study: a file each, with its tables, its figures and its words on the page."""
