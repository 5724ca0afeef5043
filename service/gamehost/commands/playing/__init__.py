"""`shedu play`: a person at a terminal, and whatever plays on the other seats."""
