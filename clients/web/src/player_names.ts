import type { Game } from "@shedu/client";
import { useRef } from "preact/hooks";
import type { Say } from "./board";

/** Letters that run from right to left, and marks that turn the direction of a text. */
const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Keeps the direction of a name to the name: the sentence around it stays in order, in text, attributes and drawings. */
function isolated(name: string): string {
  return TURNING.test(name) ? `\u2068${name}\u2069` : name;
}

/** The name at a seat; a bot without a name of its own is called after its level. */
export function displayNameOf({ displayName, botLevel }: { displayName: string; botLevel: string }, say: Say): string {
  const level = botLevel.replaceAll("_", " ");
  const name = `${level.charAt(0).toUpperCase()}${level.slice(1)} bot`;
  return botLevel && displayName === name ? say(`bot.name.${botLevel}`, name) : isolated(displayName);
}

/** Names by seat: players without a name are called after their seat, equal names get a number. */
export function namesOf(game: Game, say: Say): string[] {
  return distinct(
    game.seats.map((seat) => displayNameOf(seat, say) || say("web.seat", "Seat {number}", { number: String(seat.seat + 1) })),
  );
}

/** "Greedy bot", "Greedy bot 2" and so on. */
export function distinct(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let called = name;
    for (let number = 2; (name && used.has(called)) || (called !== name && names.includes(called)); number += 1) {
      called = `${name} ${number}`;
    }
    used.add(called);
    return called;
  });
}

/** The name at the time of an event: with its number if the same player still has the seat. */
export function nameAtTheTime(name: string, now: string): string {
  return now.startsWith(`${name} `) ? now : name || now;
}

/** Returns the same array while the names are equal, so that memoized components are not rendered again. */
export function useStableNames(names: readonly string[]): readonly string[] {
  const kept = useRef(names);
  if (kept.current.join("\n") !== names.join("\n")) kept.current = names;
  return kept.current;
}
