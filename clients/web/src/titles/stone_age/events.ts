import { type Event, stoneAge } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { type SentenceWriter as KindTeller, firstSentence } from "../../boards/sentence_writers";
import { amountsText, goodName, goodOf } from "./goods";
import { placeName } from "./places";
import { cardText } from "./card_data";

type Kind = stoneAge.Event["kind"];
type SentenceWriter = KindTeller<Kind>;

const placing: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "roundBegun":
      return say("board.stone_age.event.round", "Round {round} begins; {name} is the start player.", {
        round: String(kind.value.round),
        name: nameOf(names, kind.value.startPlayer),
      });
    case "cardRevealed":
      return say("board.stone_age.event.card_revealed", "Card {slot}: {card}.", {
        slot: String(kind.value.slot),
        card: cardText(kind.value.card, say),
      });
    case "peoplePlaced":
      if (kind.value.people === 1)
        return say("board.stone_age.event.placed_one", "{name} places one person: {place}.", {
          name: nameOf(names, kind.value.seat),
          place: placeName(kind.value.place, say),
        });
      return say("board.stone_age.event.placed", "{name} places {count} people: {place}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.people),
        place: placeName(kind.value.place, say),
      });
    case "peopleReturned":
      if (kind.value.people === 1)
        return say("board.stone_age.event.returned_one", "{name} takes one person home: {place}.", {
          name: nameOf(names, kind.value.seat),
          place: placeName(kind.value.place, say),
        });
      return say("board.stone_age.event.returned", "{name} takes {count} people home: {place}.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.people),
        place: placeName(kind.value.place, say),
      });
    default:
      return undefined;
  }
};

const working: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "toolMade":
      return say("board.stone_age.event.tool", "{name} has a tool of value {value}.", {
        name: nameOf(names, kind.value.seat),
        value: String(kind.value.value),
      });
    case "personBorn":
      return say("board.stone_age.event.born", "{name} has one more person: {count} now.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.people),
      });
    case "foodTrackRaised":
      return say("board.stone_age.event.field", "{name} is at {track} on the food track.", {
        name: nameOf(names, kind.value.seat),
        track: String(kind.value.foodTrack),
      });
    case "diceRolled":
      return say("board.stone_age.event.rolled", "{name} rolls {faces} for {good}.", {
        name: nameOf(names, kind.value.seat),
        faces: kind.value.faces.join(" + "),
        good: goodName(goodOf(kind.value.good), say),
      });
    case "rollCounted":
      return say("board.stone_age.event.counted", "{name} has {total} with tools and takes {count} {good}.", {
        name: nameOf(names, kind.value.seat),
        total: String(kind.value.total),
        count: String(kind.value.gained),
        good: goodName(goodOf(kind.value.good), say),
      });
    case "diceForAllRolled":
      return say("board.stone_age.event.dice_for_all", "Dice for everyone: {faces}.", {
        faces: kind.value.faces.join(", "),
      });
    case "dieTaken":
      return say("board.stone_age.event.die_taken", "{name} takes the {face}.", {
        name: nameOf(names, kind.value.seat),
        face: String(kind.value.face),
      });
    default:
      return undefined;
  }
};

const buying: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "cardBought":
      return say("board.stone_age.event.bought", "{name} buys a card with {resources}: {card}.", {
        name: nameOf(names, kind.value.seat),
        resources: amountsText(kind.value.paid, say),
        card: cardText(kind.value.card, say),
      });
    case "cardDeclined":
    case "tileDeclined":
      return say("board.stone_age.event.declined", "{name} buys nothing.", { name: nameOf(names, kind.value.seat) });
    case "tileBuilt":
      return say("board.stone_age.event.built", "{name} builds with {resources} for {points} points.", {
        name: nameOf(names, kind.value.seat),
        resources: amountsText(kind.value.paid, say),
        points: String(kind.value.points),
      });
    case "cardDrawn":
      return say("board.stone_age.event.drawn", "{name} draws a card from the deck.", {
        name: nameOf(names, kind.value.seat),
      });
    default:
      return undefined;
  }
};

const gaining: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "foodGained":
    case "foodProduced":
      return say("board.stone_age.event.food", "{name} gains {count} food.", {
        name: nameOf(names, kind.value.seat),
        count: String(kind.value.food),
      });
    case "resourcesGained":
    case "anyTwoTaken":
      return say("board.stone_age.event.resources", "{name} gains {resources}.", {
        name: nameOf(names, kind.value.seat),
        resources: amountsText(kind.value.resources, say),
      });
    case "pointsGained":
      return say("board.stone_age.event.points", "{name} gains {points} points.", {
        name: nameOf(names, kind.value.seat),
        points: String(kind.value.points),
      });
    case "oneUseToolGained":
      return say("board.stone_age.event.once", "{name} gets a one-use tool of value {value}.", {
        name: nameOf(names, kind.value.seat),
        value: String(kind.value.value),
      });
    case "anyTwoGained":
      return say("board.stone_age.event.any_two", "{name} may take any two resources later.", {
        name: nameOf(names, kind.value.seat),
      });
    default:
      return undefined;
  }
};

function endReason(reason: stoneAge.EndReason, say: Say): string {
  switch (reason) {
    case stoneAge.EndReason.DECK_EXHAUSTED:
      return say("board.stone_age.end.deck", "the deck is empty");
    case stoneAge.EndReason.STACK_EMPTIED:
      return say("board.stone_age.end.stack", "a stack of buildings is empty");
    default:
      return say("board.stone_age.end.rounds", "the last round was played");
  }
}

const ending: SentenceWriter = (kind, names, say) => {
  switch (kind.case) {
    case "peopleFed":
      return say("board.stone_age.event.fed", "{name} feeds everyone with {food} food and {resources}.", {
        name: nameOf(names, kind.value.seat),
        food: String(kind.value.food),
        resources: amountsText(kind.value.resources, say),
      });
    case "wentHungry":
      return say("board.stone_age.event.hungry", "{name} goes hungry and loses {points} points.", {
        name: nameOf(names, kind.value.seat),
        points: String(kind.value.pointsLost),
      });
    case "seatScored":
      return say("board.stone_age.event.scored", "{name} has {points} points in total.", {
        name: nameOf(names, kind.value.seat),
        points: String(kind.value.score?.total ?? 0),
      });
    case "gameEnded":
      return say("board.stone_age.event.ended", "The game is over: {reason}.", {
        reason: endReason(kind.value.reason, say),
      });
    default:
      return undefined;
  }
};

const tell = firstSentence<Kind>([placing, working, buying, gaining, ending]);

export const sentence: Board["sentence"] = (event, names, say) =>
  event.kind.case === "stoneAge" ? tell(event.kind.value.kind, names, say) : undefined;

/** A roll that was counted, such as "Anna: 14 ÷ 6 → 2 gold". */
export function caption(events: readonly Event[], names: readonly string[], say: Say): string | undefined {
  const counted = events.flatMap(({ kind }) => {
    const event = kind.case === "stoneAge" ? kind.value.kind : undefined;
    return event?.case === "rollCounted" ? [event.value] : [];
  });
  const lines = counted.map((roll) =>
    say("board.stone_age.caption.roll", "{name}: {total} ÷ {divisor} → {count} {good}", {
      name: nameOf(names, roll.seat),
      total: String(roll.total),
      divisor: String(roll.divisor),
      count: String(roll.gained),
      good: goodName(goodOf(roll.good), say),
    }),
  );
  return lines.length > 0 ? lines.join("; ") : undefined;
}
