"""The command `shedu new-title`."""
