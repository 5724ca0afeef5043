import type { JSX } from "preact";
import type { Shown } from "../live_game";
import { useSay } from "../translation";

/** Shows that the connection is lost; the stream reconnects by itself. */
export function ConnectionBar({ shown }: { shown: Shown }): JSX.Element {
  const say = useSay();
  return (
    <div role="status" class="connection" data-connection={shown.connection}>
      {shown.connection === "lost"
        ? say("web.connection.lost", "Connection lost. Reconnecting; the board may be out of date.")
        : null}
    </div>
  );
}
