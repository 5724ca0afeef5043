"""`shedu play`: a game in the terminal."""
