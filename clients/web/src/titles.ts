import type { Title } from "@shedu/client";
import type { Say } from "./board";

/** What a page wants at once, or what the catalog of the server does not tell: how long a title takes, its mood. */
interface Facts {
  name: string;
  minutes: string;
  colour: string;
}

const FACTS: Record<string, Facts> = {
  tides: { name: "Tides of Time", minutes: "20", colour: "#2b6f8f" },
  tigris: { name: "Tigris & Euphrates", minutes: "90", colour: "#a8562c" },
  tigris_cards: { name: "Euphrates & Tigris: The Card Game", minutes: "45", colour: "#7a4f9a" },
  stone_age: { name: "Stone Age", minutes: "75", colour: "#5c7a34" },
};

export function factsOf(title: string): Facts {
  return FACTS[title] ?? { name: title.replaceAll("_", " "), minutes: "", colour: "#55606a" };
}

export function nameOf(title: Title | string): string {
  return typeof title === "string" ? factsOf(title).name : title.displayName;
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
