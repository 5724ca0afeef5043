import { Draws, type Event } from "@shedu/client";
import { BOXES, type Kind, type Left } from "./boxes";

/** Every draw of a finished game, made anew from its secret. */
export interface Recomputed {
  /** How many draws came out as the game told them, by what was drawn. */
  same: Record<Kind, number>;
  /** How many numbers they took. */
  numbers: number;
  /** The first event that tells something else than the secret gives. */
  wrong: bigint | undefined;
  /** True where the game began in the middle: what was left to draw from is not known here. */
  unknown: boolean;
}

/** How many of the title's own events there were, those undone left out, and what was left to draw from. */
interface Mark {
  position: bigint;
  left: Left;
}

export async function recompute(events: readonly Event[], key: Uint8Array): Promise<Recomputed> {
  const found: Recomputed = { same: { first: 0, hand: 0, shown: 0, rolled: 0 }, numbers: 0, wrong: undefined, unknown: false };
  const marks = new Map<bigint, Mark>();
  let now: Mark = { position: 0n, left: {} };
  for (const cause of causes(events)) {
    const draws = new Draws(key, now.position);
    for (const event of cause) {
      if (event.kind.case === "positionPlaced") return { ...found, unknown: true };
      if (event.kind.case === "moveUndone") now = marks.get(event.kind.value.toVersion) ?? now;
      const box = BOXES[event.kind.case ?? ""];
      if (box !== undefined) {
        const luck = await box(event, now.left, draws);
        now = { position: now.position + 1n, left: luck.left };
        if (luck.due !== undefined && !alike(luck.due, luck.told)) return { ...found, wrong: event.version };
        if (luck.due !== undefined) found.same[luck.kind] += 1;
      }
      marks.set(event.version, now);
    }
    found.numbers += draws.taken;
  }
  return found;
}

/** Events that happened as one share their numbers. */
function causes(events: readonly Event[]): Event[][] {
  const found: Event[][] = [[]];
  for (const event of events) {
    found.at(-1)?.push(event);
    if (!event.continues) found.push([]);
  }
  return found;
}

function alike(due: readonly number[], told: readonly number[]): boolean {
  return due.length === told.length && due.every((item, at) => item === told[at]);
}
