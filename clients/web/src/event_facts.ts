import type { Event } from "@shedu/client";

/** The events of every title that begin a turn or a round; the log begins a group with them. */
const BEGINNINGS = new Set(["turnBegun", "roundBegun"]);

interface TitleEvent {
  kind?: { case?: string; value?: { seat?: unknown } };
}

/** The seat that an event is about; undefined if it is about none or several. */
export function seatOf({ kind }: Event): number | undefined {
  const value = kind.value as (TitleEvent & { seat?: unknown }) | undefined;
  const seat = value?.kind?.value?.seat ?? value?.seat;
  return typeof seat === "number" ? seat : undefined;
}

export function isBeginning({ kind }: Event): boolean {
  return BEGINNINGS.has((kind.value as TitleEvent | undefined)?.kind?.case ?? "");
}

/** The seat that caused these events. */
export function actorOf(events: readonly Event[]): number | undefined {
  return events.map(seatOf).find((seat) => seat !== undefined);
}
