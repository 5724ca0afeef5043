import type { JSX } from "preact";
import { connection } from "../connection";
import { useStore } from "../store";
import { useSay } from "../translation";

/** Says on every page, always in view, that the connection is lost. The page reconnects by itself. */
export function ConnectionBanner(): JSX.Element {
  const say = useSay();
  const now = useStore(connection);
  return (
    <div role="status" class="connection" data-connection={now}>
      {now === "lost" ? say("web.connection.lost", "Connection lost. Reconnecting; the board may be out of date.") : null}
      {now === "offline" ? say("web.connection.offline", "You are offline. The page continues when the connection is back.") : null}
    </div>
  );
}
