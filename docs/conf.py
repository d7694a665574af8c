"""The documentation as a site: `make site` builds docs/_build/html with Sphinx."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow/scripts"))

from pygments.lexers.special import TextLexer  # noqa: E402 (after the path)
from relprobe.version import __version__  # noqa: E402

project = "relprobe"
author = "The relprobe authors"
copyright = "2026, The relprobe authors, MIT licence"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_heading_anchors = 4  # links to sections work as they do in the files
default_role = "literal"  # docstrings write code in single backticks
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
html_theme = "furo"
html_title = f"relprobe {release}"
html_copy_source = False


def setup(app):  # noqa: ANN001, ANN201 (Sphinx's)
    """Show CSV files, for which Pygments has no colours, as plain text."""
    app.add_lexer("csv", TextLexer)
