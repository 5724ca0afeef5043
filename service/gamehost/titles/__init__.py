"""One folder for each title. `gamehost.rules.catalog` discovers them.

The rules of every title (`<title>/rules/`) have these modules, so that reading one teaches the others:

    options     the options that a game can be created with
    material    the components: cards, tiles, colours, and what is printed on them
    model       the state and the view
    actions     the actions that a seat can take
    events      the events that happen in a game
    setup       the events with which a game starts
    decisions   the open questions
    refusals    the checks that refuse an action, with their reasons
    legal       the legal actions
    act         carries out an action: calls the chapter that makes its events
    scoring     the score and the outcome
    evolve      applies an event to the state
    view        the view of a seat, and events as a seat sees them
    imagine     a random state that is consistent with what a seat knows
    describe    actions as sentences, and the texts of the rules
    rules       the class that combines all of these

Beside them stand the chapters of the rule book, which differ from title to title: `conflicts`, `rounds`, ...
"""
