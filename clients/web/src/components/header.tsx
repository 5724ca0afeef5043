import type { JSX } from "preact";
import { account, needsAccount } from "../account";
import { news, useInbox } from "../inbox";
import { canNotify, chooseNotifications } from "../notifications";
import { type Confirming, preferences, prefer, type Theme } from "../preferences";
import { Link, type Route } from "../router";
import { chooseLanguage, type Language, LANGUAGES, useLanguage, useSay } from "../translation";
import { useStore } from "../store";
import { RulesButton } from "../teaching/rules_drawer";
import { isAsked } from "./inbox_news";

export function Header({ here }: { here: Route }): JSX.Element {
  const say = useSay();
  const asked = [...useStore(news).values()].filter(isAsked).length;
  useInbox(!("gameId" in here));
  return (
    <header class="top">
      <Link to="/" class="brand">
        <Bull />
        Shedu
      </Link>
      <nav aria-label={say("web.nav", "Pages")}>
        <Link to="/" current={here.page === "gallery"}>
          {say("web.nav.gallery", "Games")}
        </Link>
        <Link to="/lobby" current={here.page === "lobby"}>
          {say("web.nav.lobby", "Lobby")}
        </Link>
        <Link to="/mine" current={here.page === "mine"}>
          {say("web.nav.mine", "My games")} {asked > 0 ? <span class="badge">{asked}</span> : null}
        </Link>
        <AccountLinks here={here} />
      </nav>
      <RulesButton />
      <Settings />
    </header>
  );
}

/** Nothing on a server without identities. */
function AccountLinks({ here }: { here: Route }): JSX.Element | null {
  const say = useSay();
  const mine = useStore(account);
  const isWanted = useStore(needsAccount);
  if (mine) {
    return (
      <Link to={`/players/${mine.handle}`} current={here.page === "player" && here.handle === mine.handle}>
        {mine.handle}
      </Link>
    );
  }
  if (!isWanted && here.page !== "account") return null;
  return (
    <Link to="/account" current={here.page === "account"}>
      {say("web.account.sign_in", "Sign in")}
    </Link>
  );
}

function Settings(): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const { theme, confirming, sound, notify, atOnce } = useStore(preferences);
  const modes: Record<Confirming, string> = {
    instant: say("web.confirming.instant", "Never"),
    turn: say("web.confirming.turn", "What cannot be undone"),
    always: say("web.confirming.always", "Every move"),
  };
  const themes: Record<Theme, string> = {
    auto: say("web.theme.auto", "System"),
    light: say("web.theme.light", "Light"),
    dark: say("web.theme.dark", "Dark"),
    contrast: say("web.theme.contrast", "High contrast"),
  };
  return (
    <details class="settings" onKeyDown={closeOnEscape}>
      <summary>{say("web.settings", "Settings")}</summary>
      <div class="panel">
        <label>
          {say("web.settings.language", "Language")}
          <select value={language} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say("web.settings.theme", "Theme")}
          <select value={theme} onChange={(event) => prefer({ theme: event.currentTarget.value as Theme })}>
            {Object.entries(themes).map(([tag, name]) => (
              <option value={tag}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          {say("web.settings.confirm", "Confirm moves")}
          <select value={confirming} onChange={(event) => prefer({ confirming: event.currentTarget.value as Confirming })}>
            {Object.entries(modes).map(([tag, name]) => (
              <option value={tag}>{name}</option>
            ))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={sound} onChange={(event) => prefer({ sound: event.currentTarget.checked })} />
          {say("web.settings.sound", "Sounds")}
        </label>
        {canNotify() ? (
          <label class="check">
            <input type="checkbox" checked={notify} onChange={(event) => void chooseNotifications(event.currentTarget.checked)} />
            {say("web.settings.notify", "Notification when it is my turn")}
          </label>
        ) : null}
        <label class="check">
          <input type="checkbox" checked={atOnce} onChange={(event) => prefer({ atOnce: event.currentTarget.checked })} />
          {say("web.settings.at_once", "Show moves of other players without animation")}
        </label>
        <a href="/docs">{say("web.settings.docs", "API documentation")}</a>
      </div>
    </details>
  );
}

function closeOnEscape(event: JSX.TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape") return;
  event.currentTarget.open = false;
  event.currentTarget.querySelector("summary")?.focus();
}

function Bull(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" class="bull">
      <path d="M7 25c0-6 4-10 9-10s9 4 9 10M7 25h18M10 15c-3-2-3-7-1-9 1 3 4 4 7 4s6-1 7-4c2 2 2 7-1 9" />
      <circle cx="12.5" cy="20" r="1.3" />
      <circle cx="19.5" cy="20" r="1.3" />
    </svg>
  );
}
