import type { InboxItem } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Say } from "../board";
import { news } from "../inbox";
import { notifyTurn } from "../notifications";
import { Link } from "../router";
import { loadTitleTexts, sayText, useSay } from "../translation";
import { ring } from "../sound";
import { useStore } from "../store";
import { nameOf } from "../title_facts";
import { announce } from "./announcer";

/** News from the player's other games: turns, proposals, starts and results. */
export function InboxNews(): JSX.Element | null {
  const say = useSay();
  const items = [...useStore(news).values()];
  const asked = items.filter(isAsked).length;
  useEffect(() => {
    document.title = asked > 0 ? `● ${say("web.your_turn", "Your turn")} – Shedu` : "Shedu";
    if (asked > 0) ring();
  }, [asked]);
  useEffect(() => {
    for (const item of items.filter(isAsked)) void notifyTurn(item.gameId, nameOf(item.title), told(item, say));
  }, [items.filter(isAsked).map(({ gameId, version }) => `${gameId}/${version}`).join()]);
  useEffect(() => {
    announce(...items.map((item) => `${nameOf(item.title)}: ${told(item, say)}`));
  }, [items.map(({ gameId, version }) => `${gameId}/${version}`).join()]);
  useEffect(() => {
    for (const { title } of items) void loadTitleTexts(title);
  }, [items.map(({ title }) => title).join()]);
  if (items.length === 0) return null;
  return (
    <section class="panel attention" aria-label={say("web.attention", "Your games")}>
      <ul>
        {items.map((item) => (
          <li key={item.gameId}>
            <Link to={`/games/${item.gameId}`}>
              <strong>{nameOf(item.title)}</strong> <span class={isAsked(item) ? "badge" : "facts"}>{told(item, say)}</span>
            </Link>{" "}
            {item.kind.case === "decision" ? <span class="facts">{sayText(item.kind.value.prompt)}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function isAsked({ kind }: InboxItem): boolean {
  return kind.case === "decision" || kind.case === "proposal";
}

function told({ kind }: InboxItem, say: Say): string {
  switch (kind.case) {
    case "decision":
      return say("web.your_turn", "Your turn");
    case "proposal":
      return say("web.attention.proposal", "A player has made a proposal");
    case "invited":
      return say("web.attention.invited", "You are invited to a game");
    case "started":
      return say("web.event.started", "The game started.");
    case "finished":
      return say("web.event.finished", "The game is over.");
    default:
      return "";
  }
}
