"""Plots of the figures of `bench.growth`.

    python bench/plots.py FIGURES.json PICTURE.svg

Runs in the separate virtual environment of the benchmarks.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import pyplot as plt

# Limits of the machine, measured without the site.
LIMITS = {
    "bare sockets": 156_000,
    "PostgreSQL, SQLite: in groups": 18_000,
    "PostgreSQL, one by one": 5_000,
}
COLORS = ("#1f5fa8", "#b0452a")


def main(figures: Path, picture: Path) -> None:
    mpl.rcParams |= {"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}
    halls_by_site: dict[str, list[dict[str, Any]]] = json.loads(figures.read_text())
    drawing, (wait, rate, core) = plt.subplots(1, 3, figsize=(11, 4.4), layout="constrained")
    for (name, halls), color in zip(halls_by_site.items(), COLORS, strict=False):
        tables = [hall["tables"] for hall in halls]
        for axes, keys in ((wait, ("p50", "p99")), (rate, ("actions", "views")), (core, ("core",))):
            for key, style in zip(keys, ("-", "--"), strict=False):
                label = f"{name}: {key}" if len(keys) > 1 else name
                axes.plot(tables, [hall[key] for hall in halls], style, color=color, label=label)
    _label_axes(wait, "milliseconds until a view is there", {"goal": 100})
    _label_axes(rate, "a second", LIMITS)
    _label_axes(core, "per cent of a core", {"two cores": 200})
    drawing.savefig(picture, metadata={"Date": None})


def _label_axes(axes: Any, title: str, limits: Mapping[str, float]) -> None:
    axes.set(xscale="log", yscale="log", xlabel="tables", title=title)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    for name, limit in limits.items():
        axes.axhline(limit, color="#888", linewidth=0.8, linestyle=":")
        place = {"xy": (0.02, limit), "xycoords": ("axes fraction", "data")}
        axes.annotate(name, **place, fontsize=7, color="#555", va="bottom", ha="left")
    axes.grid(alpha=0.2)
    axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.18))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
    print(json.dumps(f"drawn: {Path(sys.argv[2]).name}"))
