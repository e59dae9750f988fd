"""Tests of QR codes."""

import re
from urllib.parse import unquote

import pytest
import qrcode

from tournament.site.qr import QUIET_ZONE, data_uri

ADDRESSES = [
    "http://testserver/e/chem-open/leaderboard/",
    "https://uno.chemistry.example.edu/e/chem-open-2026/leaderboard/?stage=2",
]


def list_dark_modules(path: str) -> set[tuple[int, int]]:
    """Return the modules covered by the lines of a path, as (row, column)."""
    found, row, column = set(), 0, 0
    for kind, x, y in re.findall(r"([Mmh])(\d+)(?: (\d+))?", path):
        if kind == "h":
            found |= {(row, column + step) for step in range(int(x))}
        if kind == "M":
            row, column = int(y), 0
        column += int(x)
    return found


@pytest.mark.parametrize("address", ADDRESSES)
def test_qr_code_is_one_path_of_dark_modules(address: str) -> None:
    picture = unquote(data_uri(address))
    [path] = re.findall(r'<path stroke="#000" d="([^"]+)"/>', picture)
    code = qrcode.QRCode(border=0)
    code.add_data(address)
    modules = code.get_matrix()
    assert list_dark_modules(path) == {
        (row, column)
        for row, line in enumerate(modules)
        for column, is_dark in enumerate(line)
        if is_dark
    }
    size = len(modules) + 2 * QUIET_ZONE
    assert f'viewBox="-4 -4.5 {size} {size}"' in picture


@pytest.mark.parametrize(("address", "most"), list(zip(ADDRESSES, (1600, 2500), strict=True)))
def test_qr_code_image_is_small(address: str, most: int) -> None:
    assert len(data_uri(address)) < most
