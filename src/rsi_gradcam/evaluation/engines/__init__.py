"""Engines: where the photos of a plan are worked off."""
