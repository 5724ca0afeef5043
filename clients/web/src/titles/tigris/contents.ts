import type { tigris } from "@shedu/client";
import type { Cell } from "../../boards/roving_focus";
import { nameOf, type Say } from "../../boards/seat_name";
import { buildingName, leaderName, monumentName, tileName } from "./colours";
import type { At } from "../../boards/outline";
import { cross, SIDE, SPACE, spaceKey, spaceName, SPACES, square } from "./spaces";

/** By space key, in words. */
export type Contents = ReadonlyMap<string, readonly string[]>;

function leaderWords(
  leader: tigris.StandingLeader,
  strengths: ReadonlyMap<string, tigris.KingdomLeader>,
  names: readonly string[],
  say: Say,
): string {
  const own = leader.space && strengths.get(spaceKey(leader.space));
  return say("board.tigris.leader_of", "{leader} of {name}, supporters {supporters}, temples beside {temples}", {
    leader: leaderName(leader.leader, say),
    name: nameOf(names, leader.seat),
    supporters: String(own?.supporters ?? 0),
    temples: String(own?.temples ?? 0),
  });
}

export function strengthsOf(view: tigris.View): ReadonlyMap<string, tigris.KingdomLeader> {
  const leaders = view.kingdoms.flatMap((kingdom) => kingdom.leaders);
  return new Map(leaders.flatMap((leader) => (leader.space ? [[spaceKey(leader.space), leader] as const] : [])));
}

/** What lies on each space, so that it can be read out. */
export function contentsOf(view: tigris.View, names: readonly string[], say: Say): Contents {
  const contents = new Map<string, string[]>();
  const add = (space: At | undefined, words: string): void => {
    if (space) contents.set(spaceKey(space), [...(contents.get(spaceKey(space)) ?? []), words]);
  };
  const { board } = view;
  if (!board) return contents;
  const strengths = strengthsOf(view);
  for (const space of board.river) add(space, say("board.tigris.river", "river"));
  for (const { space, colour } of board.tiles) add(space, tileName(colour, say));
  for (const space of board.faceDown) add(space, say("board.tigris.face_down", "tile face down"));
  for (const leader of board.leaders) add(leader.space, leaderWords(leader, strengths, names, say));
  for (const space of board.catastrophes) add(space, say("board.tigris.catastrophe", "catastrophe"));
  for (const { space, colour } of board.buildings) add(space, buildingName(colour, say));
  for (const { monument, corner } of board.monuments) {
    for (const space of corner ? square(corner) : []) add(space, monumentName(monument, say));
  }
  for (const space of board.wonder ? cross(board.wonder) : []) add(space, say("board.tigris.wonder", "wonder"));
  add(board.covered, say("board.tigris.unification", "unification marker"));
  for (const space of board.treasures) add(space, say("board.tigris.treasure", "treasure"));
  for (const space of board.special) add(space, say("board.tigris.special", "bordered space"));
  return contents;
}

/** Every space as something to point at, labelled e.g. "F6: river, farm". */
export function cellsOf(contents: Contents, say: Say): readonly Cell[] {
  const empty = say("board.tigris.empty", "empty");
  return SPACES.map((space) => {
    const key = spaceKey(space);
    const label = `${spaceName(space)}: ${(contents.get(key) ?? [empty]).join(", ")}`;
    return { key, label, name: spaceName(space), x: space.column * SIDE, y: space.row * SIDE, ...SPACE };
  });
}

/** The spaces on which something lies, so that nothing is drawn over it. */
export function occupiedOf(board: tigris.BoardView): ReadonlySet<string> {
  const spaces: (At | undefined)[] = [
    ...board.tiles.map(({ space }) => space),
    ...board.leaders.map(({ space }) => space),
    ...board.faceDown,
    ...(board.wonder ? cross(board.wonder) : []),
  ];
  return new Set(spaces.flatMap((space) => (space ? [spaceKey(space)] : [])));
}
