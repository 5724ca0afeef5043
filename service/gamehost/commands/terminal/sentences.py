"""Templates of event sentences.

`{field}` is a value, `{field:form}` a value in a form of `event_text.FORMS`, `{field!}` a list,
or its size if it is hidden. Sentences are in the past tense, so that "you" fits as well as a name. Events
without a template are not shown.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, str] = {
    "seat_taken": "{seat} sat down.",
    "seat_left": "{seat} left the table.",
    "game_started": "The game began.",
    "seat_resigned": "{seat} gave up.",
    "seat_taken_over": "Time was up for {seat}; a bot plays on.",
    "seat_reclaimed": "{seat} took the seat back from the bot.",
    "proposal_made": "{proposal.seat} asked for agreement.",
    "move_undone": "{seat} took back the last action.",
    "game_abandoned": "The game was ended without a winner.",
}

TIDES: Mapping[str, str] = {
    "cards_drawn": "{seat} drew {cards!}.",
    "round_begun": "Round {round} began.",
    "card_chosen": "{seat} chose a card.",
    "cards_revealed": "Revealed: {cards:by_seat}.",
    "round_scored": "Round {round} scored: {scores:by_seat}.",
    "relic_chosen": "{seat} chose a relic and a card to remove.",
    "relics_revealed": "Relics: {relics:by_seat}. Removed from the game: {removed:by_seat}.",
    "game_ended": "The game ended: {totals:by_seat}.",
}

TIGRIS: Mapping[str, str] = {
    "game_begun": "{first} began.",
    "tiles_drawn": "{seat} drew {tiles!tile}.",
    "draw_failed": "The bag held too little for {seat}.",
    "turn_begun": "Turn {turn}: {seat}.",
    "leader_placed": "{seat} placed the {leader:leader} at {space}.",
    "leader_withdrawn": "{seat} withdrew the {leader:leader} from {space}.",
    "leader_sent_home": "The {leader:leader} of {seat} left {space}: {reason}.",
    "tile_placed": "{seat} placed a {colour:tile} at {space}.",
    "points_scored": "{seat} scored {points} of {colour} ({reason}).",
    "catastrophe_played": "{seat} played a catastrophe at {space}.",
    "tiles_swapped": "{seat} swapped {tiles!tile}.",
    "kingdoms_joined": "Two kingdoms were joined at {space}.",
    "conflict_begun": "{conflict.attacker} attacked {conflict.defender}, {conflict.colour:leader} against "
    "{conflict.colour:leader}: {conflict.attacker_strength} to {conflict.defender_strength} on the board.",
    "support_committed": "{seat} committed {tiles} ({colour:tile}).",
    "conflict_won": "{winner} won the {kind} against {loser}, {winner_total} to {loser_total}.",
    "building_raised": "{seat} raised the {colour:building} at {space}.",
    "building_returned": "The {colour:building} at {space} returned to the supply.",
    "monument_built": "{seat} built the {monument} monument at {corner}.",
    "wonder_built": "{seat} built the wonder around {center}.",
    "build_declined": "{seat} built nothing.",
    "treasure_taken": "{seat} took the treasure at {space}.",
    "game_ended": "The game ended: {reason}.",
}

TIGRIS_CARDS: Mapping[str, str] = {
    "cards_set_aside": "{count} cards were set aside unseen.",
    "cards_drawn": "{seat} drew {cards!}.",
    "turn_begun": "{seat} had the turn.",
    "turn_passed": "{seat} ended the turn early.",
    "card_laid": "{seat} laid a {colour} card in column {column:next}.",
    "point_taken": "{seat} put a {colour} card onto the pile.",
    "offer_declined": "{seat} left the offer.",
    "ship_built": "{seat} built the {ship} ship in column {column:next}.",
    "link_laid": "{seat} laid a link face down, right of column {gap:next}.",
    "link_turned_up": "The {colour} link right of column {gap:next} was turned up.",
    "leader_placed": "The {leader.colour:leader} of {leader.seat} went to {place}.",
    "leader_withdrawn": "The {leader.colour:leader} of {leader.seat} was taken back from {place}.",
    "calamity_played": "{seat} struck {place} with the calamity.",
    "conflict_begun": "{attacker} attacked {defender}, {colour:leader} against {colour:leader}: "
    "{attacker_strength} to {defender_strength} before cards.",
    "cards_committed": "{seat} committed {count} {colour}.",
    "conflict_won": "{winner} won; the {loser.colour:leader} of {loser.seat} went home.",
    "treasure_exchanged": "{seat} took the treasure of column {column:next} for a red card.",
    "income_taken": "{seat} put a {colour} card onto the pile for a ship.",
    "game_ended": "The game ended: {ending}.",
}

STONE_AGE: Mapping[str, str] = {
    "round_begun": "Round {round} began; start player: {start_player}.",
    "card_revealed": "Card {slot}: {card:stone_age_card}.",
    "people_placed": "{seat} put {people} on {place}.",
    "people_returned": "{seat} brought {people} home from {place}.",
    "tool_made": "{seat} made a tool of {value}.",
    "person_born": "A person was born to {seat}: {people} now.",
    "food_track_raised": "{seat} went to {food_track} on the food track.",
    "dice_rolled": "{seat} rolled {faces} for {good}.",
    "roll_counted": "{seat} had {total} and took {gained} {good}.",
    "card_bought": "{seat} bought a card for {paid}: {card:stone_age_card}.",
    "card_declined": "{seat} left the card.",
    "tile_built": "{seat} built a tile with {paid} for {points} points.",
    "tile_declined": "{seat} left the tile.",
    "food_gained": "{seat} gained {food} food.",
    "resources_gained": "{seat} gained {resources}.",
    "points_gained": "{seat} gained {points} points.",
    "one_use_tool_gained": "{seat} gained a tool of {value} for one use.",
    "any_two_gained": "{seat} may take any two resources later.",
    "any_two_taken": "{seat} took {resources}.",
    "card_drawn": "{seat} drew a card off the deck.",
    "dice_for_all_rolled": "Dice for everyone: {faces}.",
    "die_taken": "{seat} took the {face}.",
    "food_produced": "{seat} gained {food} food from the fields.",
    "people_fed": "{seat} fed everyone with {food} food and {resources}.",
    "went_hungry": "{seat} went hungry and lost {points_lost} points.",
    "seat_scored": "{seat} has {score.total} points in the end.",
    "game_ended": "The game ended: {reason}.",
}

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "tides": TIDES,
    "tigris": TIGRIS,
    "tigris_cards": TIGRIS_CARDS,
    "stone_age": STONE_AGE,
}
