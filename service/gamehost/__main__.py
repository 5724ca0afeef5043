"""`python -m gamehost` is `shedu`."""

from gamehost.cli import main

main()
