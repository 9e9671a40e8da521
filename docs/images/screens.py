"""The docs' pictures of the page, taken in Chromium with scikit-image's photos: python docs/images/screens.py STORE

STORE is any evaluation, as `rsi-gradcam evaluate run --limit 8 --out STORE` makes one.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "benchmarks")]

from page import PHOTOS, chromium  # noqa: E402 - of the benchmarks
from tests.web.watcher import ALL, choose, drop, wait, watched  # noqa: E402

from rsi_gradcam.web.serve import Serving  # noqa: E402

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "has_touch": True}
GAP = 24


def explore(page: Any, *, wide: bool) -> None:
    """A photo with its maps, and a box drawn around the cup."""
    drop(page, PHOTOS[0])
    wait(page)
    if wide:
        choose(page, "rsi-layers", "stage6")
        wait(page, f"{ALL} && rsi.viewer.cells.size === 4")
        page.locator("[data-key='rsi_grad_cam|bn2|967']").click()
    canvas = page.locator(".rsi-stage")
    canvas.scroll_into_view_if_needed()
    at = canvas.bounding_box()
    for step, (across, down) in enumerate(((0.27, 0.12), (0.70, 0.80))):
        page.mouse.move(at["x"] + across * at["width"], at["y"] + down * at["height"], steps=4)
        (page.mouse.up if step else page.mouse.down)()
    page.mouse.move(at["x"] + 0.5 * at["width"], at["y"] + 0.4 * at["height"])
    page.evaluate("window.scrollTo(0, 0)")


def evaluation(page: Any) -> None:
    page.get_by_role("tab", name="Look at an evaluation").click()
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator(".rsi-cards li").first.wait_for()
    wait(page, "[...document.querySelectorAll('.rsi-cards img')].every((each) => each.complete)")


def taken(page: Any, **how: Any) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(**how))).convert("RGB")


def scrolled_to(page: Any, place: str) -> Image.Image:
    """What the telephone shows with a part of the page at its top."""
    page.evaluate("(place) => document.querySelector(place).scrollIntoView({behavior: 'instant'})", place)
    page.wait_for_timeout(300)
    return taken(page)


def beside(pictures: list[Image.Image]) -> Image.Image:
    widths, height = [each.width + GAP for each in pictures], pictures[0].height
    sheet = Image.new("RGB", (sum(widths) - GAP, height), "#9ca3af")
    for place, each in enumerate(pictures):
        sheet.paste(each, (sum(widths[:place]), 0))
    return sheet


def save(picture: Image.Image, name: str) -> None:
    picture.save(HERE / f"{name}.webp", quality=88, method=6)


def main() -> None:
    phones = []
    with Serving(browser=False, stores=(Path(sys.argv[1]),)).opened() as (_, opened), chromium() as browser:
        address = opened.rstrip("/")
        for scheme in ("light", "dark"):
            with watched(browser, address, **DESKTOP, color_scheme=scheme) as page:
                explore(page, wide=True)
                save(taken(page, full_page=True), f"page-{scheme}")
                evaluation(page)
                save(taken(page, full_page=True), f"page-evaluation-{scheme}")
            with watched(browser, address, **PHONE, color_scheme=scheme) as page:
                explore(page, wide=False)
                phones += [scrolled_to(page, place) for place in ("body", ".rsi-progress")]
    save(beside(phones), "page-phone")


if __name__ == "__main__":
    main()
