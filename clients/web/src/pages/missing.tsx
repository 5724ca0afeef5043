import type { JSX } from "preact";
import { Link } from "../router";
import { useSay } from "../say";

export function MissingPage(): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice">
      <h1>{say("web.missing.title", "This link leads nowhere")}</h1>
      <p>{say("web.missing.text", "Perhaps a part of it is lost. Ask for the link again, or look at what is played here.")}</p>
      <p class="ways">
        <Link to="/" class="button primary">
          {say("web.to_gallery", "See the games")}
        </Link>
        <Link to="/lobby" class="button">
          {say("web.to_lobby", "Go to the lobby")}
        </Link>
      </p>
    </section>
  );
}
