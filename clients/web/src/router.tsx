import type { ComponentChildren, JSX } from "preact";
import { createStore } from "./store";

export type Route =
  | { page: "gallery" }
  | { page: "create"; title: string }
  | { page: "lobby" }
  | { page: "mine" }
  | { page: "play"; title: string }
  | { page: "leaderboard"; title: string }
  | { page: "player"; handle: string }
  | { page: "account" }
  | { page: "game"; gameId: string; invite: string; watch: string }
  | { page: "replay"; gameId: string; version: bigint | undefined }
  | { page: "missing" };

const GAME = /^[a-z0-9]{20}$/;

/** Secrets are in the fragment of the URL, which browsers do not send to servers. */
export function routeOf(place: { pathname: string; hash: string }): Route {
  const steps = place.pathname.split("/").filter(Boolean);
  const fragment = new URLSearchParams(place.hash.slice(1));
  const [first, second, third] = steps;
  if (steps.length === 0) return { page: "gallery" };
  if (first === "lobby" && steps.length === 1) return { page: "lobby" };
  if (first === "mine" && steps.length === 1) return { page: "mine" };
  if (first === "account" && steps.length === 1) return { page: "account" };
  if (first === "create" && second && steps.length === 2) return { page: "create", title: second };
  if (first === "play" && second && steps.length === 2) return { page: "play", title: second };
  if (first === "leaderboard" && second && steps.length === 2) return { page: "leaderboard", title: second };
  if (first === "players" && second && steps.length === 2) return { page: "player", handle: second };
  if (first !== "games" || !second || !GAME.test(second)) return { page: "missing" };
  if (steps.length === 2) {
    return { page: "game", gameId: second, invite: fragment.get("invite") ?? "", watch: fragment.get("watch") ?? "" };
  }
  if (third === "replay" && steps.length === 3) {
    return { page: "replay", gameId: second, version: versionOf(fragment.get("version")) };
  }
  return { page: "missing" };
}

function versionOf(text: string | null): bigint | undefined {
  return text !== null && /^[1-9][0-9]{0,15}$/.test(text) ? BigInt(text) : undefined;
}

export const route = createStore(routeOf(location));

addEventListener("popstate", () => route.set(routeOf(location)));
addEventListener("hashchange", () => route.set(routeOf(location)));

export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  route.set(routeOf(location));
  if (!replace) scrollTo(0, 0);
}

export function Link(props: { to: string; class?: string; children: ComponentChildren; current?: boolean }): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(props.to);
  };
  return (
    <a href={props.to} class={props.class} aria-current={props.current ? "page" : undefined} onClick={follow}>
      {props.children}
    </a>
  );
}
