"""Slow references, written from the rule text alone, that the engine is tested against."""
