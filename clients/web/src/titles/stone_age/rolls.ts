import type { Event, stoneAge } from "@shedu/client";
import { goodOf } from "./goods";
import { GROUNDS, yieldOf } from "./places";

/** Dice that were rolled at a place, and what they gave. */
export interface RollAtPlace {
  faces: readonly number[];
  /** Such as "14 ÷ 6 → 2"; empty until tools are decided. */
  result: string;
  /** It was rolled just now: the dice tumble. */
  isNew: boolean;
}

export type Rolls = ReadonlyMap<stoneAge.Place, RollAtPlace>;

/** The last roll at each place since the viewer acted. */
export function rollsOf(recent: readonly Event[], happened: readonly Event[]): Rolls {
  const rolls = new Map<stoneAge.Place, RollAtPlace>();
  for (const event of recent) {
    const kind = event.kind.case === "stoneAge" ? event.kind.value.kind : undefined;
    if (kind?.case !== "diceRolled" && kind?.case !== "rollCounted") continue;
    const place = GROUNDS.find((ground) => yieldOf(ground) === goodOf(kind.value.good));
    if (place === undefined) continue;
    if (kind.case === "diceRolled") {
      rolls.set(place, { faces: kind.value.faces, result: "", isNew: happened.includes(event) });
    } else {
      const { total, divisor, gained } = kind.value;
      const { faces = [], isNew = false } = rolls.get(place) ?? {};
      rolls.set(place, { faces, result: `${total} ÷ ${divisor} → ${gained}`, isNew });
    }
  }
  return rolls;
}
