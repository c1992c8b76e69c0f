"""The name under which a browser saves what it is given."""

import pytest

from datasources.web.downloads import saved_as


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Evidence, 2/3 or a\\b?.zip", "Evidence, 2-3 or a-b?.zip"),
        ("x\u202efdp.html", "xfdp.html"),
        ("two\r\nlines.txt", "two lines.txt"),
    ],
)
def test_no_part_of_a_name_is_a_folder_or_unseen(name: str, kept: str) -> None:
    assert saved_as(name) == f'attachment; filename="{kept}"'
