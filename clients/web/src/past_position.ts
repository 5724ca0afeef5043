import type { Event, View } from "@shedu/client";
import { useState } from "preact/hooks";
import type { LiveGame } from "./live_game";

/** An earlier position of the game, which is shown instead of the current one. */
export interface Past {
  version: bigint;
  view: View;
  happened: readonly Event[];
}

/** Shows the position after an event, and the current one again. */
export function usePast(live: LiveGame, log: readonly Event[]): { past: Past | undefined; jump(version: bigint): void; back(): void } {
  const [past, setPast] = useState<Past | undefined>();
  const jump = async (version: bigint) => {
    const view = await live.table.view({ version: positionAfter(version, log) }).catch(() => undefined);
    if (view) setPast({ version, view, happened: log.filter((event) => event.version === version) });
  };
  return { past, jump: (version) => void jump(version), back: () => setPast(undefined) };
}

/** The version at which the call of an event was done. There is no board before the game has started. */
function positionAfter(version: bigint, log: readonly Event[]): bigint {
  const started = log.find(({ kind }) => kind.case === "gameStarted")?.version ?? version;
  const from = version > started ? version : started;
  return log.find((event) => event.version >= from && !event.continues)?.version ?? version;
}
