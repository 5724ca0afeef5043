import type { Title } from "@shedu/client";
import { TITLES } from "shedu:titles";
import type { Say } from "./board";
import { knownTitle } from "./title_catalog";

/** The name of a title: as the server's catalog has it, or as far as it is known without the catalog. */
export function nameOf(title: Title | string): string {
  if (typeof title !== "string") return title.displayName;
  return TITLES.get(title)?.facts?.name ?? knownTitle(title)?.displayName ?? title.replaceAll("_", " ");
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

/** How long a game takes; empty where that is not known. */
export function lengthOf(title: Title, say: Say): string {
  const minutes = TITLES.get(title.title)?.facts?.minutes;
  return minutes ? say("web.minutes", "about {minutes} minutes", { minutes }) : "";
}
