import type { View } from "@shedu/client";
import type { Choice, Confirmation } from "../../board";
import { cardsView } from "./board_text";

/** What draws cards or lets the others act cannot be undone. */
export function confirmation({ legal }: Choice, view: View): Confirmation {
  const title = legal.action?.title;
  const kind = title?.case === "tigrisCards" ? title.value.kind.case : undefined;
  const phase = cardsView(view)?.agenda.at(-1)?.kind;
  if (kind === "endTurn") return phase?.case === "turn" && phase.value.actions > 0 ? "ask" : "none";
  return kind === "commitCards" ? "ask" : "none";
}
