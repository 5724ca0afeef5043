import type { tigrisCards, View } from "@shedu/client";
import type { Board } from "../../board";
import { nameOf, type Say } from "../../boards/seat_name";
import { COLOURS, colourName, faceName, leaderOf } from "./colours";
import { cardWords, placeName } from "./places";

export function cardsView(view: View): tigrisCards.View | undefined {
  return view.title.case === "tigrisCards" ? view.title.value : undefined;
}

function describeTable(table: tigrisCards.Table | undefined, names: readonly string[], say: Say): string[] {
  const columns = (table?.columns ?? []).map(({ cards }, column) =>
    say("board.tigris_cards.describe_column", "Column {column}: {cards}.", {
      column: String(column + 1),
      cards: cards.map((card) => cardWords(card, names, say)).join(", "),
    }),
  );
  const links = (table?.links ?? []).flatMap(({ link }, column) =>
    link ? [`${placeName({ column }, say)}: ${cardWords(link, names, say)}.`] : [],
  );
  return [...columns, ...links];
}

function describeKingdom(kingdom: tigrisCards.Kingdom, names: readonly string[], say: Say): string {
  return say(
    "board.tigris_cards.describe_kingdom",
    "Kingdom of columns {first} to {last}: {leaders}; cards {strengths}.",
    {
      first: String(kingdom.firstColumn + 1),
      last: String(kingdom.lastColumn + 1),
      leaders: kingdom.leaders
        .map(({ seat, colour }) => `${leaderOf(colour, say)} (${nameOf(names, seat)})`)
        .join(", "),
      strengths: COLOURS.map((colour, index) => `${colourName(colour, say)} ${kingdom.strengths[index] ?? 0}`).join(
        ", ",
      ),
    },
  );
}

function describePlayer(view: tigrisCards.View, seat: number, name: string, say: Say): string {
  const pile = view.piles[seat];
  return say("board.tigris_cards.describe_player", "{name}: cards in hand {cards}, pile of {height}, on top {top}.", {
    name,
    cards: String(view.handSizes[seat] ?? 0),
    height: String(pile?.height ?? 0),
    top: pile?.top === undefined ? say("board.tigris_cards.nothing", "nothing") : faceName(pile.top, say),
  });
}

export const describe: Board["describe"] = (whole, names, say) => {
  const view = cardsView(whole);
  if (!view) return "";
  const hand = view.hand.map((colour) => colourName(colour, say)).join(", ");
  return [
    say("board.tigris.describe_turn", "Turn {turn}, {name} is active.", {
      turn: String(view.turn),
      name: nameOf(names, view.active),
    }),
    ...view.handSizes.map((_, seat) => describePlayer(view, seat, nameOf(names, seat), say)),
    ...(hand ? [say("board.tigris.describe_hand", "Your hand: {tiles}.", { tiles: hand })] : []),
    ...view.kingdoms.map((kingdom) => describeKingdom(kingdom, names, say)),
    ...describeTable(view.table, names, say),
  ].join("\n");
};

export const points: NonNullable<Board["points"]> = (view, say) => ({
  what: say("board.tigris_cards.piles", "Cards on the piles"),
  bySeat: cardsView(view)?.piles.map(({ height }) => height) ?? [],
});

export const breakdown: Board["breakdown"] = (whole, names, say) => {
  const view = cardsView(whole);
  const columns = [...COLOURS.map((colour) => colourName(colour, say)), say("board.tigris.treasures", "treasures")];
  const rows = (view?.points ?? []).map(({ counts }, seat) => ({
    name: nameOf(names, seat),
    cells: counts.map(String),
  }));
  return { columns, rows };
};
