import type { tigris } from "@shedu/client";
import type { Choice } from "../../board";
import type { KeysOf } from "../../boards/targets";
import type { At } from "../../boards/outline";
import { cross, spaceKey, square } from "./spaces";

type Kind = tigris.Action["kind"];

function atLeast(colour: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `discard:${colour}:${index + 1}`);
}

export function discardKey({
  red,
  blue,
  green,
  black,
}: Pick<tigris.DiscardTiles, "red" | "blue" | "green" | "black">): string {
  return `discard=${red},${blue},${green},${black}`;
}

function discards(tiles: tigris.DiscardTiles): string[] {
  const { red, blue, green, black } = tiles;
  const counts = [...atLeast("1", red), ...atLeast("2", blue), ...atLeast("3", green), ...atLeast("4", black)];
  return [discardKey(tiles), ...counts];
}

function spaceKeys(spaces: readonly (At | undefined)[]): string[] {
  return spaces.filter((space) => space !== undefined).map(spaceKey);
}

function settling(kind: Kind): string[] {
  switch (kind.case) {
    case "chooseWar":
      return [`war:${kind.value.colour}`];
    case "chooseColour":
      return [`colour:${kind.value.colour}`];
    case "commitSupport":
      return [`commit:${kind.value.tiles}`];
    case "discardTiles":
      return discards(kind.value);
    case "declineBuild":
      return ["decline"];
    case "buildMonument":
      return [`monument:${kind.value.monument}`, ...(kind.value.corner ? spaceKeys(square(kind.value.corner)) : [])];
    case "buildWonder":
      return ["wonder", ...(kind.value.center ? spaceKeys(cross(kind.value.center)) : [])];
    case "chooseSpace":
    case "raiseBuilding":
    case "takeTreasure":
      return spaceKeys([kind.value.space]);
    default:
      return [];
  }
}

/** The targets of each choice; a leader on the board can be chosen at its space, too. */
export function keysOf(view: tigris.View): KeysOf {
  const standing = new Map<tigris.Colour, At>();
  for (const { seat, leader, space } of view.board?.leaders ?? []) {
    if (seat === view.seat && space) standing.set(leader, space);
  }
  return ({ legal }: Choice) => {
    const title = legal.action?.title;
    if (title?.case !== "tigris") return [];
    const { kind } = title.value;
    switch (kind.case) {
      case "placeTile":
        return [`tile:${kind.value.colour}`];
      case "placeLeader":
        return [
          `leader:${kind.value.leader}`,
          `move:${kind.value.leader}`,
          ...spaceKeys([standing.get(kind.value.leader)]),
        ];
      case "withdrawLeader":
        return [
          `leader:${kind.value.leader}`,
          `withdraw:${kind.value.leader}`,
          ...spaceKeys([standing.get(kind.value.leader)]),
        ];
      case "playCatastrophe":
        return ["catastrophe"];
      case "swapTiles":
        return ["swap"];
      case "endTurn":
        return ["end"];
      default:
        return settling(kind);
    }
  };
}
