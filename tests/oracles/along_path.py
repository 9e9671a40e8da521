"""The methods that integrate: eq. ssum and what the paper builds upon it."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tests.oracles.at_image import relu
from tests.oracles.network import (
    Grid,
    Score,
    Seen,
    Volume,
    empty_map,
    empty_volume,
    see,
    see_above,
    see_through_unit,
    units_of,
)


def places(steps: int, rule: str) -> list[float]:
    """α at the ends of the steps; for the midpoint rule also in their middles."""
    if rule == "midpoint":
        return [half / (2 * steps) for half in range(2 * steps + 1)]
    return [step / steps for step in range(steps + 1)]


def stieltjes(f: list[float], g: list[float], rule: str) -> float:
    """∫ f dg from samples along the path; `right` is eq. ssum."""
    total = 0.0
    if rule == "midpoint":
        for middle in range(1, len(f), 2):
            total += f[middle] * (g[middle + 1] - g[middle - 1])
        return total
    for step in range(1, len(f)):
        if rule == "right":
            at = f[step]
        elif rule == "left":
            at = f[step - 1]
        elif rule == "trapezoid":
            at = (f[step] + f[step - 1]) / 2
        total += at * (g[step] - g[step - 1])
    return total


def interpolated(image: Tensor, baseline: Tensor, alpha: float) -> Tensor:
    """eq. inter_imag."""
    image, baseline = image.double(), baseline.double()
    return baseline + alpha * (image - baseline)


def walk(
    model: nn.Module, image: Tensor, baseline: Tensor, layer: str, score: Score, steps: int, rule: str
) -> list[Seen]:
    """What the network shows at each place of the straight path, place by place."""
    return [see(model, interpolated(image, baseline, alpha), layer, score) for alpha in places(steps, rule)]


def unit_integrals(seen: list[Seen], rule: str, *, positive_gradients: bool = False) -> Volume:
    """eq. rs-sum for every unit; the authors' notebooks take ReLU of each step's gradient."""
    I = empty_volume(seen[0].A)  # noqa: E741
    for k, i, j in units_of(I):
        f = [relu(each.G[k][i][j]) if positive_gradients else each.G[k][i][j] for each in seen]
        g = [each.A[k][i][j] for each in seen]
        I[k][i][j] = stieltjes(f, g, rule)
    return I


def rsi_grad_cam_weights(seen: list[Seen], rule: str, units: str, *, positive_gradients: bool = False) -> list[float]:
    """eq. igcam_ssum; `relu` is eq. igcam_ssum2; `positive` the three conditions of section Implementation."""
    I = unit_integrals(seen, rule, positive_gradients=positive_gradients)  # noqa: E741
    first, last = seen[0], seen[-1]
    weights = []
    for k, channel in enumerate(I):
        total, Z = 0.0, 0
        for i, row in enumerate(channel):
            for j, integral in enumerate(row):
                Z += 1
                activation, increment = last.A[k][i][j], last.A[k][i][j] - first.A[k][i][j]
                all_positive = activation > 0 and integral > 0 and increment > 0
                counts = {"all": True, "relu": integral > 0, "positive": all_positive}
                if counts[units]:
                    total += integral
        weights.append(total / Z)
    return weights


def summed_over_channels(volume: Volume) -> Grid:
    L = empty_map(volume)
    for k, i, j in units_of(volume):
        L[i][j] += volume[k][i][j]
    return L


def integrated_grad_cam(seen: list[Seen], rule: str) -> Grid:
    """eq. igradcam_approx: the sum over l of ReLU(1/m Σ_k (Σ_ij ∂y/∂A^k_ij) Δ_k), other rules likewise."""
    alphas = [place / (len(seen) - 1) for place in range(len(seen))]
    M = empty_map(seen[0].A)
    for i, row in enumerate(M):
        for j in range(len(row)):
            f = []
            for each in seen:
                value = 0.0
                for k, G in enumerate(each.G):
                    pooled = sum(g for line in G for g in line)
                    value += pooled * (each.A[k][i][j] - seen[0].A[k][i][j])
                f.append(relu(value))
            M[i][j] = stieltjes(f, alphas, rule)
    return M


def integrated_gradients(
    model: nn.Module, image: Tensor, baseline: Tensor, score: Score, steps: int, rule: str
) -> Volume:
    """eq. igapprox for the right rule: (x − x') Σ_l ∂F/∂x · 1/m."""
    seen = walk(model, image, baseline, "input", score, steps, rule)
    alphas = places(steps, rule)
    found = empty_volume(seen[0].A)
    for k, i, j in units_of(found):
        rise = image[k, i, j].item() - baseline[k, i, j].item()
        found[k][i][j] = rise * stieltjes([each.G[k][i][j] for each in seen], alphas, rule)
    return found


def layer_integrated_gradients(
    model: nn.Module, image: Tensor, baseline: Tensor, layer: str, score: Score, steps: int, rule: str
) -> Volume:
    """eq. ig_to_layer: the path of eq. ig_at_layer_inter goes straight through the layer's own space."""
    first = torch.tensor(see(model, baseline, layer, score).A, dtype=torch.float64)
    last = torch.tensor(see(model, image, layer, score).A, dtype=torch.float64)
    alphas = places(steps, rule)
    seen = [see_above(model, image, layer, first + alpha * (last - first), score) for alpha in alphas]
    found = empty_volume(seen[0].A)
    for k, i, j in units_of(found):
        rise = last[k, i, j].item() - first[k, i, j].item()
        found[k][i][j] = rise * stieltjes([each.G[k][i][j] for each in seen], alphas, rule)
    return found


def neuron_conductance(
    model: nn.Module,
    image: Tensor,
    baseline: Tensor,
    layer: str,
    unit: tuple[int, int, int],
    score: Score,
    steps: int,
    rule: str,
) -> Volume:
    """Dhamdhere et al., read input by input: Σ_l ∂y/∂a · ∂a/∂x_i · Δx_i for one unit a."""
    alphas = places(steps, rule)
    seen = [see_through_unit(model, interpolated(image, baseline, a), layer, unit, score) for a in alphas]
    found = empty_volume(seen[0][0])
    for k, i, j in units_of(found):
        rise = image[k, i, j].item() - baseline[k, i, j].item()
        found[k][i][j] = rise * stieltjes([above * below[k][i][j] for below, above in seen], alphas, rule)
    return found


def neuron_integrated_gradients(
    model: nn.Module,
    image: Tensor,
    baseline: Tensor,
    layer: str,
    unit: tuple[int, int, int],
    steps: int,
    rule: str,
) -> Volume:
    """eq. igapprox with one unit's activation in the place of the score."""
    alphas = places(steps, rule)
    seen = [
        see_through_unit(model, interpolated(image, baseline, a), layer, unit, lambda out: out.sum()) for a in alphas
    ]
    found = empty_volume(seen[0][0])
    for k, i, j in units_of(found):
        rise = image[k, i, j].item() - baseline[k, i, j].item()
        found[k][i][j] = rise * stieltjes([below[k][i][j] for below, _ in seen], alphas, rule)
    return found
