"""One folder for each title. `gamehost.rules.catalog` discovers them.

The rules of every title (`<title>/rules/`) have these modules, so that reading one teaches the others:

    options     what a game is created with
    material    the pieces, and what is printed on them
    model       the state and the view
    actions     what a seat may ask for
    events      what happened
    setup       the events of the start
    decisions   the open questions
    refusals    why an action is refused
    legal       the legal actions
    act         carries out an action: which chapter tells its events
    scoring     the score and the outcome
    evolve      the state after an event
    view        what a seat knows, and what it sees of an event
    imagine     a state that fits what a seat knows
    describe    actions as sentences, and the texts of the rules
    rules       the class that joins all of these

Beside them stand the chapters of the rule book, which differ from title to title: `conflicts`, `rounds`, ...
"""
