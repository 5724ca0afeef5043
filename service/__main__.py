"""`python3 service`: sets up if need be, then serves. Arguments go to `shedu serve`."""

from __future__ import annotations

import sys

import bootstrap

if __name__ == "__main__":
    bootstrap.ready()
    bootstrap.hand_over(bootstrap.BIN / "shedu", "serve", *sys.argv[1:])
