"""The formulas again, slow and plain: float64, one point of the path at a time, one unit at a time.

Written from the paper's LaTeX and the papers it cites, not from the library. A tensor becomes nested lists as
soon as the model has given it, so that no broadcasting can hide a wrong axis.
"""
