import type { View } from "@shedu/client";
import type { Choice, Confirmation } from "../../board";
import { tigrisView } from "./board_text";

/** Pieces wait for their space. What draws tiles or lets the others act cannot be undone. */
export function confirmation({ legal }: Choice, view: View): Confirmation {
  const title = legal.action?.title;
  const kind = title?.case === "tigris" ? title.value.kind.case : undefined;
  const phase = tigrisView(view)?.agenda.at(-1)?.kind;
  switch (kind) {
    case "placeTile":
    case "placeLeader":
    case "playCatastrophe":
      return "hold";
    case "endTurn":
      return phase?.case === "acting" && phase.value.left > 0 ? "ask" : "none";
    case "discardTiles":
    case "commitSupport":
      return "ask";
    default:
      return "none";
  }
}
