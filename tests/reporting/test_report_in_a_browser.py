"""The report in a real Chromium: it is silent, asks nothing, sorts, filters, prints, and fits a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from rsi_gradcam.reporting.drawing import draw, plates
from rsi_gradcam.reporting.report import page as pages

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed: apt-get install chromium")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def file(pictured, tmp_path_factory):
    few = lambda study, photos: draw(study, plates(["one_relu_net", "average-energy"]))  # noqa: E731
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "figures", few)
        text = pages.report(pictured)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def opened(browser, file):
    """A page of a size and a colour scheme; at the end it must have said nothing and asked nothing."""
    contexts, said = [], []

    def open_at(width=1280, height=900, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url) if not own(request.url, file) else None)
        page.goto(file.as_uri())
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert said == []


def own(url: str, file: Path) -> bool:
    return url == file.as_uri() or url.startswith("data:")


def cells(page, column: int) -> list[float]:
    texts = page.eval_on_selector_all(
        "#means tbody tr", f"rows => rows.map(row => row.cells[{column}].dataset.value)"
    )
    return [float(text) for text in texts if text != ""]


def cards(page, of: str = "element => element.querySelector('.name').textContent") -> list:
    return page.eval_on_selector_all("#cards .card:not([hidden])", f"cards => cards.map({of})")


def test_a_click_on_a_heading_sorts_the_table_and_another_turns_it_round(opened):
    page = opened()
    before = cells(page, 3)
    button = page.locator("#means thead button").nth(3)
    button.click()
    assert cells(page, 3) == sorted(before) != before
    assert page.locator("#means th").nth(3).get_attribute("aria-sort") == "ascending"
    button.press("Enter")
    assert cells(page, 3) == sorted(before, reverse=True)


def test_controls_and_layers_can_be_hidden_from_the_table(opened):
    page = opened()
    rows = page.locator("#means tbody tr:visible")
    everyone = rows.count()
    page.locator("form[data-for] [name=controls]").uncheck()
    assert rows.count() == 6 < everyone
    page.locator("form[data-for] [name=layer]").select_option("features.20")
    assert rows.count() == 3
    page.locator("form[data-for] [name=text]").fill("rsi")
    assert rows.count() == 1


def test_the_gallery_is_sorted_by_a_measure_from_either_end(opened):
    page = opened()
    page.locator("#tools [name=by]").select_option("energy")
    page.locator("#tools [name=of]").select_option('["rsi_grad_cam", "features.20"]')
    value = """card => JSON.parse(card.dataset.values)['["rsi_grad_cam", "features.20"]'].energy"""
    best = cards(page, value)
    assert best == sorted(best, reverse=True)
    assert len(set(best)) == len(best) == 4
    page.locator("#tools [name=end]").select_option("worst")
    assert cards(page, value) == best[::-1]
    shown = page.locator(".card").first.locator(".map.method .value")
    assert all(text for text in shown.all_text_contents())


def test_a_measure_of_which_less_is_better_begins_with_the_least(opened):
    page = opened()
    page.locator("#tools [name=by]").select_option("average_drop")
    value = """card => JSON.parse(card.dataset.values)['["grad_cam", "features.12"]'].average_drop"""
    page.locator("#tools [name=of]").select_option('["grad_cam", "features.12"]')
    assert cards(page, value) == sorted(cards(page, value))


def test_filters_hide_photos_and_say_how_many_are_left(opened):
    page = opened()
    first = cards(page)[0]
    page.locator("#tools [name=text]").fill(first.partition("#")[2])
    assert cards(page) == [first]
    assert page.locator("#shown").text_content() == "1 of 4 shown"
    page.locator("#tools [name=text]").fill("")
    page.locator("#tools [name=least]").fill("0.45")
    assert len(cards(page)) == 1
    page.locator("#tools [name=least]").fill("0")
    page.locator("#tools [name=layer]").select_option("features.12")
    assert page.locator(".card .layer:visible").count() == 4


def test_heatmaps_can_be_seen_alone(opened):
    page = opened()
    bare = page.locator(".card .map.method .bare").first
    assert not bare.is_visible()
    page.locator("#tools [name=bare]").check()
    assert bare.is_visible()
    assert not page.locator(".card .map.method .veil").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_screen(opened, width, scheme):
    page = opened(width, 844, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")


def test_dark_is_dark_and_text_stands_out_in_both(opened):
    for scheme in ("light", "dark"):
        page = opened(scheme=scheme)
        ground, ink, pale = page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color, "
            "getComputedStyle(document.querySelector('.note')).color]"
        )
        assert (luminance(ground) < 0.5) == (scheme == "dark")
        assert contrast(ground, ink) > 7
        assert contrast(ground, pale) > 4.5


def luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_in_print_there_are_no_controls_of_the_page_and_the_sheet_is_white(opened):
    page = opened(scheme="dark")
    page.emulate_media(media="print")
    assert page.locator(".tools:visible, nav:visible").count() == 0
    assert luminance(page.evaluate("getComputedStyle(document.body).backgroundColor")) == pytest.approx(1)
    assert page.locator(".on-paper table").first.is_visible()
    assert not page.locator("#means").is_visible()
    assert page.locator(".card").first.is_visible()
    assert len(page.pdf(format="A4", print_background=True)) > 10_000


def test_the_keyboard_reaches_the_content_and_sorts(opened):
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    page.locator("#means thead button").nth(3).focus()
    page.keyboard.press("Space")
    assert page.locator("#means th").nth(3).get_attribute("aria-sort") == "ascending"


def test_no_table_is_cut_at_the_edge_of_a_sheet(opened):
    page = opened(width=688)  # A4 with its margins
    page.emulate_media(media="print")
    wide = page.evaluate("[...document.querySelectorAll('.scroll')].map(each => each.scrollWidth - each.clientWidth)")
    assert max(wide) <= 1
    assert page.locator(".on-paper table").count() > 1
