"""`python -m gamehost` is `shedu`."""

from gamehost.cli import main

if __name__ == "__main__":  # processes that play beside this one import it
    main()
