import type { JSX } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Announcer } from "./components/announcer";
import { ConnectionBanner } from "./components/connection_status";
import { Header } from "./components/header";
import { CreatePage } from "./pages/create";
import { GalleryPage } from "./pages/gallery";
import { GamePage } from "./pages/game";
import { LobbyPage } from "./pages/lobby";
import { MyGamesPage } from "./pages/my_games";
import { NotFoundPage } from "./pages/not_found";
import { PlayersPage } from "./pages/players_page";
import { ReplayPage } from "./pages/replay";
import { type Route, route } from "./router";
import { useSay } from "./translation";
import { useStore } from "./store";

export function App(): JSX.Element {
  const say = useSay();
  const here = useStore(route);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const [error, again] = useErrorBoundary();
  const place = placeOf(here);
  useEffect(() => {
    if (!first.current) main.current?.focus();
    first.current = false;
    again();
  }, [place]);
  return (
    <>
      <a class="skip" href="#main">
        {say("web.skip", "Skip to content")}
      </a>
      <Header here={here} />
      <ConnectionBanner />
      <main id="main" tabIndex={-1} ref={main} class={`page page-${here.page}`}>
        {error ? <Broken /> : <Page key={place} here={here} />}
      </main>
      <Announcer />
    </>
  );
}

/** A key of the page. Moving the slider of a replay changes the URL, but not this key. */
function placeOf(here: Route): string {
  return "gameId" in here ? `${here.page}/${here.gameId}` : JSON.stringify(here);
}

function Page({ here }: { here: Route }): JSX.Element {
  switch (here.page) {
    case "gallery":
      return <GalleryPage />;
    case "create":
      return <CreatePage title={here.title} />;
    case "lobby":
      return <LobbyPage />;
    case "mine":
      return <MyGamesPage />;
    case "game":
      return <GamePage gameId={here.gameId} invite={here.invite} watch={here.watch} />;
    case "replay":
      return <ReplayPage gameId={here.gameId} version={here.version} />;
    case "play":
    case "leaderboard":
    case "player":
    case "account":
      return <PlayersPage here={here} />;
    case "missing":
      return <NotFoundPage />;
  }
}

function Broken(): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice" role="alert">
      <h1>{say("web.broken.title", "Something went wrong on this page")}</h1>
      <p>
        {say(
          "web.broken.text",
          "The page may be older than the server. Your seats are saved in this browser. Reload the page.",
        )}
      </p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {say("web.broken.reload", "Reload")}
      </button>
    </section>
  );
}
