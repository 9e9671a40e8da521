"""What was run, and how many photos are left after each filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsi_gradcam.reporting.report.markup import definitions, escaped, section
from rsi_gradcam.reporting.study import Study


def lede(study: Study) -> str:
    """The run in a sentence."""
    said = study.configuration
    methods, layers, controls = len(said["methods"]), len(said["layers"]), len(said["controls"])
    kept = study.store.funnel()["kept"]
    parts = [
        f"{counted(methods, 'method')} at {counted(layers, 'layer')}",
        f"measured on {counted(kept, 'photo')}",
        f"beside {counted(controls, 'control')} that know nothing of the network's reasons" if controls else "",
    ]
    return ", ".join(part for part in parts if part) + "."


def counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def overview(study: Study) -> str:
    said = study.configuration
    network, data = said["network"], said["dataset"]
    methods = [f"{escaped(each['title'])} <code>{escaped(each['configuration'])}</code>" for each in said["methods"]]
    metrics = [f"{escaped(each['name'])}: {escaped(each['summary'])}" for each in said["metrics"]]
    examples = f"{data['name']}, {counted(data['examples'], 'example')}"
    terms = {
        "Network": escaped(f"{network['name']}, {network['categories']:,} classes, weights {network['weights']}"),
        "Input": f"<code>{escaped(network['preprocess'])}</code>",
        "Data": f"{escaped(examples)} <code>{escaped(data['configuration'])}</code>",
        "Layers": listed([escaped(study.layer_title(path)) for path in said["layers"]]),
        "Methods": listed(methods),
        "Controls": escaped(", ".join(each["name"] for each in said["controls"]) or "none"),
        "Measures": listed(metrics),
        "Maps": escaped(settings(said["explain"])),
        "Seed": escaped(said["seed"]),
    }
    return section(
        "run", "What was run", [f'<div class="two"><div>{definitions(terms)}</div><div>{funnel(study)}</div></div>']
    )


def listed(items: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>" if len(items) > 1 else "".join(items)


def settings(explain: Mapping[str, Any]) -> str:
    """How the maps were made, in a line."""
    how = f"{explain['steps']} steps" if explain["steps"] else f"tolerance {explain['tolerance']:g}"
    shown = ("score", "baseline", "path", "precision", "epsilon", "preset")
    rest = [f"{name} {explain[name]}" for name in shown if explain.get(name) is not None]
    return ", ".join([how, *rest])


def funnel(study: Study) -> str:
    """A bar for each filter; what failed is no filter."""
    steps = {name: count for name, count in study.store.funnel().items() if name != "failed"}
    failed, most = study.store.funnel().get("failed", 0), max(steps.get("photos", 0), 1)
    bars = "".join(
        f'<li><span class="what">{escaped(name)}</span><span class="bar" style="--share:{count / most:.4f}"></span>'
        f'<span class="count">{count:,}</span></li>'
        for name, count in steps.items()
    )
    left = len(study.store.missing())
    notes = [f"{counted(failed, 'photo')} failed." if failed else "", unfinished(left, study.store.chunks)]
    return f'<h3>From all photos to those that count</h3><ol class="funnel">{bars}</ol>' + "".join(
        f'<p class="note">{note}</p>' for note in notes if note
    )


def unfinished(left: int, parts: int) -> str:
    return f"The run is not finished: {left:,} of {parts:,} parts are missing." if left else ""
