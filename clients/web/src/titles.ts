import type { Title } from "@shedu/client";
import type { Say } from "./board";

/** What the catalog of the server does not tell: how long a title takes, and its mood. */
interface Facts {
  minutes: string;
  colour: string;
}

const FACTS: Record<string, Facts> = {
  tides: { minutes: "20", colour: "#2b6f8f" },
  tigris: { minutes: "90", colour: "#a8562c" },
  tigris_cards: { minutes: "45", colour: "#7a4f9a" },
  stone_age: { minutes: "75", colour: "#5c7a34" },
};

export function factsOf(title: string): Facts {
  return FACTS[title] ?? { minutes: "", colour: "#55606a" };
}

export function nameOf(title: Title | string, titles: readonly Title[] = []): string {
  if (typeof title !== "string") return title.displayName;
  return titles.find((found) => found.title === title)?.displayName ?? title.replaceAll("_", " ");
}

export function summaryOf(title: Title, say: Say): string {
  return say(`title.${title.title}.summary`, title.summary);
}

export function playersOf(title: Title, say: Say): string {
  const [least, most] = [String(title.minSeats), String(title.maxSeats)];
  return least === most
    ? say("web.players.exactly", "{count} players", { count: least })
    : say("web.players.range", "{least} to {most} players", { least, most });
}

export function lengthOf(title: Title, say: Say): string {
  const { minutes } = factsOf(title.title);
  return minutes && say("web.minutes", "about {minutes} minutes", { minutes });
}
