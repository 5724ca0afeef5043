"""Board games as a service."""

__version__ = "0.2.0"
