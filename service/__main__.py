"""`python3 service`: sets up if need be, then serves. Arguments go to `shedu serve`."""

from __future__ import annotations

import sys

import bootstrap

if __name__ == "__main__":
    bootstrap.ensure_environment()
    bootstrap.exec_program(bootstrap.BIN / "shedu", "serve", *sys.argv[1:])
