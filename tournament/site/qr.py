"""QR codes of URLs."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from urllib.parse import quote

import qrcode

# Width of the light margin that scanners need. The standard requires four modules.
QUIET_ZONE = 4


def data_uri(text: str) -> str:
    """Return the QR code of a text as an SVG data URI for an `img`.

    The site's content security policy allows images as data URIs.
    """
    code = qrcode.QRCode(border=0)
    code.add_data(text)
    modules = code.get_matrix()
    size, path = len(modules) + 2 * QUIET_ZONE, "".join(_iterate_lines(modules))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-QUIET_ZONE} {-QUIET_ZONE - 0.5}'
        f' {size} {size}" shape-rendering="crispEdges"><path stroke="#000" d="{path}"/></svg>'
    )
    return "data:image/svg+xml," + quote(svg, safe=" =:/,")


def _iterate_lines(modules: Sequence[Sequence[bool]]) -> Iterator[str]:
    """Yield path segments that draw each horizontal run of dark modules as a line."""
    for number, row in enumerate(modules):
        move, offset = "M{} " + str(number), 0
        for dark, run in groupby(row):
            length = len([*run])
            if dark:
                yield f"{move.format(offset)}h{length}"
                move = "m{} 0"
            offset = 0 if dark else length
