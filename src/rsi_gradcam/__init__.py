"""rsi-gradcam: where a convolutional network looked, and how far such a picture can be trusted.

from rsi_gradcam import explain, explain_all

e = explain(model, x, layer="features.36", method="rsi_grad_cam")
e.raw, e.heatmap, e.score, e.residual, e.error
"""

from rsi_gradcam.baselines import Averaged, Black, Blur, Colour, Mean, Noise, Sample, Uncertain, White
from rsi_gradcam.catalog import baselines, methods, paths
from rsi_gradcam.diagnose import Diagnosis, diagnose
from rsi_gradcam.errors import RSIGradCAMError
from rsi_gradcam.explain import explain, explain_all
from rsi_gradcam.explanation import Course, Explanation
from rsi_gradcam.heatmap import is_dark, normalise, upsample
from rsi_gradcam.methods.grad_cam import GradCAM
from rsi_gradcam.methods.integrated_grad_cam import IntegratedGradCAM
from rsi_gradcam.methods.integrated_gradients import IntegratedGradients
from rsi_gradcam.methods.rsi_grad_cam import RSIGradCAM
from rsi_gradcam.methods.rsi_hires_cam import RSIHiResCAM
from rsi_gradcam.paths import Curve, Points, Straight, Unblur
from rsi_gradcam.stieltjes import riemann_sum, stieltjes_sum
from rsi_gradcam.targets import Logit, LogProbability, Margin, Probability, Softmax, Unit

__version__ = "0.1.0"

__all__ = [
    "Averaged",
    "Black",
    "Blur",
    "Colour",
    "Course",
    "Curve",
    "Diagnosis",
    "Explanation",
    "GradCAM",
    "IntegratedGradCAM",
    "IntegratedGradients",
    "LogProbability",
    "Logit",
    "Margin",
    "Mean",
    "Noise",
    "Points",
    "Probability",
    "RSIGradCAM",
    "RSIGradCAMError",
    "RSIHiResCAM",
    "Sample",
    "Softmax",
    "Straight",
    "Unblur",
    "Uncertain",
    "Unit",
    "White",
    "baselines",
    "diagnose",
    "explain",
    "explain_all",
    "is_dark",
    "methods",
    "normalise",
    "paths",
    "riemann_sum",
    "stieltjes_sum",
    "upsample",
]
