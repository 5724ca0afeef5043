"""Runs the scenarios with the Python client: python run.py <address>. Prints a line for each scenario."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import shedu
from conformance.clients import scenarios
from conformance.clients.sdk import Sdk

if __name__ == "__main__":
    with shedu.connect(sys.argv[1]) as server:
        client = Sdk(server)
        for each in scenarios.SCENARIOS:
            shown = scenarios.run_one(client, each["steps"])
            print(json.dumps({each["name"]: shown}), flush=True)
