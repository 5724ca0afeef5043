import { type Draws, type Event, stoneAge, tides, tigris, tigrisCards } from "@shedu/client";

export type Kind = "first" | "hand" | "shown" | "rolled";

/** What is left of what came with the box, in the order it is counted out before a draw. */
export type Left = Readonly<Record<string, readonly number[]>>;

/** What an event tells of a draw, and what the secret gives; nothing is due where nothing was drawn. */
export interface Luck {
  kind: Kind;
  left: Left;
  due: readonly number[] | undefined;
  told: readonly number[];
}

type Box = (event: Event, left: Left, draws: Draws) => Promise<Luck>;

const nothing = (left: Left): Luck => ({ kind: "hand", left, due: undefined, told: [] });

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

/** So many of the first, so many of the second, and so on. */
function counted(counts: readonly number[]): number[] {
  return counts.flatMap((count, at) => Array.from({ length: count }, () => at + 1));
}

async function seat(seats: number, draws: Draws): Promise<number[]> {
  return draws.draw(upTo(seats).map((number) => number - 1), 1);
}

async function drawn(kind: Kind, bag: string, told: readonly number[], left: Left, draws: Draws): Promise<Luck> {
  const rest = [...(left[bag] ?? [])];
  const due = await draws.draw(rest, Math.min(told.length, rest.length));
  for (const item of due) rest.splice(rest.indexOf(item), 1);
  return { kind, left: { ...left, [bag]: rest }, due, told };
}

async function rolled(faces: readonly number[], left: Left, draws: Draws): Promise<Luck> {
  return { kind: "rolled", left, due: await draws.roll(faces.length, 6), told: faces };
}

function tidesBox(kind: tides.Event["kind"], left: Left, draws: Draws): Promise<Luck> | Luck {
  if (kind.case === "gameBegun") return nothing({ pile: upTo(18) });
  if (kind.case === "cardsDrawn") return drawn("hand", "pile", kind.value.cards, left, draws);
  return nothing(left);
}

const TIGRIS_TILES = [57, 36, 30, 30];
/** They lie on the board before the first draw. */
const TEMPLES = { standard: 10, advanced: 14 };

async function tigrisBox(kind: tigris.Event["kind"], left: Left, draws: Draws): Promise<Luck> {
  if (kind.case === "gameBegun") {
    const side = kind.value.options?.board === tigris.BoardSide.ADVANCED ? "advanced" : "standard";
    const bag = counted(TIGRIS_TILES).slice(TEMPLES[side]);
    return { kind: "first", left: { bag }, due: await seat(kind.value.seats, draws), told: [kind.value.first] };
  }
  if (kind.case !== "tilesDrawn") return nothing(left);
  const luck = await drawn("hand", "bag", kind.value.tiles, left, draws);
  return { ...luck, due: luck.due?.slice().sort((one, other) => one - other) };
}

async function tigrisCardsBox(kind: tigrisCards.Event["kind"], left: Left, draws: Draws): Promise<Luck> {
  if (kind.case === "gameBegun") {
    return nothing({ deck: counted([40, 65, 40, 40]), first: await seat(kind.value.seats, draws) });
  }
  if (kind.case === "turnBegun" && left["first"]) {
    return { kind: "first", left: { deck: left["deck"] ?? [] }, due: left["first"], told: [kind.value.seat] };
  }
  return kind.case === "cardsDrawn" ? drawn("hand", "deck", kind.value.cards, left, draws) : nothing(left);
}

async function stoneAgeBox(kind: stoneAge.Event["kind"], left: Left, draws: Draws): Promise<Luck> {
  switch (kind.case) {
    case "gameBegun": {
      const all = { deck: upTo(36), tiles: upTo(28) };
      return { kind: "first", left: all, due: await seat(kind.value.seats, draws), told: [kind.value.startPlayer] };
    }
    case "cardRevealed":
      return drawn("shown", "deck", [kind.value.card], left, draws);
    case "tileRevealed":
      return drawn("shown", "tiles", [kind.value.tile], left, draws);
    case "cardDrawn":
      return drawn("hand", "deck", [kind.value.card ?? 0], left, draws);
    case "diceRolled":
    case "diceForAllRolled":
      return rolled(kind.value.faces, left, draws);
    default:
      return nothing(left);
  }
}

/** By title, as events name it. What came with the box is no rule: it is printed. */
export const BOXES: Record<string, Box> = {
  tides: async (event, left, draws) => (event.kind.case === "tides" ? tidesBox(event.kind.value.kind, left, draws) : nothing(left)),
  tigris: async (event, left, draws) => (event.kind.case === "tigris" ? tigrisBox(event.kind.value.kind, left, draws) : nothing(left)),
  tigrisCards: async (event, left, draws) =>
    event.kind.case === "tigrisCards" ? tigrisCardsBox(event.kind.value.kind, left, draws) : nothing(left),
  stoneAge: async (event, left, draws) => (event.kind.case === "stoneAge" ? stoneAgeBox(event.kind.value.kind, left, draws) : nothing(left)),
};
