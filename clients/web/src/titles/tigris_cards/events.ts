import { tigrisCards } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { type SentenceWriter as KindTeller, firstSentence } from "../../boards/sentence_writers";
import { colourName, leaderOf, shipName } from "./colours";
import { placeName } from "./places";

type Kind = tigrisCards.Event["kind"];
type SentenceWriter = KindTeller<Kind>;

function where(place: tigrisCards.Place | undefined, say: Say): string {
  return place ? placeName(place, say) : "";
}

function ending(reason: tigrisCards.Ending, say: Say): string {
  switch (reason) {
    case tigrisCards.Ending.DECK_EXHAUSTED:
      return say("board.tigris_cards.ending.deck", "a hand could not be filled");
    case tigrisCards.Ending.ONE_TREASURE_LEFT:
      return say("board.tigris_cards.ending.treasure", "a single treasure is left");
    default:
      return say("board.tigris_cards.ending.quiet", "no card was played for several turns");
  }
}

const laying: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "cardsDrawn":
      return say("board.tigris_cards.event.drawn", "{name} draws cards: {count}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.hiddenCards ?? kind.value.cards.length),
      });
    case "cardLaid":
      return say("board.tigris_cards.event.laid", "{name} lays a {card} in column {column}.", {
        name: nameOf(names, kind.value.seat),
        card: colourName(kind.value.colour, say),
        column: String(kind.value.column + 1),
      });
    case "linkLaid":
      return say("board.tigris_cards.event.link", "{name} lays a card face down: {gap}.", {
        name: nameOf(names, kind.value.seat),
        gap: placeName({ column: kind.value.gap }, say),
      });
    case "linkTurnedUp":
      return say("board.tigris_cards.event.turned_up", "Turned face up, {gap}: {card}.", {
        gap: placeName({ column: kind.value.gap }, say),
        card: colourName(kind.value.colour, say),
      });
    case "shipBuilt":
      return say("board.tigris_cards.event.ship", "{name} builds the {ship} in column {column}.", {
        name: nameOf(names, kind.value.seat),
        ship: shipName(kind.value.ship, say),
        column: String(kind.value.column + 1),
      });
    case "calamityPlayed":
      return say("board.tigris_cards.event.calamity", "{name} plays a calamity: {place}, {card}.", {
        name: nameOf(names, kind.value.seat),
        place: where(kind.value.place, say),
        card: colourName(kind.value.colour, say),
      });
    default:
      return undefined;
  }
};

const gaining: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "pointTaken":
    case "incomeTaken":
      return say("board.tigris_cards.event.point", "{name} puts a {card} onto the pile.", {
        name: nameOf(names, kind.value.seat),
        card: colourName(kind.value.colour, say),
      });
    case "offerDeclined":
      return say("board.tigris_cards.event.declined", "{name} declines.", { name: nameOf(names, kind.value.seat) });
    case "treasureExchanged":
      return say("board.tigris_cards.event.exchanged", "{name} takes the treasure of column {column}.", {
        name: nameOf(names, kind.value.seat),
        column: String(kind.value.column + 1),
      });
    default:
      return undefined;
  }
};

const fighting: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "leaderPlaced":
      return say("board.tigris_cards.event.leader", "{name} places the {leader}: {place}.", {
        name: nameOf(names, kind.value.leader?.seat ?? 0),
        leader: leaderOf(kind.value.leader?.colour ?? tigrisCards.Colour.RED, say),
        place: where(kind.value.place, say),
      });
    case "leaderWithdrawn":
      return say("board.tigris_cards.event.withdrawn", "{name} withdraws the {leader}: {place}.", {
        name: nameOf(names, kind.value.leader?.seat ?? 0),
        leader: leaderOf(kind.value.leader?.colour ?? tigrisCards.Colour.RED, say),
        place: where(kind.value.place, say),
      });
    case "conflictBegun":
      return say(
        "board.tigris_cards.event.conflict",
        "{attacker} attacks {defender}, {leader} against {leader}: {strength} to {other}.",
        {
          attacker: nameOf(names, kind.value.attacker),
          defender: nameOf(names, kind.value.defender),
          leader: leaderOf(kind.value.colour, say),
          strength: String(kind.value.attackerStrength),
          other: String(kind.value.defenderStrength),
        },
      );
    case "cardsCommitted":
      return say("board.tigris_cards.event.committed", "{name} plays {count}: {card}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.count),
        card: colourName(kind.value.colour, say),
      });
    case "conflictWon":
      return say("board.tigris_cards.event.won", "{winner} wins against {loser}; cards for the pile: {count}.", {
        winner: nameOf(names, kind.value.winner),
        loser: nameOf(names, kind.value.loser?.seat ?? 0),
        count: String(kind.value.kept + kind.value.captured.length),
      });
    default:
      return undefined;
  }
};

const course: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "turnBegun":
      return say("board.tigris_cards.event.turn", "It is {name}'s turn.", { name: nameOf(names, kind.value.seat) });
    case "turnPassed":
      return say("board.tigris_cards.event.passed", "{name} ends the turn early.", {
        name: nameOf(names, kind.value.seat),
      });
    case "cardsSetAside":
      return say("board.tigris_cards.event.set_aside", "Cards set aside unseen: {count}.", {
        count: String(kind.value.count),
      });
    case "gameEnded":
      return say("board.tigris_cards.event.ended", "The game is over: {reason}.", {
        reason: ending(kind.value.ending, say),
      });
    default:
      return undefined;
  }
};

const tell = firstSentence<Kind>([laying, gaining, fighting, course]);

export const sentence: Board["sentence"] = (event, names, say) =>
  event.kind.case === "tigrisCards" ? tell(event.kind.value.kind, names, say) : undefined;
