import type { tigris } from "@shedu/client";
import type { Targets } from "../../boards/targets";
import type { At } from "../../boards/outline";
import { spaceKey } from "./spaces";

/** Where the tile, leader or catastrophe just pointed at could go, as the view tells it. */
export function hintsOf(view: tigris.View, targets: Targets): ReadonlySet<string> {
  const spaces: readonly At[] = [
    ...view.tileTargets.filter(({ colour }) => targets.picked(`tile:${colour}`)).flatMap((target) => target.spaces),
    ...view.leaderTargets.filter(({ leader }) => targets.picked(`leader:${leader}`)).flatMap((target) => target.spaces),
    ...(targets.picked("catastrophe") ? view.catastropheTargets : []),
  ];
  return new Set(spaces.map(spaceKey));
}
