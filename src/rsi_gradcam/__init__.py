"""rsi-gradcam: where a convolutional network looked, and how far such a picture can be trusted.

    from rsi_gradcam import explain, explain_all

    e = explain(model, x, layer="features.36", method="rsi_grad_cam")
    e.raw, e.heatmap, e.score, e.residual, e.error

The names below are imported when they are first used, so that `rsi-gradcam --help` need not wait for torch.
Every method can be asked for by its name, and imported from `rsi_gradcam.methods`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rsi_gradcam.baselines import Averaged, Black, Blur, Colour, Mean, Noise, Sample, Uncertain, White
    from rsi_gradcam.diagnosis import Diagnosis, diagnose
    from rsi_gradcam.errors import RSIGradCAMError
    from rsi_gradcam.explaining import explain, explain_all
    from rsi_gradcam.explanation import Course, Explanation
    from rsi_gradcam.heatmap import is_dark, normalise, upsample
    from rsi_gradcam.methods.grad_cam import GradCAM
    from rsi_gradcam.methods.integrated_grad_cam import IntegratedGradCAM
    from rsi_gradcam.methods.integrated_gradients import IntegratedGradients
    from rsi_gradcam.methods.rsi_grad_cam import RSIGradCAM
    from rsi_gradcam.methods.rsi_hires_cam import RSIHiResCAM
    from rsi_gradcam.paths import Curve, Points, Straight, Unblur
    from rsi_gradcam.stieltjes import riemann_sum, stieltjes_sum
    from rsi_gradcam.targets import Function, Logit, LogProbability, Margin, Probability, Softmax, Unit

__version__ = "0.1.0"

_HOMES = {
    "baselines": ("Averaged", "Black", "Blur", "Colour", "Mean", "Noise", "Sample", "Uncertain", "White"),
    "diagnosis": ("Diagnosis", "diagnose"),
    "errors": ("RSIGradCAMError",),
    "explaining": ("explain", "explain_all"),
    "explanation": ("Course", "Explanation"),
    "heatmap": ("is_dark", "normalise", "upsample"),
    "methods.grad_cam": ("GradCAM",),
    "methods.integrated_grad_cam": ("IntegratedGradCAM",),
    "methods.integrated_gradients": ("IntegratedGradients",),
    "methods.rsi_grad_cam": ("RSIGradCAM",),
    "methods.rsi_hires_cam": ("RSIHiResCAM",),
    "paths": ("Curve", "Points", "Straight", "Unblur"),
    "stieltjes": ("riemann_sum", "stieltjes_sum"),
    "targets": ("Function", "LogProbability", "Logit", "Margin", "Probability", "Softmax", "Unit"),
}

__all__ = [  # noqa: RUF022 - in the order of their homes
    "Averaged", "Black", "Blur", "Colour", "Mean", "Noise", "Sample", "Uncertain", "White",
    "Diagnosis", "diagnose", "RSIGradCAMError", "explain", "explain_all", "Course", "Explanation",
    "is_dark", "normalise", "upsample", "GradCAM", "IntegratedGradCAM", "IntegratedGradients", "RSIGradCAM",
    "RSIHiResCAM", "Curve", "Points", "Straight", "Unblur", "riemann_sum", "stieltjes_sum",
    "Function", "LogProbability", "Logit", "Margin", "Probability", "Softmax", "Unit",
]  # fmt: skip


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
