"""Notebooks of Jupyter: text, code and results as their reader sees them."""

import json
from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image

from formats import ExtractionError
from formats.notebook.format import NOTEBOOK
from formats.registry import identify
from tests.formats.reading import pages_of, text_of


def notebook(*cells: dict) -> bytes:
    return json.dumps({"nbformat": 4, "cells": cells}).encode()


def code(source: list[str] | str, *outputs: dict) -> dict:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def test_text_code_and_results_come_in_their_order(tmp_path):
    table = "<table><tr><th>Item</th><th>Cost</th></tr><tr><td>Rent</td><td>475</td></tr></table>"
    content = notebook(
        {"cell_type": "markdown", "source": ["# Fees\n", "\n", "What we **pay**."]},
        code(["fees = 475\n", "print(fees)"], {"output_type": "stream", "text": ["475\n"]}),
        code("frame", {"output_type": "execute_result", "data": {"text/html": table, "text/plain": "other"}}),
        code("1/0", {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero"}),
    )
    (page,) = pages_of(NOTEBOOK, content, tmp_path)
    assert page.text == (
        "Fees\n\nWhat we pay.\n\nfees = 475\nprint(fees)\n\n475\n\nframe\n\nItem\tCost\nRent\t475\n\n1/0\n\n"
        "Error: ZeroDivisionError: division by zero"
    )
    assert page.address == "Fees"
    assert identify("fees.ipynb", content) is NOTEBOOK


def test_a_drawing_is_on_the_page(tmp_path):
    drawn = BytesIO()
    Image.new("RGB", (400, 300), "navy").save(drawn, "PNG")
    shown = {"output_type": "display_data", "data": {"image/png": b64encode(drawn.getvalue()).decode()}}
    (page,) = pages_of(NOTEBOOK, notebook(code("plot()", shown)), tmp_path)
    assert page.pictured


@pytest.mark.parametrize(
    "content", [b"{}", b"[1]", b'{"cells": 3}', b"{", b"[" * 100_000, b'{"cells": [1, {"cell_type": 2}]}']
)
def test_what_is_no_notebook_says_so(tmp_path, content):
    with pytest.raises(ExtractionError) as error:
        text_of(NOTEBOOK, content, tmp_path)
    assert error.value.code in ("corrupt", "empty")
