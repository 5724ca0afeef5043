import { tides } from "@shedu/client";
import type { Say } from "../../boards/seat_name";

const { Card } = tides;

const NAMES: Record<tides.Card, (say: Say) => string> = {
  [Card.UNSPECIFIED]: (say) => say("board.tides.card.hidden", "A hidden card"),
  [Card.KINGS_NEST]: (say) => say("board.tides.card.kings_nest", "King's Nest"),
  [Card.ANCIENT_DIVIDE]: (say) => say("board.tides.card.ancient_divide", "Ancient Divide"),
  [Card.ETERNAL_PALACE]: (say) => say("board.tides.card.eternal_palace", "Eternal Palace"),
  [Card.GREAT_LIBRARY_OF_AHM]: (say) => say("board.tides.card.great_library", "Great Library of Ahm"),
  [Card.MANA_WELL]: (say) => say("board.tides.card.mana_well", "Mana Well"),
  [Card.CITADELS_OF_THE_PROPHETS]: (say) => say("board.tides.card.citadels", "Citadels of the Prophets"),
  [Card.GOLDEN_ZIGGURAT]: (say) => say("board.tides.card.golden_ziggurat", "Golden Ziggurat"),
  [Card.GODS_BATHS]: (say) => say("board.tides.card.gods_baths", "Gods' Baths"),
  [Card.MAZE_OF_THE_DAMNED]: (say) => say("board.tides.card.maze", "Maze of the Damned"),
  [Card.EYE_OF_THE_NORTH]: (say) => say("board.tides.card.eye", "Eye of the North"),
  [Card.JINNS_SHACKLES]: (say) => say("board.tides.card.shackles", "Jinn's Shackles"),
  [Card.OLD_MANS_PASS]: (say) => say("board.tides.card.pass", "Old Man's Pass"),
  [Card.BLOOD_TEAR_SPRING]: (say) => say("board.tides.card.spring", "Blood-tear Spring"),
  [Card.SKY_PILLARS]: (say) => say("board.tides.card.sky_pillars", "Sky Pillars"),
  [Card.VESTIBULE]: (say) => say("board.tides.card.vestibule", "Vestibule"),
  [Card.MOLEHILL]: (say) => say("board.tides.card.molehill", "Molehill"),
  [Card.ROOF_OF_THE_WORLD]: (say) => say("board.tides.card.roof", "Roof of the World"),
  [Card.SAPPHIRE_PORT]: (say) => say("board.tides.card.port", "Sapphire Port"),
};

export function cardName(card: tides.Card, say: Say): string {
  return NAMES[card](say);
}
