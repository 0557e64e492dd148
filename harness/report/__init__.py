"""Renderings of results. Every function returns what it makes and prints nothing."""
