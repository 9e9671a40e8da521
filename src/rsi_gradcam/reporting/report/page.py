"""All parts of the report in one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rsi_gradcam.reporting.drawing import draw, plates
from rsi_gradcam.reporting.plates.base import Drawn, Skipped
from rsi_gradcam.reporting.report.failures import failures
from rsi_gradcam.reporting.report.figures_part import figures_part
from rsi_gradcam.reporting.report.gallery import gallery
from rsi_gradcam.reporting.report.markup import escaped
from rsi_gradcam.reporting.report.overview import lede, overview
from rsi_gradcam.reporting.report.repeat import repeat
from rsi_gradcam.reporting.report.results import results, verdicts
from rsi_gradcam.reporting.study import Study

HERE = Path(__file__).parent
ALONE = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"
PARTS = {
    "verdicts": "In short",
    "run": "What was run",
    "results": "Results",
    "figures": "Figures",
    "photos": "Photos",
    "failures": "Failures",
    "repeat": "How to repeat it",
}


def report(study: Study, *, most: int = 60, photos: bool = True) -> str:
    """The whole page.

    most    photos in the gallery, at most
    photos  may photos be inside the file? else heatmaps alone
    """
    said = study.configuration
    title = f"{said['network']['name']} on {said['dataset']['name']}"
    first, *rest = measured_parts(study, most, photos) if study.series else [NOTHING]
    body = "".join([first, overview(study), *rest, failures(study), repeat(study)])
    return (
        "<!doctype html>"
        f'<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{ALONE}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escaped(title)}: evaluation</title><style>{part('report.css')}</style></head>"
        f'<body><a class="skip" href="#main">To the content</a><header><p class="kind">Evaluation of heatmaps</p>'
        f"<h1>{escaped(title)}</h1><p class='lede'>{escaped(lede(study))}</p>{contents(body)}</header>"
        f'<main id="main">{body}</main><footer>Made by rsi-gradcam {escaped(version(study))}.</footer>'
        f"<script>{part('report.js')}</script></body></html>\n"
    )


NOTHING = '<section id="results"><h2>Results</h2><p>The store holds no measured photo yet.</p></section>'


def measured_parts(study: Study, most: int, photos: bool) -> list[str]:
    return [
        verdicts(study),
        results(study),
        figures_part(figures(study, photos)),
        gallery(study, most, photos),
    ]


def figures(study: Study, photos: bool) -> Iterator[Drawn | Skipped]:
    """Those that show photos only where photos may be inside."""
    wanted = plates()
    yield from draw(study, [plate for plate in wanted if photos or not plate.photos])
    for plate in wanted:
        if plate.photos and not photos:
            yield Skipped(plate.label, "no photos were wanted inside this file")


def contents(body: str) -> str:
    links = "".join(
        f'<a href="#{name}">{title}</a>' for name, title in PARTS.items() if f'<section id="{name}"' in body
    )
    return f'<nav aria-label="Contents">{links}</nav>'


def part(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def version(study: Study) -> str:
    environment = study.store.manifest["environment"]
    return str(environment.get("rsi-gradcam") or environment.get("rsi_gradcam") or "")
