"""Experiments: what is played, recorded, counted and replayed. Nothing is imported here; name the module you need."""
