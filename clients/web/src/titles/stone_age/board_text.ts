import type { stoneAge, View } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { amountsText } from "./goods";
import { placeName } from "./places";
import { cardText } from "./card_data";

export function stoneAgeView(view: View): stoneAge.View | undefined {
  return view.title.case === "stoneAge" ? view.title.value : undefined;
}

function describePlayer(player: stoneAge.PlayerView, name: string, say: Say): string {
  return say(
    "board.stone_age.describe_player",
    "{name}: {score} points; people at home {home} of {people}; food {food}, food track {track}; {resources}; tools {tools}; buildings {buildings}; cards: {cards}.",
    {
      name,
      score: String(player.score),
      home: String(player.peopleAtHome),
      people: String(player.people),
      food: String(player.food),
      track: String(player.foodTrack),
      resources: amountsText(player.resources, say),
      tools: player.tools.map(({ value, used }) => (used ? `(${value})` : String(value))).join(", "),
      buildings: String(player.tiles.length),
      cards:
        [...player.cards, ...player.drawn].map((card) => cardText(card, say)).join(" / ") ||
        say("board.stone_age.nothing", "nothing"),
    },
  );
}

function describePlace(place: stoneAge.PlaceView, names: readonly string[], say: Say): string[] {
  const people = place.people.flatMap((count, seat) => (count ? [`${nameOf(names, seat)} ${count}`] : []));
  return people.length ? [`${placeName(place.place, say)}: ${people.join(", ")}.`] : [];
}

function describeMarket(view: stoneAge.View, say: Say): string[] {
  const cards = view.cards.map(({ cost, card }) =>
    say("board.stone_age.describe_card", "Card for {cost}: {card}.", {
      cost: String(cost),
      card: card === undefined ? say("board.stone_age.sold", "sold") : cardText(card, say),
    }),
  );
  const tiles = view.tiles.map(({ stack, exactly, least, most, kinds }) =>
    say("board.stone_age.describe_tile", "Building {stack}: {bill}.", {
      stack: String(stack),
      bill: exactly
        ? amountsText(exactly, say)
        : say("board.stone_age.describe_bill", "{least} to {most} resources, kinds: {kinds}", {
            least: String(least),
            most: String(most),
            kinds: String(kinds ?? "1–4"),
          }),
    }),
  );
  return [...cards, ...tiles];
}

export const describe: Board["describe"] = (whole, names, say) => {
  const view = stoneAgeView(whole);
  if (!view) return "";
  return [
    say("board.stone_age.describe_round", "Round {round}; {name} is the start player.", {
      round: String(view.round),
      name: nameOf(names, view.startPlayer),
    }),
    ...view.players.map((player, seat) => describePlayer(player, nameOf(names, seat), say)),
    ...view.places.flatMap((place) => describePlace(place, names, say)),
    ...describeMarket(view, say),
  ].join("\n");
};

type Part = readonly [heading: string, value: (score: stoneAge.FinalScore) => number];

function finalParts(say: Say): Part[] {
  return [
    [say("board.stone_age.built", "buildings"), (score) => score.tiles],
    [say("board.stone_age.cards_short", "cards"), (score) => score.cards],
    [say("board.stone_age.hunger", "hunger"), (score) => -score.hunger],
    [say("board.stone_age.cultures", "achievements"), (score) => score.cultures],
    [say("board.stone_age.farmer", "farmers"), (score) => score.farmers],
    [say("board.stone_age.toolmaker", "toolmakers"), (score) => score.toolmakers],
    [say("board.stone_age.hut_builder", "hut builders"), (score) => score.hutBuilders],
    [say("board.stone_age.shaman", "shamans"), (score) => score.shamans],
    [say("board.stone_age.resources", "resources"), (score) => score.resources + score.anyTwo],
    [say("board.stone_age.total", "total"), (score) => score.total],
  ];
}

export const points: NonNullable<Board["points"]> = (view, say) => ({
  what: say("board.stone_age.score", "score"),
  bySeat: stoneAgeView(view)?.players.map(({ finalScore, score }) => finalScore?.total ?? score) ?? [],
});

export const breakdown: Board["breakdown"] = (whole, names, say) => {
  const players = stoneAgeView(whole)?.players ?? [];
  if (players.every((player) => player.finalScore)) {
    const parts = finalParts(say);
    const rows = players.map(({ finalScore }, seat) => ({
      name: nameOf(names, seat),
      cells: parts.map(([, value]) => (finalScore ? String(value(finalScore)) : "")),
    }));
    return { columns: parts.map(([heading]) => heading), rows };
  }
  const columns = [
    say("board.stone_age.built", "buildings"),
    say("board.stone_age.cards_short", "cards"),
    say("board.stone_age.hunger", "hunger"),
    say("board.stone_age.total", "total"),
  ];
  const rows = players.map(({ tilePoints, cardPoints, hunger, score }, seat) => ({
    name: nameOf(names, seat),
    cells: [tilePoints, cardPoints, -hunger, score].map(String),
  }));
  return { columns, rows };
};
