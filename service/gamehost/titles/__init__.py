"""One folder for each title. `gamehost.rules.catalog` discovers them."""
