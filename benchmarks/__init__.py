"""Measurements of speed: ratios within one run and instruction counts, never a verdict by the clock."""
