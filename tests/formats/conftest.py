"""Files that the tests of several formats read."""

import pytest

from tests.formats.pdfs import make_pdf


@pytest.fixture
def contract(tmp_path):
    return make_pdf(
        tmp_path / "contract.pdf",
        [["The rent is 1,200 euros a month.", "It is due on the first."], ["Notice: thirty days."]],
        title="Lease of\x00 the flat",
    )
