"""The signs that people choose, from static/img/signs.svg, as pixels for pictures. Pure.

Read is what that file is drawn with: paths, circles and ellipses, filled or with a line.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path
from xml.etree import ElementTree

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from PIL import Image, ImageChops, ImageDraw

FILE = Path(__file__).parents[3] / "static" / "img" / "signs.svg"
SVG = "{http://www.w3.org/2000/svg}"
SIDE = 48  # of a sign, in its own units
FINER = 3  # pixels of drawing for one of the picture: edges come out smooth
STEPS = 24  # of a curve
Point = tuple[float, float]


@cache
def sign_image(sign: str, size: int) -> Image.Image:
    """A sign by its name in `games.protocol.faces.SIGNS`, `size` pixels wide and high."""
    file = ElementTree.parse(FILE).getroot()  # noqa: S314 - the site's own
    drawn = next(each for each in file if each.get("id") == sign)
    image = Image.new("RGBA", (size * FINER, size * FINER))
    for shape, looks in _shapes(drawn, {}):
        mask = _mask(shape, looks, size * FINER)
        color = looks["fill"] if looks["fill"] != "none" else looks["stroke"]
        image.paste(color, mask=mask)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _shapes(
    parent: ElementTree.Element, looks: Mapping[str, str]
) -> Iterator[tuple[ElementTree.Element, dict[str, str]]]:
    """What is drawn, in its order, each with all that is said of it and of its groups."""
    for each in parent:
        said = {**looks, **each.attrib}
        if each.tag == f"{SVG}g":
            yield from _shapes(each, said)
        else:
            yield each, said


def _mask(shape: ElementTree.Element, looks: Mapping[str, str], side: int) -> Image.Image:
    scale = side / SIDE
    lines = [[(x * scale, y * scale) for x, y in line] for line in _lines(shape, looks)]
    if looks["fill"] == "none":
        return _stroked(lines, float(looks["stroke-width"]) * scale, side)
    return _filled(lines, side)


def _filled(lines: list[list[Point]], side: int) -> Image.Image:
    """What lies within one line, or within an uneven number of them."""
    mask = Image.new("1", (side, side))
    for line in lines:
        inside = Image.new("1", (side, side))
        ImageDraw.Draw(inside).polygon(line, fill=1)
        mask = ImageChops.logical_xor(mask, inside)
    return mask


def _stroked(lines: list[list[Point]], width: float, side: int) -> Image.Image:
    """Round at its ends and corners."""
    mask = Image.new("1", (side, side))
    pen = ImageDraw.Draw(mask)
    for line in lines:
        pen.line(line, fill=1, width=round(width))
        for x, y in line:
            pen.circle((x, y), width / 2, fill=1)
    return mask


def _lines(shape: ElementTree.Element, looks: Mapping[str, str]) -> list[list[Point]]:
    """Its outlines as points so close that a curve looks like one."""
    if shape.tag != f"{SVG}path":
        return [_round(looks)]
    pen = RecordingPen()
    parse_path(looks["d"], pen)
    down = float(looks.get("transform", "translate(0 0)").removesuffix(")").split()[-1])
    return [[(x, y + down) for x, y in line] for line in _walked(pen.value)]


def _round(looks: Mapping[str, str]) -> list[Point]:
    x, y = float(looks["cx"]), float(looks["cy"])
    wide = float(looks.get("rx") or looks["r"])
    high = float(looks.get("ry") or looks["r"])
    turns = [pi * step / STEPS for step in range(2 * STEPS + 1)]
    return [(x + wide * cos(turn), y + high * sin(turn)) for turn in turns]


def _walked(steps: list[tuple[str, tuple[Point, ...]]]) -> list[list[Point]]:
    lines: list[list[Point]] = []
    for name, points in steps:
        if name == "moveTo":
            lines.append([points[0]])
        elif points:
            lines[-1] += _curve([lines[-1][-1], *points]) if len(points) > 1 else points
        elif name == "closePath":
            lines[-1].append(lines[-1][0])
    return lines


def _curve(points: list[Point]) -> Iterator[Point]:
    """Along a curve of Bézier, its first point left out, by de Casteljau's halving."""
    for step in range(1, STEPS + 1):
        at, left = step / STEPS, points
        while len(left) > 1:
            left = [
                (x1 + (x2 - x1) * at, y1 + (y2 - y1) * at) for (x1, y1), (x2, y2) in pairwise(left)
            ]
        yield left[0]
