"""`python -m rsi_gradcam.cli`."""

from rsi_gradcam.cli import main

main()
