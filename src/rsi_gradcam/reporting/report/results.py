"""The table of means with intervals, and the comparisons behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rsi_gradcam.evaluation.summary.pairs import Pair
from rsi_gradcam.evaluation.summary.rows import Row
from rsi_gradcam.evaluation.summary.verdicts import is_open
from rsi_gradcam.reporting.report.markup import escaped, number, options, section, table
from rsi_gradcam.reporting.series import Series
from rsi_gradcam.reporting.study import Study

ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
MEANING = {"higher": "higher is better", "lower": "lower is better", "neither": "neither high nor low is better"}
OUTCOMES = {
    "first": "first is better",
    "second": "second is better",
    "higher": "first is higher",
    "lower": "first is lower",
    "none": "no difference seen",
    "unclear": "unclear",
    "unknown": "cannot be told",
}
Column = tuple[str, str]  # its name, and what is better; of a number of the whole set its metric and its name
SHEET = 5  # columns of numbers beside method, layer and n
SORTABLE = ' class="sortable"'
KEY = (
    "Mean over the photos, with its 95% interval below. ↑ higher is better, ↓ lower is better. "
    "<strong>Bold</strong>: the best method at its layer. Where maps are dark, the mean without them stands beneath. "
    "Grey rows are controls: a method that does not beat them has shown nothing."
)


def verdicts(study: Study) -> str:
    """What holds first; what was not seen, or is unclear, is folded away."""
    said = study.summary.verdicts
    open_cases = [sentence(each) for each in said if is_open(each)]
    held = [sentence(each) for each in said if not is_open(each)]
    parts = [listed(held) if held else "<p>No difference was seen that may be called one.</p>"]
    if open_cases:
        summary = f"{len(open_cases)} more: where no difference was seen, or it is unclear or cannot be told"
        parts.append(f"<details><summary>{summary}</summary>{listed(open_cases)}</details>")
    notes = "".join(f"<li>{escaped(sentence(each))}</li>" for each in study.summary.notes)
    parts.append(
        f'<details><summary>How the numbers are to be read</summary><ul class="verdicts">{notes}</ul></details>'
    )
    return section("verdicts", "In short", parts)


def sentence(said: str) -> str:
    """With a capital and a full stop."""
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."


def listed(sentences: Sequence[str]) -> str:
    return f'<ul class="verdicts">{"".join(f"<li>{escaped(each)}</li>" for each in sentences)}</ul>'


def results(study: Study) -> str:
    columns = list(dict.fromkeys((row.column, row.better) for row in study.summary.rows))
    parts = [
        f'<p class="note">{KEY}</p>',
        filters(study),
        all_means(study, columns),
        whole_set(study),
        comparisons(study),
    ]
    return section("results", "Results", parts)


def all_means(study: Study, columns: Sequence[Column]) -> str:
    """On the screen one table, which is scrolled; on paper, where it is too wide for a sheet, one below the other."""
    whole = means(study, columns, f'{SORTABLE} id="means"')
    if len(columns) <= SHEET:
        return whole
    sheets = "".join(means(study, some) for some in in_sheets(columns))
    return f'<div class="on-screen">{whole}</div><div class="on-paper">{sheets}</div>'


def means(study: Study, columns: Sequence[Column], more: str = "") -> str:
    """The table of these columns."""
    rows = study.summary.rows
    lines = "".join(line(study, each, rows, [name for name, _ in columns]) for each in study.series)
    heads = [head("method"), head("layer"), head("n", meaning="photos")]
    heads += [head(name, ARROWS[better], MEANING[better]) for name, better in columns]
    return table("".join(heads), lines, more)


def in_sheets(columns: Sequence[Column]) -> Iterator[Sequence[Column]]:
    """As many at a time as a sheet is wide: paper is not scrolled."""
    for start in range(0, len(columns), SHEET):
        yield columns[start : start + SHEET]


def whole_set(study: Study) -> str:
    """The numbers of the whole set: a line for each method or control, in tables that a sheet is wide enough for."""
    pooled = study.summary.pooled
    numbers = list(dict.fromkeys((each.metric, each.name) for each in pooled))
    if not numbers:
        return ""
    found = {(each.method, each.layer, each.metric, each.name): each.value for each in pooled}
    there = [each for each in study.series if any((*each.key, *number) in found for number in numbers)]
    tables = [
        table(
            "".join([head("method"), head("layer"), *(head(f"{metric}: {name}") for metric, name in some)]),
            "".join(whole_line(study, each, [found.get((*each.key, *number)) for number in some]) for each in there),
            SORTABLE,
        )
        for some in in_sheets(numbers)
    ]
    note = "Numbers of all photos together that are no means over them: without intervals, so nothing is claimed."
    return f'<h3 id="whole-set">The whole set</h3><p class="note">{note}</p>{"".join(tables)}'


def whole_line(study: Study, series: Series, values: Sequence[float | None]) -> str:
    said = [("" if value is None else repr(value), number(value)) for value in values]
    cells = "".join(f'<td class="num" data-value="{value}">{shown}</td>' for value, shown in said)
    return f"{start_of_line(study, series)}{cells}</tr>"


def filters(study: Study) -> str:
    layers = options([("", "all layers"), *((path, study.layer_title(path)) for path in study.layers)])
    return (
        '<form class="tools" data-for="means"><label>Layer <select name="layer">' + layers + "</select></label>"
        '<label><input type="checkbox" name="controls" checked> controls</label>'
        '<label>Name holds <input type="search" name="text" autocomplete="off"></label></form>'
    )


def head(name: str, arrow: str = "", meaning: str = "") -> str:
    """A column's heading: a button that sorts by it."""
    shown = f"{escaped(name.replace('_', ' '))}{' ' + arrow if arrow else ''}"
    button = f'<button type="button" title="{escaped(meaning or name)}">{shown}</button>'
    return f'<th scope="col" aria-sort="none">{button}</th>'


def line(study: Study, series: Series, rows: Iterable[Row], columns: Sequence[str]) -> str:
    own = {row.column: row for row in rows if (row.method, row.layer) == series.key}
    most = max((row.n for row in own.values()), default=0)
    leading = best(series, rows)
    cells = "".join(cell(own.get(column), column in leading) for column in columns)
    return f'{start_of_line(study, series)}<td class="num" data-value="{most}">{most:,}</td>{cells}</tr>'


def start_of_line(study: Study, series: Series) -> str:
    """Whose it is, and where."""
    kind = "control" if series.control else "method"
    layer = "input" if series.at_input else study.layer_title(series.layer)
    swatch = f'<span class="swatch" style="--colour:{series.style.colour}"></span>'
    return (
        f'<tr class="{kind}" data-layer="{escaped(series.layer)}">'
        f'<th scope="row" data-value="{escaped(series.title)}">{swatch}{escaped(series.title)}</th>'
        f'<td data-value="{escaped(layer)}">{escaped(layer)}</td>'
    )


def cell(row: Row | None, is_best: bool) -> str:
    if row is None or row.n == 0:
        return '<td class="num" data-value="">–</td>'
    mean = f"<strong>{number(row.mean)}</strong>" if is_best else number(row.mean)
    ends = f"<small>{number(row.interval.low)} to {number(row.interval.high)}</small>" if row.interval.exists else ""
    dark = f"<small>without {row.n_dark:,} dark: {number(row.mean_without_dark)}</small>" if row.n_dark else ""
    return f'<td class="num" data-value="{row.mean!r}">{mean}{ends}{dark}</td>'


def best(series: Series, rows: Iterable[Row]) -> set[str]:
    """The columns in which no method at the same layer has a better mean, and not all have the same."""
    if series.control:
        return set()
    means: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.kind == "method" and row.layer == series.layer and row.better != "neither" and row.n:
            sign = 1 if row.better == "higher" else -1
            means.setdefault(row.column, {})[row.method] = sign * row.mean
    return {
        column
        for column, found in means.items()
        if min(found.values()) < max(found.values()) == found.get(series.method)
    }


def comparisons(study: Study) -> str:
    pairs = [pair for pair in study.summary.pairs if pair.better != "neither"]
    if not pairs:
        return ""
    titles = {each.method: each.title for each in study.series}
    lines = "".join(compared(study, pair, titles) for pair in pairs)
    names = ("measure", "layer", "first", "second", "n", "first − second", "p, corrected", "effect", "outcome")
    heads = "".join(head(name) for name in names)
    note = (
        "Differences photo by photo with 95% intervals; Wilcoxon's test, corrected by Holm over "
        f"{len(study.summary.pairs):,} comparisons; effect: rank-biserial, −1 to 1."
    )
    inside = f'<p class="note">{note}</p>{table(heads, lines, SORTABLE)}'
    return f'<details class="pairs"><summary>{len(pairs):,} paired comparisons</summary>{inside}</details>'


def compared(study: Study, pair: Pair, titles: Mapping[str, str]) -> str:
    first, second = (titles.get(place.method, place.method) for place in (pair.first, pair.second))
    ends = (
        f"<small>{number(pair.interval.low)} to {number(pair.interval.high)}</small>" if pair.interval.exists else ""
    )
    texts = (pair.column, study.layer_title(pair.layer), first, second)
    numbers = ((pair.n, ""), (pair.difference, ends), (pair.p_holm, ""), (pair.effect, ""))
    return (
        "<tr>"
        + "".join(f'<td data-value="{escaped(text)}">{escaped(text)}</td>' for text in texts)
        + "".join(f'<td class="num" data-value="{value!r}">{number(value)}{more}</td>' for value, more in numbers)
        + f'<td data-value="{pair.outcome}">{escaped(OUTCOMES[pair.outcome])}</td></tr>'
    )
