"""The program as the shell sees it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import version

import pytest

from rsi_gradcam.cli.application import COMMANDS
from tests.cli.conftest import loaded

NAMES = [command.__name__ for command in COMMANDS]


def program(*args, **environment):
    return subprocess.run(
        [sys.executable, "-m", "rsi_gradcam.cli", *args],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_the_version(run):
    assert run("--version").stdout == f"rsi-gradcam {version('rsi-gradcam')}\n"


def test_without_arguments_there_is_help(run):
    result = run()
    assert result.exit_code == 0
    assert all(name in result.stdout for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_a_word_of_help(name, run):
    from typer.main import get_command

    from rsi_gradcam.cli.application import app

    result = run(name, "--help")
    assert result.exit_code == 0
    command = get_command(app).commands[name]
    assert command.help
    assert all(getattr(each, "help", None) for each in command.params)
    assert all(option in result.stdout for each in command.params for option in each.opts if option.startswith("--"))


def test_help_needs_neither_torch_nor_numpy():
    code = """
import sys
from rsi_gradcam.cli.application import app, COMMANDS
for args in [[], *([command.__name__] for command in COMMANDS)]:
    try:
        app([*args, "--help"])
    except SystemExit as left:
        assert not left.code
print(sorted({"torch", "numpy", "PIL", "matplotlib"} & set(sys.modules)))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("rsi-gradcam di", {"diagnose"}),
        ("rsi-gradcam explain --meth", {"--method"}),
        ("rsi-gradcam explain --method rsi", {"rsi_grad_cam", "rsi_hires_cam"}),
        ("rsi-gradcam explain --baseline un", {"uncertain"}),
        ("rsi-gradcam explain --path ", {"straight", "unblur"}),
        ("rsi-gradcam explain --score log", {"logit", "log_probability"}),
        ("rsi-gradcam compare --methods grad_cam,x", {"grad_cam,x_grad_cam"}),
        ("rsi-gradcam explain --colours ", {"inferno", "magma", "viridis", "cividis", "turbo", "jet"}),
        ("rsi-gradcam explain --layer b", {"bn2"}),
        ("rsi-gradcam compare --layers stage1,b", {"stage1,bn2"}),
        (
            "rsi-gradcam compare --methods lime,hires_cam,gr",
            {f"lime,hires_cam,grad_cam{end}" for end in ("", "_plus_plus")},
        ),
    ],
)
def test_the_shell_completes(typed, offered, run, monkeypatch):
    words = typed.split(" ")
    monkeypatch.setenv("_RSI_GRADCAM_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert set(run().stdout.split()) == offered


def test_networks_are_completed_by_name_each_once(monkeypatch):
    from rsi_gradcam import zoo
    from rsi_gradcam.cli.options import complete_model

    monkeypatch.setattr(
        zoo, "names", lambda: {"torchvision": ("resnet18", "vgg16"), "timm": ("resnet18", "resnet10t")}
    )
    assert complete_model("resn") == ["resnet18", "resnet10t"]


def test_what_is_completed_without_the_library_is_what_the_library_has():
    from rsi_gradcam.cli import options
    from rsi_gradcam.figures import COLOUR_MAPS

    assert loaded(options.MODEL).layers.keys() == set(options.MODEL_LAYERS)
    assert options.COLOUR_NAMES == COLOUR_MAPS


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_script_that_is_shown_makes_bash_complete(tmp_path):
    shown = program("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert shown.returncode == 0, shown.stderr
    typed = "COMP_WORDS=(rsi-gradcam explain --method layer_c); COMP_CWORD=3"
    asks = f"{shown.stdout}\n{typed}\n_rsi_gradcam_completion rsi-gradcam\necho ${{COMPREPLY[@]}}"
    (tmp_path / "rsi-gradcam").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rsi_gradcam.cli "$@"\n')
    (tmp_path / "rsi-gradcam").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    bash = ["bash", "--norc", "-c", asks]
    result = subprocess.run(bash, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)
    assert result.stdout.split() == ["layer_cam", "layer_conductance"], result.stderr


def test_a_reader_that_leaves_early_is_no_error():
    pipe = subprocess.Popen(
        [sys.executable, "-m", "rsi_gradcam.cli", "methods"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    pipe.stdout.close()
    assert pipe.stderr.read() == b""
    pipe.stderr.close()
    assert pipe.wait() in (0, 1)


def test_an_error_of_the_program_itself_is_one_line_and_a_code():
    result = program("explain", "nowhere.png", "--steps", "2")
    assert result.returncode == 1
    assert result.stderr.startswith("error: nowhere.png is not there")
    assert result.stderr.count("\n") == 1
