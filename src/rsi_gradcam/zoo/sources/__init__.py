"""Where networks come from, one source per file: `load(order)` gives a Network, `names()` are those it `knows(name)`.

An optional dependency is imported by one file only, when that file is first needed.
"""
