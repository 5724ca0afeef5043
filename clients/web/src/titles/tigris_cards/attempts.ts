import type { Attempt } from "../../board";
import type { AttemptOf } from "../../boards/targets";
import { COLOURS } from "./colours";

type Kind = NonNullable<NonNullable<Extract<NonNullable<Attempt["title"]>, { case: "tigrisCards" }>["value"]>["kind"]>;

/** The card or leader chosen from the hand, placed at the target. */
export const attemptOf: AttemptOf = (key, { picked }) => {
  const [what, which = ""] = key.split(":");
  const [column = 0, row] = which.split(",").map(Number);
  if (what !== "column" && what !== "gap" && what !== "card") return undefined;
  const place = row === undefined ? { column } : { column, row };
  const card = COLOURS.find((colour) => picked(`hand:${colour}`));
  const leader = COLOURS.find((colour) => picked(`leader:${colour}`));
  const attempt = (kind: Kind): Attempt => ({ title: { case: "tigrisCards", value: { kind } } });
  if (card && what === "column") return attempt({ case: "layCard", value: { colour: card, column } });
  if (card && what === "gap") return attempt({ case: "layLink", value: { colour: card, gap: column } });
  if (leader && what !== "column") return attempt({ case: "placeLeader", value: { colour: leader, place } });
  if (picked("calamity") && what !== "column") return attempt({ case: "playCalamity", value: { place } });
  return undefined;
};
