"""The figures, each as a picture inside the page."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rsi_gradcam.figures.sheet import png, svg, to_image
from rsi_gradcam.reporting.plates.base import Drawn, Skipped
from rsi_gradcam.reporting.report.markup import data_uri, escaped, section

if TYPE_CHECKING:
    from matplotlib.figure import Figure


WIDE = 720  # pixels: such figures stand alone in their row
QUALITY = 85  # of JPEG


def figures_part(figures: Iterable[Drawn | Skipped]) -> str:
    shown, left_out = [], []
    for each in figures:
        if isinstance(each, Skipped):
            left_out.append(f"<li><code>{escaped(each.name)}</code>: {escaped(each.why)}</li>")
        else:
            shown.append(framed(each))
    notes = f"<p>Figures that this store does not give:</p><ul>{''.join(left_out)}</ul>" if left_out else ""
    return section("figures", "Figures", [f'<div class="plates">{"".join(shown)}</div>', notes])


def framed(drawn: Drawn) -> str:
    width = round(drawn.figure.get_figwidth() * 96)
    source = photographic(drawn.figure) if drawn.photos else smaller(drawn.figure)
    image = f'<img src="{source}" width="{width}" alt="{escaped(drawn.caption)}">'
    caption = f"<figcaption>{escaped(drawn.caption)} <code>{escaped(drawn.name)}</code></figcaption>"
    wide = ' class="wide"' if width > WIDE else ""
    paper = f'<div class="paper" tabindex="0">{image}</div>'
    return f'<figure{wide} id="figure-{escaped(drawn.name)}">{paper}{caption}</figure>'


def smaller(figure: Figure) -> str:
    """As SVG or as PNG."""
    both = {"image/svg+xml": svg(figure), "image/png": png(figure)}
    kind = min(both, key=lambda kind: len(both[kind]))
    return data_uri(both[kind], kind)


def photographic(figure: Figure) -> str:
    """As JPEG: of photos a PNG is many times as large."""
    file = io.BytesIO()
    to_image(figure).save(file, "JPEG", quality=QUALITY, optimize=True)
    return data_uri(file.getvalue(), "image/jpeg")
