import type { Choice, Confirmation } from "../../board";
import { GROUNDS } from "./places";

/** After placing people the next player acts, and dice that were rolled stay rolled. */
export function confirmation({ legal }: Choice): Confirmation {
  const title = legal.action?.title;
  const kind = title?.case === "stoneAge" ? title.value.kind : undefined;
  switch (kind?.case) {
    case "placePeople":
      return "step";
    case "resolvePlace":
      return GROUNDS.some((place) => place === kind.value.place) ? "ask" : "none";
    case "decline":
    case "goHungry":
      return "ask";
    default:
      return "none";
  }
}
