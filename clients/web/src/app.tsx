import type { JSX } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Announcer } from "./parts/announcer";
import { Header } from "./parts/header";
import { CreatePage } from "./pages/create";
import { GalleryPage } from "./pages/gallery";
import { GamePage } from "./pages/game";
import { LobbyPage } from "./pages/lobby";
import { MinePage } from "./pages/mine";
import { MissingPage } from "./pages/missing";
import { ReplayPage } from "./pages/replay";
import { type Route, route } from "./router";
import { useSay } from "./say";
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
        {say("web.skip", "Skip to the content")}
      </a>
      <Header here={here} />
      <main id="main" tabIndex={-1} ref={main} class={`page page-${here.page}`}>
        {error ? <Broken /> : <Page key={place} here={here} />}
      </main>
      <Announcer />
    </>
  );
}

/** What makes two routes the same place: a replay's slider does not leave it. */
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
      return <MinePage />;
    case "game":
      return <GamePage gameId={here.gameId} invite={here.invite} watch={here.watch} />;
    case "replay":
      return <ReplayPage gameId={here.gameId} version={here.version} />;
    case "missing":
      return <MissingPage />;
  }
}

function Broken(): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice" role="alert">
      <h1>{say("web.broken.title", "This page has stumbled")}</h1>
      <p>
        {say(
          "web.broken.text",
          "It may be older than the server. Nothing is lost: your seats are kept in this browser. Load the page again.",
        )}
      </p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {say("web.broken.reload", "Load again")}
      </button>
    </section>
  );
}
