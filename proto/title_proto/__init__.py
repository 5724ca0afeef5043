"""Writes the proto of a title from the dataclasses of its rules.

`sources` reads the modules of the rules, `shapes` finds the wire format of a type, `reading` reads the
messages that the proto has now, `declaring` makes the new ones from both, `declarations` prints them,
`unions` adds the title to the messages that list all titles, and `writing` does all of it for one title.
"""
