"""The widths of figures in print."""

import pytest
from relprobe.core.errors import DataError
from relprobe.report.widths import width_of


@pytest.mark.parametrize("text", ["8.4", "cm", "-8cm", "8,4cm", "8.4 km", "1e3cm", "8.4cm/x", ""])
def test_a_text_that_is_no_width_is_refused(text):
    with pytest.raises(DataError, match=r"is no width: write a number with its unit, such as 8\.4cm"):
        width_of(text)


@pytest.mark.parametrize("text", ["0cm", "3.9cm", "61cm", "9999mm"])
def test_a_width_of_no_page_is_refused(text):
    with pytest.raises(DataError, match="is no width of a figure: it should be between 4 and 60 cm"):
        width_of(text)
