"""Board games as a service."""

import os

# gRPC writes a line of its own for each failed TLS handshake, in no form that a log reader knows. It reads
# this variable when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

__version__ = "0.2.0"
