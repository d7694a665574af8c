"""The version of relprobe. This is its only place: the package, the citation and the pages are checked against it."""

__version__ = "0.4.0"
