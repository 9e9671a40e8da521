"""The page as a person waits for it, in real Chromium: python benchmarks/page.py [--times 5]

From the drop of a photo to its predictions, to the first map (Grad-CAM), to RSI-Grad-CAM at tolerance 0.01; and from
the move of a slider to the picture. Median and worst of some visits after the first, whose network is still cold.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import skimage
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.web.watcher import ALL, drop, wait, watched

from rsi_gradcam.web.serve import Serving

PHOTOS = [Path(skimage.__file__).parent / "data" / name for name in ("coffee.png", "chelsea.png")]
SHOWN = "rsi.viewer.state.photo?.name === '{name}'"
PREDICTED = "document.querySelectorAll('.rsi-prediction').length > 0"
SETTLED = "[...rsi.viewer.cells.values()].some((c) => c.method === '{method}' && c.done)"
BARS = {"predictions": 1.0, "Grad-CAM": 1.0, "RSI-Grad-CAM": 4.0, "opacity": 0.1, "threshold": 0.1}  # seconds

SLIDE = """([name, value]) => new Promise((done) => {
    const slider = document.querySelector("#rsi-" + name), begin = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    requestAnimationFrame(() => requestAnimationFrame(() => done((performance.now() - begin) / 1000)));
})"""


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        sys.exit("a Chromium is needed: on Debian, apt-get install chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def visit(browser: Any, address: str, photo: Path) -> dict[str, float]:
    with watched(browser, address) as page:
        drop(page, photo)
        begin = time.perf_counter()
        wait(page, f"{SHOWN.format(name=photo.name)} && {PREDICTED}")
        found = {"predictions": time.perf_counter() - begin}
        for name, method in (("Grad-CAM", "grad_cam"), ("RSI-Grad-CAM", "rsi_grad_cam")):
            wait(page, SETTLED.format(method=method))
            found[name] = time.perf_counter() - begin
        wait(page, ALL)
        for name in ("opacity", "threshold"):
            found[name] = max(page.evaluate(SLIDE, [name, value]) for value in (0.2, 0.45, 0.8))
    return found


def told(visits: list[dict[str, float]], say: Callable[[str], None] = print) -> None:
    for name, bar in BARS.items():
        seconds = [each[name] for each in visits]
        say(f"{name:14} median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s (bar {bar:g} s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    said = parser.parse_args()
    with Serving(browser=False).opened() as (_, opened), chromium() as browser:
        address = opened.rstrip("/")
        print("cold, the first visit:")
        told([visit(browser, address, PHOTOS[0])])
        print(f"then, {said.times} visits:")
        told([visit(browser, address, PHOTOS[number % len(PHOTOS)]) for number in range(said.times)])


if __name__ == "__main__":
    main()
