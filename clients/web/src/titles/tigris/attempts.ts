import type { Attempt, Choice } from "../../board";
import type { AttemptOf } from "../../boards/targets";

/** The decisions that are made by choosing a space. */
const WITH_SPACE = ["chooseSpace", "raiseBuilding", "takeTreasure"] as const;

function there(place: string, choices: readonly Choice[]): Attempt | undefined {
  const kinds = choices.map(({ legal: { action } }) => action?.title.case === "tigris" && action.title.value.kind.case);
  const asked = WITH_SPACE.find((kind) => kinds.includes(kind));
  const [row = 0, column = 0] = place.split(",").map(Number);
  return asked && { title: { case: "tigris", value: { kind: { case: asked, value: { space: { row, column } } } } } };
}

export const attemptOf: AttemptOf = (key, _, choices) => {
  const [what, which = ""] = key.split(":");
  switch (what) {
    case "space":
      return there(which, choices);
    case "tile":
      return { title: { case: "tigris", value: { kind: { case: "placeTile", value: { colour: Number(which) } } } } };
    case "leader":
      return { title: { case: "tigris", value: { kind: { case: "placeLeader", value: { leader: Number(which) } } } } };
    case "catastrophe":
      return { title: { case: "tigris", value: { kind: { case: "playCatastrophe", value: {} } } } };
    default:
      return undefined;
  }
};
