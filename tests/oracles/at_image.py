"""The methods that look at the image alone."""

from __future__ import annotations

from tests.oracles.network import Grid, Seen, empty_map


def relu(value: float) -> float:
    return value if value > 0 else 0.0


def rectified(grid: Grid) -> Grid:
    return [[relu(value) for value in row] for row in grid]


def weighted_sum(weights: list[float], seen: Seen) -> Grid:
    """Σ_k w_k A^k, without the ReLU of eq. heatmap."""
    L = empty_map(seen.A)
    for i, row in enumerate(L):
        for j in range(len(row)):
            for k, w in enumerate(weights):
                L[i][j] += w * seen.A[k][i][j]
    return L


def grad_cam_weights(seen: Seen, *, positive: bool = False) -> list[float]:
    """eq. gradcam_weights, or with `positive` eq. gradcam_weights2."""
    weights = []
    for G in seen.G:
        total, Z = 0.0, 0
        for row in G:
            for value in row:
                total += relu(value) if positive else value
                Z += 1
        weights.append(total / Z)
    return weights


def grad_cam_plus_plus_weights(seen: Seen) -> list[float]:
    """Chattopadhay et al. for Y = exp(S), where exp cancels in α; an undefined α counts as 0."""
    weights = []
    for A, G in zip(seen.A, seen.G, strict=True):
        total = sum(value for row in A for value in row)
        w = 0.0
        for row in G:
            for g in row:
                below = 2 * g**2 + total * g**3
                alpha = g**2 / below if below != 0 else 0.0
                w += alpha * relu(g)
        weights.append(w)
    return weights


def x_grad_cam_weights(seen: Seen) -> list[float]:
    """Fu et al.: w_k = Σ_ij (A^k_ij / Σ_ij A^k_ij) ∂y/∂A^k_ij; a channel that adds up to 0 has none."""
    weights = []
    for A, G in zip(seen.A, seen.G, strict=True):
        total = sum(value for row in A for value in row)
        w = 0.0
        for i, row in enumerate(A):
            for j, a in enumerate(row):
                w += (a / total) * G[i][j] if total != 0 else 0.0
        weights.append(w)
    return weights


def hires_cam(seen: Seen) -> Grid:
    """Draelos and Carin: Σ_k ∂y/∂A^k ⊙ A^k."""
    L = empty_map(seen.A)
    for k, A in enumerate(seen.A):
        for i, row in enumerate(A):
            for j, a in enumerate(row):
                L[i][j] += seen.G[k][i][j] * a
    return L


def layer_cam(seen: Seen) -> Grid:
    """Jiang et al.: Σ_k ReLU(∂y/∂A^k_ij) A^k_ij."""
    L = empty_map(seen.A)
    for k, A in enumerate(seen.A):
        for i, row in enumerate(A):
            for j, a in enumerate(row):
                L[i][j] += relu(seen.G[k][i][j]) * a
    return L
