"""Images of the signs on players' faces, converted from static/img/signs.svg."""

from functools import cache
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image
from resvg_py import svg_to_bytes

FILE = Path(__file__).parents[3] / "static" / "img" / "signs.svg"
SIDE = 48  # side length of a sign in SVG units


@cache
def sign_image(sign: str, size: int) -> Image.Image:
    """Return a sign as a square image. `size` is the side length in pixels.

    `sign` is a name in `games.protocol.faces.SIGNS`.
    """
    sprite = ElementTree.parse(FILE).getroot()  # noqa: S314 - the site's own file
    drawn = next(each for each in sprite if each.get("id") == sign)
    del drawn.attrib["x"]  # the position in the sprite
    text = ElementTree.tostring(drawn, encoding="unicode")
    png = svg_to_bytes(svg_string=text, width=size, height=size, skip_system_fonts=True)
    return Image.open(BytesIO(png)).convert("RGBA")
