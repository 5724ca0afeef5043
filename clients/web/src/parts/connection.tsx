import type { JSX } from "preact";
import type { Shown } from "../live";
import { useSay } from "../say";

/** Says so when the server is away; the game goes on by itself when it is back. */
export function ConnectionBar({ shown }: { shown: Shown }): JSX.Element {
  const say = useSay();
  return (
    <div role="status" class="connection" data-connection={shown.connection}>
      {shown.connection === "lost"
        ? say("web.connection.lost", "The connection is lost. What you see may be old; it goes on by itself when the server is back.")
        : null}
    </div>
  );
}
