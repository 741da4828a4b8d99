"""Helpers shared by tests; nothing here is collected as a test."""
