"""A store's rows as plain dictionaries, and a figure's artists by what they show."""

from __future__ import annotations

from typing import Any


def rows(study: Any, *columns: str) -> list[dict[str, Any]]:
    """Of all maps, in the order of the store."""
    return study.store.read(["photo", "method", "layer", "probability", *columns]).to_pylist()


def own(study: Any, method: str, layer: str, *columns: str) -> list[dict[str, Any]]:
    return [row for row in rows(study, *columns) if (row["method"], row["layer"]) == (method, layer)]


def words(figure: Any) -> str:
    """All that is written: on the sheet, in the panels, on the axes."""
    texts = [text.get_text() for text in figure.texts]
    for axes in figure.axes:
        texts += [text.get_text() for text in axes.texts]
        texts += [axes.get_xlabel(), axes.get_ylabel()]
        texts += [label.get_text() for label in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    for legend in figure.legends:
        texts += [text.get_text() for text in legend.get_texts()]
    return "\n".join(texts)


def by_gid(axes: Any, gid: str) -> Any:
    """The artist of that name: there is one."""
    (found,) = [artist for artist in axes.findobj() if artist.get_gid() == gid]
    return found
