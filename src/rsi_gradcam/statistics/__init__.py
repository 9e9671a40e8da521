"""What a set of photos says, and how sure that is: arrays in, numbers with intervals out. One idea per file.

Rows are photos, columns whatever was measured of them; nan means that a photo has no such number.
"""
