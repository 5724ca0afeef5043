import { stoneAge } from "@shedu/client";
import type { Choice } from "../../board";
import type { AttemptOf } from "../../boards/targets";

const MOST_PEOPLE = 10;

function isPlacing({ legal: { action } }: Choice): boolean {
  return action?.title.case === "stoneAge" && action.title.value.kind.case === "placePeople";
}

/** As many people as were pointed at; else the fewest that could go there. */
function peopleFor(place: stoneAge.Place, picked: (key: string) => boolean): number {
  const counts = Array.from({ length: MOST_PEOPLE }, (_, index) => index + 1);
  return counts.find((people) => picked(`people:${people}`)) ?? (place === stoneAge.Place.HUT ? 2 : 1);
}

export const attemptOf: AttemptOf = (key, { picked }, choices) => {
  const [what, which] = key.split(":");
  if (what !== "place") return undefined;
  const place: stoneAge.Place = Number(which);
  if (!choices.some(isPlacing)) {
    return { title: { case: "stoneAge", value: { kind: { case: "resolvePlace", value: { place } } } } };
  }
  const people = peopleFor(place, picked);
  return { title: { case: "stoneAge", value: { kind: { case: "placePeople", value: { place, people } } } } };
};
