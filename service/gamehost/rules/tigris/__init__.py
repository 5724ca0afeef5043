"""Tigris & Euphrates: dynasties found kingdoms between two rivers, and only the weakest sphere counts."""

from .rules import TIGRIS

__all__ = ["TIGRIS"]
