import { Draws, type Event } from "@shedu/client";
import { TITLES } from "shedu:titles";
import type { DrawKind, EventKind, Piles } from "./draws";

/** Why the draws of a game cannot be recomputed here: what there was to draw from is not known. */
export type Unknown = "forked" | "no_luck_module";

/** Every draw of a finished game, recomputed from its secret. */
export interface Recomputed {
  /** How many draws match the events, by kind. */
  same: Record<DrawKind, number>;
  /** How many random numbers they took. */
  numbers: number;
  /** The version of the first event whose draw does not follow from the secret. */
  wrong: bigint | undefined;
  unknown: Unknown | undefined;
}

/** How many events of the title there were without those undone, and what was left to draw from. */
interface Position {
  count: bigint;
  piles: Piles;
}

export async function recompute(title: string, events: readonly Event[], key: Uint8Array): Promise<Recomputed> {
  const same = { first: 0, hand: 0, shown: 0, rolled: 0 };
  const found: Recomputed = { same, numbers: 0, wrong: undefined, unknown: undefined };
  const luck = await TITLES.get(title)?.luck?.();
  if (luck === undefined) return { ...found, unknown: "no_luck_module" };
  const positions = new Map<bigint, Position>();
  let now: Position = { count: 0n, piles: {} };
  for (const cause of causes(events)) {
    const draws = new Draws(key, now.count);
    for (const event of cause) {
      if (event.kind.case === "positionPlaced") return { ...found, unknown: "forked" };
      if (event.kind.case === "moveUndone") now = positions.get(event.kind.value.toVersion) ?? now;
      const kind = kindOf(title, event);
      if (kind !== undefined) {
        const checked = await luck(kind, now.piles, draws);
        now = { count: now.count + 1n, piles: checked.piles };
        if (checked.expected !== undefined && !alike(checked.expected, checked.told)) {
          return { ...found, wrong: event.version };
        }
        if (checked.expected !== undefined) found.same[checked.kind] += 1;
      }
      positions.set(event.version, now);
    }
    found.numbers += draws.taken;
  }
  return found;
}

/** The title's own event; undefined for an event of the table. Messages have the name of the title in camelCase. */
function kindOf(title: string, { kind }: Event): EventKind | undefined {
  const name = title.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return kind.case === name ? (kind.value as unknown as { kind: EventKind }).kind : undefined;
}

/** Events of one cause share its random numbers. */
function causes(events: readonly Event[]): Event[][] {
  const found: Event[][] = [[]];
  for (const event of events) {
    found.at(-1)?.push(event);
    if (!event.continues) found.push([]);
  }
  return found;
}

function alike(expected: readonly number[], told: readonly number[]): boolean {
  return expected.length === told.length && expected.every((item, at) => item === told[at]);
}
