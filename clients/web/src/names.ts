import type { Game } from "@shedu/client";
import { useRef } from "preact/hooks";
import type { Say } from "./board";

/** A bot that was given no other name is called after its level. */
export function calledBy({ displayName, botLevel }: { displayName: string; botLevel: string }, say: Say): string {
  const level = botLevel.replaceAll("_", " ");
  const name = `${level.charAt(0).toUpperCase()}${level.slice(1)} bot`;
  return botLevel && displayName === name ? say(`bot.name.${botLevel}`, name) : displayName;
}

/** By seat; who gave no name is called after the seat, who has another's name gets a number. */
export function namesOf(game: Game, say: Say): string[] {
  return distinct(
    game.seats.map((seat) => calledBy(seat, say) || say("web.seat", "Seat {number}", { number: String(seat.seat + 1) })),
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

/** The name with its number, unless someone else has the seat meanwhile. */
export function calledThen(name: string, now: string): string {
  return now.startsWith(`${name} `) ? now : name || now;
}

/** The same names as long as they read the same, so that what was drawn with them can be kept. */
export function useSteady(names: readonly string[]): readonly string[] {
  const kept = useRef(names);
  if (kept.current.join("\n") !== names.join("\n")) kept.current = names;
  return kept.current;
}
