# ruff: noqa: A005 - it is never imported as `statistics`
