import type { JSX } from "preact";
import { Link } from "../router";
import { useSay } from "../translation";

export function NotFoundPage(): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice">
      <h1>{say("web.missing.title", "Page not found")}</h1>
      <p>{say("web.missing.text", "Check the address, or ask for the link again.")}</p>
      <p class="ways">
        <Link to="/" class="button primary">
          {say("web.to_gallery", "All games")}
        </Link>
        <Link to="/lobby" class="button">
          {say("web.to_lobby", "Go to the lobby")}
        </Link>
      </p>
    </section>
  );
}
