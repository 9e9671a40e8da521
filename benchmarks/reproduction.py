"""The paper, repeated: every run behind docs/explanation/reproduction.md, and its tables.

    python benchmarks/reproduction.py photos.csv --weights vgg19.pth --with inclusive=true --out reproduction

VGG-19 with the paper's weights on photos with boxes. Broken off, the same command goes on; with the stores complete
it only prints the tables and draws the figures again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary import Summary, summarise

PAPERS = "energy,overlap,average_drop,darkness,intensity"
OURS = "dynamic_range,pointing_game,px_ap,max_box_acc,sparseness"
VARIANTS = "grad_cam,grad_cam(positive=False),integrated_grad_cam,rsi_grad_cam,rsi_grad_cam(units='all')"
MEASURED = ("--metrics", f"{PAPERS},{OURS}")
TOLERANT = ("--tolerance", "0.01")
EXACT = ("--score", "probability")
GRADIENTS = ("--metrics", "stability,darkness,dynamic_range", "--methods", "grad_cam,grad_cam(positive=False)")
RUNS: Mapping[str, Sequence[str]] = {
    "paper": (*MEASURED, "--steps", "50"),
    "tolerance": (*MEASURED, *TOLERANT),
    "exact": (*MEASURED, *TOLERANT, *EXACT, "--methods", VARIANTS, "--no-controls"),
    "gradients": (*GRADIENTS, *TOLERANT, "--no-controls"),
    "gradients-exact": (*GRADIENTS, *TOLERANT, *EXACT, "--no-controls"),
    "precision": ("--metrics", "stability", *TOLERANT, "--limit", "40", "--no-controls"),
}
FIGURES = "heatmap_int_raw,heatmap_int_normal,dark-heatmaps-barplots,increment-in-confidence,average-energy,jac"
BANDS = ((0, 0.9), (0.9, 0.999), (0.999, 1.01))
TABLES = {
    "against boxes": "energy energy_corrected overlap_iou_mean overlap_iob_mean overlap_ior_mean pointing_game px_ap",
    "without boxes": "average_drop_drop average_drop_increase average_drop_gain sparseness",
    "stability": "intensity_raw intensity_normalised dynamic_range dynamic_range_zero stability stability_difference",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--out", type=Path, default=Path("reproduction"))
    parser.add_argument("--with", dest="fields", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--runs", nargs="+", default=list(RUNS), choices=list(RUNS))
    said = parser.parse_args()
    for name in said.runs:
        ran(name, said.out / name, said)
        print(f"\n## {name}\n")
        told(Store.open(said.out / name))
        drawn(said.out / name, said.out / f"{name}-figures")


def drawn(store: Path, folder: Path) -> None:
    program = [sys.executable, "-m", "rsi_gradcam.cli", "evaluate", "figures", str(store)]
    subprocess.run([*program, "--figures", FIGURES, "--format", "png", "--out", str(folder)], check=True)


def ran(name: str, folder: Path, said: argparse.Namespace) -> None:
    """By the command line, as anybody would."""
    program = [sys.executable, "-m", "rsi_gradcam.cli", "evaluate", "run", f"manifest:{said.manifest}"]
    network = ["--model", "vgg19", "--weights", said.weights, "--preprocess", "keras_vgg"]
    place = ["--layers", "block4_pool,block5_pool", "--threads", said.threads, "--out", str(folder)]
    fields = [each for field in said.fields for each in ("--with", field)]
    subprocess.run([*program, *network, *place, *fields, *RUNS[name]], check=True)


def told(store: Store) -> None:
    found = summarise(store)
    print("Funnel:", " → ".join(f"{count} {what}" for what, count in found.funnel.items()))
    known = {row.column for row in found.rows}
    for title, columns in TABLES.items():
        there = [column for column in columns.split() if column in known]
        if there:
            print(f"\n### Means, {title}\n")
            means(found, there)
            print(f"\n### Differences, {title}\n")
            differences(found, there)
    if "darkness" in known:
        print("\n### Dark heatmaps: how many, and their average probability\n")
        dark(store, found)
    print("\n### By probability\n")
    by_probability(store, found)
    print("\n### Where a control wins\n")
    print(*(f"- {each}" for each in found.verdicts if " beats " in each), sep="\n")


def means(found: Summary, columns: Sequence[str]) -> None:
    lines(["method", "layer", *columns], [])
    for place in dict.fromkeys(row.place for row in found.rows):
        own = {row.column: row for row in found.rows if row.place == place}
        cells = [f"{own[c].mean:.3g} [{own[c].interval.low:.3g}, {own[c].interval.high:.3g}]" for c in columns]
        print(f"| {place.method} | {found.layers.get(place.layer, place.layer)} | {' | '.join(cells)} |")


def differences(found: Summary, columns: Sequence[str]) -> None:
    lines(["layer", "methods", *columns], [])
    between = [pair for pair in found.pairs if not pair.second.control and pair.column in columns]
    for layer, first, second in dict.fromkeys((pair.layer, pair.first, pair.second) for pair in between):
        own = {p.column: p for p in between if (p.layer, p.first, p.second) == (layer, first, second)}
        cells = [
            f"{own[c].difference:+.3g} [{own[c].interval.low:.3g}, {own[c].interval.high:.3g}] p {own[c].p_holm:.2g} "
            f"{own[c].outcome}"
            for c in columns
        ]
        print(f"| {found.layers[layer]} | {first.method} − {second.method} | {' | '.join(cells)} |")


def dark(store: Store, found: Summary) -> None:
    (metric,) = [each for each in store.manifest["configuration"]["metrics"] if each["name"] == "darkness"]
    epsilons = metric["points"]
    table = store.read(["method", "layer", "probability", "darkness_curve"], kinds=("method",)).to_pandas()
    lines(["method", "layer", *(f"{epsilon:g}" for epsilon in epsilons)], [])
    for (method, layer), rows in table.groupby(["method", "layer"]):
        curves = np.stack(list(rows["darkness_curve"]))
        p = rows["probability"].to_numpy()
        cells = [f"{int(c.sum())}" + (f" (p {p[c == 1].mean():.6f})" if c.any() else "") for c in curves.T]
        print(f"| {method} | {found.layers[layer]} | {' | '.join(cells)} |")


def by_probability(store: Store, found: Summary) -> None:
    """Of what the store has: rank correlation with 1 − p, means in three bands of p, the lowest value."""
    numbers = ["energy", "intensity_raw", "dynamic_range", "stability"]
    there = [name for name in numbers if name in store.schema.names]
    table = store.read(["method", "layer", "probability", *there], kinds=("method",)).to_pandas()
    lines(["method", "layer", "number", "ρ with 1 − p", *(f"p {low} … {high}" for low, high in BANDS), "lowest"], [])
    for (method, layer), rows in table.groupby(["method", "layer"]):
        for name in there:
            values, p = rows[name], rows["probability"]
            bands = [values[(p >= low) & (p < high)] for low, high in BANDS]
            cells = [f"{band.mean():.3g} ({len(band)})" for band in bands]
            rho = (1 - p).corr(values, method="spearman")
            place = f"{method} | {found.layers[layer]}"
            print(f"| {place} | {name} | {rho:.2f} | {' | '.join(cells)} | {values.min():.3g} |")


def lines(names: Sequence[str], rows: Iterable[str]) -> None:
    print(f"| {' | '.join(names)} |\n|{'---|' * len(names)}", *rows, sep="\n")


if __name__ == "__main__":
    main()
